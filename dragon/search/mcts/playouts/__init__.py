"""Playouts: each file draws the moves of a playout; `dragon.search.mcts.policies` says how."""
