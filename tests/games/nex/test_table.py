"""Tables of Nex: the index is perfect, the values the oracles', files survive and are checked."""

from __future__ import annotations

import itertools
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import dragon
from dragon import TERMINAL, ConfigError, Position, SearchError
from dragon.cli import main
from dragon.compiler.specialise import Constants, specialise
from dragon_nex import Nex
from dragon_nex.board import Layers
from dragon_nex.nextable import NexTable, worth_of
from dragon_nex.table.files import Folder, Kind, rank, ranks, sets, shelves, tables
from dragon_nex.table.lookup import (
    Sweeper,
    Table,
    Worth,
    estimate,
    in_memory,
    making,
    scratch,
    table,
)

pytestmark = pytest.mark.samples(1)

ORACLES = json.loads((Path(__file__).parents[2] / "oracles" / "nex.json").read_text())
POSITIONS = json.loads((Path(__file__).parents[2] / "oracles" / "nex_values.json").read_text())


def made(rows: int, cols: int, distances: bool = True, workers: int = 1) -> Table:
    kind = Kind(rows, cols, distances)
    return Table(kind, None, in_memory(kind, workers))


def game(rows: int, cols: int, **more: Any) -> Any:
    return Nex(rows=rows, cols=cols, **more)


def size(name: str) -> tuple[int, int]:
    rows, cols = name.split("x")
    return int(rows), int(cols)


def brute(state: Any, memory: dict[Any, Worth]) -> Worth:
    """Minimax with distances by the rules alone."""
    if state.turn == TERMINAL:
        won = state.payoff()[0]
        return Worth(0 if won == 0 else -1, None if won == 0 else 0)
    if state not in memory:
        worths = [brute(state.after(move), memory) for move in state.moves()]
        lost = [w.plies for w in worths if w.value == -1 and w.plies is not None]
        won = [w.plies for w in worths if w.value == 1 and w.plies is not None]
        if lost:
            memory[state] = Worth(1, 1 + min(lost))
        elif len(won) < len(worths):
            memory[state] = Worth(0)
        else:
            memory[state] = Worth(-1, 1 + max(won))
    return memory[state]


