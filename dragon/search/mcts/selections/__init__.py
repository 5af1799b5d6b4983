"""Selection policies, a file each; `dragon.search.mcts.policies` has their interface."""
