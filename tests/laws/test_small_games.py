"""Small games, every state of which is visited: rare faults, and claims against exact worths."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import pytest
from attrs import evolve, frozen

import dragon
from dragon import TERMINAL, Bound, Game, Limit, RecordGame, Rules, State, Trait, rule
from dragon.bits import bit, u64
from dragon.laws import WHOLE_LAWS, LawBroken, check_game
from dragon.laws.games import law_traits_tell_the_truth
from dragon.laws.whole import coverage, law_bounds_hold_the_value, suspects, whole
from dragon.modes import JIT
from dragon_boards.breakthrough import Breakthrough
from dragon_classics.tictactoe import TicTacToe
from dragon_puzzles.sliding import Sliding
from tests.scripted.plain_kuhn import PlainKuhn


@frozen
class Changed(TicTacToe):
    """Tic-tac-toe with some rules replaced."""

    name = "changed"
    odd: ClassVar[dict[str, Any]] = {}

    def rules(self) -> Rules:
        return evolve(super().rules(), **self.odd)


def changed(**odd: Any) -> Game[Any]:
    """The game with these rules."""
    return type("Changed", (Changed,), {"__module__": __name__, "odd": odd})()


PLAY = TicTacToe().rules().play
WON = u64(0b111)


@rule
def loses_a_stone(s: Any, cell: Any) -> None:
    s.stones[s.ply % 2] |= bit(cell)
    s.ply += 1
    if s.stones[0] == u64(0b100100010) and s.stones[1] == u64(0b011000001):  # 1 of 5,478 states
        s.stones[0] = u64(0b100100000)


@rule
def goes_out_of_bounds(s: Any, cell: Any) -> None:
    s.stones[s.ply % 2] |= bit(cell)
    s.ply += 1
    if s.stones[0] == u64(0b100100010) and s.stones[1] == u64(0b011000001):
        s.stones[s.ply] = u64(0)


@rule
def too_sure_at_first(s: Any) -> Any:
    if s.ply == 3:
        return 0, 1
    return -1, 1


@rule
def knows_the_second_ply(s: Any, tablebase: Any) -> Any:
    if s.ply == 1 and s.stones[0] == bit(8):
        return 1, 0
    return 0, -1


@rule
def key_of_few(s: Any) -> Any:
    if s.ply == 1:
        return u64(77)
    if s.ply == 3 and s.stones[0] == u64(0b11) and s.stones[1] == u64(0b1000):
        return u64(77)
    return u64(0)


@rule
def reduce_early(s: Any, out: Any, n: Any) -> Any:
    return 1 if s.ply == 3 else n


@rule
def sure_of_one(s: Any, seat: Any) -> Any:
    if s.stones[0] == u64(0b100100010) and s.stones[1] == u64(0b011000001):
        return 1.0 - 2.0 * seat
    return 0.0


def broken(game: Game[Any]) -> dict[str, str]:
    """The laws that a game breaks, and what they say."""
    return {v.law: v.message for v in check_game(game) if not v.passed}


@pytest.mark.samples("-law_rules_keep_their_contract-0")
@pytest.mark.parametrize(
    ("odd", "law", "says"),
    [
        ({"play": loses_a_stone}, "law_positions_read_back", ""),
        ({"play": goes_out_of_bounds}, "law_rules_keep_their_contract", "rule 'play': IndexError"),
        ({"evaluate": sure_of_one}, "law_rules_keep_their_contract", "not between -1 and 1"),
        ({"solved": knows_the_second_ply}, "law_what_is_solved_is_true", "solved for seat 0"),
        ({"key": key_of_few}, "law_equal_keys_are_worth_the_same", "the same key"),
        ({"reduce": reduce_early}, "law_reduce_keeps_a_best_move", "alone"),
    ],
    ids=lambda value: value if isinstance(value, str) and value.startswith("law") else "",
)
def test_what_is_wrong_in_few_states_is_found(odd: Any, law: str, says: str) -> None:
    found = broken(changed(**odd))
    assert law in found, found
    assert says in found[law]


@pytest.mark.full
def test_bounds_far_from_the_end_are_held_against_worths() -> None:
    game = changed(bounds=too_sure_at_first)
    found = whole(game)
    assert found is not None
    wrong = suspects(game, found, "bounds")
    assert {int(found.facts["worth"][at]) for at in wrong} == {-1}
    assert suspects(Changed(), found, "bounds") == []
    with pytest.raises(LawBroken, match="bounds"):
        law_bounds_hold_the_value(game)


@pytest.mark.full
def test_the_unchanged_game_breaks_no_law_and_is_visited_whole() -> None:
    game = Changed()
    assert broken(game) == {}
    assert coverage(game) == (5478, True)
    found = whole(game)
    assert found is not None
    facts = found.facts[: found.count]
    assert (facts["worth"][0], facts["known"].min()) == (0, 1)


@pytest.mark.full
def test_the_census_finds_what_exhaustive_search_finds() -> None:
    for spec in ("breakthrough(rows=4, columns=3)", "dots_and_boxes(rows=1, columns=2)",
                 "sliding(rows=2, columns=2, most=4)"):  # fmt: skip
        game = dragon.game(spec)
        found = whole(game)
        assert found is not None
        state = game.start(0)
        result = dragon.search("exhaustive").best(state)
        sign = 1 if state.turn == 0 else -1
        assert result.bound is Bound.EXACT
        assert found.facts["worth"][0] * state.unit == sign * result.value


class Off(Sliding):
    """A game with less banked where few moves have been made."""

    name = "off"

    def rules(self) -> Rules:
        good = super().rules()
        banked = good.banked
        assert banked is not None

        @rule
        def more_at_first(s: Any) -> Any:
            return banked(s) - (3 if s.made < 2 else 0)

        return evolve(good, banked=more_at_first)


@pytest.mark.full
def test_what_is_banked_far_from_the_end_is_held_against_worths() -> None:
    assert "law_more_banked_at_a_place_is_worth_no_less" in broken(Off(rows=2, columns=2, most=6))


@frozen
class Counted(TicTacToe):
    """A light that is switched on and off; the count of plies alone makes positions differ."""

    name = "counted"

    def rules(self) -> Rules:
        @rule
        def turn(s: Any) -> Any:
            return s.made % 2 if s.made < 6 else TERMINAL

        @rule
        def moves(s: Any, out: Any) -> Any:
            out[0] = 0
            out[1] = 1
            return 2

        @rule
        def play(s: Any, move: Any) -> None:
            s.lit = s.lit ^ move
            s.made += 1

        @rule
        def payoff(s: Any, seat: Any) -> Any:
            return 1 if s.lit == seat else -1

        return Rules([("lit", "i8"), ("made", "i8")], moves, play, turn, payoff, width=2, plies=6)


def test_a_missing_trait_is_told_by_its_name() -> None:
    message = broken(Counted())["law_only_repetition_recurs"]
    assert "expected: the trait REPETITION" in message
    assert "(except made)" in message


@pytest.mark.full
def test_a_game_may_name_a_smaller_one() -> None:
    small = dragon.game(Breakthrough.small)
    assert coverage(dragon.game("breakthrough"))[1] is False
    assert coverage(small)[1] is True
    for law in WHOLE_LAWS:
        if law.applies(small):
            law(small)


TWOS = 20


@rule
def one(out: Any) -> Any:
    out[0] = 1
    return 1


@frozen
class Far(RecordGame):
    """A pile from which one or two are taken; after many twos only two, and then `most` is guessed.

    Random games do not come there.
    """

    name = "far"
    most: float = 1.0

    def setup(self, record: Any) -> None:
        record.left = 80

    def rules(self) -> Rules:
        most = self.most

        @rule
        def turn(s: Any) -> Any:
            return s.mover if s.left > 0 else TERMINAL

        @rule
        def moves(s: Any, out: Any) -> Any:
            out[0] = 2
            out[1] = 1
            return 1 if s.twos >= TWOS and s.left > 1 else 2 if s.left > 1 else one(out)

        @rule
        def play(s: Any, move: Any) -> None:
            s.left -= move
            s.twos = s.twos + 1 if move == 2 else 0
            s.mover = 1 - s.mover

        @rule
        def payoff(s: Any, seat: Any) -> Any:
            return 1 if s.mover != seat else -1

        @rule
        def evaluate(s: Any, seat: Any) -> Any:
            return (most if seat == 0 else -most) if s.twos == TWOS + 3 else 0.0

        layout = [("left", "i8"), ("twos", "i8"), ("mover", "i8")]
        return Rules(layout, moves, play, turn, payoff, width=2, plies=80, evaluate=evaluate)


@pytest.mark.samples("alphabeta-nan", "negamax(depth=9)-nan", "mcts(cut=9, megabytes=1)-nan")
@pytest.mark.parametrize("most", [1.0, -2.0, 1e30, math.nan])
@pytest.mark.parametrize("spec", ["alphabeta", "alphabeta(sooner=true)", "negamax(depth=9)",
                                  "mcts(cut=9, megabytes=1)"])  # fmt: skip
def test_an_evaluation_of_one_is_never_proven(spec: str, most: float) -> None:
    if most != most and not spec.startswith("alphabeta"):
        return  # which take no number from it
    state: State[Any] = Far(most).parse(f"left=40 twos={TWOS - 2} mover=0")
    for mode in ("0", "1"):
        with JIT.under(mode):
            result = dragon.search(spec).best(state, Limit(depth=7, nodes=4000))
            assert result.bound is Bound.ESTIMATE, result
            assert abs(result.value) <= 1 or spec.startswith("negamax")


def test_the_law_tells_of_a_broken_state_by_its_moves() -> None:
    with pytest.raises(LawBroken, match=r"rule 'play': .*, after "):
        next(law for law in WHOLE_LAWS if law.name == "law_rules_keep_their_contract")(
            changed(play=goes_out_of_bounds)
        )


def test_a_game_that_hides_without_the_trait_is_told() -> None:
    game = type("OpenKuhn", (PlainKuhn,), {"traits": frozenset({Trait.DUEL, Trait.CHANCE})})()
    with pytest.raises(LawBroken, match="the trait HIDDEN, since seat 0 sees"):
        law_traits_tell_the_truth(game)
