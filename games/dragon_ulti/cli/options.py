"""What the commands of Ulti share: their options, and the game that these ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

import click

from dragon.commands.options import Seconds, interruptible
from dragon.errors import BadNotation
from dragon_ulti.cards import SUITS
from dragon_ulti.contracts import CONTRACTS
from dragon_ulti.deal import digits_of, read_json
from dragon_ulti.house import HOUSES

if TYPE_CHECKING:
    from dragon_ulti import Ulti

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")

with_json = click.option("--json", "as_json", is_flag=True, help="Print JSON on stdout.")
with_rules = click.option(
    "--rules", type=click.Choice(tuple(HOUSES)), default="real", show_default=True,
    help="The real rules, or those of the original program.",
)  # fmt: skip
with_contract = click.option(
    "--contract", metavar="C", help="A contract, or several joined with +."
)
with_trump = click.option(
    "--trump",
    type=click.Choice(tuple(SUITS)),
    help="That of the deal, or hearts.",
)
with_seconds = click.option("--seconds", type=Seconds(), metavar="S", help="Stop after S seconds.")
with_course = click.option(
    "--course", is_flag=True, help="Add who played what in which round, and when each card went."
)
without_prerequisites = click.option(
    "--no-prerequisites", "free", is_flag=True, help="Whatever the declarer holds."
)


def options(*given: Callable[[Any], Any]) -> Callable[[F], F]:
    """Decorates a command with several options, in the order of its help."""

    def decorate(command: F) -> F:
        for option in reversed(given):
            command = option(command)
        return command

    return decorate


def contract_of(text: str) -> str | None:
    """The contract that a deal's JSON or its 62 digits name; None where they name none."""
    digits = digits_of(text)
    if digits is not None and len(digits) == 62:
        return next((each.name for each in CONTRACTS.values() if str(each.code) == digits[0]), None)
    if not text.lstrip().startswith("{"):
        return None
    named = read_json(text).get("contract")
    return None if named is None else str(named)


def game_of(text: str, contract: str, trump: str | None, rules: str, free: bool = False) -> Ulti:
    """The game that the options and the deal's own words ask for; raises ConfigError."""
    from dragon.config import build
    from dragon_ulti import Ulti
    from dragon_ulti.deal import said_trump

    trumps = all(CONTRACTS[w].trump for w in contract.split("+") if w in CONTRACTS)
    asked = trump or (said_trump(text) if trumps else None)
    given = {"contract": contract, "trump": asked, "rules": rules, "prerequisites": not free}
    made: Ulti = build(Ulti, {k: v for k, v in given.items() if v is not None}, "ulti")
    return made


def check_each(games: Iterable[Ulti], read: Callable[[Ulti], object]) -> None:
    """That games of different contracts can all come to a position; raises BadNotation.

    `read` raises it for one of them. Where only some can, the message says so, and to ask
    for one.
    """
    wrong: dict[str, BadNotation] = {}
    contracts = []
    for game in games:
        contracts.append(game.contract)
        try:
            read(game)
        except BadNotation as mistake:
            wrong[game.contract] = mistake
    for contract, why in wrong.items():
        if len(wrong) == len(contracts):
            raise why
        raise BadNotation(
            f"{why}. That is so of {contract}, and all contracts are asked for; ask for one "
            "that can have come so far: dragon ulti solve ... --contract C"
        )


def followed(stream: Iterator[T], total: int, what: str) -> tuple[list[T], bool]:
    """All that a stream has given until its end or Ctrl-C, and whether it was Ctrl-C.

    total: how much it gives, for the bar that a terminal shows if it takes over a second.
    """
    from tqdm import tqdm  # type: ignore[import-untyped]

    found: list[T] = []
    bar = tqdm(total=total, desc=what, unit="", leave=False, delay=1, disable=None)

    def follow() -> None:
        for each in stream:
            found.append(each)
            bar.update()

    try:
        interruptible(follow)
    except KeyboardInterrupt:
        return [*found], True
    finally:
        bar.close()
    return found, False
