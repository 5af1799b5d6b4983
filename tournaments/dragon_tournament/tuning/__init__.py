"""Tuning: the search for the best settings of a player, by games against an opponent."""
