"""Problems: the mistakes of a tournament file, collected, each with its address."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

from dragon.config import build
from dragon.errors import ConfigError, DragonError, UnknownName

T = TypeVar("T")


class Problems:
    """Collects the mistakes of a file; an attempt that fails gives None."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def add(self, sentence: str, at: str = "") -> None:
        """Notes a mistake, once; `at` is its address where the sentence has none."""
        if at and " @ " not in sentence:
            sentence = f"{sentence} @ {at}"
        sentence = re.sub(r"@ \$(\.|$)", lambda m: "@ " if m[1] else "@ top level", sentence)
        if sentence not in self.found:
            self.found.append(sentence)

    def attempt(self, make: Callable[..., T], *args: Any, at: str = "") -> T | None:
        """make(*args), or None with its complaints noted."""
        try:
            return make(*args)
        except DragonError as wrong:
            for sentence in wrong.problems if isinstance(wrong, ConfigError) else (str(wrong),):
                self.add(sentence, at)
        return None

    def table(self, make: Callable[..., T], table: Any, at: str, example: str) -> T | None:
        """The attrs value of a table; None where there is none, or it has mistakes."""
        if table is None:
            return None
        if not isinstance(table, dict):
            self.add(f"must be a table such as {example}, not {table!r} @ {at}")
            return None
        return self.attempt(build, make, table, at)

    def names(self, given: Any, known: Iterable[str], at: str) -> tuple[str, ...] | None:
        """Return players' names; None unless it is a list of texts. Unknown ones are noted."""
        if not isinstance(given, list) or not all(isinstance(name, str) for name in given):
            self.add(f"must be a list of players' names, not {given!r} @ {at}")
            return None
        for name in given:
            if known and name not in known:
                self.add(str(UnknownName("player", name, known)), at)
        return tuple(given)

    def lines(self, path: Path, at: str) -> list[tuple[int, str]] | None:
        """The numbered lines of a file, but for empty ones and those that begin with #."""
        if (text := self.attempt(text_of, path, at=at)) is None:
            return None
        lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
        return [(number, line) for number, line in lines if line and not line.startswith("#")]


def text_of(path: Path) -> str:
    """Return the text of a file; raises ConfigError if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as wrong:  # a path with a zero is a ValueError too
        reason = wrong.strerror if isinstance(wrong, OSError) else "it is not UTF-8 text"
        raise ConfigError(f"cannot read {path}: {reason}; give a text file in UTF-8") from None
