"""The words for which covers are asked for, and what each of them means."""

from __future__ import annotations

EXACT, MINIMAL, BEST, ALL, OVERLAPPING = "exact", "minimal", "best", "all", "overlapping"

PLAYED = (EXACT, MINIMAL, BEST)
"""The modes of the game."""
COUNTED = (EXACT, MINIMAL, ALL, OVERLAPPING)
"""Collections that can be counted: each item covered once; each at least once with nothing to
spare; every set within the limit that covers; the original program's."""
ASKED = (BEST, *COUNTED)
"""The modes of a question: the best covers without a count, or one of the collections."""
AMONG = (MINIMAL, ALL)
"""What the best are chosen from."""
