"""Results: what was played, as it lies on disk, and the commands that look at it."""
