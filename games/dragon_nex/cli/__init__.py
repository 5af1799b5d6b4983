"""The commands under `dragon nex`."""

from __future__ import annotations

import click

from dragon_nex.cli import atlas, gtp, records


@click.group()
def nex() -> None:
    """Solve Nex exactly, draw what openings are worth, and judge games.

    A position is written row by row, `B../.W?/... B`: B and W are stones, ? is neutral, . is
    empty, and the last letter says who moves. Boards of up to 16 cells have tables that know
    every position; those up to 3x4 are made at once, larger ones by `dragon nex table`.

    \b
    Examples:
      dragon nex solve --size 3x3
      dragon nex solve "B../.W?/?.. B"
      dragon nex table 4x4
      dragon nex atlas 4x4 --svg atlas.svg
      dragon nex annotate "Ba3?b1;Wa1?a2;Bc1?c2;Wb2?b3;Bb3Bc2?c1;B"
      dragon nex records games/*.txt
      dragon nex gtp --size 4x4
    """


for command in (
    atlas.solve, atlas.atlas, records.annotate, records.records, atlas.table, gtp.gtp
):  # fmt: skip
    nex.add_command(command)
