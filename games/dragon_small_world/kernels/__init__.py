"""Compiled kernels of Small World."""
