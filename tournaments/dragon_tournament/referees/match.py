"""The referee of matches: a game of two or more seats, played move by move and adjudicated."""

from __future__ import annotations

import math
import traceback
from typing import Any, ClassVar

from attrs import Factory, define, frozen

from dragon.core import CHANCE, TERMINAL, Game, Limit, Result, State
from dragon.errors import TournamentError
from dragon.rules.notation import parse_move
from dragon.rules.playout import roll
from dragon_tournament.adjudication import Claim, claim_of, possible, scores_of
from dragon_tournament.pairing import LUCK, MOVE, Pairing, generator, seed_of
from dragon_tournament.records.in_flight import NOBODY, InFlightLog, ProcessDeath
from dragon_tournament.records.record import GIVEN_UP, JUDGE, TOO_LONG, Reason, Record, award
from dragon_tournament.referees.guard import LONGEST_DETAIL, Forfeit
from dragon_tournament.referees.reference import proven_value
from dragon_tournament.referees.seat import Seat, finite, first_state, record_of, seats_of, warm_up
from dragon_tournament.tournament import Tournament

LONGEST_NAME = 200  # letters of a program's name that are kept


@frozen
class Match:
    """A match: the seats move in turn, until the rules end the game."""

    name: ClassVar[str] = "match"

    def suits(self, game: Game[Any]) -> bool:
        """Return True for games with more than one seat."""
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
        """Play one game; every seating of it has the same deal and chance moves."""
        seats = seats_of(tournament, pairing, notes)
        teams = tournament.game.teams
        moves: list[str] = []
        trace = Trace()
        try:
            if deaths:
                end = _pick_up(deaths[-1], seats, moves)
            else:
                for seat in seats:
                    warm_up(seat, tournament.game)
                    seat.prepare(tournament.game)
                end = _play(tournament, pairing, seats, moves, trace)
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
            reason=end.reason, failed=end.failed, detail=end.detail, **trace.kept(tournament),
        )  # fmt: skip


@define
class Trace:
    """The values that were claimed for the moves so far, and the work done; one entry a move."""

    engines: dict[int, str] = Factory(dict)
    """The programs that seats are, by their own words."""
    values: list[float | None] = Factory(list)
    work: list[tuple[int | None, int, float] | None] = Factory(list)

    def chance(self) -> None:
        """Note a move of chance."""
        self.values.append(None)
        self.work.append(None)

    def meet(self, seat: int, result: Result) -> None:
        """Note the program of a seat, if its search has one."""
        name = result.extra.get("engine") if isinstance(result.extra, dict) else None
        if isinstance(name, str):
            self.engines[seat] = name[:LONGEST_NAME]

    def add(self, claim: Claim, result: Result, spent: float) -> None:
        """Note a player's move."""
        self.values.append(claim.value if math.isfinite(claim.value) else None)
        depth = result.extra.get("depth") if isinstance(result.extra, dict) else None
        known = type(depth) is int and depth >= 0
        self.work.append((depth if known else None, int(result.nodes), round(spent, 6)))

    def kept(self, tournament: Tournament) -> dict[str, Any]:
        """Return the fields of a record about the values claimed and the work done."""
        full, rules = tournament.moves == "full", tournament.adjudication
        decided = rules is not None and (rules.proven or rules.resign or rules.draw)
        seats = range(len(tournament.game.teams)) if self.engines else ()
        return {
            "engines": tuple(self.engines.get(seat, "") for seat in seats),
            "values": tuple(self.values) if full or decided else (),
            "work": tuple(self.work) if full else (),
        }


def _play(
    tournament: Tournament, pairing: Pairing, seats: list[Seat], moves: list[str], trace: Trace
) -> Ending:
    """Ask and move until the match ends; `moves` and `trace` grow meanwhile."""
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
            trace.chance()
        else:
            seat = seats[state.turn]
            spent = seat.seconds
            position = seat.position(state, first, (*pairing.opening, *moves))
            result = seat.ask(position, seed_of(MOVE, pairing.seed, len(moves), seat.number))
            trace.meet(seat.number, result)
            if isinstance(result.extra, dict) and result.extra.get("resigns"):
                detail = f"{seat.player.name} {GIVEN_UP}"
                return Ending(Reason.RESIGNED, losers=(seat.number,), detail=detail)
            text, after = seat.step(state, result.move)
            claim = claim_of(state.turn, result)
            end = adjudicator.judge(state, claim, plies + 1)
            trace.add(claim, result, seat.seconds - spent)
            end = end or adjudicator.settle(after)
        state = after
        moves.append(text)
        seats[0].notes.played(text)
        if end is not None and state.turn != TERMINAL:
            return end
    return Ending(Reason.TERMINAL, finite(state.payoff()))


