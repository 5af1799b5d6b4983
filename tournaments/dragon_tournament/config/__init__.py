"""Config: what a tournament file says, as values, or every mistake in it with its address."""
