"""Templates of the cover kernels."""
