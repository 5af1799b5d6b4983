"""Monte Carlo tree search: settings, the tree in plain Python, and its kernel."""
