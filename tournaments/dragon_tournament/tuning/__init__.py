"""Tuning: the search for the best settings of a player, by games against an opponent.

`reading` makes a `tuning` of a file, and plays it with optuna's `study`; `outcome` is the result as
a table, as JSON and as a picture.
"""
