"""The cache of compiled kernels, by real processes: each test starts some on a cache of its own."""

from __future__ import annotations

import enum
import functools
import importlib
import math
import operator
import os
import random
import signal
import subprocess
import sys
import types
from collections import namedtuple
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest

from dragon import PluginError, RuleError, Rules
from dragon.compiler import cache
from dragon.compiler.fingerprint import fingerprint as hash_of
from dragon.compiler.fingerprint import identity
from dragon.compiler.specialise import Constants, _fingerprint, specialise
from dragon.rules.rehearsal import check_rules

GAME = """
from dragon import TERMINAL, RecordGame, Rules, frozen, rule
from helper_{name} import spare

FEW = {few}

@rule
def turn(s):
    return s.ply % 2 if s.ply < 6 else TERMINAL

@rule
def moves(s, out):
    for move in range(FEW + spare(s)):
        out[move] = move
    return FEW + spare(s)

@rule
def play(s, move):
    s.ply += 1

@rule
def payoff(s, seat):
    return 0

@frozen
class Toy(RecordGame):
    name = "{name}"

    def rules(self):
        return Rules([("ply", "i8")], moves, play, turn, payoff, width=9, plies=6)
"""
HELPER = """
def spare(s):
    return {spare}
"""
COUNT = """
import dragon, importlib, sys
for name in sys.argv[1:]:
    print(name, dragon.perft(importlib.import_module(name).Toy().start(), 3))
"""
DROP = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
header, data = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
assert libc.capget(header, data) == 0
for i in (0, 1):  # effective, permitted: no writing (bit 1) nor reading (2) past the file's mode
    data[i] &= ~0b110
assert libc.capset(header, data) == 0, os.strerror(ctypes.get_errno())
try:
    open(os.path.join(os.environ["DRAGON_CACHE"], "probe"), "w")
except PermissionError:
    pass
else:
    sys.exit("the cache is writable after all")
"""


class Place:
    """A folder of game modules and an empty cache, and processes that use both."""

    def __init__(self, root: Path) -> None:
        self.games, self.cache = root / "games", root / "cache"
        self.games.mkdir()
        self.cache.mkdir()

    def write(self, name: str, few: int, spare: int = 0) -> None:
        (self.games / f"{name}.py").write_text(GAME.format(name=name, few=few))
        (self.games / f"helper_{name}.py").write_text(HELPER.format(spare=spare))

    def start(self, *names: str, first: str = "") -> subprocess.Popen[str]:
        own = {"PYTHONPATH": str(self.games), "DRAGON_CACHE": str(self.cache)}
        return subprocess.Popen(
            [sys.executable, "-B", "-c", first + COUNT, *names],
            env={**os.environ, **own, "DRAGON_JIT": "1"},
            cwd=self.games,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *names: str, first: str = "") -> tuple[str, str]:
        return finished(self.start(*names, first=first))

    def files(self) -> dict[str, int]:
        """Each file of the cache and when it was written, in nanoseconds."""
        found = sorted(p for p in self.cache.rglob("*") if p.is_file())
        return {str(p.relative_to(self.cache)): p.stat().st_mtime_ns for p in found}


def finished(process: subprocess.Popen[str]) -> tuple[str, str]:
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    return out, err


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


@pytest.fixture
def warm(place: Place) -> Place:
    """A place with one game that has been played, so that its kernels are in the cache."""
    place.write("toy", few=2)
    assert place.run("toy")[0] == "toy 8\n"
    return place


OF_ROOT = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives away"
)


@pytest.mark.full
def test_two_games_of_one_layout_do_not_collide(place: Place) -> None:
    place.write("one", few=2)
    place.write("two", few=5)
    both = "one 8\ntwo 125\n"
    assert place.run("one", "two")[0] == both
    assert place.run("two")[0] + place.run("one")[0] == "two 125\none 8\n"
    assert place.run("one", "two")[0] == both


@pytest.mark.full
def test_a_changed_rule_is_compiled_anew(warm: Place) -> None:
    warm.write("toy", few=3)  # a constant that a rule reads
    assert warm.run("toy")[0] == "toy 27\n"
    warm.write("toy", few=3, spare=1)  # a function of another module that a rule calls
    assert warm.run("toy")[0] == "toy 64\n"
    warm.write("toy", few=2)
    before = warm.files()
    assert warm.run("toy")[0] == "toy 8\n"
    assert warm.files() == before, "the first form was still in the cache"


@pytest.mark.full
def test_processes_that_start_at_once_on_an_empty_cache_all_come_out_right(place: Place) -> None:
    place.write("one", few=2)
    place.write("two", few=5)
    running = [place.start(*names) for names in (("one", "two"), ("two", "one")) * 2]
    outputs = [finished(process)[0] for process in running]
    assert outputs == ["one 8\ntwo 125\n", "two 125\none 8\n"] * 2
    before = place.files()
    assert place.run("one", "two")[0] == "one 8\ntwo 125\n"
    assert place.files() == before
    assert not [name for name in before if name.endswith(".tmp")]


SLOWLY = """
import dragon.compiler.entries as entries, time
real = entries.compile_entry
def counted(*arguments):
    print("compiled", flush=True)
    time.sleep({seconds})
    return real(*arguments)
