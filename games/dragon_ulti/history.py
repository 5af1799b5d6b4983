"""The state of play: who played what in which round, who took the rounds, when a card went.

These are the three tables by which the original program keeps a game: its actions (round,
position in the round, player, card), the results of the rounds, and each hand with the
round in which a card was played. Rounds are counted from 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from attrs import asdict, frozen

from dragon.core import TERMINAL
from dragon.errors import BadNotation, IllegalMove
from dragon_ulti.cards import RANKS, name, pretty
from dragon_ulti.deal import PLAYERS
from dragon_ulti.notation import UltiNotation
from dragon_ulti.record import state_of, table_of
from dragon_ulti.rules import UNMET

if TYPE_CHECKING:
    from dragon import RecordState
    from dragon_ulti.game import Ulti

VALUABLE = {RANKS.index("X"), RANKS.index("A")}


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
class History:
    """What has come of a position and the cards played from it."""

    order: str
    actions: tuple[Action, ...]
    rounds: tuple[Round, ...]
    hands: tuple[tuple[tuple[int, int | None], ...], ...]
    """For each seat its cards and the round in which each was played, None while it is held."""


@frozen
class PlayedGame:
    """Where a game began, the cards played from there, and those named after it was over."""

    start: RecordState
    played: tuple[str, ...]
    idle: tuple[str, ...] = ()


def played_game(game: Ulti, text: str) -> PlayedGame:
    """What a position's text says of how it came about; raises BadNotation for what cannot be."""
    reading = UltiNotation(game.setting).read(text)
    state = start = state_of(game, game.setting, reading.table)
    if start.record.status == UNMET and (reading.table.trick or reading.played):
        game.parse(text)  # which says why it cannot be
    cards = tuple(map(name, reading.played))
    for i, card in enumerate(cards):
        if state.turn == TERMINAL:
            return PlayedGame(start, cards[:i], cards[i:])
        try:
            state = state.after(card)
        except IllegalMove as illegal:
            raise BadNotation(f"card {i + 1} of those played: {illegal}") from illegal
    return PlayedGame(start, cards)


def history(state: RecordState, line: Iterable[str]) -> History:
    """The tables of a line that is played from `state`; with what is on its table, if anything."""
    game: Ulti = state.game  # type: ignore[assignment]
    setting = game.setting
    start = table_of(state.record, setting)
    actions = [
        Action(1, i + 1, (start.lead + i) % 3, number) for i, number in enumerate(start.trick)
    ]
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
            units = sum(each & 7 in VALUABLE for each in trick) + last
            rounds.append(Round(len(rounds) + 1, winner, units))
    played = {action.card: action.round for action in actions}
    hands = tuple(tuple((each, played.get(each)) for each in hand) for hand in start.dealt.hands)
    return History(setting.order, tuple(actions), tuple(rounds), hands)


def as_json(found: History) -> dict[str, Any]:
    """The three tables as an object."""
    return {
        "actions": [asdict(action) | {"card": name(action.card)} for action in found.actions],
        "rounds": [asdict(each) for each in found.rounds],
        "hands": [
            [{"card": name(card), "round": played} for card, played in hand] for hand in found.hands
        ],
    }


def tricks(found: History) -> str:
    """The first two tables for people: a line a round, `>` who led, `*` the card that took it."""
    lines = [f"round  {'':2}" + "".join(f"{who:12}" for who in PLAYERS) + "taken by"]
    for r in range(1, max((a.round for a in found.actions), default=0) + 1):
        here = {a.player: a for a in found.actions if a.round == r}
        done = next((x for x in found.rounds if x.round == r), None)
        cells = []
        for seat in range(3):
            card = pretty(here[seat].card) if seat in here else ""
            led = ">" if seat in here and here[seat].position == 1 else " "
            took = "*" if done is not None and done.winner == seat else ""
            cells.append(f"{led} {card + took:10}")
        lines.append(f"{r:5}  {''.join(cells)}  {_taken(done)}".rstrip())
    return "\n".join(lines)


def _taken(done: Round | None) -> str:
    if done is None:
        return ""
    units = {0: "", 1: ", 1 unit"}.get(done.units, f", {done.units} units")
    return f"{PLAYERS[done.winner]}{units}"


def hands(found: History) -> str:
    """The third table for people: each card with the round in which it was played, or `-`."""
    lines = ["the hands, with the round of each card"]
    for who, hand in zip(PLAYERS, found.hands, strict=True):
        cards = "  ".join(f"{pretty(card)} {played or '-'}" for card, played in hand)
        lines.append(f"  {who:9} {cards}")
    return "\n".join(lines)
