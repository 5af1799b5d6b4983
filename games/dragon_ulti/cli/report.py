"""The output of Ulti's commands for people: cards around a table, answers, the signs of suits."""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING

import click

from dragon.columns import filled
from dragon_ulti.cards import (
    GERMAN,
    PLAYERS,
    RANKS,
    SUITS,
    SYMBOLS,
    Hand,
    by_suit,
    card,
    pretty,
)
from dragon_ulti.cli.options import DRAWN
from dragon_ulti.contracts import CONTRACTS, announcement, trump_name
from dragon_ulti.language import tr

if TYPE_CHECKING:
    from dragon import RecordState
    from dragon_ulti.answers import Answer
    from dragon_ulti.game import Ulti
    from dragon_ulti.history import History
    from dragon_ulti.review import Review

COLUMN = 22
SHOWN = {True: "made", False: "fails", None: "unknown"}
BROKEN_OFF = "interrupted: this is what is known so far"
ABLE = ("TERM_PROGRAM", "WT_SESSION", "VTE_VERSION", "KONSOLE_VERSION", "KITTY_WINDOW_ID")
"""Variables of terminals that take signs from another font where their own has none."""
COLOURS = dict(zip(SYMBOLS, ("red", "green", "yellow", "bright_yellow"), strict=True))
"""Hearts are red, leaves green, acorns brown, which terminals call yellow, and bells golden."""
CARDS = re.compile(rf"([{SYMBOLS}])((?: ?[{RANKS}](?!\w))*)")
"""A suit and the ranks that follow it, each with a space before it or without."""


def say(text: str, interrupted: bool = False) -> None:
    """Print the lines, with German suits if wanted; say it if they are not complete.

    In colours if it is to a terminal and NO_COLOR is not set.
    """
    text += f"\n\n{tr(BROKEN_OFF)}" * interrupted
    shown = text if os.environ.get("NO_COLOR") else painted(text)
    click.echo(with_german(shown) if german() else shown)


def table(state: RecordState) -> str:
    """Return the hands around a table, the declarer's in front, and the trick between."""
    from dragon_ulti.record import table_of

    game: Ulti = state.game  # type: ignore[assignment]
    order, lying = game.setting.order, table_of(state.record, game.setting)
    seats = [suits(hand, order) for hand in lying.deal.hands]
    players = list(map(tr, PLAYERS))
    trick = [
        f"{pretty(each)} {players[(lying.lead + i) % 3]}" for i, each in enumerate(lying.trick)
    ]
    upper = zip(
        [players[1], *seats[1]],
        ["", *([tr("on the table"), *trick] if trick else []), "", "", "", ""][:5],
        [players[2], *seats[2]],
        strict=True,
    )
    talon = [tr("talon"), " ".join(map(pretty, lying.deal.talon))] if lying.deal.talon else []
    lower = zip([""] * 5, [players[0], *seats[0]], [*talon, "", "", "", "", ""][:5], strict=True)
    lines = ("".join(f"{cell:{COLUMN}}" for cell in row).rstrip() for row in (*upper, *lower))
    return "\n".join(lines)


def suits(hand: Hand, order: str) -> list[str]:
    """Return a hand as four lines, one for each suit, the strongest card first."""
    return [
        " ".join([symbol, *(RANKS[each & 7] for each in cards)])
        for symbol, cards in zip(SYMBOLS, by_suit(hand, order), strict=True)
    ]


def grid(found: list[Answer], interrupted: bool) -> str:
    """Return the table of verdicts: contracts by trumps; ? where the work was broken off before."""
    known = {(each.game.contract, each.game.trump): word(each) for each in found}
    head = "".join(f"{letter} {y}      " for letter, y in zip(SUITS, SYMBOLS, strict=True))
    lines = [table(found[0].state), "", f"{'':22}{head}{tr('no trump')}"]
    for name, contract in CONTRACTS.items():
        trumps = SUITS if contract.trump else ""
        row = "".join(f"{known.get((name, letter), '?'):9}" for letter in trumps)
        bare = "" if contract.trump else " " * 36 + known.get((name, None), "?")
        lines.append(f"{tr(contract.title):22}{row}{bare}".rstrip())
    legend = [f"-  {tr('a prerequisite is unmet')}"]
    if any(each.game.marriages for each in found):
        legend.append(tr("marriages count in parties (without: --no-marriages)"))
    if tr(SHOWN[None]) in known.values():
        legend.append(f"{tr(SHOWN[None])}  {tr('the limit came first')}")
    return "\n".join([*lines, "", *legend, *[f"?  {tr('not reached: interrupted')}"] * interrupted])


