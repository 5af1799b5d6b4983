"""A kernel that opens all positions of a table, and does nothing with what it finds.

What it takes is the rules' own part of a table's making: no maker can list positions in less.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from dragon.rules.template import kernel
from dragon.search.driver import DONE, PAUSED
from dragon.search.retrograde.positions import play_all


@kernel
def resume(m):
    """Open those in `m`, the Memory of a list of positions that is complete."""
    run, count = m.runs[0], m.results[0].count
    if run.stop == 0:
        return PAUSED
    for at in range(count):
        play_all(m, run, at, 0)
    return DONE
