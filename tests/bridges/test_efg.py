"""Trees as files: an independent reader finds the sets, and the worth of uniform play."""

from __future__ import annotations

import io
import re
from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import dragon
from dragon.bridges.efg import efg, exact, to_gambit, to_liteefg
from dragon.core import TERMINAL, State
from dragon.errors import DragonError
from dragon.search.equilibrium.kernel import VARIANTS
from dragon.search.equilibrium.sequences import flattened
from dragon.search.equilibrium.solution import Solution

UNIFORM = {"kuhn": (12, 0.916667), "leduc": (936, 4.747222)}
"""Information sets, and NashConv of uniform play."""
TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[^\s,]+')


class Reader:
    """The tree of a file: ("c", odds, children), ("p", seat, set, children), ("t", payoffs)."""

    def __init__(self, text: str) -> None:
        head, _, _, *lines = text.splitlines()
        assert head.startswith("EFG 2 R ")
        self.lines = iter(lines)
        self.labels: dict[tuple[int, str], set[str]] = defaultdict(set)
        self.root = self.node()
        assert next(self.lines, None) is None

    def node(self) -> tuple[Any, ...]:
        kind, _, *rest = TOKEN.findall(next(self.lines))
        listed = rest[rest.index("{") + 1 : rest.index("}")]
        if kind == "t":
            return "t", tuple(map(float, listed))
        if kind == "c":
            odds = [Fraction(each) for each in listed[1::2]]
            assert sum(odds) == 1
            return "c", odds, [self.node() for _ in odds]
        assert kind == "p"
        seat, number, label = int(rest[0]) - 1, int(rest[1]), rest[2]
        self.labels[seat, label].add(str(number))
        return "p", seat, number, [self.node() for _ in listed]


def uniform(node: tuple[Any, ...], seat: int) -> float:
    """A seat's payoff where all play uniformly."""
    if node[0] == "t":
        return float(node[1][seat])
    odds = node[1] if node[0] == "c" else [Fraction(1, len(node[3]))] * len(node[3])
    return sum(float(p) * uniform(each, seat) for p, each in zip(odds, node[-1], strict=True))


def best(nodes: list[tuple[float, tuple[Any, ...]]], seat: int) -> float:
    """A seat's highest payoff against uniform play, from nodes that it cannot tell apart."""
    total, sets = 0.0, defaultdict(list)
    while nodes:
        reach, node = nodes.pop()
        if node[0] == "t":
            total += reach * node[1][seat]
        elif node[0] == "p" and node[1] == seat:
            sets[node[2]].append((reach, node[3]))
        else:
            odds = node[1] if node[0] == "c" else [1 / len(node[3])] * len(node[3])
            nodes += [(reach * float(p), each) for p, each in zip(odds, node[-1], strict=True)]
    for alike in sets.values():
        columns = zip(*([(reach, each) for each in moves] for reach, moves in alike), strict=True)
        total += max(best(list(column), seat) for column in columns)
    return total


@pytest.mark.samples("kuhn")
@pytest.mark.parametrize("name", UNIFORM)
def test_a_file_holds_the_game(name: str) -> None:
    sets, nash_conv = UNIFORM[name]
    read = Reader("\n".join(to_gambit(dragon.game(name))))
    assert len(read.labels) == sets
    assert all(len(numbers) == 1 for numbers in read.labels.values())
    found = sum(best([(1.0, read.root)], seat) - uniform(read.root, seat) for seat in (0, 1))
    assert found == pytest.approx(nash_conv, abs=1e-6)


