"""Every search against the exhaustive one, against known node counts, and against itself."""

from __future__ import annotations

import itertools
import pickle
from functools import cache
from typing import Any

import attrs
import numpy as np
import pytest

import dragon
from dragon import Bound, Limit, Position
from dragon.bits import Random
from dragon.modes import JIT
from dragon.rules.playout import playout

pytestmark = pytest.mark.samples(1)

FEATURES = (
    "table",
    "deepening",
    "pvs",
    "aspiration",
    "killers",
    "history",
    "order",
    "sooner",
    "reduce",
    "bounds",
    "solved",
)
BARE = dict.fromkeys(FEATURES, False)
SEARCHERS = (
    "alphabeta",
    "mcts",
    "mcts(selection='wins')",
    "mcts(selection='grave')",
    "montecarlo",
    "negamax",
    "exhaustive",
)


def alphabeta(**settings: Any) -> dragon.Search:
    return dragon.search({"search": "alphabeta", **settings})


def positions(spec: str, count: int, shortest: int = 0):
    """States of a game from random play, not terminal, with few plies left first."""
    start = dragon.game(spec).start()
    random = Random(count)
    found = []
    while len(found) < count:
        line, state = [], start
        while state.turn != dragon.TERMINAL:
            line.append(state)
            state = state.after(state.sample(random))
        found += line[shortest:]
    return found[:count]


# ---- node counts that other programs agree on ------------------------------------------------


def test_bare_alphabeta_visits_18297_nodes_of_tictactoe():
    start = dragon.game("tictactoe").start()
    result = alphabeta(**BARE).best(start)
    assert (result.nodes, result.value, result.bound) == (18297, 0.0, Bound.EXACT)


@pytest.mark.parametrize(("depth", "nodes"), [(6, 1249), (8, 12574), (10, 155590)])
def test_bare_alphabeta_on_connect_four(depth: int, nodes: int):
    start = dragon.game("connect4").start()
    assert alphabeta(**BARE, depth=depth).best(start).nodes == nodes


def test_negamax_visits_the_whole_tree_of_tictactoe():
    with_two = dragon.game("tictactoe").parse("X.O/.../... X")
    whole = sum(dragon.perft(with_two, depth) for depth in range(8))
    result = dragon.search("negamax").best(with_two)
    assert (result.nodes, result.bound) == (whole, Bound.EXACT)


def test_exhaustive_visits_each_state_of_tictactoe_once():
    result = dragon.search("exhaustive").best(dragon.game("tictactoe").start())
    assert result.value == 0.0
    assert result.extra["states"] == result.nodes == 5478


# ---- agreement ---------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["tictactoe", "nim(pile=9)", "nex(rows=2, cols=3)", "hex(size=3)"])
@pytest.mark.parametrize("search", ["alphabeta", "negamax", "mcts"])
def test_proven_values_agree_with_exhaustive(spec: str, search: str):
    proven = 0
    for state in positions(spec, 12, shortest=2):
        result = dragon.search(search).best(state, Limit(simulations=20_000))
        if result.bound is Bound.EXACT:
            assert result.value == truth(state), str(state)
            proven += 1
        else:
            assert search == "mcts", str(state)
    assert proven >= 8


@cache
def truth(state: dragon.State[Any]) -> float:
    """Give the mover's payoff, by all states."""
    return dragon.search("exhaustive").best(state).value


@pytest.mark.full
@pytest.mark.parametrize("driver", ["mtdf", "bisection"])
@pytest.mark.parametrize("sooner", [True, False])
def test_zero_windows_find_the_same_values_and_distances(driver: str, sooner: bool):
    search, pvs = alphabeta(driver=driver, sooner=sooner), alphabeta(sooner=sooner)
    for spec in (
        "tictactoe",
        "connect4",
        "nex(rows=2, cols=3)",
        "nim(pile=8)",
    ):
        for state in positions(spec, 6, shortest=20 if spec == "connect4" else 0):
            result, expected = search.best(state), pvs.best(state)
            assert (result.value, result.bound) == (expected.value, Bound.EXACT), str(state)
            assert result.extra.get("distance") == expected.extra.get("distance"), str(state)
            assert len(result.line) == len(expected.line) or not sooner


@pytest.mark.parametrize("driver", ["pvs", "mtdf"])
def test_nobody_looks_for_more_than_a_win(driver: str):
    """The winner's other moves are not asked whether they are better still."""
    state = dragon.game("connect4").start()
    for move in "36773175337713735211":
        state = state.after(move)
    verdict = alphabeta(driver=driver, sooner=False)
    asked, blind = verdict.best(state), attrs.evolve(verdict, bounds=False).best(state)
    assert asked.value == blind.value == 1.0
    assert 2 * asked.nodes < blind.nodes


