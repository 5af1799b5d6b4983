"""Retrograde analysis: what every position is worth that a game can come to, cycles included."""
