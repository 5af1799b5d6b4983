"""Stderr: lines of text on it, above the progress bar that may be shown there."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click


@contextmanager
def above_bars() -> Iterator[None]:
    """Keep what is written to stderr on lines of its own, above any progress bar.

    Whole lines, that is; from any thread.
    """
    bars = sys.modules.get("tqdm")
    if bars is None or sys.stderr is None:
        yield
        return
    with bars.tqdm.external_write_mode(file=sys.stderr):
        yield


def say(message: object) -> None:
    """Print a line."""
    with above_bars():
        click.echo(message, err=True)
