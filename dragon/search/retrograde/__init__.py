"""Retrograde analysis: the value of every position of a game, as in an endgame table (tablebase).

Read it in this order. `table` is the result and its file, `search` plays from one. `making` makes
and verifies one, level by level from the ends. `positions` numbers positions, by the game's rule
`rank` or in a list, and has the memory of all kernels; `kernel` finds the values and has the
drivers; `verification` checks them by the rules.
"""
