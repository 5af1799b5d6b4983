"""The positions of a table that can come about from the empty board: marks spread by moves."""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from dragon.rules.template import kernel
from dragon_nex.table.sweep import following, generates, inserted, removed, spread, transforms


@kernel
def mark(table, at):
    """Set a bit; table: uint8[any]."""
    table[at >> 3] |= 1 << (at & 7)


@kernel
def spread_marks(colours, mover, stones, by_own, by_pair, rank, tables, scratch):
    """Marks all positions that the moves of one lead to."""
    below, beside = tables
    own_base, own_at, pair_base, pair_at = scratch
    bit = 1 - mover
    for i in range(by_own):
        found = rank[inserted(colours, own_at[i], bit)]
        for j in range(by_own - 1):
            mark(below, own_base[i, j] + found)
    for g in range(stones if by_pair else 0):
        if colours >> g & 1 == bit:
            kept = removed(colours, g)
            for i in range(by_pair):
                joined = inserted(kept, pair_at[i, g, 0], bit)
                joined = inserted(joined, pair_at[i, g, 1], bit)
                mark(beside, pair_base[i, g] + rank[joined])


@kernel
def reach(shape, empties, rank, joined, marked, tables, scratch):
    """Count the `marked` positions of a shelf; marks those that they lead to in `tables`.

    Arguments as those of `dragon_nex.table.sweep.sweep`, with a bit for each position.
    """
    cells, empty_cells, neutrals, blacks, mover, placings, colourings, stride = shape[:8]
    full = (1 << cells) - 1
    stones_size = cells - empty_cells - neutrals
    own_base, own_at, pair_base, pair_at = scratch
    count = 0
    for e in range(len(empties)):
        empty = empties[e]
        at = e * stride
        chosen = (1 << neutrals) - 1
        for _ in range(placings):
            neutral = spread(chosen, full & ~empty)
            stones = full & ~(empty | neutral)
            by_own = generates(empty, neutral, full, rank, shape[8:10], own_base, own_at)
            by_pair = transforms(empty, neutral, full, rank, shape[10:], pair_base, pair_at)
            colours = (1 << blacks) - 1
            for _ in range(colourings):
                if marked[at >> 3] >> (at & 7) & 1:
                    count += 1
                    black = spread(colours, stones)
                    waiting = black if mover else stones & ~black
                    if not joined[1 - mover, waiting]:
                        spread_marks(
                            colours, mover, stones_size, by_own, by_pair, rank, tables, scratch
                        )
                at += 1
                if blacks:
                    colours = following(colours)
            if neutrals:
                chosen = following(chosen)
    return count
