"""Files that are written as a whole."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import click
import pytest
from click.testing import CliRunner

from dragon.cli import main
from dragon.cli_tools import check_writable
from dragon.errors import ConfigError
from dragon.files import replacing, write

DECK = Path(__file__).parent / "oracles" / "hands" / "overlap.yaml"


def test_whoever_reads_sees_the_old_file_or_the_new_one(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    path.write_text("old")
    with replacing(path, sync=True) as file:
        file.write(b"new")
        file.flush()
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert os.listdir(tmp_path) == ["kept"]


def test_a_dash_is_stdout(tmp_path: Path, monkeypatch: Any, capsysbinary: Any) -> None:
    monkeypatch.chdir(tmp_path)
    for content in ("é", "é\n", b"\xff"):
        write(Path("./-"), content)
    assert capsysbinary.readouterr().out == "é\né\n".encode() + b"\xff"
    assert os.listdir(tmp_path) == []


DRAWN = {
    "draw": ("draw", "tictactoe", "--out"),
    "atlas": ("nex", "atlas", "2x2", "--out"),
    "team": ("pokemon", "team", "Ice", "--out"),
    "polyominoes": ("polyominoes", "--area", "4x4", "--pieces", "4 T4", "--out"),
    "graph": ("small-world", "graph", "mathmech", "--out"),
    "matrix": ("small-world", "matrix", "mathmech", "--out"),
    "plot": ("hands", "plot", str(DECK), "--out"),
}
FORMER = {
    "atlas": "--svg", "team": "--svg", "polyominoes": "--svg", "graph": "--image",
    "matrix": "--image", "plot": "--image",
}  # fmt: skip
"""The names that `--out` had."""


@pytest.mark.samples("draw")
@pytest.mark.parametrize("arguments", DRAWN.values(), ids=DRAWN)
def test_a_picture_is_alone_on_stdout(arguments: tuple[str, ...]) -> None:
    if "plot" in arguments:
        pytest.importorskip("matplotlib", reason="pictures need the extra plot")
    drawn = CliRunner().invoke(main, [*arguments, "-"])
    assert drawn.exit_code == 0, drawn.stderr
    assert ElementTree.fromstring(drawn.stdout).tag.endswith("svg")
    if "draw" not in arguments:
        both = CliRunner().invoke(main, [*arguments, "-", "--json"])
        assert (both.exit_code, both.stdout) == (2, "")
        assert "go to stdout both" in both.stderr


def test_every_command_that_draws_has_one_name_for_the_picture() -> None:
    """Options of a file that the help calls a picture are all called `--out`."""
    found = {}
    for path, command in commands(main, ()):
        for option in command.params:
            words = getattr(option, "help", None) or ""
            if re.search(r"\.svg|\.png", words) and not getattr(option, "hidden", False):
                found[" ".join(path)] = option.opts
    assert len(found) >= len(DRAWN)
    assert set(map(tuple, found.values())) == {("--out",)}, found


def commands(group: click.Group, above: tuple[str, ...]) -> Iterator[tuple[Any, click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands(command, (*above, name))
        elif command is not None:
            yield (*above, name), command


@pytest.mark.samples("matrix---image")
@pytest.mark.parametrize(("command", "former"), FORMER.items())
def test_a_picture_has_its_former_option(command: str, former: str) -> None:
    if command == "plot":
        pytest.importorskip("matplotlib", reason="pictures need the extra plot")
    done = [
        CliRunner().invoke(main, [*DRAWN[command][:-1], option, "-"])
        for option in ("--out", former)
    ]
    shown = [each.stdout for each in done]
    assert all(ElementTree.fromstring(each).tag.endswith("svg") for each in shown)
    note = f"note: {former} is called --out now\n"
    assert [note in each.stderr for each in done] == [False, True]
    assert shown[0] == shown[1] or command == "plot", "a plot has its date"


KEPT = {
    "table": ("table", "tictactoe", "--out"),
    "prove": ("prove", "tictactoe", "--out"),
    "publish": ("publish", "tictactoe", "--to"),
    "tournament": ("tournament", "tournaments/nex-3x3.toml", "--out"),
    "tune": ("tune", "tournaments/tune-connect4.toml", "--out"),
}


@pytest.mark.parametrize("arguments", KEPT.values(), ids=KEPT)
def test_what_is_kept_needs_a_name(
    arguments: tuple[str, ...], refused: Callable[[Any, str], None]
) -> None:
    refused(CliRunner().invoke(main, [*arguments, "-"]), "go to stdout")


def test_after_an_exception_the_old_file_stays_alone(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    path.write_text("old")
    with pytest.raises(TypeError), replacing(path) as file:
        file.writelines([b"new", "no bytes"])  # type: ignore[list-item]
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["kept"]


@pytest.mark.skipif(os.name != "posix", reason="named pipes are of POSIX")
def test_a_pipe_is_written_to_and_stays_one(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write(path, "é")
        assert os.read(reader, 9) == "é".encode()
    finally:
        os.close(reader)
    assert path.is_fifo()


def test_what_cannot_be_written_is_named(tmp_path: Path) -> None:
    missing = tmp_path / "missing" / "file"
    with pytest.raises(FileNotFoundError) as nowhere:
        write(missing, b"")
    with pytest.raises(OSError, match="No space left") as full, replacing(tmp_path / "full"):
        raise OSError(errno.ENOSPC, "No space left on device")
    names = nowhere.value.filename, full.value.filename
    assert names == (str(missing), str(tmp_path / "full"))
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(os.name != "posix", reason="modes are of POSIX")
@pytest.mark.parametrize(("given", "kept"), [((), 0o640), ((0o600,), 0o600)])
def test_a_file_has_the_mode_that_is_given_less_the_umask(
    tmp_path: Path, given: tuple[int, ...], kept: int
) -> None:
    before = os.umask(0o027)
    try:
        with replacing(tmp_path / "kept", *given):
            pass
    finally:
        os.umask(before)
    assert (tmp_path / "kept").stat().st_mode & 0o777 == kept


def test_to_ask_whether_a_file_can_be_written_changes_no_other(tmp_path: Path) -> None:
    for name in ("kept", "kept.part", "kept.tmp"):
        (tmp_path / name).write_text(name)
    check_writable(tmp_path / "kept")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {
        name: name for name in ("kept", "kept.part", "kept.tmp")
    }
    with pytest.raises(ConfigError, match="give another path"):
        check_writable(tmp_path / "kept" / "below")
