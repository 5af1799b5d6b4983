"""Boards as a page writes, clicks and draws them, against the game's own notation."""

from __future__ import annotations

import re
from base64 import b64encode
from typing import Any

import numpy as np
import pytest

import dragon
from dragon.boards.clicks import clicks
from dragon.core import TERMINAL
from dragon.errors import ConfigError
from dragon.publish.writing import written
from dragon.rules.record import interpreted

BOARDS = ["tictactoe", "connect4", "hex(size=4)", "breakthrough", "reversi", "domineering",
          "dots_and_boxes"]  # fmt: skip
MOVED = re.compile(r'<g transform="translate\(([-\d]+),([-\d]+)\)">(.*?)</g>')
NUMBERS = re.compile(r'(c?[xy])="([-\d]+)"|points="([^"]*)"')


def put(found: re.Match[str]) -> str:
    """A shape where its translation moves it to."""
    dx, dy = int(found[1]), int(found[2])

    def moved(one: re.Match[str]) -> str:
        if one[3] is not None:
            pairs = (pair.split(",") for pair in one[3].split())
            return 'points="' + " ".join(f"{int(x) + dx},{int(y) + dy}" for x, y in pairs) + '"'
        return f'{one[1]}="{int(one[2]) + (dx if "x" in one[1] else dy)}"'

    return NUMBERS.sub(moved, found[3])


@pytest.mark.parametrize("spec", BOARDS)
def test_a_page_writes_clicks_and_draws_as_the_game_does(spec: str, node: Any) -> None:
    game, rng = dragon.game(spec), np.random.default_rng(5)
    with interpreted():
        state, asked, own = game.start(), [], []
        for _ in range(25):
            codes = [] if state.turn == TERMINAL else state.moves().codes.tolist()
            texts = [state.text(code) for code in codes]
            asked.append({"ask": "wrote", "board": 0, "codes": codes,
                          "record": b64encode(state.data).decode()})  # fmt: skip
            ways = [list(clicks(game, text)[0]) for text in texts]
            own.append((state.svg(), texts, ways))
            if not codes:
                break
            state = state.play(int(rng.choice(codes)))
    board = written(state.rules)
    found = node(None, {}, [each | {"board": board} for each in asked])
    for one, (svg, texts, ways) in zip(found, own, strict=True):
        assert (one["texts"], one["clicks"]) == (texts, ways)
        assert MOVED.sub(put, one["svg"]) == svg


def test_a_notation_that_is_no_board_says_what_it_lacks() -> None:
    rules = dragon.game("kalah").start().rules
    with pytest.raises(ConfigError, match=r"kalah cannot be published: its notation is a Pits"):
        written(rules)
