"""Files that dragon writes and reads again: whatever becomes of a byte, no wrong answer."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import evolve, frozen
from click.testing import CliRunner

import dragon
from dragon import Rules, index, rule, sealed
from dragon.certificate import read as read_proofs
from dragon.certificate import write as write_proofs
from dragon.cli import main
from dragon.compiler import cache
from dragon.errors import BadProof, ConfigError, DragonError
from dragon.files import draft_of, remove_lost, replacing, scratch
from dragon.sealed import Kind
from dragon.search.dfpn.search import settle
from dragon.search.retrograde import table as kept
from dragon.search.retrograde.making import Maker
from dragon.search.retrograde.table import read as read_table
from dragon_cards.download import keep
from dragon_cards.store import read as read_cards
from dragon_nex.table.files import Folder, shelves
from dragon_nex.table.files import Kind as NexKind
from dragon_nex.table.lookup import making
from tests.search.test_retrograde import Walk, listing

pytestmark = pytest.mark.samples(1)

REFUSED = "refused"
ALL, SOME = 2_000, 100
NIM, GOMOKU, TICTACTOE = "nim(pile=9)", "gomoku(rows=3, columns=3, line=3)", "tictactoe"
CARDS = "id,name,attribute,type,level,atk,def\n1,One,Dark,Warrior,4,1000,1200\n2,Two,,,,,\n"


def start(spec: str) -> Any:
    return dragon.game(spec).start()


# ---- each kind of file: how one is made, and all that can be learnt of it


def a_table(spec: str, listed: bool) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        Maker(start(spec), listed=listed).make().write(folder / "t")
        return folder / "t"

    return make


def asked(spec: str) -> Callable[[Path], Any]:
    def read(path: Path) -> Any:
        found: Any = read_table(path, start(spec))
        return len(found), found.won_drawn_lost, found.longest, found.ask(start(spec))

    return read


def a_checkpoint(folder: Path) -> Path:
    maker = listing(start(TICTACTOE), 1, kept=folder / "t")
    maker.make()
    maker._save()
    return kept.beside(folder / "t", kept.UNFINISHED)


def resumed(path: Path) -> Any:
    maker = listing(start(TICTACTOE), 1, kept=path.with_name("t"))
    assert maker.resumed
    table = maker.make()
    return len(table), table.won_drawn_lost, table.longest


def a_numbered_checkpoint(folder: Path) -> Path:
    Maker(start(GOMOKU), 1, 1, folder / "t", every=-1.0).make()
    return kept.beside(folder / "t", kept.UNFINISHED)


def resumed_by_rank(path: Path) -> Any:
    maker = Maker(start(GOMOKU), 1, 1, path.with_name("t"))
    assert maker.resumed
    return maker.make().won_drawn_lost


def of_nex(name: str) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        for _ in making(Folder.open(NexKind(2, 3), folder), workers=1):
            pass
        return folder / "2x3" / name

    return make


def looked_up(path: Path) -> Any:
    folder = Folder.open(NexKind(2, 3), path.parent.parent)
    return [folder.load(shelf).tobytes() for shelf in shelves(6)]


def a_proof(folder: Path) -> Path:
    *_, found = settle(dragon.game(NIM), start(NIM))
    write_proofs(folder / "p", found.proofs)
    return folder / "p"


def replayed(path: Path) -> Any:
    found = read_proofs(path)
    for proof in found:
        proof.check(dragon.game(proof.game).parse(proof.position))
    return found


def some_cards(folder: Path) -> Path:
    keep(CARDS, folder / "c")
    return folder / "c"


def an_index(folder: Path) -> Path:
    path = folder / "plugins.json"
    entries = {"red": index.Entry("red", False, {"dragon_games": {"red": "red:Red"}})}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(index, "_path", lambda installed: path)
        patch.setattr(index, "in_cache", lambda: None)
        patch.setattr(index, "_installed", lambda: [["red-info", [1, 2]]])
        index.write(entries, [])
    return path


def indexed(path: Path) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(index, "_path", lambda installed: path)
        patch.setattr(index, "_installed", lambda: [["red-info", [1, 2]]])
        patch.setattr(index, "_others", lambda installed: True)
        return index.read() or REFUSED


CODE = "0" * 24, "kernel-1"


def an_object(folder: Path) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DRAGON_CACHE", str(folder))
        cache.save(*CODE, {"label": "a game", "seconds": 1}, bytes(range(256)))
    return folder / CODE[0] / f"{CODE[1]}{cache.SUFFIX}"


def loaded(path: Path) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DRAGON_CACHE", str(path.parent.parent))
        return cache.load(*CODE) or REFUSED


KINDS: dict[str, tuple[Callable[[Path], Path], Callable[[Path], Any]]] = {
    "listed table": (a_table(TICTACTOE, True), asked(TICTACTOE)),
    "table by rank": (a_table(GOMOKU, False), asked(GOMOKU)),
    "checkpoint of a list": (a_checkpoint, resumed),
    "checkpoint by rank": (a_numbered_checkpoint, resumed_by_rank),
    "manifest of Nex": (of_nex("table.json"), looked_up),
    "shelf of Nex": (of_nex("2-1.bin"), looked_up),
    "proof": (a_proof, replayed),
    "cards": (some_cards, lambda path: repr(read_cards(path))),
    "index": (an_index, indexed),
    "object code": (an_object, loaded),
}


@frozen
class Kept:
    """A file of some kind, what was in it, and what was learnt of it."""

    kind: str
    path: Path
    data: bytes
    answer: Any

    def read(self) -> tuple[Any, str]:
        """Return what a reader learns, and the sentence in which it refuses the file."""
        try:
            found = KINDS[self.kind][1](self.path)
        except DragonError as refusal:
            return REFUSED, str(refusal)
        return found, "" if found != REFUSED else f"{self.path} is no use"

    def is_refused(self, data: bytes) -> bool:
        """Return whether a reader refuses the file with these bytes, in one sentence."""
        self.path.write_bytes(data)
        found, sentence = self.read()
        if not sentence:
            assert found == self.answer or self.kind == "proof"
            return False
        assert str(self.path.parent) in sentence or self.kind == "proof"
        assert "\n" not in sentence
        assert len(sentence) < 400 + len(str(self.path))
        return True


@pytest.fixture(scope="module", params=KINDS)
def held(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Kept]:
    make, read = KINDS[request.param]
    path = make(tmp_path_factory.mktemp("kept"))
    return Kept(request.param, path, path.read_bytes(), read(path))


def damages(data: bytes, count: int) -> Iterator[bytes]:
    """Yield a file with one bit changed, each time another one: all of the head's come up."""
    drawn = random.Random(len(data))
    for i in range(count):
        bit = drawn.randrange(8 * min(len(data), 600) if i % 2 else 8 * len(data))
        yield data[: bit >> 3] + bytes([data[bit >> 3] ^ 1 << (bit & 7)]) + data[(bit >> 3) + 1 :]