entries.compile_entry = counted
"""


@pytest.mark.full
def test_processes_that_start_at_once_compile_each_kernel_once(place: Place) -> None:
    place.write("toy", few=2)
    running = [place.start("toy", first=SLOWLY.format(seconds=0.3)) for _ in range(3)]
    outputs = [finished(process)[0] for process in running]
    assert all(output.endswith("toy 8\n") for output in outputs)
    others = ("/first_games", "/call-")
    kernels = [name for name in place.files() if not any(each in name for each in others)]
    assert sum(output.count("compiled") for output in outputs) == len(kernels) > 1


@pytest.mark.full
def test_who_waits_for_a_process_that_was_stopped_goes_on(place: Place) -> None:
    place.write("toy", few=2)
    stopped = place.start("toy", first=SLOWLY.format(seconds=60))
    assert stopped.stdout is not None
    assert stopped.stdout.readline() == "compiled\n"
    stopped.send_signal(signal.SIGSTOP)
    try:
        impatient = "from dragon.compiler import cache\ncache.PATIENCE = 0.3\n"
        assert place.run("toy", first=impatient)[0] == "toy 8\n"
    finally:
        stopped.kill()
        stopped.communicate()


@pytest.mark.full
def test_a_warm_start_writes_nothing(warm: Place) -> None:
    before = warm.files()
    assert [name for name in before if name.endswith(".object")]
    assert warm.run("toy")[0] == "toy 8\n"
    assert warm.files() == before


@pytest.mark.full
@pytest.mark.parametrize("populated", [True, False], ids=["populated", "empty"])
def test_a_read_only_cache_is_used_and_what_is_missing_is_told_once(
    place: Place, populated: bool
) -> None:
    place.write("one", few=2)
    place.write("two", few=5)
    if populated:
        place.run("one", "two")
    before = place.files()
    folders = [place.cache, *(p for p in place.cache.rglob("*"))]
    for folder in folders:
        folder.chmod(folder.stat().st_mode & ~0o222)
    try:
        out, err = place.run("one", "two", first=DROP)
    finally:
        for folder in folders:
            folder.chmod(folder.stat().st_mode | 0o200)
    assert out == "one 8\ntwo 125\n"
    warning = f"cannot write the kernel cache {place.cache} (Permission denied); what is compiled "
    remedy = "is not kept; set DRAGON_CACHE to a folder that can be written"
    assert err == ("" if populated else f"{warning}{remedy}\n")
    assert place.files() == before


@pytest.mark.full
def test_a_cache_that_cannot_be_is_told_and_nothing_is_left_behind(
    place: Place, tmp_path: Path
) -> None:
    place.write("toy", few=2)
    place.cache.rmdir()
    place.cache.write_text("a file where the folder should be")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    first = f"import tempfile; tempfile.tempdir = {str(scratch)!r}\n"
    out, err = place.run("toy", first=first)
    assert out == "toy 8\n"
    assert "what is compiled is not kept" in err
    assert list(scratch.iterdir()) == []


@pytest.mark.full
def test_rules_outside_the_subset_are_compiled_by_numba_and_it_is_told(place: Place) -> None:
    place.write("listed", few=3)
    file = place.games / "listed.py"
    file.write_text(file.read_text().replace("in range(FEW + spare(s))", "in list((0, 1, 2))"))
    hear = "import logging; logging.basicConfig(level='INFO', format='%(message)s')\n"
    out, err = place.run("listed", first=hear)
    assert out == "listed 27\n"
    reason = (
        "the compiler does not support list((0, 1, 2)); write a tuple, or keep what changes in "
    )
    rule, kernels = err.splitlines()[:2]
    assert rule == (
        f"{file}:13: rule 'moves': {reason}the record; numba compiles the callers of this rule, "
        "which takes longer"
    )
    assert kernels == (
        f"{file}:13: {reason}the record; numba compiles perft for listed, which takes longer"
    )
    out, err = place.run("listed", first="import sys; sys.modules['numba'] = None\n" + REFUSED)
    assert out == ""
    assert "listed.py:13: rule 'moves': the compiler does not support list((0, 1, 2))" in err


REFUSED = """
import importlib, dragon
try:
    dragon.perft(importlib.import_module("listed").Toy().start(), 3)
