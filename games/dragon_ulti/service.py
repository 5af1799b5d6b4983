"""The page's questions to the server, and the answers: the objects of `dragon ulti ... --json`."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import chain
from typing import Any

from attrs import evolve, frozen

from dragon.core import Limit
from dragon.errors import ConfigError
from dragon.page import choice, flag, number, text, texts, whole
from dragon.web import problem
from dragon.web.throttle import throttled
from dragon_ulti import answers, objects, request
from dragon_ulti.cards import (
    SUITS,
    as_json,
    name,
    read_cards,
    read_json,
    said_trump,
    suit,
    write_code,
)
from dragon_ulti.language import LANGUAGES, SPOKEN, bad_notation, tr
from dragon_ulti.question import Question, all_cells, discards_of, read_discard, read_hand
from dragon_ulti.request import ready_deals
from dragon_ulti.stakes import common
from dragon_ulti.worlds import read_known

LONGEST = 2000
"""Letters of a deal; one in JSON with every card played has half of them."""
CONTRACT = 160
"""Letters of several contracts at once."""


@frozen
class Dealing:
    """A deal at random."""

    seed: int = whole(0, least=0, most=2**53)
    """The seed: a number always gives the same deal."""
    contract: str = text("party", longest=CONTRACT)
    """A deal on which it can be bid; several are joined with `+`."""
    trump: str | None = text(None, longest=10)
    """H, L, A or B; hearts by default."""
    rules: str = choice("real", "original")
    """The real rules, or those of the original program."""
    language: str = choice(*LANGUAGES)
    """The language of all sentences, of refusals too: English or Hungarian."""


@frozen
class Spoken:
    """The language of texts and messages."""

    language: str = choice(*LANGUAGES)
    """English or Hungarian."""


@frozen
class Table:
    """A deal, and what may be played on it."""

    deal: str = text(longest=LONGEST)
    """Three hands and perhaps the talon, the 61 digits of a link, the link, or JSON."""
    rules: str = choice("real", "original")
    """The real rules, or those of the original program."""
    prerequisites: bool = flag(True)
    """A deal without what a contract requires is lost; false sets that aside."""
    marriages: bool = flag(True)
    """Count marriages in parties, under the real rules; the original program's have none."""
    seconds: float = number(30.0, least=0.01, most=50)
    """The time limit; questions that are not answered by then stay open."""
    language: str = choice(*LANGUAGES)
    """The language of all sentences, of refusals too: English or Hungarian."""


@frozen
class Position(Table):
    """A deal, a contract, and what has been played."""

    contract: str | None = text(None, longest=CONTRACT)
    """That of the deal, or a party; several are joined with `+`."""
    trump: str | None = text(None, longest=10)
    """H, L, A or B; that of the deal, or hearts."""
    played: str = text("", longest=120)
    """Cards that are played from there, `HA H7 LX`."""
    course: bool = flag(True)
    """Tell who played what, who took the tricks, and when each card went, at the end."""


@frozen
class Hand:
    """A hand of the declarer, and what is known besides."""

    hand: str = text(longest=120)
    """Ten cards, or twelve before two are discarded."""
    contracts: tuple[str, ...] = texts(most=10, longest=CONTRACT)
    """Contracts, or several at once joined with `+`; all ten by default."""
    trump: str | None = text(None, longest=10)
    """H, L, A or B: this trump alone."""
    discard: str | None = text(None, longest=20)
    """Discard these two of twelve cards, instead of the best."""
    holds: str = text("", longest=300)
    """The known cards of the defenders: `1: HA, 2: not L`."""
    marriages: bool = flag(True)
    """Count marriages in parties, under the real rules; the original program's have none."""
    rules: str = choice("real", "original")
    """The real rules, or those of the original program."""
    samples: int = whole(200, least=1, most=2000)
    """Deals to look at."""
    seed: int = whole(0, least=0, most=2**53)
    """The seed: a number always gives the same deals."""
    seconds: float = number(40.0, least=0.01, most=50)
    """The time limit; what is known by then is the answer."""
    closed: int = whole(0, least=0, most=500)
    """The number of these deals in which the best bid is then played closed, in as much time."""
    language: str = choice(*LANGUAGES)
    """The language of all sentences, of refusals too: English or Hungarian."""


