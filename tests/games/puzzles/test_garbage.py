"""Readers of boards: what is written reads back; garbage is told or changes nothing."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dragon
from dragon import BadNotation, ConfigError
from dragon_puzzles.polyominoes import read
from dragon_puzzles.sokoban import MARKS, level_in, level_of
from dragon_puzzles.sudoku import grids

GARBAGE = st.text("x!7=./- o0\t\n", min_size=1, max_size=3) | st.text(max_size=8)
BOARDS = {
    spec: dragon.game(spec)
    for spec in ("sliding", "sliding(rows=2, columns=3)", "peg_solitaire",
                 "peg_solitaire(board='european')")
}  # fmt: skip
DIVIDERS = "0123456789()|/\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
LEVELS = "; one\n\n######\n#@$ .#\n######\n\nTitle: two\n#####\n#@$.#\n# $.#\n#####\nAuthor: me\n"


@pytest.mark.full
@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(BOARDS)), st.integers(0, 99), st.booleans(), st.data())
def test_garbage_in_a_board_is_told_or_changes_nothing(
    spec: str, seed: int, drawn: bool, data: st.DataObject
) -> None:
    game = BOARDS[spec]
    state = game.start(seed % 5)
    for move in range(seed % 4):
        state = state.after(state.moves()[move % len(state.moves())])
    text = game.draw(state) if drawn else str(state).partition(" made=")[0]
    whole = game.parse(text)
    at = data.draw(st.integers(0, len(text)))
    try:
        read = game.parse(text[:at] + data.draw(GARBAGE) + text[at:])
    except BadNotation:
        return
    assert str(read).partition(" made=")[0] == str(whole).partition(" made=")[0]


@settings(max_examples=150)
@given(st.integers(0, len(LEVELS)), st.characters(exclude_characters=MARKS + DIVIDERS))
def test_a_letter_in_a_level_is_told_or_changes_nothing(at: int, letter: str) -> None:
    """Marks, digits and ends of rows make other levels; all else is a mistake or beside them."""
    text, rows = LEVELS[:at] + letter + LEVELS[at:], LEVELS.split("\n")
    file = Path(str(hash(text)))  # a name for messages: `read_text` below gives the text
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dragon_puzzles.sokoban.read_text", lambda path, what: text)
        for number, right in ((1, rows[2:5]), (2, rows[7:11])):
            try:
                found = level_of(str(file), number)
            except ConfigError as wrong:
                assert ", line " in str(wrong)  # noqa: PT017
            else:
                assert found.rows == level_in("|".join(right)).rows


@pytest.mark.full
@settings(max_examples=100)
@given(st.text("0123456789.,|-+= \n[]#*_?AGxX:/") | st.text())
def test_any_text_is_grids_or_a_board_or_a_mistake(text: str) -> None:
    try:
        assert all(len(grid.cells) == grid.side**2 for grid in grids(text))
    except BadNotation as wrong:
        assert str(wrong).startswith("line ")  # noqa: PT017
    try:
        read(text)
    except BadNotation as wrong:
        assert str(wrong)  # noqa: PT017
    for settings_ in ({"name": "sudoku", "grid": text},
                      {"name": "polyominoes", "area": text[:8], "pieces": text[8:]}):  # fmt: skip
        with suppress(ConfigError):
            dragon.game(settings_)


@settings(max_examples=60)
@given(st.lists(st.text("#$.@*+ ", min_size=1, max_size=9), min_size=1, max_size=6), st.booleans())
def test_rows_of_a_level_read_back_with_runs_and_without(rows: list[str], coded: bool) -> None:
    rows = [f"#{row}#" for row in rows]
    written = [run(row) for row in rows] if coded else rows
    assert level_in("|".join(written)).rows == tuple(rows)
    assert level_in("\n".join(written)).rows == tuple(rows)


def run(row: str) -> str:
    """Return a row in run-length encoding."""
    parts: list[list[str]] = []
    for mark in row:
        if parts and parts[-1][0] == mark:
            parts[-1].append(mark)
        else:
            parts.append([mark])
    return "".join(f"{len(part)}{part[0]}" if len(part) > 1 else part[0] for part in parts)
