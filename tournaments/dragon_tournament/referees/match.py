"""Match: a game of two or more seats, played move by move."""

from __future__ import annotations

import traceback
from typing import Any, ClassVar

from attrs import frozen

from dragon.core import CHANCE, TERMINAL, Game
from dragon.errors import TournamentError
from dragon.rules.notation import parse_move
from dragon.rules.playout import roll
from dragon_tournament.pairing import Pairing
from dragon_tournament.records.in_flight import NOBODY, InFlightLog, ProcessDeath
from dragon_tournament.records.record import TOO_LONG, Reason, Record, award
from dragon_tournament.referees.adjudicator import Adjudicator, Ending, forfeited
from dragon_tournament.referees.guard import LONGEST_DETAIL, Forfeit
from dragon_tournament.referees.seat import Seat, warm_up
from dragon_tournament.referees.setup import finite, first_state, record_of, seats_of
from dragon_tournament.seeding import LUCK, MOVE, generator, seed_of
from dragon_tournament.tournament import Tournament


@frozen
class Match:
    """Two or more seats: asks whose turn it is, plays the move, until the rules end the game."""

    name: ClassVar[str] = "match"

    def suits(self, game: Game[Any]) -> bool:
        """Every game with more than one seat."""
        return len(game.teams) > 1

    def seats(self, game: Game[Any]) -> int | None:
        """The number of seats of the game."""
        return len(game.teams)

    def play(
        self,
        tournament: Tournament,
        pairing: Pairing,
        notes: InFlightLog,
        deaths: tuple[ProcessDeath, ...] = (),
    ) -> Record:
        """Plays one game; the same deal and luck serve every seating of it."""
        seats = seats_of(tournament, pairing, notes)
        teams = tournament.game.teams
        moves: list[str] = []
        try:
            if deaths:
                end = _pick_up(deaths[-1], seats, moves)
            else:
                for seat in seats:
                    warm_up(seat, tournament.game)
                    seat.prepare(tournament.game)
                end = _play(tournament, pairing, seats, moves)
        except Forfeit as lost:
            end = Ending(lost.reason, failed=(lost.seat,), detail=lost.detail)
        except TournamentError:  # no match can be judged: the run must end
            raise
        except Exception:  # the game's own rules, or the referee: no player is to blame
            end = Ending(Reason.ADJUDICATED, detail=traceback.format_exc()[-LONGEST_DETAIL:])
        for seat in seats:
            seat.leave()
        scores = end.scores
        if scores is None:
            losers = end.failed or end.losers
            scores = forfeited(teams, losers, tournament.game.start(pairing.deal).largest)
        return record_of(
            tournament, pairing, seats,
            teams=teams, moves=moves, scores=scores, points=award(scores, teams),
            reason=end.reason, failed=end.failed, detail=end.detail,
        )  # fmt: skip


def _play(tournament: Tournament, pairing: Pairing, seats: list[Seat], moves: list[str]) -> Ending:
    """Asks and moves until the match ends; `moves` grows meanwhile."""
    state = first = first_state(tournament, pairing)
    for text in pairing.opening:
        state = state.after(parse_move(state, text))
    luck = generator(LUCK, pairing.deal)
    adjudicator = Adjudicator(tournament, seats)
    while state.turn != TERMINAL:
        plies = len(pairing.opening) + len(moves)
        if tournament.plies is not None and plies >= tournament.plies:
            return Ending(Reason.ADJUDICATED, detail=f"{tournament.plies} {TOO_LONG}")
        end = None
        if state.turn == CHANCE:
            move = roll(state, luck)
            text, after = str(move), state.after(move)
        else:
            seat = seats[state.turn]
            position = seat.position(state, first, (*pairing.opening, *moves))
            result = seat.ask(position, seed_of(MOVE, pairing.seed, len(moves), seat.number))
            if isinstance(result.extra, dict) and result.extra.get("resigns"):
                detail = f"{seat.player.name} gives the game up"
                return Ending(Reason.RESIGNED, losers=(seat.number,), detail=detail)
            text, after = seat.step(state, result.move)
            end = adjudicator.judge(state, result, plies + 1)
        state = after
        moves.append(text)
        seats[0].notes.played(text)
        if end is not None and state.turn != TERMINAL:
            return end
    return Ending(Reason.TERMINAL, finite(state.payoff()))


def _pick_up(death: ProcessDeath, seats: list[Seat], moves: list[str]) -> Ending:
    """A game whose process died: what was played, and who lost it."""
    moves += death.moves
    for seat, nodes, seconds in zip(seats, death.nodes, death.seconds, strict=False):
        seat.nodes, seat.seconds = nodes, seconds
    if death.seat == NOBODY:
        return Ending(Reason.ADJUDICATED, detail=death.detail[:LONGEST_DETAIL])
    detail = f"{seats[death.seat].player.name}: {death.detail}"[:LONGEST_DETAIL]
    return Ending(death.reason, failed=(death.seat,), detail=detail)
