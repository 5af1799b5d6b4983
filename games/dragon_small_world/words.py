"""The words that the settings of Small World know, for whoever must not load numpy."""

from __future__ import annotations

TEXT, ZERO, NEVER = QUESTIONS = ("text", "zero", "never")
"""What `?` equals: another `?`; also 0; or nothing at all."""
PROPERTIES = ("type", "attribute", "level", "atk", "def")
"""What two monsters may have in common, in the order in which it is written."""
SAMPLES = ("mathmech",)
"""Decks that come with the package, by name."""
SMALL_WORLD = 89558743
"""The passcode of the card itself."""
BANLISTS = ("tcg", "ocg", "goat")
"""The banlists that the public card data tell."""
MOST_BRIDGES = 12
"""In one set."""