def word(answer: Answer) -> str:
    """Return a verdict in a word; `-` where the contract may not be played."""
    return "-" if answer.reason else tr(SHOWN[answer.made])


def worth(value: int | None, units: bool) -> str:
    """Return the result of a card in words."""
    if value is None:
        return tr("unknown")
    if not units:
        return tr("made") if value else tr("fails")
    return tr("1 unit") if value == 1 else tr("{n} units", n=value)


def row(answer: Answer, trump: bool = False) -> str:
    """Return a line: contract, and trump if asked for, verdict, units or what is lacking, which may
    take more lines."""
    more = f"  {answer.reason}" if answer.reason else ""
    if answer.units is not None:
        need = answer.game.bid.need
        more = "  " + tr("{n} of {need} units", n=answer.units, need=need)
    if answer.game.marriages:
        more += "  " + tr("with marriages")
    verdict = tr("lost") if answer.reason else tr(SHOWN[answer.made])
    title = answer.game.bid.title
    if trump and answer.game.bid.trump:
        title += f", {trump_name(answer.game.setting.trump)}"
    wide = max(22, len(title) + 2)
    return "\n".join(filled([f"{title:{wide}}{verdict:8}{more}".rstrip()], wide + 10))


def answer(known: Answer, found: History | None) -> str:
    """Return all of an answer; `found` is the history of the game, if it is asked for."""
    from dragon_ulti.history import hands, history, tricks

    lines = [table(known.state), "", row(known, trump=True), *marriages(known.state)]
    if known.cards:
        lines += ["", *card_lines(known)]
    best = history(known.searched, known.line)
    if known.line:
        made = tr("best play, with > who leads and * who takes the trick")
        lost = tr("the refutation, with > who leads and * who takes the trick")
        lines += ["", made if known.made else lost, tricks(best)]
    if found is not None and found.actions != best.actions:
        lines += ["", tr("all of play"), tricks(found)]
    if found is not None:
        lines += ["", hands(found)]
    lines += ["", work(known)]
    return "\n".join(lines)


def marriages(state: RecordState) -> list[str]:
    """Return a line with the marriages of each player, where they count and all hands are full."""
    from dragon_ulti.record import table_of

    game: Ulti = state.game  # type: ignore[assignment]
    dealt = table_of(state.record, game.setting).dealt
    if not (game.marriages and dealt.full):
        return []
    said = zip(
        PLAYERS, (announcement(hand, game.setting.trump) for hand in dealt.hands), strict=True
    )
    return [tr("marriages: {held}", held=", ".join(f"{tr(who)} {tr(held)}" for who, held in said))]


def work(known: Answer | Review) -> str:
    """Return the work that it took."""
    return tr(
        "{nodes} nodes in {seconds} s", nodes=f"{known.nodes:,}", seconds=f"{known.seconds:.3f}"
    )


def card_lines(answer: Answer) -> list[str]:
    """Return the cards that may be played, those that lead to the same together, the best first."""
    units = answer.game.counted
    known = sorted({v for _, v in answer.cards if v is not None}, reverse=not answer.searched.turn)
    whole = all(value is not None for _, value in answer.cards)
    lines = []
    for i, value in enumerate([*known, *([] if whole else [None])]):
        alike = "  ".join(pretty(card(name)) for name, worth in answer.cards if worth == value)
        best = f"  {tr('best')}" if whole and not i and len(known) > 1 else ""
        lines.append(f"  {worth(value, units):8}  {alike}{best}")
    return lines


# ---- suits ---------------------------------------------------------------------------------------


def painted(text: str) -> str:
    """Return a text with its cards in the colours of their suits, for a terminal."""
    return CARDS.sub(lambda found: click.style(found[0], fg=COLOURS[found[1]], bold=True), text)


def german() -> bool:
    """Return True if suits are to have German signs."""
    if DRAWN.get() != "auto":
        return DRAWN.get() == "german"
    plain = sys.stdout is None or not sys.stdout.isatty()
    return not plain and sys.stdout.encoding.lower() == "utf-8" and any(map(os.environ.get, ABLE))


def with_german(text: str) -> str:
    """Return a text with German signs for French ones; gaps shrink, since the signs are wider.

    >>> with_german("♠A   1")
    '🍃A  1'
    """
    return "\n".join(map(_line, text.split("\n")))


def _line(line: str) -> str:
    wider, found = 0, ""
    for part in re.findall(r"  +|[^ ]| ", line):
        if len(part) > 2:
            kept = max(2, len(part) - wider)
            wider -= len(part) - kept
            part = part[:kept]
        sign = GERMAN[SYMBOLS.index(part)] if part in SYMBOLS else part
        wider += sign != part
        found += sign
    return found
