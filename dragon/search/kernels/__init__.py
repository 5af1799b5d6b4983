"""Templates of compiled kernels: generic functions that `dragon.specialise` binds to a game's rules."""