@pytest.mark.parametrize("count", [SOME, pytest.param(ALL, marks=pytest.mark.full)])
@pytest.mark.budget(300)  # thousands of checkpoints are read
def test_no_changed_bit_is_believed(held: Kept, count: int) -> None:
    """A proof may still hold: then it is right, for it was replayed."""
    refused = [held.is_refused(data) for data in damages(held.data, count)]
    assert held.kind == "proof" or all(refused)
    assert any(refused)
    assert not held.is_refused(held.data)


def test_no_file_is_believed_that_is_cut_off_or_goes_on(held: Kept) -> None:
    data, head = held.data, held.data.find(b"\n") + 1
    ends = {0, 1, 20, 100, head - 1, head, len(data) // 2, len(data) - 5, len(data) - 1}
    for end in sorted(each for each in ends if 0 <= each < len(data)):
        assert held.is_refused(data[:end]) or held.kind == "proof", end
    for more in (b"\0", b"\n", b" ", data[-4:], data):
        assert held.is_refused(data + more) or held.kind == "proof", more
    for other in (b"{}\n", b"[]", b"null", b"[" * 5000, b"\xff\xfe", b"PK\x03\x04" + data[4:],
                  b'{"format": "dragon arrays 1"}', b'{"dragon": "a table"}\n'):  # fmt: skip
        assert held.is_refused(other), other


def test_what_cannot_be_read_is_told(held: Kept) -> None:
    for spoil in (Path.mkdir, lambda path: path.symlink_to(path)):
        held.path.unlink()
        spoil(held.path)
        try:
            assert str(held.path) in held.read()[1]
        finally:
            held.path.unlink() if held.path.is_symlink() else held.path.rmdir()
            held.path.write_bytes(held.data)


def test_each_fault_has_its_own_words(tmp_path: Path) -> None:
    path = a_table(TICTACTOE, True)(tmp_path)
    data = path.read_bytes()
    middle = bytearray(data)
    middle[len(data) // 2] ^= 1
    faults = {
        b"": "is empty",
        data[:-1]: "is cut off",
        data[:50]: "is cut off",
        data + b"x": "is damaged: it goes on behind its end",
        bytes(middle): "is damaged",
        b"PK\x03\x04": "is of an older format of dragon, which has no checksum",
        b"level 1": "it is not a table, or is damaged",
    }
    for spoilt, words in faults.items():
        path.write_bytes(spoilt)
        with pytest.raises(ConfigError, match=f"{words}; make it again with --out"):
            asked(TICTACTOE)(path)
    kind = Kind("a table", 3, "make it again", "listed")
    path.write_bytes(kind.sealed(TICTACTOE, "", {}))
    with pytest.raises(
        ConfigError, match=r"is of a later format of dragon, 3, and this .* reads 2"
    ):
        asked(TICTACTOE)(path)
    path.write_bytes(kind._replace(version=1).sealed(TICTACTOE, "", {}))
    with pytest.raises(ConfigError, match="is of an older format of dragon, 1, and this"):
        asked(TICTACTOE)(path)


def test_a_chunk_is_checked_when_it_is_first_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sealed, "CHUNK", 1000)
    kind, path, dtypes = Kind("numbers", 1, "count again"), tmp_path / "n", {"n": None, "r": "V12"}
    numbers, records = np.arange(999, dtype="<u4"), np.zeros(90, "V12")
    sealed.write(path, kind, "all", "", {"least": 0}, {"n": numbers, "r": records})
    data = bytearray(path.read_bytes())
    data[data.find(numbers[600:610].tobytes())] ^= 4
    path.write_bytes(data)
    about, columns = sealed.read(path, kind, "all", "", dtypes)
    found = columns["n"]
    assert about == {"least": 0}
    assert [int(found[at]) for at in (0, 499, 998, 0)] == [0, 499, 998, 0]
    assert found.checked == b"\1\1\0\1"
    with pytest.raises(ConfigError, match="is damaged; count again"):
        found[600]
    with pytest.raises(ConfigError, match="is damaged; count again"):
        sealed.whole(found)
    assert np.array_equal(sealed.whole(columns["r"]), records)
    assert sealed.quickest(columns["r"]) is sealed.whole(columns["r"])
    assert sealed.quickest(found) is found
    for other in ({"n": None}, {**dtypes, "m": None}, {**dtypes, "r": "V13"}):
        with pytest.raises(ConfigError, match="is damaged; count again"):
            sealed.read(path, kind, "all", "", other)


# ---- identity


@rule
def slower(s, move):  # type: ignore[no-untyped-def]
    s.at = move
    s.ply += 1


@pytest.mark.parametrize(
    "change", [{"unit": 2.0}, {"play": slower}, {"largest": 2}, {"plies": 9}, {"width": 40}]
)
@pytest.mark.parametrize("maker", [listing, Maker])
def test_a_table_of_other_rules_is_refused(
    change: dict[str, Any], maker: Any, tmp_path: Path
) -> None:
    """The spec is the same, as it is of another version of a plugin."""

    @dragon.frozen
    class Changed(Walk):
        def rules(self) -> Rules:
            return evolve(super().rules(), **change)

    state, other = Walk().start(1), Changed().start(1)
    assert str(state.game) == str(other.game)
    maker(state, 10).make().write(path := tmp_path / "t")
    assert read_table(path, state).ask(state).moves
    for changed in (other, Walk().start(2)):
        with pytest.raises(ConfigError, match=r"other rules, or from another first pos.* --out"):
            read_table(path, changed)


GAME = """
from dragon import TERMINAL, RecordGame, Rules, frozen, rule
{above}
@rule
def turn(s):
    {doc}
    return TERMINAL if s.left == 0 else s.ply % 2

@rule
def moves(s, out{annotated}):
    for i in range(min(s.left, MOST)):
        out[i] = i + 1
    return min(s.left, MOST)

@rule
def play(s, move):
    s.left -= move
    s.ply += 1

@rule
def payoff(s, seat):
    return {pays} if s.ply % 2 == seat else 1

@frozen
class Heap(RecordGame):
    name = "heap"

    def setup(self, record):
        record.left = 9

    def rules(self):
        return Rules([("left", "i8"), ("ply", "i8")], moves, play, turn, payoff, width=3, plies=9)
"""
SAME = {"above": "MOST = 3", "doc": "", "annotated": "", "pays": "-1"}


@pytest.mark.full
@pytest.mark.parametrize(
    ("change", "same"),
    [
        ({"above": "# a remark\n\n\nMOST = 3\nOTHER = 4"}, True),
        ({"doc": '"""Return whose turn it is."""', "annotated": ": object"}, True),
        ({"above": "MOST = 2"}, False),
        ({"above": "MOST = 3.0"}, False),
        ({"pays": "1 - 1 * 2"}, False),
        ({"annotated": ", *more"}, False),
    ],
)
def test_rules_are_known_by_their_meaning_and_not_by_their_place(
    change: dict[str, str], same: bool, tmp_path: Path
) -> None:
    code = (
        "import sys; from heap import Heap; from dragon.search.retrograde.table import identity; "
        "print(identity(Heap().start(), False))"
    )
    found = []
    for name, given in (("a", SAME), ("b", SAME | change)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "heap.py").write_text(GAME.format(**given))
        ran = subprocess.run(
            [sys.executable, "-B", "-c", code], cwd=tmp_path / name, check=True,
            env={**os.environ, "PYTHONPATH": "."}, capture_output=True, text=True,
        )  # fmt: skip
        found.append(ran.stdout)
    assert (found[0] == found[1]) == same


# ---- proofs


def test_a_proof_that_was_changed_is_told_and_replayed(tmp_path: Path, caplog: Any) -> None:
    path = a_proof(tmp_path)
    text = path.read_text()
    assert replayed(path)
    assert not caplog.records
    path.write_text(text.replace('"value": 1.0', '"value": 0.0'))
    assert [proof.value for proof in replayed(path)] == [0.0]  # less was claimed, and holds
    assert "is damaged, or was changed since dragon wrote it" in caplog.text
    caplog.clear()
    lines = [json.loads(line) for line in text.splitlines()]
    del lines[0]["seal"]
    path.write_text("\n".join(map(json.dumps, lines)))
    assert replayed(path)
    assert not caplog.records, "a proof from elsewhere has no seal"
    path.write_text(text.replace('"value": 1.0', '"value": 2.0'))
    with pytest.raises(BadProof, match="pays 1"):
        replayed(path)


# ---- drafts

WRITES = """
import sys, time
from pathlib import Path
from dragon.files import replacing
with replacing(Path(sys.argv[1])) as file:
    file.write(b"a part")
    file.flush()
    print("begun", flush=True)
    time.sleep(600)
"""


def begun(path: Path) -> subprocess.Popen[str]:
    writer = subprocess.Popen([sys.executable, "-c", WRITES, str(path)], stdout=subprocess.PIPE,
                              text=True)  # fmt: skip
    assert writer.stdout is not None
    assert writer.stdout.readline() == "begun\n"
    return writer


@pytest.mark.full
def test_what_a_killed_writer_has_left_is_removed_by_the_next(tmp_path: Path) -> None:
    path, other = tmp_path / "t.unfinished", tmp_path / "t.unfinished.old"
    writers = [begun(path), begun(path), begun(other)]
    try:
        writers[0].send_signal(signal.SIGKILL)
        writers[2].send_signal(signal.SIGKILL)
        for dead in (writers[0], writers[2]):
            dead.wait()
        assert len(list(tmp_path.iterdir())) == 3
        with replacing(path) as file:
            file.write(b"whole")
        left = sorted(each.name for each in tmp_path.iterdir() if each != path)
        assert [name.count("old") for name in left] == [0, 1], "of another file, and a living one's"
        assert path.read_bytes() == b"whole"
    finally:
        writers[1].kill()
        for each in writers:
            each.wait()
            each.stdout.close()  # type: ignore[union-attr]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell when one began")
def test_a_draft_stays_whose_writer_may_be_alive(tmp_path: Path) -> None:
    path = tmp_path / "t"
    own = draft_of(path).name
    machine, pid, born, drawn = own.removeprefix("t.").removesuffix(".tmp").split("-")
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    names = {
        own: True,
        f"t.{machine}-{pid}-{int(born, 16) ^ 1:08x}-{drawn}.tmp": False,  # its number is used again
        f"t.{machine}-{gone.pid:x}-{born}-{drawn}.tmp": False,
        f"t.{int(machine, 16) ^ 1:08x}-{gone.pid:x}-{born}-{drawn}.tmp": True,  # another machine's
        f"t.{machine}-1-00000000-{drawn}.tmp": True,  # it is not known when it began
        "t.0123456789ab.tmp": True,  # of a former dragon
        "t.tmp": True,
        "t2": True,
    }
    for name in names:
        (tmp_path / name).write_bytes(b"")
    remove_lost(path)
    assert {each.name for each in tmp_path.iterdir()} == {n for n, stays in names.items() if stays}


KILLED = """
import os, signal, sys
from pathlib import Path
import dragon
from dragon import sealed
from dragon.search.retrograde.making import Maker

def chunks(array):
    yield bytes(100)
    os.kill(os.getpid(), signal.SIGKILL)

sealed._chunks = chunks
spec, file, *listed = sys.argv[1:]
maker = Maker(dragon.game(spec).start(), kept=Path(file), listed=bool(listed), every=-1.0)
maker.make()
maker._save()
"""


@pytest.mark.full
@pytest.mark.parametrize("listed", [(), ("--list",)])
def test_a_checkpoint_that_was_cut_off_by_a_kill_is_removed(
    listed: tuple[str, ...], tmp_path: Path
) -> None:
    file = tmp_path / "t"
    ran = subprocess.run([sys.executable, "-c", KILLED, GOMOKU, str(file), *listed], timeout=100)
    assert ran.returncode == -signal.SIGKILL
    (left,) = tmp_path.iterdir()
    assert left.name.startswith("t.unfinished.")
    assert left.suffix == ".tmp"
    result = CliRunner().invoke(main, ["table", GOMOKU, "--out", str(file), *listed])
    assert result.exit_code == 0, result.output
    assert [*tmp_path.iterdir()] == [file]


FOLDER = """
import os, signal
from dragon.files import scratch
with scratch() as folder:
    (folder / "held").write_text("something")
    print(folder, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_folder_of_a_killed_process_is_removed_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", FOLDER], env={**os.environ, "TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    lost = Path(ran.stdout.strip())
    assert (lost / "held").exists()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with scratch() as folder, scratch() as other:
        assert sorted(tmp_path.iterdir()) == sorted([folder, other])
        assert folder.stat().st_mode & 0o077 == 0
    assert [*tmp_path.iterdir()] == []


def test_a_long_name_has_a_draft_too(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 255)
    with replacing(path) as file:
        file.write(b"whole")
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
