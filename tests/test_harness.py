"""The harness of all tests (the file `conftest.py` beside the folder `tests`), which can fail."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HARNESS, CI = ROOT / "conftest.py", ROOT / ".ci" / "run"
SETTINGS = """
[pytest]
testpaths = tests
addopts = --strict-markers -m 'not full'
markers =
    alone
    budget(seconds)
    full
    samples(*cases)
"""
LINUX = Path("/proc/self/task").exists()


class Project:
    """A folder with the same harness and other tests."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "tests").mkdir()
        (folder / "conftest.py").write_text(HARNESS.read_text())
        (folder / "pytest.ini").write_text(SETTINGS)

    def run(self, tests: str, *options: str, shell: str = "", **env: str) -> str:
        """Give what pytest prints; shell: a command line that runs `"$@"`, else none does."""
        (self.folder / "tests" / "test_it.py").write_text(tests)
        given = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "CI"))}
        given["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # they take longer than the tests
        xdist = [] if "no:xdist" in options else ["-p", "xdist"]
        command = [sys.executable, "-m", "pytest", *xdist, *options]
        done = subprocess.run(
            ["sh", "-c", shell, "sh", *command] if shell else command,
            cwd=self.folder, env=given | env, capture_output=True, text=True, timeout=120,
            check=False,
        )  # fmt: skip
        return done.stdout + done.stderr


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


# ---- the default run and the full one ------------------------------------------------------------

SAMPLED = """
import pytest

pytestmark = pytest.mark.samples(2)

@pytest.mark.samples("chess", "hex-*")
@pytest.mark.parametrize("game", ["chess", "hex-3", "hex-5", "nim"])
def test_of_games(game):
    print("played", game)

@pytest.mark.parametrize("number", [1, 2, 3])
def test_of_numbers(number):
    print("played", number)

@pytest.mark.full
def test_that_takes_long():
    print("played long")

def test_of_nothing():
    print("played nothing")
"""


@pytest.mark.full
def test_a_default_run_tries_the_samples_and_a_full_one_all_others(project: Project) -> None:
    def played(*options: str) -> list[str]:
        return re.findall(r"^played (\S+)", project.run(SAMPLED, "-n0", "-rP", *options), re.M)

    assert played() == ["chess", "hex-3", "hex-5", "1", "2", "nothing"]
    assert played("-m", "full") == ["nim", "3", "long"]


@pytest.mark.full
def test_a_sample_that_names_no_case_is_told(project: Project) -> None:
    said = project.run(SAMPLED.replace('"chess",', '"ches",', 1), "-n0")
    assert (
        "test_of_games: no case is called 'ches', which is among the samples; "
        "there are chess, hex-3, hex-5, nim" in said
    ), said


def test_every_file_of_tests_is_collected() -> None:
    """A file with another name is in no run; benchmarks are apart."""
    tests = Path(__file__).parent
    files = [path.relative_to(tests) for path in tests.rglob("*.py") if defines_tests(path)]
    others = [path for path in files if not path.name.startswith("test_")]
    assert len(files) > 200
    assert others == []


def defines_tests(path: Path) -> bool:
    return re.search(r"^ *(async )?def test_", path.read_text(encoding="utf-8"), re.M) is not None


def test_ci_has_a_default_run_and_a_full_one_of_all_that_the_default_leaves_out() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["pytest"]["ini_options"]
    assert settings["testpaths"] == ["tests"]
    assert {"-m", "not full", "--ignore=tests/benchmarks"} <= {*shlex.split(settings["addopts"])}
    script = CI.read_text()
    assert re.search(r"^step .* checked test pytest$", script, re.MULTILINE)
    assert re.search(r"^step .* full$", script, re.MULTILINE)
    assert re.search(r"^full\(\) .*\n +checked test .* pytest -m full \|\|$", script, re.MULTILINE)


@pytest.mark.full  # it collects all tests once more
def test_every_file_has_tests_in_the_default_run_or_in_the_full_one() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--collect-only", "-m", "full or not full"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    found = {ROOT / line.partition("::")[0] for line in done.stdout.splitlines() if "::" in line}
    tests = ROOT / "tests"
    apart = tests / "benchmarks"
    every = {path for path in tests.rglob("test_*.py") if apart not in path.parents}
    # These need packages of others, which `.ci/run` installs for them in an environment apart.
    others = ("test_spiel.py", "test_spiel_game.py", "test_zoo.py")
    assert every - found <= {tests / "bridges" / name for name in others}
    assert found <= every


# ---- the cores -----------------------------------------------------------------------------------

NOTHING = "def test_nothing(): pass"


@pytest.mark.full
def test_all_tests_use_the_cores_and_named_ones_this_process(project: Project) -> None:
    workers = len(os.sched_getaffinity(0)) + 1
    assert re.search(rf"\b{workers} workers? \[1 item\]", project.run(NOTHING))
    for options in (
        ["tests/test_it.py"], ["-p", "no:xdist"], ["--pdb"], ["-n0"],
    ):  # fmt: skip
        said = project.run(NOTHING, *options)
        assert "1 passed" in said, said
        assert "worker" not in said, said


COLLECTED = """
import time
from pathlib import Path

begun = time.monotonic()
time.sleep(0.3)
with Path(__file__).with_name("notes").open("a") as notes:
    notes.write(f"{begun} {time.monotonic()}\\n")

def test_nothing(): pass
"""


@pytest.mark.full
def test_one_worker_collects_before_the_others(project: Project) -> None:
    said = project.run(COLLECTED, "-n", "3")
    assert "1 passed" in said, said
    lines = (project.folder / "tests" / "notes").read_text().splitlines()
    (_, ended), *others = sorted(tuple(map(float, line.split())) for line in lines)
    assert len(others) == 2
    assert all(begun >= ended for begun, _ in others)


ALONE = """
import time
from pathlib import Path
import pytest

def note(kind):
    begun = time.monotonic()
    time.sleep(0.05)
    with Path(__file__).with_name("notes").open("a") as notes:
        notes.write(f"{kind} {begun} {time.monotonic()}\\n")

@pytest.mark.alone
@pytest.mark.parametrize("n", range(4))
def test_alone(n):
    note("alone")

@pytest.mark.parametrize("n", range(12))
def test_other(n):
    note("other")
"""


@pytest.mark.full
def test_a_test_that_must_be_alone_has_no_other_beside_it(project: Project) -> None:
    said = project.run(ALONE, "-n", "3")
    assert "16 passed" in said, said
    rows = [line.split() for line in (project.folder / "tests" / "notes").read_text().splitlines()]
    spans = [(kind, float(begun), float(ended)) for kind, begun, ended in rows]
    beside = [
        {kind, other}
        for i, (kind, begun, ended) in enumerate(spans)
        for other, start, end in spans[:i]
        if start < ended and begun < end
    ]
    assert {"other"} in beside  # the others do run side by side
    assert not [kinds for kinds in beside if "alone" in kinds]
    order = re.findall(r"::test_(\w+)\[", project.run(ALONE, "--collect-only", "-q"))
    assert order == ["other"] * 12 + ["alone"] * 4


# ---- Ctrl-C and processes ------------------------------------------------------------------------

INTERRUPTED = """
import signal, subprocess, sys

def test_of_this_process():
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler

def test_of_a_child():
    code = "import time; print(flush=True); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL) as child:
        child.stdout.readline()
        child.send_signal(signal.SIGINT)
        assert child.wait(30) == -signal.SIGINT
"""


@pytest.mark.full
@pytest.mark.parametrize("options", [["-n0"], ["-n1"]], ids=["one process", "workers"])
def test_ctrl_c_reaches_children_where_the_shell_has_ignored_it(
    project: Project, options: list[str]
) -> None:
    said = project.run(INTERRUPTED, *options, shell="trap '' INT; exec \"$@\"")
    assert "2 passed" in said, said


LEFT = """
import subprocess, time
import pytest

def test_fails_and_leaves():
    subprocess.Popen(["sleep", "601"])
    raise ValueError("a mistake")

def test_leaves_a_child():
    subprocess.Popen(["sleep", "602"], start_new_session=True)

def test_leaves_a_grandchild():
    subprocess.run(["sh", "-c", "sleep 603 &"])

def test_leaves_what_ends_soon():
    subprocess.Popen(["sleep", "0.2"])

@pytest.fixture(scope="module")
def server():
    child = subprocess.Popen(["sleep", "604"])
    yield
    child.kill()
    child.wait()

@pytest.fixture(scope="module")
def careless():
    subprocess.Popen(["sleep", "605"])

def test_uses_a_server(server):
    pass

def test_uses_a_careless_one(careless):
    pass
"""


@pytest.mark.full
@pytest.mark.skipif(not LINUX, reason="only where the system lists processes in /proc")
def test_who_leaves_a_process_behind_is_named(project: Project) -> None:
    edited = HARNESS.read_text().replace("GRACE = 10.0", "GRACE = 1.0")
    (project.folder / "conftest.py").write_text(edited)
    said = project.run(LEFT, "-n0", "-rA")
    assert re.findall(r"ERROR at teardown of (\w+)", said) == [
        "test_leaves_a_child", "test_leaves_a_grandchild", "test_uses_a_careless_one"
    ]  # fmt: skip
    for seconds in (602, 603, 605):
        assert re.search(rf"  \d+: sleep {seconds}", said), said
    assert "a mistake" in said
    assert "1 failed, 5 passed, 3 errors" in said, said
    assert not [command for command in commands() if re.fullmatch(r"sleep 60[1-5]", command)]


def commands() -> Iterator[str]:
    """The command lines of all processes."""
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it has just ended
            yield entry.read_text().replace("\0", " ").strip()


# ---- budgets -------------------------------------------------------------------------------------

BUDGETS = """
import subprocess, sys, time
import pytest

WORK = "import time\\nwhile time.process_time() < 0.25: pass"

@pytest.mark.budget(0.1)
def test_works():
    while time.process_time() < 0.25 + BEGUN: pass

@pytest.mark.budget(0.1)
def test_lets_work():
    subprocess.run([sys.executable, "-c", WORK])

@pytest.mark.budget(0.1)
def test_waits_long():
    time.sleep(1.1)

@pytest.mark.budget(0.1)
def test_waits_little():
    time.sleep(0.2)

def test_has_room():
    subprocess.run([sys.executable, "-c", WORK])

BEGUN = time.process_time()
"""


@pytest.mark.full
def test_a_test_beyond_its_budget_fails_by_name_in_ci(project: Project) -> None:
    said = project.run(BUDGETS, "-n0", "-rf", CI="true")
    failed = re.findall(r"^FAILED tests/test_it.py::(\w+) - took", said, re.MULTILINE)
    assert failed == ["test_works", "test_lets_work", "test_waits_long"], said
    assert "its budget is 0.1, and 1 by the clock" in said
    assert "2 passed" in project.run(BUDGETS, "-n0", "-k", "works or lets_work")
