"""The first commands, in README.md and docs/first-steps.md, print what is written there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "first-steps.md"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
DRAGON = f'dragon() {{ "{sys.executable}" -m dragon "$@"; }}\n'
OTHERWISE = ((r"[\d.]+ s\b", "_ s"), (r" +\n", "\n"))
"""What differs from run to run: seconds. And blanks at the ends of lines, which nobody types."""


def steps() -> Iterator[tuple[str, str]]:
    """Commands with what they print; a file is `cat FILE` with what is in it."""
    shell = ""
    for language, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if language == "sh":
            shell = text
            for line in text.splitlines()[:-1]:
                yield line, "..."
        elif text.startswith("$ "):
            for step in text.removeprefix("$ ").split("\n$ "):
                command, _, printed = step.partition("\n")
                yield command, printed
        elif shell:
            yield shell.splitlines()[-1], text
            shell = ""
        else:
            yield ("cat deck.txt" if "3 Ash Blossom" in text else "..."), text


def pattern(printed: str) -> str:
    """A regular expression for what is written, in which a line of `...` is any lines."""
    for found, put in OTHERWISE:
        printed = re.sub(found, put, printed)
    return re.escape(printed.strip()).replace(re.escape("..."), ".*")


@pytest.mark.full
def test_every_command_prints_what_is_written(tmp_path: Path) -> None:
    tried, lost = 0, []
    for command, printed in steps():
        if command.startswith("cat "):
            (tmp_path / command[4:]).write_text(printed, encoding="utf-8")
        if not command.startswith("dragon"):
            continue
        done = subprocess.run(
            ["bash", "-c", DRAGON + command], cwd=tmp_path, env=os.environ | {"PYTHONUTF8": "1"},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8",
        )  # fmt: skip
        shown = done.stdout
        for found, put in OTHERWISE:
            shown = re.sub(found, put, shown)
        tried += 1
        if done.returncode or not re.search(pattern(printed), shown, re.DOTALL):
            lost.append(f"$ {command}\n{shown}")
    assert tried >= 14
    assert lost == [], "\n".join(lost)


@pytest.mark.full
def test_the_tournament_of_the_readme_ends_as_is_written(tmp_path: Path) -> None:
    written = (ROOT / "README.md").read_text(encoding="utf-8").partition("```\nnex-3x3\n")[2]
    words = [sys.executable, "-m", "dragon", "tournament", ROOT / "tournaments" / "nex-3x3.toml"]
    done = subprocess.run(
        [*words, "--out", tmp_path / "out"], capture_output=True, text=True, check=True
    )
    shown = done.stdout.partition("nex-3x3\n")[2]
    texts = written.partition("```")[0], shown
    pair = [re.sub(r"\b\d+\.\d\d\b", "_", text).split() for text in texts]  # seconds alone
    assert pair[0] == pair[1]
