"""The maker of tables from a list: the kernels at work on a game, within a limit of megabytes."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from os import cpu_count
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from attrs import evolve

from dragon.core import TERMINAL, Game, Trait
from dragon.errors import GameError, Objection, SearchError
from dragon.rules.record import RecordGame, RecordState
from dragon.search.driver import DONE, PAUSED, Kernel
from dragon.search.retrograde import verification
from dragon.search.retrograde.kept import LISTED, save, saved
from dragon.search.retrograde.kernel import (
    BATCH,
    CROWDED,
    EDGE,
    FOUND,
    FULL,
    HEARD,
    NODE,
    RUN,
    SLOT,
    Memory,
)
from dragon.search.retrograde.table import Table
from dragon.search.retrograde.verification import WRONG
from dragon.search.two_sided import MOST_IN_ENTRY

Watch: TypeAlias = Callable[[str, int, int | None], object]
"""Told what is done, how many positions it is done with, and of how many, where that is known."""
SLICE = 1 << 18
"""Moves between two looks at Ctrl-C and at the memory: some hundredths of a second."""
MEGABYTES = 1024.0
"""The default limit of the memory for making a table."""
SECONDS = 60.0
"""Between two checkpoints."""
MOST_POSITIONS = (1 << 31) - 2
BESIDE = 4 + 20
"""Bytes of a position beside its record and node: in the queue, and in the finished table."""


def objection(game: Game[Any]) -> str | None:
    """Return why there is no table of a game, or None."""
    if not isinstance(game, RecordGame):
        return f"tables are made of games by Rules, and {game} is not one"
    if Trait.DUEL not in game.traits:
        return f"tables need two sides whose payoffs sum to zero (not so in {game})"
    if found := sorted(map(str, game.traits & {Trait.CHANCE, Trait.HIDDEN})):
        return f"tables do not support {' or '.join(found)} ({game})"
    return None


class Maker(Kernel):
    """The kernel, and the memory for all positions that a state can lead to."""

    statuses = Kernel.statuses | {FULL, CROWDED}

    def __init__(
        self,
        state: RecordState,
        megabytes: float = MEGABYTES,
        kept: Path | None = None,
        threads: int | None = None,
    ) -> None:
        """Go on from the checkpoint beside `kept`, where one is left.

        megabytes: the limit of all of it. threads: of those that verify; as many as there are
        cores by default. Raises Objection, GameError, ConfigError and SearchError.
        """
        if (sentence := objection(state.game)) is not None:
            raise Objection(sentence)
        rules = state.rules
        if rules.largest > MOST_IN_ENTRY:
            raise Objection(f"tables hold payoffs up to {MOST_IN_ENTRY:,} units; largest is higher")
        if state.turn == TERMINAL:
            raise GameError(f"the game is over in {state}, so there is no table of it")
        self.megabytes = megabytes
        self.threads = min(threads or cpu_count() or 1, BATCH)  # there are so many spare records
        self._each = rules.layout.itemsize + NODE.itemsize + BESIDE
        self._edge = EDGE.itemsize + (4 if rules.banked else 0)
        least = 2 * (BATCH + rules.width)
        positions = min(max(least, int(megabytes * 1e6) // self._each), MOST_POSITIONS)
        edges = min(max(least, int(megabytes * 1e6) // self._edge), (1 << 32) - 2)
        try:  # memory that is not written to yet is not taken yet
            states = np.zeros(positions, rules.layout)
            m = Memory(
                states=states,
                words=states.view(np.uint64).reshape(positions, -1),
                nodes=np.zeros(positions, NODE),
                queue=np.zeros(positions, np.int32),
                edges=np.zeros(edges, EDGE),
                gains=np.zeros(edges if rules.banked else 0, np.int32),
                slots=np.zeros(1 << 12, SLOT),
                out=np.zeros(rules.width, np.int64),
                found=np.zeros(BATCH + rules.width, FOUND),
                heard=np.zeros(BATCH, HEARD),
                runs=np.zeros(1, RUN),
            )
        except MemoryError:
            raise SearchError(
                f"this machine does not give {megabytes:,.0f} megabytes; ask for less"
            ) from None
        super().__init__(f"{__package__}.kernel", state, m)
        self.kept, self.resumed = kept, False
        """The file that the table will be, and whether there was a checkpoint beside it."""
        if kept is not None:
            self._go_on(kept)

    @property
    def count(self) -> int:
        """The number of positions."""
        return int(self.m.runs[0]["count"])

    @property
    def megabytes_taken(self) -> float:
        """The memory of positions, moves and slots."""
        edges = int(self.m.runs[0]["edges"]) * self._edge
        return float(self.count * self._each + edges + self.m.slots.nbytes) / 1e6

    def make(self, watch: Watch = lambda *_: None) -> Table:
        """Return the finished table; raise SearchError where memory ends, or scores meet cycles."""
        run, last = self.m.runs[0], time.monotonic()
        while True:
            run["stop"] += SLICE
            status = self._resume()
            if status == DONE:
                return self._table()
            if status == CROWDED:
                self.m = self.m._replace(slots=np.zeros(2 * len(self.m.slots), SLOT))
                run = self.m.runs[0]
                run["filled"] = 0
            if status not in (PAUSED, CROWDED) or self.megabytes_taken > self.megabytes:
                self._save()
                raise self._too_large()
            if time.monotonic() - last > SECONDS:
                self._save()
                last = time.monotonic()
            if run["phase"]:
                watch("settling", int(run["settled"]), self.count)
            else:
                watch("finding", self.count, None)

    def _too_large(self) -> SearchError:
        """Return the error for a full memory, with the number of positions so far."""
        opened = int(self.m.runs[0]["at"])
        return SearchError(
            f"{self.rules.label} has more than {self.count:,} positions, which take "
            f"{self.megabytes:,.0f} megabytes ({opened:,} of them are opened, and there are more); "
            "give it more by --megabytes, or take a smaller game"
        )

    def _held(self) -> dict[str, Any]:
        """Return the part of the memory that a checkpoint holds; the slots follow from it."""
        m, run = self.m, self.m.runs[0]
        n, edges = self.count, int(run["edges"])
        return {"states": m.states[:n], "nodes": m.nodes[:n], "queue": m.queue[: run["settled"]],
                "edges": m.edges[:edges], "gains": m.gains[:edges], "runs": m.runs}  # fmt: skip

    def _save(self) -> None:
        """Write a checkpoint, where a table is to be kept."""
        if self.kept is not None:
            save(self.kept, self.root, LISTED, {}, self._held())

    def _go_on(self, kept: Path) -> None:
        """Take up the checkpoint beside a file, if there is one and it fits into the memory."""
        held = self._held()
        dtypes = {name: array.dtype for name, array in held.items()}
        found = saved(kept, self.root, LISTED, dtypes)
        if found is None:
            return
        arrays, m = found[1], self.m
        for name, array in arrays.items():
            if len(array) > len(getattr(m, name)):
                raise SearchError(
                    f"the checkpoint beside {kept} takes more than {self.megabytes:,.0f} "
                    "megabytes; give it more by --megabytes"
                )
            getattr(m, name)[: len(array)] = array
        size = len(m.slots)
        while 3 * (self.count + BATCH + self.rules.width) > 2 * size:
            size *= 2
        self.m, self.resumed = m._replace(slots=np.zeros(size, SLOT)), True
        run = self.m.runs[0]
        run["filled"], run["stop"] = 0, run["nodes"]

    def _table(self) -> Table:
        run, n = self.m.runs[0], self.count
        nodes, scores = self.m.nodes[:n], bool(run["scores"])
        unsettled = nodes["level"] == 0
        cycles = int(unsettled.sum())
        if cycles and scores:
            raise SearchError(
                f"{self.rules.label} has scores and {cycles:,} positions whose worth depends on "
                "cycles; with cycles, tables know wins, draws and losses only"
            )
        nodes["value"][unsettled] = 0
        order = np.argsort(nodes["place"])
        plies = np.where((nodes["value"] != 0) | scores, nodes["level"], 0).astype(np.int32)
        return Table(
            self.root.game,
            nodes["place"][order],
            nodes["value"][order].astype(np.int32),
            plies[order],
            scores=scores,
            cycles=cycles,
            first=self.root.data,
        )

    def verify(self, table: Table, watch: Watch = lambda *_: None) -> str | None:
        """Return a position whose entry does not follow from those after it, or None.

        Every position is opened again by the rules, and what follows is looked up in the table.
        """
        threads = min(self.threads, -(-self.count // SLICE))
        ends = [self.count * each // threads for each in range(threads + 1)]
        values, plies = (np.asarray(each, np.int32) for each in (table.values, table.plies))
        wide = evolve(table, values=values, plies=plies)
        checkers = [
            Checker(self, wide, at, end, self.count + spare)
            for spare, (at, end) in enumerate(pairwise(ends))
        ]
        with ThreadPoolExecutor(threads) as pool:
            while PAUSED in (statuses := [*pool.map(Checker.work, checkers)]):
                if WRONG in statuses:
                    break
                watch("verifying", sum(checker.done for checker in checkers), self.count)
        wrong = (c.at for c, status in zip(checkers, statuses, strict=True) if status == WRONG)
        return next(wrong, None)


class Checker(Kernel):
    """The kernel of one thread, which verifies what a table says of some positions."""

    statuses = Kernel.statuses | {WRONG}

    def __init__(self, maker: Maker, table: Table, first: int, end: int, spare: int) -> None:
        """first, end: of the positions; spare: a record that stands for none."""
        m = verification.Memory(
            states=maker.m.states,
            words=maker.m.words,
            places=table.places,
            values=table.values,
            plies=table.plies,
            out=np.zeros(maker.rules.width, np.int64),
            asked=np.zeros(verification.BATCH + 1 + maker.rules.width, verification.ASKED),
            runs=np.zeros(1, verification.RUN),
        )
        self.run, self.first = m.runs[0], first
        self.run["at"], self.run["end"], self.run["spare"] = first, end, spare
        self.run["scores"] = table.scores
        super().__init__(f"{__package__}.verification", maker.root, m)

    def work(self) -> int:
        """Go on for a while."""
        self.run["stop"] = self.run["nodes"] + SLICE
        return self._resume()

    @property
    def done(self) -> int:
        """The number of positions that are verified."""
        return int(self.run["at"]) - self.first

    @property
    def at(self) -> str:
        """The position that is looked at."""
        return str(RecordState(self.root.game, self.m.states[int(self.run["at"])].tobytes()))
