"""Processes: how they are started, interrupted, and write to the terminal."""
