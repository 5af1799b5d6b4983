"""Positions after the end: a side that is to move has not won, and both sides never have."""

from __future__ import annotations

from itertools import product

import pytest

import dragon
from dragon import TERMINAL, BadNotation

EMPTY_ROWS = "/.......".join([""] * 5)[1:]
BOTH = {
    "tictactoe": "XXX/OOO/... X",
    "connect4": f"{EMPTY_ROWS}/OOOO.../XXXX... X",
    "gomoku(rows=5, columns=5)": "XXXXX/OOOOO/...../...../..... X",
    "teeko": "XXXX./OOOO./...../...../..... X ply=8",
    "breakthrough(rows=4, columns=2)": "W./../../.B W",
    "morris": "X.....X/......./......./......./......./......./O..O... X placed=18",
    "checkers": "/".join(["." * 8] * 8) + " B",
    "einstein": "a..../...../...../...../....1 X",
    "backgammon": f"men={','.join('0' * 50)} dice=0,0,0,0,0,0 seat=0 ply=5",
}  # fmt: skip
BEFORE = {
    "tictactoe": "XXX/OO./O.. X",
    "connect4": f"{EMPTY_ROWS}/OOO..../XXXXO.. X",
    "gomoku(rows=5, columns=6)": "XXXXX./OOOO../.....O/....../...... X",
    "hex(size=3)": "X.O/X.O/XO. X",
    "teeko": "XXXX./OOO../O..../...../..... X ply=8",
    "breakthrough(rows=4, columns=2)": "W./../B./.. W",
    "checkers": "......../......../.b....../......../......../......../......../........ B",
    "einstein": "...../...../.a.../...../....1 X",
}


@pytest.mark.parametrize(("game", "text"), BOTH.items())
def test_positions_in_which_both_sides_have_won_are_refused(game: str, text: str) -> None:
    with pytest.raises(BadNotation, match=r"both .*have won"):
        dragon.game(game).parse(text)


@pytest.mark.parametrize(("game", "text"), BEFORE.items())
def test_who_is_to_move_has_not_won(game: str, text: str) -> None:
    with pytest.raises(BadNotation, match="is to move, but"):
        dragon.game(game).parse(text)


@pytest.mark.full
def test_the_positions_of_tic_tac_toe_that_are_read_are_those_that_arise() -> None:
    game = dragon.game("tictactoe")
    arise, todo = {game.start()}, [game.start()]
    for state in todo:
        if state.turn != TERMINAL:
            after = {state.after(move) for move in state.moves()} - arise
            arise |= after
            todo += after
    read = set()
    for marks in product("XO.", repeat=9):
        cells = "".join(marks)
        try:
            read.add(game.parse("/".join((cells[:3], cells[3:6], cells[6:]))))
        except BadNotation:
            continue
    assert len(arise) == 5478
    assert read == arise
