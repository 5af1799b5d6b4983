"""`dragon hands odds`: how often a deck opens with what it needs, as a table or JSON."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

import attrs
import click

from dragon.cli_tools import Number, interruptible, is_given, last, progress, tell, with_seed
from dragon.cli_tools import as_json as json_option
from dragon.columns import filled, table
from dragon.percent import percent
from dragon_hands.cli.options import asks, shortened, warn, with_hands, with_turns

if TYPE_CHECKING:
    from dragon_hands.deck import Deck
    from dragon_hands.odds import Odds, Wanted
    from dragon_hands.probability import Kept, Probability
    from dragon_hands.question import Question


@click.command()
@partial(asks, compared=False)
@with_hands
@with_turns
@click.option("--sample", type=click.IntRange(min=1), metavar="N", help="Draw N hands instead.")
@click.option(
    "--precision", type=Number(min=1e-6, max=0.5), metavar="E",
    help="Draw hands until the standard error of any is at most E.",
)  # fmt: skip
@click.option("--check", is_flag=True, help="Give the exact odds and an estimate side by side.")
@click.option("--exact", "fractions", is_flag=True, help="Give the exact odds as fractions too.")
@with_seed
@json_option
def odds(
    deck: Deck, question: Question, sizes: tuple[int, ...] | None, turns: tuple[int, ...] | None,
    sample: int | None, precision: float | None, check: bool, fractions: bool, seed: int,
    as_json: bool,
) -> None:  # fmt: skip
    """Give the probability of each condition, of any, of all, and of a brick.

    The answer is exact unless --sample or --precision asks for an estimate, or unless exact
    work would take too long, which is said.

    \b
    Examples:
      dragon hands odds deck.yaml
      dragon hands odds deck.yaml --hands 5,6 --json
      dragon hands odds deck.yaml --exact
      dragon hands odds deck.ydk --condition "Hand Trap AND 2+ Monster"
      dragon hands odds deck.yaml --free never --sharing count
      dragon hands odds deck.yaml --sample 1000000 --seed 7
      dragon hands odds deck.yaml --check --precision 0.001
      dragon hands odds deck.yaml --by-turn 1..10
      dragon hands odds deck.yaml --mulligan london --keep "Alpha AND 1- Gamma"
      dragon hands odds deck.yaml --mulligan redraw --keep Alpha --prizes 6 --turn 2
      dragon hands odds deck.yaml --given "Beta OR Gamma" --in-hand Alpha --hand 5
    """
    from dragon_hands.odds import Wanted

    if sizes is not None and is_given("hand"):
        raise click.UsageError("--hand or --hands, not both; --hands 5,6 has several sizes")
    if fractions and not check and (sample or precision):
        raise click.UsageError(
            "--exact with an estimate alone; add --check for both, or leave --exact out"
        )
    if turns is not None and (sizes is not None or is_given("turn")):
        raise click.UsageError("--by-turn, --turn or --hands, and only one of them")
    wanted = Wanted(seed, sample, precision, check)
    questions = [attrs.evolve(question, hand=n).checked(deck) for n in sizes or ()]
    questions += [attrs.evolve(question, turn=n) for n in turns or ()]
    questions = questions or [question]
    found: list[tuple[int, Odds | None, Odds | None]] = []
    interrupted = False
    for question in questions:
        drawn = None
        exact, interrupted = exactly(deck, question, wanted)
        if not interrupted and wanted.drawn(exact):
            drawn, interrupted = roughly(deck, question, wanted, exact)
        found.append((question.turn if turns else question.hand, exact, drawn))
        if interrupted:
            break
    show(found, "turns" if turns else "hands" if sizes else "", as_json, fractions)
    if interrupted:
        raise KeyboardInterrupt


def exactly(deck: Deck, question: Question, wanted: Wanted) -> tuple[Odds | None, bool]:
    """Return the exact odds, if they are wanted and there is time, and True if Ctrl-C came first.

    In that case the odds are those of the opening hands alone.
    """
    from dragon_hands.exact import TooLarge
    from dragon_hands.odds import odds as answer

    if not wanted.exact(deck, question):
        return None, False
    with progress("playing") as watch, suppress(TooLarge):
        try:
            return interruptible(answer, deck, question, watch), False
        except KeyboardInterrupt:
            if question.policy == "never" or not deck.has_free:  # there is no earlier answer
                return None, True
            with suppress(TooLarge):
                alone = interruptible(answer, deck, attrs.evolve(question, policy="never"))
                note = "interrupted: these are the odds of the opening hands alone, a lower bound"
                return alone.noting(note), True
            return None, True
    return None, False


def roughly(
    deck: Deck, question: Question, wanted: Wanted, exact: Odds | None
) -> tuple[Odds | None, bool]:
    """Return an estimate of the odds, and True if Ctrl-C came before it was good enough."""
    from dragon_hands.odds import estimated, lacks_readings, with_readings

    with progress("dealing") as watch:
        found, interrupted = last(
            estimated(deck, question, wanted, exact),
            lambda found: watch(wanted.part_done(found)),
        )
    if interrupted:
        return found and found.noting("interrupted: fewer hands than were asked for"), True
    if found and lacks_readings(found, wanted, exact):
        try:
            return interruptible(with_readings, found), False
        except KeyboardInterrupt:
            return found, True
    return found, False


def show(
    found: list[tuple[int, Odds | None, Odds | None]], kind: str, as_json: bool, fractions: bool
) -> None:
    """Print the answers on stdout, and the notes on stderr where JSON has them too.

    kind: what several answers differ in, `hands` or `turns`; empty for one.
    """
    from dragon_hands.objects import answered

    plain = {n: answered(exact, drawn) for n, exact, drawn in found if exact or drawn}
    row = {kind: plain} if kind else next(iter(plain.values()), {})
    tell(as_json, row, _lines(found, kind, fractions))
    for n, *each in found:
        head = f"{_heading(n, kind)}: " if kind else ""
        warn(f"{head}{note}" for answer in each if answer for note in answer.notes)


def _heading(n: int, kind: str) -> str:
    return f"turn {n}" if kind == "turns" else f"{n} cards"


def _lines(
    found: list[tuple[int, Odds | None, Odds | None]], kind: str, fractions: bool
) -> Iterator[str]:
    """Yield the lines of a table: conditions down, hands or turns across."""
    columns: list[tuple[str, Odds]] = []
    for n, exact, drawn in found:
        head = _heading(n, kind)
        columns += [(head, exact)] if exact else []
        columns += [(f"{head}, {drawn.any.hands:,} hands drawn", drawn)] if drawn else []
    if not columns:
        return
    deck, question = columns[0][1].deck, columns[0][1].question
    yield (
        f"{deck.name or 'deck'}: {deck.total} cards, sharing {question.sharing}, "
        f"free cards {question.policy}"
    )
    way = attrs.evolve(question, turn=0) if kind == "turns" else question
    if kind == "turns" or way.plain():
        yield str(way).partition("; ")[2] if kind == "hands" else str(way)
    yield ""
    texts = [text for text, _ in columns[0][1].conditions]
    names = [*(shortened(text, 80) for text in texts), "any", "all", "brick"]
    cells = [
        [_cell(share, fractions)
         for share in (*(s for _, s in each.conditions), each.any, each.all, each.bricks)]
        for _, each in columns
    ]  # fmt: skip
    yield from table(
        ("condition", *(head for head, _ in columns)), list(zip(names, *cells, strict=True))
    )
    for head, each in columns[: 1 if kind == "turns" else None]:
        yield from _start(f"{head}: " if kind == "hands" else "", each)
    if any(not each.any.exact for _, each in columns):
        yield "\nin brackets: 95% confidence"


def _start(head: str, found: Odds) -> Iterator[str]:
    """Yield the lines on the hands that are kept, and on the condition that is given."""
    kept = [each for each in found.kept if each.share.p >= 0.00005]
    if kept:
        shares = ", ".join(f"{_left(each, found)} {each.share.percent}" for each in kept)
        yield from ("", *filled([f"{head}kept: {shares}"], 2))
    if found.given is not None:
        yield f"\n{head}given: {found.question.given} {found.given.percent}"


def _cell(share: Probability, fractions: bool) -> str:
    if share.exact:
        fraction = f" = {share.numerator:,}/{share.denominator:,}"
        return share.percent + fraction * fractions
    low, high = share.interval or (0.0, 1.0)
    ends = (percent(end).removesuffix("%") for end in (low, high))
    return f"{share.percent} ({' to '.join(ends)})"


def _left(kept: Kept, found: Odds) -> str:
    """Return the cards that are left after London mulligans, else the number of mulligans."""
    if found.question.mulligan == "london":
        return f"{kept.cards} card{'s' * (kept.cards != 1)}"
    if not kept.mulligans:
        return "at once"
    return f"{kept.mulligans} mulligan{'s' * (kept.mulligans != 1)}"
