"""The progress bar of a tournament, on stderr.

It is apart from the commands because it imports the runner, which `dragon --help` need not load.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Mapping
from typing import Any

from dragon.cli_tools import progress_bar
from dragon.process import say
from dragon_tournament.formatting import payoff_text, points_text, shortened, visible
from dragon_tournament.records.record import Record
from dragon_tournament.runner import Observer, Played

BEST = 4  # players whose score is shown
WIDTH = 24  # letters of a player's name
FORMAT = "{n_fmt}/{total_fmt} games |{bar:10}| {rate_noinv_fmt}, {remaining} left{postfix}"
TEST = "{n_fmt} games, {total_fmt} at most | {rate_noinv_fmt}{postfix}"
"""The length of a test is not known beforehand."""
OFTEN, SELDOM = 0.2, 30.0
"""Seconds between two updates on a terminal, and between two lines elsewhere."""


class ProgressBar(Observer):
    """Games, games per second, time left, the leaders and failures.

    A terminal has one line that is rewritten; a log or a file gets a line every SELDOM seconds.
    """

    def __init__(self) -> None:
        self.bar: Any = None  # none where stderr is not a terminal
        self.points: dict[str, float] = {}
        """The points of each player; in a graded game its payoffs."""
        self.played: dict[str, int] = {}
        self.failures = 0
        self.games = self.done = 0  # in all, and on record
        self.before = 0  # games on record before the first of this run
        self.began = 0.0
        """The time when the first game of this run ended, on the monotonic clock; 0 before."""
        self.shown = 0.0

    def say(self, sentence: str) -> None:
        """Print a sentence on a line of its own."""
        say(visible(sentence))

    def begin(self, games: int, records: Iterable[Played]) -> None:
        """Show the first line; games on record count as done, but not for the speed."""
        self.games, self.shown = games, time.monotonic()
        for record in records:
            self._count(record)
        if sys.stderr is None or not sys.stderr.isatty():
            return
        form = FORMAT if self.trial is None else TEST
        self.bar = progress_bar(
            total=games, initial=self.done, unit=" games", bar_format=form, mininterval=OFTEN,
            leave=True, delay=0,
        )  # fmt: skip
        self.bar.set_postfix_str(self._standing())

    def expect(self, games: int) -> None:
        """Set the number of games, which grows when a tie is replayed."""
        self.games = games
        if self.bar is not None:
            self.bar.total = games

    def record(self, record: Record) -> None:
        """Count a game; the speed leaves out the first one, during which code is compiled."""
        self._count(record)
        if not self.began:
            self.began, self.before = time.monotonic(), self.done
            if self.bar is not None:
                self.bar.unpause()
        if self.bar is not None:
            self.bar.set_postfix_str(self._standing(), refresh=False)
            self.bar.update()
        elif time.monotonic() - self.shown >= SELDOM:
            self.shown = time.monotonic()
            say(self._line())

    def _count(self, record: Played) -> None:
        self.done += 1
        made = record.scores if self.graded else record.points
        for name, points in zip(record.seats, made, strict=True):
            self.points[name] = self.points.get(name, 0.0) + points
            self.played[name] = self.played.get(name, 0) + 1
        self.failures += len(record.failed)

    def _standing(self) -> str:
        parts = [leaders(self.points, self.played, self.graded)]
        if self.trial is not None:
            verdict = self.trial.verdict
            lower, upper = verdict.sprt.bounds
            parts.insert(0, f"LLR {verdict.llr:+.2f} ({lower:.2f} to {upper:.2f})")
        if self.failures:
            parts.append(f"failures {self.failures}")
        return ", ".join(filter(None, parts))

    def _line(self) -> str:
        """The line for a log or a file."""
        played, seconds = self.done - self.before, time.monotonic() - self.began
        speed = played / seconds if self.began and seconds > 0 else 0.0
        parts = [f"{self.done:,} of {self.games:,} games"]
        if self.trial is not None:
            parts = [f"{self.done:,} games, {self.games:,} at most"]
        if speed:
            parts.append(f"{speed:,.2f} games/s")
        if speed and self.trial is None and self.done < self.games:
            parts.append(f"{(self.games - self.done) / speed:,.0f} s left")
        return ", ".join([*parts, self._standing()])

    def end(self) -> None:
        """Print the last line."""
        if self.bar is not None:
            self.bar.set_postfix_str(self._standing())
            self.bar.close()
            self.bar = None
        elif self.began:
            say(self._line())


def leaders(points: Mapping[str, float], played: Mapping[str, int], graded: bool = False) -> str:
    """The players with the most points per game, since their numbers of games may differ.

    If the game is graded, `points` are payoffs, and their mean is shown.

    >>> leaders({"a": 3.0, "b": 2.5, "c": 0}, {"a": 6, "b": 4, "c": 2})
    'b 2.5/4, a 3/6, c 0/2'
    >>> leaders({"a": -6.5, "b": 6.5}, {"a": 4, "b": 4}, graded=True)
    'b +1.625, a -1.625'
    """
    best = sorted(points, key=lambda name: (-points[name] / played[name], -points[name], name))
    parts = [
        f"{shortened(name, WIDTH, '...')} {payoff_text(points[name] / played[name])}"
        if graded
        else f"{shortened(name, WIDTH, '...')} {points_text(points[name])}/{played[name]}"
        for name in best[:BEST]
    ]
    return ", ".join(parts) + (", ..." if len(best) > BEST else "")
