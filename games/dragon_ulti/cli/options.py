"""What the commands of Ulti share: their options, and how they follow an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import click

from dragon.commands.options import Seconds, interruptible
from dragon_ulti.cards import SUITS
from dragon_ulti.house import HOUSES

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
