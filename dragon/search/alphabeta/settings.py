"""The settings of alpha-beta, what an iteration finds, and values in steps.

All values inside are whole *steps* from the side of seat 0's team; a unit of payoff is
65,536 steps, or 2**40 where chance may decide, and where values count the win distance
(`sooner`) each ply takes one step toward zero, so that the quicker win is the larger value
(`win_distance`).

Sources: Knuth and Moore 1975 (alpha-beta); Marsland and Campbell 1982 (principal
variation search); Plaat, Schaeffer, Pijls and de Bruin 1996 (MTD(f)); Slate and Atkin 1977
(iterative deepening, killers); Schaeffer 1989 (history); Zobrist 1970 (transposition table);
Ballard 1983, and Hauk, Buro and Schaeffer 2004 (chance); Beal 1990 (quiescence); Beal 1989 (null
moves); Heinz 1998 (futility); Hyatt and Mann 2002 (a table without locks); Weill 1996 (ABDADA).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import field, frozen, validators

from dragon.core import Game, Limit, Search, State, Trait
from dragon.rules.record import RecordState
from dragon.search.alphabeta.win_distance import STEPS, fineness
from dragon.search.budget import count_setting, megabytes_setting
from dragon.search.two_sided import game_units_objection, two_sided_objection, whole_units

WAYS = "mtdf", "bisection"
"""How zero windows may follow one another."""
STARS = "star1", "star2"
"""What may cut off at chance nodes."""
AVERAGES: tuple[str | None, ...] = "expectimax", *STARS, None
MARGIN = 0.1
"""Of futility, where nobody says another."""
FIRST, LEAVES, SECOND = 8, 10_000, 4
"""Plies of the first iteration where only ends count, if a tree so deep may have so few leaves;
else it has one, and the second four: to fewer plies, as good as no end is met."""
ASIDE = 128
"""That part of the largest payoff is half the width of an iteration's first window."""
FAR = 1 << 62
"""Beyond every value in steps."""


@frozen
class Outcome:
    """What one iteration found, in steps from seat 0's side."""

    value: int
    line: Sequence[Any]
    """Of which a driver's `moves_of` makes moves."""
    horizon: bool
    """Whether a horizon cut it short."""
    finished: bool
    extra: dict[str, Any] = field(factory=dict)
    """What a result says of an early end."""


_margin = validators.optional(validators.and_(validators.ge(0.0), validators.le(2.0)))


