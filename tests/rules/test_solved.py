"""Knowledge of a game itself: the rule `solved`, its tablebase, and searches that ask them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest
from attrs import frozen

import dragon
from dragon import Bound, Position, RecordGame, Rules, State, Trait, rule
from dragon.bits import Random
from dragon.laws import LawBroken, check_search
from dragon.laws.compiled import law_compiled_options_agree
from dragon.laws.whole import law_what_is_solved_is_true
from dragon.rules.playout import step
from dragon_nex.board import Board
from dragon_nex.table import lookup
from dragon_nex.table.files import Folder, Kind
from dragon_nex.table.lookup import making, tablebase

PILE = 40


@rule
def turn(s):
    return s.seat if s.left else dragon.TERMINAL


@rule
def moves(s, out):
    n = min(3, s.left)
    for i in range(n):
        out[i] = i + 1
    return n


@rule
def play(s, move):
    s.left -= move
    s.seat = 1 - s.seat


@rule
def payoff(s, seat):
    return 1 if s.seat != seat else -1


@rule
def solved(s, tablebase):
    """A byte for each number left: the plies to the end, odd if the mover wins."""
    if s.left >= len(tablebase):
        return 0, -1
    plies = np.int64(tablebase[s.left])
    return (1 - 2 * s.seat) * (1 if plies & 1 else -1), plies


def worked_out(most: int) -> Any:
    """uint8[most + 1]: the plies to the end when the winner hurries and the loser delays."""
    plies = [0]
    for left in range(1, most + 1):
        answers = plies[max(0, left - 3) : left]
        lost = [n for n in answers if n % 2 == 0]
        plies.append(1 + (min(lost) if lost else max(answers)))
    return np.array(plies, np.uint8)


@frozen
class Heap(RecordGame):
    """Nim of one pile, whose end is in a tablebase."""

    name = "heap"
    known: int = 20
    """Up to so many left."""

    @property
    def traits(self) -> frozenset[Trait]:
        return frozenset({Trait.DUEL})

    def setup(self, record: Any) -> None:
        record.left = PILE

    def rules(self) -> Rules:
        return Rules(
            [("left", "i8"), ("seat", "i8")],
            moves, play, turn, payoff, width=3, plies=PILE,
            solved=solved, tablebase=lambda: worked_out(self.known),
        )  # fmt: skip


@frozen
class Pile(State[int]):
    """A game without rules: the upper half of a pile is to be searched."""

    left: int = PILE
    seat: int = 0

    @property
    def turn(self) -> int:
        return self.seat if self.left else dragon.TERMINAL

    def moves(self) -> tuple[int, ...]:
        return tuple(range(1, min(3, self.left) + 1))

    def after(self, move: int) -> Pile:
        return Pile(self.left - move, 1 - self.seat)

    def payoff(self) -> tuple[float, ...]:
        won = 1.0 if self.seat == 1 else -1.0
        return won, -won

    def solved(self) -> tuple[float, int] | None:
        if self.left > 20:
            return None
        plies = int(worked_out(20)[self.left])
        return (1 if plies % 2 else -1) * (1 - 2 * self.seat), plies


@pytest.mark.full
def test_a_tablebase_shortens_the_search_and_changes_no_answer() -> None:
    start = Heap().start()
    whole = dragon.search("alphabeta").best(start)
    for text in ("alphabeta(solved=true)", "alphabeta(solved=true, deepening=false)"):
        found = dragon.search(text).best(start)
        assert (found.value, found.bound) == (whole.value, whole.bound) == (-1, Bound.EXACT)
        assert found.extra["distance"] == whole.extra["distance"]
    counts = [
        dragon.search(f"alphabeta(solved={on}, deepening=false)").best(game.start()).nodes
        for game in (Heap(known=0), Heap())  # of the first nothing is known but the end
        for on in ("false", "true")
    ]
    assert counts[0] == counts[1] == counts[2] > 1.5 * counts[3]


def test_states_without_rules_may_know_as_much() -> None:
    found = dragon.search("alphabeta(solved=true)").best(Pile())
    ruled = dragon.search("alphabeta(solved=true)").best(Heap().start())
    assert (found.value, found.extra["distance"]) == (ruled.value, ruled.extra["distance"])
    assert dragon.search("mcts(solved=true)").best(Pile(left=24)).bound is Bound.EXACT


@pytest.mark.full
@pytest.mark.parametrize("text", ["alphabeta(solved=true)", "mcts(solved=true, megabytes=1)"])
@pytest.mark.parametrize("game", [Heap(), "nex(rows=3, cols=3)"])
def test_kernels_agree_with_plain_python_and_claims_are_true(text: str, game: Any) -> None:
    game = dragon.game(game) if isinstance(game, str) else game
    verdicts = list(check_search(dragon.search(text), game))
    assert not [v for v in verdicts if not v.passed]


@pytest.mark.full
@pytest.mark.parametrize("spec", ["nex(rows=3, cols=3)", "nex(rows=2, cols=3, swap=true)"])
def test_what_nex_knows_is_true(spec: str) -> None:
    for seed in range(4):
        law_what_is_solved_is_true(dragon.game(spec), seed=seed)
        law_compiled_options_agree(dragon.game(spec), seed=seed)


@pytest.mark.full
def test_what_is_known_wrongly_is_told() -> None:
    wrong = attrs.evolve(Heap().rules(), tablebase=lambda: worked_out(20) + 1)

    class Liar(Heap):
        def rules(self) -> Rules:
            return wrong

    with pytest.raises(LawBroken, match="solved"):
        law_what_is_solved_is_true(Liar())


@pytest.mark.full
def test_searches_end_at_once_where_there_is_a_table() -> None:
    start = dragon.game("nex(rows=3, cols=3)").start()
    perfect = dragon.search("nextable").best(start)
    found = dragon.search("alphabeta(solved=true)").best(start)
    assert (found.value, found.bound, found.nodes) == (perfect.value, Bound.EXACT, 73)
    assert found.extra["distance"] == perfect.extra["distance"]
    proved = dragon.search("mcts(solved=true)").best(start)
    assert (proved.value, proved.bound) == (perfect.value, Bound.EXACT)
    assert proved.extra["simulations"] <= 72


def test_a_proven_position_is_no_move_when_the_game_comes_to_it() -> None:
    """The tree of the last move ends there; at the next it begins again, and plays what wins."""
    run = dragon.search("mcts(solved=true)").open()
    state = dragon.game("nex(rows=3, cols=3)").parse("B../?../... W").after("Wb2?c3")
    while state.turn != dragon.TERMINAL:
        perfect = dragon.search("nextable").best(state)
        result = run.best(Position(state))
        assert result.bound is Bound.EXACT
        assert result.move in perfect.extra["optimal"]
        state = state.after(result.move)


@pytest.mark.full
def test_values_without_distances_serve_where_sooner_is_no_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DRAGON_DATA", str(tmp_path))
    lookup.table.cache_clear()
    try:
        for _ in making(Folder.open(Kind(3, 3)), workers=1):
            pass
        assert len(tablebase(Board(3, 3))) == Kind(3, 3).size
        start = dragon.game("nex(rows=3, cols=3)").start()
        for text in ("alphabeta(solved=true, sooner=false)", "alphabeta(solved=true)"):
            assert dragon.search(text).best(start).value == 1
        nodes = [
            dragon.search(f"alphabeta(solved=true, sooner={on})").best(start).nodes
            for on in ("false", "true")
        ]
        assert nodes[0] == 2 < nodes[1]
        assert not len(tablebase(Board(4, 4)))  # not made, so nothing is known and nothing is said
    finally:
        lookup.table.cache_clear()


@pytest.mark.full
@pytest.mark.parametrize("spec", ["nex(rows=3, cols=3)", "hex(size=3)"])
def test_playouts_of_reduced_moves_agree_with_plain_python(spec: str) -> None:
    verdicts = list(
        check_search(dragon.search("mcts(reduce_playouts=true, megabytes=1)"), dragon.game(spec))
    )
    assert not [v for v in verdicts if not v.passed]


def test_a_playout_of_reduced_moves_sees_a_win_in_one() -> None:
    state = dragon.game("nex(rows=3, cols=3)").parse("BW./B.?/.W? B")  # c1 joins
    ends = [step(state, Random(seed), reduced=True).turn for seed in range(20)]
    assert set(ends) == {dragon.TERMINAL}
    assert {step(state, Random(seed)).turn for seed in range(20)} == {dragon.TERMINAL, 1}
