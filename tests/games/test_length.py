"""Games of boards and classics are short files, to be read beside those of other libraries."""

from __future__ import annotations

from pathlib import Path

import pytest

GAMES = Path(__file__).parents[2] / "games"
MOST = 150
LONGER = {"chess": 400}
"""Lines of a game, of all its files together; and of those that may have more."""
KNOWLEDGE = {"bridges", "forms", "knowledge", "numbers"}
"""What searches and tables are told of games, and how others write them: no rules."""
PLAYED = sorted(
    path
    for plugin in ("dragon_boards", "dragon_classics")
    for path in (GAMES / plugin).iterdir()
    if path.suffix in ("", ".py") and path.stem not in KNOWLEDGE and path.name != "__pycache__"
)


@pytest.mark.parametrize("path", PLAYED, ids=lambda path: path.stem)
def test_a_game_is_short(path: Path) -> None:
    files = path.rglob("*.py") if path.is_dir() else [path]
    lines = (len(each.read_text().splitlines()) for each in files if each.stem not in KNOWLEDGE)
    assert sum(lines) <= LONGER.get(path.stem, MOST)
