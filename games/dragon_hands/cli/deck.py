"""`dragon hands import`, `export` and `diff`: deck files of lists, and lists of decks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from attrs import evolve

from dragon.cli_tools import as_json as json_option
from dragon.cli_tools import interruptible, tell
from dragon.columns import table
from dragon.errors import ConfigError
from dragon.files import STDOUT, write
from dragon_cards.texts import FORMS, text_of
from dragon_hands.cli.options import feasible, refuse_clairvoyant, warn, with_questions, with_size
from dragon_hands.deck import Card, Deck
from dragon_hands.importing import LARGEST, any_deck, imported, is_list
from dragon_hands.odds import odds
from dragon_hands.probability import Probability
from dragon_hands.question import Question
from dragon_hands.question import asked as asked_of
from dragon_hands.reading import asking, parse_deck


def pairs(
    before: str, after: str, conditions: Sequence[str] = (), size: int | None = None
) -> Callable[[Sequence[str]], tuple[Deck, Deck]]:
    """Return the function that reads two decks, each a file, a link or `-`, with more conditions.

    Both have the conditions of both files and those that are given, each once, then the further
    ones. A condition may name a card that only one of them has, and in the words of either list: a
    card of both has the tags of both. size: as for `any_deck`.
    """
    texts = [text_of(given, most=LARGEST) for given in (before, after)]
    first, second = (any_deck(text, name, asks=False, size=size) for text, name in texts)
    every = [asked.text for deck in (first, second) for asked in deck.conditions]
    usual = dict.fromkeys((*every, *conditions))
    cards: dict[str, Card] = {}
    for card in (*first.cards, *second.cards):
        tags = (*cards.get(card.name, card).tags, *card.tags)
        cards[card.name] = evolve(card, tags=tuple(dict.fromkeys(tags)))
    both = Deck(tuple(cards.values()), (), extra=(*first.extra, *second.extra), file="--condition")

    def read(more: Sequence[str] = ()) -> tuple[Deck, Deck]:
        asked = asking(both, [*usual, *more]).conditions
        one, other = (
            evolve(
                deck,
                name=deck.name or deck.file,
                cards=tuple(evolve(card, tags=cards[card.name].tags) for card in deck.cards),
                conditions=asked,
            )
            for deck in (first, second)
        )
        return one, other

    return read


def compared(
    before: Deck, after: Deck, question: Question, other: Question | None = None
) -> dict[str, Any]:
    """Return the difference of two decks that have the same conditions, as `--json` prints it.

    other: the question of the second deck, if it is not that of the first. Raise TooLarge if exact
    odds take too long.
    """
    answer: dict[str, Any] = {
        "sizes": [before.total, after.total],
        **question.documented(),
        "cards": [
            *_changed("main", before.cards, after.cards),
            *_changed("extra", before.extra, after.extra),
        ],
        "conditions": [],
        "any": None,
    }
    if before.conditions:
        first, second = odds(before, question), odds(after, other or question)
        each = zip(first.conditions, second.conditions, strict=True)
        answer["conditions"] = [{"text": text, **_both(one, two)} for (text, one), (_, two) in each]
        answer["any"] = _both(first.any, second.any)
    return answer


def _changed(section: str, before: Sequence[Card], after: Sequence[Card]) -> list[dict[str, Any]]:
    first, second = ({card.name: card.copies for card in cards} for cards in (before, after))
    return [
        {
            "name": name,
            "section": section,
            "before": first.get(name, 0),
            "after": second.get(name, 0),
        }
        for name in dict.fromkeys((*first, *second))
        if first.get(name, 0) != second.get(name, 0)
    ]


def _both(before: Probability, after: Probability) -> dict[str, Any]:
    return {"before": before.plain(), "after": after.plain(), "difference": after.p - before.p}


_cards = click.option(
    "--cards", "table", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
    help="Another table of cards, CSV or JSON: id, name and the words printed on them.",
)  # fmt: skip
_force = click.option("--force", is_flag=True, help="Write over a file that exists.")


@click.command("import")
@click.argument("deck", metavar="DECK")
@_cards
@click.option("--condition", "conditions", multiple=True, metavar="TEXT",
              help="A condition to write into the file; repeatable.")  # fmt: skip
@with_size
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE.yaml",
              help="Write there, and not to stdout (-).")  # fmt: skip
@_force
def import_deck(
    deck: str, table: Path | None, conditions: tuple[str, ...], size: int | None, out: Path | None,
    force: bool,
) -> None:  # fmt: skip
    """Make a deck file of a deck list: a .ydk file, names one a line, or a ydke:// link.

    Tags are the archetype, the type, the attribute and the level of each card, and what players
    call it, such as Hand Trap; known free cards get their effects. The extra deck is kept for
    IN Extra, and the side deck for `dragon hands export`.

    \b
    Examples:
      dragon hands import deck.ydk --condition "Hand Trap"
      dragon hands import names.txt --out deck.yaml
    """
    from dragon_cards.store import read, store

    _check_new(out, force)
    text, name = text_of(deck)
    if not is_list(text):
        raise ConfigError(f"{name} is a deck file, or empty; give a deck list")
    title = Path(deck).stem if name == deck else ""
    cards = store() if table is None else read(table)
    without = imported(text, cards, name, (), title, size)
    read_again = parse_deck(without.text, name, conditions, asks=False, strict=False)
    made = imported(text, cards, name, conditions, title, size)
    for note in made.notes:
        click.echo(f"note: {note}", err=True)
    for warning in read_again.warnings:
        if "counts as zero" in warning:
            click.echo(f"note: {warning.split(': ', 1)[1]}", err=True)
    if not conditions:
        click.echo("note: the file has no condition yet; list some under `conditions:`", err=True)
    write(out or STDOUT, made.text)


def _check_new(out: Path | None, force: bool) -> None:
    if out not in (None, STDOUT) and out.exists() and not force:
        raise ConfigError(f"{out} exists; give another --out, or --force to write over it")


@click.command("export")
@click.argument("deck", metavar="DECK")
@click.option("--to", "form", type=click.Choice(FORMS), default="list",
              show_default=True, help="The form.")  # fmt: skip
@_cards
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="Write there, and not to stdout (-).")  # fmt: skip
@_force
def export_deck(deck: str, form: str, table: Path | None, out: Path | None, force: bool) -> None:
    """Write a deck as a .ydk file, a ydke:// link, or a list of names.

    A .ydk file and a link have passcodes: all cards must be known, and blanks are left out.

    \b
    Examples:
      dragon hands export names.txt --to ydke
      dragon hands export deck.yaml --to ydk --out deck.ydk
    """
    from dragon_cards import decks
    from dragon_cards.store import read, store

    _check_new(out, force)
    found = decks.read_deck(deck, store() if table is None else read(table))
    for note in found.notes_of():
        click.echo(f"note: {note}", err=True)
    write(out or STDOUT, decks.write(found, form))


@click.command("diff")
@click.argument("before", metavar="A")
@click.argument("after", metavar="B")
@with_questions
@json_option
def diff(
    before: str, after: str, conditions: tuple[str, ...], size: int | None, hand: int | None,
    sharing: str, policy: str, start: Mapping[str, Any], as_json: bool,
) -> None:  # fmt: skip
    """Compare two decks: the cards in and out, and the odds of each condition in both.

    A condition of either deck file is asked of both decks, of hands that come about alike.

    \b
    Examples:
      dragon hands diff deck.ydk deck.yaml --condition "Hand Trap"
      dragon hands diff deck.yaml deck.ydk --json
      dragon hands diff deck.yaml deck.ydk --mulligan london --keep "Hand Trap"
    """
    refuse_clairvoyant(policy)
    read = pairs(before, after, conditions, size)
    first, question = asked_of(lambda more: read(more)[0], (), hand, start, sharing, policy)
    second, other = asked_of(lambda more: read(more)[1], (), question.hand, start, sharing, policy)
    warn((*first.warnings, *second.warnings))
    found = feasible(
        question,
        lambda now: interruptible(
            compared, first, second, now, evolve(other, policy=now.policy)
        ),
    )  # fmt: skip
    tell(as_json, found, _lines(found, first, second, question))


def _lines(found: dict[str, Any], before: Deck, after: Deck, question: Question) -> Iterator[str]:
    yield f"{before.name}: {before.total} cards; {after.name}: {after.total} cards"
    if question.plain():
        yield str(question)
    yield ""
    for row in found["cards"]:
        zone = "" if row["section"] == "main" else f" ({row['section']})"
        change = row["after"] - row["before"]
        yield f"{change:+3} {row['name']}{zone}: {row['before']} to {row['after']}"
    yield "" if found["cards"] else "the same cards\n"
    rows = [*found["conditions"], *([{"text": "any", **found["any"]}] if found["any"] else [])]
    if not rows:
        yield "no condition; give --condition"
        return
    cells = [
        (row["text"], f"{row['before']['p']:.2%}", f"{row['after']['p']:.2%}",
         f"{100 * row['difference']:+.2f}")
        for row in rows
    ]  # fmt: skip
    yield from table(("condition", "A", "B", "B - A"), cells)
