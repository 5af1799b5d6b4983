"""Selections and playouts of mcts: what each is by its paper, and that both forms ask the same."""

from __future__ import annotations

import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from attrs import evolve, frozen

import dragon
from dragon import Limit, PluginError, Rules
from dragon.bits import Random
from dragon.cli_tools import chosen_search
from dragon.laws.searches import all_said
from dragon.modes import JIT
from dragon.rules.layout import readable
from dragon.rules.record import RecordState
from dragon.search import mcts
from dragon.search.mcts.driver import Tree
from dragon.search.mcts.playouts import mast, nst
from dragon.search.mcts.policies import names
from dragon.search.mcts.search import MCTS
from dragon.search.mcts.selections import kl_ucb, progressive_history, puct, ucb1_tuned
from dragon.search.mcts.statistics.history import GRAMS, pair, slot_of, triple
from dragon.search.mcts.statistics.priors import PARTS, SHARP, divide, units_for, weigh
from dragon.search.mcts.tree import VALUE
from dragon.search.move_ordering import HISTORY
from tests.rules.gather import WORTH, Gather

GATHER = Gather(chance=True)
"""The kernels of a few sets of settings for it do for all tests."""
RUN = SimpleNamespace(c=0.5, weight=3.0, epsilon=0.0, largest=1, seats=2)


def grown(state: Any, simulations: int, **settings: Any) -> Tree:
    """A compiled tree of this number of simulations."""
    assert isinstance(state, RecordState)
    tree = Tree(MCTS(**settings), state, None, 5, None)
    tree.advance(simulations, 1 << 60, lambda: False)
    return tree


# ---- in general


@pytest.mark.parametrize("kind", ["selections", "playouts"])
def test_the_tree_does_not_know_the_names_of_policies(kind: str) -> None:
    here = Path(mcts.__file__).parent
    assert len(names(kind)) >= 3
    for file in ("kernel", "driver", "interpreted", "tree"):
        text = (here / f"{file}.py").read_text(encoding="utf-8")
        assert f"mcts.{kind}" not in text
        for name in names(kind):
            assert f'"{name}"' not in text


@pytest.mark.samples("selection='grave'*")
@pytest.mark.parametrize(
    "settings",
    [
        "selection='puct', playout='nst', decisive=true, fpu=0.4",
        "selection='progressive_history', playout='mast', reduce_playouts=true",
        "selection='ucb1_tuned', fpu=1.1, solver=false, cut=2, minimax=0.3",
        "selection='grave', ref=6, playout='nst', epsilon=0",
        "selection='kl_ucb', c=0.5",
    ],
)
def test_both_forms_grow_the_same_tree(settings: str) -> None:
    search, limit, game = dragon.search(f"mcts({settings})"), Limit(simulations=200), GATHER
    fast = all_said(search, game.start(), limit, seed=3)
    with JIT.under("0"):
        assert all_said(search, game.start(), limit, seed=3) == fast


def test_nodes_that_keep_more_fill_the_memory_sooner() -> None:
    assert MCTS(megabytes=1).room() == 1_000_000 // 64
    assert MCTS(megabytes=1, selection="puct").room() == 1_000_000 // 72


# ---- selections


def test_ucb1_tuned_measures_how_payoffs_vary() -> None:
    """Four wins in 10 visits of 100: by the variance, its margin, and 1/4 at most."""
    child, shared = SimpleNamespace(squares=4.0, visits=10), math.log(100)
    margin = math.sqrt(2 * math.log(100) / 10)
    expected = 0.4 + 0.5 * math.sqrt(math.log(100) / 10 * min(0.25, 0.4 - 0.16 + margin))
    assert ucb1_tuned.score(None, None, child, 0.4, False, shared, RUN) == pytest.approx(expected)
    many = SimpleNamespace(squares=0.0, visits=10_000)  # losses all: only the margin is left
    bound = math.sqrt(math.log(100) / 10_000 * math.sqrt(2 * math.log(100) / 10_000))
    assert ucb1_tuned.score(None, None, many, 0.0, False, shared, RUN) == pytest.approx(bound / 2)


