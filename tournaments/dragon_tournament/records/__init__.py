"""Records: what a game leaves behind, how it is kept, and played once more."""
