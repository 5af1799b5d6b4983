"""Compiled kernels of the tables of Nex."""