except dragon.RuleError as told:
    sys.stderr.write(str(told))
sys.exit()
"""


CHANGED = """
import dragon.compiler.specialise as specialise, numpy as np, sys, fixed_tables
from dragon.compiler.specialise import Constants
kernels = specialise.specialise("fixed_tables", Constants("tables"))
if sys.argv[1] == "change":
    fixed_tables.TABLE[1] = 77
print(kernels.read(1))
sys.exit()
"""


@pytest.mark.full
def test_a_table_changed_before_the_first_call_is_not_kept(place: Place) -> None:
    kernel = """
import numpy as np
from dragon.rules.template import kernel

TABLE = np.zeros(3, np.int64)

@kernel
def read(i):
    return TABLE[i] + 100
"""
    (place.games / "fixed_tables.py").write_text(kernel)
    assert place.run("change", first=CHANGED)[0] == "177\n"
    assert place.run("leave", first=CHANGED)[0] == "100\n"
    assert place.run("change", first=CHANGED)[0] == "100\n", "the fingerprint has the constants"


@pytest.mark.full
def test_an_object_of_another_name_is_never_loaded(place: Place) -> None:
    place.write("toy", few=2)
    place.write("other", few=5)
    place.run("toy", "other")
    one, two = objects(place)
    (a, b), kept = (one.read_bytes(), two.read_bytes()), {one, two}
    changed(one, b)
    changed(two, a)
    assert place.run("toy", "other")[0] == "toy 8\nother 125\n"
    assert {*objects(place)} == kept


def objects(place: Place) -> list[Path]:
    """The files of a game's kernels but those that check rules before these are compiled."""
    others = ("rehearse", "first_games", "call-")
    return [each for each in place.cache.rglob("*.object") if not each.name.startswith(others)]


def changed(path: Path, data: bytes) -> None:
    """Write a file without changing its owner and mode."""
    with path.open("r+b") as file:
        file.truncate()
        file.write(data)


def kept(place: Place) -> dict[Path, tuple[Any, bytes]]:
    """Give the headers of objects without the time it took to compile them, and their code."""
    found = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DRAGON_CACHE", str(place.cache))
        for path in objects(place):
            header, code = cache.load(path.parent.name, path.stem) or ({}, b"")
            found[path] = {**header, "seconds": None}, code
    return found


