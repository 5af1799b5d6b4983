"""Information states in kernels: a chain of 64 bits stands for what a seat has seen and done.

It is extended by each of the seat's own moves, and when the seat's view (the record after `hide`)
changes. If it were extended at each ply, it would reveal the number of hidden moves.

A kernel's memory `m` has, for each ply d, the record `states[d]` and uint64[seats] each of
`chains[d]` and `views[d]`, which is a hash of what a seat sees; `words` are the words of `states`,
of which the last is scratch.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

import hashlib
from typing import Any, ClassVar

import numpy as np

from dragon.bits import GOLDEN, add, i64, mix, mul, u64
from dragon.core import Limit, State
from dragon.rules.layout import hash_words
from dragon.rules.record import RecordState
from dragon.rules.template import SEATS, hide, kernel, play
from dragon.search.budget import LONGER, Counted, lengthened
from dragon.search.driver import KernelDriver

ENTRY = np.dtype([("key", "u8"), ("set", "i8")])
"""An entry of a hash table: the key of an information set, and its number plus 1, or 0."""
SETS_FIELDS = [
    ("sets", "i8"),  # information sets that have been met,
    ("sequences", "i8"),  # and all their moves
    ("full", "i8"),  # whether there is no room for further sets
]
"""The results of every kernel that puts information sets into a table."""


@kernel
def key_of(chain, seat):
    """Return the key of an information set."""
    return mix(chain ^ u64(seat + 1))


@kernel
def slot(table, key):
    """Return the place of a key in a table of entries, or a free one where it is new."""
    mask = len(table) - 1
    at = i64(key & u64(mask))
    while table[at].set > 0 and table[at].key != key:
        at = (at + 1) & mask
    return at


@kernel
def set_at(m, d, seat, n):
    """Return the information set of the seat to move at ply d, which has n moves; -1 where there is
    no room for it."""
    results, key = m.results[0], key_of(m.chains[d, seat], seat)
    at = slot(m.table, key)
    if m.table[at].set > 0:
        return m.table[at].set - 1
    if results.full:
        return -1
    e = results.sets
    m.table[at].key, m.table[at].set = key, e + 1
    m.sets[e].first, m.sets[e].n = results.sequences, n
    results.sets += 1
    results.sequences += n
    return e


@kernel
def refill(old, new):
    """Put all entries of a table into another, which is empty."""
    for i in range(len(old)):
        if old[i].set > 0:
            new[slot(new, old[i].key)] = old[i]


@kernel
def look_as(m, d, seat):
    """Extend the chain of a seat whose view at ply d has changed."""
    scratch = len(m.states) - 1
    m.states[scratch] = m.states[d]
    hide(m.states[scratch], seat)
    view = hash_words(m.words[scratch])
    if view != m.views[d, seat]:
        m.views[d, seat] = view
        m.chains[d, seat] = mix(add(mul(m.chains[d, seat], u64(GOLDEN)), view))


@kernel
def look(m, d):
    """Extend the chain of each seat whose view at ply d has changed."""
    for seat in range(SEATS):
        look_as(m, d, seat)


@kernel
def forget(m, d):
    """Reset the chains and views of all seats at ply d."""
    for seat in range(SEATS):
        m.chains[d, seat] = m.views[d, seat] = u64(0)


@kernel
def make(m, d, seat, code):
    """Make a move at ply d, in place, and extend the chain of a seat whose own it is."""
    play(m.states[d], code)
    if seat >= 0:
        m.chains[d, seat] = mix(add(m.chains[d, seat], u64(code + 1)))


@kernel
def descend(m, d, seat, code):
    """Make ply d + 1 of a move at ply d; `look` comes later, since terminal states do not need
    it."""
    m.states[d + 1] = m.states[d]
    for each in range(SEATS):
        m.chains[d + 1, each] = m.chains[d, each]
        m.views[d + 1, each] = m.views[d, each]
    make(m, d + 1, seat, code)


def view_hash(view: State[Any]) -> Any:
    """Return the hash of a view: as kernels make it of a record, else one of its text."""
    if isinstance(view, RecordState):
        return hash_words(np.frombuffer(view.data, np.uint64))
    return int.from_bytes(hashlib.blake2b(str(view).encode(), digest_size=8).digest(), "little")


class SetsDriver(KernelDriver):
    """A driver of a kernel that puts information sets into a table as it meets them.

    `m.results` has the fields of SETS_FIELDS.
    """

    items: ClassVar[tuple[str, ...]] = ("sets",)
    """The arrays of `m` with an item for each set."""
    pools: ClassVar[tuple[str, ...]]
    """The arrays of `m` with an item for each move of each set."""
    most: float
    """The bytes that table, sets and pools may take."""
    ahead = 0
    """The free sets that there must be before the kernel continues."""

    def prepare(self, template: str, bound: Any) -> None:
        """Load the kernel; interpreted, it hashes views by `view_hash`."""
        by_view = {"hash_words": lambda slot: self.view_hash(slot.state)}
        super().prepare(template, None if self.backend.compiled else by_view)

    def view_hash(self, view: State[Any]) -> Any:
        """Return the hash of a view, as the kernel makes it."""
        return view_hash(view)

    def number_of(self, seat: int, information: tuple[Any, ...]) -> int | None:
        """Return the information set of what a seat has seen and done (see `informed`), or None."""
        chain, view = u64(0), None
        for event in information:
            if isinstance(event, State):
                view = event
                chain = mix(add(mul(chain, u64(GOLDEN)), self.view_hash(event)))
            else:
                move = str(event) if isinstance(view, RecordState) else event
                chain = mix(add(chain, u64(view.code(move) + 1)))  # type: ignore[union-attr]
        table, key = self.m.table, int(key_of(chain, seat))
        at = key & (len(table) - 1)
        while table[at]["set"] and int(table[at]["key"]) != key:
            at = (at + 1) & (len(table) - 1)
        return int(table[at]["set"]) - 1 if table[at]["set"] else None

    def allow(self, limit: Limit) -> None:
        """Start a new budget with this limit; nodes are counted from here on."""
        self.run["nodes"][0] = 0
        super().allow(limit)

    sets = Counted("sets", "results")
    """Information sets that have been met."""

    @property
    def full(self) -> bool:
        """Return True if there is no room for further sets."""
        return bool(self.m.results[0]["full"])

    def lengthen(self) -> None:
        """Make sets, or else the pools, four times as long, or twice where more is not within
        `most` bytes; note that they are full where that is not either."""
        m, sets = self.m, self.sets + self.ahead >= len(self.m.sets)
        short = self.items if sets else self.pools
        held = sum(getattr(m, name).nbytes for name in ("table", *self.items, *self.pools))
        added = sum(getattr(m, name).nbytes for name in short) + (m.table.nbytes if sets else 0)
        times = next((n for n in (LONGER, 2) if held + (n - 1) * added <= self.most), 0)
        if not times:
            self.m.results[0]["full"] = 1
            return
        longer = {name: lengthened(old := getattr(m, name), times * len(old)) for name in short}
        if sets:
            longer["table"] = np.zeros(times * len(m.table), ENTRY)
            self.backend.load(__name__).refill(m.table, longer["table"])
        self.hold(m._replace(**longer))
