"""Pictures: how many copies come, and how an estimate settles; their figures without a picture.

matplotlib is needed for the pictures alone, and imported when one is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import comb
from pathlib import Path
from typing import Any

from dragon.errors import ConfigError
from dragon_hands.condition import clauses
from dragon_hands.exact import successes
from dragon_hands.formula import Count
from dragon_hands.odds import sampled
from dragon_hands.question import Question
from dragon_hands.spec import Spec

MISSING = "pictures need matplotlib; install it with: pip install 'dragon-search[plot]'"


def histogram(spec: Spec, hand: int) -> dict[str, list[float]]:
    """For each name that a condition asks for the probability of 0, 1, 2, ... in the hand."""
    found: dict[str, list[float]] = {}
    copies = [card.qty for card in spec.deck]
    total = comb(spec.total, hand)
    for asked in spec.conditions:
        for clause in clauses(asked.condition):
            if clause.name in found or clause.zone == "Extra":
                continue
            cards = sum(1 << i for i, c in enumerate(spec.deck) if c.answers(clause.name))
            at_least = [total]
            for n in range(1, hand + 2):
                term = frozenset({Count("Hand", cards, True, n)})
                at_least.append(successes(((term,),), copies, hand))
            found[clause.name] = [(at_least[n] - at_least[n + 1]) / total for n in range(hand + 1)]
    return found


def convergence(
    spec: Spec, question: Question, hands: int, seed: int
) -> Iterator[tuple[int, float, float, float]]:
    """Hands drawn, the estimate of any, and the ends of its interval, at each doubling."""
    size = 64
    while size <= hands:
        *_, last = sampled(spec, question, seed, most=size)
        low, high = last.any.interval or (0.0, 1.0)
        yield size, last.any.p, low, high
        size *= 2


def text_histogram(found: dict[str, list[float]], width: int = 40) -> Iterator[str]:
    """Bars of signs, for terminals."""
    for name, shares in found.items():
        yield name
        for n, p in enumerate(shares):
            if p > 0.00005:
                yield f"  {n}  {'#' * round(width * p):{width}}  {100 * p:6.2f}%"


def _pyplot() -> Any:
    try:
        import matplotlib
    except ImportError as missing:
        raise ConfigError(MISSING) from missing
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    return plt


def draw_histogram(found: dict[str, list[float]], hand: int, file: Path | Any) -> None:
    """Bars, a colour for each name, into a file or a stream; its ending says the format."""
    plt = _pyplot()
    figure, axes = plt.subplots(figsize=(7, 4))
    wide = 0.8 / max(1, len(found))
    for i, (name, shares) in enumerate(found.items()):
        places = [n + (i - (len(found) - 1) / 2) * wide for n in range(hand + 1)]
        axes.bar(places, shares, wide, label=name)
    axes.set_xlabel(f"copies in a hand of {hand}")
    axes.set_ylabel("probability")
    axes.set_xticks(range(hand + 1))
    axes.legend()
    _save(figure, file)
    plt.close(figure)


def draw_convergence(
    points: list[tuple[int, float, float, float]], exact: float | None, file: Path | Any
) -> None:
    """The estimate with its interval over the hands drawn, beside the exact value."""
    plt = _pyplot()
    figure, axes = plt.subplots(figsize=(7, 4))
    hands = [each[0] for each in points]
    axes.fill_between(
        hands, [p[2] for p in points], [p[3] for p in points], alpha=0.3, label="95% interval"
    )
    axes.plot(hands, [p[1] for p in points], marker="o", label="estimate")
    if exact is not None:
        axes.axhline(exact, color="black", linestyle="--", label="exact")
    axes.set_xscale("log")
    axes.set_xlabel("hands drawn")
    axes.set_ylabel("probability of any condition")
    axes.legend()
    _save(figure, file)
    plt.close(figure)


def _save(figure: Any, file: Path | Any) -> None:
    figure.tight_layout()
    try:
        figure.savefig(file)
    except ValueError as wrong:
        raise ConfigError(f"cannot draw {file}: {wrong}") from wrong
