"""Perfect play of a deal: verdicts, units, the worth of each card, lines, the table.

Within one answer all searches share a table; see `dragon_ulti.solver`.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from dragon.core import TERMINAL, Limit
from dragon.errors import BadNotation
from dragon_ulti.cards import SUITS, bare
from dragon_ulti.contracts import CONTRACTS, bid
from dragon_ulti.language import bad_notation
from dragon_ulti.record import unmet
from dragon_ulti.solver import SEARCH, VERDICT, Solver, left_of

if TYPE_CHECKING:
    from dragon import RecordState
    from dragon_ulti.game import Ulti


@frozen
class Answer:
    """The answer for one contract on one deal; None for what the limit left open."""

    game: Ulti
    state: RecordState
    searched: RecordState
    """The position as searched: of the game that counts units if they decide."""
    reason: str = ""
    """The prerequisite that is not met; empty if the contract can be played."""
    made: bool | None = None
    units: int | None = None
    """The most that the declarer can take, where points count."""
    cards: tuple[tuple[str, int | None], ...] = ()
    """Each card that may be played and its result: units, or 1 made and 0 failed."""
    line: tuple[str, ...] = ()
    """Best play by all; where the contract fails, the defenders' refutation."""
    nodes: int = 0
    seconds: float = 0.0


def check_each(games: Iterable[Ulti], read: Callable[[Ulti], object]) -> None:
    """Check that games of different contracts can all reach a position; raise BadNotation.

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
            wrong[game.bid.title] = mistake
    for contract, why in wrong.items():
        if len(wrong) == len(contracts):
            raise why
        raise bad_notation(
            "{why}. That is so of {contract}, and all contracts are asked for; ask for one "
            "that can have come so far: dragon ulti solve ... --contract C",
            why=why, contract=contract,
        )  # fmt: skip


def verdict(game: Ulti, text: str, limit: Limit | None = None) -> Answer:
    """Find only whether the contract is made."""
    state = evolve(game, objective="make").parse(text)
    with closing(Solver(limit, VERDICT)) as work:
        value = work.value(state)
        made = None if value is None else value > 0
        answer = Answer(game, state, state, unmet(state), made)
        return evolve(answer, nodes=work.nodes, seconds=work.seconds)


def solve(game: Ulti, text: str, limit: Limit | None = None, lines: bool = True) -> Answer:
    """Solve one contract: verdict, units where they count, each card, best play."""
    return deque(solving(game, text, limit, lines), maxlen=1).pop()


def cards(game: Ulti, text: str, limit: Limit | None = None) -> Answer:
    """Find the result of each card that may be played."""
    return deque(weighing(game, text, limit), maxlen=1).pop()


def weighing(game: Ulti, text: str, limit: Limit | None = None) -> Iterator[Answer]:
    """Yield the answer as it grows: one card after another, then the verdict."""
    return solving(game, text, limit, verdict=False)


def solving(
    game: Ulti, text: str, limit: Limit | None = None, lines: bool = True, verdict: bool = True
) -> Iterator[Answer]:
    """Yield the answer as it grows: nothing known, then the verdict, each card, the line."""
    answer = asked(game, text)
    if answer.reason or (answer.made is not None and not game.counted):
        yield answer
        return
    units, played, value = game.counted, answer.searched, None
    moves = tuple((move, None) for move in played.moves()) if lines else ()
    with closing(Solver(limit, SEARCH if units else VERDICT)) as work:
        answer = evolve(answer, cards=moves)
        yield answer
        if verdict:
            value = work.value(played)
            answer = _judged(work, answer, value)
            yield answer
        answer = yield from _weighed(work, answer)
        known = [worth for _, worth in answer.cards if worth is not None]
        if verdict and lines and value is not None:
            line = work.line(played)
            yield evolve(answer, line=line, nodes=work.nodes, seconds=work.seconds)
        elif not verdict and len(known) == len(moves):
            ends = max if played.turn == 0 else min
            value = ends(known) if known else work.value(played)
            yield _judged(work, answer, value if units or value is None else 2 * value - 1)


def asked(game: Ulti, text: str) -> Answer:
    """Return the answer before any search."""
    plain = evolve(game, objective="make")
    if not game.counted:
        state = played = _position(plain, text)
    else:  # which goes on when the contract is decided
        played = _position(evolve(game, objective="points"), text)
        state = plain.parse(str(played))
    reason = unmet(state)
    made = state.payoff()[0] > 0 if state.turn == TERMINAL else None
    return Answer(game, state, played, reason, made)


def _position(game: Ulti, text: str) -> RecordState:
    """Return the position of a text; where cards were played after the end, that of the end."""
    from dragon_ulti.history import played_game

    return played_game(game, text).end


def _judged(work: Solver, answer: Answer, value: int | None) -> Answer:
    """Return the answer with the verdict that a value means."""
    units, made = answer.game.counted, answer.made
    if value is not None:
        made = value >= answer.game.bid.need if units else value > 0
    known = value if units else None
    return evolve(answer, made=made, units=known, nodes=work.nodes, seconds=work.seconds)


def _weighed(work: Solver, answer: Answer) -> Generator[Answer, None, Answer]:
    """Yield the answer with the result of one card after another; return the last."""
    found, units = list(answer.cards), answer.game.counted
    for i, (move, _) in enumerate(answer.cards):
        found[i] = move, work.worth(answer.searched.after(move), units)
        answer = evolve(answer, cards=tuple(found), nodes=work.nodes, seconds=work.seconds)
        yield answer
    return answer


def best_lines(state: RecordState, limit: Limit | None = None) -> Iterator[tuple[str, ...]]:
    """Yield every line on which no card worsens the result, one after another."""
    with closing(Solver(limit)) as work:
        yield from _best_lines(work, state, work.value(state))


def _best_lines(work: Solver, state: RecordState, value: int | None) -> Iterator[tuple[str, ...]]:
    if state.turn == TERMINAL:
        yield ()
        return
    for move in state.moves():
        child = state.after(move)
        if value is not None and work.value(child) == value:
            yield from ((move, *rest) for rest in _best_lines(work, child, value))


def table(game: Ulti, text: str, limit: Limit | None = None) -> Iterator[Answer]:
    """Return the verdict of every contract with every trump: 31 cells, contract by contract.

    Marriages count in the parties if they do in `game`, a party. Raise BadNotation before the first
    for a position that not all contracts can come to.
    """
    text = bare(text)
    check_each((_cell(game, name) for name in CONTRACTS), lambda each: asked(each, text))
    return _table(game, text, limit or Limit())


def _cell(game: Ulti, contract: str, trump: str | None = None) -> Ulti:
    weds = game.marriages and bid(contract).weds
    return evolve(game, contract=contract, trump=trump, objective="make", marriages=weds)


def _table(game: Ulti, text: str, limit: Limit) -> Iterator[Answer]:
    begun = time.perf_counter()
    for contract in CONTRACTS.values():
        for trump in SUITS if contract.trump else (None,):
            cell = _cell(game, contract.name, trump)
            yield verdict(cell, text, left_of(limit, time.perf_counter() - begun))
