"""Referees: how one game is played and judged. `match` is the one of two or more seats."""

from __future__ import annotations

import math
import traceback
from typing import Any, ClassVar, Protocol

from attrs import Factory, define, frozen

from dragon.core import CHANCE, TERMINAL, Bound, Game, Limit, Result, Search, State
from dragon.errors import TournamentError
from dragon.notation import parse_move
from dragon_tournament.adjudication import (
    Claim,
    claim_of,
    drawn,
    possible,
    resigned,
    scores_of,
)
from dragon_tournament.instance import instance_of
from dragon_tournament.journal import NOBODY, Casualty, Journal
from dragon_tournament.luck import LUCK, MOVE, generator, roll, seed_of
from dragon_tournament.openings import first_state
from dragon_tournament.record import Reason, Record, award
from dragon_tournament.schedule import Pairing
from dragon_tournament.seat import GRACE, LONGEST_DETAIL, Forfeit, Seat, warm_up
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
        teams = tournament.game.teams
        moves: list[str] = []
        try:
            if casualties:
                end = _pick_up(casualties[-1], seats, moves)
            else:
                for seat in seats:
                    warm_up(seat, tournament.game)
                end = _play(tournament, pairing, seats, moves)
        except Forfeit as lost:
            end = End(lost.reason, failed=(lost.seat,), detail=lost.detail)
        except TournamentError:  # no match can be judged: the run must end
            raise
        except Exception:  # the game's own rules, or the referee: no player is to blame
            end = End(Reason.ADJUDICATED, detail=traceback.format_exc()[-LONGEST_DETAIL:])
        for seat in seats:
            seat.leave()
        scores = end.scores
        if scores is None:
            losers = end.failed or end.losers
            scores = _forfeit(teams, losers, tournament.game.start(pairing.deal).largest)
        return record_of(
            tournament, pairing, seats,
            teams=teams, moves=moves, scores=scores, points=award(scores, teams),
            reason=end.reason, failed=end.failed, detail=end.detail,
        )  # fmt: skip


@frozen
class End:
    """How a match ended; without scores its losers forfeit it, and without losers it is drawn."""

    reason: Reason
    scores: tuple[float, ...] | None = None
    losers: tuple[int, ...] = ()
    """Seats that lost without a failure."""
    failed: tuple[int, ...] = ()
    """Seats that lost by a failure of their own."""
    detail: str = ""


def _play(tournament: Tournament, pairing: Pairing, seats: list[Seat], moves: list[str]) -> End:
    """Asks and moves until the match ends; `moves` grows meanwhile."""
    state = opened(tournament, pairing)
    first = first_state(tournament, pairing.position, pairing.deal)
    luck = generator(LUCK, pairing.deal)
    umpire = Umpire(tournament, seats)
    while state.turn != TERMINAL:
        plies = len(pairing.opening) + len(moves)
        if tournament.plies is not None and plies >= tournament.plies:
            detail = f"{tournament.plies} plies without an end"
            return End(Reason.ADJUDICATED, detail=detail)
        end = None
        if state.turn == CHANCE:
            move = roll(state, luck)
            after = state.after(move)
        else:
            seat = seats[state.turn]
            seat.inform(first, (*pairing.opening, *moves))
            result = seat.ask(state, seed_of(MOVE, pairing.seed, len(moves), seat.number))
            if isinstance(result.extra, dict) and result.extra.get("resigns"):
                detail = f"{seat.player.name} gives the game up"
                return End(Reason.RESIGNED, losers=(seat.number,), detail=detail)
            move = result.move
            after = seat.step(state, move)
            end = umpire.judge(state, result, plies + 1)
        state = after
        moves.append(str(move))
        seats[0].journal.played(str(move))
        if end is not None and state.turn != TERMINAL:
            return end
    return End(Reason.TERMINAL, finite(state.payoff()))


@define
class Umpire:
    """Ends a match before its rules do, where the tournament's adjudication says so."""

    tournament: Tournament
    seats: list[Seat]
    claims: list[Claim] = Factory(list)
    trusting: bool = True
    """Whether exact claims are still looked at; not after one that could not be checked in time."""

    def judge(self, state: State[Any], result: Result, plies: int) -> End | None:
        """What a player's answer in `state` leads to; raises Forfeit for a false claim."""
        rules = self.tournament.adjudication
        if rules is None:
            return None
        seat, teams = self.seats[state.turn], self.tournament.game.teams
        self.claims.append(claim_of(state.turn, result))
        last, name = self.claims[-1], seat.player.name
        if rules.proven and last.exact and self.trusting and self._holds(state, last, seat):
            detail = f"{name} has proven {last.value:g}"
            return End(Reason.PROVEN, scores_of(last, teams), detail=detail)
        if rules.resign is not None:
            loser = resigned(rules.resign, self.claims, teams)
            if loser is not None:
                detail = f"{name} claims {last.value:g}, as it did before"
                return End(Reason.RESIGNED, losers=(loser,), detail=detail)
        if rules.draw is not None and drawn(rules.draw, self.claims, len(teams), plies):
            return End(Reason.DRAWN, detail="nobody claims an advantage")
        return None

    def _holds(self, state: State[Any], claim: Claim, seat: Seat) -> bool:
        """Whether an exact claim is true, as far as can be known."""
        rules = self.tournament.adjudication
        assert rules is not None
        false = f"{seat.player.name} claims to have proven {claim.value:g} in {state}"
        if not possible(claim.value, state):
            detail = f"{false}, which the game cannot pay"
            raise Forfeit(seat.number, Reason.FALSE_CLAIM, detail)
        if rules.check is None:
            return True
        truth = checked(self.tournament, rules.check, rules.check_seconds, state, seat.journal)
        if truth is None:
            self.trusting = False
            return False
        if abs(truth - claim.value) > 1e-6:
            detail = f"{false}; {rules.check} has proven {truth:g}"
            raise Forfeit(seat.number, Reason.FALSE_CLAIM, detail)
        return True


def checked(
    tournament: Tournament, check: Search, seconds: float, state: State[Any], journal: Journal
) -> float | None:
    """The value of a state as a trusted search proves it, or None where it cannot in time."""
    journal.asked(NOBODY, seconds + tournament.warmup + GRACE)  # in case it heeds no limit
    try:
        result = check.best(state, Limit(seconds=seconds))
        return float(result.value) if result.bound is Bound.EXACT else None
    except Exception as wrong:
        raise TournamentError(
            f"the check {check} failed on {state} ({type(wrong).__name__}: {wrong}); give another"
        ) from wrong
    finally:
        journal.answered(NOBODY, 0.0, 0)


def _pick_up(fallen: Casualty, seats: list[Seat], moves: list[str]) -> End:
    """A game whose process died: what was played, and who lost it."""
    moves += fallen.moves
    for seat, nodes, seconds in zip(seats, fallen.nodes, fallen.seconds, strict=False):
        seat.nodes, seat.seconds = nodes, seconds
    if fallen.seat == NOBODY:
        return End(Reason.ADJUDICATED, detail=fallen.detail[:LONGEST_DETAIL])
    detail = f"{seats[fallen.seat].player.name}: {fallen.detail}"[:LONGEST_DETAIL]
    return End(fallen.reason, failed=(fallen.seat,), detail=detail)


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
