"""Retrograde analysis: the worth of every position that a game can come to, cycles included.

`table` is the result, asked and kept in files; `choice` makes, reads and verifies one for `dragon
table`; `search` plays from one. Positions are listed from the start (`making`, on the kernels
`kernel` and `verification`), or have numbers by the game's rule `rank` (`rank_making`, on
`rank_kernel`). `kept` has checkpoints and the identity of rules.
"""
