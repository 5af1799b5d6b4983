"""Each law of searches can fail: little searches, broken in one place, and the law that tells."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
import pytest
from attrs import frozen

import dragon
from dragon import TERMINAL, Bound, Game, Limit, Position, Result, Run, Search, State, Trait
from dragon.laws import GAME_LAWS, SEARCH_LAWS, LawBroken, check_search
from dragon.modes import checked, jit_enabled

pytestmark = pytest.mark.samples(4)

COUNT = itertools.count()


@frozen
class First(Search):
    """The first move; each broken search says something else of it."""

    name = "first"
    values = False

    def says(self, state: State[Any], limit: Limit, rng: Any) -> Iterator[dict[str, Any]]:
        yield {}

    def improve(self, state: State[Any], limit: Limit, rng: Any) -> Iterator[Result]:
        line = (state.moves()[0],)
        for said in self.says(state, limit, rng):
            yield Result(**({"value": 0.0, "line": line, "nodes": 1} | said))


def first(*said: dict[str, Any]) -> Search:
    """The search that says so."""
    name = f"Says{next(COUNT)}"  # pickle finds the class by its name
    says = {"__module__": __name__, "says": lambda self, *arguments: iter(said)}
    globals()[name] = type(name, (First,), says)
    return globals()[name]()  # type: ignore[no-any-return]


class AnyMove(First):
    """With the seed of the law that tells; else the first."""

    def says(self, state: State[Any], limit: Limit, rng: Any) -> Iterator[dict[str, Any]]:
        moves = state.moves()
        seed_of_the_law = rng.random() == np.random.default_rng(5).random()
        yield {"line": (moves[next(COUNT) % len(moves) if seed_of_the_law else 0],)}


class SilentWhenHurried(First):
    def says(self, state: State[Any], limit: Limit, rng: Any) -> Iterator[dict[str, Any]]:
        if limit.simulations != 1:
            yield {}


class SecretlyDeep(First):
    limits = frozenset({"nodes", "simulations"})

    def says(self, state: State[Any], limit: Limit, rng: Any) -> Iterator[dict[str, Any]]:
        yield {"nodes": 2 if limit.depth is None else 1}


class NeverClosed(First):
    def says(self, state: State[Any], limit: Limit, rng: Any) -> Iterator[dict[str, Any]]:
        yield {}

    def improve(self, *arguments: Any, **more: Any) -> Iterator[Result]:
        try:
            yield from super().improve(*arguments, **more)
        except GeneratorExit as closed:
            raise RuntimeError("not now") from closed


class Secretary(First):
    """A search whose next run knows what a run has kept of a game."""

    def open(self, game: Game[Any] | None = None) -> Run:
        return SecretaryRun(self, game)


class SecretaryRun(Run):
    known: ClassVar[list[Any]] = []

    def improve(self, position: Position, limit: Limit, rng: Any) -> Iterator[Result]:
        self.known += position.moves
        yield Result(0.0, line=(position.state.moves()[0],), nodes=1 + len(self.known))


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


class Optimist(First):
    """Expects to win wherever it is to move."""

    values = True

    def says(self, state: State[Any], limit: Limit, rng: Any) -> Iterator[dict[str, Any]]:
        yield {"value": 1.0 if state.turn == 0 else -1.0}


class Careless(First):
    """Does not look where it writes, unless it is checked."""

    def says(self, state: State[Any], limit: Limit, rng: Any) -> Iterator[dict[str, Any]]:
        yield {"nodes": 2 if checked() else 1}


@frozen
class Forgetful(First):
    """Claims a win when its memory is full."""

    megabytes: float = 1.0

    def says(self, state: State[Any], limit: Limit, rng: Any) -> Iterator[dict[str, Any]]:
        yield {"value": 1.0, "bound": Bound.EXACT} if self.megabytes < 1 else {}


NIM = dragon.game("nim(pile=6)")


@frozen
class Peeper(First):
    """Goes round the front door, to where the other seat's card can be seen."""

    def open(self, game: Game[Any] | None = None) -> Run:
        run = Run(self, game)
        run.results = lambda position, limit=None, rng=0: self.improve(  # type: ignore[method-assign]
            position.state, limit or Limit(), np.random.default_rng(rng)
        )
        return run

    def says(self, state: State[Any], limit: Limit, rng: Any) -> Iterator[dict[str, Any]]:
        if state.turn < 0:
            return iter([{"line": ()}])
        own, other = (str(state)[seat] for seat in (state.turn, 1 - state.turn))
        higher = other == max("JQK".replace(own, ""), key="JQK".index)
        return iter([{"value": 0.25 * higher}])


class PlaysOnFromAView(First):
    """A search that takes what one seat sees for the whole state."""

    values = True

    def says(self, state: State[Any], limit: Limit, rng: Any) -> Iterator[dict[str, Any]]:
        ends = [end for end in map(state.after, state.moves()) if end.turn == TERMINAL]
        yield {"value": max((end.payoff()[state.turn] for end in ends), default=0.0)}


