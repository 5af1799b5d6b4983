"""What the page asks of the server, and the answers: the objects of `dragon ulti ... --json`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from attrs import evolve, frozen

from dragon.core import Limit
from dragon.errors import BadNotation, ConfigError
from dragon.web import problem
from dragon.web.pace import now_and_then
from dragon.web.page import choice, flag, number, text, texts, whole
from dragon_ulti import answers, asking, objects
from dragon_ulti.cards import SUITS, name
from dragon_ulti.contracts import CONTRACTS
from dragon_ulti.deal import bare, read_json

LONGEST = 2000
"""Letters of a deal; one in JSON with every card played has half of them."""
CONTRACT = 160
"""Letters of several contracts at once."""


@frozen
class Dealing:
    """A deal at random."""

    seed: int = whole(0, least=0, most=2**53)
    """The same deal for the same number."""
    contract: str = text("party", longest=CONTRACT)
    """A deal on which it can be bid; several are joined with `+`."""
    trump: str | None = text(None, longest=1)
    """H, L, A or B; hearts by default."""
    rules: str = choice("real", "original")
    """The real rules, or those of the original program."""


@frozen
class Table:
    """A deal, and what may be played on it."""

    deal: str = text(longest=LONGEST)
    """Three hands and perhaps the talon, the 61 digits of a link, the link, or JSON."""
    rules: str = choice("real", "original")
    """The real rules, or those of the original program."""
    prerequisites: bool = flag(True)
    """A deal without what a contract requires is lost; false sets that aside."""
    seconds: float = number(30.0, least=0.01, most=50)
    """What is not known by then is left open."""


@frozen
class Position:
    """A deal, a contract, and what has been played."""

    deal: str = text(longest=LONGEST)
    """Three hands and perhaps the talon, the 61 digits of a link, the link, or JSON."""
    contract: str | None = text(None, longest=CONTRACT)
    """That of the deal, or a party; several are joined with `+`."""
    trump: str | None = text(None, longest=1)
    """H, L, A or B; that of the deal, or hearts."""
    played: str = text("", longest=120)
    """Cards that are played from there, `HA H7 LX`."""
    rules: str = choice("real", "original")
    """The real rules, or those of the original program."""
    prerequisites: bool = flag(True)
    """A deal without what the contract requires is lost; false sets that aside."""
    course: bool = flag(True)
    """Whether who played what, who took the tricks, and when each card went is told at the end."""
    seconds: float = number(30.0, least=0.01, most=50)
    """What is not known by then is left open."""


@frozen
class Hand:
    """A hand of the declarer, and what is known besides."""

    hand: str = text(longest=120)
    """Ten cards, or twelve before two are discarded."""
    contracts: tuple[str, ...] = texts(most=10, longest=CONTRACT)
    """Contracts, or several at once joined with `+`; all ten by default."""
    trump: str | None = text(None, longest=1)
    """H, L, A or B: this trump alone."""
    discard: str | None = text(None, longest=20)
    """Of twelve cards these two, instead of the best."""
    holds: str = text("", longest=300)
    """What is known of the defenders: `1: HA, 2: not L`."""
    marriages: bool = flag()
    """Whether marriages count in the parties."""
    rules: str = choice("real", "original")
    """The real rules, or those of the original program."""
    samples: int = whole(200, least=1, most=2000)
    """Deals to look at."""
    seed: int = whole(0, least=0, most=2**53)
    """The same deals for the same number."""
    seconds: float = number(40.0, least=0.01, most=50)
    """What is known by then is the answer."""


def warm() -> None:
    """Compiles what the first question needs, or loads it."""
    for contract in ("party", "ulti"):
        game = asking.game_of("", contract, None, "real", free=True)
        answers.solve(game, "HA H7 / HK L8 / LA L7", Limit(nodes=1000))


@contextmanager
def about(field: str, contract: str = "contract") -> Iterator[None]:
    """Within, mistakes are told with the parameter that they are about.

    contract: the parameter of what is wrong with the game's contract.
    """
    moved = {" @ ulti.contract": f" @ request.{contract}", " @ ulti.": " @ request."}
    with problem.about(field):
        try:
            yield
        except ConfigError as wrong:
            told = list(wrong.problems)
            for game, request in moved.items():
                told = [each.replace(game, request) for each in told]
            raise ConfigError(told) from wrong


# ---- answers -----------------------------------------------------------------------------------


def deal(asked: Dealing) -> dict[str, Any]:
    """A deal at random, as `dragon ulti deal --json` prints it."""
    from dragon_ulti.record import table_of

    with about("contract"):
        game = asking.game_of("", asked.contract, asked.trump, asked.rules)
        dealt = table_of(game.start(asked.seed).record, game.setting).deal
        return objects.dealt(dealt, game.setting.trump)


def read(asked: Position) -> dict[str, Any]:
    """What a deal's text says: hands, talon, trump and contract, and the cards played."""
    from dragon_ulti.course import history
    from dragon_ulti.deal import as_json, said_trump, write_code
    from dragon_ulti.record import table_of

    with about("deal"):
        game, whole_text = _game(asked)
        told = history(evolve(game, prerequisites=False), whole_text)
        table = table_of(told.start.record, game.setting)
        opening = table.opening and not table.trick
        trump = asked.trump or said_trump(asked.deal)
        digits = SUITS.index(trump) if trump else 0
        return {
            **as_json(table.deal),
            "position": str(told.start),
            "contract": asking.contract_of(asked.deal),
            "trump": trump,
            "code": write_code(table.deal, digits) if opening else None,
            "played": [*told.played, *told.idle],
        }


