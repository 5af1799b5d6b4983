"""Formats: who meets whom; values that know players and results, but not games.

Read `format` first: `Format`, whose games are known beforehand, and `StagedFormat`, in which
results decide. Then `round_robin`, with the gauntlet and listed pairs, `knockout` and `swiss`;
`registry` finds a format by its name, those of plugins included, and `staged` reads rounds and
places from the games on record. Plugins import `Format`, `StagedFormat`, `Bout` and `totals` from
here.
"""

from dragon_tournament.formats.format import Bout, Format, StagedFormat, totals

__all__ = ["Bout", "Format", "StagedFormat", "totals"]