@pytest.mark.full
@pytest.mark.parametrize("off", [(), *((f,) for f in FEATURES), FEATURES])
def test_every_feature_of_alphabeta_keeps_the_value(off: tuple[str, ...]):
    search = alphabeta(**dict.fromkeys(off, False))
    for state in positions("tictactoe", 10) + positions("nex(rows=2, cols=3)", 6):
        assert search.best(state).value == truth(state), str(state)


@pytest.mark.parametrize("spec", ["tictactoe", "nim(pile=8)", "nex(rows=2, cols=2)"])
def test_distance_is_the_quickest_win_against_the_longest_resistance(spec: str):
    @cache
    def distance(state: dragon.State[Any]) -> tuple[float, int]:
        """Value for the mover and plies to the end, by the definition."""
        if state.turn == dragon.TERMINAL:
            return state.payoff()[0], 0
        seat, options = state.turn, []
        for move in state.moves():
            child = state.after(move)
            value, plies = distance(child)
            view = 0 if child.turn == dragon.TERMINAL else child.turn
            options.append((value if view == seat else -value, plies + 1))
        best = max(value for value, _ in options)
        lengths = [plies for value, plies in options if value == best]
        return best, min(lengths) if best > 0 else max(lengths)

    for state in positions(spec, 8, shortest=1):
        value, plies = distance(state)
        result = alphabeta().best(state)
        assert result.value == value
        if value:
            assert result.extra["distance"] == plies == len(result.line)


# ---- kernels and their plain twins --------------------------------------------------------------


def both_ways(search: dragon.Search, state: dragon.State[Any], limit: Limit, seed: int):
    fast = search.best(state, limit, seed)
    with JIT.under("0"):
        slow = search.best(state, limit, seed)
    return fast, slow


def essence(result: dragon.Result):
    return result.value, result.bound, result.line, result.error, result.nodes, result.extra


EVERYWHERE = (
    "alphabeta(depth=4)",
    "alphabeta(depth=4, shuffle=true)",
    "alphabeta(depth=4, pvs=false)",
    "alphabeta(depth=4, table=false)",
    "alphabeta(depth=4, megabytes=0.001)",
    "alphabeta(depth=4, aspiration=false, sooner=false)",
    "alphabeta(depth=3, deepening=false, killers=false)",
    "alphabeta(depth=4, history=false, order=false)",
    "alphabeta(driver='mtdf', depth=4)",
    "alphabeta(driver='bisection', depth=4, sooner=false)",
    "mcts(simulations=150)",
    "mcts(simulations=150, selection='grave')",
    "montecarlo(simulations=60)",
    "random",
)
ON_ONE_GAME = (
    "mcts(simulations=150, selection='wins', solver=false)",
    "mcts(simulations=150, threads=2)",
    "mcts(simulations=200, megabytes=0.002)",
    "mcts(simulations=150, selection='grave', ref=6, bias=0.1, solver=false)",
    "mcts(simulations=300, selection='grave', ref=0, megabytes=1)",
)
"""What these change asks nothing of the rules that the others do not, so one game does."""


def tried(spec: str, search: str) -> Any:
    default = spec == "tictactoe" or search in EVERYWHERE
    return pytest.param(spec, search, marks=[pytest.mark.full] * (not default))


@pytest.mark.parametrize(
    ("spec", "search"),
    [
        tried(spec, search)
        for spec in ("tictactoe", "connect4", "hex(size=3)", "nex(rows=2, cols=3)")
        for search in EVERYWHERE + ON_ONE_GAME
    ],
)
def test_kernel_and_plain_python_agree_node_for_node(spec: str, search: str):
    for seed, state in enumerate(positions(spec, 2, shortest=1)):
        fast, slow = both_ways(dragon.search(search), state, Limit(), seed)
        assert essence(fast) == essence(slow)


@pytest.mark.parametrize("nodes", [1, 2, 7, 50, 333])
@pytest.mark.parametrize("search", ["alphabeta", "mcts", "montecarlo"])
def test_both_stop_at_the_same_node(search: str, nodes: int):
    state = dragon.game("connect4").start()
    fast, slow = both_ways(dragon.search(search), state, Limit(nodes=nodes), 5)
    assert essence(fast) == essence(slow)
    if search == "alphabeta":
        assert fast.nodes <= nodes


