"""Alpha-beta: settings, the algorithm in plain Python, and its kernel."""
