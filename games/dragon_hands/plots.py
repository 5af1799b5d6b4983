"""Pictures of the copies in a hand, of the odds by turn and of the convergence of estimates.

matplotlib is needed for the pictures alone, and imported when one is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import StringIO
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dragon.errors import ConfigError
from dragon.files import STDOUT, write
from dragon_hands.counting import counted
from dragon_hands.deck import Deck, clauses
from dragon_hands.exact import Count

if TYPE_CHECKING:
    from dragon_hands.odds import Odds
    from dragon_hands.probability import Probability


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
        yield from (_bar(n, p) for n, p in enumerate(shares) if p > 0.00005)


def text_turns(found: Sequence[tuple[int, Odds]]) -> Iterator[str]:
    """Yield the lines of bars of signs for each condition and any, a bar for each turn."""
    for name, shares in _curves(found):
        yield name
        yield from (_bar(turn, share.p) for turn, share in shares)


def _bar(n: int, p: float) -> str:
    return f"  {n}  {'#' * round(40 * p):40}  {100 * p:6.2f}%"


def _curves(
    found: Sequence[tuple[int, Odds]],
) -> Iterator[tuple[str, list[tuple[int, Probability]]]]:
    """Yield the probabilities by turn of each condition, and of any where there are several."""
    names = [name for name, _ in found[0][1].conditions]
    for i, name in enumerate(names):
        yield name, [(turn, each.conditions[i][1]) for turn, each in found]
    if len(names) > 1:
        yield "any", [(turn, each.any) for turn, each in found]


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


def draw_turns(found: Sequence[tuple[int, Odds]], file: Path | Any) -> None:
    """Draw a line for each condition over the turns, with the intervals of estimates."""
    with _axes(file, "turn", "probability") as axes:
        for name, shares in _curves(found):
            turns, values = [turn for turn, _ in shares], [share.p for _, share in shares]
            (line,) = axes.plot(turns, values, marker="o", label=name)
            ends = [share.interval or (share.p, share.p) for _, share in shares]
            axes.fill_between(turns, *zip(*ends, strict=True), alpha=0.2, color=line.get_color())
        axes.set_xticks([turn for turn, _ in found])
        axes.set_ylim(0, 1)


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
