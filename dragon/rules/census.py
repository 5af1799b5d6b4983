"""The census of a small game by Rules: every state that play can reach, and what each is worth."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from attrs import frozen

from dragon.errors import RuleError
from dragon.rules.diagnosis import read_rules
from dragon.rules.kernels.census import AT, CHILD, COUNT, DONE, EDGE, FULL, STATE, Census
from dragon.rules.rehearsal import TURNS, Mishap, Stage
from dragon.rules.rules import Rules

MOST = 250_000
"""States that are visited."""
MOST_MOVES = 4_000_000
"""The moves of all of them together."""
MEGABYTES = 200
"""The most that their records may take."""
SLICE = 1000
"""States between two looks at the clock."""


@frozen(eq=False)
class Survey:
    """The states that were visited, in the order in which they were found."""

    whole: bool
    """Whether these are all that play can reach from the first records."""
    count: int
    """How many were visited."""
    states: Any
    """records[count or more]."""
    facts: Any
    """STATE[count or more]: what the rules say of each, and what it is worth."""
    edges: Any
    """EDGE[any]: their moves."""
    mishap: Mishap | None = None
    """What went wrong at the first state where a rule broke its contract."""


def survey(
    rules: Rules, firsts: Sequence[bytes], seconds: float, most: int = MOST
) -> Survey | None:
    """Visits every state that the first records can lead to, in checked code.

    It gives up where there are more than `most`, or after so many `seconds` of processor time (on a
    busy machine, after twice as many by the clock).
    None: rules that only numba can compile. Raises RuleError for rules that cannot be compiled.
    """
    if not read_rules(rules, strict=True):
        return None
    stage = _Surveyor(rules, firsts, most)
    try:
        status = stage.explore(seconds)
    except RuleError as error:
        return stage.found(False, stage.mishap(error))
    if status == DONE:
        stage.look_back()
    return stage.found(status == DONE)


class _Surveyor(Stage):
    """The kernels and their memory."""

    template = "dragon.rules.kernels.census"

    def __init__(self, rules: Rules, firsts: Sequence[bytes], most: int) -> None:
        import numpy as np

        super().__init__(rules, firsts[0], 0, True)
        firsts = list(dict.fromkeys(firsts))
        most = max(len(firsts), min(most, MEGABYTES * 1_000_000 // rules.layout.itemsize))
        states = np.zeros(most + 1, rules.layout)
        self._c = Census(
            states,
            words=states.view(np.uint64).reshape(most + 1, -1),
            facts=np.zeros(most, STATE),
            edges=np.zeros(max(MOST_MOVES, rules.width), EDGE),
            slots=np.zeros(1 << (2 * most).bit_length(), np.int64),
            run=np.zeros(4, np.int64),
        )
        for first in firsts:
            states[self._count] = np.frombuffer(first, rules.layout)[0]
            self._kernel.enter(self._c, -1)

    @property
    def _count(self) -> int:
        return int(self._c.run[COUNT])

    @property
    def path(self) -> list[int]:
        """The codes of the moves to the state that is being visited, and of the move played."""
        at, codes = int(self._c.run[AT]), list[int]()
        if (playing := int(self._c.run[CHILD])) >= 0:
            codes.append(playing)
        while (parent := int(self._c.facts[at]["parent"])) >= 0:
            first, n = (int(self._c.facts[parent][name]) for name in ("first", "moves"))
            moves = self._c.edges[first : first + n]
            codes.append(int(moves["code"][(moves["to"] == at).argmax()]))
            at = parent
        self.first = self._c.states[at].tobytes()
        return codes[::-1]

    def explore(self, seconds: float) -> int:
        """DONE where all states have been visited, FULL where there are too many."""
        begun, ends = time.perf_counter(), time.process_time() + seconds
        while True:
            status = self.asked(self._kernel.explore, self._m, self._c, SLICE, SLICE * TURNS)
            late = time.process_time() > ends or time.perf_counter() > begun + 2 * seconds
            if late or status in (DONE, FULL):
                return status

    def look_back(self) -> None:
        """Finds what each state is worth, unless it leads back to itself."""
        while self._kernel.look_back(self._c):
            pass

    def found(self, whole: bool, mishap: Mishap | None = None) -> Survey:
        """All that was found."""
        return Survey(whole, int(self._c.run[AT]), self._c.states, self._c.facts, self._c.edges,
                      mishap)  # fmt: skip