@frozen
class Cards:
    """Cards as people write them."""

    hand: str = text(longest=400)
    """Cards in either language: `HA HK`, `P:A,K`, `piros ász`."""
    language: str = choice(*LANGUAGES)
    """English or Hungarian, of what is refused."""


def warm() -> None:
    """Compile or load what the first question needs."""
    for contract in ("party", "ulti"):
        game = request.game_of("", contract, None, "real", free=True)
        answers.solve(game, "HA H7 / HK L8 / LA L7", Limit(nodes=1000))


@contextmanager
def about(field: str, contract: str = "contract") -> Iterator[None]:
    """Report mistakes within with the parameter that they are about.

    contract: the parameter of what is wrong with the game's contract.
    """
    moved = {" @ ulti.contract": f" @ request.{contract}", " @ ulti.": " @ request."}
    with problem.about(field):
        try:
            yield
        except ConfigError as wrong:
            problems = list(wrong.problems)
            for game, request in moved.items():
                problems = [each.replace(game, request) for each in problems]
            raise ConfigError(problems) from wrong


# ---- answers -----------------------------------------------------------------------------------


def deal(asked: Dealing) -> dict[str, Any]:
    """Return a deal at random, as `dragon ulti deal --json` prints it."""
    SPOKEN.set(asked.language)
    with about("contract"):
        game = request.game_of("", asked.contract, asked.trump, asked.rules)
        return objects.dealt(game.start(asked.seed))


def deals(asked: Spoken) -> dict[str, Any]:
    """Return the ready-made deals, with what to play on each."""
    SPOKEN.set(asked.language)
    keys = "name", "kind", "title", "contract", "trump", "code"
    found = ready_deals().values()
    return {"deals": [{k: getattr(x, k) for k in keys} | {"about": x.remark} for x in found]}


def read(asked: Position) -> dict[str, Any]:
    """Read a deal's text: hands, talon, trump, contract, and the cards played."""
    from dragon_ulti.history import played_game
    from dragon_ulti.record import table_of

    SPOKEN.set(asked.language)
    with about("deal"):
        game, whole_text = _game(asked)
        found = played_game(evolve(game, prerequisites=False), whole_text)
        table = table_of(found.start.record, game.setting)
        opening = table.opening and not table.trick
        named = asked.trump or said_trump(asked.deal)
        trump = SUITS[suit(named)] if named else None
        digits = SUITS.index(trump) if trump else 0
        return {
            **as_json(table.deal),
            "position": str(found.start),
            "contract": request.contract_of(asked.deal),
            "trump": trump,
            "code": write_code(table.deal, digits) if opening else None,
            "played": [*found.played, *found.idle],
        }


def hand(asked: Cards) -> dict[str, Any]:
    """Read cards: their names, in the order in which they are written."""
    SPOKEN.set(asked.language)
    with about("hand"):
        return {"cards": [name(each) for each in read_cards(asked.hand, tr("a hand"), asked.hand)]}


def table(asked: Table) -> Iterator[dict[str, Any]]:
    """Every contract with every trump: 31 objects as `dragon ulti table --json`."""
    SPOKEN.set(asked.language)
    with about("deal"):
        free, weds = not asked.prerequisites, _weds(asked)
        game = request.game_of("", "party", None, asked.rules, free, weds)
        stream = answers.table(game, asked.deal, Limit(seconds=asked.seconds))
    yield from map(objects.answered, stream)


def solve(asked: Position) -> Iterator[dict[str, Any]]:
    """Verdict, units, cards and line of a contract as `dragon ulti solve --json`."""
    return _growing(asked, answers.solving)


def cards(asked: Position) -> Iterator[dict[str, Any]]:
    """Yield the result of each card at any point, as `dragon ulti cards --json`."""
    return _growing(asked, answers.weighing)


