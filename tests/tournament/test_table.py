"""One table in all of its forms: for a terminal, in Markdown, in HTML and as plain data."""

from __future__ import annotations

import json

import pytest

from dragon_tournament.report import table as forms
from dragon_tournament.report.table import Cell, Column, Shown, Table, columns

PLAYERS = Table(
    "Results",
    [
        Column("player", ["a|b", "<i>c</i>"], "name", left=True),
        Column("Elo", [Cell(text="+7", value=7.25), Cell(text="-7", value=-7.25)], "elo"),
        Column("score", [Cell(text="75%", note="+2 -1", shade=0.5), "0%"], shown=Shown.PAGES),
        Column("", [Cell(bar=(0.1, 0.2, 0.3, 0.5))] * 2, shown=Shown.PAGES),
        Column("nodes", [Cell(text="1,000", value=1000)] * 2, "nodes", shown=Shown.VALUES),
    ],
    note="The score is shaded.",
    rows="players",
    numbered=True,
)


def test_a_terminal_has_its_columns_and_no_others() -> None:
    assert forms.aligned(PLAYERS).splitlines() == [
        "player    Elo",
        "--------  ---",
        "a|b        +7",
        "<i>c</i>   -7",
    ]


def test_markdown_escapes_what_divides_cells() -> None:
    lines = forms.piped(PLAYERS).splitlines()
    assert lines == ["| player | Elo |", "| --- | ---: |", "| a\\|b | +7 |", "| <i>c</i> | -7 |"]


def test_a_page_has_marks_and_the_signs_of_print() -> None:
    text = forms.html(PLAYERS)
    assert '<th scope="row">2.&nbsp;<span title="&lt;i&gt;c&lt;/i&gt;">' in text
    assert "<td>\N{MINUS SIGN}7</td>" in text
    assert '<td class=plus style="--a:45%">75%<small>+2 \N{MINUS SIGN}1</small></td>' in text
    assert text.count('<svg class="bar"') == 2
    assert '<table class="cross">' in text
    assert text.endswith('<p class="soft">The score is shaded.</p>')
    assert "1,000" not in text


def test_plain_data_for_a_page_says_what_the_page_shows() -> None:
    found = json.loads(json.dumps(forms.drawn(PLAYERS)))
    assert [column["text"] for column in found["columns"]] == ["player", "Elo", "score", ""]
    assert found["rows"][0][2] == {
        "text": "75%", "note": "+2 \N{MINUS SIGN}1", "style": "plus", "shade": "45%",
    }  # fmt: skip
    assert found["rows"][1][:3] == ["<i>c</i>", "\N{MINUS SIGN}7", "0%"]
    assert (found["note"], found["more"], found["numbered"]) == (PLAYERS.note, "", True)


def test_figures_for_programs_are_not_rounded_texts() -> None:
    assert forms.values(PLAYERS)[1] == {"name": "<i>c</i>", "elo": -7.25, "nodes": 1000}


@pytest.mark.parametrize("most", [1, 3])
def test_rows_that_are_left_out_are_counted(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table("t", columns(["n"], [[str(n)] for n in range(5)], names=0), rows="numbers")
    assert forms.aligned(table, most).endswith(f"({5 - most} more are in report.json)")
    monkeypatch.setattr(forms, "LONG", most)
    monkeypatch.setattr(forms, "ROWS", most)
    assert forms.piped(table).count("|\n") == most + 2
    assert forms.html(table).count("<tr>") == most + 1
    assert forms.drawn(table)["more"] == f"{5 - most} more numbers are in the records."


def test_a_table_without_rows_has_its_heads() -> None:
    table = Table("t", columns(["player", "points"], [], names=1))
    assert len(table) == 0
    assert forms.aligned(table).splitlines()[0] == "player  points"
    assert forms.values(table) == []
