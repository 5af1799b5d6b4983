"""Sitting: who plays one game and from which state, and the record that it leaves."""

from __future__ import annotations

import math
from typing import Any

from dragon.core import State
from dragon.notation import parse_move
from dragon_tournament.formats.openings import first_state
from dragon_tournament.formats.schedule import Pairing
from dragon_tournament.instance import instance_of
from dragon_tournament.records.journal import Journal
from dragon_tournament.records.record import Record
from dragon_tournament.referees.seat import Seat
from dragon_tournament.tournament import Tournament


def seats_of(tournament: Tournament, pairing: Pairing, journal: Journal) -> list[Seat]:
    """The seats of a game, fresh."""
    return [
        Seat(number, tournament.player(name), tournament, journal)
        for number, name in enumerate(pairing.seats)
    ]


def opened(tournament: Tournament, pairing: Pairing) -> State[Any]:
    """The state after the pairing's opening."""
    state = first_state(tournament, pairing.position, pairing.deal)
    for text in pairing.opening:
        state = state.after(parse_move(state, text))
    return state


def finite(payoff: tuple[float, ...]) -> tuple[float, ...]:
    """Payoffs as plain finite floats; raises ValueError otherwise, for it is the game's mistake."""
    numbers = tuple(float(p) for p in payoff)
    if not all(math.isfinite(p) for p in numbers):
        raise ValueError(f"the game pays {numbers}, which is not finite")
    return numbers


def record_of(
    tournament: Tournament, pairing: Pairing, seats: list[Seat], **outcome: Any
) -> Record:
    """The record of a game: what the pairing and the seats say, and its outcome."""
    return Record(
        id=pairing.id,
        game=str(instance_of(tournament, pairing).game),
        seats=pairing.seats,
        opening=pairing.opening,
        position=pairing.position,
        nodes=tuple(seat.nodes for seat in seats),
        seconds=tuple(round(seat.seconds, 6) for seat in seats),
        seed=pairing.seed,
        deal=pairing.deal,
        index=pairing.index,
        **outcome,
    )
