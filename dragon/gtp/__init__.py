"""The Go Text Protocol: its lines, dragon as an engine, and engines as players."""

from __future__ import annotations

from dragon.core import Search
from dragon.hookspecs import hookimpl


@hookimpl
def dragon_searches() -> list[type[Search]]:
    """The search that asks another program."""
    from dragon.gtp.client import GtpSearch

    return [GtpSearch]
