"""Notes: what no law forbids and is seldom meant is said, with figures; of sound games nothing."""

from __future__ import annotations

import json
import re
from typing import Any, ClassVar

import pytest
from attrs import evolve, frozen
from click.testing import CliRunner

from dragon import Board, RecordGame, Rules, Trait, rule
from dragon.bits import bit, has, popcount, u64
from dragon.cli import main
from dragon.laws import LawBroken, check_game
from dragon.laws.games import law_equal_states_are_alike
from dragon.laws.notes import correlation, notes_of, remarks_on
from dragon_classics.tictactoe import TicTacToe
from tests.laws.test_laws_can_fail import Pile, Take, made

LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
CELLS = (3, 2, 3, 2, 4, 2, 3, 2, 3)


@frozen
class Variant(TicTacToe):
    """Tic-tac-toe with some rules replaced, and perhaps a field more."""

    name = "variant"
    odd: ClassVar[dict[str, Any]] = {}
    more: ClassVar[tuple[str, ...]] = ()

    def rules(self) -> Rules:
        good = super().rules()
        fields = [("stones", "u8", (2,)), ("ply", "i8"), *((name, "i8") for name in self.more)]
        good = evolve(good, layout=fields) if self.more else good
        return evolve(good, **self.odd)


def notes(*more: str, **odd: Any) -> list[str]:
    """The notes on tic-tac-toe with these rules and fields."""
    members = {"__module__": __name__, "odd": odd, "more": more}
    return [*notes_of(type("Odd", (Variant,), members)())]


@pytest.mark.full
def test_a_game_without_deal_is_told_what_replay_is_worth() -> None:
    @rule
    def hide(s: Any, seat: Any) -> None:
        s.ply = s.ply

    (note,) = (each for each in notes(hide=hide) if "deal" in each)
    assert "not drawn by their odds, and not at all where few games fit" in note


@rule
def good_for(s: Any, seat: Any) -> Any:
    good = 0
    for line in LINES:
        own, other = popcount(line & s.stones[seat]), popcount(line & s.stones[1 - seat])
        if not other:
            good += own
        if not own:
            good -= other
    return good / 100.0


@rule
def bad_for(s: Any, seat: Any) -> Any:
    return -good_for(s, seat)


@rule
def order_good(s: Any, out: Any, n: Any, scores: Any) -> None:
    for i in range(n):
        scores[i] = CELLS[out[i]]


@rule
def order_bad(s: Any, out: Any, n: Any, scores: Any) -> None:
    for i in range(n):
        scores[i] = -CELLS[out[i]]


@rule
def first_always(s: Any, random: Any) -> Any:
    held = s.stones[0] | s.stones[1]
    cell = 0
    while has(held, cell):
        cell += 1
    return cell


@rule
def play_and_count(s: Any, cell: Any) -> None:
    s.taken += cell * s.ply
    s.stones[s.ply % 2] |= bit(cell)
    s.ply += 1


@rule
def seat_0_wins(s: Any, seat: Any) -> Any:
    return 1 if seat == 0 else -1


@rule
def nobody_wins(s: Any, seat: Any) -> Any:
    return 0


