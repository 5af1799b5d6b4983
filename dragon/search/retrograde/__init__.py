"""Retrograde analysis: the worth of every position that a game can come to, cycles included.

Read it in this order. `table` is the result, asked and kept in files as checkpoints are, and
`search` plays from one.
`making` makes and verifies one, level by level from the ends. `positions` gives positions numbers,
by the game's rule `rank` or in a list, and has the memory of all kernels; `kernel` finds their
worth and has the drivers; `verification` holds it against the rules.
"""
