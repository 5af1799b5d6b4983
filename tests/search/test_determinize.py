"""Limits that determinize gives its inner search: a share of each, or another search for chance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from attrs import evolve, field, frozen

import dragon
from dragon import (
    CHANCE,
    TERMINAL,
    Determinizable,
    Game,
    Limit,
    Position,
    Result,
    Search,
    State,
    Trait,
)  # fmt: skip
from dragon.core.spec import settings
from dragon.laws import check_game, check_search
from dragon.search.determinize import Determinize
from dragon_tournament.config.reading import parse

POINTS = "ulti(contract='party', objective='points', cards='hidden')"


# ---- a limit is shared out ---------------------------------------------------------------------


@frozen
class Simulator(Search):
    """Make as many simulations as it may, and note how many that were."""

    name = "simulator"
    limits = frozenset({"simulations"})
    made: list[int] = field(factory=list, eq=False)

    def improve(self, state: State[Any], limit: Limit, rng: Any) -> Iterator[Result]:
        n = limit.simulations
        assert n is not None
        self.made.append(n)
        yield Result(0.0, line=(state.moves()[0],), nodes=n, extra={"simulations": n})


@pytest.mark.samples("20-None-True")
@pytest.mark.parametrize("vote", [True, False])
@pytest.mark.parametrize("samples", [None, 4])
@pytest.mark.parametrize("simulations", [1, 7, 20, 1000, 12_345])
def test_simulations_are_shared_among_worlds(
    simulations: int, samples: int | None, vote: bool
) -> None:
    inner = Simulator()
    state = dragon.game(POINTS).start(1)
    search = Determinize(inner, samples=samples, vote=vote)
    result = search.best(state, Limit(simulations=simulations))
    tried = inner.made[1:]  # the first compiles
    assert sum(tried) == result.extra["simulations"] <= simulations
    assert result.extra["worlds"] <= (samples or simulations)
    if simulations >= 1000:
        assert sum(tried) == simulations
        assert max(tried) - min(tried) <= 10
        assert result.extra["worlds"] == (samples or 20)


def test_without_any_number_the_simulations_of_all_worlds_are_a_hundred_thousand() -> None:
    inner = Simulator()
    Determinize(inner).best(dragon.game(POINTS).start(1))
    assert sum(inner.made[1:]) == 100_000


@pytest.mark.full
def test_a_number_of_its_own_is_the_inner_searchs_for_each_move_of_each_world() -> None:
    state = dragon.game(POINTS).start(1)
    search = dragon.search("determinize(search='mcts(simulations=30, solver=false)', samples=3)")
    result = search.best(state)
    assert result.extra["simulations"] == 30 * 3 * len(state.moves())
    fewer = search.best(state, Limit(simulations=300))
    assert fewer.extra["simulations"] == 300
    assert fewer.extra["worlds"] == 3


@pytest.mark.full
def test_twenty_simulations_are_no_millions() -> None:
    state = dragon.game(POINTS).start(1)
    search = dragon.search("determinize(search='mcts', samples=20)")
    result = search.best(state, Limit(simulations=20))
    assert result.extra["simulations"] == 20
    assert result.nodes < 20 * 40  # of each a playout of 30 plies


@pytest.mark.parametrize(
    ("search", "limit", "caveat"),
    [
        ("determinize", {"simulations": 20},
         "determinize may overrun a limit in simulations: alphabeta, which searches each world, "
         "ignores it, but not one in seconds or nodes"),
        ("determinize(search='engine')", {"nodes": 20}, "but not one in seconds"),
        ("determinize", {"depth": 2, "simulations": 20}, "limit in depth, but not one in"),
        ("determinize", {"depth": 2, "simulations": 20}, "; determinize may overrun"),
        ("determinize", {"depth": 2}, "ignores a limit in depth, but not one in"),
    ],
)  # fmt: skip
def test_it_says_of_which_limits_its_inner_search_takes_no_account(
    search: str, limit: dict[str, int], caveat: str
) -> None:
    assert caveat in str(dragon.search(search).caveat(Limit(**limit)))


@pytest.mark.parametrize(
    ("search", "limit"),
    [
        ("determinize", Limit()),
        ("determinize", Limit(simulations=20, nodes=500)),
        ("determinize(search='mcts')", Limit(simulations=20)),
        ("determinize(search='montecarlo')", Limit(seconds=1)),
        ("determinize(search='random')", Limit(simulations=5)),
    ],
)
def test_it_says_nothing_where_the_limit_reaches_its_inner_search(
    search: str, limit: Limit
) -> None:
    assert dragon.search(search).caveat(limit) is None


def test_a_tournament_says_so_when_its_file_is_read() -> None:
    table = {"game": POINTS, "limit": {"simulations": 20}, "player": [
        {"search": "determinize"}, {"search": "determinize(search='mcts', samples=20)"},
        {"search": "random"}]}  # fmt: skip
    (caveat,) = parse(table).caveats()
    assert caveat.startswith("determinize may overrun a limit in simulations: alphabeta")


def test_the_type_of_its_inner_search_reads_alike_before_and_after_one_is_built() -> None:
    dragon.search("determinize(search='mcts')")  # names of types become types
    assert settings(Determinize)[0].type == "search or none"


# ---- chance ------------------------------------------------------------------------------------

ODDS = (1 / 2, 1 / 3, 1 / 6)


@frozen
class Bet(Determinizable[str]):
    """Seat 0 stays or rolls a die of three sides; what it gets depends on seat 1's card too."""

    card: str = ""
    line: tuple[str, ...] = ()
    largest = 2.0

    @property
    def turn(self) -> int:
        if not self.card or self.line == ("roll",):
            return CHANCE
        return TERMINAL if self.line else 0

    def moves(self) -> tuple[str, ...]:
        if not self.card:
            return ("high", "low")
        return ("1", "2", "3") if self.line == ("roll",) else () if self.line else ("stay", "roll")

    def odds(self) -> tuple[float, ...]:
        return ODDS if self.card else (0.5, 0.5)

    def after(self, move: str) -> Bet:
        if move not in self.moves():
            raise dragon.IllegalMove(f"{move} cannot be played in {self}")
        return evolve(self, line=(*self.line, move)) if self.card else Bet(move)

    def payoff(self) -> tuple[float, float]:
        low = self.card == "low"
        if self.line == ("stay",):
            gain = 1.0 if low else -1.0
        else:
            gain = float(self.line[1]) - (1.0 if low else 2.0)
        return gain, -gain

    def seen(self, seat: int) -> Bet:
        return evolve(self, card="?") if self.card and seat == 0 else self

    def determinize(self, rng: np.random.Generator) -> Bet:
        return evolve(self, card=("high", "low")[int(rng.integers(2))]) if self.turn == 0 else self

    def __str__(self) -> str:
        return " ".join((self.card, *self.line)) or "-"


