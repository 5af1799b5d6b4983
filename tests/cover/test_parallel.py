"""Covers by several processes: the same covers in the same order, and as many nodes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from dragon.cli import main
from dragon.core import Limit
from dragon.cover import Covers, Option, Problem, covers, parse
from dragon.cover.exact import DancingLinks, idle_in, links_of
from dragon.cover.parallel import Parallel, solve, split, walk
from dragon.cover.stream import UNLIMITED
from dragon.errors import SearchError

pytestmark = pytest.mark.samples(1)


def squares(n: int) -> Problem:
    """Dominoes on an n by n board."""
    cells = [f"{r}.{c}" for r in range(n) for c in range(n)]
    pairs = [(f"{r}.{c}", f"{r}.{c + 1}") for r in range(n) for c in range(n - 1)]
    pairs += [(f"{r}.{c}", f"{r + 1}.{c}") for r in range(n - 1) for c in range(n)]
    return Problem.of(cells, sorted(pairs))


COLOURED = parse("p q r | x y\np q x:B y:A\np r x:A y\np x:B\nq x:A\nr y:B\np q x:A\nr x:B y:A")
BOUNDED = parse("1:2|a b 0:2|c 2:3|d | x\na b x:1\na d\nb c d x:1\nc d\nd x:2\na\nb\nb d\na c x:1")
SPENT = parse("a 1:2|b c d\na b\nb\na c\nb c\nc d\nd\nb d\na d\nc")
"""What is left of it is soon a problem in which every item is covered once."""
IDLE = parse("a b | x y\na x:A\na y\nb\nb y:B\nx:A\nx:B\ny:B\nx")
PROBLEMS = [squares(4), COLOURED, BOUNDED, SPENT, parse("a b\na"), parse("a\na"), IDLE]
NAMES = ["dominoes", "colours", "bounds", "spent", "none", "one", "idle"]


def alone(problem: Problem, size: int | None) -> tuple[Any, ...]:
    found = covers(problem, size=size)
    listed = list(found)
    return listed, found.found, found.nodes, found.updates


IN_A_RUN = {("spent", 3), ("none", None), ("idle", None)}
"""Where processes are started; what they find of each, others try in this process.

