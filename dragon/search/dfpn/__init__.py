"""Df-pn, depth-first proof-number search.

Read `search` first (settings, and how questions narrow the value), then `kernel` (the algorithm),
`driver` (its memory, and what is known without a search) and `table` (proof numbers that are kept).
"""
