"""Executors: where games are played."""