@pytest.mark.full
def test_long_lists_of_moves_are_sorted_as_short_ones_are():
    """Past 256 moves the kernel merges where else it picks; the order must be the same."""
    state = dragon.game("nex(rows=5, cols=5)").start()
    search = dragon.search("alphabeta(depth=2, shuffle=true)")
    fast, slow = both_ways(search, state, Limit(nodes=900), 3)
    assert len(state.moves()) == 600
    assert essence(fast) == essence(slow)


# ---- limits, streams, seeds ---------------------------------------------------------------------


@pytest.mark.parametrize("search", SEARCHERS)
def test_a_search_gives_a_legal_move_under_the_tightest_limit(search: str):
    state = dragon.game("connect4").start()
    for limit in (Limit(nodes=1), Limit(simulations=1, seconds=0.2), Limit(depth=1)):
        if search in ("negamax", "exhaustive") and limit.nodes is None:
            limit = attrs.evolve(limit, nodes=500)
        assert dragon.search(search).best(state, limit).move in state.moves()


@pytest.mark.parametrize("search", ["alphabeta", "mcts", "montecarlo(simulations=100000000)"])
@pytest.mark.parametrize("jit", ["1", "0"])
def test_seconds_are_honoured(search: str, jit: str, monkeypatch: pytest.MonkeyPatch):
    state = dragon.game("connect4").start()
    dragon.search(search).best(state, Limit(nodes=100))  # compiles
    monkeypatch.setattr(JIT, "value", jit)
    result = dragon.search(search).best(state, Limit(seconds=0.15))
    assert 0.1 < result.seconds < 2.0


@pytest.mark.parametrize("search", ["alphabeta", "mcts", "montecarlo", "negamax(depth=3)"])
def test_results_stream_and_can_be_closed(search: str):
    state = dragon.game("connect4").start()
    stream = dragon.search(search).results(state, Limit(nodes=20_000))
    first = list(itertools.islice(stream, 2))
    assert len(first) == 2
    assert first[0].nodes <= first[1].nodes
    stream.close()
    assert list(stream) == []


@pytest.mark.parametrize("search", [*SEARCHERS, "alphabeta(shuffle=true)", "random"])
def test_a_seed_makes_a_run_repeatable(search: str):
    state = dragon.game("hex(size=3)").start().after("b2")
    limit = Limit(nodes=3000)
    runs = [dragon.search(search).best(state, limit, seed=11) for _ in range(2)]
    assert essence(runs[0]) == essence(runs[1])


def test_shuffle_plays_different_games_of_equal_worth():
    start = dragon.game("tictactoe").start()
    search = dragon.search("alphabeta(shuffle=true)")
    results = [search.best(start, seed=seed) for seed in range(12)]
    assert {result.value for result in results} == {0.0}
    assert len({result.move for result in results}) > 2
    assert len({alphabeta().best(start, seed=seed).move for seed in range(4)}) == 1


@pytest.mark.parametrize("search", SEARCHERS)
def test_a_terminal_state_answers_for_itself(search: str):
    over = dragon.game("tictactoe").parse("XXX/OO./... O")
    result = dragon.search(search).best(over)
    assert (result.value, result.bound, result.line) == (1.0, Bound.EXACT, ())


@pytest.mark.full
def test_searches_that_cannot_prove_name_their_budget():
    games = [dragon.game(name) for name in ("tictactoe", "kuhn")]
    state = games[0].start()
    for name, search in dragon.searches().items():
        for game in games:
            if not search.proves and search().objection(game) is None:
                assert search().best(game.start()).extra["budget"], name
    asked = dragon.search("determinize(search='exhaustive')").best(games[1].parse("Q?"))
    assert asked.extra["budget"] == "100 simulations (default)"
    assert "default" in dragon.search("mcts(solver=false)").best(state).extra["budget"]


def test_searches_are_values():
    for name in dragon.searches():
        search = dragon.search(name)
        assert dragon.search(str(search)) == search == pickle.loads(pickle.dumps(search))
    assert str(dragon.search("mcts(c=0.5, threads=2)")) == "mcts(c=0.5, threads=2)"


# ---- strength -----------------------------------------------------------------------------------