@pytest.mark.full
def test_squares_are_those_of_payoffs() -> None:
    """Hex has no draws, so that the sum of squares is the number of wins."""
    tree = grown(dragon.game("hex(size=2)").start(), 300, selection="ucb1_tuned", solver=False)
    nodes = tree.m.tree[: tree.size]
    assert (nodes["visits"] > 50).sum() > 3
    assert nodes["squares"].tolist() == ((nodes["visits"] + nodes["total"]) / 2).tolist()


def test_progressive_history_fades_with_the_losses_of_a_move() -> None:
    history = np.zeros(2 * HISTORY, readable(VALUE))
    history[slot_of(1, 7)] = 2, 8  # 5 wins and 3 losses
    m, node = SimpleNamespace(history=history), SimpleNamespace(seat=1)
    child = SimpleNamespace(code=7, visits=10, spread=np.float32(1 / math.sqrt(10)))
    shared = progressive_history.share(SimpleNamespace(visits=100), RUN)
    expected = 0.4 + 0.5 * math.sqrt(math.log(100) / 10) + 3 * (5 / 8) / (6 + 1)
    score = progressive_history.score(m, node, child, 0.4, False, shared, RUN)
    assert score == pytest.approx(expected)


@pytest.mark.parametrize(("own", "visits"), [(0.0, 5), (0.3, 10), (0.5, 200), (0.97, 40), (1.0, 3)])
def test_kl_ucb_is_the_last_mean_that_visits_allow(own: float, visits: int) -> None:
    shared = kl_ucb.share(SimpleNamespace(visits=100), RUN)
    child = SimpleNamespace(visits=visits)
    found = kl_ucb.score(None, None, child, own, False, shared, RUN)

    def allowed(q: float) -> bool:
        sides = ((own, q), (1 - own, 1 - q))
        return visits * sum(a * math.log(a / b) for a, b in sides if a > 0) <= 0.5 * math.log(100)

    expected = max(q for q in np.linspace(own, 1 - 1e-6, 20_001) if allowed(float(q)))
    assert found == pytest.approx(expected, abs=1e-3)
    assert kl_ucb.score(None, None, child, own, True, shared, RUN) == own


def test_puct_explores_by_the_prior() -> None:
    child = SimpleNamespace(prior=0.3, visits=4)
    shared = puct.share(SimpleNamespace(visits=100), RUN)
    assert puct.score(None, None, child, 0.4, False, shared, RUN) == pytest.approx(
        0.4 + 0.5 * 0.3 * 10 / 5
    )


def test_priors_are_what_the_game_says_divided_by_their_sum() -> None:
    settings = {"selection": "puct", "playout": "nst", "decisive": True, "fpu": 0.4}
    tree = grown(GATHER.start().after("c"), 1, reduce=False, **settings)
    said = {int(node["code"]): float(node["prior"]) for node in tree.m.tree[1:5]}
    assert said == pytest.approx({0: 1 / 6, 1: 2 / 6, 3: 1 / 6, 4: 2 / 6})  # worth 1, 2, 1, 2


def test_an_order_gives_priors_by_how_far_apart_its_numbers_are() -> None:
    for scores in ([10, -10, 0], [3_000_000, 1_000_000, 2_000_000]):
        weights = [0.0] * 3
        weigh(scores, weights, 3)
        divide(weights, 3)
        assert sum(weights) == pytest.approx(1)
        assert weights[0] / weights[1] == pytest.approx(math.exp(SHARP))
        assert weights[0] / weights[2] == pytest.approx(math.exp(SHARP / 2))
    equal = [0.0] * 4
    weigh([5, 5, 5, 5], equal, 4)
    assert len(set(equal)) == 1


@pytest.mark.full
def test_first_play_urgency_says_when_another_move_is_tried() -> None:
    """Below every mean it is never another move's turn, above every score always."""
    start = dragon.game("hex(size=2)").start()
    lazy = grown(start, 40, fpu=0.0, c=0.0, solver=False).children()
    eager = grown(start, 4, fpu=10.0, solver=False).children()
    assert lazy.visits.max() >= 38
    assert eager.visits.tolist() == [1, 1, 1, 1]


