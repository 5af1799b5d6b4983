"""Statistics that a tree keeps for its policies: each file says what one is and how it is updated.

`amaf`, `history` (with N-grams), `priors` and `evaluations`; the sum of squared payoffs is one
field of a node, updated where payoffs are backed up.
"""
