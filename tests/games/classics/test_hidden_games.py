"""Games with hidden information of the classics: counts that are published, and other forms."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import numpy as np
import pytest

import dragon
from dragon import TERMINAL, ConfigError, GameError
from dragon.core.search import informed
from dragon.laws.kit import unlikely
from dragon.search.equilibrium.exploit import exploited
from dragon.search.equilibrium.kernel import VARIANTS
from dragon.search.equilibrium.sequences import SequenceForm, flattened
from dragon.search.equilibrium.solution import Solution
from tests.scripted.plain_kuhn import Hand, PlainKuhn


@pytest.mark.full
def test_kuhn_by_rules_is_kuhn_by_states() -> None:
    rules, plain = flattened(dragon.game("kuhn").start()), SequenceForm(PlainKuhn().start())
    assert plain.grow()
    assert [*map(str, rules.views)] == [*map(str, plain.views)]
    for name in ("seat", "parent", "first", "moves", "nodes"):
        assert getattr(rules, name) == getattr(plain, name), name
    for name in ("leaves", "chances", "payoffs"):
        assert np.array_equal(getattr(rules, name), getattr(plain, name)), name


def test_payoffs_of_states_need_not_be_whole_units() -> None:
    class Cheap(Hand):
        def payoff(self) -> tuple[float, float]:
            gain, loss = super().payoff()
            return 0.3 * gain, 0.3 * loss

    form = flattened(Cheap())
    assert {*form.payoffs[:, 0].tolist()} == {0.3, 0.6, -0.3, -0.6}


def test_positions_of_one_seat_are_not_dealt_for_the_other() -> None:
    rng = np.random.default_rng(0)
    for text in ("K? pass", "?Q pass bet"):
        with pytest.raises(GameError, match="not all of its moves are seen"):
            dragon.game("kuhn").parse(text).determinize(rng)


def test_moves_are_drawn_in_rows() -> None:
    view = dragon.game("leduc").parse("Ks ? call raise call Kh")
    assert view.picture().splitlines() == [  # type: ignore[attr-defined]
        "chance Ks ?                 Kh", "first       call       call", "second           raise",
    ]  # fmt: skip
    svg = view.svg() or ""
    assert svg.count('height="40"') == 2 * 6  # a card, and its shadow
    assert re.findall(r'<text x="18"[^>]*>([^<]*)', svg) == ["Deal", "Player 1", "Player 2"]


def test_pictures_keep_their_size_and_leave_out_the_word_of_luck() -> None:
    found = [dragon.game("liars_dice").start(), dragon.game("liars_dice").parse("roll6 roll4 2x1")]
    svgs = [each.svg() or "" for each in found]
    assert len({re.search('viewBox="([^"]*)"', svg)[1] for svg in svgs}) == 1  # type: ignore[index]
    assert ">Roll<" in svgs[1]
    assert ">6<" in svgs[1]
    assert "roll6" not in svgs[1]


def reached(board: str, plies: int) -> set[Any]:
    """Return all that a seat can have seen and done in this number of plies of a phantom game."""
    start = dragon.game(f"phantom(board={board!r})").start()
    first = tuple(informed((), start.seen(seat)) for seat in (0, 1))
    waiting, found = [(start, first, 0)], set[Any]()
    while waiting:
        here, known, ply = waiting.pop()
        if here.turn == TERMINAL or ply > plies:
            continue
        found.add((here.turn, known[here.turn]))
        for move in here.moves() if ply < plies else ():
            after = here.after(move)
            own = [move if seat == here.turn else None for seat in (0, 1)]
            now = [informed(known[seat], after.seen(seat), own[seat]) for seat in (0, 1)]
            waiting.append((after, tuple(now), ply + 1))
    return found


@pytest.mark.full
@pytest.mark.parametrize(
    ("board", "plies", "sets"),
    [
        ("tictactoe", 3, 1 + 10 + 9 + 72 + 9), ("hex(size=2)", 9, 70),
        pytest.param("gomoku(rows=3, columns=3, line=3)", 3, 101, marks=pytest.mark.full),
        pytest.param("tictactoe", 5, 2405, marks=pytest.mark.full),
        pytest.param("hex(size=3)", 4, 317, marks=pytest.mark.full),
    ],
)  # fmt: skip
def test_the_sets_of_phantom_games(board: str, plies: int, sets: int) -> None:
    """Three plies of nine cells by hand: the start; the second seat with and without the first's
    stone; the first seat's own stone, then one that it ran into; the second seat's own stone.

    The others are the sets of OpenSpiel's dark_hex and phantom_ttt, by its observations and own
    moves; its keys count plies too.
    """
    assert len(reached(board, plies)) == sets


@pytest.mark.full
def test_dark_hex_of_two_rows_is_won_by_the_first_seat_whatever_it_sees() -> None:
    form = flattened(dragon.game("phantom(board='hex(size=2)')").start())
    solution = Solution(form, VARIANTS["predictive"])
    solution.improve(200)
    known = solution.averages()
    assert (len(form.seat), known.values[0]) == (70, pytest.approx(1.0))
    even = np.concatenate([[1.0, 1.0], *(np.full(len(m), 1 / len(m)) for m in form.moves)])
    assert exploited(form, even).nash_conv == pytest.approx(1.25)  # as OpenSpiel's nash_conv says


@pytest.mark.full
def test_sets_of_equal_views_are_told_by_what_their_seats_have_seen_and_done() -> None:
    """Compiled and interpreted, a walk finds the same sets, and names them alike."""
    start = dragon.game("phantom(board='hex(size=2)')").start()
    rules, plain = flattened(start), SequenceForm(start, compiled=False)
    assert plain.grow()
    known = [rules.information(), plain.information()]
    assert known[0] == known[1]
    assert len({*zip(rules.seat, known[0], strict=True)}) == 70 > len({*rules.views})
    for number, each in enumerate(known[0]):
        assert rules.set_of(rules.seat[number], each, rules.views[number]) == number


def test_dark_hex_by_hand() -> None:
    """X runs into b1 and puts a2 instead; O joins the left edge to the right one in the dark."""
    game = dragon.game("phantom(board='hex(size=3)')")
    state: Any = game.start()
    for move in ("a1", "b1", "b1", "a2", "b2", "a3"):
        state = state.after(move)
    assert str(state) == "XXX/OO./... O known=8,0 ply=5"
    assert str(state.seen(0)) == "XXX/O../... O known=8,0 ply=5"
    assert str(state.seen(1)) == ".../OO./... O ply=5"
    end = state.after("b3")
    assert (end.turn, end.payoff()) == (TERMINAL, (-1.0, 1.0))
    assert game.parse(str(end)) == end


@pytest.mark.full
def test_worlds_of_phantom_tic_tac_toe_are_the_positions_that_agree() -> None:
    """By brute force over the stones that are not seen, and what the other side knows."""
    game = dragon.game("phantom")
    view = game.parse("O../.X./... O known=0,16 ply=3")
    possible = []
    for cell in range(9):
        rows = [*"O../.X./..."]
        if rows[cell + cell // 3] == ".":
            rows[cell + cell // 3] = "X"
            possible += [f"{''.join(rows)} O known={known},16 ply=3" for known in (0, 1)]
    rng = np.random.default_rng(5)
    drawn = Counter(str(view.determinize(rng)) for _ in range(3000))
    assert set(drawn) == set(possible)
    assert not unlikely([drawn[each] for each in possible], [1 / len(possible)] * len(possible))


@pytest.mark.parametrize("board", ["connect4", "nim", "hex(size=9)", "nex(rows=3, cols=3)"])
def test_what_cannot_be_a_phantom_says_why(board: str) -> None:
    with pytest.raises(ConfigError, match=r"is not a game in which two .* @ phantom\.board"):
        dragon.game(f"phantom(board={board!r})")
