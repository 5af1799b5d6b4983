"""`dragon hands odds`: how often a deck opens with what it needs."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from dragon.commands.options import as_json as json_option
from dragon.commands.options import with_seed
from dragon_hands.cli.options import (
    progress,
    spec_argument,
    with_hand,
    with_policy,
    with_sharing,
)
from dragon_hands.cli.show import show

if TYPE_CHECKING:
    from dragon_hands.odds import Odds
    from dragon_hands.question import Question
    from dragon_hands.spec import Spec

PATIENCE = 10.0
"""Seconds of drawing hands where nobody asked for an estimate."""


class Sizes(click.ParamType):  # type: ignore[type-arg]  # generic only in newer clicks
    """Sizes of hands with commas between them."""

    name = "sizes"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """The sizes, each once; fails as click's own types do."""
        if isinstance(value, tuple):
            return value
        parts = str(value).split(",")
        if len(parts) > 10 or not all(p.strip().isdecimal() and 0 < len(p) < 5 for p in parts):
            self.fail(f"{value!r} is no list of sizes; write 5,6", param, ctx)
        return tuple(dict.fromkeys(int(p) for p in parts))


@click.command()
@spec_argument
@with_hand
@click.option("--hands", "sizes", type=Sizes(), metavar="N,N", help="Several sizes side by side.")
@with_sharing
@with_policy
@click.option("--sample", type=click.IntRange(min=1), metavar="N", help="Draw N hands instead.")
@click.option(
    "--precision", type=click.FloatRange(min=1e-6, max=0.5), metavar="E",
    help="Draw hands until the standard error of any is at most E.",
)  # fmt: skip
@click.option("--check", is_flag=True, help="Give the exact odds and an estimate side by side.")
@with_seed
@json_option
def odds(
    spec: str,
    hand: int,
    sizes: tuple[int, ...] | None,
    sharing: str,
    policy: str,
    sample: int | None,
    precision: float | None,
    check: bool,
    seed: int,
    as_json: bool,
) -> None:
    """Give the probability of each condition, of any, of all, and of a brick.

    The answer is exact unless --sample or --precision asks for an estimate, or unless exact
    work would take too long, which is said.

    \b
    Examples:
      dragon hands odds deck.yaml
      dragon hands odds deck.yaml --hands 5,6 --json
      dragon hands odds deck.yaml --free never --sharing count
      dragon hands odds deck.yaml --sample 1000000 --seed 7
      dragon hands odds deck.yaml --check --precision 0.001
    """
    from dragon_hands.checking import checked_hand
    from dragon_hands.question import Question
    from dragon_hands.reading import load
    from dragon_hands.share import has_free

    deck = load(spec)
    wanted = [checked_hand(deck, n) for n in sizes or (hand,)]
    estimate = sample is not None or precision is not None
    found: list[tuple[int, Odds | None, Odds | None]] = []
    interrupted = False
    for n in wanted:
        question = Question(n, sharing, policy)
        exact, stop = (None, False) if estimate and not check else exactly(deck, question)
        drawn = None
        if not stop and (estimate or check or exact is None):
            inexact = policy == "clairvoyant" and has_free(deck)
            vain = exact is None and not inexact and not (estimate and not check)
            drawn, stop = roughly(deck, question, seed, sample, precision, vain)
            if drawn and exact is None and not stop and (not vain or has_free(deck)):
                drawn, stop = noted(deck, drawn)
        found.append((n, exact, drawn))
        if stop:
            interrupted = True
            break
    show(deck, found, sizes is not None, as_json)
    if interrupted:
        raise KeyboardInterrupt