def takes_and_blocks():
    """Positions with a win in one, and with exactly one way to stop one."""
    tictactoe, connect4 = dragon.game("tictactoe"), dragon.game("connect4")
    rows = "/".join(["......."] * 5)
    return [
        (tictactoe.parse("XX./OO./... X"), "a3"),
        (tictactoe.parse("X../OO./..X X"), "b3"),
        (connect4.parse(f"{rows}/OOO.XXX X"), "4"),
        (connect4.parse(f"{rows}/XXXOOO. X"), "7"),
        (connect4.parse("......./......./......./...O.../...O..X/...O.XX X"), "4"),
    ]


@pytest.mark.parametrize("search", [s for s in SEARCHERS if s not in ("negamax", "exhaustive")])
@pytest.mark.parametrize("case", range(5))
def test_a_search_takes_a_win_in_one_and_blocks_one(search: str, case: int):
    state, move = takes_and_blocks()[case]
    if search.startswith("alphabeta"):
        search = "alphabeta(depth=6)"
    assert dragon.search(search).best(state, Limit(simulations=4000)).move == move


@pytest.mark.parametrize("seat", [0, 1])
def test_mcts_never_loses_tictactoe(seat: int):
    search = dragon.search("mcts")
    for seed in range(15):
        state, random, run = dragon.game("tictactoe").start(), Random(seed), search.open()
        while state.turn != dragon.TERMINAL:
            if state.turn == seat:
                move = run.best(Position(state), Limit(simulations=1500), seed).move
            else:
                move = state.sample(random)
            state = state.after(move)
        assert state.payoff()[seat] >= 0, f"seed {seed}: {state}"


@pytest.mark.parametrize(
    "selection", ["'uct'", "'grave', ref=6, playout='nst'", "'grave', ref=0, megabytes=2"]
)
def test_the_tree_is_reused_between_moves_of_a_game(selection: str):
    search = dragon.search(f"mcts(solver=false, selection={selection})")
    limit = Limit(simulations=120)
    state, run = dragon.game("connect4").start(), search.open()
    first = run.best(Position(state), limit, 1)
    reply = state.after(first.move).after("4")
    again = run.best(Position(reply), limit, 2)
    fresh = search.best(reply, limit, 2)
    kept = sum(move["visits"] for move in again.extra["moves"].values())
    assert kept > 120 >= sum(move["visits"] for move in fresh.extra["moves"].values())
    with JIT.under("0"):
        run = search.open()
        assert essence(run.best(Position(state), limit, 1)) == essence(first)
        assert essence(run.best(Position(reply), limit, 2)) == essence(again)


def test_the_memory_cap_holds():
    state = dragon.game("connect4").start()
    result = dragon.search("mcts(megabytes=0.1)").best(state, Limit(simulations=20_000))
    assert 1000 < result.extra["tree"] <= 100_000 // 64
    assert result.extra["simulations"] == 20_000


def test_montecarlo_errors_shrink_and_cover():
    """The mean of each move's playouts lies within five standard errors of the exact mean."""
    state = dragon.game("tictactoe").parse("XO./.X./O.. X")

    def mean(s: dragon.State[Any]) -> float:
        if s.turn == dragon.TERMINAL:
            return s.payoff()[0]
        return float(np.mean([mean(s.after(move)) for move in s.moves()]))

    result = dragon.search("montecarlo(simulations=8000)").best(state)
    exact = max(mean(state.after(move)) for move in state.moves())
    assert abs(result.value - exact) <= 5 * result.error + 1e-9
    coarse = dragon.search("montecarlo(simulations=200)").best(state)
    assert result.error <= coarse.error


def test_playouts_end():
    for spec in ("tictactoe", "nim", "connect4"):
        assert playout(dragon.game(spec).start(), Random(3)).turn == dragon.TERMINAL


# ---- faults of the past -------------------------------------------------------------------------


@pytest.mark.parametrize("off", [(), *((f,) for f in FEATURES)])
@pytest.mark.parametrize("nodes", [100, 300, 1000, 3000, 10_000])
def test_an_unfinished_iteration_never_drops_a_known_block(off: tuple[str, ...], nodes: int):
    state = dragon.game("connect4").start()
    for move in "71717":
        state = state.after(move)
    search = alphabeta(**dict.fromkeys(off, False))
    results = list(search.results(state, Limit(nodes=nodes)))
    seen = [result for result in results if result.extra.get("depth", 0) >= 2]
    if "deepening" not in off:
        assert seen
    assert all(result.move == "7" for result in seen if result.extra.get("depth"))


