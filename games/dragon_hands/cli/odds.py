"""`dragon hands odds`: how often a deck opens with what it needs."""

from __future__ import annotations

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
    from dragon_hands.drawing import Drawing
    from dragon_hands.odds import Odds
    from dragon_hands.question import Question
    from dragon_hands.spec import Spec


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
    from dragon_hands.drawing import Drawing
    from dragon_hands.question import Question
    from dragon_hands.reading import load

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
            asked = Drawing(seed, sample, precision, check)
            drawn, stop = roughly(deck, question, asked, exact)
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
    deck: Spec, question: Question, asked: Drawing, exact: Odds | None
) -> tuple[Odds | None, bool]:
    """An estimate of the odds, and whether Ctrl-C came before it was as good as asked."""
    import attrs

    from dragon.commands.options import interruptible
    from dragon_hands import drawing

    found = None
    with progress("dealing") as watch:
        try:
            for found in drawing.drawn(deck, question, asked, exact):
                watch(drawing.part_done(deck, question, found, asked))
        except KeyboardInterrupt:
            note = "interrupted: fewer hands than were asked for"
            return found and attrs.evolve(found, warnings=(*found.warnings, note)), True
    if found and drawing.wants_notes(deck, question, asked, exact):
        try:
            return interruptible(drawing.noted, deck, found), False
        except KeyboardInterrupt:
            return found, True
    return found, False