def _pick_up(death: ProcessDeath, seats: list[Seat], moves: list[str]) -> Ending:
    """Return the end of a game whose process died; add to `moves` what was played."""
    moves += death.moves
    for seat, nodes, seconds in zip(seats, death.nodes, death.seconds, strict=False):
        seat.nodes, seat.seconds = nodes, seconds
    if death.seat == NOBODY:
        return Ending(Reason.ADJUDICATED, detail=death.detail[:LONGEST_DETAIL])
    detail = f"{seats[death.seat].player.name}: {death.detail}"[:LONGEST_DETAIL]
    return Ending(death.reason, failed=(death.seat,), detail=detail)


# ---- the end before the rules end it ------------------------------------------------------------


@frozen
class Ending:
    """The end of a match; without scores its losers forfeit it, and without losers it is drawn."""

    reason: Reason
    scores: tuple[float, ...] | None = None
    losers: tuple[int, ...] = ()
    """Seats that lost without a failure."""
    failed: tuple[int, ...] = ()
    """Seats that lost by a failure of their own."""
    detail: str = ""


def forfeited(teams: tuple[int, ...], failed: tuple[int, ...], largest: float) -> tuple[float, ...]:
    """The scores of a game that the rules did not decide: failed teams pay the others, or a draw.

    With two teams the payoff belongs to the team: the winners have `largest`, the losers its
    negative. With more, seats sum to zero, and no seat has more than `largest` either way.

    >>> forfeited((0, 1, 1), (1,), 1.0), forfeited((0, 1), (), 1.0)
    ((1.0, -1.0, -1.0), (0.0, 0.0))
    >>> forfeited((0, 1, 2), (1,), 2.0)
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


@define
class Adjudicator:
    """The judge of a match that may end before its rules do, by the tournament's adjudication."""

    tournament: Tournament
    seats: list[Seat]
    claims: list[Claim] = Factory(list)
    trusting: bool = True
    """True while exact claims are looked at: until one could not be checked in time."""

    def judge(self, state: State[Any], last: Claim, plies: int) -> Ending | None:
        """Judge a player's claim in `state`; raises Forfeit for a false one."""
        rules = self.tournament.adjudication
        if rules is None:
            return None
        seat, teams = self.seats[state.turn], self.tournament.game.teams
        self.claims.append(last)
        name = seat.player.name
        if rules.proven and last.exact and self.trusting and self._holds(state, last, seat):
            detail = f"{name} has proven {last.value:g}"
            return Ending(Reason.PROVEN, scores_of(last, teams), detail=detail)
        reason, losers = rules.ended(self.claims, teams, plies)
        if reason is Reason.RESIGNED:
            agreed = ", and its opponents agree" if rules.resign and rules.resign.both else ""
            detail = f"{name} claims {last.value:g}, as it did before{agreed}"
            return Ending(reason, losers=losers, detail=detail)
        return None if reason is None else Ending(reason, detail="no player claims an advantage")

    def settle(self, state: State[Any]) -> Ending | None:
        """Let the judge, if there is one, end the match in a position whose value it proves."""
        rules = self.tournament.adjudication
        if rules is None or rules.judge is None or state.turn == TERMINAL:
            return None
        value = proven_value(
            self.tournament, "judge", rules.judge, rules.judge_limit, self.tournament.stall, state,
            self.seats[0].notes,
        )  # fmt: skip
        if value is None or not possible(value, state):
            return None
        scores = scores_of(Claim(state.turn, value, exact=True), self.tournament.game.teams)
        detail = f"{JUDGE} {rules.judge} has proven {value:g} for seat {state.turn}"
        return Ending(Reason.PROVEN, scores, detail=detail)

    def _holds(self, state: State[Any], claim: Claim, seat: Seat) -> bool:
        """Return True if an exact claim is true, as far as can be known."""
        rules = self.tournament.adjudication
        assert rules is not None
        false = f"{seat.player.name} claims to have proven {claim.value:g} in {state}"
        if not possible(claim.value, state):
            detail = f"{false}, which the game cannot pay"
            raise Forfeit(seat.number, Reason.FALSE_CLAIM, detail)
        if rules.check is None:
            return True
        limit = Limit(seconds=rules.check_seconds)
        value = proven_value(
            self.tournament, "check", rules.check, limit, rules.check_seconds, state, seat.notes
        )
        if value is None:
            self.trusting = False
            return False
        if abs(value - claim.value) > 1e-6:
            detail = f"{false}; {rules.check} has proven {value:g}"
            raise Forfeit(seat.number, Reason.FALSE_CLAIM, detail)
        return True
