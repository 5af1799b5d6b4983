"""Chess: `game` is the game, `rules` and `tables` its rules, `notation` FEN and SAN."""
