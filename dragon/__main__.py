"""`python -m dragon`: the command line."""

from __future__ import annotations

from dragon.cli import main

main(prog_name="dragon")