def table(asked: Table) -> Iterator[dict[str, Any]]:
    """One of 31 cells after another, as `dragon ulti table --json` lists them."""
    with about("deal"):
        game = asking.game_of("", "party", None, asked.rules, not asked.prerequisites)
        position = bare(asked.deal)
        games = (evolve(game, contract=each) for each in CONTRACTS)
        asking.check_each(games, lambda each: answers.asked(each, position))
    for found in answers.table(game, asked.deal, Limit(seconds=asked.seconds)):
        yield objects.answered(found)


def solve(asked: Position) -> Iterator[dict[str, Any]]:
    """Everything about one contract as it becomes known, as `dragon ulti solve --json`."""
    return _growing(asked, answers.solving)


def cards(asked: Position) -> Iterator[dict[str, Any]]:
    """What each card leads to as it becomes known, as `dragon ulti cards --json`."""
    return _growing(asked, answers.weighing)


def _growing(asked: Position, stream: Any) -> Iterator[dict[str, Any]]:
    with about("deal"):
        game, position = _game(asked)
        answers.asked(game, position)
    found = None
    for found in stream(game, position, Limit(seconds=asked.seconds)):
        yield objects.answered(found)
    if asked.course and found is not None:
        yield objects.answered(found, objects.whole_course(found, position))


def review(asked: Position) -> Iterator[dict[str, Any]]:
    """A game that was played, from its last card back, as `dragon ulti review --json`."""
    from dragon_ulti.course import course
    from dragon_ulti.review import reviewing

    with about("deal"):
        game, position = _game(asked)
        stream = reviewing(game, position, Limit(seconds=asked.seconds))
        seen = next(stream)
    tables = course(seen.history.start, seen.history.played) if asked.course else None
    yield objects.reviewed(seen, tables, False)
    for seen in stream:
        yield objects.reviewed(seen, tables, False)


def advise(asked: Hand) -> Iterator[dict[str, Any]]:
    """What to bid on a hand, ever more surely, as `dragon ulti advise --json`."""
    from dragon_ulti.advice import advise as advice
    from dragon_ulti.stakes import common

    with about("hand", "contracts"):
        question = evolve(_question(asked), samples=asked.samples, seed=asked.seed)
        stream = advice(question)
    with about("holds"):
        known = next(stream)
    with closing(stream):
        for seen in now_and_then(_timely(known, stream, asked.seconds)):
            yield objects.advised(seen, question, common(), asked.rules, False)


def _timely(known: Any, stream: Iterator[Any], seconds: float) -> Iterator[Any]:
    """What is known and what follows, until all is known or the time is up."""
    yield known
    while not known.done and known.seconds < seconds:
        yield (known := next(stream))


def _question(asked: Hand) -> Any:
    from dragon_ulti.advice import discards_of
    from dragon_ulti.stakes import common
    from dragon_ulti.worlds import read_known

    made = (asked.rules, asked.contracts, asked.trump)
    plain = asking.question_of(asked.hand, common(), *made, marriages=asked.marriages)
    with about("holds"):
        read_known(asked.holds, plain.hand)
    with about("discard"):
        whole_question = asking.question_of(
            asked.hand, common(), *made, asked.discard, asked.holds, asked.marriages
        )
        discards_of(whole_question)
    return whole_question


def _game(asked: Position) -> tuple[Any, str]:
    """The game that is asked for, and the text of the position in it."""
    contract = asked.contract or asking.contract_of(asked.deal) or "party"
    made = asking.game_of(asked.deal, contract, asked.trump, asked.rules, not asked.prerequisites)
    position = asked.deal if asked.trump is None else bare(asked.deal)
    with about("played"):
        return made, followed(position, asked.played)


def followed(position: str, played: str) -> str:
    """The text of a position with cards played from it; raises BadNotation."""
    import json

    from dragon_ulti.deal import words
    from dragon_ulti.notation import read_cards

    more = [name(each) for each in read_cards(played, "the cards played", played)]
    if not more:
        return position
    if position.lstrip().startswith("{"):
        value = read_json(position)
        before = words(value.get("played") or [], "the cards played", position)
        return json.dumps(value | {"played": [*map(name, before), *more]})
    if any(part.split()[:1] == ["played"] for part in position.split(",")[1:]):
        *_, last = position.split(",")
        if last.split()[:1] != ["played"]:
            raise BadNotation("the deal says what was played before its end; write that last")
        return f"{position} {' '.join(more)}"
    return f"{position}, played {' '.join(more)}"
