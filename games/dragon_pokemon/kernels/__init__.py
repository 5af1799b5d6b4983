"""Templates of the compiled kernels of this plugin."""
