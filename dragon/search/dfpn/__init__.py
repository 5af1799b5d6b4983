"""Df-pn, depth-first proof-number search.

Read `search` first (settings, and how questions narrow the value), then `kernel` (the table of
proof numbers, and the algorithm) and `driver` (its memory, and what is known without a search).
"""
