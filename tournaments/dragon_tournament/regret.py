"""Regret by move: the share of each player's moves that kept the value, and the mean loss.

After the games the moves on record are judged: by a search that proves values, such as a table or a
solver, or at a game with hidden information by an equilibrium (`cfr`), which knows the worth of
each move at an information set where the others play by it. A move counts where the values before
and after it are proven, or the equilibrium lets it come to that set.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from attrs import field, frozen
from attrs.validators import ge, gt, le

from dragon.config import search as search_of
from dragon.core import Game, Limit, Search, Trait
from dragon.transcripts.replay import Replay
from dragon_tournament.clock import LONGEST
from dragon_tournament.records.record import Record
from dragon_tournament.records.replay import Typed, replayed

SURE = 1.96
"""Standard errors to each side of an interval of 95 %."""
NEVER = 3.0
"""The upper bound from n games without a case: 3 / n, with 95 % (the rule of three)."""
KEPT, NEARLY = 1e-6, 0.01
"""The share of the largest payoff that a move may lose and still keep the value: an error of
rounding where values are proven, more where they are those of an equilibrium that is nearly one."""


class Move(NamedTuple):
    """A move that could be judged: the number of its game, its player, and its regret."""

    game: int
    player: str
    loss: float


@frozen
class Regret:
    """The judging of moves after the games; its fields are the keys of the table."""

    search: Search | None = None
    """The search that judges; alphabeta by default, cfr where something is hidden."""
    seconds: float = field(default=1.0, validator=[gt(0.0), le(LONGEST)])
    """Seconds in which it must prove the value of a position, or find the equilibrium."""
    games: int = field(default=100, validator=ge(1))
    """The number of games whose moves are judged, the first on record."""

    def judge(self, game: Game[Any]) -> Search:
        """Return the search that judges the moves of a game."""
        return self.search or search_of("cfr" if Trait.HIDDEN in game.traits else "alphabeta")

    def objections(self, game: Game[Any], searches: Iterable[Search]) -> Iterator[tuple[str, str]]:
        """Yield key and sentence of each reason why moves of this game cannot be judged so.

        The players' `searches` do not matter.
        """
        judge = self.judge(game)
        if Trait.HIDDEN not in game.traits and not judge.proves:
            yield "search", f"{judge} cannot prove what a move is worth; take one that can"
        elif Trait.HIDDEN in game.traits and judge.name != "cfr":
            yield "search", f"{game} hides something, which only cfr judges; leave search out"
        elif sentence := judge.objection(game):
            yield "search" if self.search else "", sentence


def regrets(
    rules: Regret, game: Game[Any], records: Sequence[Record], typed: Typed | None = None
) -> dict[str, dict[str, Any]]:
    """Return the figures of each player; raise DragonError where the search cannot judge.

    The figures: `moves` that were judged, the share `kept`, the `mean_loss` in units of payoff, and
    half of the 95 % interval of each (None for a single game).
    """
    judged_by = _by_equilibrium if Trait.HIDDEN in game.traits else _by_proof
    games = [(record, *replayed(record, typed)) for record in records]
    found = list(judged_by(rules.judge(game), game, games, rules.seconds))
    rounding = (NEARLY if Trait.HIDDEN in game.traits else KEPT) * game.start(0).largest
    return {name: _figures(found, name, rounding) for name in sorted({m.player for m in found})}


def _by_proof(
    judge: Search, game: Game[Any], games: Sequence[tuple[Record, Replay, int]], seconds: float
) -> Iterator[Move]:
    from dragon.transcripts.annotation import judged

    for number, (record, played, given) in enumerate(games):
        for move in judged(game, played, [judge], Limit(seconds=seconds)):
            if move.exact and move.best_exact and move.number > given:
                yield Move(number, record.seats[move.seat], move.best_value - move.value)


def _by_equilibrium(
    judge: Search, game: Game[Any], games: Sequence[tuple[Record, Replay, int]], seconds: float
) -> Iterator[Move]:
    from dragon.transcripts.annotation import Equilibrium

    known = Equilibrium(game, judge, seconds)
    for number, (record, played, given) in enumerate(games):
        for ply, seat, loss in known.losses(played):
            if ply >= given:
                yield Move(number, record.seats[seat], loss)


def _figures(found: Sequence[Move], player: str, rounding: float) -> dict[str, Any]:
    """Return the figures of a player, with intervals from the spread between games."""
    own = [move for move in found if move.player == player]
    played = Counter(move.game for move in own)
    kept, lost = Counter[int](), dict.fromkeys(played, 0.0)
    for move in own:
        kept[move.game] += move.loss <= rounding
        lost[move.game] += max(move.loss, 0.0)
    share, share_error = _mean(played, kept)
    loss, loss_error = _mean(played, lost)
    if share_error == 0.0 and share in (0.0, 1.0):
        share_error = min(1.0, NEVER / len(played))
    return {
        "moves": len(own), "kept": share, "kept_error": share_error,
        "mean_loss": loss, "mean_loss_error": loss_error,
    }  # fmt: skip


def _mean(played: Mapping[int, int], found: Mapping[int, float]) -> tuple[float, float | None]:
    """Return the mean for each move, and half of its interval: a ratio of sums over games.

    The moves of one game are not independent; games are. Source: W. G. Cochran, Sampling Techniques
    (1977), section 6.

    >>> _mean({0: 4, 1: 4}, {0: 4, 1: 2})
    (0.75, 0.49)
    """
    moves, games = sum(played.values()), len(played)
    mean = sum(found[game] for game in played) / moves
    if games < 2:
        return mean, None
    spread = sum((found[game] - mean * n) ** 2 for game, n in played.items())
    return mean, SURE * math.sqrt(spread * games / (games - 1)) / moves