def reachable(kind: Kind) -> int:
    """Count the positions that can come about, with up to two bits of memory for each."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(Path(__file__).parent)
        kernel = specialise("reaching", Constants("positions of Nex"))
    sweeper, nothing, count = Sweeper(kind), np.zeros(1, np.uint8), 0
    marks = {f"{kind.cells}-0": np.ones(1, np.uint8)}  # the empty board
    for shelf in reversed(list(shelves(kind.cells))):
        children = tuple(
            marks.setdefault(s.name, np.zeros(s.size(2), np.uint8)) if s else nothing
            for s in sweeper.children(shelf)
        )
        count += kernel.reach(
            sweeper.shape(shelf), sweeper.sets[shelf.layer.empty], sweeper.rank, sweeper.joined,
            marks.pop(shelf.name), children, scratch(shelf),
        )  # fmt: skip
    return count


@pytest.mark.parametrize("cells", [4, 5, 6, 9])
def test_each_position_has_a_place_of_its_own_and_the_places_have_no_gap(cells: int) -> None:
    seen: dict[str, set[int]] = {shelf.name: set() for shelf in shelves(cells)}
    by_name = {shelf.name: shelf for shelf in shelves(cells)}
    for stones in itertools.product(range(4), repeat=cells):
        shelf = by_name.get(f"{stones.count(0)}-{stones.count(3)}")
        if (
            shelf is None
            or stones.count(1) != shelf.blacks
            or stones.count(2) + shelf.blacks != (shelf.layer.placed)
        ):
            continue
        black, white, neutral = (
            sum(1 << i for i, stone in enumerate(stones) if stone == kind) for kind in (1, 2, 3)
        )
        at = shelf.place(black, white, neutral)
        assert at not in seen[shelf.name]
        assert at % shelf.stride < shelf.placings * shelf.colourings
        assert at * 4 < shelf.size(2) * 16
        seen[shelf.name].add(at)
    assert {name: len(places) for name, places in seen.items()} == {
        shelf.name: shelf.positions for shelf in shelves(cells)
    }


def test_the_number_of_positions_is_that_of_the_structure_theorem() -> None:
    counts = {(2, 2): 37, (3, 3): 37_117, (3, 4): 2_249_479, (3, 5): 134_987_791}
    for (rows, cols), positions in (counts | {(4, 4): 528_738_373}).items():
        assert Kind(rows, cols).positions == positions
    assert len(list(shelves(16))) == len(list(Layers(16))) == 37


def test_ranks_count_sets_of_a_size_in_increasing_order() -> None:
    table = ranks(7)
    for each in sets(7):
        assert each.tolist() == sorted(each.tolist())
        assert [rank(int(bits)) for bits in each] == list(range(len(each)))
        assert table[each].tolist() == list(range(len(each)))


@pytest.mark.parametrize(
    ("rows", "cols"),
    [
        (2, 2), (2, 3), (3, 2),
        pytest.param(2, 4, marks=pytest.mark.full), pytest.param(4, 2, marks=pytest.mark.full),
    ],
)  # fmt: skip
def test_every_position_agrees_with_minimax_by_the_rules(rows: int, cols: int) -> None:
    known, plain = made(rows, cols), made(rows, cols, distances=False, workers=2)
    memory: dict[Any, Worth] = {}
    brute(game(rows, cols).start(), memory)
    for state, worth in memory.items():
        assert worth_of(known, state) == worth
        assert worth_of(plain, state) == Worth(worth.value)
    ends = {s.after(m) for s in memory for m in s.moves()} - set(memory)
    assert (
        reachable(Kind(rows, cols))
        == len(memory) + len(ends)
        == ORACLES[f"{rows}x{cols}"]["reachable"]
    )


@pytest.mark.parametrize("name", POSITIONS)
def test_openings_agree_with_the_oracles(name: str) -> None:
    rows, cols = size(name)
    known, row = made(rows, cols, workers=2), POSITIONS[name]
    start = game(rows, cols).start()
    root = worth_of(known, start)
    assert (root.value, root.plies or 0) == (row["value"], abs(row["distance"]))
    for move, (value, distance) in row["openings"].items():
        worth = worth_of(known, start.after(move))
        assert (-worth.value, worth.plies + 1 if worth.plies else 0) == (value, distance), move


@pytest.mark.parametrize("name", POSITIONS)
def test_positions_and_best_moves_agree_with_the_oracles(name: str) -> None:
    rows, cols = size(name)
    search = dragon.search("nextable")
    for text, value, distance, moves, *outcomes, best in POSITIONS[name]["positions"]:
        state = game(rows, cols).parse(text)
        result = search.best(state)
        black = 1 if state.turn == 0 else -1
        values = [answer["value"] * black for answer in result.extra["moves"].values()]
        assert (result.value * black, result.extra.get("distance", 0)) == (value, distance)
        assert len(values) == moves
        assert [values.count(v) for v in (1, 0, -1)] == outcomes
        assert sorted(result.extra["optimal"]) == sorted(best)


@pytest.mark.full
def test_the_line_is_best_play_to_the_end() -> None:
    start = game(3, 4).start()
    result = dragon.search("nextable").best(start)
    assert (result.value, len(result.line), result.bound) == (1, 7, dragon.Bound.EXACT)
    state = start
    for move in result.line:
        state = state.after(move)
    assert state.payoff() == (1, -1)


@pytest.mark.full
@pytest.mark.parametrize(
    ("rows", "cols", "fill"),
    [
        *[(2, 3, True), (3, 3, False)],
        *[
            pytest.param(*each, marks=pytest.mark.full)
            for each in (
                (2, 3, False),
                (3, 2, False),
                (3, 2, True),
                (2, 4, False),
                (2, 4, True),
                (3, 3, True),
                (4, 3, False),
                (4, 3, True),
            )
        ],
    ],
)
def test_forced_moves_keep_value_and_distance(rows: int, cols: int, fill: bool) -> None:
    """On random walks: the best of the moves left is as good and as quick as the best of all."""
    rng = np.random.default_rng(rows * 10 + cols)
    nex = game(rows, cols, ending="fill" if fill else "draw")
    run = dragon.search("alphabeta(reduce=false, megabytes=16)").open(nex)  # with one table
    shortened = 0

    def worth(state: Any, move: str) -> tuple[float, float]:
        """Its value to the side to move, then how quickly it wins or slowly it loses."""
        after = state.after(move)
        if after.turn == TERMINAL:
            return after.payoff()[state.turn], 0
        result = run.best(Position(after))
        return -result.value, result.value * result.extra.get("distance", 0)

    for _ in range(12):
        state = nex.start()
        for _ in range(int(rng.integers(3, 7))):
            if state.turn != TERMINAL:
                state = state.after(state.moves()[int(rng.integers(len(state.moves())))])
        if state.turn == TERMINAL:
            continue
        left = set(state.distinct())
        shortened += len(left) < len(state.moves())
        ranked = {m: worth(state, m) for m in state.moves()}
        assert max(ranked[m] for m in left) == max(ranked.values())
    assert shortened


@pytest.mark.full
@pytest.mark.budget(60)  # four boards are compiled
def test_a_swap_is_weighed_where_it_can_come() -> None:
    for rows, cols, value in [(2, 2, 0), (2, 3, -1), (3, 2, -1)]:  # the pie rule
        swap = game(rows, cols, swap=True).start()
        assert dragon.search("nextable").best(swap).value == value
        assert dragon.search("exhaustive").best(swap).value == value
    after = game(3, 4, swap=True).start().after("Bb2?a1")
    result = dragon.search("nextable").best(after)
    assert (result.value, result.move) == (1, "swap")


BOARD, SEATS = "nex(rows=4, cols=4)", "human,nextable"


def test_objections_say_what_has_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRAGON_DATA", str(tmp_path))
    search = dragon.search("nextable")
    assert "knows Nex" in str(search.objection(dragon.game("nim")))
    assert "up to 16 cells" in str(search.objection(game(4, 5)))
    assert "usual transforms" in str(search.objection(game(3, 3, ending="fill")))
    assert search.objection(game(3, 4)) is None  # it is made when it is asked for
    assert not list(tables(tmp_path))


@pytest.mark.full
def test_what_a_table_would_take_is_offered_where_there_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DRAGON_DATA", str(tmp_path))
    search = NexTable()
    offer = search.offer(game(4, 4))
    assert offer is not None
    assert "who wins in every position (528,738,373 positions, 132 MB, about " in offer
    assert {search.offer(g) for g in (game(3, 4), game(4, 5), dragon.game("nim"))} == {None}
    parts = list(search.make(game(2, 3)))
    assert parts == sorted(parts)
    assert parts[-1] == 1.0
    (kept,) = tables(tmp_path / "nex")
    assert (str(kept.kind), kept.complete) == ("2x3", True)
    monkeypatch.setattr("dragon_nex.table.lookup.table", table.__wrapped__)
    found = search.best(game(2, 3).start())
    assert found.value == 1
    assert "distance" not in found.extra  # such a table knows who wins, and not how soon
    assert all("distance" not in each for each in found.extra["moves"].values())


def test_a_draw_has_no_plies_to_the_end(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DRAGON_DATA", str(tmp_path))
    found = NexTable().best(game(3, 3).start().after("Ba1?c3"))
    assert found.value == 0
    assert "distance" not in found.extra
    moves = found.extra["moves"].values()
    assert {("distance" in each) == (each["value"] != 0) for each in moves} == {True}


def test_a_large_table_is_missed_before_anything_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DRAGON_DATA", str(tmp_path))
    search = dragon.search("nextable")
    absent = "nextable: there is no table of 4x4 yet; make it with `dragon nex table 4x4`"
    assert search.objection(game(4, 4)) == absent
    for words in (["solve", BOARD, "--search", "nextable"], ["play", BOARD, "--seats", SEATS]):
        said = CliRunner().invoke(main, words)
        assert (said.exit_code, said.stdout, said.stderr) == (2, "", f"dragon: {absent}\n")
    (tmp_path / "nex" / "4x4").mkdir(parents=True)
    (tmp_path / "nex" / "4x4" / "table.json").write_text("{", encoding="utf-8")
    assert "table.json cannot be read" in str(search.objection(game(4, 4)))


# ---- files -------------------------------------------------------------------------------------


@pytest.mark.full
def test_a_table_is_kept_and_found_again(tmp_path: Path) -> None:
    folder = Folder.open(Kind(3, 3), tmp_path)
    assert not folder.complete
    *_, last = making(folder, workers=2)
    assert last.done == last.total == 37_117
    again = table(3, 3, tmp_path)
    assert again.kind == Kind(3, 3)
    start = game(3, 3).start()
    assert worth_of(again, start) == Worth(1)
    assert [p.done for p in making(Folder.open(Kind(3, 3), tmp_path))][-1] == 37_117


@pytest.mark.full
def test_a_making_that_is_broken_off_keeps_what_is_done(tmp_path: Path) -> None:
    kind = Kind(3, 4)
    stream = making(Folder.open(kind, tmp_path), workers=1)
    for progress in stream:
        if progress.done > kind.positions // 2:
            stream.close()  # type: ignore[attr-defined]
            break
    folder = Folder.open(kind, tmp_path)
    kept = set(folder.sums)
    assert kept
    assert not folder.complete
    times = {name: (folder.path / f"{name}.bin").stat().st_mtime_ns for name in kept}
    for _ in making(folder):
        pass
    assert folder.complete
    assert times == {n: (folder.path / f"{n}.bin").stat().st_mtime_ns for n in kept}
    whole = in_memory(kind)
    for shelf in shelves(kind.cells):
        assert (folder.load(shelf) == whole[shelf.name]).all()


@pytest.mark.full
def test_a_making_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from dragon_nex.table.files import Folder, Kind\n"
        "from dragon_nex.table.lookup import making\n"
        "for _ in making(Folder.open(Kind(4, 4), Path(sys.argv[1]))): pass\n"
    )
    runner = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)])
    manifest = tmp_path / "4x4" / "table.json"
    while not manifest.exists() or len(json.loads(manifest.read_text())["crc32"]) < 6:
        assert runner.poll() is None
        time.sleep(0.01)
    os.kill(runner.pid, signal.SIGKILL)
    runner.wait()
    folder = Folder.open(Kind(4, 4), tmp_path)
    done = sum(s.positions for s in shelves(16) if s.name in folder.sums)
    assert 0 < done < Kind(4, 4).positions
    progress = next(p for p in making(folder) if p.done)
    assert progress.done >= min(s.positions for s in shelves(16))
    for shelf in shelves(16):
        if shelf.name in folder.sums:
            assert len(folder.load(shelf)) == shelf.size(2)


@pytest.mark.full
@pytest.mark.parametrize("harm", ["flip", "cut", "gone", "manifest", "format"])
def test_a_damaged_table_is_told_and_never_believed(tmp_path: Path, harm: str) -> None:
    kind = Kind(2, 4)
    for _ in making(Folder.open(kind, tmp_path)):
        pass
    folder = tmp_path / "2x4"
    shelf = folder / "4-1.bin"
    data = bytearray(shelf.read_bytes())
    if harm == "flip":
        data[5] ^= 1
        shelf.write_bytes(data)
    elif harm == "cut":
        shelf.write_bytes(data[:-1])
    elif harm == "gone":
        shelf.unlink()
    elif harm == "manifest":
        (folder / "table.json").write_text("{")
    else:
        (folder / "table.json").write_text('{"format": 99}')
    with pytest.raises(ConfigError, match=r"delete the folder and make the table again"):
        worth_of(table(2, 4, tmp_path), game(2, 4).parse("BB?W/.... W"))


def test_a_large_table_is_made_on_request_only(tmp_path: Path) -> None:
    with pytest.raises(SearchError, match="no table of 4x4 yet; make it with `dragon nex table"):
        table(4, 4, tmp_path)
    with pytest.raises(SearchError, match="beyond 16 cells"):
        table(4, 5, tmp_path)


def test_a_folder_that_cannot_be_written_is_no_hindrance(tmp_path: Path) -> None:
    (tmp_path / "here").write_text("a file")
    known = table(2, 3, tmp_path / "here" / "below")
    assert known.folder is None
    assert worth_of(known, game(2, 3).start()) == Worth(1, 5)


def test_the_estimate_tells_positions_and_bytes() -> None:
    estimated = estimate(Kind(4, 4))
    assert estimated.positions == 528_738_373
    assert 132_000_000 < estimated.size < 133_000_000
    assert estimated.memory < 200_000_000
    assert estimated.seconds > 0


@pytest.mark.full
@pytest.mark.budget(150)  # on both cores; 528,738,373 positions
def test_the_whole_of_4x4_counts_as_published(tmp_path: Path) -> None:
    for _ in making(Folder.open(Kind(4, 4, distances=True), tmp_path)):
        pass
    known = table(4, 4, tmp_path)
    start = game(4, 4).start()
    assert worth_of(known, start) == Worth(1, 9)
    worths = [worth_of(known, start.after(move)) for move in start.moves()]
    assert [sum(w.value == v for w in worths) for v in (-1, 0, 1)] == [206, 0, 34]
    lengths = [(w.value, w.plies) for w in worths]
    counted = {each: lengths.count(each) for each in set(lengths)}
    assert counted == {(-1, 8): 48, (-1, 10): 122, (-1, 12): 36, (1, 11): 28, (1, 13): 6}


@pytest.mark.full
@pytest.mark.parametrize(
    ("rows", "cols", "count"),
    [(3, 5, 126_268_231), (5, 3, 129_501_283), (4, 4, 519_104_521)],
)
def test_the_reachable_positions_count_as_published(rows: int, cols: int, count: int) -> None:
    assert reachable(Kind(rows, cols)) == count
