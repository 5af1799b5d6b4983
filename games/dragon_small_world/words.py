"""The words that the settings of Small World know, for modules that must not load numpy."""

from __future__ import annotations

TEXT, ZERO, NEVER = QUESTIONS = ("text", "zero", "never")
"""The values that `?` equals: another `?`; also 0; or none."""
SAMPLES = ("mathmech",)
"""Decks that come with the package, by name."""
SMALL_WORLD = 89558743
"""The passcode of the card itself."""
MOST_BRIDGES = 12
"""In one set."""
