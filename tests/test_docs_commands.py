"""Commands in the documentation: each is parsed, and each that a reader could run here is run."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from dragon.cli import main as dragon_command

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SHELL = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TABLE = re.compile(r"^```\n(nex-3x3\n.*?)^```$", re.MULTILINE | re.DOTALL)


def shell_lines() -> Iterator[str]:
    """Each line of `sh` in README and docs; continued lines are joined."""
    for page in PAGES:
        for text in SHELL.findall(page.read_text(encoding="utf-8")):
            for line in text.replace("\\\n", " ").splitlines():
                if line.strip() and not line.startswith("#"):
                    yield line


def commands_of(line: str) -> list[list[str]]:
    """The words of each `dragon` in a line, those within $(...) too."""
    inner = re.findall(r'"?\$\(([^()]*)\)"?', line)
    plain = re.sub(r'"?\$\([^()]*\)"?', "DEAL", line)
    lexer = shlex.shlex(plain, posix=True, punctuation_chars="|&;<>")
    lexer.whitespace_split = True
    parts: list[list[str]] = [[]]
    for word in lexer:
        if set(word) <= set("|&;"):
            parts.append([])
        else:
            parts[-1].append(word)
    whole = [part[: part.index(">")] if ">" in part else part for part in parts]
    found = [part[part.index("dragon") + 1 :] for part in whole if "dragon" in part[:2]]
    return found + [words for each in inner for words in commands_of(each)]


def parsed(words: list[str], group: click.Group, parent: click.Context | None = None) -> None:
    """Parse the words of a command, without running it; raises click.UsageError."""
    context = click.Context(group, parent, "dragon")
    name, command, rest = group.resolve_command(context, list(words))
    assert command is not None
    if isinstance(command, click.Group) and rest:
        parsed(rest, command, context)
    else:
        command.make_context(name, rest, parent=context)


LINES = sorted({line.partition("  #")[0].rstrip() for line in shell_lines() if commands_of(line)})
NOT_RUN = {
    r"dragon serve|pip install": "waits for a browser, or installs",
    r"dragon gtp .*--(search|vertices)|nex gtp --size": "waits for another program",
    r"cards update": "takes files from the network",
    r"dragon (tournament|tune) (?!tournaments/nex-3x3)": "plays for minutes, or a file of a reader",
    r"dragon merge": "its parts are played by tests/tournament/test_shards.py",
    r"dragon bench|dragon profile": "measures for seconds each game",
    r"--follow": "follows a tournament that is being played",
    r"openspiel\(": "needs OpenSpiel; tests/bridges has such games",
    r"completion|dragon cache --clear": "changes the reader's shell or cache",
    r"dragon publish": "builds pages; tests/publish does so",
    r"dragon new": "writes a plugin to be installed; tests/commands does so",
    r"--thorough|laws tictactoe$": "tries games for minutes; tests/laws does so",
    r"megabytes=|table teeko|nex table [34]|atlas 4x4|rows=5, columns=[34]": "minutes",
    r"kalah\(pits=4|reversi 9|reversi\(size=6|perft chess 6|rows=7, columns=7": "minutes",
    r"solve sliding|sliding\(gap": "minutes, or more memory than a test has",
    r"two048 --seats montecarlo|seats mcts,alphabeta": "plays for minutes",
    r"annotate (games?|othello)\.": "a reader's record; tests/commands has its own",
    r"laws (tictactoe )?--search|--search nested|tatami|grove": "a plugin that a page writes",
    r"\.png|\.ydk|export .*parquet|DEAL": "needs a browser, a reader's deck or deal, pyarrow",
    r"hands plot .*--out": "needs matplotlib",
    r"favourites|games\.txt|games/\*|log\.txt|deck\.txt|names\.txt": "a reader's list or records",
    r"results/(hex-5|kuhn)|proofs/|mine\.toml": "a reader's results, proofs or tournament",
    r"policy\(file=": "a strategy that the line before has written; tests/search has some",
    r"path='hex|human,table": "a table that the line before has made; tests/search makes its own",
    r"sokoban\(file|small-world.*deck": "a reader's levels or deck",
    r"explain \"Mathmech": "a pool that is taken from the network",
}
"""Patterns of lines that are parsed only, and why."""
RUN = [line for line in LINES if not any(re.search(pattern, line) for pattern in NOT_RUN)]
DATA = r"--json|--csv|--to (csv|packed)|--out -|dragon (lines|uci|nex gtp)|ulti deal"
"""Pattern of lines that print what programs read, or a text to copy; others keep to 80 columns."""
COVER = "a b c d e f\na b\nc\na\nb c\nd\ne\nf\nb\n"
DECK = (
    "deck: {Alpha: {qty: 3, tags: [Good]}, Beta: {qty: 2}, Gamma: {qty: 1}}\n"
    "conditions: [Alpha OR Beta]\n"
)


def test_every_command_has_its_options_and_arguments() -> None:
    assert len(LINES) > 240
    wrong = []
    for line in LINES:
        for words in commands_of(line):
            if words[0] == "grove":  # of the plugin that docs/write-a-domain.md makes
                continue
            try:
                parsed(words, dragon_command)
            except click.UsageError as error:
                if "does not exist" not in error.format_message():  # a file of the reader's own
                    wrong.append(f"{line}: {error.format_message()}")
    assert not wrong


def test_a_command_that_lacks_an_option_is_found() -> None:
    with pytest.raises(click.UsageError, match="unexpected extra argument"):
        parsed(["draw", "einstein", "start.svg"], dragon_command)
    line = "printf 'b2' | dragon play nim > a && dragon ulti table \"$(dragon x)\""
    assert commands_of(line) == [["play", "nim"], ["ulti", "table", "DEAL"], ["x"]]


def test_each_reason_not_to_run_a_line_has_one() -> None:
    for pattern in NOT_RUN:
        assert any(re.search(pattern, line) for line in LINES), pattern
    assert len(RUN) > 120


def run(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a line of a shell in a folder, with this installation's `dragon`."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        ["bash", "-c", line], cwd=folder, env={**os.environ, "PATH": path}, input="",
        capture_output=True, text=True, encoding="utf-8", timeout=180, check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that a reader would have by now."""
    made = tmp_path_factory.mktemp("reader")
    (made / "tournaments").symlink_to(ROOT / "tournaments")
    for name in ("puzzle", "queens", "soma", "dominoes", "teams", "mats"):
        (made / f"{name}.txt").write_text(COVER)
    (made / "grids.sdm").write_text(f"{81 * '.'}\n")
    (made / "deck.yaml").write_text(DECK)
    (made / "piles.txt").write_text("5 A\n4 B\n")
    (made / "evening.txt").write_text("players: Anna, Béla, Csaba\nAnna: ulti; made\n", "utf-8")
    names = "Garchomp", "Toxapex", "Ferrothorn", "Rotom-Wash", "Clefable"
    (made / "team.txt").write_text("\n".join(f"{name}\nLevel: 50\n- Facade\n" for name in names))
    for line in ("dragon tournament tournaments/nex-3x3.toml",
                 'dragon prove "nex(rows=3, cols=4)" --out nex-3x4.proof',
                 'dragon table "hex(size=4)" --out hex4.table'):  # fmt: skip
        run(line, made).check_returncode()
    return made


@pytest.mark.full
@pytest.mark.budget(60)  # the first one makes what the others read, and answers of ulti take 13 s
@pytest.mark.parametrize("line", RUN)
def test_a_command_that_a_page_shows_runs(line: str, folder: Path) -> None:
    done = run(line, folder)
    assert done.returncode == 0, done.stderr
    if not re.search(DATA, line):
        assert [each for each in done.stdout.splitlines() if len(each) > 80] == []


@pytest.mark.full
def test_the_first_table_of_the_readme_is_what_the_command_prints(folder: Path) -> None:
    (shown,) = TABLE.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    printed = run("dragon tournament tournaments/nex-3x3.toml", folder).stdout
    assert printed == shown
