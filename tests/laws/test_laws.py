"""Every law over every installed game and search: `test_law_moves_are_distinct[nex-3x3]`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dragon
from dragon import TERMINAL
from dragon.laws import (
    COMPILED_LAWS,
    GAME_LAWS,
    LAWS,
    SEARCH_LAWS,
    check_game,
    check_search,
    states,
)

HANDS = Path(__file__).parents[1] / "oracles" / "hands"
SAMPLES = {
    "nim": "nim",
    "nim-1": "nim(pile=1)",
    "tictactoe": "tictactoe",
    "connect4": "connect4",
    "backgammon": "backgammon",
    "breakthrough-4x3": "breakthrough(rows=4, columns=3)",
    "breakthrough": "breakthrough",
    "checkers": "checkers",
    "chess": "chess",
    "domineering-2x3": "domineering(rows=2, columns=3)",
    "domineering-7x9": "domineering(rows=7, columns=9)",
    "domineering": "domineering",
    "dots-and-boxes-1x2": "dots_and_boxes(rows=1, columns=2)",
    "dots-and-boxes-4x4": "dots_and_boxes(rows=4, columns=4)",
    "einstein": "einstein",
    "gomoku": "gomoku(rows=4, columns=5, line=3)",
    "kalah": "kalah",
    "kalah-1": "kalah(pits=1, seeds=2)",
    "morris": "morris",
    "reversi-4": "reversi(size=4)",
    "reversi": "reversi",
    "teeko": "teeko",
    "two048": "two048(goal=64)",
    "hex-2": "hex(size=2)",
    "hex-3": "hex(size=3)",
    "hex-5": "hex(size=5)",
    "hex-11": "hex",
    "kuhn": "kuhn",
    "leduc-1": "leduc(suits=1, raises=1)",
    "liars-dice-2": "liars_dice(faces=2)",
    "goofspiel-2": "goofspiel(cards=2)",
    "phantom": "phantom",
    "phantom-hex-2": "phantom(board='hex(size=2)')",
    "nex-3x3": "nex(rows=3, cols=3)",
    "nex-2x4-swap": "nex(rows=2, cols=4, swap=true)",
    "nex-3x2-late-fill": "nex(rows=3, cols=2, transforms='without-generates', ending='fill')",
    "nex-5x4": "nex(rows=5, cols=4)",
    "cover": f"cover(file={str(Path(__file__).parents[1] / 'oracles' / 'cover_colours.txt')!r})",
    "hands": "hands",
    "hands-free": f"hands(file={str(HANDS / 'small.yaml')!r}, hand=3)",
    "dominoes-3x4": "dominoes(rows=3, cols=4)",
    "dominoes-4x4-mutilated": "dominoes(rows=4, cols=4, mutilated=true)",
    "langford-4": "langford(n=4)",
    "latin-3": "latin(n=3)",
    "peg-solitaire-european": "peg_solitaire(board='european', empty='c4', goal='')",
    "pentominoes-3x20": "pentominoes(rows=3, cols=20)",
    "polyominoes-4x4": "polyominoes",
    "polyominoes-free": "polyominoes(area='3x3?', pieces='0:2 V3, I2')",
    "pokemon-2": "pokemon(gen=2, side='attack', limit=4, locations=['Azalea Town'])",
    "pokemon-7-moves": "pokemon(gen=7, side='attack', moves=true, locations=['Lush Jungle'])",
    "pokemon-9-best": "pokemon(mode='best', locations=['Cortondo'])",
    "queens-5": "queens(n=5)",
    "sliding-2x2": "sliding(rows=2, columns=2, most=4)",
    "sliding-2x3": "sliding(rows=2, columns=3, gap='first')",
    "sokoban": "sokoban(level='#######|#@$ .##|#  $ .#|#     #|#######', most=9)",
    "small-world-1": "small_world(bridges=1)",
    "small-world-2": "small_world(filters=['level=2'], question='zero', exclude_deck=true)",
    "soma": "soma",
    "sudoku": "sudoku",
    "sudoku-4": "sudoku(grid='1.....3.........')",
    "ulti": "ulti",
    "ulti-betli": "ulti(contract='betli', rules='original')",
    "ulti-hidden": "ulti(cards='hidden')",
    "ulti-hidden-marriages": "ulti(contract='party', trump='A', marriages=true, cards='hidden')",
    "ulti-hidden-original": "ulti(contract='twenty_hundred', rules='original', cards='hidden')",
    "ulti-marriages": "ulti(contract='party', trump='A', marriages=true)",
    "ulti-points": "ulti(contract='forty_hundred', trump='B', objective='points')",
    "ulti-ulti-durchmars": "ulti(contract='ulti+durchmars_trump', trump='L')",
}
POSED = ("nim", "tictactoe", "connect4", "hex-3", "kuhn", "nex-3x3", "queens-5",
         "pokemon-9-best", "small-world-2", "ulti-hidden", "ulti-points", "hands-free",
         "dots-and-boxes-1x2", "sliding-2x2")  # fmt: skip
"""What searches are tried on."""
SEARCHES = {
    "nextable": "nextable",
    "determinize": "determinize(search='exhaustive', samples=8)",
    "determinize-solved": "determinize(search='alphabeta(megabytes=1)', samples=3)",
    "determinize-default": "determinize(samples=3)",
    "determinize-trees": "determinize(search='mcts(megabytes=1)', samples=4)",
    "determinize-vote": "determinize(search='mcts(megabytes=1)', samples=4, vote=true)",
    "random": "random",
    "exhaustive": "exhaustive",
    "negamax": "negamax",
    "negamax-2": "negamax(depth=2)",
    "alphabeta": "alphabeta(megabytes=1)",
    "alphabeta-bare": "alphabeta(table=false, deepening=false, pvs=false, aspiration=false, "
    "killers=false, history=false, order=false, sooner=false, reduce=false, bounds=false, "
    "solved=false, depth=4)",
    "alphabeta-shuffle": "alphabeta(megabytes=1, shuffle=true)",
    "greedy": "greedy",
    "mcts": "mcts(megabytes=1)",
    "mcts-policies": "mcts(megabytes=1, selection='puct', playout='nst', decisive=true, fpu=0.4, "
    "solver=false)",
    "mcts-grave": "mcts(megabytes=1, selection='grave', ref=8)",
    "montecarlo": "montecarlo(simulations=200)",
    "nmcs": "nmcs(simulations=200)",
    "nrpa": "nrpa(iterations=10)",
    "algorithm_x": "algorithm_x",
    "antithetic": "antithetic(simulations=200)",
    "count": "count",
    "dancing_cells": "dancing_cells",
    "astar": "astar(megabytes=1)",
    "beam": "beam(width=3, megabytes=1)",
    "breadth": "breadth(megabytes=1)",
    "idastar": "idastar",
    "idastar-table": "idastar(table=true, megabytes=1, patterns=false)",
    "dfpn": "dfpn(megabytes=1)",
    "dfpn-bare": "dfpn(megabytes=0.001, epsilon=0, weak=false, order=false, reduce=false, "
    "bounds=false)",
    "dlx": "dlx",
    "engine": "engine",  # objects to every game without a program; tests/gtp/test_client.py has one
    "lines": "lines",  # objects likewise; tests/bridges/test_lines.py has programs
    "stratified": "stratified(simulations=200)",
    "cfr": "cfr",
    "ismcts": "ismcts(megabytes=1)",
    "mccfr": "mccfr(megabytes=1)",
    "mccfr-outcome": "mccfr(sampling='outcome', megabytes=1)",
    "policy": "policy",  # objects without a file; tests/search/test_equilibrium.py has some
    "table": "table",  # objects without a kept table; tests/search/test_table_search.py has some
}


def test_every_installed_game_and_search_is_tried() -> None:
    tried = {dragon.game(spec).name for spec in SAMPLES.values()}
    assert tried == set(dragon.games())
    assert {dragon.search(spec).name for spec in SEARCHES.values()} == set(dragon.searches())


GAMES = {name: dragon.game(spec) for name, spec in SAMPLES.items()}
BORNE = [
    (name, game)
    for name, search in {name: dragon.search(spec) for name, spec in SEARCHES.items()}.items()
    for game in POSED
    if not search.objection(GAMES[game])
]
"""Searches, and games that they do not object to."""
KINDS = ("nim", "tictactoe", "einstein", "kuhn", "queens-5", "sliding-2x2", "hands-free")
"""One game of each kind: of these a default run tries the laws."""
SEARCHED = ("tictactoe", "sliding-2x2", "queens-5", "kuhn")
"""The default run tries a search with its own settings on the first of these to which it does not
object."""


SECOND = {"antithetic", "nmcs"}
"""Searches that resemble another, `stratified` and `montecarlo`, which the default run tries."""


def by_default(search: str, game: str) -> bool:
    """Return True for the pairs of a default run."""
    games = [other for name, other in BORNE if name == search]
    first = next(filter(games.__contains__, SEARCHED), games[0])
    return "-" not in search and search not in SECOND and game == first


def _case(*names: str, default: bool) -> Any:
    return pytest.param(*names, id="-".join(names), marks=[] if default else pytest.mark.full)


def _game_test(law: Any) -> Any:
    games = [
        _case(name, default=name in KINDS) for name, game in GAMES.items() if law.applies(game)
    ]

    @pytest.mark.parametrize("name", games)
    def test(name: str) -> None:
        law(dragon.game(SAMPLES[name]))

    return test


def _search_test(law: Any) -> Any:
    pairs = [
        _case(search, game, default=by_default(search, game))
        for search, game in BORNE
        if law.applies(GAMES[game])
    ]

    @pytest.mark.parametrize(("search", "game"), pairs)
    def test(search: str, game: str) -> None:
        law(dragon.search(SEARCHES[search]), dragon.game(SAMPLES[game]))

    return test


for each in GAME_LAWS + COMPILED_LAWS:
    globals()[f"test_{each}"] = _game_test(each)
for each in SEARCH_LAWS:
    globals()[f"test_{each}"] = _search_test(each)


@pytest.mark.parametrize("law", LAWS, ids=str)
def test_a_law_is_one_sentence(law: Any) -> None:
    assert law.name.startswith("law_")
    assert law.sentence.endswith(".")
    assert ". " not in law.sentence


@pytest.mark.full
def test_check_game_gives_a_verdict_for_each_law_that_applies() -> None:
    verdicts = list(check_game(dragon.game("nim")))
    assert [v.law for v in verdicts] == [
        str(law) for law in GAME_LAWS if law.applies(dragon.game("nim"))
    ]
    assert all(v.passed and not v.message for v in verdicts)
    numbered = dragon.game("gomoku(rows=3, columns=3, line=3)")
    speaking = [law for law in GAME_LAWS + COMPILED_LAWS if law.applies(numbered)]
    assert {law for law in COMPILED_LAWS if law.applies(numbered)} < set(speaking)
    assert {law for law in COMPILED_LAWS if not law.applies(numbered)} == {
        law for law in COMPILED_LAWS if any(word in str(law) for word in ("chains", "views"))
    }
    assert len(list(check_game(numbered))) == len(speaking)


def test_check_search_gives_a_verdict_for_each_law_that_applies() -> None:
    verdicts = list(check_search(dragon.search("negamax"), dragon.game("nim")))
    assert [v.law for v in verdicts] == [
        str(law) for law in SEARCH_LAWS if law.applies(dragon.game("nim"))
    ]
    assert all(v.passed for v in verdicts)


@given(st.data())
@settings(max_examples=25)
def test_the_strategy_draws_states_that_play_can_reach(data: st.DataObject) -> None:
    game = dragon.game("tictactoe")
    state = data.draw(states(game))
    placed = sum(letter in "XO" for letter in str(state)[:-2])
    assert game.parse(str(state)) == state
    assert state.turn in (TERMINAL, placed % 2)


def test_the_strategy_reaches_ends_and_shrinks_to_the_start() -> None:
    from hypothesis import find

    game = dragon.game("nim(pile=4)")
    assert find(states(game), lambda state: True) == game.start()
    assert find(states(game), lambda state: state.turn == TERMINAL).moves() == ()