def exactly(deck: Spec, question: Question) -> tuple[Odds | None, bool]:
    """The exact odds, None where they take too long; and whether Ctrl-C came first.

    Then the odds are those of the opening hands alone.
    """
    import attrs

    from dragon.commands.options import interruptible
    from dragon_hands.exact import TooLarge
    from dragon_hands.odds import odds as answer
    from dragon_hands.share import has_free

    if question.policy == "clairvoyant" and has_free(deck):
        return None, False
    with progress("playing") as watch:
        try:
            return interruptible(answer, deck, question, watch), False
        except TooLarge:
            return None, False
        except KeyboardInterrupt:
            if question.policy == "never" or not has_free(deck):  # nothing is known sooner
                return None, True
            with suppress(TooLarge):
                alone = interruptible(answer, deck, attrs.evolve(question, policy="never"))
                note = "interrupted: these are the odds of the opening hands alone, a lower bound"
                return attrs.evolve(alone, warnings=(*alone.warnings, note)), True
            return None, True


def roughly(
    deck: Spec,
    question: Question,
    seed: int,
    sample: int | None,
    precision: float | None,
    vain: bool,
) -> tuple[Odds | None, bool]:
    """An estimate of the odds, and whether Ctrl-C came before it was as good as asked.

    vain: whether exact odds took too long, so that best play cannot be found. Then, and where
    single hands take too long to play best, the odds are those of the policy greedy.
    """
    import attrs

    from dragon_hands.exact import TooLarge
    from dragon_hands.odds import FALLBACK, FALLBACK_CLAIRVOYANT, FALLBACK_PLAYED
    from dragon_hands.share import has_free

    usual = FALLBACK_PLAYED if has_free(deck) and question.policy != "never" else FALLBACK
    if question.policy == "clairvoyant":
        usual = FALLBACK_CLAIRVOYANT
    asked = sample is not None or precision is not None
    most, seconds = (sample, None) if asked else (usual, PATIENCE)
    try:
        if vain and question.policy == "optimal" and has_free(deck):
            raise TooLarge
        found, stopped = _dealt(deck, question, seed, most, precision, seconds)
        note = "an exact answer takes too long; these are estimates" if vain else ""
    except TooLarge:
        greedy = attrs.evolve(question, policy="greedy")
        found, stopped = _dealt(deck, greedy, seed, most, precision, seconds)
        note = "the best play takes too long to find; these are the odds of the policy greedy"
    if found and note:
        found = attrs.evolve(found, warnings=(*found.warnings, note))
    return found, stopped


def noted(deck: Spec, drawn: Odds) -> tuple[Odds, bool]:
    """An estimate with notes on other readings of the file, and whether Ctrl-C came before them.

    Where these take too long there are none.
    """
    import attrs

    from dragon.commands.options import interruptible
    from dragon_hands.exact import TooLarge
    from dragon_hands.notes import notes_as_dealt

    try:
        notes = interruptible(lambda: [*notes_as_dealt(deck, drawn.question)])
    except TooLarge:
        return drawn, False
    except KeyboardInterrupt:
        return drawn, True
    return attrs.evolve(drawn, warnings=(*drawn.warnings, *notes)), False


def _dealt(
    deck: Spec,
    question: Question,
    seed: int,
    most: int | None,
    precision: float | None,
    seconds: float | None,
) -> tuple[Odds | None, bool]:
    """The last of the estimates, and whether Ctrl-C came first; after so many seconds no more."""
    import attrs

    from dragon_hands.odds import sampled

    found, begun = None, time.perf_counter()
    with progress("dealing") as watch:
        try:
            for found in sampled(deck, question, seed, most, precision):
                watch(_part_done(found.any.hands or 0, most, found.any.error, precision))
                if seconds is not None and time.perf_counter() - begun > seconds:
                    break
        except KeyboardInterrupt:
            note = "interrupted: fewer hands than were asked for"
            return found and attrs.evolve(found, warnings=(*found.warnings, note)), True
    return found, False


def _part_done(done: int, most: int | None, error: float, precision: float | None) -> float:
    parts = [0.0]
    if most is not None:
        parts.append(done / most)
    if precision is not None and error > 0:
        parts.append((precision / error) ** 2)
    return min(1.0, max(parts))