@frozen
class Settings(Search):
    """Which parts of alpha-beta are on."""

    name = "alphabeta"
    excludes = frozenset({Trait.HIDDEN})
    limits = frozenset({"seconds", "nodes", "depth"})

    depth: int | None = count_setting()
    """Plies looked ahead; none: until proven."""
    table: bool = True
    """Keep values and bounds of positions in a transposition table."""
    megabytes: float = megabytes_setting(64.0)
    """Size of that table, which begins with 1 at most and grows as the search does."""
    deepening: bool | None = None
    """Search to growing depths rather than at once: true by a ply each. None: so where the game has
    an `evaluate`; else only ends count, and each depth is twice the one before: 8, 16, 32, where
    lists of moves are short, and 1, 4, 8, 16 where they are long."""
    driver: str = field(default="pvs", validator=validators.in_(("pvs", *WAYS)))
    """How an iteration comes to its value: `pvs`, in one window; or by zero windows alone, and then
    in one about the value for its line: `mtdf`, each at the answer to the last one (MTD(f)), or
    `bisection`, each in the middle of what is left."""
    pvs: bool = True
    """Ask of all moves but the first only whether they are better (zero windows)."""
    aspiration: bool = True
    """Start each iteration with a narrow window about the last value."""
    killers: bool = True
    """Try early the two moves that last cut off at this ply."""
    history: bool = True
    """Try early the moves that cut off often."""
    order: bool = True
    """Use the game's own `order`."""
    reduce: bool = True
    """Try one of several moves that the game calls equivalent."""
    bounds: bool = True
    """Cut off by the game's own `bounds`, or by the largest payoff where it has none."""
    solved: bool | None = None
    """Ask the game's own `solved` at every state, and search none whose worth it knows. None: where
    it reads no table."""
    quiescence: int = field(default=16, validator=validators.ge(0))
    """How many plies beyond the horizon the game's `noisy` moves are looked at, where it has them
    and an `evaluate`; 0: none."""
    late: bool | None = None
    """Look less far ahead after moves that come late and have neither table, killers nor the game's
    `order` (a number above 0) to speak for them, and as far as usual after those that then look
    better than others. None: where the game has `evaluate` and `noisy`. Never without an
    `evaluate`, or with `killers`, `history` and `order` off."""
    null: bool | None = None
    """Null moves: first ask of a state whether a pass, looked ahead two or three plies less, is
    enough already. None: where the game has `skip` and an `evaluate`."""
    futility: float | None = field(default=None, validator=_margin)
    """One and two plies before the horizon: take a guess that is so much for each ply above the
    window for the answer, and where it is so much below look at `noisy` moves alone; of a guess,
    which is between -1 and 1. None: 0.1, where the game has `evaluate` and `noisy`; 0: off."""
    sooner: bool | None = None
    """Prefer wins that come sooner and losses that come later. None: where two sides play and the
    game has no `bounds`; they cut off less where ends that pay the same are told apart. Never
    where the game has `banked`, by Rules chance, or games of more than 65,535 plies."""
    chance: str | None = field(default=STARS[-1], validator=validators.in_(AVERAGES))  # type: ignore[arg-type]
    """How chance is averaged: `expectimax`, over all outcomes; `star1`, over no more than matter;
    `star2`, the same after a look at one move of each. None: games of chance are refused."""
    threads: int = field(default=1, validator=[validators.ge(1), validators.le(256)])
    """Searches of the same state side by side on one table, which they share without locks (Lazy
    SMP), and the first to end has the result; each puts off moves that another is at (ABDADA).
    Nodes are those of all. With more than one thread runs do not repeat; proven values do. One
    where there is no `table`, or no Rules to compile."""
    shuffle: bool = False
    """Break ties at the root by the seed, so that repeated games differ."""

    @property
    def deterministic(self) -> bool:
        """It draws nothing at random but with `shuffle`, and repeats itself but with `threads`."""
        return not self.shuffle and self.threads == 1

    def objection(self, game: Game[Any]) -> str | None:
        """More than two sides have no window; chance may be refused."""
        if self.chance is None and Trait.CHANCE in game.traits:
            return f"{self} does not support chance ({game})"
        sentence = super().objection(game) or two_sided_objection(self, game)
        return sentence or game_units_objection(self, game) or self._lacking(game)

    def _lacking(self, game: Game[Any]) -> str | None:
        """The sentence about a setting that asks for what the game does not have."""
        if self.sooner and too_long(game.start()):
            return (
                f"{self} counts the plies to a win up to {STEPS - 1:,}, and {game} may take more "
                "plies; leave out sooner"
            )
        if not (self.null or self.futility):
            return None
        needs = {"null": ("evaluate", "skip"), "futility": ("evaluate", "noisy")}
        for setting, rules in needs.items():
            if getattr(self, setting):
                lacking = [name for name in rules if not _has(game.start(), name)]
                if lacking:
                    return (
                        f"{self} needs the rule `{lacking[0]}`, which {game} has not; leave out "
                        f"{setting}"
                    )
        return None


def counts_distance(search: Settings, state: State[Any]) -> bool:
    """Return True if a quicker win is worth more, by the setting `sooner` and what the game has."""
    if _has(state, "banked"):  # a value of what is left may not depend on what is banked
        return False
    if isinstance(state, RecordState) and Trait.CHANCE in state.rules.traits:
        return False
    if too_long(state):
        return False
    if search.sooner is not None:
        return search.sooner
    return len(state.teams) > 1 and not _has(state, "bounds")


def too_long(state: State[Any]) -> bool:
    """Whether a game may take more plies than a unit has steps, so that a late win would be 0."""
    return isinstance(state, RecordState) and state.rules.plies >= STEPS