@frozen
class Betting(Game[str]):
    name = "betting"

    @property
    def traits(self) -> frozenset[Trait]:
        return frozenset({Trait.DUEL, Trait.CHANCE, Trait.HIDDEN})

    def start(self, rng: Any = 0) -> State[str]:
        return Bet()

    def parse(self, text: str) -> Bet:
        card, *line = ("",) if text == "-" else text.split()
        if card not in ("", "?", "high", "low") or line[:1] not in ([], ["stay"], ["roll"]):
            raise dragon.BadNotation(f"{text!r} is no bet")
        return Bet(card, tuple(line))


@pytest.mark.full
def test_by_default_it_searches_games_of_chance_with_a_search_that_can() -> None:
    game, search = Betting(), dragon.search("determinize(samples=2000)")
    assert search.objection(game) is None
    result = search.best(game.parse("high"), seed=2)
    means = {move: tally["value"] for move, tally in result.extra["moves"].items()}
    assert result.extra["worlds"] == 2000
    assert result.move == "roll"
    assert means["stay"] == pytest.approx(0, abs=0.1)  # 1 or -1
    roll = sum(p * (r - 1.5) for p, r in zip(ODDS, (1, 2, 3), strict=True))
    assert means["roll"] == pytest.approx(roll, abs=0.1)


def test_what_it_has_turned_to_is_kept_for_the_next_move_and_forgotten() -> None:
    with dragon.search("determinize(samples=5)").open() as run:
        run.best(Position(Bet("high")), Limit(nodes=1000))
        inner = run.inner_run
        assert inner.search.name == "mcts"
        run.best(Position(Bet("low")), Limit(nodes=1000))
        assert run.inner_run is inner
        assert inner.trees
    assert not inner.trees


def test_a_search_that_was_asked_for_is_not_changed_for_another() -> None:
    search = dragon.search("determinize(search='negamax', samples=5)")
    with pytest.raises(dragon.Objection, match="chance"):
        search.best(Bet("high"))
    said = "negamax inside determinize does not support chance (betting)"
    assert str(search.objection(Betting())).startswith(said)


@pytest.mark.full
def test_the_betting_game_and_its_search_keep_the_laws() -> None:
    assert [v.message for v in check_game(Betting()) if not v.passed] == []
    verdicts = check_search(dragon.search("determinize(samples=20)"), Betting())
    assert [v.message for v in verdicts if not v.passed] == []