@pytest.mark.full
@pytest.mark.parametrize(
    "fault",
    ["flipped", *(pytest.param(f, marks=pytest.mark.full) for f in ("cut", "empty", "foreign"))],
)
def test_a_damaged_object_is_compiled_anew(warm: Place, fault: str) -> None:
    whole, before = {path: path.read_bytes() for path in objects(warm)}, kept(warm)
    assert whole
    for path, data in whole.items():
        middle = len(data) // 2
        flipped = data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]
        wrong = {"cut": data[:middle], "flipped": flipped, "empty": b"", "foreign": b"x" * 999}
        changed(path, wrong[fault])
    assert all(found == ({"seconds": None}, b"") for found in kept(warm).values())
    assert warm.run("toy") == ("toy 8\n", "")
    assert kept(warm) == before


@pytest.mark.full
def test_an_object_that_others_can_write_is_never_loaded(warm: Place) -> None:
    for path in objects(warm):
        path.chmod(0o622)
        changed(path, b"of somebody else")
    assert warm.run("toy")[0] == "toy 8\n"
    assert all(path.stat().st_mode & 0o777 == 0o600 for path in objects(warm))


@pytest.mark.full
@OF_ROOT
def test_an_object_of_somebody_else_is_never_loaded(warm: Place) -> None:
    before = warm.files()
    for path in objects(warm):
        os.chown(path, 12345, 12345)
    assert warm.run("toy")[0] == "toy 8\n"
    assert warm.files() != before, "written anew"
    assert all(path.stat().st_uid == 0 for path in objects(warm))


FOLDER = (
    "from dragon.compiler.cache import save; from dragon.files import cache_folder; "
    "save('0' * 24, 'x', {}, b''); "
)
CHILD = "import subprocess, sys; subprocess.run([sys.executable, '-c', sys.argv[1]]); "


def said_by(folder: Path, *code: str) -> subprocess.CompletedProcess[str]:
    """Run a process that has its cache in a folder, and give what it prints."""
    return subprocess.run(
        [sys.executable, "-c", *code],
        env={**os.environ, "DRAGON_CACHE": str(folder)}, capture_output=True, text=True, check=True,
    )  # fmt: skip


@pytest.mark.full
@pytest.mark.parametrize("mode", [0o777, 0o775, 0o1777, 0o702])
def test_a_folder_that_others_can_write_to_is_not_used(tmp_path: Path, mode: int) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(mode)
    code = f"{FOLDER}print(cache_folder(), cache_folder().stat().st_mode & 0o777)"
    said = said_by(shared, FOLDER + CHILD + code, code)
    child, parent = said.stdout.splitlines()
    assert parent == child, "the same for both"
    assert parent.endswith(" 448")
    used = Path(parent.split()[0])
    assert used != shared
    assert not used.exists(), "it goes with the process"
    assert list(shared.iterdir()) == []
    (line,) = said.stderr.splitlines()
    assert f"the cache {shared} is not used, for others could have written to it" in line


@pytest.mark.full
@OF_ROOT
def test_a_folder_of_somebody_else_is_not_used(tmp_path: Path) -> None:
    os.chown(tmp_path, 12345, 12345)
    said = said_by(tmp_path, f"{FOLDER}print(cache_folder())")
    assert said.stdout.strip() != str(tmp_path)
    assert list(tmp_path.iterdir()) == []
    assert "is not used" in said.stderr


@pytest.mark.full
def test_a_new_folder_is_nobody_elses(tmp_path: Path) -> None:
    for code in (FOLDER, "import os; os.umask(0); import dragon; dragon.games()"):
        folder = tmp_path / str(len(code)) / "cache"
        said_by(folder, f"import os; os.umask(0); {code}")
        assert not folder.exists() or folder.stat().st_mode & 0o777 == 0o700


