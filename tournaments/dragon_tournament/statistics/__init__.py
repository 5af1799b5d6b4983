"""Statistics: what records prove, and how sure it is. Pure functions, but for the tally."""
