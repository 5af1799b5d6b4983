"""The atlas: its page is that of its data, and what is small comes out again."""

from __future__ import annotations

from pathlib import Path
from runpy import run_path
from typing import Any

import pytest

SCRIPT = run_path(str(Path(__file__).parents[2] / "docs" / "make_atlas.py"))


def test_the_page_is_that_of_the_list_and_the_data() -> None:
    assert SCRIPT["PAGE"].read_text(encoding="utf-8") == SCRIPT["page"]()


def test_the_data_are_of_the_list_and_agree_with_each_other_and_with_what_is_published() -> None:
    entries, known = SCRIPT["entries"](), SCRIPT["kept"]()
    assert len({entry["game"] for entry in entries}) == len(entries)
    asked = {(entry["game"], method) for entry in entries for method in entry["methods"]}
    assert known.keys() <= asked
    for entry in entries:
        values = [row["value"] for (game, _), row in known.items() if game == entry["game"]]
        assert SCRIPT["agrees"](entry, [v for v in values if v is not None]), entry["game"]


@pytest.mark.parametrize(
    ("game", "methods"),
    [("tictactoe", ["table", "alphabeta"]), ("domineering(rows=5, columns=5)", ["dfpn"])],
)
def test_small_games_come_out_again(game: str, methods: list[str]) -> None:
    known = SCRIPT["kept"]()
    for method in methods:
        row = SCRIPT["solved"](game, method, 60, 100)
        assert row["value"] == known[game, method]["value"] is not None


def test_limits_leave_a_game_open_and_wider_ones_are_tried() -> None:
    row: dict[str, Any] = SCRIPT["solved"]("connect4", "table", 60, 1)
    assert row["value"] is None
    assert row["nodes"] > 1000
    missing = SCRIPT["missing"]
    assert [missing(row, 60, 1), missing(row, 61, 1), missing(row, 60, 2), missing(None, 1, 1)] == [
        False, True, True, True
    ]  # fmt: skip
    assert not missing({**row, "value": 1.0}, 61, 2)


def test_values_that_do_not_agree_are_shown() -> None:
    entry = {"game": "a", "methods": ["x", "y"], "known": "first", "source": "b"}
    row = {"seconds": 1, "megabytes": 1}
    both = [{"game": "a", "method": m, "value": v, **row} for m, v in (("x", 1), ("y", -1))]
    assert "**disagrees**" in SCRIPT["line"](entry, {("a", r["method"]): r for r in both})
    assert "**disagrees**" in SCRIPT["line"](entry, {("a", "y"): both[1]})
    assert "| the first side wins | - |" in SCRIPT["line"](entry, {("a", "x"): both[0]})
