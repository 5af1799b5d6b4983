"""Templates of kernels that the rules of every game are compiled with."""
