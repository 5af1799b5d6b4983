"""Tables of Nex: the exact value of every position of a small board."""
