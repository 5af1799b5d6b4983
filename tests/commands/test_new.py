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

import pytest
from click.testing import CliRunner

from dragon.cli import main
from dragon.commands.new import KINDS

ROOT = Path(__file__).parents[2]


def dragon(*words: str) -> tuple[int, str]:
    """The exit code, and all that was printed."""
    done = CliRunner().invoke(main, words, prog_name="dragon")
    return done.exit_code, done.output


class Made:
    """A distribution that was written, as an editable installation leaves it."""

    def __init__(self, kind: str, root: Path) -> None:
        self.kind, self.name, self.folder = kind, f"my_{kind}", root / f"my_{kind}"
        self.site = root / "site"
        kinds = [] if kind == "search" else ["--kind", kind]
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(root)
            self.said = dragon("new-search" if kind == "search" else "new", self.name, *kinds)
        project = tomllib.loads((self.folder / "pyproject.toml").read_text())["project"]
        info = self.site / f"{project['name']}-{project['version']}.dist-info"
        info.mkdir(parents=True)
        named = f"Name: {project['name']}\nVersion: {project['version']}\n"
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\n{named}")
        points = project["entry-points"]["dragon"].items()
        lines = [f"{name} = {module}" for name, module in points]
        (info / "entry_points.txt").write_text("\n".join(["[dragon]", *lines, ""]))
        self.path = os.pathsep.join([str(self.site), str(self.folder)])

    def files(self) -> list[Path]:
        """The files that were written."""
        return [p for p in self.folder.rglob("*.*") if p.is_file() and p.suffix != ".pyc"]

    def run(self, *words: str) -> str:
        """Return the output of a module of Python there; it must succeed."""
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


@pytest.fixture(scope="module", params=[*KINDS, "search"])
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Made:
    return Made(request.param, tmp_path_factory.mktemp("new"))


def test_it_says_what_was_written_and_what_comes_next(made: Made) -> None:
    code, said = made.said
    assert code == 0, said
    for file in made.folder.iterdir():
        assert file.name in said or file.name == "__pycache__"
    assert f"cd {made.name}" in said


def test_no_placeholder_is_left_and_the_readme_lists_the_files(made: Made) -> None:
    readme = (made.folder / "README.md").read_text()
    for file in made.files():
        assert not re.search("my-?name", file.read_text(), re.IGNORECASE), file
        path = file.relative_to(made.folder).as_posix()
        assert path == "README.md" or f"| `{path}` |" in readme
    assert readme.startswith("# My")


def test_the_picture_in_the_readme_is_the_one_that_its_test_holds(made: Made) -> None:
    pictures = re.findall(r"^```\n(.*?)^```", (made.folder / "README.md").read_text(), re.M | re.S)
    assert len(pictures) == (made.kind != "search")
    test = (made.folder / f"test_{made.name}.py").read_text()
    assert [line for picture in pictures for line in picture.splitlines() if line not in test] == []


@pytest.mark.full
def test_its_own_tests_pass(made: Made) -> None:
    assert " passed" in made.run("pytest", "-q", "-p", "no:cacheprovider")


@pytest.mark.full
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


@pytest.mark.full
def test_it_plays_its_tournament(made: Made, tmp_path: Path) -> None:
    words = ["tournament.toml", "--workers", "0", "--out", str(tmp_path / "out")]
    made.run("dragon", "tournament", *words)
    lines = (tmp_path / "out" / "records.jsonl").read_text().splitlines()
    records = [json.loads(line) for line in lines]
    assert len(records) >= 2
    assert {each["reason"] for each in records} <= {"terminal", "proven"}


PAGE = """
from starlette.testclient import TestClient
from dragon.web.app import application
from dragon.web.guard import Access
from dragon.web.pool import Plan
from dragon_my_domain.page import MARKET
if __name__ == "__main__":
    app = application(Access(), Plan("search", 1, 4), pages=(MARKET,))
    with TestClient(app, base_url="http://localhost") as client:
        paths = "/my-domain", "/static/my-domain/page.js", "/api/my-domain/prices?goods=0"
        print(*[client.get(path).status_code for path in paths])
        print(client.get("/api/my-domain/prices?buyers=9").text)
"""


def test_the_documentation_shows_the_files_of_a_domain() -> None:
    page = (ROOT / "docs" / "write-a-domain.md").read_text(encoding="utf-8")
    shown = re.findall(r"^<!-- (dragon_grove/\S+) -->\n```python\n(.*?)^```$", page, re.M | re.S)
    assert len(shown) == 3
    for path, text in shown:
        file = ROOT / "dragon" / "templates" / "domain" / path.replace("grove", "myname")
        written = file.read_text(encoding="utf-8").replace("my-name", "grove")
        assert text == written.replace("myname", "grove").replace("MyName", "Grove"), path


@pytest.mark.full
@pytest.mark.parametrize("made", ["domain"], indirect=True)
def test_the_page_of_a_domain_is_given_what_its_command_prints(made: Made) -> None:
    (made.site / "served.py").write_text(PAGE)
    codes, answer = made.run("served").splitlines()
    assert codes == "200 200 400"
    printed = made.run("dragon", "my-domain", "prices", "--buyers", "9", "--json")
    assert json.loads(answer) == json.loads(printed)
    assert json.loads(printed)["least"][0] == [1, 1]


@pytest.mark.parametrize(
    ("name", "kind"), [("solve", "command"), ("hands", "command"), ("analyse", "page")]
)
def test_a_command_and_a_page_of_a_domain_are_new(
    name: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("dragon.commands.new._check", lambda name: None)
    monkeypatch.setattr("dragon.commands.new.games", dict)
    code, said = dragon("new", name, "--kind", "domain")
    assert (code, f"a {kind} called {name!r} is installed already" in said) == (2, True), said
    assert [*tmp_path.iterdir()] == []


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
