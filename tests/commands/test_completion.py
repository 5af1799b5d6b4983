"""`dragon completion`, and what its scripts ask of dragon as a user types."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from dragon.cli import main

pytestmark = pytest.mark.samples(1)


def completed(typed: str) -> list[str]:
    """Give what is offered for the last word of a line."""
    asked = {"COMP_WORDS": typed, "COMP_CWORD": str(len(typed.split()) - 1)}
    environment = os.environ | asked | {"_DRAGON_COMPLETE": "bash_complete"}
    program = (
        "import sys; from dragon.cli import main\n"
        "try: main(prog_name='dragon')\n"
        "finally: assert 'llvmlite' not in sys.modules"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True
    )
    assert not done.stderr
    return [line.partition(",")[2] for line in done.stdout.splitlines()]


@pytest.mark.full
@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("dragon solve tict", ["tictactoe"]),
        ("dragon solve tictactoe --search alphab", ["alphabeta"]),
        ("dragon nex annot", ["annotate"]),
    ],
)
def test_names_are_completed_without_the_compiler(typed: str, offered: list[str]) -> None:
    assert completed(typed) == offered


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_has_a_script_that_asks_dragon(shell: str) -> None:
    said = CliRunner().invoke(main, ["completion", shell], prog_name="dragon")
    assert said.exit_code == 0
    assert f"_DRAGON_COMPLETE={shell}_complete" in said.output


def test_bash_reads_its_script() -> None:
    script = CliRunner().invoke(main, ["completion", "bash"], prog_name="dragon").output
    done = subprocess.run(
        ["bash", "-c", f"{script}\ncomplete -p dragon"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "_dragon_completion" in done.stdout