# ---- evaluations


def minimax(state: Any) -> float:
    """Give seat 0's payoff at best play, as a share of the largest one."""
    if state.turn == dragon.TERMINAL:
        return float(state.payoff()[0] / state.largest)
    values = [minimax(state.after(move)) for move in state.moves()]
    return max(values) if state.turn == 0 else min(values)


def test_guesses_below_a_state_come_to_its_minimax_value() -> None:
    """They come to its true value where the tree has all of a game, and to that move."""
    start, settings = GATHER.start().after("a"), {"selection": "ucb1_tuned", "fpu": 9.0}
    tree = grown(start, 3000, minimax=0.3, cut=99, c=9.0, solver=False, reduce=False, **settings)
    first = tree.m.tree[1:5]
    assert (first["visits"] > 100).all()
    for node in first:
        after = start.after("abcde"[node["code"]])
        assert node["evaluation"] == (minimax(after) if start.turn == 0 else -minimax(after))


def test_a_playout_that_is_cut_short_pays_what_the_evaluation_says() -> None:
    """Gather guesses a sixteenth for each point, and eight units are all there is to win."""
    start, settings = GATHER.start().after("a"), {"selection": "ucb1_tuned", "fpu": 9.0}
    search = MCTS(minimax=1e-9, cut=0, c=9.0, solver=False, reduce=False, **settings)  # type: ignore[arg-type]
    tree = Tree(search, start, 1, 5, None)
    tree.advance(4000, 1 << 60, lambda: False)
    assert tree.nodes == 4000
    children = tree.children()
    assert children.visits.min() > 500
    for i, key in enumerate(children.keys):
        assert children.mean(i) == pytest.approx(WORTH[key] / 2, abs=0.1)


@pytest.mark.parametrize("guess", [0.3, -0.3, 1.0, -0.99, 0.0])
def test_whole_units_are_on_average_what_was_guessed(guess: float) -> None:
    units = [units_for(guess, part, 3) for part in range(0, PARTS, 1 << 10)]
    assert sum(units) / len(units) == pytest.approx(3 * guess, abs=0.01)
    assert [units_for(-guess, part, 3) for part in range(0, PARTS, 1 << 10)] == [-n for n in units]


def test_a_game_without_an_evaluation_plays_out() -> None:
    state, limit = dragon.game("tictactoe").start(), Limit(simulations=200)
    usual = dragon.search("mcts").best(state, limit, seed=1)
    asked = dragon.search("mcts(cut=1, minimax=0.5)").best(state, limit, seed=1)
    assert (asked.nodes, asked.value, asked.extra) == (usual.nodes, usual.value, usual.extra)


# ---- styles


def test_a_style_is_its_settings_where_they_are_usual() -> None:
    connect4, hex9 = dragon.game("connect4").start(), dragon.game("hex(size=9)").start()
    assert MCTS(style="grave", c=0.5).fitted(connect4) == MCTS(selection="grave", c=0.5)
    assert MCTS(style="grave", selection="wins").fitted(hex9) == MCTS(selection="wins")
    assert MCTS().fitted(hex9) == MCTS()


def test_the_strong_style_is_that_of_the_game() -> None:
    strong = MCTS(style="strong")
    assert strong.fitted(dragon.game("hex(size=9)").start()) == MCTS(selection="grave")
    assert strong.fitted(dragon.game("hex(size=5)").start()) == MCTS(selection="grave")
    assert strong.fitted(dragon.game("connect4").start()) == MCTS(selection="puct", decisive=True)
    morris = dragon.game("morris").start()
    assert strong.fitted(morris) == MCTS(selection="grave", cut=4, minimax=0.4)
    assert MCTS(style="strong", cut=9).fitted(morris) == MCTS(selection="grave", cut=9, minimax=0.4)
    assert MCTS(style="grave").fitted(morris) == MCTS(selection="grave")


@frozen
class Named(Gather):
    """Its rules name the style that is strong at it."""

    style: str = "puct"

    def rules(self) -> Rules:
        return evolve(super().rules(), style=self.style)


