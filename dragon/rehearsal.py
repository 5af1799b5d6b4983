"""Rehearsal: random games by the thousand in checked code, and a short one that breaks a rule."""

from __future__ import annotations

from attrs import frozen

from dragon.bits import Random
from dragon.blame import blames
from dragon.errors import RuleError
from dragon.modes import CHECKED, JIT
from dragon.record import RecordState
from dragon.specialise import specialise

PLIES = 200_000
"""Plies that are played where nothing is wrong."""
TRIES = 50
"""Games that end with a mistake, of which the shortest is told."""


@frozen
class Mishap:
    """A game in which a rule broke its contract."""

    error: RuleError
    moves: tuple[str, ...]
    """From the start on; the last may be the one that could not be played."""
    position: RecordState
    """The last state that could be reached."""


def rehearse(start: RecordState, plies: int = PLIES, seed: int = 0) -> Mishap | None:
    """The shortest game with a mishap that is found, or None: then `plies` were played without.

    start: a state of a game by Rules. Chance is drawn, not chosen.
    """
    with JIT.under("1"), CHECKED.under("1"):
        stage, random = _Stage(start), Random(seed)
        found: Mishap | None = None
        for _ in range(TRIES):
            try:
                stage.run(random, plies)
            except RuleError as error:
                if found is None or stage.length < len(found.moves):
                    found = stage.mishap(error)
            else:
                return found
        return found


class _Stage:
    """The kernel and its memory."""

    def __init__(self, start: RecordState) -> None:
        import numpy as np

        self.start, self.rules = start, start.rules
        rules = start.rules
        self._kernel = specialise("dragon.kernels.rehearsal", rules)
        self._states = np.zeros(2, rules.layout)
        self._states[0] = np.frombuffer(start.data, rules.layout)[0]
        self._out, self._scores = np.zeros((2, rules.width), np.int64)
        self._weights = np.zeros(rules.width if rules.odds else 0, np.float64)
        self._path = np.zeros(rules.plies + 1, np.int64)

    @property
    def length(self) -> int:
        """Moves of the game in progress."""
        return int(self._path[0])

    @blames
    def run(self, random: Random, plies: int) -> None:
        """Plays games; raises RuleError at the first mishap."""
        arrays = self._states, self._out, self._scores, self._weights
        self._kernel.rehearse(*arrays, random.state, self._path, plies)

    def mishap(self, error: RuleError) -> Mishap:
        """The game in progress, replayed as far as it goes."""
        state, moves = self.start, []
        for code in self._path[1 : 1 + self.length].tolist():
            moves.append(state.text(code))
            try:
                state = state.play(code)
            except RuleError:
                break
        return Mishap(error, tuple(moves), state)