def _growing(asked: Position, stream: Any) -> Iterator[dict[str, Any]]:
    SPOKEN.set(asked.language)
    with about("deal"):
        game, position = _game(asked)
        answers.asked(game, position)
    found = None
    for found in stream(game, position, Limit(seconds=asked.seconds)):
        yield objects.answered(found)
    if asked.course and found is not None:
        yield objects.answered(found, objects.whole_history(found, position))


def review(asked: Position) -> Iterator[dict[str, Any]]:
    """Yield a played game with its mistakes, as `dragon ulti review --json`."""
    from dragon_ulti.review import reviewing

    SPOKEN.set(asked.language)
    with about("deal"):
        game, position = _game(asked)
        stream = reviewing(game, position, Limit(seconds=asked.seconds))
        seen = next(stream)
    tables = seen.course if asked.course else None
    for each in chain([seen], stream):
        yield objects.reviewed(each, tables, False)


def advise(asked: Hand) -> Iterator[dict[str, Any]]:
    """Yield advice for bidding on a hand, as `dragon ulti advise --json`, also with `--closed`."""
    from dragon_ulti.advice import advise as advice
    from dragon_ulti.advice import play_closed

    SPOKEN.set(asked.language)
    with about("hand", "contracts"):
        question = _question(asked)
        stream = advice(question)
    with about("holds"):
        known = next(stream)
    with closing(stream):
        for seen in throttled(_timely(known, stream, asked.seconds)):
            yield (found := objects.advised(seen, question, common(), asked.rules, False))
    if asked.closed and seen.ranking():
        with closing(play_closed(seen, question, asked.closed)) as games:
            for closed in throttled(_within(games, asked.seconds)):
                yield found | {"closed": objects.played(closed)}


def _timely(known: Any, stream: Iterator[Any], seconds: float) -> Iterator[Any]:
    """Yield the answer so far, again and again, until it is complete or the time is up."""
    yield known
    while not known.done and known.seconds < seconds:
        yield (known := next(stream))


def _within(games: Iterator[Any], seconds: float) -> Iterator[Any]:
    """Yield games until the time is up, which begins with the first: compiling comes before."""
    until = float("inf")
    for game in games:
        yield game
        now = time.monotonic()
        until = min(until, now + seconds)
        if now >= until:
            return


def _question(asked: Hand) -> Question:
    own = read_hand(asked.hand)
    cells = all_cells(asked.rules, None, asked.trump, asked.contracts, _weds(asked), own)
    with about("holds"):
        known = read_known(asked.holds, own)
    with about("discard"):
        laid = read_discard(asked.discard)
        question = Question(own, cells, known, laid, asked.samples, asked.seed)
        discards_of(question)
    return question


def _weds(asked: Table | Hand) -> bool | None:
    """Return False where marriages are left out; None leaves it to the rules."""
    return None if asked.marriages else False


def _game(asked: Position) -> tuple[Any, str]:
    """Return the game that is asked for, and the text of the position in it."""
    words = asked.contract, asked.trump, asked.rules, not asked.prerequisites
    made, position = request.asked(asked.deal, *words, _weds(asked))
    with about("played"):
        return made, followed(position, asked.played)


def followed(position: str, played: str) -> str:
    """Return the text of a position with cards played from it; raise BadNotation."""
    more = [name(each) for each in read_cards(played, tr("the cards played"), played)]
    if not more:
        return position
    if position.lstrip().startswith("{"):
        value = read_json(position)
        before = read_cards(value.get("played") or [], tr("the cards played"), position)
        return json.dumps(value | {"played": [*map(name, before), *more]})
    if any(part.split()[:1] == ["played"] for part in position.split(",")[1:]):
        *_, last = position.split(",")
        if last.split()[:1] != ["played"]:
            raise bad_notation("the deal says what was played before its end; write that last")
        return f"{position} {' '.join(more)}"
    return f"{position}, played {' '.join(more)}"
