"""`dragon new`, `dragon new-search`: what they write works before a line is changed."""

from __future__ import annotations

import errno
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from dragon.cli import main
from dragon.commands.new import KINDS


def dragon(*words: str) -> tuple[int, str]:
    """The exit code, and all that was printed."""
    done = CliRunner().invoke(main, words, prog_name="dragon")
    return done.exit_code, done.output


class Made:
    """A distribution that was written, as an editable installation leaves it."""

    def __init__(self, kind: str, root: Path) -> None:
        self.kind, self.name, self.folder = kind, f"my_{kind}", root / f"my_{kind}"
        kinds = [] if kind == "search" else ["--kind", kind]
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(root)
            self.said = dragon("new-search" if kind == "search" else "new", self.name, *kinds)
        project = tomllib.loads((self.folder / "pyproject.toml").read_text())["project"]
        info = root / "site" / f"{project['name']}-{project['version']}.dist-info"
        info.mkdir(parents=True)
        named = f"Name: {project['name']}\nVersion: {project['version']}\n"
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\n{named}")
        points = project["entry-points"]["dragon"].items()
        lines = [f"{name} = {module}" for name, module in points]
        (info / "entry_points.txt").write_text("\n".join(["[dragon]", *lines, ""]))
        self.path = os.pathsep.join([str(root / "site"), str(self.folder)])

    def run(self, *words: str) -> str:
        """What a module of Python prints there; it must succeed."""
        kept = ("DRAGON_PLUGINS", "PYTEST_ADDOPTS", "PYTHONPATH")
        environment = {k: v for k, v in os.environ.items() if k not in kept}
        environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # they take longer than the tests
        others = [self.path, *filter(None, [os.environ.get("PYTHONPATH")])]
        done = subprocess.run(
            [sys.executable, "-m", *words], cwd=self.folder, capture_output=True, text=True,
            env=environment | {"PYTHONPATH": os.pathsep.join(others)}, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


def few(*kinds: str) -> list[Any]:
    """All kinds, of which a default run tries some."""
    slow = pytest.mark.full
    return [pytest.param(k, marks=[slow] * (k not in kinds)) for k in (*KINDS, "search")]


@pytest.fixture(scope="module", params=[*KINDS, "search"])
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Made:
    return Made(request.param, tmp_path_factory.mktemp("new"))


def test_it_says_what_was_written_and_what_comes_next(made: Made) -> None:
    code, said = made.said
    assert code == 0, said
    for file in made.folder.glob("*.*"):
        assert file.name in said
    assert f"cd {made.name}" in said


def test_no_placeholder_is_left_and_the_readme_lists_the_files(made: Made) -> None:
    readme = (made.folder / "README.md").read_text()
    for file in made.folder.glob("*.*"):
        assert "myname" not in file.read_text().lower(), file
        assert file.name == "README.md" or f"| `{file.name}` |" in readme
    assert readme.startswith("# My")


def test_the_picture_in_the_readme_is_the_one_that_its_test_holds(made: Made) -> None:
    pictures = re.findall(r"^```\n(.*?)^```", (made.folder / "README.md").read_text(), re.M | re.S)
    assert len(pictures) == (made.kind != "search")
    test = (made.folder / f"test_{made.name}.py").read_text()
    assert [line for picture in pictures for line in picture.splitlines() if line not in test] == []


@pytest.mark.samples("grid")
def test_its_own_tests_pass(made: Made) -> None:
    assert " passed" in made.run("pytest", "-q", "-p", "no:cacheprovider")


@pytest.mark.parametrize("made", few(), indirect=True)
def test_it_keeps_the_laws(made: Made) -> None:
    """Its own tests ask them too; these by the command, as .ci/run does.

    In a default run the former do, and `tests/test_cli.py` tries the command.
    """
    searched = made.kind == "search"
    words = ["tictactoe", "--search", made.name] if searched else [made.name]
    said = made.run("dragon", "laws", *words, "--json")
    rows = [json.loads(line) for line in said.splitlines()]
    verdicts = [row for row in rows if "passed" in row]  # others are notes and the portrait
    assert len(verdicts) > 30
    assert [verdict for verdict in verdicts if not verdict["passed"]] == []


@pytest.mark.parametrize("made", few("state"), indirect=True)
def test_it_plays_its_tournament(made: Made, tmp_path: Path) -> None:
    words = ["tournament.toml", "--workers", "0", "--out", str(tmp_path / "out")]
    made.run("dragon", "tournament", *words)
    lines = (tmp_path / "out" / "records.jsonl").read_text().splitlines()
    records = [json.loads(line) for line in lines]
    assert len(records) >= 2
    assert {each["reason"] for each in records} <= {"terminal", "proven"}


MISTAKES = {
    "Brook": "small letters",
    "2048": "the first a letter",
    "a-b": "small letters",
    "brook_": "the last no _",
    "b" * 31: "1 to 30",
    "..": "small letters",
    "tictactoe": "a game called 'tictactoe' is installed",
    "search": "a plugin called 'search' is installed",
    "tournament": "a plugin called 'tournament' is installed",
    "rules": "the code uses Rules",
    "true": "the code uses True",
    "laws": "the laws are in test_laws.py",
    "here": "'here' exists here already",
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_name_that_cannot_be_writes_nothing(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("here").mkdir()
    code, said = dragon("new", name)
    assert (code, MISTAKES[name] in said, len(said.splitlines())) == (2, True, 1), said
    assert [*tmp_path.rglob("*")] == [tmp_path / "here"]


def test_a_full_disk_leaves_nothing_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, content: str) -> None:
        if path.name == "tournament.toml":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        path.write_text(content)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("dragon.commands.new.write", full)
    code, said = dragon("new", "brook")
    assert (code, said) == (1, "dragon: brook/tournament.toml: No space left on device\n")
    assert [*tmp_path.iterdir()] == []


def test_the_name_of_a_search_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code, said = dragon("new-search", "mcts")
    assert (code, "a search called 'mcts' is installed" in said) == (2, True)
    assert [*tmp_path.iterdir()] == []
