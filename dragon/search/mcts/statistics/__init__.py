"""Statistics that a tree keeps for its policies: a file for each, with its update.

`amaf`, `history` (with N-grams), `priors` and `evaluations`; the sum of squared payoffs is one
field of a node, updated where payoffs are backed up.
"""
