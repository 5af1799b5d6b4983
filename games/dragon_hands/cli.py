"""The command `dragon hands odds`, the group it stands in, and what its neighbours share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from dragon.commands.options import as_json as json_option
from dragon.commands.options import with_seed

if TYPE_CHECKING:
    from dragon_hands.odds import Odds, Question, Share
    from dragon_hands.spec import Spec

SHARINGS = ("distinct", "count")
POLICIES = ("optimal", "greedy", "never", "clairvoyant")

spec_argument = click.argument("spec", metavar="SPEC.yaml")
with_hand = click.option(
    "--hand", type=click.IntRange(min=1), default=5, show_default=True, metavar="N",
    help="Cards of the opening hand.",
)  # fmt: skip
with_sharing = click.option(
    "--sharing", type=click.Choice(SHARINGS), default="distinct", show_default=True,
    help="Whether each clause needs cards of its own, or a card counts for every clause.",
)  # fmt: skip
with_policy = click.option(
    "--free", "policy", type=click.Choice(POLICIES), default="optimal", show_default=True,
    help="How free cards are played.",
)  # fmt: skip


@click.group()
def hands() -> None:
    """Say how often a deck opens with what it needs, exactly.

    SPEC.yaml is a deck file: cards with copies and tags, and conditions on a hand; `-` reads
    it from stdin.

    \b
    Examples:
      dragon hands odds deck.yaml
      dragon hands odds deck.yaml --hands 5,6 --json
      dragon hands sensitivity deck.yaml
    """


class Hands(click.ParamType[tuple[int, ...]]):
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


@hands.command("odds")
@spec_argument
@with_hand
@click.option("--hands", "sizes", type=Hands(), metavar="N,N", help="Several sizes side by side.")
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
    from dragon_hands.odds import Question
    from dragon_hands.reading import checked_hand, load

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
            vain = exact is None and not (estimate and not check)
            drawn, stop = roughly(deck, question, seed, sample, precision, vain)
        found.append((n, exact, drawn))
        if stop:
            interrupted = True
            break
    _show(deck, found, sizes is not None, as_json)
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

    if question.policy == "clairvoyant":
        return None, False
    with progress("playing") as watch:
        try:
            return interruptible(answer, deck, question, watch), False
        except TooLarge:
            return None, False
        except KeyboardInterrupt:
            alone = interruptible(answer, deck, attrs.evolve(question, policy="never"))
            note = "interrupted: these are the odds of the opening hands alone, a lower bound"
            return attrs.evolve(alone, warnings=(*alone.warnings, note)), True


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
    from dragon_hands.odds import FALLBACK, FALLBACK_CLAIRVOYANT, FALLBACK_PLAYED, has_free

    usual = FALLBACK_PLAYED if has_free(deck) and question.policy != "never" else FALLBACK
    if question.policy == "clairvoyant":
        usual = FALLBACK_CLAIRVOYANT
    most = sample if sample is not None or precision is not None else usual
    try:
        if vain and question.policy == "optimal" and has_free(deck):
            raise TooLarge
        return _dealt(deck, question, seed, most, precision)
    except TooLarge:
        greedy = attrs.evolve(question, policy="greedy")
        found, stopped = _dealt(deck, greedy, seed, most, precision)
        note = "the best play takes too long to find; these are the odds of the policy greedy"
        noted = found and attrs.evolve(found, warnings=(*found.warnings, note))
        return noted, stopped


def _dealt(
    deck: Spec, question: Question, seed: int, most: int | None, precision: float | None
) -> tuple[Odds | None, bool]:
    import attrs

    from dragon_hands.odds import sampled

    found = None
    with progress("dealing") as watch:
        try:
            for found in sampled(deck, question, seed, most, precision):
                watch(_part_done(found.any.hands or 0, most, found.any.error, precision))
        except KeyboardInterrupt:
            note = "interrupted: fewer hands than were asked for"
            noted = found and attrs.evolve(found, warnings=(*found.warnings, note))
            return noted, True
    return found, False


def _part_done(done: int, most: int | None, error: float, precision: float | None) -> float:
    parts = [0.0]
    if most is not None:
        parts.append(done / most)
    if precision is not None and error > 0:
        parts.append((precision / error) ** 2)
    return min(1.0, max(parts))


@contextmanager
def progress(label: str) -> Iterator[Callable[[float], None]]:
    """A bar on stderr, where that is a terminal, once a second has passed."""
    from sys import stderr

    from tqdm import tqdm  # type: ignore[import-untyped]

    shown = stderr is not None and stderr.isatty()
    shape = "{desc}: {percentage:3.0f}%|{bar}| [{elapsed}<{remaining}]"
    bar = tqdm(
        total=1.0, desc=label, file=stderr, delay=1, bar_format=shape, leave=False,
        disable=not shown,
    )  # fmt: skip
    try:
        yield lambda part: bar.update(max(0.0, part - bar.n)) and None
    finally:
        bar.close()


# ---- what is printed ---------------------------------------------------------------------------


def _show(
    deck: Spec, found: list[tuple[int, Odds | None, Odds | None]], several: bool, as_json: bool
) -> None:
    """The answers on stdout, and the warnings on stderr where JSON has them too."""
    from dragon.commands.options import print_json

    plain = {n: _plain(exact, drawn) for n, exact, drawn in found if exact or drawn}
    if as_json:
        print_json({"hands": plain} if several else next(iter(plain.values()), {}))
    else:
        for line in _lines(deck, found):
            click.echo(line)
    for warning in dict.fromkeys(w for each in plain.values() for w in each["warnings"]):
        click.echo(f"warning: {warning}", err=True)


def _plain(exact: Odds | None, drawn: Odds | None) -> dict[str, Any]:
    first = exact or drawn
    assert first is not None
    told = first.plain()
    if exact and drawn:
        told["check"] = drawn.plain()
    return told


def _lines(deck: Spec, found: list[tuple[int, Odds | None, Odds | None]]) -> Iterator[str]:
    """A table: conditions down, hands across."""
    columns: list[tuple[str, Odds]] = []
    for n, exact, drawn in found:
        columns += [(f"{n} cards", exact)] if exact else []
        columns += [(f"{n} cards, sampled", drawn)] if drawn else []
    if not columns:
        return
    question = columns[0][1].question
    yield (
        f"{deck.name or 'deck'}: {deck.total} cards, sharing {question.sharing}, "
        f"free cards {question.policy}"
    )
    yield ""
    texts = [text for text, _ in columns[0][1].conditions]
    names = [*texts, "any", "all", "brick"]
    cells = [
        [_cell(share) for share in (*(s for _, s in each.conditions), each.any, each.all,
                                    each.bricks)]
        for _, each in columns
    ]  # fmt: skip
    wide = max(len("condition"), *map(len, names))
    widths = [max(len(head), *map(len, c)) for (head, _), c in zip(columns, cells, strict=True)]
    heads = (f"{head:>{w}}" for (head, _), w in zip(columns, widths, strict=True))
    yield "  ".join([f"{'condition':{wide}}", *heads]).rstrip()
    for i, name in enumerate(names):
        row = (f"{c[i]:>{w}}" for c, w in zip(cells, widths, strict=True))
        yield "  ".join([f"{name:{wide}}", *row])


def _cell(share: Share) -> str:
    from dragon_hands.odds import percent

    if share.exact:
        return f"{percent(share.p)} = {share.numerator:,}/{share.denominator:,}"
    return f"{percent(share.p)} +- {100 * share.error:.2g}%"


# ---- shared with the other commands -----------------------------------------------------------


def asked(spec: str, hand: int, sharing: str, policy: str) -> tuple[Spec, Question]:
    from dragon.errors import ConfigError
    from dragon_hands.odds import Question
    from dragon_hands.reading import checked_hand, load

    deck = load(spec)
    if policy == "clairvoyant":
        raise ConfigError("clairvoyant is only estimated; compare decks by another policy")
    for warning in deck.warnings:
        click.echo(f"warning: {warning}", err=True)
    return deck, Question(checked_hand(deck, hand), sharing, policy)


@contextmanager
def feasible() -> Iterator[None]:
    """Within, exact work that takes too long is an error with a remedy."""
    from dragon.errors import SearchError
    from dragon_hands.exact import TooLarge

    try:
        yield
    except TooLarge as large:
        raise SearchError(
            "this deck takes too long to be exact; give --free never, or a smaller --hand"
        ) from large


def stop_if(stopped: bool) -> None:
    """Ends as Ctrl-C does, once what is known has been printed."""
    if stopped:
        click.echo("not complete", err=True)
        raise KeyboardInterrupt