def asks_solved(search: Settings, state: State[Any]) -> bool:
    """Whether the game is asked what it knows, by the setting `solved` and what it reads for it."""
    if search.solved is not None:
        return search.solved
    return not isinstance(state, RecordState) or state.rules.tablebase is None


def looks_beyond(search: Settings, state: State[Any]) -> int:
    """How many plies beyond the horizon, by the setting `quiescence` and what the game has."""
    return search.quiescence * (_has(state, "noisy") and _has(state, "evaluate"))


def reduces_late(search: Settings, state: State[Any]) -> bool:
    """Whether late moves are looked ahead less, by the setting `late` and what the game has."""
    if not _has(state, "evaluate") or not (search.killers or search.history or search.order):
        return False
    return _has(state, "noisy") if search.late is None else search.late


def skips(search: Settings, state: State[Any]) -> bool:
    """Return True if passes are tried, by the setting `null` and what the game has."""
    return search.null is not False and _has(state, "skip") and _has(state, "evaluate")


def margin_of(search: Settings, state: State[Any]) -> int:
    """The margin of futility in steps, by that setting and what the game has; 0: off."""
    if not _has(state, "noisy") or not _has(state, "evaluate"):
        return 0
    return int((MARGIN if search.futility is None else search.futility) * highest_guess(state))


def prunes(search: Settings, state: State[Any]) -> bool:
    """Return True if what an iteration leaves out by a guess may be a quicker win."""
    return bool(reduces_late(search, state) or skips(search, state) or margin_of(search, state))


def first_depth(search: Settings, state: State[Any], limit: Limit) -> int:
    """The depth of the first iteration.

    Where only ends count, one to d plies visits w^(d/2) leaves at best, where lists of moves are w
    long (Knuth and Moore 1975). Where that is too many, each move is looked at first.
    """
    if ply_by_ply(search, state) or not isinstance(state, RecordState):
        return 1
    leaves = LEAVES if limit.nodes is None else min(LEAVES, limit.nodes // 4)
    return FIRST if state.rules.width ** (FIRST // 2) <= leaves else 1


def deeper(search: Settings, state: State[Any], depth: int) -> int:
    """The depth of the iteration after one to `depth`."""
    return depth + 1 if ply_by_ply(search, state) else max(SECOND, 2 * depth)


def ply_by_ply(search: Settings, state: State[Any]) -> bool:
    """Return True if each iteration goes one ply deeper, by `deepening` and what the game has."""
    return bool(search.deepening) or _has(state, "evaluate")


def aside_of(search: Settings, state: State[Any]) -> int:
    """Half the width of an iteration's first window, in steps; 0: it is open.

    Where chance may decide, guesses change more from ply to ply.
    """
    if not search.aspiration or search.deepening is False:
        return 0
    scale = scale_of(state)
    return scale // 4 if scale != STEPS else steps(state, state.largest) // ASIDE


def _has(state: State[Any], name: str) -> bool:
    """Return True if the game's author wrote what is optional."""
    if isinstance(state, RecordState):
        return getattr(state.rules, name) is not None
    name = {"skip": "skipped"}.get(name, name)
    return getattr(type(state), name) is not getattr(State, name)


def steps(state: State[Any], payoff: float) -> int:
    """A payoff of seat 0 in steps; raises GameError if it is no whole number of units."""
    return whole_units(state, payoff) * scale_of(state)


def highest_guess(state: State[Any]) -> int:
    """More than any guess, in steps, and less than any proven largest payoff."""
    return steps(state, state.largest) - scale_of(state) // 2


def guesses_of(state: State[Any]) -> int:
    """Values of at most so many steps are guesses or draws, which no ply changes.

    0 where nothing is guessed, or a game may end in more ways than a win, a draw and a loss, so
    that ends lie among guesses.
    """
    one = steps(state, state.largest) == scale_of(state)
    return highest_guess(state) if one and _has(state, "evaluate") else 0


def scale_of(state: State[Any]) -> int:
    """Steps in a unit: more where chance may decide, as it may wherever no Rules deny it."""
    if isinstance(state, RecordState):
        chance = Trait.CHANCE in state.rules.traits
        return fineness(state.rules.largest) if chance else STEPS
    return max(STEPS, fineness(whole_units(state, state.largest)))
