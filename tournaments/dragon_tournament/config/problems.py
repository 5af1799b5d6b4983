"""Problems: the mistakes of a tournament file, collected, each with its address."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

from dragon.config import build
from dragon.errors import ConfigError, DragonError

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
            for sentence in sentences(wrong):
                self.add(sentence, at)
        return None

    def table(self, make: Callable[..., T], table: Any, address: str, example: str) -> T | None:
        """The attrs value of a table; None where it is none, or has mistakes."""
        if not isinstance(table, dict):
            self.add(f"must be a table such as {example}, not {table!r} @ {address}")
            return None
        return self.attempt(build, make, table, address)


def sentences(wrong: DragonError) -> tuple[str, ...]:
    """What an error says, each sentence apart."""
    return wrong.problems if isinstance(wrong, ConfigError) else (str(wrong),)