def test_rules_may_name_the_strong_style() -> None:
    strong = MCTS(style="strong")
    assert [strong.fitted(Named(style=s).start()).selection for s in ("puct", "grave")] == [
        "puct", "grave",
    ]  # fmt: skip
    with pytest.raises(PluginError, match="name the style 'best'; write one of grave, puct"):
        strong.fitted(Named(style="best").start())


@pytest.mark.parametrize("spec", ["connect4", "kuhn", "ulti"])
def test_strong_is_a_player_of_every_game(spec: str) -> None:
    game = dragon.game(spec)
    found = chosen_search("strong", game)
    assert "style='strong'" in str(found).replace('"', "'")
    assert found.objection(game) is None


# ---- playouts


def known(**values: tuple[int, int]) -> Any:
    """The memory of a playout with what is known of moves 0 to 4 of seat 1."""
    m = SimpleNamespace(random=Random(3).state, out=[0, 1, 2, 3, 4], played=[slot_of(0, 9)] * 2)
    m.history = np.zeros(2 * HISTORY, readable(VALUE))
    m.grams = np.zeros(2 * GRAMS, readable(VALUE))
    for i in range(5):
        m.history[slot_of(1, i)] = values.get(f"move{i}", (-10, 10))
    return m


def chosen(policy: Any, m: Any, epsilon: float = 0.0, ply: int = 2) -> set[int]:
    """The moves that it draws."""
    run = SimpleNamespace(epsilon=epsilon, largest=1)
    return {policy.choose(m, 5, 1, ply, run) for _ in range(60)}


def test_mast_plays_what_did_best_but_for_a_share_of_random_moves() -> None:
    m = known(move3=(2, 10), move1=(1, 10))
    assert chosen(mast, m) == {3}
    assert chosen(mast, m, epsilon=1.0) == {0, 1, 2, 3, 4}
    assert chosen(mast, known(move2=(0, 0), move3=(9, 10))) == {2}  # never played: a win
    assert chosen(mast, known(move2=(5, 10), move4=(50, 100))) == {2, 4}


def test_nst_asks_what_a_move_was_worth_after_the_last_ones() -> None:
    m, before = known(move3=(8, 10)), slot_of(0, 9)
    assert chosen(nst, m) == {3}
    m.grams[pair(before, slot_of(1, 1))] = 20, 20
    assert chosen(nst, m) == {3}  # 1 as likely wins after that: (0 + 1) / 2 < 0.9
    m.grams[triple(before, before, slot_of(1, 1))] = 6, 6
    m.history[slot_of(1, 1)] = 8, 10
    assert chosen(nst, m) == {1}  # (0.9 + 1) / 2 > 0.9; the triple has not been seen enough
    m.grams[triple(before, before, slot_of(1, 1))] = -40, 40
    assert chosen(nst, m) == {3}  # (0.9 + 1 + 0) / 3
    assert chosen(nst, m, ply=1) == {1}


@pytest.mark.full
def test_the_history_has_every_ply_and_every_two_and_three_in_a_row() -> None:
    """A game of gather has five plies, the first of them chance's, which is none of a seat."""
    tree = grown(GATHER.start(), 100, selection="grave", playout="nst", solver=False)
    assert tree.m.history["visits"].sum() == 100 * 4
    assert tree.m.grams["visits"][:GRAMS].sum() == 100 * 3
    assert tree.m.grams["visits"][GRAMS:].sum() == 100 * 2


def test_a_decisive_move_is_the_only_one() -> None:
    """In the tree and in playouts a move that wins at once is played."""
    won = dragon.game("connect4").start()
    for move in ("1", "7", "1", "7", "1", "6"):
        won = won.after(move)
    tree = grown(won, 1, decisive=True)
    assert tree.m.tree[0]["count"] == 1
    assert tree.move(tree.children().keys[0]) == "1"
    assert tree.nodes == 1
    quiet = dragon.game("connect4").start()
    assert grown(quiet, 1, decisive=True).m.tree[0]["count"] == 7