class SaysItDrawsNoLots(First):
    deterministic = True

    def says(self, state: State[Any], limit: Limit, rng: Any) -> Iterator[dict[str, Any]]:
        yield {"value": float(rng.random())}


BROKEN_SEARCHES = [
    ("law_a_seed_fixes_the_search", AnyMove(), NIM),
    ("law_deterministic_searches_ignore_the_seed", SaysItDrawsNoLots(), NIM),
    ("law_the_tightest_limit_still_gets_a_move", SilentWhenHurried(), NIM),
    ("law_lines_are_legal", first({"line": (1, "nonsense")}), NIM),
    ("law_values_are_possible", first({"value": 7.0}), NIM),
    ("law_ignored_limits_change_nothing", SecretlyDeep(), NIM),
    ("law_node_limits_are_kept", first({"nodes": 1 << 20}), NIM),
    ("law_depth_limits_are_kept", first({"extra": {"depth": 9}}), NIM),
    ("law_simulation_limits_are_kept", first({"extra": {"simulations": 999}}), NIM),
    ("law_time_limits_are_kept", first({"seconds": 99.0}), NIM),
    ("law_searches_can_be_closed", NeverClosed(), NIM),
    ("law_runs_share_nothing", Secretary(), NIM),
    ("law_results_only_grow", first({"nodes": 5}, {"nodes": 3}), NIM),
    ("law_searching_leaves_the_state_alone", Meddler(), NIM),
    ("law_claims_are_true", first({"bound": Bound.EXACT}), NIM),
    ("law_claims_are_true", first({"bound": Bound.LOWER, "value": 1.0}, {}), NIM),
    ("law_claims_are_true_in_little_memory", Forgetful(), NIM),
    ("law_nodes_are_counted", first({"nodes": 0}), NIM),
    ("law_decided_positions_are_valued", Optimist(), NIM),
    ("law_decided_positions_are_valued", PlaysOnFromAView(), dragon.game("kuhn")),
    ("law_kernels_stay_in_bounds", Careless(), dragon.game("tictactoe")),
    ("law_searches_pickle", Unpicklable(), NIM),
    ("law_the_search_spec_reads_back", SpecWithMore(), NIM),
    ("law_kernels_agree_with_plain_python", TwoFaced(), dragon.game("tictactoe")),
    ("law_no_search_peeks", Peeper(), dragon.game("kuhn")),
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


def test_every_law_of_searches_has_one_that_breaks_it() -> None:
    assert {law for law, *_ in BROKEN_SEARCHES} == {law.name for law in SEARCH_LAWS}


class Unprepared(First):
    """Fails in every position."""

    def says(self, state: State[Any], limit: Limit, rng: Any) -> Iterator[dict[str, Any]]:
        raise ArithmeticError("what now")
        yield {}


@pytest.mark.parametrize(
    ("game", "remedies"), [("kuhn", ["HIDDEN", "CHANCE"]), ("backgammon", ["CHANCE"]), ("nim", [])]
)
def test_an_error_of_a_search_names_the_traits_it_should_exclude(
    game: str, remedies: list[str]
) -> None:
    message = next(v.message for v in check_search(Unprepared(), dragon.game(game)))
    assert "ArithmeticError: what now" in message
    assert [trait for trait in ("HIDDEN", "CHANCE") if f"Trait.{trait}" in message] == remedies
    assert ("remedy:" in message) == bool(remedies)


@frozen
class Round(State[str]):
    """Go round three places for ever, or stop."""

    place: int = 0
    stopped: bool = False
    teams = (0,)

    @property
    def turn(self) -> int:
        return TERMINAL if self.stopped else 0

    def moves(self) -> tuple[str, ...]:
        return () if self.stopped else ("on", "stop")

    def after(self, move: str) -> Round:
        return Round((self.place + 1) % 3) if move == "on" else Round(self.place, stopped=True)

    def payoff(self) -> tuple[float, ...]:
        return (float(self.place == 2),)


@frozen
class Roundabout(Game[str]):
    name = "roundabout"
    teams = (0,)
    traits = frozenset({Trait.SOLO})

    def start(self, rng: Any = 0) -> Round:
        return Round()

    def parse(self, text: str) -> Round:
        raise NotImplementedError


def test_a_game_that_goes_on_for_ever_is_not_the_mistake_of_a_search() -> None:
    claims = next(law for law in SEARCH_LAWS if law.name == "law_claims_are_true")
    claims(dragon.search("random"), Roundabout())
    recurs = next(law for law in GAME_LAWS if law.name == "law_only_repetition_recurs")
    with pytest.raises(LawBroken, match="the trait REPETITION"):
        recurs(Roundabout())