@pytest.mark.parametrize(
    ("name", "iterations", "value"),
    [("kuhn", 300, -1 / 18), pytest.param("leduc", 100, -0.0856, marks=pytest.mark.full)],
)
def test_gambit_reads_the_tree_and_agrees_on_what_play_is_worth(
    name: str, iterations: int, value: float
) -> None:
    gambit = pytest.importorskip(
        "pygambit", "17.0.0b1", reason="Gambit is not installed (pip install --pre pygambit)"
    )
    game = dragon.game(name)
    tree = gambit.read_efg(io.StringIO("\n".join(to_gambit(game))))
    sets = [tree.get_infosets(player) for player in tree.players]
    assert sum(map(len, sets)) == UNIFORM[name][0]
    assert tree.is_perfect_recall
    assert tree.is_const_sum
    solution = Solution(form := flattened(game.start()), VARIANTS["cfr+"])
    solution.improve(iterations)
    known = solution.averages()
    odds = {
        str(view): known.probabilities[first : first + len(moves)].tolist()
        for view, first, moves in zip(form.views, form.first, form.moves, strict=True)
    }

    def view(history: Any) -> str:
        state = game.start()
        for step in history:
            (move,) = [each for each in state.moves() if str(each) == step.action]
            state = state.after(move)
        return str(state.seen(state.turn))

    profile = tree.mixed_behavior_profile([[odds[view(each)] for each in some] for some in sets])
    assert profile.payoffs["first"] == pytest.approx(known.values[0], abs=1e-9)
    assert profile.payoffs["first"] == pytest.approx(value, abs=0.01)
    if name == "kuhn":
        assert gambit.nash.lp_solve(tree).equilibrium.payoffs["first"] == Fraction(-1, 18)


def test_where_nothing_is_hidden_each_node_is_a_set() -> None:
    game = dragon.game("nim(pile=5)")
    text = list(to_gambit(game))

    def size(state: State[Any]) -> int:
        if state.turn == TERMINAL:
            return 1
        return 1 + sum(size(state.after(move)) for move in state.moves())

    assert len(text) - 3 == size(game.start())
    players = [tuple(line.split()[2:4]) for line in text if line.startswith("p ")]
    assert len(set(players)) == len(players)


def test_liteefg_finds_each_node_by_its_path() -> None:
    lines = list(to_liteefg(dragon.game("kuhn")))
    nodes = [line.split() for line in lines if line.startswith("node ")]
    names = {words[1] for words in nodes}
    expected = {"/"}
    for _, name, kind, *rest in nodes:
        if kind == "leaf":
            assert [each.split("=")[0] for each in rest[1:]] == ["1", "2"]
            continue
        mover = "C" if kind == "chance" else f"P{rest[0]}"
        moves = [each.split("=")[0] for each in rest[rest.index("actions") + 1 :]]
        expected |= {f"{name.rstrip('/')}/{mover}:{move}" for move in moves}
    assert names == expected
    sets = [line.split()[3:] for line in lines if line.startswith("infoset ")]
    assert len(sets) == 12
    players = {words[1] for words in nodes if words[2] == "player"}
    assert sorted(name for each in sets for name in each) == sorted(players)


def test_odds_are_fractions_that_sum_to_one() -> None:
    assert sum(exact([0.1] * 10)) == 1
    assert exact([1 / 36, 35 / 36]) == (Fraction(1, 36), Fraction(35, 36))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["chess"], "positions of chess recur"),
        (["connect4"], "1,000,000 are the most"),
        (["ulti"], "a deal of ulti is its start"),
        (["kuhn", "--out", "kuhn.txt"], "has to end in .efg or .game"),
        (["kuhn", "--out", "no/such/kuhn.efg"], "cannot write no/such/kuhn.efg"),
    ],
)
def test_what_cannot_be_written_is_refused(words: list[str], said: str) -> None:
    result = CliRunner().invoke(efg, words)
    said_so = str(result.exception) if isinstance(result.exception, DragonError) else result.output
    assert result.exit_code != 0
    assert said in said_so


def test_the_ending_of_the_file_says_its_form(tmp_path: Path) -> None:
    for name, begin in {"k.efg": "EFG 2 R", "k.game": "# kuhn"}.items():
        assert CliRunner().invoke(efg, ["kuhn", "--out", str(tmp_path / name)]).exit_code == 0
        assert (tmp_path / name).read_text().startswith(begin)
