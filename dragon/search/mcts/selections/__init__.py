"""Selections: each file says how promising a child is; `dragon.search.mcts.policies` says how."""
