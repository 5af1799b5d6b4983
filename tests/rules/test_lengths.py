"""Rules are given arrays of the lengths that the contract states, by everything that calls them.

The rules below use `len` and fill the whole of what they are given. Where a length is another than
the contract says they raise, and so each search and each command tells it in every mode.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from attrs import evolve

import dragon
from dragon import CHANCE, TERMINAL, Limit, RecordGame, Rules, Trait, frozen, rule
from dragon.bits import Random, draw
from dragon.certificate import Proof
from dragon.commands.profile import measured
from dragon.core import Bound
from dragon.laws import check_game
from dragon.modes import CHECKED, JIT
from dragon.rules.perft import perft
from dragon.rules.playout import playouts
from dragon.search.dfpn.search import certify
from dragon.search.retrograde.making import Maker

pytestmark = pytest.mark.samples(1)

WIDTH, PILE = 7, 9
"""No state has more than three moves: so `n` is never the width."""
KINDS = {"duel": {Trait.DUEL}, "luck": {Trait.DUEL, Trait.CHANCE}, "solo": {Trait.SOLO}}


@rule
def fill(out, n, length):
    """Raise where `out` does not have this length; else write all of it, from the n-th on."""
    if len(out) != length:
        raise ValueError("the array has another length than the contract says")
    for i in range(n, len(out)):
        out[i] = -1 - i


@frozen
class Heap(RecordGame):
    """Take one, two or three of a heap. The last wins; by luck, a die may take one more."""

    name = "heap"
    kind: str = "duel"

    @property
    def traits(self) -> frozenset[Trait]:
        return frozenset(KINDS[self.kind])

    @property
    def teams(self) -> tuple[int, ...]:  # type: ignore[override]
        return (0,) if self.kind == "solo" else (0, 1)

    def rules(self) -> Rules:
        luck, solo = self.kind == "luck", self.kind == "solo"

        @rule
        def turn(s):
            if s.left == 0:
                return TERMINAL
            return CHANCE if s.rolls else 0 if solo else s.seat

        @rule
        def moves(s, out):
            n = min(s.left + 1, 2) if s.rolls else min(s.left, 3)
            fill(out, n, WIDTH)
            for i in range(n):
                out[i] = i if s.rolls else i + 1
            return n

        @rule
        def play(s, move):
            s.left -= move
            s.made += 1
            if s.rolls:
                s.rolls = 0
            else:
                s.seat = 1 - s.seat
                s.rolls = luck and s.left > 0

        @rule
        def payoff(s, seat):
            if solo:
                return -s.made
            return 1 if seat != s.seat else -1

        @rule
        def order(s, out, n, scores):
            fill(out, n, n)
            fill(scores, n, n)
            for i in range(len(scores)):
                scores[i] = out[i] if (s.left - out[i]) % 4 else 9

        @rule
        def prior(s, out, n, scores):
            fill(out, n, n)
            if len(scores) != n:
                raise ValueError("scores have another length than the contract says")
            for i in range(len(scores)):
                scores[i] = float(out[i])

        @rule
        def reduce(s, out, n):
            fill(out, n, n)
            return n

        @rule
        def noisy(s, out):
            fill(out, 0, WIDTH)
            out[0] = min(s.left, 3)
            return 1 if s.left <= 3 else 0

        @rule
        def odds(s, out):
            n = min(s.left + 1, 2)
            if len(out) != n:
                raise ValueError("the odds have another length than the contract says")
            out[:] = 1.0 / len(out)

        @rule
        def sample(s, random):
            if len(random) != 1:
                raise ValueError("the generator has another length than the contract says")
            n = min(s.left + 1, 2) if s.rolls else min(s.left, 3)
            return draw(random, n) + (0 if s.rolls else 1)

        @rule
        def evaluate(s, seat):
            sign = 1.0 if seat == s.seat else -1.0
            return sign * (0.5 if s.left % 4 else -0.5)

        @rule
        def solved(s, tablebase):
            if len(tablebase) not in (0, PILE + 1):  # in first games none is opened
                raise ValueError("the tablebase has another length than it was given with")
            return 0, -1

        @rule
        def rank(s):
            return s.left

        @rule
        def unrank(s, number):
            s.left = number
            s.seat = 0
            return 0

        @rule
        def before(s, out):
            n = min(3, PILE - s.left)
            fill(out, n, 2 * WIDTH)
            for i in range(n):
                out[i] = s.left + 1 + i
            return n

        found = Rules(
            [("left", "i8"), ("seat", "i8"), ("rolls", "i8"), ("made", "i8")],
            moves, play, turn, payoff, width=WIDTH, plies=2 * PILE, order=order, reduce=reduce,
            sample=sample, largest=2 * PILE if solo else 1,
        )  # fmt: skip
        if solo:
            return found
        found = evolve(found, prior=prior, evaluate=evaluate, noisy=noisy)
        if luck:
            return evolve(found, odds=odds)
        return evolve(
            found, solved=solved, tablebase=lambda: np.zeros(PILE + 1, np.uint8),
            rank=rank, unrank=unrank, before=before, ranks=PILE + 1,
        )  # fmt: skip

    def setup(self, record: Any) -> None:
        record.left = PILE


GAMES = {kind: Heap(kind) for kind in KINDS}
SEARCHES = {
    "alphabeta": ["", "solved=true, null=false", "driver='mtdf', deepening=true",
                  "chance='expectimax'", "quiescence=0, late=false, futility=0"],
    "dfpn": ["solved=true", "history=false"],
    "mcts": ["", "style='grave'", "style='puct'", "style='strong'", "solved=true",
             "playout='nst', decisive=true", "reduce_playouts=true",
             "selection='puct', fpu=0.5, cut=2, minimax=0.5"],
    "nmcs": ["levels=1"],
}  # fmt: skip
"""Settings that ask rules in other places; other searches have one such place."""


def cases() -> list[Any]:
    """Each search with each game that it supports."""
    found = []
    for name in sorted(dragon.searches()):
        for settings in SEARCHES.get(name, [""]):
            try:
                search = dragon.search(f"{name}({settings})")
            except dragon.ConfigError:  # it cannot do without some settings
                continue
            for kind, game in GAMES.items():
                if search.objection(game) is None:
                    found.append(pytest.param(search, game, id=f"{name}({settings})-{kind}"))
    return found


MODES = ("compiled", "checked", "interpreted")


@contextmanager
def running(mode: str) -> Iterator[None]:
    """Rules run in one of MODES within."""
    with JIT.under(str(+(mode != "interpreted"))), CHECKED.under(str(+(mode == "checked"))):
        yield


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("search", "game"), cases())
def test_searches_give_rules_what_the_contract_says(search: Any, game: Heap, mode: str) -> None:
    with running(mode):
        result = search.best(game.start(), Limit(nodes=300, seconds=5))
    if result.bound is Bound.EXACT and game.kind == "duel":
        assert result.value == 1.0


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", KINDS)
def test_so_do_counts_playouts_and_states(kind: str, mode: str) -> None:
    state = GAMES[kind].start()
    with running(mode):
        assert perft(state, 4) == len(paths(state, 4))
        assert playouts(state, 20, Random(1)).count == 20
        assert len(state.distinct()) == len(state.moves())
        noisy = state.noisy()
        assert noisy is not None
        assert state.prior(state.moves()) is None or len(state.order(state.moves()) or ()) == 3


def paths(state: Any, depth: int) -> list[Any]:
    """The states that so many moves lead to, each way for itself."""
    if depth == 0:
        return [state]
    return [end for move in state.moves() for end in paths(state.after(move), depth - 1)]


@pytest.mark.full
@pytest.mark.parametrize("kind", KINDS)
def test_so_do_profiles_and_laws(kind: str) -> None:
    assert measured(GAMES[kind], 0.01).rows
    assert [verdict for verdict in check_game(GAMES[kind]) if not verdict.passed] == []


@pytest.mark.full
@pytest.mark.parametrize("mode", ["compiled", "checked"])
@pytest.mark.parametrize("ranked", [True, False])
def test_so_do_tables_and_proofs(ranked: bool, mode: str) -> None:
    game = GAMES["duel"]
    with running(mode):
        maker = Maker(game.start(), 10, listed=not ranked)
        table = maker.make()
        assert maker.verify(table) is None
        assert table.ask(game.start()).value == 1.0
        assert isinstance(certify(game, game.start(), Bound.LOWER, 1), Proof)
