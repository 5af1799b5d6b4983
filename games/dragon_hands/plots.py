"""Pictures of the copies in a hand and of the convergence of estimates, and their figures.

matplotlib is needed for the pictures alone, and imported when one is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from math import comb
from pathlib import Path
from typing import Any

from dragon.errors import ConfigError
from dragon.files import STDOUT, write
from dragon_hands.deck import Deck, clauses
from dragon_hands.exact import counted
from dragon_hands.formula import Count


def histogram(deck: Deck, hand: int) -> dict[str, list[float]]:
    """Return the probabilities of 0, 1, 2, ... in the hand for each name in a condition."""
    found: dict[str, list[float]] = {}
    total = comb(deck.total, hand)
    for asked in deck.conditions:
        for clause in clauses(asked.condition):
            if clause.name in found or clause.zone == "Extra":
                continue
            cards = sum(1 << i for i, c in enumerate(deck.main) if c.answers(clause.name))
            terms = (frozenset({Count("Hand", cards, True, n)}) for n in range(1, hand + 2))
            at_least = [total, *counted([(term,) for term in terms], deck.copies, hand)[:-2]]
            found[clause.name] = [(at_least[n] - at_least[n + 1]) / total for n in range(hand + 1)]
    return found


def text_histogram(found: dict[str, list[float]]) -> Iterator[str]:
    """Yield the lines of bars of signs, for terminals."""
    for name, shares in found.items():
        yield name
        for n, p in enumerate(shares):
            if p > 0.00005:
                yield f"  {n}  {'#' * round(40 * p):40}  {100 * p:6.2f}%"


@contextmanager
def _axes(file: Path | Any, x: str, y: str) -> Iterator[Any]:
    """Yield the axes of a picture, which is then written into a file or a stream.

    The suffix of the file decides the format. Raise ConfigError if matplotlib is missing.
    """
    try:
        import matplotlib
    except ImportError as missing:
        raise ConfigError(
            "pictures need matplotlib; install it with: pip install 'dragon-search[plot]'"
        ) from missing
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4))
    yield axes
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.legend()
    figure.tight_layout()
    try:
        if file == STDOUT:
            drawn = StringIO()
            figure.savefig(drawn, format="svg")
            write(STDOUT, drawn.getvalue())
        else:
            figure.savefig(file)
    except ValueError as wrong:
        raise ConfigError(f"cannot draw {file}: {wrong}") from wrong
    finally:
        plt.close(figure)


def draw_histogram(found: dict[str, list[float]], hand: int, file: Path | Any) -> None:
    """Draw bars, with a colour for each name."""
    wide = 0.8 / max(1, len(found))
    with _axes(file, f"copies in a hand of {hand}", "probability") as axes:
        for i, (name, shares) in enumerate(found.items()):
            places = [n + (i - (len(found) - 1) / 2) * wide for n in range(hand + 1)]
            axes.bar(places, shares, wide, label=name)
        axes.set_xticks(range(hand + 1))


def draw_convergence(
    points: list[tuple[int, float, float, float]], exact: float, file: Path | Any
) -> None:
    """Draw the estimate with its interval over the hands drawn, beside the exact value."""
    hands, found, low, high = zip(*points, strict=True)
    with _axes(file, "hands drawn", "probability of any condition") as axes:
        axes.fill_between(hands, low, high, alpha=0.3, label="95% interval")
        axes.plot(hands, found, marker="o", label="estimate")
        axes.axhline(exact, color="black", linestyle="--", label="exact")
        axes.set_xscale("log")
