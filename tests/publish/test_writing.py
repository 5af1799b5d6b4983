"""Boards as a page writes, clicks and draws them, against the game's own notation."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import numpy as np
import pytest

import dragon
from dragon.boards.clicks import clicks
from dragon.core import TERMINAL
from dragon.errors import ConfigError
from dragon.publish import writing
from dragon.publish.publication import publication
from dragon.publish.writing import LONGEST, written
from dragon.rules.notation import BaseNotation
from dragon.rules.record import interpreted
from dragon.web.play import score

BOARDS = [
    "tictactoe", "connect4", "hex(size=4)", "breakthrough", "reversi", "domineering",
    "dots_and_boxes", "checkers", "teeko", "nex(rows=3, cols=3)", "morris",
    "kalah", "chess", "einstein",
    *(pytest.param(spec, marks=pytest.mark.full) for spec in ("two048", "backgammon")),
    pytest.param("gomoku", marks=pytest.mark.full),  # a larger tictactoe
    "peg_solitaire", "sliding(rows=2, columns=3)", "sokoban",
]  # fmt: skip


def _texts(state: Any) -> dict[int, str]:
    """Give moves as a page writes them; where texts depend on the position, as it reads them."""
    notation, codes = state.rules.notation, state.moves().codes.tolist()
    texts, words = {code: state.text(code) for code in codes}, np.zeros(LONGEST, np.int64)
    for code in codes if type(notation).pointed is not BaseNotation.pointed else ():
        count = notation.spell(state.view, code, 0, words)
        texts[code] = "".join(notation.vocabulary[word] for word in words[:count])
    assert all(state.code(text) == code for code, text in [*texts.items()][:3])
    return texts


def _ways(state: Any, code: int, text: str) -> Any:
    """The orders in which the cells of a move may be clicked."""
    notation = state.rules.notation
    pointed = type(notation).pointed is not BaseNotation.pointed
    return (notation.pointed(state.view, code),) if pointed else clicks(state.game, text)


@pytest.mark.samples("tictactoe")
@pytest.mark.parametrize("spec", BOARDS)
def test_a_page_writes_clicks_and_draws_as_the_game_does(spec: str, node: Any) -> None:
    game, rng = dragon.game(spec), np.random.default_rng(5)
    with interpreted():
        state, asked, own = game.start(), [], []
        for _ in range(25):
            found = {} if state.turn == TERMINAL else _texts(state)
            codes, texts = [*found], [*found.values()]
            asked.append({"ask": "wrote", "board": 0, "codes": codes, "turn": state.turn,
                          "record": b64encode(state.data).decode()})  # fmt: skip
            ways = [[*map(list, _ways(state, code, text))] for code, text in found.items()]
            notation = state.rules.notation
            drawn = notation if notation.cells is None else notation.cells
            own.append((drawn.svg(state.record), texts, ways, score(game, state)))
            if not codes:
                break
            state = state.play(int(rng.choice(codes)))
    if game.start().rules.notation.spell is not None:  # by rules, which are compiled
        made = publication(game, [])
        module, about, board = made.module, made.about, made.about["board"]
    else:
        module, about, board = None, {}, written(game.start())
    found = node(module, about, [each | {"board": board} for each in asked])
    for one, (svg, texts, ways, scores), each in zip(found, own, asked, strict=True):
        assert (one["texts"], one["clicks"], one["read"]) == (texts, ways, each["codes"])
        assert one["svg"] == svg
        assert one["scores"] == scores


def test_a_notation_that_is_no_board_says_what_it_lacks() -> None:
    with pytest.raises(ConfigError, match=r"ulti.* cannot be published: its notation is a "):
        written(dragon.game("ulti").start())


@pytest.mark.full
@pytest.mark.parametrize(
    "spec",
    ["nex(rows=3, cols=3, swap=true)",
     pytest.param("chess", marks=pytest.mark.full),
     pytest.param("nex(rows=9, cols=8, ending='fill')", marks=pytest.mark.full)],
)  # fmt: skip
def test_moves_that_are_spelled_are_pointed_at_as_all_of_them_say(spec: str, node: Any) -> None:
    game, rng = dragon.game(spec), np.random.default_rng(6)
    state, asked, own = game.start(), [], []
    made = publication(game, [])
    while state.turn != TERMINAL and len(asked) < 50:
        texts = _texts(state)
        orders = {text: _ways(state, code, text) for code, text in texts.items()}
        ways = [way for each in orders.values() for way in each]
        way = ways[int(rng.integers(len(ways)))]
        for chosen in (way[:n] for n in range(len(way) + 1)):
            asked.append({"ask": "pointed", "chosen": chosen,
                          "record": b64encode(state.data).decode()})  # fmt: skip
            after = {way[len(chosen)] for way in ways
                     if way[: len(chosen)] == chosen != way}  # fmt: skip
            done = {text for text, each in orders.items() if chosen in each}
            own.append((after, done))
        state = state.play(int(rng.choice(state.moves().codes)))
    found = node(made.module, made.about, asked)
    assert [({*one["cells"]}, {*one["complete"]}) for one in found] == own


def test_a_table_of_moves_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "MOST", 10)
    with pytest.raises(ConfigError, match=r"kalah .* more than 10 moves"):
        written(dragon.game("kalah").start())


def test_moves_whose_text_depends_on_more_than_the_seat_are_refused() -> None:
    with pytest.raises(ConfigError, match="depends on more than who makes them"):
        writing.listed(dragon.game("chess").start())
