"""Chess: `game`, its `rules`, `notation` FEN and SAN, `knowledge` for searches."""
