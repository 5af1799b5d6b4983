"""Tables by rank against plain searches and tables from lists; threads, kills, the disk."""

from __future__ import annotations

import errno
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from click.testing import CliRunner

import dragon
from dragon import TERMINAL, RecordState, Rules, frozen, rule
from dragon.boards.placements import Placements
from dragon.cli import main
from dragon.errors import ConfigError, PluginError, SearchError
from dragon.search.retrograde import making
from dragon.search.retrograde.making import Maker
from dragon.search.retrograde.positions import LOST, NONE, SETTLED
from dragon.search.retrograde.table import WORKING, beside, place_of, read
from tests.search.test_retrograde import POINTS, Maze, Walk, by_horizon, far, listing

pytestmark = pytest.mark.samples(1)

SMALL = "gomoku(rows=3, columns=4, line=3)"
LARGE = "gomoku(rows=2, columns=7, line=4)"
"""Its numbers are more than one part of the codes."""
TEEKO: Any = dragon.game("teeko")


def start(spec: str) -> Any:
    return dragon.game(spec).start()


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    "game", [Maze(), Walk(tells=False), Walk()], ids=["maze", "walk", "before"]
)
def test_numbers_give_the_values_and_distances_of_best_play(game: Any, seed: int) -> None:
    """In mazes full of cycles, one of them where the same side may move on."""
    state = game.start(seed)
    record = state.record
    if isinstance(game, Walk):  # where ends are worth the same to whoever comes there
        horizons = by_mover(record)
    else:
        horizons = [{p: w * (1 - 2 * (record.kind[p] & 1)) for p, w in each.items()}
                    for each in by_horizon(record)]  # fmt: skip
    maker = Maker(state, 10)
    table = maker.make()
    assert maker.verify(table) is None
    for point in range(POINTS):
        record.at = point
        here = RecordState(game, record.tobytes())
        if here.turn != TERMINAL:
            answer = table.ask(here)
            assert (answer.value, answer.distance) == (horizons[-1][point], far(point, horizons))


def by_mover(record: Any) -> list[dict[int, int]]:
    """Give each point's worth to the side that moves there within so many plies."""
    ends = {p: (0, -1, 1)[record.kind[p] - 2] for p in range(POINTS) if record.kind[p] > 1}
    found = [dict.fromkeys(range(POINTS), 0) | ends]
    for _ in range(POINTS):
        worth = dict(ends)
        for point in set(range(POINTS)) - ends.keys():
            worth[point] = max(-found[-1][record.way[point, i]] for i in range(record.open[point]))
        found.append(worth)
    return found


@pytest.mark.full
def test_some_of_these_draws_are_cycles_and_some_are_none() -> None:
    made = [Maker(Walk().start(seed), 10).make() for seed in range(8)]
    assert sum(table.cycles > 0 for table in made) > 1
    assert sum(table.won_drawn_lost[1] > table.cycles for table in made) > 1
    assert max(table.longest for table in made) > 5


@pytest.mark.full
def test_every_position_is_worth_what_the_table_from_a_list_says() -> None:
    maker = listing(start(SMALL))
    listed = maker.make()
    numbered = Maker(start(SMALL)).make()
    assert (len(numbered), numbered.won_drawn_lost) == (len(listed), listed.won_drawn_lost)
    for record in maker.list.m.states[: maker.count : 20]:
        state = RecordState(maker.root.game, record.tobytes())
        at = np.searchsorted(listed.places, np.uint64(place_of(state)))
        assert numbered._entry(state) == (listed.values[at], listed.plies[at])


@pytest.fixture(scope="module")
def large() -> Any:
    """The codes of the larger board, made by one thread."""
    return Maker(start(LARGE), threads=1).make().codes


