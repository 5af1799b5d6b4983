"""Templates of kernels that the core needs: single steps, playouts, perft."""
