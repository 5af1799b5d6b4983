"""The reading of a tournament file, into values or all its mistakes with their addresses.

`reading` has the way from a path to a Tournament: `tables` makes values of its tables, `positions`
those of instances and openings, which may lie in files of their own; `problems` collects mistakes.
"""
