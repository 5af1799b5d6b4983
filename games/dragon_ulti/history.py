"""The state of play: the cards of each round, its taker, and the round of each card.

These are the three tables by which the original program keeps a game: its actions (round,
position in the round, player, card), the results of the rounds, and each hand with the
round in which a card was played. Rounds are counted from 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from attrs import asdict, evolve, frozen

from dragon.core import TERMINAL
from dragon.errors import IllegalMove
from dragon_ulti.cards import ACE, PLAYERS, SEVEN, TEN, name, pretty
from dragon_ulti.cards import card as number_of
from dragon_ulti.language import bad_notation, tr
from dragon_ulti.notation import UltiNotation
from dragon_ulti.record import state_of, table_of
from dragon_ulti.rules import OPEN, UNMET

if TYPE_CHECKING:
    from dragon import RecordState
    from dragon_ulti.game import Ulti


@frozen
class Action:
    """A card that was played."""

    round: int
    position: int
    player: int
    card: int


@frozen
class Round:
    """A trick that is complete: its taker, and what it has won."""

    round: int
    winner: int
    units: int
    trump_seven: bool
    """True if the seven of trump lay in it."""
    aces: int
    tens: int


@frozen
class Decision:
    """The round after which it was known whether the contract is made; 0 from the start."""

    round: int
    made: bool


@frozen
class History:
    """The history of a position: the cards played from it, and their result."""

    order: str
    actions: tuple[Action, ...]
    rounds: tuple[Round, ...]
    hands: tuple[tuple[tuple[int, int | None], ...], ...]
    """For each seat its cards and the round in which each was played, None while it is held."""
    decision: Decision | None = None
    """None: not decided yet."""
    seat: int = TERMINAL
    """The seat to play, also after the decision; TERMINAL when all cards are gone."""
    moves: tuple[str, ...] = ()
    """The cards that the seat may play."""


@frozen
class PlayedGame:
    """The beginning of a game, the cards played from there, and those named after its end."""

    start: RecordState
    played: tuple[str, ...]
    idle: tuple[str, ...] = ()

    @property
    def end(self) -> RecordState:
        """The position after the cards played, or where it was decided."""
        state = self.start
        for card in self.played:
            state = state.after(card)
        return state


def played_game(game: Ulti, text: str) -> PlayedGame:
    """Read how a position came about from its text; raise BadNotation for what cannot be."""
    reading = UltiNotation(game.setting).read(text)
    start = state_of(game, game.setting, reading.table)
    if start.record.status == UNMET and (reading.table.trick or reading.played):
        game.parse(text)  # which says why it cannot be
    cards, state, going, after = tuple(map(name, reading.played)), start, _played_on(start), 0
    for i, card in enumerate(cards):
        if going.turn == TERMINAL:
            raise bad_notation(
                "{text!r}: no card is left to play before {card}, card {n}",
                text=text, card=card, n=i + 1,
            )  # fmt: skip
        try:
            going = going.after(card)
            if state.turn != TERMINAL:
                state, after = state.after(card), i + 1
        except IllegalMove as illegal:
            raise bad_notation("card {n} of those played: {why}", n=i + 1, why=illegal) from illegal
    return PlayedGame(start, cards[:after], cards[after:])


def _played_on(state: RecordState) -> RecordState:
    """Return the position in a game that ends with the last card, even if decided before."""
    game: Ulti = state.game  # type: ignore[assignment]
    setting = evolve(game.setting, points=True, prerequisites=False, marriages=False)
    table = table_of(state.record, game.setting)
    return state_of(game, setting, evolve(table, status=OPEN, need=None, pending=(0, 0)))


def history(state: RecordState, line: Iterable[str]) -> History:
    """Return the tables of a line that is played from `state`, to the last card if it is so long.

    What is on the table of `state`, if anything, comes first.
    """
    game: Ulti = state.game  # type: ignore[assignment]
    setting = game.setting
    start = table_of(state.record, setting)
    actions = [
        Action(1, i + 1, (start.lead + i) % 3, number) for i, number in enumerate(start.trick)
    ]
    rounds: list[Round] = []
    deciding = evolve(game, objective="make")
    judged = state_of(deciding, deciding.setting, start)
    going, decision = _played_on(state), _decision(judged, 0)
    for move in line:
        before, seat = table_of(going.record, setting), going.turn
        number = number_of(move)
        actions.append(Action(len(rounds) + 1, len(before.trick) + 1, seat, number))
        trick = (*before.trick, number)
        going = going.after(move)
        if len(trick) == 3:
            winner = (before.lead + setting.taker(trick)) % 3
            aces, tens = (sum(each & 7 == rank for each in trick) for rank in (ACE, TEN))
            last = going.turn == TERMINAL
            seven = 8 * setting.trump + SEVEN in trick
            rounds.append(Round(len(rounds) + 1, winner, aces + tens + last, seven, aces, tens))
        if decision is None:
            judged = judged.after(move)
            decision = _decision(judged, actions[-1].round)
    played = {action.card: action.round for action in actions}
    hands = tuple(tuple((each, played.get(each)) for each in hand) for hand in start.dealt.hands)
    moves = tuple(going.moves()) if going.turn != TERMINAL else ()
    return History(setting.order, tuple(actions), tuple(rounds), hands, decision, going.turn, moves)


def _decision(state: RecordState, number: int) -> Decision | None:
    return None if state.turn != TERMINAL else Decision(number, state.payoff()[0] > 0)


def as_json(found: History) -> dict[str, Any]:
    """Return the three tables as an object, and when the game was decided."""
    return {
        "actions": [asdict(action) | {"card": name(action.card)} for action in found.actions],
        "rounds": [asdict(each) for each in found.rounds],
        "hands": [
            [{"card": name(card), "round": played} for card, played in hand] for hand in found.hands
        ],
        "decision": None if found.decision is None else asdict(found.decision),
        "next": None if found.seat == TERMINAL else {"player": found.seat, "cards": found.moves},
    }


def tricks(found: History) -> str:
    """Return the first two tables for people: a line a round, `>` leads, `*` takes."""
    seats = "".join(f"{tr(who):11}" for who in PLAYERS)
    won = (tr("units"), tr("aces"), tr("tens"), tr("trump 7"))
    lines = [f"{tr('round'):5}    {seats}{tr('taken by'):10}{'  '.join(won)}"]
    for r in range(1, max((a.round for a in found.actions), default=0) + 1):
        here = {a.player: a for a in found.actions if a.round == r}
        done = next((x for x in found.rounds if x.round == r), None)
        cells = []
        for seat in range(3):
            card = pretty(here[seat].card) if seat in here else ""
            led = ">" if seat in here and here[seat].position == 1 else " "
            took = "*" if done is not None and done.winner == seat else ""
            cells.append(f"{led} {card + took:9}")
        lines.append(f"{r:5}  {''.join(cells)}  {_taken(done, won)}".rstrip())
    if (decision := found.decision) and decision.round:
        how = tr("made") if decision.made else tr("fails")
        lines.append(tr("decided in round {round}: {how}", round=decision.round, how=how))
    return "\n".join(lines)


def _taken(done: Round | None, won: tuple[str, ...]) -> str:
    if done is None:
        return ""
    counts = (done.units, done.aces, done.tens, int(done.trump_seven))
    cells = (f"{n or '-':>{len(word)}}" for n, word in zip(counts, won, strict=True))
    return f"{tr(PLAYERS[done.winner]):10}{'  '.join(cells)}"


def hands(found: History) -> str:
    """Return the third table for people: each card with the round of its play, or `-`."""
    lines = [tr("the hands, with the round of each card")]
    for who, hand in zip(PLAYERS, found.hands, strict=True):
        cards = "  ".join(f"{pretty(card)} {played or '-'}" for card, played in hand)
        lines.append(f"  {tr(who):9} {cards}")
    return "\n".join(lines)
