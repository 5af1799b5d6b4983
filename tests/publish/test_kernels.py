"""Kernels in WebAssembly, run by node.js, against native ones and known counts."""

from __future__ import annotations

import re
from base64 import b64encode
from itertools import islice
from typing import Any

import attrs
import numpy as np
import pytest

import dragon
import dragon.plugins
from dragon.bits import Random
from dragon.core import TERMINAL, Limit
from dragon.errors import ConfigError
from dragon.publish.page import OWN
from dragon.publish.publication import constants, publication
from dragon.publish.wasm import described, module_of
from dragon.publish.writing import LONGEST
from dragon.rules import perft
from dragon.rules.kernels import playout
from dragon.rules.playout import drawn, playouts
from dragon.search.alphabeta import driver as compiled
from dragon.search.alphabeta.depth import horizon, schedule_of, within_line

GAMES = ["tictactoe", "connect4", "reversi", "kalah"]
CHANCE = ["einstein", "two048", "backgammon"]
ALL = [
    "tictactoe", "connect4", "hex(size=5)", "breakthrough", "reversi", "domineering",
    "dots_and_boxes", "checkers", "gomoku", "teeko", "nex(rows=3, cols=3)", "nex(rows=4, cols=4)",
    "nex(rows=3, cols=4, swap=true)", "nex", "peg_solitaire", "sliding", "sokoban",
    "kalah", "morris", "chess", *CHANCE,
]  # fmt: skip
PATHS = {"tictactoe": (6, 54_720), "connect4": (6, 117_649), "reversi": (6, 8_200)}
"""Plies and move paths; of connect four 7**6, as no column is full before and nobody has won."""


def reached(game: Any, rng: np.random.Generator, plies: int) -> Any:
    """A position that is not the end, so many random plies from the start at most."""
    state = game.start()
    for _ in range(rng.integers(0, plies + 1)):
        after = state.play(int(rng.choice(state.moves().codes)))
        if after.turn == TERMINAL:
            break
        state = after
    return state


def record(state: Any) -> str:
    return b64encode(state.data).decode()


@pytest.mark.samples("tictactoe")
@pytest.mark.parametrize("spec", PATHS)
def test_counts_paths_and_plays_out_as_native_code_does(spec: str, node: Any) -> None:
    state = dragon.game(spec).start()
    rules, (depth, paths) = state.rules, PATHS[spec]
    states = np.zeros(depth + 1, rules.layout)
    states[0] = np.frombuffer(state.data, rules.layout)[0]
    memory: dict[str, Any] = {
        "states": states, "codes": np.zeros((depth + 2) * rules.width, np.int64),
        **{name: np.zeros(depth + 1, np.int64) for name in ("first", "last", "at")},
        "out": np.zeros(rules.width, np.int64), "weights": np.zeros(0),
        "random": np.array([7], np.uint64),
        "sums": np.zeros(2, np.int64),
        "squares": np.zeros(2, np.float64),
    }  # fmt: skip
    orders: dict[str, list[Any]] = {
        "perft": ["states", "codes", "first", "last", "at", depth],
        "playouts": ["states", "out", "weights", "random", 500, "sums", "squares"],
    }
    functions = {"perft": perft.count, "playouts": playout.playouts}
    kernels = {k: (f, tuple(memory.get(x, x) for x in orders[k])) for k, f in functions.items()}
    module = module_of(rules, kernels)
    asked = [
        {"ask": "called", "kernel": name, "memory": described(memory), "given": given,
         "shown": ["sums", "squares"]}
        for name, given in orders.items()
    ]  # fmt: skip
    about = {"end": module.end, "failures": module.failures}
    counted, played = node(module, about, asked)
    assert counted["value"] == paths == dragon.perft(state, depth)
    totals = playouts(state, 500, Random(7))
    assert played["value"] == totals.plies
    assert played["shown"] == [list(totals.sums), list(totals.squares)]


def line_text(state: Any, line: Any) -> list[str]:
    """A line as a page writes it."""
    notation, texts, words = state.rules.notation, [], np.zeros(LONGEST, np.int64)
    for move in line:
        texts.append(str(move))
        if notation.spell is not None:
            count = notation.spell(state.view, state.code(str(move)), 0, words)
            texts[-1] = "".join(notation.vocabulary[word] for word in words[:count])
        state = state.after(move)
    return texts


