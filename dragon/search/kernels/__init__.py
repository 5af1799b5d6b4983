"""Templates of the searches' kernels: `dragon.specialise` binds them to a game's rules."""
