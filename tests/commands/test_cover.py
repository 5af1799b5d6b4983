"""`dragon cover` from the outside: what it prints, as JSON and as text, and how it refuses."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain, repeat
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from dragon import config
from dragon.cli import main
from dragon.commands import cover as module

TOY = "a b c d e f g\nc e\na d g\nb c f\na d f\nb g\nd e g\n"
COLOURS = "p q r | x y\np q x y:A\np r x:A y\np x:B\nq x:A\nr y:B\n"
PARTS = "a b c\na b |4\nc |1\na |1\nb |1\nb c |1\na b c |5\n"
HOPELESS = "a b c d\na b\nb c\na c\nd\n"


def run(text: str, *words: str) -> Result:
    return CliRunner().invoke(main, ["cover", "-", *words], input=text)


def answer(text: str, *words: str) -> Any:
    result = run(text, "--json", *words)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.mark.parametrize("search", ["dlx", "algorithm_x", "count"])
def test_every_search_lists_the_same_covers(search: str) -> None:
    row = answer(COLOURS, "--search", search)
    assert [sorted(cover) for cover in row["covers"]] == [["p r x:A y", "q x:A"]]
    assert (row["solutions"], row["bound"], row["verdict"]) == (1, "=", "cover")
    assert row["seconds"] >= 0


def test_text_has_a_cover_on_each_line() -> None:
    lines = run(TOY).stdout.splitlines()
    assert lines[0] == "a d f | b g | c e"
    assert lines[1].startswith("1 cover (6 nodes")


IDLE = "a | s\na |2\ns |-3\n"
"""Its covers are {a} at cost 2, and {a, s} at -1."""


@pytest.mark.parametrize(
    "words",
    [
        "",
        "--search dancing_cells",
        "--search algorithm_x",
        "--search count",
        pytest.param("--workers 2", marks=pytest.mark.full),
    ],
)
def test_an_option_of_secondary_items_alone_may_be_in_a_cover(words: str) -> None:
    row = answer(IDLE, *words.split())
    assert sorted(row["covers"]) == [["a"], ["a", "s"]]
    assert answer(IDLE, "--count", *words.split())["solutions"] == 2
    assert answer(IDLE, "--size", "1", *words.split())["covers"] == [["a"]]


def test_an_option_of_secondary_items_alone_is_ranked_and_estimated() -> None:
    ranked = answer(IDLE, "--minimum", "--top", "5")
    assert (ranked["covers"], ranked["costs"]) == ([["a", "s"], ["a"]], [-1, 2])
    overlapping = answer(IDLE, "--minimum", "--overlapping")  # needs all its options
    assert (overlapping["covers"], overlapping["costs"]) == ([["a"]], [2])
    assert answer(IDLE, "--estimate")["covers"] == 2
    assert answer(IDLE, "--sample", "3")["solutions"] == 2


@pytest.mark.samples("1")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_counting_lists_nothing(workers: str) -> None:
    row = answer(PARTS, "--count", "--workers", workers)
    assert (row["solutions"], row["bound"], row["covers"]) == (4, "=", [])


def test_the_first_few_are_a_lower_bound() -> None:
    row = answer(PARTS, "--first", "2")
    assert (row["solutions"], row["bound"], len(row["covers"])) == (2, ">=", 2)


def test_a_limit_says_unknown_and_never_no_cover() -> None:
    row = answer(HOPELESS, "--nodes", "1")
    assert (row["solutions"], row["verdict"], row["bound"]) == (0, "unknown", ">=")
    assert run(HOPELESS, "--nodes", "1").stdout.startswith("unknown: ")
    assert answer(HOPELESS)["verdict"] == "no cover"


def test_the_cheapest_and_the_next() -> None:
    row = answer(PARTS, "--minimum", "--top", "3")
    assert row["covers"][0] == ["a", "b c"]
    assert row["costs"] == [2, 3, 5]
    assert row["bound"] == "="


def test_without_costs_the_fewest_options() -> None:
    row = answer("a b c\na\nb\nc\nb c\na b\n", "--minimum")
    assert row["costs"] == [2]


def test_overlapping_covers_need_all_their_options() -> None:
    row = answer("a b c\na b\nb c\nc\na\n", "--overlapping")
    assert sorted(map(sorted, row["covers"])) == [["a", "b c"], ["a b", "b c"], ["a b", "c"]]


def test_samples_are_covers_and_repeat_with_their_seed() -> None:
    row = answer(PARTS, "--sample", "5", "--seed", "7")
    every = [sorted(cover) for cover in answer(PARTS)["covers"]]
    assert row["solutions"] == 4
    assert len(row["covers"]) == 5
    assert all(sorted(cover) in every for cover in row["covers"])
    assert answer(PARTS, "--sample", "5", "--seed", "7")["covers"] == row["covers"]


def test_why_names_items_that_cannot_be_covered_together() -> None:
    result = run(HOPELESS, "--why")
    assert result.exit_code == 0
    assert "a, b, c" in result.stdout
    assert answer(HOPELESS, "--why")["items"] == ["a", "b", "c"]
    assert answer(TOY, "--why")["items"] is None


@pytest.mark.parametrize(
    ("text", "words", "message"),
    [
        ("a b a\na\n", (), "stdin:1: item 'a' is given twice"),
        ("a b\na c\n", (), "stdin:2: no item is called 'c'"),
        ("a b\n\na:1\n", (), "stdin:3: 'a' is primary and takes no colour"),
        ("", (), "stdin: no items"),
        ("a | x | y\na\n", (), "stdin:1: a second '|'"),
        ("3:2|a\na\n", (), "stdin:1: '3:2|a'"),
        (TOY, ("--count", "--first", "2"), "exclude each other"),
        (TOY, ("--top", "2"), "--top goes with --minimum"),
        (TOY, ("--search", "mcts"), "does not search for covers"),
        (TOY, ("--search", "dlxx"), "did you mean 'dlx'"),
        (TOY, ("--overlapping", "--search", "count"), "count counts exact covers"),
        (TOY, ("--overlapping", "--workers", "2"), "--workers share out exact covers"),
        (TOY, ("--size", "-1"), "--size"),
        (TOY, ("--search", "mcts"), "these do: algorithm_x, count, dancing_cells, dlx"),
        (TOY, ("--seconds", "nan"), "nan is not a number of seconds"),
        (TOY, ("--count", "--seconds", "inf"), "inf is not a number of seconds"),
        (TOY, ("--minimum", "--top", "0"), "--top"),
        (TOY, ("--minimum", "--workers", "2"), "--minimum makes no use of --workers"),
        (TOY, ("--why", "--search", "count"), "--why makes no use of --search"),
        (TOY, ("--sample", "2", "--overlapping", "--size", "3"), "of --overlapping and --size"),
        (TOY, ("--estimate", "--nodes", "5", "--size", "3"), "no use of --size and --nodes"),
        (TOY, ("--count", "--seed", "1"), "--count makes no use of --seed"),
    ],
)
def test_mistakes_are_reported_in_a_line(text: str, words: tuple[str, ...], message: str) -> None:
    result = run(text, *words)
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert result.exit_code == 2


def test_a_file_that_is_missing_or_no_text(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["cover", str(tmp_path / "none.txt")])
    assert (result.exit_code, "No such file" in result.stderr) == (2, True)
    (tmp_path / "bytes.txt").write_bytes(b"\xff\xfe\x00")
    result = CliRunner().invoke(main, ["cover", str(tmp_path / "bytes.txt")])
    assert (result.exit_code, "UTF-8" in result.stderr) == (2, True)


@pytest.mark.full
def test_a_closed_stdin_is_reported_in_a_line() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "dragon.cli", "cover", "-"],
        capture_output=True,
        text=True,
        preexec_fn=lambda: os.close(0),
    )
    said = "dragon: there is no input to read a problem from; standard input is closed\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)


def test_a_mark_of_byte_order_is_no_part_of_a_name(tmp_path: Path) -> None:
    file = tmp_path / "marked.txt"
    file.write_text("a b\na b\n", encoding="utf-8-sig")
    result = CliRunner().invoke(main, ["cover", str(file)])
    assert result.stdout.startswith("a b\n1 cover"), result.output


def lattice(n: int, options: int) -> str:
    """n items, each with so many options of its own: options**n exact covers."""
    items = [f"i{k}" for k in range(n)]
    return "\n".join([" ".join(items), *(item for item in items for _ in range(options))])


@pytest.mark.full
def test_an_estimate_has_numbers_of_any_size_without_a_warning() -> None:
    text = lattice(400, 10)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = run(text, "--estimate", "--seconds", "0.01")
        row = answer(text, "--estimate", "--seconds", "0.01")
    assert "covers  1.00e400 +- 0\n" in result.stdout
    assert "random descents" in result.stdout
    assert (row["covers"], row["covers_error"]) == ("1.00e400", 0.0)
    assert row["descents"] >= 2


@pytest.mark.full
def test_an_estimate_goes_on_until_its_seconds_are_over() -> None:
    few = answer(PARTS, "--estimate", "--seconds", "0.000001")
    many = answer(PARTS, "--estimate", "--seconds", "0.5")
    assert few["descents"] == 2
    assert many["descents"] > 100
    assert abs(many["covers"] - 4) < 5 * many["covers_error"]
    assert answer(PARTS, "--estimate")["descents"] == 1000


def test_why_reports_what_a_cover_took() -> None:
    row = answer(TOY, "--why")
    assert (row["verdict"], row["bound"], row["items"]) == ("cover", "=", None)
    assert row["nodes"] > 0
    assert row["seconds"] > 0


def test_the_best_so_far_is_not_called_the_best() -> None:
    said = [run(PARTS, "--minimum", "--nodes", str(n)).stdout for n in range(1, 6)]
    assert any("\nthe best so far, not proven (" in text for text in said)
    assert not any("or more" in text for text in said)
    assert "\n1 best cover (" in run(PARTS, "--minimum").stdout


INTERRUPTED = {
    "--sample": ("dragon.cover.diagram_builder.DiagramBuilder.advance", "unknown: "),
    "--why": (
        "dragon.cover.conflict.ConflictSearch.smallest",
        "no cover: a, b, c, d cannot go together;",
    ),
    "--estimate": ("dragon.cover.subproblems.Descents.descend", "after 2 random descents"),
}


@pytest.mark.parametrize("way", INTERRUPTED)
def test_ctrl_c_prints_what_is_known(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place, message = INTERRUPTED[way]
    calls = []

    def pressed(*arguments: Any) -> tuple[int, int]:
        calls.append(arguments)
        if way == "--estimate" and len(calls) <= 2:
            return 3, 1
        raise KeyboardInterrupt

    monkeypatch.setattr(place, pressed)
    result = run(HOPELESS, way, *(["1"] if way == "--sample" else []))
    assert message in result.stdout
    assert (result.exit_code, result.stderr.splitlines()[-1]) == (130, "interrupted")
    assert "Traceback" not in result.stderr


def test_ctrl_c_ends_json_with_the_first_covers(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = chain([None, None, KeyboardInterrupt], repeat(None))

    @contextmanager
    def pressed(_: Any) -> Iterator[Any]:
        def tick() -> None:
            if (wrong := next(calls)) is not None:
                raise wrong

        yield tick

    monkeypatch.setattr(module, "progress", pressed)
    monkeypatch.setattr(module, "MOST_NAMES", 5)
    result = run(PARTS, "--json")
    row = json.loads(result.stdout)
    assert (result.exit_code, row["interrupted"]) == (130, True)
    assert 0 < len(row["covers"]) < 3 <= row["solutions"]
    assert not answer(PARTS)["interrupted"]


@pytest.mark.full
def test_solve_takes_dancing_links_where_they_can_play() -> None:
    result = CliRunner().invoke(main, ["solve", "pentominoes(rows=3, cols=20)", "--json"])
    assert json.loads(result.stdout)["search"] == "dlx"


def test_more_of_the_best_than_memory_holds_are_refused() -> None:
    result = run(PARTS, "--minimum", "--top", "1000000000000")
    assert result.exit_code == 1
    assert "top is 1,000,000,000,000; " in result.stderr
    assert "Traceback" not in result.stderr
    row = answer(PARTS, "--minimum", "--top", "10000")
    assert (row["solutions"], row["bound"]) == (4, "=")


def test_a_file_without_an_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config, "LONGEST", 1000)
    result = CliRunner().invoke(main, ["cover", "/dev/zero"])
    assert result.exit_code == 2
    assert result.stderr == "dragon: /dev/zero has more than 1,000 bytes, too many for a problem\n"


def test_so_many_processes_are_refused() -> None:
    result = run(TOY, "--count", "--workers", "100000")
    assert result.exit_code == 2
    assert "100000 is not in the range" in result.stderr


def test_weights_alone_are_costs() -> None:
    row = answer("a b\na |a=5\na b |a=3 |b=1\nb |b=-2\n", "--minimum", "--top", "3")
    assert (row["covers"], row["costs"]) == ([["a", "b"], ["a b"]], [3, 4])


def test_a_list_ends_when_the_time_of_printing_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    from dragon.commands import cover

    clock = iter([0.0, *[1.0] * 3, *[9.0] * 99])
    monkeypatch.setattr(cover.time, "monotonic", lambda: next(clock))
    text = "a b c d\n" + "".join(f"{item}\n" * 3 for item in "abcd")
    row = answer(text, "--seconds", "5")
    assert (len(row["covers"]), row["solutions"], row["bound"]) == (4, 4, ">=")