def check_searches(
    spec: str, searches: list[str], node: Any, count: int, nodes: int, plies: int = 20
) -> None:
    """Native and published searches of random positions agree, to the node."""
    game, rng = dragon.game(spec), np.random.default_rng(2)
    asked, native = [], []
    made = publication(game, map(dragon.search, searches))
    for _ in range(count):
        state = reached(game, rng, plies)
        for name in searches:
            limit, seed = Limit(nodes=int(rng.integers(1, nodes))), int(rng.integers(1000))
            drawn = int(np.random.default_rng(seed).integers(1 << 63))  # as searches draw theirs
            asked.append({"ask": "searched", "search": name, "record": record(state),
                          "limit": {"nodes": limit.nodes}, "seed": str(drawn)})  # fmt: skip
            by = attrs.evolve(dragon.search(name), megabytes=32.0)
            best = by.best(state, limit, seed)
            native.append((best, line_text(state, best.line)))
    for found, (best, line) in zip(node(made.module, made.about, asked), native, strict=True):
        assert (found["value"], found["bound"]) == (best.value, str(best.bound))
        assert (found["line"], found["nodes"]) == (line, best.nodes)
        assert found["extra"].items() <= best.extra.items()


SEARCHED = {
    "alphabeta": ("connect4", "kalah"),
    "mcts": ("connect4", "kalah", "reversi"),
    "mcts(style='strong')": ("connect4", "kalah"),
}
"""Games in which a default run compares them: together they have each optional rule of `GAMES`.

Connect four has `key`, `order`, `reduce` and `solved`; kalah `banked` and `bounds`, and a seat that
moves again; reversi has a `sample`, which playouts ask for, and passes. Tic-tac-toe has none.
"""


@pytest.mark.samples("mcts-connect4")
@pytest.mark.parametrize(
    ("search", "spec"),
    [
        pytest.param(search, spec, marks=[] if spec in games else pytest.mark.full)
        for search, games in SEARCHED.items()
        for spec in GAMES
    ],
)
def test_searches_as_native_code_does(search: str, spec: str, node: Any) -> None:
    check_searches(spec, [search], node, 5, 4000)


@pytest.mark.full
@pytest.mark.parametrize("spec", ["connect4", "reversi", "hex(size=8)", "chess"])
def test_iterations_go_to_the_same_depths(spec: str, node: Any) -> None:
    game, settings = dragon.game(spec), ("", "deepening=true", "deepening=false", "depth=9")
    searches: list[Any] = [dragon.search(f"alphabeta({each})") for each in settings]
    made = publication(game, searches)
    limits = [None, 1, 4 * 7**4 - 1, 4 * 7**4, 10**9]
    asked = [
        {"ask": "scheduled", "count": 40, "limit": {} if nodes is None else {"nodes": nodes}}
        for nodes in limits
    ]
    for nodes, found in zip(limits, node(made.module, made.about, asked), strict=True):
        limit = Limit(nodes=nodes)
        own = [
            [*islice(schedule_of(search, state).depths(horizon(search, limit), limit), 40)]
            for state in [game.start()]
            for search in (within_line(each, state) for each in searches)
        ]
        assert found == own
    if spec == "connect4":
        assert (found[0][:3], found[2], found[3]) == ([8, 16, 32], [1 << 30], [8, 9])


def test_scripts_take_their_numbers_from_python() -> None:
    groups, taken = constants(), set[str]()
    for file in sorted(OWN.glob("*.js")):
        text = file.read_text(encoding="utf-8")
        for names, group in re.findall(r"\{ ([\w, ]+) \} = ([A-Z]{2,})\b", text):
            taken |= {f"{group}.{name}" for name in names.split(", ")}
        restated = re.findall(r"\b([A-Z_]{3,}) = -?\d", text)
        assert not {*restated} & {name for group in groups.values() for name in group}, file.name
    own = {f"{group}.{name}" for group, held in groups.items() for name in held}
    assert taken == own, "each is read by a script, and no other"


