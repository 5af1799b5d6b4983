"""`dragon ulti review`: a played game, with its mistakes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from dragon.cli_tools import as_json, followed, print_json, with_seconds
from dragon_ulti.cards import PLAYERS, digits_of, pretty
from dragon_ulti.cards import card as number_of
from dragon_ulti.cli import report
from dragon_ulti.cli.options import for_people, options, with_bid, with_course
from dragon_ulti.cli.report import worth
from dragon_ulti.contracts import trump_name
from dragon_ulti.language import tr
from dragon_ulti.objects import reviewed
from dragon_ulti.request import asked

if TYPE_CHECKING:
    from dragon_ulti.review import Review, Step

STEPS = 31


@click.command()
@click.argument("game")
@options(*with_bid, with_course, with_seconds, *for_people, as_json)
def review(game: str, course: bool, seconds: float | None, as_json: bool, **bid: Any) -> None:
    """Go through a played game: what each card was worth, and which were mistakes.

    GAME is a deal and the cards played, `HA .../H7 .../LX .../L7 B7, played HA H7 LX ...`,
    or a JSON object with `hands` and `played`, or a file with one of these, or - for stdin.
    Values suppose open cards, and are found from the last card back: a limit in seconds, or
    Ctrl-C, leaves the first cards unknown. A game may go on to its last card: those after the
    decision are shown, and not judged.

    \b
    Examples:
      dragon ulti review "HA HX L8 / HK H8 LU / H9 LA L7, played HX HK H9" --no-prerequisites
      dragon ulti review game.json --contract ulti --trump A
      dragon ulti review - --json < game.txt
    """
    from dragon.core import Limit
    from dragon_ulti.review import reviewing

    made, text = asked(_given(game), **bid)
    found, interrupted = followed(reviewing(made, text, Limit(seconds=seconds)), STEPS, "cards")
    if found:
        seen = found[-1]
        if as_json:
            print_json(reviewed(seen, seen.course if course else None, interrupted))
        else:
            report.say(text_of(seen, course), interrupted)
    if interrupted:
        raise KeyboardInterrupt


def _given(game: str) -> str:
    """Return the text of a game, from a file or stdin if it names one; raise ConfigError."""
    from dragon.config import read_text
    from dragon.errors import ConfigError

    if game == "-" or os.path.isfile(game):
        return " ".join(read_text(game, "a game").split())
    if not game.split()[1:] and not game.startswith("{") and digits_of(game) is None:
        raise ConfigError(
            f"{game!r} is not a game, and no file of this name is there; write the "
            "hands and what was played: HA H7 / HK L8 / LA L7, played HA ..."
        )
    return game


def text_of(seen: Review, course: bool) -> str:
    """Return a review for people: hands, a line for each card, the end, mistakes by seat."""
    from dragon_ulti.history import hands, tricks

    units, tables = bool(seen.need), seen.course
    setting = seen.game.setting
    lines = [report.table(seen.history.start), ""]
    lines += [f"{seen.game.bid.title}, {trump_name(setting.trump)}"]
    lines += [*report.marriages(seen.history.start), ""]
    if course:
        lines += [tricks(tables), "", hands(tables), ""]
    if seen.steps[0].before is not None:
        lines.append(f"{tr('at first'):22}{worth(seen.steps[0].before, units)}")
    takers = {each.round: each.winner for each in tables.rounds}
    lying = len(tables.actions) - len(seen.steps) - len(seen.history.idle)
    after = tr("after the decision, not judged")
    notes = [f"{worth(step.after, units):10}{remark(seen, step)}" for step in seen.steps]
    for i, action in enumerate(tables.actions[lying:]):
        who = f"{action.round:2}  {tr(PLAYERS[action.player])}"
        card = ("> " if action.position == 1 else "  ") + pretty(action.card)
        card += "*" if takers.get(action.round) == action.player else ""
        lines.append(f"{who:14}{card:8}{notes[i] if i < len(notes) else after}".rstrip())
    lines += ["", ending(seen), *counts(seen)]
    return "\n".join([*lines, "", report.work(seen)])


def remark(seen: Review, step: Step) -> str:
    """Return the cost of a mistake, and the cards that would have been right."""
    if not step.lost:
        return "" if step.lost == 0 else tr("not judged")
    cost = tr("mistake")
    if seen.need:
        cost = tr("mistake: it loses {cost}", cost=worth(step.lost, True))
    before, after = seen.makes(step.before), seen.makes(step.after)
    if before != after:
        made, fails = tr("and the contract is made"), tr("and the contract fails")
        cost += f", {made if after else fails}"
    if not step.right:
        return f"{cost}; {tr('which cards are right is unknown')}"
    cards = " ".join(pretty(number_of(card)) for card in step.right)
    return f"{cost}; {tr('right: {cards}', cards=cards)}"


def ending(seen: Review) -> str:
    """Return how the game ended and when that was decided, or its value."""
    if seen.made is None:
        value = seen.steps[-1].after
        verdict = tr(report.SHOWN[seen.makes(value)])
        units = f", {worth(value, True)}" if seen.need and value is not None else ""
        return tr("not over; with best play from here: {verdict}", verdict=verdict + units)
    how = tr("made") if seen.made else tr("failed")
    decision = seen.course.decision
    if decision is None or not decision.round:
        return how
    return tr("decided in round {round}: {how}", round=decision.round, how=how)


def counts(seen: Review) -> list[str]:
    """Return a line for each seat: how many mistakes, and what they cost."""
    lines = []
    for seat, who in enumerate(PLAYERS):
        own = [step.lost for step in seen.steps if step.seat == seat]
        lost = sum(filter(None, own))
        many = seen.mistakes[seat]
        notes = [tr("1 mistake") if many == 1 else tr("{n} mistakes", n=many)]
        if lost and seen.need:
            notes.append(tr("{cost} lost", cost=worth(lost, True)))
        if None in own:
            notes.append(tr("{n} cards not judged", n=own.count(None)))
        lines.append(f"{tr(who):10}{', '.join(notes)}")
    return lines