@pytest.mark.full
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_threads_and_short_lists_make_the_same_codes(
    large: Any, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(making, "ROOM", 20_000)
    monkeypatch.setattr(making, "SLICE", 3001)
    maker = Maker(start(LARGE), threads=threads)
    assert len(maker.workers) == threads
    assert len(maker.workers[0].m.lists) > 1
    assert np.array_equal(maker.make().codes, large)


@pytest.mark.full
def test_codes_may_lie_on_the_disk(large: Any, tmp_path: Path) -> None:
    with pytest.raises(SearchError, match=r"codes take 2 and not 1 megabytes.*--out"):
        Maker(start(LARGE), 1)
    file = tmp_path / "t"
    maker = Maker(start(LARGE), 1, kept=file)
    assert isinstance(maker.codes, np.memmap)
    assert not beside(file, WORKING).exists()  # nothing is left, however this ends
    table = maker.make()
    table.write(file)
    assert np.array_equal(read(file, start(LARGE)).codes, large)


def test_a_full_disk_is_told_before_codes_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memory that lies on it would otherwise end the process without a word."""

    def full(file: int, start: int, size: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.posix_fallocate", full, raising=False)
    with pytest.raises(ConfigError, match=r"cannot write .*t\.working: No space left"):
        Maker(start(LARGE), 1, kept=tmp_path / "t")
    assert not [*tmp_path.iterdir()]


KILLED = """
import os, signal, sys
from pathlib import Path
import dragon
from dragon.search.retrograde import kernel, making
from dragon.search.retrograde.table import UNFINISHED, beside
from dragon.search.retrograde.making import Maker
spec, file, listed, word, done = sys.argv[1:]
kernel.MOVES, making.SLICE, kernel.ROUND, making.ROOM = 20_000, 4000, 0, 9000
start = dragon.game(spec).start()
maker = Maker(start, kept=Path(file), listed=listed == "True", every=0.0)
def watch(doing, so_far, total):
    if doing == word and so_far >= int(done) and beside(Path(file), UNFINISHED).exists():
        os.kill(os.getpid(), signal.SIGKILL)
maker.make(watch)
"""


@pytest.mark.full
@pytest.mark.parametrize(
    ("listed", "doing", "done"),
    [
        (False, "counting moves", 50_000),
        (False, "level 3", 70_000),
        (True, "finding", 20_000),
        pytest.param(True, "level 3", 70_000, marks=pytest.mark.full),
    ],
)
def test_who_is_killed_goes_on_from_the_last_checkpoint(
    listed: bool, doing: str, done: int, tmp_path: Path
) -> None:
    file = tmp_path / "t"
    words = [sys.executable, "-c", KILLED, SMALL, str(file), str(listed), doing, str(done)]
    assert subprocess.run(words, timeout=100).returncode == -signal.SIGKILL
    assert not file.exists()
    maker = Maker(start(SMALL), kept=file, listed=listed)
    assert maker.resumed
    if doing != "finding":
        assert (maker.progress.level == 3) == (doing == "level 3")
        assert 0 < sum(b - a for a, b in maker.progress.waiting) < maker.positions
    else:
        assert maker.count > 10_000
    words = ["table", SMALL, "--out", str(file), "--verify", *(["--list"] if listed else [])]
    result = CliRunner().invoke(main, words)
    assert "resumed    from the last checkpoint" in result.stdout
    assert sorted(tmp_path.iterdir()) == [file], "what was beside it is gone"
    result = CliRunner().invoke(main, ["table", SMALL, "--from", str(file), "--verify"])
    assert "verified   every position follows from those after it" in result.stdout
    whole: Any = Maker(start(SMALL), listed=listed).make()
    found: Any = read(file, start(SMALL))
    for name in ("codes",) if not listed else ("places", "values", "plies"):
        assert np.array_equal(getattr(found, name), getattr(whole, name))


@pytest.mark.full
def test_a_checkpoint_is_held_against_game_and_rules(tmp_path: Path) -> None:
    file = tmp_path / "t"
    state = Walk().start(1)
    Maker(state, 10, kept=file, every=-1.0).make()
    assert Maker(state, 10, kept=file).resumed
    for other in (Walk().start(2), evolve(Walk(), limit=400).start(1), Walk(tells=False).start(1)):
        with pytest.raises(ConfigError, match=r"is a checkpoint of walk.* remove it"):
            Maker(other, 10, kept=file)
    with pytest.raises(ConfigError, match=r"is a checkpoint \(by rank\), not .* remove it"):
        listing(state, 10, kept=file)


@pytest.mark.full
def test_a_wrong_code_is_found() -> None:
    maker = Maker(start("gomoku(rows=3, columns=3, line=3)"))
    table = maker.make()
    for at in range(0, len(table.codes), 397):
        wrong = table.codes.copy()
        wrong[at] = SETTLED + LOST if wrong[at] != SETTLED + LOST else NONE
        assert maker.verify(evolve(table, codes=wrong)) is not None


@frozen
class Forgets(Walk):
    """Its `before` leaves out the ways from one point."""

    name = "forgets"

    def rules(self) -> Rules:
        rules = super().rules()
        every = rules.before

        @rule
        def before(s, out):  # type: ignore[no-untyped-def]
            kept = 0
            for i in range(every(s, out)):
                if out[i] != 3:
                    out[kept] = out[i]
                    kept += 1
            return kept

        return evolve(rules, before=before)


@pytest.mark.full
def test_a_wrong_rule_before_is_found_by_verifying() -> None:
    found = [maker.verify(maker.make()) for maker in
             (Maker(Forgets().start(seed), 10) for seed in range(4))]  # fmt: skip
    assert any(found)


def test_scores_are_refused_where_positions_have_numbers() -> None:
    @frozen
    class Scored(Walk):
        name = "scored"

        def rules(self) -> Rules:
            @rule
            def payoff(s, seat):  # type: ignore[no-untyped-def]
                return (s.kind[s.at] - 1) * (1 - 2 * seat)

            return evolve(super().rules(), payoff=payoff, largest=3)

    with pytest.raises(SearchError, match=r"has scores, and tables by rank know wins, draws and"):
        Maker(Scored().start(0), 10).make()


@pytest.mark.parametrize(
    "given", [{"unrank": None}, {"rank": None}, {"ranks": 0}, {"rank": None, "unrank": None}]
)
def test_numbers_need_all_that_belongs_to_them(given: dict[str, Any]) -> None:
    with pytest.raises(PluginError, match=r"write both|write how many numbers"):
        evolve(Walk().start(0).rules, **given)


@pytest.mark.parametrize(
    ("cells", "pairs"),
    [(4, [(1, 0), (1, 1)]), (7, [(0, 0), (3, 4), (2, 2)]), (9, [(5, 4), (4, 4), (1, 0)])],
)
def test_placements_are_numbered_in_order_without_a_gap(
    cells: int, pairs: list[tuple[int, int]]
) -> None:
    placements = Placements(cells, pairs)
    found = [tuple(map(int, placements.unrank(n))) for n in range(placements.count)]
    every = {(a, b) for a in range(1 << cells) for b in range(1 << cells)
             if not a & b and (a.bit_count(), b.bit_count()) in pairs}  # fmt: skip
    assert len(found) == len(every)
    assert set(found) == every
    uint = np.uint64
    assert [placements.rank(uint(a), uint(b)) for a, b in found] == [*range(len(found))]
    kinds = [pairs.index((a.bit_count(), b.bit_count())) for a, b in found]
    assert [*zip(kinds, found, strict=True)] == sorted(zip(kinds, found, strict=True)), "in order"


def test_the_positions_of_teeko_have_numbers() -> None:
    """They number as many as the ways to place the pieces, which are counted ply by ply here."""
    rules = TEEKO.start().rules
    placing = 1 + 25 + 600 + 6_900 + 75_900 + 531_300 + 3_542_000 + 16_824_500
    assert rules.ranks == placing + 75_710_250
    numbers = {}
    state = TEEKO.start()
    for move in ["c3", "b2", "c2", "b3", "d2", "d3", "a1", "b4", "a1a2", "b4a5", "a2b1"]:
        numbers[state.rank()] = state = state.after(move)
    assert len(numbers) == 11


@pytest.mark.full
@pytest.mark.budget(300)  # all of teeko, made and verified
def test_teeko_is_a_draw_and_advanced_teeko_is_won() -> None:
    """G. L. Steele Jr. found this in 1998."""
    for spec, value in (("teeko", 0), ("teeko(advanced=true)", 1)):
        maker = Maker(start(spec))
        table = maker.make()
        assert maker.verify(table) is None
        assert table.ask(start(spec)).value == value
