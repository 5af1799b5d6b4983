"""Tables and paragraphs keep to the width of the terminal, and leave figures whole."""

from __future__ import annotations

import re
from itertools import count

import pytest
from click.testing import CliRunner
from hypothesis import example, given
from hypothesis import strategies as st

from dragon import columns
from dragon.cli import main
from dragon.columns import fields, folded, table
from dragon_tournament.report.table import Table, aligned
from dragon_tournament.report.table import columns as of_rows

NAMES = st.text("ab (),='", min_size=1, max_size=40).map(str.strip)
FIGURES = st.from_regex(r"[-+]?[1-9][0-9]{0,2}(,[0-9]{3}){0,3}(\.[0-9]{1,4})?%?", fullmatch=True)


@st.composite
def sheets(draw: st.DrawFn) -> tuple[list[str], list[list[str]], int]:
    """Heads, rows, and the number of columns that are texts, the first ones."""
    texts, figures = draw(st.integers(0, 2)), draw(st.integers(1, 12))
    row = [NAMES] * texts + [FIGURES] * figures
    heads = draw(st.tuples(*[NAMES] * texts, *[st.text("abc ", max_size=14)] * figures))
    return list(heads), list(map(list, draw(st.lists(st.tuples(*row), max_size=5)))), texts


@pytest.mark.full
@given(sheets(), st.integers(40, 120), st.booleans())
def test_a_table_fits_and_its_figures_are_whole(
    sheet: tuple[list[str], list[list[str]], int], width: int, rule: bool
) -> None:
    heads, rows, texts = sheet
    lines = table(heads, rows, texts, rule, width)
    assert all(len(line) <= width and line == line.rstrip() for line in lines)
    held = [part for line in lines for part in line.split()]
    for row in rows:
        for figure in row[texts:]:
            assert figure in held


@example("111a.111a1", 8, 4)
@given(st.text("ab ,(1.5", max_size=120), st.integers(8, 50), st.integers(0, 4))
def test_a_paragraph_fits_and_loses_nothing(text: str, width: int, hang: int) -> None:
    lines = folded(text, width, hang)
    figures = re.findall(r"\d+(?:[.,]\d+)*", text)
    longest = max(map(len, figures), default=0) + 1
    assert all(len(line) <= max(width, hang + longest) for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())
    whole = iter(lines)
    for figure in figures:  # in order, each within a line
        rest = next((line for line in whole if figure in line), None)
        assert rest is not None
        whole = iter([rest.split(figure, 1)[1], *whole])


def test_a_table_that_is_too_wide_goes_on_below_with_its_names() -> None:
    rows = [(f"player {k}", *(f"{k}.{n:02}" for n in range(20))) for k in range(3)]
    lines = table(("", *map(str, range(20))), rows, width=80)
    assert max(map(len, lines)) <= 80
    assert sum(line.startswith("player 1 ") for line in lines) == 2
    assert len([line for line in lines if not line]) == 1


def test_a_position_stays_in_one_line_for_those_who_copy_it() -> None:
    position = "." * 120
    assert f"position  {position}" in fields([("position", position), ("to move", "Black")])


def test_a_wider_terminal_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [("a name of several words " * 4, "1")]
    narrow = table(("name", "n"), rows)
    monkeypatch.setattr(columns, "room", lambda: 130)
    assert len(table(("name", "n"), rows)) < len(narrow)


def test_the_room_is_80_columns_where_output_is_no_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert columns.room() == 80


@pytest.mark.parametrize("players", [2, 12])
def test_standings_of_long_names_fit(players: int) -> None:
    heads = ["player", *(f"P{n}" for n in range(players)), "points", "games", "Elo"]
    names = (f"mcts(style='strong', c=1.25, reuse={n})" for n in count())
    rows = [
        [next(names), *["12.5 : 187.5"] * players, "1,234.5", "20,000", "+123 ± 45"]
        for _ in range(players)
    ]
    text = aligned(Table("Standings", of_rows(heads, rows, 1)))
    assert max(map(len, text.splitlines())) <= 80
    assert text.count("12.5 : 187.5") == players**2
    assert text.count("+123 ± 45") == players


COMMANDS = (
    "games", "searches", "searches --game nim", "ulti bids", "ulti bids --language hu",
    "small-world bridges mathmech --top 5", "small-world matrix mathmech --squared",
    "small-world weak mathmech", "small-world graph mathmech", "pokemon locations --gen 4",
    "pokemon team Garchomp Rotom-Wash Gengar Skarmory Blissey Toxapex",
    "pokemon types --gen 1", "cards find nibiru",
    "bench tictactoe --seconds 0.01",
    pytest.param("profile tictactoe", marks=pytest.mark.full),
)  # fmt: skip


@pytest.mark.samples("ulti bids", "pokemon*")
@pytest.mark.parametrize("command", COMMANDS)
def test_tables_of_commands_fit_80_columns(command: str) -> None:
    done = CliRunner().invoke(main, command.split(), catch_exceptions=False)
    assert done.exit_code == 0, done.stderr
    assert [line for line in done.stdout.splitlines() if len(line) > 80] == []


def test_kept_code_is_listed_in_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    from dragon.commands import cache

    label = "eight(board='123405786', most=4), a game of more settings than fit in a line of it"
    row = {"kernel": "rehearsal.rehearse", "label": label, "bytes": 17_700, "days": 12}
    monkeypatch.setattr(cache, "rows", lambda: iter([row]))
    lines = CliRunner().invoke(main, ["cache"]).stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert any("17.7" in line and "12" in line for line in lines)
