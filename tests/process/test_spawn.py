"""Child processes: what they import, and what they see of Ctrl-C and of their environment."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from dragon.process import MARK, VARIABLE
from dragon.process.spawn import Spawn, safe_path

ROOT = Path(__file__).parents[2]
COVER = "a b c d\na b\nc d\na c\nb d\n"
COMMANDS = {
    "tournament": ("tournament", "mine.toml", "--workers", "2", "--out", "out"),
    "cover": ("cover", "problem.txt", "--workers", "2"),
    "laws": ("laws", "nim", "--search", "random"),
}


@pytest.mark.full
@pytest.mark.parametrize("command", COMMANDS)
def test_children_import_nothing_from_the_current_folder(tmp_path: Path, command: str) -> None:
    here, elsewhere = tmp_path / "here", tmp_path / "bin"
    here.mkdir()
    elsewhere.mkdir()
    for name in ("pickle", "select", "types", "struct", "signal"):
        (here / f"{name}.py").write_text(f"open({str(tmp_path / 'caught')!r}, 'a').write(__name__)")
    player = '[[player]]\nsearch = "random"\n'
    (here / "mine.toml").write_text(f'game = "nim"\n{player}name = "A"\n{player}name = "B"\n')
    (here / "problem.txt").write_text(COVER)
    script = elsewhere / "dragon"  # as an installed command is one
    script.write_text("from dragon.cli import main\nif __name__ == '__main__':\n    main()\n")
    said = subprocess.run(
        [sys.executable, str(script), *COMMANDS[command]],
        cwd=here, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert not (tmp_path / "caught").exists(), (tmp_path / "caught").read_text()
    assert said.returncode == 0, said.stderr


def test_every_process_is_started_so() -> None:
    other = re.compile(r"""get_context\(|multiprocessing\.Process|ProcessPoolExecutor\(""")
    found = [
        str(path)
        for folder in ("dragon", "games", "tournaments")
        for path in (ROOT / folder).rglob("*.py")
        if other.search(path.read_text())
    ]
    assert found == []


def _look(pipe) -> None:
    pipe.send((os.environ.get(VARIABLE), signal.getsignal(signal.SIGINT)))


@pytest.mark.samples("1")
@pytest.mark.parametrize("given", [None, "1"])
def test_a_child_has_the_environment_of_its_parent_and_leaves_ctrl_c_to_it(
    given: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    if given:
        monkeypatch.setenv(VARIABLE, given)
    mine, theirs = Spawn().Pipe()
    process = Spawn().Process(target=_look, args=(theirs,))
    process.start()
    assert os.environ.get(VARIABLE) == given
    assert mine.recv() == (given, signal.SIG_IGN)
    process.join()
    with safe_path():
        assert os.environ[VARIABLE] == (given or MARK)


STARTS = """
import os
from multiprocessing import resource_tracker
from pathlib import Path
from dragon.process.spawn import Spawn
def look(pipe):
    pipe.send((resource_tracker._resource_tracker._fd, __name__))
if __name__ == "__main__":
    mine, theirs = Spawn().Pipe()
    process = Spawn().Process(target=look, args=(theirs,))
    process.start()
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    print(mine.recv(), resource_tracker._resource_tracker._fd, len(children))
    process.join()
"""


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="no list of children here")
def test_a_process_is_one_process_and_has_the_main_module_of_a_program(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(STARTS)
    said = subprocess.run(
        [sys.executable, str(program)], capture_output=True, text=True, check=True
    )
    assert said.stdout == "(None, '__mp_main__') None 1\n"
