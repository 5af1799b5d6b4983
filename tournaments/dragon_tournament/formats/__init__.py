"""Formats: who meets whom, from which opening, in which order."""
