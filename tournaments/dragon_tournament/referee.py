"""Referees: how one game is played and judged. `match` is the one of two or more seats."""

from __future__ import annotations

import math
import traceback
from typing import Any, ClassVar, Protocol

from attrs import frozen

from dragon.core import CHANCE, TERMINAL, Game, State
from dragon.notation import parse_move
from dragon_tournament.journal import NOBODY, Casualty, Journal
from dragon_tournament.record import Reason, Record, award
from dragon_tournament.schedule import LUCK, MOVE, Pairing, generator, roll, seed_of
from dragon_tournament.seat import LONGEST_DETAIL, Forfeit, Seat, warm_up
from dragon_tournament.tournament import Tournament


class Referee(Protocol):
    """What a tournament needs of a referee, a frozen value that can be pickled."""

    name: ClassVar[str]

    def suits(self, game: Game[Any]) -> bool:
        """Whether it can judge this game, by the game's traits."""

    def seats(self, game: Game[Any]) -> int | None:
        """How many players meet in one game; None: any number, each alone."""

    def play(
        self,
        tournament: Tournament,
        pairing: Pairing,
        journal: Journal,
        casualties: tuple[Casualty, ...] = (),
    ) -> Record:
        """Plays one game to its record, whatever the players do.

        `casualties` are players that already brought the process of this game down.
        """


@frozen
class Match:
    """Two or more seats: asks whose turn it is, plays the move, until the rules end the game."""

    name: ClassVar[str] = "match"

    def suits(self, game: Game[Any]) -> bool:
        """Every game with more than one seat."""
        return len(game.teams) > 1

    def seats(self, game: Game[Any]) -> int | None:
        """As many as the game has."""
        return len(game.teams)

    def play(
        self,
        tournament: Tournament,
        pairing: Pairing,
        journal: Journal,
        casualties: tuple[Casualty, ...] = (),
    ) -> Record:
        """Plays one game; the same deal and luck serve every seating of it."""
        seats = seats_of(tournament, pairing, journal)
        moves: list[str] = []
        scores: tuple[float, ...] | None = None
        failed: tuple[int, ...] = ()
        reason, detail = Reason.TERMINAL, ""
        try:
            if casualties:
                moves, reason, detail, failed = _pick_up(casualties[-1], seats)
            else:
                for seat in seats:
                    warm_up(seat, tournament.game)
                scores = _play(tournament, pairing, seats, moves)
                if scores is None:
                    reason, detail = Reason.ADJUDICATED, f"{tournament.plies} plies without an end"
        except Forfeit as lost:
            reason, detail, failed = lost.reason, lost.detail, (lost.seat,)
        except Exception:  # the game's own rules, or the referee: no player is to blame
            reason, detail = Reason.ADJUDICATED, traceback.format_exc()[-LONGEST_DETAIL:]
        for seat in seats:
            seat.leave()
        teams = tournament.game.teams
        if scores is None:
            scores = _forfeit(teams, failed, tournament.game.start(pairing.deal).largest)
        return record_of(
            tournament, pairing, seats,
            teams=teams, moves=moves, scores=scores, points=award(scores, teams),
            reason=reason, failed=failed, detail=detail,
        )  # fmt: skip


def _play(
    tournament: Tournament, pairing: Pairing, seats: list[Seat], moves: list[str]
) -> tuple[float, ...] | None:
    """The payoffs at the end, or None when the game takes too long; `moves` grows meanwhile."""
    state = opened(tournament.game.start(pairing.deal), pairing)
    luck = generator(LUCK, pairing.deal)
    while state.turn != TERMINAL:
        if tournament.plies is not None and len(pairing.opening) + len(moves) >= tournament.plies:
            return None
        if state.turn == CHANCE:
            move = roll(state, luck)
            state = state.after(move)
        else:
            seat = seats[state.turn]
            move = seat.ask(state, seed_of(MOVE, pairing.seed, len(moves), seat.number)).move
            state = seat.step(state, move)
        moves.append(str(move))
        seats[0].journal.played(str(move))
    return finite(state.payoff())


def _pick_up(fallen: Casualty, seats: list[Seat]) -> tuple[list[str], Reason, str, tuple[int, ...]]:
    """A game whose process died: what was played, and who lost it."""
    for seat, nodes, seconds in zip(seats, fallen.nodes, fallen.seconds, strict=False):
        seat.nodes, seat.seconds = nodes, seconds
    if fallen.seat == NOBODY:
        return list(fallen.moves), Reason.ADJUDICATED, fallen.detail[:LONGEST_DETAIL], ()
    detail = f"{seats[fallen.seat].player.name}: {fallen.detail}"[:LONGEST_DETAIL]
    return list(fallen.moves), fallen.reason, detail, (fallen.seat,)


def _forfeit(teams: tuple[int, ...], failed: tuple[int, ...], largest: float) -> tuple[float, ...]:
    """Scores when the rules did not decide: the team of who failed pays the others, or a draw.

    With two teams the payoff belongs to the team: the winners have `largest`, the losers its
    negative. With more, seats sum to zero, and nobody has more than `largest` either way.

    >>> _forfeit((0, 1, 1), (1,), 1.0), _forfeit((0, 1), (), 1.0)
    ((1.0, -1.0, -1.0), (0.0, 0.0))
    >>> _forfeit((0, 1, 2), (1,), 2.0)
    (1.0, -2.0, 1.0)
    """
    guilty = {teams[seat] for seat in failed}
    losers = sum(team in guilty for team in teams)
    others = len(teams) - losers
    if not losers or not others:
        return (0.0,) * len(teams)
    gain = loss = float(largest)
    if len(set(teams)) > 2:
        gain, loss = gain * min(1.0, losers / others), loss * min(1.0, others / losers)
    return tuple(-loss if team in guilty else gain for team in teams)


def seats_of(tournament: Tournament, pairing: Pairing, journal: Journal) -> list[Seat]:
    """The seats of a game, fresh."""
    return [
        Seat(number, tournament.player(name), tournament, journal)
        for number, name in enumerate(pairing.seats)
    ]


def opened(state: State[Any], pairing: Pairing) -> State[Any]:
    """The state after the pairing's opening."""
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
        game=str(tournament.game),
        seats=pairing.seats,
        opening=pairing.opening,
        nodes=tuple(seat.nodes for seat in seats),
        seconds=tuple(round(seat.seconds, 6) for seat in seats),
        seed=pairing.seed,
        deal=pairing.deal,
        **outcome,
    )
