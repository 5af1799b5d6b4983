"""Each law can fail: little games and searches, broken in one place, and the law that tells.

A game is a pile from which one or two are taken; whoever takes the last wins. In plain
Python each broken one overrides what it breaks. By Rules, one whose compiled form must
differ from plain Python gets its difference from `quirk`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, ClassVar

import pytest
from attrs import field, frozen

import dragon
from dragon import (
    CHANCE,
    TERMINAL,
    BadNotation,
    Bound,
    Game,
    IllegalMove,
    Limit,
    RecordGame,
    Result,
    Rules,
    Search,
    State,
    Trait,
    rule,
)
from dragon.bits import draw
from dragon.laws import LAWS, LawBroken, check_game, check_search
from dragon.laws.games import law_moves_are_distinct
from dragon.specialise import jit_enabled

COUNT = itertools.count()


@frozen
class Pile(State[Any]):
    left: int
    mover: int = 0

    @property
    def turn(self) -> int:
        return self.mover if self.left else TERMINAL

    def moves(self) -> tuple[Any, ...]:
        return tuple(range(1, min(2, self.left) + 1))

    def after(self, move: Any) -> Any:
        if move not in self.moves():
            raise IllegalMove(f"cannot take {move} from {self.left}")
        return type(self)(self.left - move, 1 - self.mover)

    def payoff(self) -> tuple[float, ...]:
        return (-1.0, 1.0) if self.mover == 0 else (1.0, -1.0)

    def __str__(self) -> str:
        return f"{self.left} {self.mover}"


@frozen
class Take(Game[Any]):
    name = "take"
    state: ClassVar[type[Pile]] = Pile
    pile: int = 7

    def start(self, rng: Any = 0) -> State[Any]:
        return self.state(self.pile)

    def parse(self, text: str) -> State[Any]:
        left, _, mover = text.partition(" ")
        if not left.isdecimal() or not mover.isdecimal():
            raise BadNotation(f"{text!r} is not a pile")
        return self.state(int(left), int(mover))


def made(name: str, base: type, **members: Any) -> Any:
    """A class of this module: pickle finds it by its name."""
    globals()[name] = type(name, (base,), {"__module__": __name__, **members})
    return globals()[name]


def of(state: type[Pile]) -> type[Take]:
    """The game whose states are of that class."""
    return made(f"TakeOf{state.__name__}", Take, state=state)


# ---- games in plain Python -------------------------------------------------------------------


class SpecWithoutParameters(Take):
    def __str__(self) -> str:
        return "take"


class StartOfItsOwn(Take):
    def start(self, rng: Any = 0) -> State[Any]:
        return Pile(7 + next(COUNT) % 2)


class NeverSmaller(Pile):
    def after(self, move: Any) -> Any:
        Pile.after(self, move)
        return NeverSmaller(max(1, self.left - move), 1 - self.mover)


class SoloForTwo(Take):
    traits = frozenset({Trait.SOLO})


class OtherTeams(Pile):
    teams = (1, 0)


class ThreeMovers(Pile):
    def after(self, move: Any) -> Any:
        Pile.after(self, move)
        return ThreeMovers(self.left - move, (self.mover + 1) % 3)


class StuckAtOne(Pile):
    def moves(self) -> tuple[Any, ...]:
        return () if self.left == 1 else Pile.moves(self)


class OneTwice(Pile):
    def moves(self) -> tuple[Any, ...]:
        return (1, *Pile.moves(self)) if self.left else ()


@frozen
class ByBirth(Pile):
    birth: int = field(factory=lambda: next(COUNT), eq=False)

    def moves(self) -> tuple[Any, ...]:
        return Pile.moves(self)[:: 1 - 2 * (self.birth % 2)]

    def __reduce__(self) -> Any:
        return ByBirth, (self.left, self.mover, self.birth + 1)


@frozen
class Counting(Pile):
    """A state that remembers how often it was asked, and lets it show in its key."""

    asked: list[int] = field(factory=list, eq=False)

    def key(self) -> int:
        return len(self.asked)


class AfterLeavesATrace(Counting):
    def after(self, move: Any) -> Any:
        self.asked.append(move)
        return Pile.after(self, move)


class EvaluateLeavesATrace(Counting):
    def evaluate(self, seat: int) -> float:
        self.asked.append(seat)
        return 0.0


class TakesAnything(Pile):
    def after(self, move: Any) -> Any:
        return TakesAnything(max(0, self.left - (move if isinstance(move, int) else 1)), 1 - self.mover)


class HalfUnits(Pile):
    def payoff(self) -> tuple[float, ...]:
        return 0.5, -0.5


class NobodyPays(Pile):
    def payoff(self) -> tuple[float, ...]:
        return 1.0, 0.0


class LoadedDice(Pile):
    @property
    def turn(self) -> int:
        return CHANCE if self.left in (3, 4) else self.mover if self.left else TERMINAL

    def odds(self) -> tuple[float, ...]:
        return 0.5, 0.6


class WithDice(Take):
    traits = frozenset({Trait.DUEL, Trait.CHANCE})


class TextOfNeighbour(Take):
    def parse(self, text: str) -> State[Any]:
        state = Take.parse(self, text)
        return Pile(state.left + 1, state.mover) if isinstance(state, Pile) else state


class MoveOfNeighbour(Pile):
    def code(self, move: Any) -> int:
        return int(move)

    def text(self, code: int) -> int:
        return code + 1

    def after(self, move: Any) -> Any:
        ok = int(move) if str(move).isdecimal() else move
        return Pile.after(self, ok)


class HashOfItsOwn(Pile):
    def __hash__(self) -> int:
        return id(self)


class KeyOfItsOwn(Pile):
    def key(self) -> int:
        return id(self)


class NoPickle(Pile):
    def __reduce__(self) -> Any:
        raise TypeError("cannot be pickled")

    def __deepcopy__(self, memo: Any) -> Any:
        return NoPickle(self.left, self.mover)


class SamplesThree(Pile):
    def sample(self, random: Any) -> Any:
        return 3


class OneScore(Pile):
    def order(self, moves: Any) -> Any:
        return (1,) * (len(moves) + 1)


class SureOfItself(Pile):
    def evaluate(self, seat: int) -> float:
        return 1.0


class BankedCrumbs(Pile):
    def banked(self) -> float:
        return 0.3


# ---- games by Rules --------------------------------------------------------------------------


@rule
def quirk(s: Any) -> Any:
    """True compiled, where one byte and 255 make 256; False in plain Python, where a byte wraps."""
    return s.one + 255 > 255


@rule
def turn(s: Any) -> Any:
    return s.mover if s.left > 0 else TERMINAL


@rule
def moves(s: Any, out: Any) -> Any:
    out[0] = 1
    out[1] = 2
    return min(2, s.left)


@rule
def play(s: Any, move: Any) -> None:
    s.left -= move
    s.mover = 1 - s.mover


@rule
def payoff(s: Any, seat: Any) -> Any:
    return 1 if s.mover != seat else -1


@rule
def sample(s: Any, random: Any) -> Any:
    return 1 + draw(random, min(2, s.left))


@frozen
class Heap(RecordGame):
    name = "heap"
    odd: ClassVar[dict[str, Any]] = {}
    """The rules that are broken, or the settings."""

    def setup(self, record: Any) -> None:
        record.left, record.one = 7, 1

    def rules(self) -> Rules:
        good: dict[str, Any] = {"moves": moves, "play": play, "turn": turn, "payoff": payoff,
                                "sample": sample, "width": 2, "plies": 7}  # fmt: skip
        layout = [("left", "i8"), ("mover", "i8"), ("note", "i8"), ("one", "u1")]
        return Rules(layout=layout, **(good | self.odd))


def heap(**odd: Any) -> type[Heap]:
    """The game with some rules replaced."""
    return made("Heap_" + "_".join(odd), Heap, odd=odd)


@rule
def turn_with_quirk(s: Any) -> Any:
    return (s.mover + quirk(s)) % 2 if s.left > 0 else TERMINAL


@rule
def moves_with_quirk(s: Any, out: Any) -> Any:
    n = moves(s, out)
    if n == 2 and quirk(s):
        out[0] = 2
        out[1] = 1
    return n


@rule
def play_with_quirk(s: Any, move: Any) -> None:
    play(s, move)
    s.note = 1 if quirk(s) else 0


@rule
def payoff_with_quirk(s: Any, seat: Any) -> Any:
    return payoff(s, 1 - seat if quirk(s) else seat)


@rule
def sample_with_quirk(s: Any, random: Any) -> Any:
    return 1 if quirk(s) else sample(s, random)


@rule
def key_with_quirk(s: Any) -> Any:
    return 4 * s.left + 2 * s.mover + (1 if quirk(s) else 0)


@rule
def evaluate_with_quirk(s: Any, seat: Any) -> Any:
    return 0.5 if quirk(s) else 0.0


@rule
def turn_of_dice(s: Any) -> Any:
    return (CHANCE if s.left > 4 else s.mover) if s.left > 0 else TERMINAL


@rule
def odds_with_quirk(s: Any, out: Any) -> None:
    out[0] = 0.9 if quirk(s) else 0.1
    out[1] = 1 - out[0]


class LoadedHeap(Heap):
    traits = frozenset({Trait.DUEL, Trait.CHANCE})
    odd: ClassVar[dict[str, Any]] = {"turn": turn_of_dice, "odds": odds_with_quirk}


BROKEN_GAMES = [
    ("law_the_spec_reads_back", SpecWithoutParameters(8)),
    ("law_a_seed_fixes_the_start", StartOfItsOwn()),
    ("law_games_end", of(NeverSmaller)()),
    ("law_traits_tell_the_truth", SoloForTwo()),
    ("law_teams_agree", of(OtherTeams)()),
    ("law_turn_is_a_seat", of(ThreeMovers)()),
    ("law_moves_are_empty_exactly_at_the_end", of(StuckAtOne)()),
    ("law_moves_are_distinct", of(OneTwice)()),
    ("law_moves_keep_their_order", of(ByBirth)()),
    ("law_after_leaves_the_state_alone", of(AfterLeavesATrace)()),
    ("law_asking_changes_nothing", of(EvaluateLeavesATrace)()),
    ("law_illegal_moves_are_refused", of(TakesAnything)()),
    ("law_payoffs_are_one_per_seat", of(HalfUnits)()),
    ("law_two_teams_sum_to_zero", of(NobodyPays)()),
    ("law_odds_sum_to_one", made("TakeOfLoadedDice", WithDice, state=LoadedDice)()),
    ("law_positions_read_back", TextOfNeighbour()),
    ("law_moves_read_back", of(MoveOfNeighbour)()),
    ("law_equal_states_hash_alike", of(HashOfItsOwn)()),
    ("law_equal_states_share_a_key", of(KeyOfItsOwn)()),
    ("law_states_pickle", of(NoPickle)()),
    ("law_samples_are_legal", of(SamplesThree)()),
    ("law_order_scores_every_move", of(OneScore)()),
    ("law_evaluations_stay_inside", of(SureOfItself)()),
    ("law_banked_payoff_is_part_of_the_payoff", of(BankedCrumbs)()),
    ("law_moves_fit_the_width", heap(width=1)()),
    ("law_compiled_turn_agrees", heap(turn=turn_with_quirk)()),
    ("law_compiled_moves_agree", heap(moves=moves_with_quirk)()),
    ("law_compiled_play_agrees", heap(play=play_with_quirk)()),
    ("law_compiled_payoff_agrees", heap(payoff=payoff_with_quirk)()),
    ("law_compiled_sample_agrees", heap(sample=sample_with_quirk)()),
    ("law_compiled_key_agrees", heap(key=key_with_quirk)()),
    ("law_compiled_options_agree", heap(evaluate=evaluate_with_quirk)()),
    ("law_compiled_playouts_agree", LoadedHeap()),
]
FOLLOWS = {
    "law_compiled_payoff_agrees": {"law_compiled_playouts_agree"},
    "law_compiled_sample_agrees": {"law_compiled_playouts_agree"},
    "law_compiled_playouts_agree": {"law_compiled_options_agree"},
}
"""Laws that cannot but fail with another: playouts sample moves, roll odds and add up payoffs."""


@pytest.mark.parametrize(("law", "game"), BROKEN_GAMES, ids=[law for law, _ in BROKEN_GAMES])
@pytest.mark.filterwarnings("ignore:overflow encountered")
def test_a_broken_game_is_caught_by_the_law_meant_for_it(law: str, game: Game[Any]) -> None:
    failed = {v.law: v.message for v in check_game(game) if not v.passed}
    assert law in failed, "the law held"
    assert set(failed) <= {law} | FOLLOWS.get(law, set()), failed


def test_the_unbroken_games_break_no_law() -> None:
    for game in (Take(), Heap(), of(Counting)()):
        assert [v.message for v in check_game(game) if not v.passed] == []


# ---- searches --------------------------------------------------------------------------------


@frozen
class First(Search):
    """The first move; each broken search says something else of it."""

    name = "first"

    def says(self, state: State[Any], limit: Limit, rng: Any) -> Iterator[dict[str, Any]]:
        yield {}

    def improve(
        self, state: State[Any], limit: Limit, rng: Any, memory: Any = None
    ) -> Iterator[Result]:
        line = (state.moves()[0],)
        for said in self.says(state, limit, rng):
            yield Result(**({"value": 0.0, "line": line, "nodes": 1} | said))


def first(*said: dict[str, Any]) -> Search:
    """The search that says so."""
    return made(f"Says{next(COUNT)}", First, says=lambda self, *arguments: iter(said))()


class AnyMove(First):
    def says(self, state: State[Any], limit: Limit, rng: Any) -> Iterator[dict[str, Any]]:
        moves = state.moves()
        yield {"line": (moves[next(COUNT) % len(moves)],)}


class SilentWhenHurried(First):
    def says(self, state: State[Any], limit: Limit, rng: Any) -> Iterator[dict[str, Any]]:
        if limit.simulations != 1:
            yield {}


class NeverClosed(First):
    def says(self, state: State[Any], limit: Limit, rng: Any) -> Iterator[dict[str, Any]]:
        yield {}

    def improve(self, *arguments: Any, **more: Any) -> Iterator[Result]:
        try:
            yield from super().improve(*arguments, **more)
        except GeneratorExit as closed:
            raise RuntimeError("not now") from closed


class Meddler(First):
    def says(self, state: State[Any], limit: Limit, rng: Any) -> Iterator[dict[str, Any]]:
        yield {}
        object.__setattr__(state, "left", state.left + 3)  # type: ignore[attr-defined]


class Unpicklable(First):
    def __reduce__(self) -> Any:
        raise TypeError("cannot be pickled")


class SpecWithMore(First):
    def __str__(self) -> str:
        return "first(x=1)"


class TwoFaced(First):
    def says(self, state: State[Any], limit: Limit, rng: Any) -> Iterator[dict[str, Any]]:
        yield {"nodes": 1 if jit_enabled() else 2}


NIM = dragon.game("nim(pile=6)")
BROKEN_SEARCHES = [
    ("law_a_seed_fixes_the_search", AnyMove(), NIM),
    ("law_the_tightest_limit_still_gets_a_move", SilentWhenHurried(), NIM),
    ("law_lines_are_legal", first({"line": (1, "nonsense")}), NIM),
    ("law_values_are_possible", first({"value": 7.0}), NIM),
    ("law_node_limits_are_kept", first({"nodes": 1 << 20}), NIM),
    ("law_depth_limits_are_kept", first({"extra": {"depth": 9}}), NIM),
    ("law_simulation_limits_are_kept", first({"extra": {"simulations": 999}}), NIM),
    ("law_time_limits_are_kept", first({"seconds": 99.0}), NIM),
    ("law_searches_can_be_closed", NeverClosed(), NIM),
    ("law_results_only_grow", first({"nodes": 5}, {"nodes": 3}), NIM),
    ("law_searching_leaves_the_state_alone", Meddler(), NIM),
    ("law_claims_are_true", first({"bound": Bound.EXACT}), NIM),
    ("law_searches_pickle", Unpicklable(), NIM),
    ("law_the_search_spec_reads_back", SpecWithMore(), NIM),
    ("law_kernels_agree_with_plain_python", TwoFaced(), dragon.game("tictactoe")),
]


@pytest.mark.parametrize(
    ("law", "search", "game"), BROKEN_SEARCHES, ids=[law for law, _, _ in BROKEN_SEARCHES]
)
def test_a_broken_search_is_caught_by_the_law_meant_for_it(
    law: str, search: Search, game: Game[Any]
) -> None:
    failed = {v.law: v.message for v in check_search(search, game) if not v.passed}
    assert set(failed) == {law}, failed


def test_the_unbroken_search_breaks_no_law() -> None:
    assert [v.message for v in check_search(First(), NIM) if not v.passed] == []


def test_every_law_has_a_subject_that_breaks_it() -> None:
    caught = {law for law, *_ in [*BROKEN_GAMES, *BROKEN_SEARCHES]}
    assert caught == {law.name for law in LAWS}


def test_a_broken_law_tells_where_what_was_expected_and_what_was_seen() -> None:
    with pytest.raises(LawBroken) as caught:
        law_moves_are_distinct(of(OneTwice)())
    assert str(caught.value) == (
        "No two moves of a state are equal or written alike.\n"
        "  of:       take\n"
        "  position: 7 0\n"
        "  expected: every move once\n"
        "  seen:     more than once: 1"
    )
    assert isinstance(caught.value, AssertionError)
