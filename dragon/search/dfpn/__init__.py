"""Df-pn, depth-first proof-number search.

Read `search` first (settings, how questions narrow the value, certificates), then `kernel` (the
table of proof numbers, and the algorithm) and `driver` (its memory, and what is known without a
search).
"""
