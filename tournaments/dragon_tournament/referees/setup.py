"""The beginning and the end of a game: its seats, its first state, and its record."""

from __future__ import annotations

import math
from typing import Any

from dragon.core import State
from dragon_tournament.pairing import Pairing
from dragon_tournament.records.in_flight import InFlightLog
from dragon_tournament.records.record import Record
from dragon_tournament.referees.seat import Seat
from dragon_tournament.tournament import Tournament


def seats_of(tournament: Tournament, pairing: Pairing, notes: InFlightLog) -> list[Seat]:
    """The seats of a game, fresh."""
    return [
        Seat(number, tournament.player(name), tournament, notes)
        for number, name in enumerate(pairing.seats)
    ]


def first_state(tournament: Tournament, pairing: Pairing) -> State[Any]:
    """The state before the opening's moves."""
    game, position = tournament.game, pairing.position
    return game.parse(position) if position else game.start(pairing.deal)


def finite(payoff: tuple[float, ...]) -> tuple[float, ...]:
    """Return payoffs as plain finite floats; raise ValueError otherwise: the game is at fault."""
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
        game=str(tournament.instance_of(pairing).game),
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
