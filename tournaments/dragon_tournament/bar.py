"""Bar: the line that shows how a tournament goes while it is played."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import click

from dragon_tournament.records.record import Record
from dragon_tournament.report.text import points_text
from dragon_tournament.runner import Watch

BEST = 4
"""Players whose score is shown."""
WIDTH = 24
"""Letters of a player's name."""
FORMAT = "{n_fmt}/{total_fmt} games |{bar:10}| {rate_noinv_fmt}, {remaining} left{postfix}"
TEST = "{n_fmt} games, {total_fmt} at most | {rate_noinv_fmt}{postfix}"
"""Of a test nobody knows how long it takes."""
OFTEN, SELDOM = 0.2, 10.0
"""Seconds between two looks of the line, where somebody watches and where nobody does."""


class Bar(Watch):
    """One line on stderr, rewritten: games and games a second, time left, who leads, failures."""

    def __init__(self) -> None:
        self.bar: Any = None
        self.points: dict[str, float] = {}
        self.played: dict[str, int] = {}
        self.failures = 0
        self.playing = False

    def say(self, sentence: str) -> None:
        """On a line of its own."""
        click.echo(sentence, err=True)

    def begin(self, games: int, records: Sequence[Record]) -> None:
        """Games on record count as done, and not for the speed."""
        from tqdm import tqdm  # type: ignore[import-untyped]

        stderr = sys.stderr
        watched = stderr is not None and stderr.isatty()
        self.bar = tqdm(
            total=games,
            initial=len(records),
            unit=" games",
            bar_format=FORMAT if self.trial is None else TEST,
            file=stderr,
            mininterval=OFTEN if watched else SELDOM,
            dynamic_ncols=True,
        )
        for record in records:
            self._count(record)
        self._show(refresh=True)

    def record(self, record: Record) -> None:
        """The time until the first game of a run went into compiling, and does not count."""
        if not self.playing:
            self.bar.unpause()
            self.playing = True
        self._count(record)
        self._show(refresh=False)
        self.bar.update()

    def _count(self, record: Record) -> None:
        for name, points in zip(record.seats, record.points, strict=True):
            self.points[name] = self.points.get(name, 0.0) + points
            self.played[name] = self.played.get(name, 0) + 1
        self.failures += len(record.failed)

    def _show(self, refresh: bool) -> None:
        told = [leaders(self.points, self.played)]
        if self.trial is not None:
            verdict = self.trial.verdict
            lower, upper = verdict.sprt.bounds
            told.insert(0, f"LLR {verdict.llr:+.2f} ({lower:.2f} to {upper:.2f})")
        if self.failures:
            told.append(f"failures {self.failures}")
        self.bar.set_postfix_str(", ".join(filter(None, told)), refresh=refresh)

    def end(self) -> None:
        """Leaves the line as it is."""
        if self.bar is not None:
            self._show(refresh=True)
            self.bar.close()


def leaders(points: Mapping[str, float], played: Mapping[str, int]) -> str:
    """The players with the best scores, by points a game: not all have played as many.

    >>> leaders({"a": 3.0, "b": 2.5, "c": 0}, {"a": 6, "b": 4, "c": 2})
    'b 2.5/4, a 3/6, c 0/2'
    """
    best = sorted(points, key=lambda name: (-points[name] / played[name], -points[name], name))
    told = [f"{_short(name)} {points_text(points[name])}/{played[name]}" for name in best[:BEST]]
    return ", ".join(told) + (", ..." if len(best) > BEST else "")


def _short(name: str) -> str:
    return name if len(name) <= WIDTH else f"{name[: WIDTH - 3]}..."