@attrs.frozen
class Together(dragon.State[int]):
    """Both sides win together, or not."""

    ply: int = 0
    won: bool = False
    zero_sum = False

    @property
    def turn(self) -> int:
        return dragon.TERMINAL if self.ply == 3 else self.ply % 2

    def moves(self) -> tuple[int, ...]:
        return () if self.ply == 3 else (0, 1)

    def after(self, move: int) -> Together:
        return Together(self.ply + 1, self.won or move == 1)

    def payoff(self) -> tuple[float, float]:
        return (1.0, 1.0) if self.won else (0.0, 0.0)


def test_sides_that_do_not_oppose_each_other_are_refused_or_borne():
    assert dragon.search("exhaustive").best(Together()).value == 1.0
    for search in ("alphabeta", "negamax"):
        with pytest.raises(dragon.Objection, match="sum to zero"):
            dragon.search(search).best(Together())
    result = dragon.search("mcts").best(Together(), Limit(simulations=500))
    assert (result.bound, result.move) == (Bound.ESTIMATE, 1) or result.value > 0.9


@pytest.mark.full
@pytest.mark.parametrize("search", ["alphabeta(deepening=false)", "dfpn"])
def test_searches_without_recursion_prove_long_lines_in_plain_python(search: str):
    result = dragon.search(search).best(dragon.game("nim(pile=500)").start())
    assert (result.value, result.bound) == (-1.0, Bound.EXACT)
    assert len(result.line) >= 250  # recursion ends at about 300 plies


@pytest.mark.parametrize("search", ["negamax", "exhaustive"])
def test_lines_too_long_for_plain_python_are_a_sentence(search: str):
    with pytest.raises(dragon.SearchError, match="too long for plain Python"):
        dragon.search(search).best(dragon.game("nim(pile=5000)").start())


def test_mcts_takes_a_small_loss_before_an_unknown_worse_one():
    from dragon.search.mcts.tree import UNPROVEN, Children

    def children(*rows: tuple[str, int, int, int]) -> Children:
        moves, *figures = zip(*rows, strict=True)
        return Children(np.arange(len(rows)), list(moves), *map(np.array, figures))

    small, worse, lost = ("A", 50, -50, -1), ("B", 40, -76, UNPROVEN), ("C", 60, -120, -2)
    assert children(small, worse).best(None, 2) == 0
    assert children(small, lost).best(None, 2) == 0
    assert children(lost, lost).best(None, 2) == 0
    assert children(worse, small, lost).best(-1, 2) == 1


def test_exhaustive_without_a_depth_visits_each_state_once():
    result = dragon.search("exhaustive").best(dragon.game("nim(pile=40)").start())
    assert result.nodes == result.extra["states"] == 80


def test_a_run_keeps_what_it_knows_of_a_game_for_the_next_move():
    state = dragon.game("tictactoe").start()
    with alphabeta(megabytes=1).open() as run:
        assert run.best(Position(state)).nodes > 1000 > run.best(Position(state)).nodes
        assert run.best(Position(dragon.game("nex(rows=2, cols=2)").start())).value == 1.0
    with alphabeta(megabytes=1).open() as run:
        assert run.best(Position(state)).nodes > 1000


@pytest.mark.parametrize("search", ["montecarlo", "mcts(solver=false)"])
def test_a_limit_of_nodes_ends_where_every_move_ends_the_game(search: str):
    state = dragon.game("nim(pile=1)").start()
    result = dragon.search(search).best(state, Limit(nodes=50))
    assert result.move == 1
    assert result.nodes <= 52


@pytest.mark.full
def test_montecarlo_goes_on_for_as_long_as_it_is_given():
    state = dragon.game("connect4").start()
    result = dragon.search("montecarlo").best(state, Limit(seconds=0.3))
    assert result.extra["simulations"] > 10_000


@pytest.mark.parametrize("spec", ["nim(pile=9)", "tictactoe", "nex(rows=2, cols=3)"])
@pytest.mark.parametrize("jit", ["1", "0"])
def test_a_line_that_mcts_has_proven_keeps_its_value(
    spec: str, jit: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(JIT, "value", jit)
    proven = 0
    for state in positions(spec, 12, shortest=2):
        result = dragon.search("mcts").best(state, Limit(simulations=3000))
        if result.bound is Bound.EXACT:
            end = state
            for move in result.line:
                end = end.after(move)
                assert value_for(end, state.turn) == result.value, (str(state), result.line)
            proven += 1
    assert proven >= 6


def value_for(state: dragon.State[Any], seat: int) -> float:
    if state.turn == dragon.TERMINAL:
        return state.payoff()[seat]
    value = alphabeta().best(state).value
    return value if state.turn == seat else -value
