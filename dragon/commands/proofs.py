"""What the commands about proofs share: a bar that says what is being done."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dragon.search.proving import Watch


@contextmanager
def watching() -> Iterator[Watch]:
    """A bar on a terminal, which appears after a second, and what moves it."""
    from tqdm import tqdm  # type: ignore[import-untyped]

    with tqdm(unit="", unit_scale=True, leave=False, disable=None, delay=1) as bar:

        def watch(doing: str, done: int, unit: str = "positions") -> None:
            if bar.disable:
                return
            if doing != bar.desc.removesuffix(": "):
                bar.reset()
                bar.set_description(doing)
            bar.unit = f" {unit}"
            bar.update(done - bar.n)

        yield watch
