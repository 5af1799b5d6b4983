"""Strategies in files, and the search that plays one.

A file is one of `kept`, with the arrays `keys` (what a seat has seen and done, as text), `first`,
`moves`, `probabilities`; `about` says the game and what made it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from dragon.core import POLICY, Bound, Game, Limit, Position, Result, Run, Search, Trait
from dragon.errors import ConfigError, Objection, SearchError
from dragon.search.budget import Budget
from dragon.search.equilibrium.cfr import drawn
from dragon.search.equilibrium.kept import read_arrays, write_arrays

if TYPE_CHECKING:
    from numpy.random import Generator

    from dragon.search.equilibrium.sequences import SequenceForm

FORMAT = "dragon strategy 1"
BEFORE = " / "
"""The separator of the events of a key."""


@frozen(eq=False)
class Strategy:
    """The probability of each move at every information set of a game."""

    game: str
    """The spec of the game."""
    source: str
    """The spec of the search that it is of."""
    sets: dict[str, dict[str, float]]
    """By what a seat has seen and done, or by its view where that is enough, each move by its
    text."""

    def at(self, position: Position) -> dict[str, float] | None:
        """Return the probabilities of the moves at a position; None where it has none."""
        known = BEFORE.join(map(str, position.information))
        return self.sets.get(known) or self.sets.get(str(position.state))

    def lines(self, costs: Sequence[float] = ()) -> Iterator[str]:
        """Yield a line for each information set: what was seen, and how likely each move is.

        costs: the contribution of each to NashConv, which is written behind.
        """
        wide = max(map(len, self.sets), default=0)
        for (key, policy), cost in zip_longest(self.sets.items(), costs):
            shown = "  ".join(f"{move} {p:.4f}" for move, p in policy.items())
            yield f"{key:{wide}}  {shown}" + ("" if cost is None else f"  costs {cost:.4f}")

    def save(self, path: Path) -> None:
        """Write the file; raises OSError."""
        import numpy as np

        about = {"format": FORMAT, "game": self.game, "source": self.source}
        first = np.cumsum([0, *map(len, self.sets.values())])
        moves = [move for policy in self.sets.values() for move in policy]
        chances = [p for policy in self.sets.values() for p in policy.values()]
        write_arrays(path, about, {
            "keys": np.array([*self.sets]), "first": first, "moves": np.array(moves),
            "probabilities": np.array(chances, float),
        })  # fmt: skip


def strategy_of(form: SequenceForm, probabilities: Any, game: str, source: str) -> Strategy:
    """Return the strategy of sequence form probabilities; keys are views where these differ."""
    texts = [str(view) for view in form.views]
    if len(set(texts)) < len(texts):
        texts = [BEFORE.join(map(str, known)) for known in form.information()]
    if len(set(texts)) < len(texts):
        raise SearchError(f"the views of {game} do not tell its information sets apart")
    sets = {
        text: dict(zip(map(str, moves), probabilities[first : first + len(moves)].tolist(),
                       strict=True))
        for text, first, moves in zip(texts, form.first, form.moves, strict=True)
    }  # fmt: skip
    return Strategy(game, source, sets)


def load(path: Path) -> Strategy:
    """Read a file; raise ConfigError for one that cannot be read, or is damaged or another's."""
    about, arrays = read_arrays(path, FORMAT, "make it with `dragon exploit GAME --out FILE`")
    try:
        keys, first, moves, chances = (
            arrays[name].tolist() for name in ("keys", "first", "moves", "probabilities")
        )
        sets = {
            key: dict(zip(moves[begin:end], chances[begin:end], strict=True))
            for key, (begin, end) in zip(keys, pairwise(first), strict=True)
        }
        return Strategy(str(about["game"]), str(about["source"]), sets)
    except (KeyError, TypeError, ValueError) as wrong:
        raise ConfigError(
            f"{path} is damaged, or no strategy; make it with `dragon exploit GAME --out FILE`"
        ) from wrong


@lru_cache(maxsize=8)
def _opened(path: Path, changed: tuple[int, int]) -> Strategy:
    return load(path)


@frozen
class Policy(Search):
    """A strategy from a file: it draws its moves from the strategy's distribution, and reports it.

    `dragon exploit GAME --search SPEC --out FILE` writes the file, of any search that says how
    likely its moves are, or always plays the same.
    """

    name = "policy"
    proves = False
    values = False
    limits = frozenset[str]()
    recalls = True

    file: str = field(default="", metadata={"outside": True})
    """The strategy's file."""

    def objection(self, game: Game[Any]) -> str | None:
        """Return also that there is no strategy of this game in the file."""
        if sentence := super().objection(game):
            return sentence
        try:
            strategy = self.strategy()
        except ConfigError as wrong:
            return f"{self}: {wrong}"
        if strategy.game != str(game):
            return f"{self}: it is a strategy of {strategy.game}, not of {game}"
        if Trait.SOLO in game.traits:
            return f"{self} returns moves without values, which {game} needs"
        return None

    @property
    def files(self) -> tuple[str, ...]:
        """Return the strategy's file."""
        return (self.file,) if self.file else ()

    def strategy(self) -> Strategy:
        if not self.file:
            raise ConfigError("write policy(file='FILE'), with a file of `dragon exploit --out`")
        path = Path(self.file)
        try:
            status = path.stat()
        except OSError as wrong:
            raise ConfigError(f"cannot read {path}: {wrong.strerror or wrong}") from wrong
        return _opened(path.absolute(), (status.st_mtime_ns, status.st_size))

    def open(self, game: Game[Any] | None = None) -> PolicyRun:
        return PolicyRun(self, game)


class PolicyRun(Run):
    """A run that draws moves from a strategy."""

    search: Policy

    def improve(self, position: Position, limit: Limit, rng: Generator) -> Iterator[Result]:
        budget, moves = Budget(limit), {str(move): move for move in position.state.moves()}
        policy = self.search.strategy().at(position)
        if policy is None or {*policy} != {*moves}:
            raise Objection(f"{self.search} has no strategy for {position.state}")
        chosen = [*policy][drawn([*policy.values()], float(rng.random()))]
        extra = {"budget": "one move", POLICY: policy}
        yield budget.result(0.0, Bound.ESTIMATE, (moves[chosen],), extra=extra)