def test_the_least_recently_used_objects_go(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRAGON_CACHE", str(place.cache))
    for i in range(4):
        cache.save("0" * 24, f"entry-{i}", {}, bytes(1000))
        os.utime(place.cache / ("0" * 24) / f"entry-{i}.object", (i, i))
    assert cache.load("0" * 24, "entry-0") == ({}, bytes(1000)), "which is using it"
    monkeypatch.setattr(cache, "LARGEST", 3500)
    cache.save("1" * 24, "entry-4", {}, bytes(1000))
    left = [each.path.name for each in cache.stored()]
    assert left == ["entry-3.object", "entry-0.object", "entry-4.object"]
    assert len(list(cache.clear())) == 2
    assert cache.stored() == []


def test_the_last_time_like_it_is_the_estimate(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DRAGON_CACHE", str(place.cache))
    assert cache.usual_seconds("t", "run", otherwise=2.0) == 2.0
    for i, seconds in enumerate((9.0, 4.0)):
        cache.save(str(i) * 24, "run-1", {"template": "t", "seconds": seconds}, b"")
        os.utime(place.cache / (str(i) * 24) / "run-1.object", (i, i))
    assert cache.usual_seconds("t", "run", otherwise=2.0) == 4.0
    assert cache.usual_seconds("other", "run", otherwise=2.0) == 2.0


def test_what_killed_processes_left_goes_and_nothing_of_others(
    place: Place, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DRAGON_CACHE", str(place.cache))
    lost, young = (place.cache / (digit * 24) / "left.tmp" for digit in "01")
    other = tmp_path / "other" / "file.object"
    for path in (lost, young, other):
        path.parent.mkdir(parents=True)
        path.write_bytes(bytes(100))
    os.utime(lost, (1, 1))
    link = place.cache / ("2" * 24)
    link.symlink_to(other.parent)
    monkeypatch.setattr(cache, "LARGEST", 2000)  # so little that every entry has it looked through
    cache.save("3" * 24, "entry", {}, bytes(1000))
    assert not lost.parent.exists()
    assert young.exists(), "somebody may be writing it"
    assert [each.path.parent.name for each in cache.stored()] == ["3" * 24]
    monkeypatch.setattr(cache, "LARGEST", 1050)  # of all files together
    cache.save("3" * 24, "entry", {}, bytes(1000))
    assert not young.exists()
    assert {path.name[0] for path in cache.clear()} <= {"1", "3"}
    assert other.exists()


@pytest.mark.full
def test_the_cache_is_looked_through_once_in_a_64th_of_its_bound(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DRAGON_CACHE", str(tmp_path))
    monkeypatch.setattr(cache, "LARGEST", 640_000)
    looks: list[None] = []
    monkeypatch.setattr(cache, "_bound", lambda: looks.append(None))
    for number in range(300):
        cache.save("4" * 24, f"entry{number}", {}, bytes(1000))
    assert 15 < len(looks) < 50  # of 300 times 1,006 bytes in 10,000: 30 times


@pytest.mark.full
def test_the_fingerprint_does_not_depend_on_what_ran_before(warm: Place) -> None:
    before = warm.files()
    first = "import dragon.bits as b; b.bit(3); b.mix(b.u64(1))\n"
    assert warm.run("toy", first=first)[0] == "toy 8\n"
    assert warm.files() == before


def only(s: Any, *_: Any) -> Any:
    return 0


def fingerprint(reads: str, template: str = "dragon.rules.kernels.state", **names: Any) -> str:
    """Return the fingerprint of a game whose helper returns `reads` of the globals `names`."""
    exec(f"def helper(x):\n    {reads}\ndef moves(s, out):\n    return helper(s.ply)", names)
    rules = Rules([("ply", "i8")], names["moves"], only, only, only, width=1, plies=1)
    return _fingerprint(template, rules)


def module(name: str, **values: Any) -> types.ModuleType:
    made = types.ModuleType(name)
    vars(made).update(values)
    return made


def package(step: int) -> types.ModuleType:
    """Make the package that `import pk.sub.consts` binds."""
    return module("pk", sub=module("pk.sub", consts=module("pk.sub.consts", STEP=step)))


def an_enum(win: int) -> Any:
    return enum.IntEnum("K", {"WIN": win, "LOSS": 7})


def a_class(step: int) -> Any:
    return type("Settings", (), {"STEP": step})


def pairs(first: str, second: str) -> Any:
    return np.zeros(2, [(first, "i8"), (second, "i8")])


def big(last: int) -> Any:
    return np.array([*range(5000), last, *range(5000)])


def with_method(value: int) -> Any:
    class K(enum.IntEnum):
        WIN = 1

        @staticmethod
        def other(x: int) -> int:
            return x + 1 if value else x + 2

    return K


def sized(value: int) -> Any:
    class T(NamedTuple):
        a: int

    T.SIZE = value  # type: ignore[attr-defined]
    return T


def private(value: int) -> Any:
    """A class of each kind that is read differently, with a name of its own use."""

    class T(NamedTuple):
        a: int

    class K(enum.IntEnum):
        WIN = 1

        @staticmethod
        def _other(x: int) -> int:
            return x + 1 if value else x + 2

    T._SIZE = value  # type: ignore[attr-defined]
    return {"T": T, "K": K}


def declared(arguments: str) -> Any:
    exec(f"def inner({arguments}):\n    return x", made := {"__name__": "inner", "x": 1})
    return made["inner"]


def closing(value: int) -> Any:
    def inner() -> int:
        return value

    return inner


def constant(value: Any) -> Any:
    exec(f"def inner():\n    return {value}", made := {"__name__": "inner"})
    return made["inner"]


CHANGES = {
    "module attribute": ("return m.STEP", lambda v: {"m": module("m", STEP=v)}),
    "submodule": ("return pk.sub.consts.STEP", lambda v: {"pk": package(v)}),
    "module under a local name": ("y = pk.sub; return y.consts.STEP", lambda v: {"pk": package(v)}),
    "enum": ("return K.WIN", lambda v: {"K": an_enum(v)}),
    "enum in a module": ("return m.K.WIN", lambda v: {"m": module("m", K=an_enum(v))}),
    "enum member": ("return WIN", lambda v: {"WIN": an_enum(v).WIN}),
    "class constant": ("return Settings.STEP", lambda v: {"Settings": a_class(v)}),
    "field names": ("return P[0]['a']", lambda v: {"P": pairs(*("abba"[v : v + 2]))}),
    "dtype": ("return D", lambda v: {"D": pairs(*("abba"[v : v + 2])).dtype}),
    "array": ("return A[5000]", lambda v: {"A": big(v)}),
    "dict of arrays": ("return T['x'][5000]", lambda v: {"T": {"x": big(v)}}),
    "tuple of arrays": ("return T[0][5000]", lambda v: {"T": (big(v),)}),
    "set": ("return x in S", lambda v: {"S": frozenset({(v, "b"), (3, "c")})}),
    "numpy scalar": ("return N", lambda v: {"N": np.uint64(v)}),
    "record": ("return R.a", lambda v: {"R": np.array([(v,)], [("a", "i8")])[0]}),
    "function": ("return f()", lambda v: {"f": constant(v)}),
    "function of a submodule": (
        "return pk.sub.f()",
        lambda v: {"pk": module("pk", sub=module("pk.sub", f=constant(v)))},
    ),
    "compiled function": ("return f()", lambda v: {"f": numba.njit(constant(v))}),
    "method of an enum": ("return K.other(x)", lambda v: {"K": with_method(v)}),
    "class constant of a named tuple": ("return T.SIZE", lambda v: {"T": sized(v)}),
    "private constant of a named tuple": ("return T._SIZE", lambda v: {"T": private(v)["T"]}),
    "private method of an enum": ("return K._other(x)", lambda v: {"K": private(v)["K"]}),
    "function that is wrapped": (
        "return f()",
        lambda v: {"f": functools.wraps(math.sin)(constant(v))},
    ),
    "fields of a value": (
        "return V.a",
        lambda v: {"V": namedtuple("T", ("a b", "b a")[v // 2])(3, 4)},
    ),
    "declared arguments": ("return f(1)", lambda v: {"f": declared(("x", "*x")[v // 2])}),
    "default": ("return f()", lambda v: {"f": declared(f"x={v}")}),
    "default by name": ("return f()", lambda v: {"f": declared(f"*, x={v}")}),
    "type of a constant": ("return A", lambda v: {"A": (1, True)[v // 2]}),
    "sign of zero": ("return A", lambda v: {"A": (0.0, -0.0)[v // 2]}),
    "dtype of equal numbers": ("return A[0]", lambda v: {"A": np.ones(2, ("i8", "u8")[v // 2])}),
    "shape": ("return A[0]", lambda v: {"A": np.ones(((4, 1), (1, 4))[v // 2])}),
    "inherited constant": ("return K.STEP", lambda v: {"K": type("K", (a_class(v),), {})}),
    "closure": ("return f()", lambda v: {"f": closing(v)}),
    "nested function": ("return f()", lambda v: {"f": constant(f"(lambda: {v})()")}),
    "named tuple": ("return T(x, x)", lambda v: {"T": namedtuple("T", "abba"[v : v + 2])}),
}


@pytest.mark.parametrize("what", CHANGES)
def test_whatever_a_rule_reads_is_in_the_fingerprint(what: str) -> None:
    reads, names = CHANGES[what]
    assert fingerprint(reads, **names(0)) == fingerprint(reads, **names(0)), "made anew, but equal"
    assert fingerprint(reads, **names(0)) != fingerprint(reads, **names(2))


@pytest.mark.parametrize(
    ("source", "file"),
    [("def f(a):\n\n    return a", "one.py"), ("def f(a):\n    return a", "two.py"),
     ("\ndef f(a):\n    return a", "one.py"), ("def f(b):\n    return b", "one.py")],
)  # fmt: skip
def test_where_code_stands_is_in_the_fingerprint(source: str, file: str) -> None:
    """Python may call code equal that stands elsewhere, and a mistake is told with its line."""

    def made(source: str, file: str) -> Any:
        names: dict[str, Any] = {}
        exec(compile(source, file, "exec"), names)
        return names["f"]

    first = made("def f(a):\n    return a", "one.py")
    again = made("def f(a):\n    return a", "one.py")
    known = hash_of("rule", [("f", first)])
    assert hash_of("rule", [("f", again)]) == known
    assert hash_of("rule", [("f", made(source, file))]) != known


DECLARED = ["s, m", "s, *m", "s, **m", "s, *, m", "s, /, m", "s, m, /", "s, m=0", "s, m=False",
            "s, m=0.0", "s, m=-0.0", "s, *, m=0", "s, m, *more", "m, s"]  # fmt: skip


def test_the_declaration_of_arguments_is_in_the_fingerprint() -> None:
    """The instructions of a function are often those of one that takes other arguments."""

    def made(declared: str, returned: str = "s") -> Any:
        exec(f"def play({declared}):\n    return {returned}", names := {"__name__": "game"})
        return names["play"]

    for hashed in (hash_of, identity):
        found = {hashed("rule", [("play", made(each))]) for each in DECLARED}
        assert len(found) == len(DECLARED)
        assert hashed("rule", [("play", made("s, m"))]) in found
        constants = ("1", "True", "1.0", "(1,)", "(True,)", "0.0", "-0.0", "'1'", "b'1'", "1j")
        assert len({hashed("rule", [("f", made("s", each))]) for each in constants}) == 10


def test_equal_numbers_of_other_types_are_other_bindings() -> None:
    kernels = [specialise("dragon.cover.kernels.dlx", Constants("x", {"COLOURS": n}))
               for n in (1, True, 1.0, 1)]  # fmt: skip
    assert len({id(each) for each in kernels}) == 3
    assert kernels[0] is kernels[3]
    rules = [Rules([("ply", "i8")], only, only, only, only, width=1, plies=1, teams=teams)
             for teams in ((0, 1), (False, True))]  # fmt: skip
    assert len({_fingerprint("dragon.rules.kernels.state", each) for each in rules}) == 2


def test_a_constant_that_a_template_does_not_define_is_refused() -> None:
    """It would be ignored, as the kernel reads the one of its module."""
    with pytest.raises(PluginError, match="constant 'COLOUR'; did you mean 'COLOURS'"):
        specialise("dragon.cover.kernels.dlx", Constants("x", {"COLOUR": 1}))
    with pytest.raises(AttributeError, match="no kernel 'resme'; did you mean 'resume'"):
        _ = specialise("dragon.cover.kernels.dlx", Constants("x")).resme


@pytest.mark.full
def test_a_class_of_attrs_has_one_fingerprint_in_every_process() -> None:
    """Its `__hash__` holds a number that each process draws."""
    code = (
        "import attrs; from dragon.compiler.fingerprint import fingerprint, identity\n"
        "K = attrs.make_class('K', {'a': attrs.field()}, frozen=True)\n"
        "print(fingerprint('', [('K', K)]), identity('', [('K', K)]))"
    )
    found = {subprocess.run([sys.executable, "-c", code], check=True, capture_output=True,
                            text=True).stdout for _ in range(2)}  # fmt: skip
    assert len(found) == 1


def test_what_a_rule_does_not_name_is_not_in_the_fingerprint() -> None:
    def names(other: Any) -> dict[str, Any]:
        return {"m": module("m", STEP=1, other=other), "unused": other}

    reads = "return m.STEP + x.ply"
    assert fingerprint(reads, **names(1)) == fingerprint(reads, **names(object()))


READABLE = [
    *(None, True, 3, 0.5, 1j, "text", b"bytes", ..., range(4), slice(2), (1, (2,)), [1], {3: "x"}),
    *(np.float64(0.5), np.dtype("u1"), np.uint64, np.zeros, np.add, np.linalg.norm, int, len),
    *(numba.types.int64, numba.prange, math, math.sin, random.randint, operator.add, ValueError),
]


@pytest.mark.parametrize("value", READABLE, ids=lambda value: repr(value).partition(" at 0x")[0])
def test_values_that_the_fingerprint_can_read(value: Any) -> None:
    assert fingerprint("return V", V=value) == fingerprint("return V", V=value)
    assert fingerprint("return V", V=value) != fingerprint("return V", V=7)


class Board:
    """Something that no compiler knows."""


BOARDS = {"one": Board(), "in a tuple": (1, Board()), "in a list": {1: [Board()]}}


def reads_one(s: Any, out: Any) -> Any:
    return BOARD  # type: ignore[name-defined]  # noqa: F821


@pytest.mark.parametrize("value", BOARDS.values(), ids=BOARDS)
def test_what_the_fingerprint_cannot_read_is_refused(value: Any) -> None:
    message = (
        rf"{__file__}:{reads_one.__code__.co_firstlineno + 1}: rule 'moves': it reads 'BOARD': "
        "dragon compiles no value of type Board, since it could not tell when it changes; make it "
        "a number, text, a tuple, an array or a function"
    )
    moves = types.FunctionType(reads_one.__code__, {"BOARD": value, "__name__": __name__})
    with pytest.raises(RuleError, match=message):
        check_rules(Rules([("ply", "i8")], moves, only, only, only, width=1, plies=1))


@pytest.mark.parametrize("name", ["EXACT", "LOWER", "UPPER"])
def test_what_a_template_imports_is_in_its_fingerprint(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    template = "dragon.search.alphabeta.kernel"
    before, other = fingerprint("return 1", template), fingerprint("return 1")
    monkeypatch.setattr(importlib.import_module(template), name, 77)
    assert fingerprint("return 1", template) != before
    assert fingerprint("return 1") == other