@pytest.mark.full
def test_a_table_grows_as_in_native_code(node: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "FIRST_MEGABYTES", 0.002)
    check_searches("connect4", ["alphabeta"], node, 10, 20_000)


@pytest.mark.full
@pytest.mark.parametrize(
    "spec", [CHANCE[0], *(pytest.param(each, marks=pytest.mark.full) for each in CHANCE[1:])]
)
def test_games_of_chance_are_searched_and_rolled_as_native_code_does(spec: str, node: Any) -> None:
    check_searches(spec, ["alphabeta", "mcts"], node, 6, 4000)
    check_rules(spec, node)


@pytest.mark.full
@pytest.mark.parametrize("spec", ALL)
def test_searches_60_positions_as_native_code_does(spec: str, node: Any) -> None:
    check_searches(spec, ["alphabeta", "mcts"], node, 60, 20_000, 40)


@pytest.mark.samples("connect4")
@pytest.mark.parametrize("spec", GAMES)
def test_rules_in_the_browser_are_those_of_the_game(spec: str, node: Any) -> None:
    check_rules(spec, node)


def check_rules(spec: str, node: Any) -> None:
    """Native and published rules agree in random positions, and in one that ends a game."""
    game, rng = dragon.game(spec), np.random.default_rng(3)
    made = publication(game, [])
    states = [reached(game, rng, 12) for _ in range(5)]
    end = states[0]
    while end.turn != TERMINAL:
        end = end.play(int(rng.choice(end.moves().codes)))
    states.append(end)
    found = node(made.module, made.about, [{"ask": "ruled", "record": record(s)} for s in states])
    for one, state in zip(found, states, strict=True):
        moves = [] if state.turn == TERMINAL else state.moves().codes.tolist()
        payoff = list(state.payoff()) if state.turn == TERMINAL else None
        assert (one["turn"], one["moves"], one["payoff"]) == (state.turn, moves, payoff)
        assert one["after"] == [record(state.play(move)) for move in moves]
        seeds = range(50 if state.turn == dragon.CHANCE else 0)
        assert one["rolled"] == [drawn(state, Random(seed)) for seed in seeds]


PUBLISHED = {
    "backgammon", "breakthrough", "checkers", "chess", "connect4", "domineering", "dots_and_boxes",
    "einstein", "gomoku", "hex", "kalah", "morris", "nex", "peg_solitaire", "reversi", "sliding",
    "sokoban", "teeko", "tictactoe", "two048",
}  # fmt: skip
"""The installed games that can be published as they are."""


@pytest.mark.full
@pytest.mark.budget(120)  # it compiles every game
def test_every_installed_game_is_played_in_the_browser_or_says_why_not(node: Any) -> None:
    published, reasons, rng = set(), [], np.random.default_rng(7)
    for name in sorted(dragon.plugins.games()):
        try:
            game = dragon.game(name)
            made = publication(game, [])
        except ConfigError as refused:
            reasons.append(str(refused))
            continue
        published.add(name)
        asked, states = [], []
        state = game.start()
        while state.turn != TERMINAL and len(states) < 60:
            states.append(state)
            asked.append({"ask": "ruled", "record": record(state)})
            state = state.play(int(rng.choice(state.moves().codes)))
        for one, here in zip(node(made.module, made.about, asked), states, strict=True):
            codes = here.moves().codes.tolist()
            assert (one["turn"], one["moves"]) == (here.turn, codes), name
            assert one["after"] == [record(here.play(code)) for code in codes], name
    assert published == PUBLISHED
    assert all(len(each.splitlines()) == 1 for each in reasons)


def test_memory_that_a_browser_does_not_give_is_reported(node: Any) -> None:
    made = publication(dragon.game("tictactoe"), [])
    asked = [{"ask": "short", "bytes": size} for size in (1 << 20, 5 << 30)]
    enough, short = node(made.module, made.about, asked)
    assert enough["at"] >= made.module.end
    assert re.fullmatch(
        r"The browser gives this page no more memory: \d+ MB are needed\.", short["wrong"]
    )
