"""`dragon cards`: the public card data fetched, found and shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from dragon.cli_tools import Group, Seconds, interruptible, progress_bar, tell
from dragon.cli_tools import as_json as with_json
from dragon.columns import table
from dragon.errors import FAILED, ConfigError

if TYPE_CHECKING:
    from dragon_cards.card import Card, Store

SILENCE, SECONDS = 20.0, 900.0
"""The constants of `download`, which is slow to import."""


@click.group(name="cards", cls=Group)
def cards() -> None:
    """Fetch all cards of Yu-Gi-Oh!, and look them up.

    Small World and opening hands know the cards that were fetched; before that a starter pool
    of a few hundred.

    \b
    Examples:
      dragon cards update
      dragon cards find nibiru
      dragon cards show "Ash Blossom"
    """


@cards.command()
@click.option("--url", metavar="URL", help="Where they are, if not at the public API.")
@click.option(
    "--silence", type=Seconds(), default=SILENCE, show_default=True, metavar="S",
    help="Give up after S seconds without a byte.",
)  # fmt: skip
@click.option(
    "--seconds", type=Seconds(), default=SECONDS, show_default=True, metavar="S",
    help="Give up after S seconds in all.",
)  # fmt: skip
@with_json
def update(url: str | None, silence: float, seconds: float, as_json: bool) -> None:
    """Fetch all cards, about 20 MB, from the public API of ygoprodeck.com.

    They are kept in the user's data folder, as a table. The old one stays in use until the new
    one is there and is card data. DRAGON_CARDS names another address, such as a mirror.

    \b
    Examples:
      dragon cards update
      dragon cards update --url http://localhost:8000/cardinfo.json
    """
    from dragon_cards.card import of_store
    from dragon_cards.download import DownloadFailed
    from dragon_cards.download import update as fetch
    from dragon_cards.store import fetched_file

    try:
        with progress_bar(unit="B", unit_scale=True, delay=0) as bar:

            def watch(got: int, total: int | None) -> None:
                bar.total = total
                bar.update(got - bar.n)

            store = interruptible(fetch, url, watch, silence, seconds)
    except DownloadFailed as error:  # not a mistake in the input
        click.echo(f"dragon: {error}", err=True)
        raise click.exceptions.Exit(FAILED) from error
    listed = {"file": fetched_file(), **of_store(store)}
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in listed["kinds"].items() if count)
    tell(as_json, listed, f"{listed['cards']:,} cards ({kinds}): {listed['file']}")


@cards.command()
@click.argument("text", required=False, default="")
@click.option("--kind", metavar="KIND", help="monster, extra, spell, trap or other.")
@click.option("--archetype", metavar="NAME", help="Only those of this archetype.")
@click.option("--role", metavar="NAME", help="Only those with this role, such as Hand Trap.")
@click.option(
    "--top", type=click.IntRange(min=1), default=20, show_default=True, metavar="N",
    help="The first N.",
)  # fmt: skip
@with_json
def find(
    text: str, kind: str | None, archetype: str | None, role: str | None, top: int, as_json: bool
) -> None:
    """List cards with TEXT in their names, those that begin so first.

    \b
    Examples:
      dragon cards find mathmech
      dragon cards find --role "Hand Trap" --top 5
      dragon cards find dragon --kind spell --json
    """
    from dragon_cards.card import KINDS, of_card
    from dragon_cards.store import store

    if kind is not None and kind not in KINDS:
        raise ConfigError(f"no kind {kind!r:.40} of card; write {', '.join(KINDS)}")
    known = store()
    if archetype is not None:
        archetype = _meant(archetype, {card.archetype for card in known.cards}, "archetype", known)
    if role is not None:
        role = _meant(role, {role for card in known.cards for role in card.roles}, "role", known)
    found = [
        card
        for card in map(known.cards.__getitem__, known.names.having(text))
        if kind in (None, card.kind)
        and (archetype is None or archetype == card.archetype)
        and (role is None or role in card.roles)
    ]
    listed = {"count": len(found), "cards": [of_card(card) for card in found[:top]]}
    rows = [(str(c.id), c.name, _line(c)) for c in found[:top]]
    lines = table(("passcode", "name", "printed"), rows, (1, 2)) if rows else []
    tell(as_json, listed, lines)
    if not as_json:
        click.echo(f"{len(found):,} of {known}" if found else f"none of {known}", err=True)


def _meant(text: str, words: set[str], what: str, known: Store) -> str:
    """Return the archetype or role of a name, as people write it; raise ConfigError."""
    from dragon_cards.names import EXACT, Names

    match = Names(sorted(words - {""})).match(text)
    if match.place is None:
        raise ConfigError(f"{match.complaint(what)} (cards: {known})")
    if match.how != EXACT:
        click.echo(f"note: {text!r:.60} is read as {match.names[0]!r}", err=True)
    return match.names[0]


@cards.command()
@click.argument("name")
@with_json
def show(name: str, as_json: bool) -> None:
    """Show what is known of a card; NAME is a part of its name, or its passcode.

    \b
    Examples:
      dragon cards show "Ash Blossom"
      dragon cards show 14558128 --json
    """
    from dragon_cards.card import of_card
    from dragon_cards.store import store

    card = store().find(name)
    row = of_card(card)
    known = {word: value for word, value in row.items() if word != "name" and value}
    tell(as_json, row, [card.name, *(f"  {w:10} {_shown(v)}" for w, v in known.items())])


def _line(card: Card) -> str:
    words = [card.attribute, card.type, f"level {card.level}" * bool(card.level), card.kind]
    return " ".join(filter(None, words))


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{word} {count}" for word, count in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
