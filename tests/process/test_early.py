"""Settings that the command makes before its modules are imported, as other programs see them."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from dragon.process import ONE, THREADS

COMMAND = "import sys; sys.argv = ['dragon']; import dragon, os; "
SAY = f"print(os.environ.get({THREADS!r}))"
ENGINE = (
    "from dragon.gtp.program import Program; "
    f"print(Program((sys.executable, '-c', {'import os; ' + SAY!r})).read(None))"
)


def said(code: str, **environment: str) -> str:
    """Give what a process prints; numpy's number of threads is set only if it is given here."""
    others = {name: value for name, value in os.environ.items() if name != THREADS}
    return subprocess.run(
        [sys.executable, "-c", code], env=others | environment, capture_output=True, text=True,
        check=True,
    ).stdout.strip()  # fmt: skip


@pytest.mark.full
def test_the_command_starts_no_threads_for_matrices() -> None:
    assert said(COMMAND + SAY) == ONE
    assert said("import dragon, os; " + SAY) == "None"  # which is not the command


@pytest.mark.full
def test_the_command_ends_without_a_last_look_for_garbage() -> None:
    ended = "import atexit, dragon, gc; atexit._run_exitfuncs(); print(gc.get_freeze_count() > 0)"
    assert said(COMMAND + ended) == "True"
    assert said(ended) == "False"


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="threads are listed on Linux")
def test_numpy_reads_it_so() -> None:
    assert said(COMMAND + "import numpy; print(len(os.listdir('/proc/self/task')))") == "1"


@pytest.mark.samples(1)
@pytest.mark.parametrize("given", [{}, {THREADS: "3"}])
def test_what_the_user_has_set_is_what_an_engine_sees(given: dict[str, str]) -> None:
    expected = given.get(THREADS, "None")
    if given:
        assert said(COMMAND + SAY, **given) == expected
    assert said(COMMAND + ENGINE, **given) == expected
