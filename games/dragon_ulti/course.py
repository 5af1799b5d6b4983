"""The state of play: who played what in which round, who took the rounds, when a card went.

These are the three tables by which the original program keeps a game: its actions (round,
position in the round, player, card), the results of the rounds, and each hand with the
round in which a card was played. Rounds are counted from 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from attrs import frozen

from dragon_ulti.cards import pretty
from dragon_ulti.deal import SEATS
from dragon_ulti.record import table_of

if TYPE_CHECKING:
    from dragon import RecordState
    from dragon_ulti import Ulti


@frozen
class Action:
    """A card that was played."""

    round: int
    position: int
    player: int
    card: int


@frozen
class Round:
    """A trick that is complete: its taker and the units in it."""

    round: int
    winner: int
    units: int


@frozen
class Course:
    """What has come of a position and the cards played from it."""

    order: str
    actions: tuple[Action, ...]
    rounds: tuple[Round, ...]
    hands: tuple[tuple[tuple[int, int | None], ...], ...]
    """For each seat its cards and the round in which each was played, None while it is held."""


def course(state: RecordState, line: Iterable[str]) -> Course:
    """The tables of a line that is played from `state`, which has no card on the table."""
    game: Ulti = state.game  # type: ignore[assignment]
    setting = game.setting
    start = table_of(state.record, setting)
    actions: list[Action] = []
    rounds: list[Round] = []
    for move in line:
        before = table_of(state.record, setting)
        place = state.code(move)
        number = next(
            each for each in before.deal.hands[state.turn] if setting.place(each) == place
        )
        actions.append(Action(len(rounds) + 1, len(before.trick) + 1, state.turn, number))
        trick = (*before.trick, number)
        state = state.after(move)
        if len(trick) == 3:
            winner = (before.lead + setting.taker(trick)) % 3
            last = not any(state.record.hands)
            units = sum(each & 7 in (3, 7) for each in trick) + last
            rounds.append(Round(len(rounds) + 1, winner, units))
    played = {action.card: action.round for action in actions}
    hands = tuple(tuple((each, played.get(each)) for each in hand) for hand in start.deal.hands)
    return Course(setting.order, tuple(actions), tuple(rounds), hands)


def as_json(found: Course) -> dict[str, Any]:
    """The three tables as an object."""
    from dragon_ulti.cards import name

    return {
        "actions": [
            {"round": a.round, "position": a.position, "player": a.player, "card": name(a.card)}
            for a in found.actions
        ],
        "rounds": [{"round": r.round, "winner": r.winner, "units": r.units} for r in found.rounds],
        "hands": [
            [{"card": name(card), "round": played} for card, played in hand] for hand in found.hands
        ],
    }


def text(found: Course) -> str:
    """The three tables for people."""
    lines = []
    for r in range(1, max((a.round for a in found.actions), default=0) + 1):
        cards = "   ".join(f"{a.player}: {pretty(a.card)}" for a in found.actions if a.round == r)
        done = next((x for x in found.rounds if x.round == r), None)
        units = {0: "", 1: ", 1 unit"}.get(done.units, f", {done.units} units") if done else ""
        lines.append(f"{r:2}  {cards}" + (f"   taken by {done.winner}{units}" if done else ""))
    for who, hand in zip(SEATS, found.hands, strict=True):
        cards = "  ".join(f"{pretty(card)} {played or '-'}" for card, played in hand)
        lines.append(f"{who}:  {cards}")
    return "\n".join(lines)
