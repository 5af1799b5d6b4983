"""`dragon show`: a recorded game again, move by move."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import attrs
import pytest
from click.testing import CliRunner, Result

import dragon
from dragon.cli import main
from dragon.modes import JIT
from dragon_tournament.config.reading import parse
from dragon_tournament.executors.local import InlineExecutor
from dragon_tournament.records.record import Record
from dragon_tournament.records.replay import Unplayable, replay
from dragon_tournament.runner import run

PLAYERS = [{"search": "random", "name": "a"}, {"search": "random", "name": "b"}]


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(a) for a in arguments])


def played(out: Path, game: str, **more: object) -> list[Record]:
    run(parse({"name": "x", "game": game, "player": PLAYERS, **more}), out, InlineExecutor())
    return [Record.from_line(line) for line in (out / "records.jsonl").open(encoding="utf-8")]


def test_a_game_is_shown_from_the_start_to_its_result(tmp_path: Path) -> None:
    _, second = played(tmp_path, "tictactoe", openings={"lines": ["b2 a1"]})
    result = invoke("show", tmp_path, "--game", 2)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[:4] == [f"game 2 of 2, {second.id}: tictactoe", "seat 0: b", "seat 1: a",
                         "opening: b2 a1"]  # fmt: skip
    game = dragon.game("tictactoe")
    state = game.start()
    at = 0
    for ply, move in enumerate((*second.opening, *second.moves), 1):
        assert state.picture() in result.stdout[at:]  # type: ignore[attr-defined]
        who = "ba"[state.turn] + (", opening" if ply <= 2 else "")
        at = result.stdout.index(f"\n{ply}. {move}   ({who})\n", at)
        state = state.after(move)
    assert result.stdout.endswith(f"{state.picture()}\n\n{lines[-1]}\n")  # type: ignore[attr-defined]
    assert lines[-1].endswith("(terminal)")


def test_games_are_found_by_number_and_by_id(tmp_path: Path) -> None:
    first, second = played(tmp_path, "nim")
    assert invoke("show", tmp_path).stdout.startswith(f"game 1 of 2, {first.id}: nim\n")
    by_id = invoke("show", tmp_path / "records.jsonl", "--game", second.id[:10])
    assert by_id.stdout.startswith(f"game 2 of 2, {second.id}: nim\n")
    for wrong in ("3", "0", "zz", ""):
        result = invoke("show", tmp_path, "--game", wrong)
        assert result.exit_code == 2
        assert f"no game {wrong!r}; give a number from 1 to 2" in result.stderr


def test_json_has_every_position(tmp_path: Path) -> None:
    first, _ = played(tmp_path, "nim")
    table = json.loads(invoke("show", tmp_path, "--json").stdout)
    assert (table["number"], table["id"], table["seats"]) == (1, first.id, ["a", "b"])
    (line,) = table["lines"]
    assert [step["move"] for step in line["steps"]] == [None, *first.moves]
    assert [step["position"] for step in line["steps"]] == [str(s.state) for s in replay(first)]


def test_a_game_from_a_position_is_shown_from_there(tmp_path: Path) -> None:
    first, _ = played(tmp_path, "nim", openings={"positions": ["7 A"]})
    assert first.position == "7 A"
    steps = list(replay(first))
    assert str(steps[0].state) == "7 A"
    assert steps[-1].state.payoff() == first.scores
    result = invoke("show", tmp_path)
    assert result.exit_code == 0
    assert "position: 7 A" in result.stdout.splitlines()


def test_hidden_games_show_all(tmp_path: Path) -> None:
    first, _ = played(tmp_path, "kuhn")
    text = invoke("show", tmp_path).stdout
    steps = list(replay(first))
    drawn = [line for step in steps for line in step.state.picture().splitlines()]
    assert drawn
    assert all(line in text for line in drawn)
    assert "(chance)" in text
    assert steps[-1].state.payoff() == first.scores


def test_a_race_shows_every_line_or_one(tmp_path: Path) -> None:
    solvers = [{"search": "dlx"}, {"search": "algorithm_x"}]
    (record,) = played(tmp_path, "queens(n=5)", player=solvers)
    whole = invoke("show", tmp_path).stdout
    assert "---- seat 0: dlx" in whole
    assert "---- seat 1: algorithm_x" in whole
    one = invoke("show", tmp_path, "--seat", 1).stdout
    assert "---- seat 0" not in one
    assert all(f". {move}   (algorithm_x)" in one for move in record.moves[1])
    result = invoke("show", tmp_path, "--seat", 2)
    assert result.exit_code == 2
    assert "no line of seat 2" in result.stderr


@pytest.mark.parametrize("command", [["report"], ["export", "--to", "csv"]])
def test_a_path_that_cannot_be_written_is_a_mistake_of_the_input(
    tmp_path: Path, command: list[str]
) -> None:
    played(tmp_path, "nim")
    for path, reason in ((tmp_path, "Is a directory"), (tmp_path / "a" / "b", "No such file")):
        result = invoke(*command, tmp_path, "--out", path)
        assert result.exit_code == 2
        assert result.stderr.startswith(f"dragon: {path}: {reason}")
        assert result.stderr.endswith("; give another path\n")


def rewritten(out: Path, record: Record) -> None:
    (out / "records.jsonl").write_text(record.to_line() + "\n", encoding="utf-8")


def test_an_absent_game_is_told_with_its_moves(tmp_path: Path) -> None:
    first, _ = played(tmp_path, "nim")
    rewritten(tmp_path, attrs.evolve(first, game="atlantis(depth=3)"))
    result = invoke("show", tmp_path)
    assert result.exit_code == 1
    assert f"moves: {' '.join(first.moves)}" in result.stdout
    assert "atlantis(depth=3), which cannot be had here: no game called 'atlantis'" in result.stderr
    assert "install its plugin" in result.stderr
    assert invoke("show", tmp_path, "--json").exit_code == 1


def test_other_rules_are_told_after_what_can_be_shown(tmp_path: Path) -> None:
    first, _ = played(tmp_path, "nim")
    rewritten(tmp_path, attrs.evolve(first, moves=(first.moves[0], "77")))
    result = invoke("show", tmp_path)
    assert result.exit_code == 1
    assert f"\n1. {first.moves[0]}   (a)\n" in result.stdout
    assert "cannot be replayed further" in result.stderr
    with pytest.raises(Unplayable):
        list(replay(first, seat=1))


def test_no_record_yet(tmp_path: Path) -> None:
    (tmp_path / "records.jsonl").write_text('{"id": "half')
    result = invoke("show", tmp_path)
    assert result.exit_code == 2
    assert "no whole record yet" in result.stderr


def test_identical_games_are_listed(tmp_path: Path) -> None:
    """Two players that do the same whenever they are where they were before."""
    players = [{"search": "exhaustive", "name": "a"}, {"search": "greedy", "name": "b"}]
    played(tmp_path, "nim(pile=9)", player=players, games=5)
    sentence = (
        "8 of 10 games are identical move for move to an earlier one of the same players in the "
        "same seats"
    )
    result = invoke("show", tmp_path, "--identical")
    first, second, *last = result.stdout.splitlines()
    assert first == "5 games of a - b: 1, 3, 5, 7, 9"
    assert second == "5 games of b - a: 2, 4, 6, 8, 10"
    assert " ".join(last) == sentence
    both = invoke("show", tmp_path, "--identical", "--game", 1)
    assert (both.exit_code, "leave out --game" in both.output) == (2, True)
    table = json.loads(invoke("show", tmp_path, "--identical", "--json").stdout)
    assert [group["games"] for group in table] == [[1, 3, 5, 7, 9], [2, 4, 6, 8, 10]]
    assert sentence in " ".join(invoke("standings", tmp_path).stdout.split())
    for report in ("report.md", "report.html"):
        assert sentence in (tmp_path / report).read_text()
    assert json.loads((tmp_path / "report.json").read_text())["identical"] == 8


def test_games_of_different_deals_are_not_identical(tmp_path: Path) -> None:
    """Kuhn poker has so few lines of bets that many are the same; the cards are not."""
    played(tmp_path, "kuhn", games=20)
    assert "0 of 40 games" in invoke("show", tmp_path, "--identical").stdout


ODD = ("=cmd|calc", "red \x1b[31m", "two\nlines", "turned \u202e", "plain")


def test_odd_names_are_shown_escaped(tmp_path: Path) -> None:
    """On the terminal, in Markdown and in CSV, where `=` begins a formula."""
    players = [{"search": "random", "name": name} for name in ODD]
    out = tmp_path / "out"
    with JIT.under("0"):
        run(parse({"game": "nim", "player": players}), out, InlineExecutor())
    shown = [CliRunner().invoke(main, [word, str(out)]) for word in ("standings", "show")]
    texts = [result.stdout for result in shown] + [(out / "report.md").read_text()]
    table = tmp_path / "games.csv"
    said = CliRunner().invoke(main, ["export", str(out), "--to", "csv", "--out", str(table)])
    assert said.exit_code == 0, said.output
    with table.open(newline="") as file:
        rows = list(csv.DictReader(file))
    texts.append("\n".join(value for row in rows for value in row.values()))
    assert {row["player"] for row in rows} == {
        "'=cmd|calc", "red \\x1b[31m", "two\\nlines", "turned \\u202e", "plain"
    }  # fmt: skip
    for text in texts:
        assert not set(text) & {"\x1b", "\u202e"}
    for text in (texts[0], texts[2], texts[3]):
        assert "two\\nlines" in text
        assert "red \\x1b[31m" in text
