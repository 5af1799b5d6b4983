"""`dragon new-search`: as `dragon new`, of a search."""

from dragon.commands.new import new_search as new_search