@pytest.mark.full
@pytest.mark.parametrize(
    ("more", "odd", "says"),
    [
        ((), {"evaluate": bad_for}, r"evaluate goes against the results of [\d,]+ random games"),
        ((), {"order": order_bad}, "order puts a best move last in "),
        ((), {"sample": first_always}, "sample never gives "),
        ((), {"payoff": seat_0_wins}, r"seat 0 wins each of [\d,]+ random games"),
        ((), {"payoff": nobody_wins}, r"each of [\d,]+ random games is a draw"),
        (("taken",), {"play": play_and_count}, "positions differ from another in 'taken' alone"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else "",
)  # fmt: skip
def test_what_is_seldom_meant_is_noted(more: Any, odd: Any, says: str) -> None:
    found = notes(*more, **odd)
    assert any(re.search(says, note) for note in found), found  # as many games as time allows


@pytest.mark.full
def test_of_sound_rules_nothing_is_noted() -> None:
    assert notes(evaluate=good_for, order=order_good) == []


@rule
def turn_by_taken(s: Any) -> Any:
    over = s.ply == 9 or s.taken > 1000 or good_for(s, 0) > 0.9
    return -2 if over else s.ply % 2


@pytest.mark.full
def test_a_field_that_a_rule_reads_is_not_noted() -> None:
    assert notes("taken", play=play_and_count, turn=turn_by_taken) == []


@frozen
class Pawns(RecordGame):
    """Three pawns a side step forward on nine cells, or capture diagonally."""

    name = "pawns"
    backwards: bool = False

    def rules(self) -> Rules:
        backwards = self.backwards
        board = Board(3, 3, {"stones": "WB"}, moving=True)

        @rule
        def turn(s: Any) -> Any:
            over = s.stones[0] & u64(0o007) or s.stones[1] & u64(0o700)
            return -2 if over or listed(s) == 0 else s.seat

        @rule
        def steps(s: Any, at: Any, side: Any) -> Any:
            to = at + 3 * (2 * s.seat - 1) + side
            inside = 0 <= to < 9 and 0 <= at % 3 + side < 3 and has(s.stones[s.seat], at)
            return inside and (
                has(s.stones[1 - s.seat], to) if side else not has(s.stones[0] | s.stones[1], to)
            )

        @rule
        def listed(s: Any) -> Any:
            n = 0
            for at in range(9):
                for side in (-1, 0, 1):
                    if steps(s, at, side):
                        n += 1
            return n

        @rule
        def moves(s: Any, out: Any) -> Any:
            n = 0
            for at in range(9):
                for side in (-1, 0, 1):
                    if steps(s, at, side):
                        to = at + 3 * (2 * s.seat - 1) + side
                        out[n] = to * 9 + at if backwards else at * 9 + to
                        n += 1
            return n

        @rule
        def play(s: Any, move: Any) -> None:
            at, to = move // 9, move % 9
            if backwards:
                at, to = to, at
            s.stones[s.seat] = s.stones[s.seat] & ~bit(at) | bit(to)
            s.stones[1 - s.seat] &= ~bit(to)
            s.seat = 1 - s.seat

        @rule
        def payoff(s: Any, seat: Any) -> Any:
            return 1 if s.seat != seat else -1

        return Rules(board.layout, moves, play, turn, payoff, width=9, plies=12, notation=board)

    def setup(self, record: Any) -> None:
        record.stones[:] = u64(0o700), u64(0o007)


@pytest.mark.full
def test_moves_that_are_written_backwards_are_noted() -> None:
    (note,) = notes_of(Pawns(backwards=True))
    assert "moves are written from an empty cell" in note
    assert [*notes_of(Pawns())] == []
    assert [v.message for v in check_game(Pawns()) if not v.passed] == []


class Alone(Pile):
    """A game in which only seat 0 moves."""

    def after(self, move: Any) -> Any:
        return type(self)(super().after(move).left, 0)


class Timid(Pile):
    """An evaluation in plain Python, with the wrong sign."""

    def evaluate(self, seat: int) -> float:
        mine = 1 if seat == self.mover else -1
        return -mine * (0.5 if self.left % 3 else -0.5)


@pytest.mark.full
def test_games_in_plain_python_are_noted_too() -> None:
    alone = made("TakeAlone", Take, state=Alone)(pile=20)
    assert any("seat 1 never moves in 2,000 random games" in note for note in notes_of(alone))
    timid = made("TakeTimid", Take, state=Timid)(pile=20)
    assert any("evaluate goes against" in note for note in notes_of(timid))
    dice = type("TakeOfChance", (Take,), {"traits": frozenset({Trait.DUEL, Trait.CHANCE})})(20)
    assert any("the trait CHANCE is given" in note for note in notes_of(dice))
    nothing = type("TakeOfNothing", (Take,), {"traits": frozenset()})(20)
    assert any("DUEL is not given" in note for note in notes_of(nothing))
    assert [*notes_of(Take(20))] == []


class FailsOnce(Pile):
    """One state in forty cannot say its moves."""

    def moves(self) -> tuple[Any, ...]:
        return Pile.moves(self)[3 if (self.left, self.mover) == (19, 1) else 0 :] or self.fail()

    def fail(self) -> tuple[Any, ...]:
        return () if not self.left else (1 // 0,)


def test_an_error_in_one_state_is_told() -> None:
    game = made("TakeFailsOnce", Take, state=FailsOnce)(pile=20)
    with pytest.raises(LawBroken, match="ZeroDivisionError"):
        law_equal_states_are_alike(game)


def test_the_rank_correlation_is_spearmans() -> None:
    assert correlation([1, 2, 3, 4], [10, 20, 40, 30]) == pytest.approx(0.8)
    assert correlation([1, 1, 2], [1, 2, 3]) == pytest.approx(0.866025404)
    assert correlation([1, 1], [1, 2]) == correlation([], []) == 0


@pytest.mark.full
def test_it_is_said_how_much_was_visited() -> None:
    assert (remarks_on(Take(20)).states, remarks_on(Take(20)).whole) == (40, True)
    ran = CliRunner().invoke(main, ["laws", "tictactoe", "--search", "random", "--json"])
    assert ran.exit_code == 0
    assert "0 broken; all 5,478 states were visited" in ran.output
    lines = [json.loads(line) for line in ran.output.splitlines() if line.startswith("{")]
    assert all({"law", "passed"} <= line.keys() for line in lines if "portrait" not in line)


def games_of(arguments: list[str]) -> set[str]:
    """The games on which `dragon laws` tries its laws."""
    ran = CliRunner().invoke(main, ["laws", *arguments, "--search", "random", "--json"])
    assert ran.exit_code == 0, ran.output
    return {json.loads(line)["game"] for line in ran.output.splitlines() if line.startswith("{")}


@pytest.mark.full
def test_the_laws_of_small_games_are_tried_on_a_smaller_one() -> None:
    law = ["--law", "law_bounds_hold_the_value"]
    asked = ["nim(pile=30)", "--small", "nim(pile=5)", *law]
    assert games_of(asked) == {"nim(pile=30)", "nim(pile=5)"}
    assert games_of(["hex(size=4)", *law]) == {"hex(size=4)", "hex(size=3)"}
    assert games_of(["hex(size=3)", *law]) == {"hex(size=3)"}


@pytest.mark.full
def test_a_note_is_an_object_and_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    from dragon.laws import apart
    from dragon.laws.notes import Remarks

    monkeypatch.setattr(apart, "_remarks", lambda *_: Remarks(("it is odd",), 3, False))
    shown = CliRunner().invoke(main, ["laws", "nim", "--search", "random"])
    assert shown.exit_code == 0
    assert "note    it is odd" in shown.output
    assert "; the first 3 states were visited" in shown.output
    spoken = CliRunner().invoke(main, ["laws", "nim", "--search", "random", "--json"])
    assert '{"game": "nim", "note": "it is odd"}' in spoken.output