Dominoes, on a larger board, are found by `test_at_most_so_many_covers_come_at_once`.
"""


@pytest.mark.parametrize(
    ("problem", "size"),
    [
        pytest.param(
            problem, size, id=f"{size}-{name}",
            marks=[pytest.mark.full] * ((name, size) not in IN_A_RUN),
        )
        for size in (None, 3)
        for name, problem in zip(NAMES, PROBLEMS, strict=True)
    ],
)  # fmt: skip
def test_workers_find_the_same_in_the_same_order(problem: Problem, size: int | None) -> None:
    workers = min(2, len(problem.options))  # where there is nothing to share, one is enough
    with Parallel(problem, size, workers) as stream:
        found = Covers(stream)
        assert (list(found), found.found, found.nodes, found.updates) == alone(problem, size)


@pytest.mark.full
def test_workers_count_without_listing() -> None:
    with Parallel(squares(6), workers=2, listing=False) as stream:
        assert Covers(stream).count() == 6728
        whole = covers(squares(6))
        assert whole.count() == 6728
        assert (stream.nodes, stream.updates) == (whole.nodes, whole.updates)


def in_pieces(problem: Problem, size: int | None, horizon: int) -> tuple[Any, ...]:
    """Do the work of the workers in this process."""
    room = UNLIMITED if size is None else size
    subtrees, above = split(problem, room, horizon)
    listed, nodes, updates, number = [], above.nodes, above.updates, 0
    upper = DancingLinks(links_of(problem), room, horizon)
    ready = iter([subtree for subtree in subtrees if subtree.done])
    for cover in walk(upper):
        if cover is None:
            for batch in solve(*upper.here(), room, listing=True, idle=idle_in(problem)):
                listed += batch.covers
                nodes += batch.nodes
                updates += batch.updates
                number += batch.number
        else:
            extended = next(ready)
            assert extended.covers[0] == cover
            listed += extended.covers
            number += extended.number
            nodes += 2 * (extended.number - 1)
    assert (upper.nodes, upper.updates) == (above.nodes, above.updates)
    assert sum(s.done for s in subtrees) == above.found
    return listed, number, nodes, updates


@st.composite
def problems(draw: Any) -> Problem:
    """Small problems with secondary items, colours and bounds; something may be hidden."""
    primary, secondary = "abcde"[: draw(st.integers(1, 5))], "xyz"[: draw(st.integers(0, 3))]
    options = []
    for _ in range(draw(st.integers(0, 10))):
        items = sorted(draw(st.sets(st.sampled_from(primary + secondary), min_size=1)))
        painted = [i for i in items if i in secondary and draw(st.booleans())]
        options.append(Option(items, colours={i: draw(st.sampled_from("AB")) for i in painted}))
    bounds = {}
    for item in primary if draw(st.booleans()) else "":
        low = draw(st.integers(0, 2))
        bounds[item] = (low, draw(st.integers(max(low, 1), 3)))
    problem = Problem(primary, options, secondary, bounds)
    return problem.hide(draw(st.sets(st.sampled_from(problem.items), max_size=2)))


@pytest.mark.full
@settings(max_examples=100)
@given(problems(), st.none() | st.integers(0, 4), st.integers(1, 5))
def test_pieces_add_up_to_the_whole(problem: Problem, size: int | None, horizon: int) -> None:
    """Covers and their order, nodes, and updates, which tell the kernels apart."""
    assert in_pieces(problem, size, horizon) == alone(problem, size)


def test_a_subtree_is_searched_by_the_kernel_of_the_whole() -> None:
    """A subtree that has no colour left, or no bound, is not another problem for that."""
    for problem, kernel in ((COLOURED, (True, True)), (SPENT, (False, False))):
        upper = DancingLinks(links_of(problem), horizon=1)
        roots = [upper.here()[1] for cover in walk(upper) if cover is None]
        assert {(links.plain, links.coloured) for links in roots} == {kernel}


@pytest.mark.full
def test_at_most_so_many_covers_come_at_once() -> None:
    with Parallel(squares(6), workers=2) as stream:
        listed: list[tuple[int, ...]] = []
        while not stream.done:
            some = stream.advance(1 << 20, 7)
            assert len(some) <= 7
            listed += some
            assert stream.found == len(listed)
    assert (listed, stream.found, stream.nodes, stream.updates) == alone(squares(6), None)


@pytest.mark.full
def test_counting_goes_on_after_the_first_few() -> None:
    with Parallel(squares(6), workers=2) as stream:
        found = Covers(stream)
        whole = list(covers(squares(6)))
        assert [next(found) for _ in range(5)] == whole[:5]
        assert found.count() == len(whole)


@pytest.mark.full
def test_the_first_covers_of_an_endless_search_come_soon() -> None:
    """A board of 10 by 10 has 258,584,046,368 covers, a subtree of it hours of them."""
    began = time.monotonic()
    with Parallel(squares(10), workers=2) as stream:
        found = Covers(stream)
        first = next(found)
        workers = list(stream._workers)
    assert first == next(covers(squares(10)))
    assert all(worker.pipe.closed for worker in workers)
    assert time.monotonic() - began < 60


@pytest.mark.full
def test_a_limit_in_seconds_ends_it_soon() -> None:
    with Parallel(squares(10), workers=2, listing=False) as stream:
        found = Covers(stream, Limit(seconds=0.3))
        assert found.count() > 1000
        assert 0.3 <= found.seconds < 3
        assert not stream.done


def test_a_limit_in_nodes_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "p.txt"
    file.write_text("a b\na\nb\n")
    arguments = ["cover", str(file), "--workers", "2", "--nodes", "10"]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code != 0
    message = result.output + str(result.exception)
    assert "--nodes cannot end several workers" in message


@pytest.mark.full
def test_a_dead_worker_is_reported() -> None:
    with Parallel(squares(10), workers=2, listing=False) as stream:
        next(iter(stream._workers)).process.kill()
        with pytest.raises(SearchError, match="was killed by SIGKILL; is there enough memory"):
            Covers(stream).count()


ORPHANS = """
from dragon.cover.parallel import Parallel
from dragon.cover import Covers, Problem
if __name__ == "__main__":
    cells = [f"{r}.{c}" for r in range(10) for c in range(10)]
    pairs = [(f"{r}.{c}", f"{r}.{c + 1}") for r in range(10) for c in range(9)]
    pairs += [(f"{r}.{c}", f"{r + 1}.{c}") for r in range(9) for c in range(10)]
    stream = Parallel(Problem.of(cells, pairs), workers=2, listing=False)
    while not stream.found:
        stream.advance(1, 0)
    print(*(worker.process.pid for worker in stream._workers), flush=True)
    Covers(stream).count()
"""


@pytest.mark.full
def test_workers_end_with_whoever_asked_however_that_ends(tmp_path: Path) -> None:
    script = tmp_path / "orphans.py"
    script.write_text(ORPHANS)
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        workers = [int(word) for word in parent.stdout.readline().split()]
        assert len(workers) == 2
        parent.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 20
    while any(map(runs, workers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(runs, workers))


def runs(pid: int) -> bool:
    """Tell whether there is such a process, and it is not a zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")
    return not (state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z")


@pytest.mark.parametrize("horizon", [1, 2, 3, 5])
def test_subtrees_and_covers_are_in_order_whatever_the_horizon(horizon: int) -> None:
    subtrees, _ = split(squares(4), UNLIMITED, horizon)
    upper = DancingLinks(links_of(squares(4)), horizon=horizon)
    begun = [upper.here()[0] if cover is None else cover for cover in walk(upper)]
    assert len(begun) == len(subtrees)
    order = [cover[:horizon] for cover in covers(squares(4))]
    assert [b for b in begun if b in order] == list(dict.fromkeys(order))


def test_links_are_copied_for_a_subtree() -> None:
    problem = squares(4)
    links = links_of(problem)
    upper = DancingLinks(links, horizon=1)
    number = 0
    for _ in walk(upper):
        before = links.nodes.tobytes()
        number += sum(batch.number for batch in solve(*upper.here(), UNLIMITED, False, None))
        assert links.nodes.tobytes() == before
    assert number == 36
    assert links.nodes.tobytes() == links_of(problem).nodes.tobytes()
