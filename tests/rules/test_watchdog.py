"""A compiled rule that does not return ends its process, which says which rule it is."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).with_name("endless.py")
LATE = 60
"""Seconds after which a process does not end by itself."""


def dragon(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(PROGRAM), *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=LATE)


@pytest.mark.full
@pytest.mark.parametrize(
    "mistake",
    ["moves", "payoff", *(pytest.param(m, marks=pytest.mark.full) for m in ("turn", "play"))],
)
def test_an_endless_rule_is_named(mistake: str) -> None:
    ran = dragon("solve", f"endless(mistake={mistake!r})")
    assert ran.returncode == 2
    message = ran.stderr.splitlines()[-1]
    assert message.startswith(f"dragon: {PROGRAM}:")
    assert f"rule {mistake!r}: Endless: its loops have gone round 10,000,000 times" in message
    assert "path=0" in message
    line = PROGRAM.read_text().splitlines()[int(message.split(":")[2]) - 1]
    assert line.strip().startswith("while ")


@pytest.mark.full
def test_an_endless_rule_is_named_while_another_thread_runs_compiled_code() -> None:
    """The name is that of another game, whose rules are always those that were called last."""
    ran = dragon("beside", "solve", "endless(mistake='turn')")
    assert ran.returncode == 2
    assert "rule 'turn': Endless: its loops have gone round" in ran.stderr.splitlines()[-1]


@pytest.mark.full
def test_calls_without_end_are_an_error() -> None:
    """Also in code that is not checked, where they would end the process."""
    ran = dragon("solve", "endless(mistake='calls')")
    assert ran.returncode == 2
    assert "it calls itself, 1,000 deep" in ran.stderr


@pytest.mark.full
@pytest.mark.parametrize(
    "beside",
    [
        pytest.param((), id="alone", marks=pytest.mark.full),
        pytest.param(("beside",), id="beside another thread"),
    ],
)
def test_ctrl_c_ends_compiled_code_that_does_not_return(beside: tuple[str, ...]) -> None:
    command = [sys.executable, str(PROGRAM), *beside, "solve", "endless(mistake='slow')"]
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:  # fmt: skip
        try:
            assert process.stderr is not None
            while process.stderr.readline() not in ("it lasts\n", ""):
                pass
            process.send_signal(signal.SIGINT)
            _, message = process.communicate(timeout=LATE)
        finally:
            process.kill()
    assert process.returncode == 130
    assert message.splitlines()[-1] == (
        "interrupted; the compiled code of endless(mistake='slow') did not return"
    )
