"""Df-pn: depth-first proof-number search, by yes-or-no questions.

The question is always whether the seat to move gets at least so many units. Of a state the
proof number is how many ends must at least still be looked at before it is proven, the
disproof number the same of the contrary; the search goes where the smaller effort is and
keeps the numbers in a bounded table. The value is found between the answers: first whether
there is a win, then at least a draw; where more values are possible, by halving what is
left. Each answer is a bound, and as sharp a one as its proof allows.

Lines are finite and positions do not recur (every move is a step towards the end), so that a
proof never leans on itself; games with REPETITION are refused. One position may be reached in
several ways. Where that makes proof numbers count the same work more than once, `weak` counts of
the sum the largest alone.

Sources: Allis 1994 (proof-number search); Nagai 2002 (df-pn); Pawlewicz and Lew 2007 (the
1 + epsilon trick); Ueda, Hashimoto, Hashimoto and Iida 2008 (weak proof numbers); Kishimoto,
Winands, Müller and Saito 2012 (survey); Henderson 2010 (focused df-pn: a few moves at a time).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Protocol

from attrs import evolve, field, frozen, validators

from dragon.core import TERMINAL, Bound, Limit, Position, Result, Run, Search, State, Trait
from dragon.errors import Objection
from dragon.record import Moves, RecordState, has_kernels
from dragon.search.budget import MOST_MEGABYTES, Budget
from dragon.search.sides import check_sides, side, sides_objection, whole_units

if TYPE_CHECKING:
    import numpy as np

    from dragon.core import Game
    from dragon.table import Lease

LOOKS = 3000
"""States looked at to write a line down, at most."""


NO_REPETITION = (
    "where positions recur, lines without end look no harder to prove than short ones; "
    "alphabeta and mcts do support it"
)
"""Why a game with REPETITION is refused, and what to take."""


@frozen
class Answer:
    """Whether seat 0's side gets what was asked; `yes` is None where the budget ended first."""

    yes: bool | None
    worth: int = 0
    """Units of seat 0 that the proof has shown: at least so many, or at most."""
    move: Any = None
    """The root's move that is proven, that loses least, or that looks nearest to a proof."""
    told: dict[str, Any] = field(factory=dict)
    """What a result's `extra` says of an early end."""


class Driver(Protocol):
    """The working memory of the search of one state."""

    budget: Budget
    known: Known
    watch: Callable[[int], object] | None
    """Told the nodes visited, now and then."""

    @property
    def hits(self) -> int:
        """How often the table decided."""

    def ask(self, state: Any, asked: int) -> Answer:
        """Whether seat 0's side gets `asked` units from a state that is not terminal."""


class Known:
    """What is known of a state without a search of it."""

    def __init__(self, search: DfPn, table: Any, age: int) -> None:
        self.on = search
        self.table = table
        self.age = age
        self.hits = 0

    def key(self, s: State[Any]) -> Any:
        """What the table keeps `s` under, mixed; 0 where it is not kept."""
        from dragon.bits import mix

        return mix(s.key())

    def rest(self, s: State[Any], asked: int) -> int:
        """The question from the mover's side, of what is not banked yet.

        The other side's question is the contrary: whether it gets more than what is left.
        """
        left = asked - whole_units(s, s.banked())
        return left if side(s) > 0 else 1 - left

    def entry(self, s: State[Any], key: Any, asked: int) -> Any:
        """The table's entry for the question whether seat 0's side gets `asked`, or None."""
        from dragon.search.proof_table import consult

        at = consult(self.table, self.age, key, self.rest(s, asked)) if key else -1
        return self.table[at] if at >= 0 else None

    def numbers(self, s: State[Any], entry: Any, asked: int) -> tuple[int, int, int]:
        """Proof and disproof number in an entry, and the units that it proves where it does."""
        from dragon.search.proof_table import OPEN

        if entry.bound != OPEN:
            self.hits += 1
            return answered(side(s) * int(entry.asked) + whole_units(s, s.banked()), asked)
        phi, delta = int(entry.phi), int(entry.delta)
        return (phi, delta, 0) if side(s) > 0 else (delta, phi, 0)

    def work(self, s: State[Any], asked: int) -> int:
        """How many nodes an entry of the table has cost; 0 where there is none."""
        if s.turn == TERMINAL:
            return 0
        entry = self.entry(s, self.key(s), asked)
        return 0 if entry is None else int(entry.work)

    def look(self, s: State[Any], asked: int) -> tuple[int, int, int]:
        """The same of any state: of its end, its bounds, its entry, or solved; else 1 and 1."""
        if s.turn == TERMINAL:
            return answered(whole_units(s, s.payoff()[0]), asked)
        if self.on.bounds and (bounds := s.bounds()) is not None:
            low, high = (whole_units(s, units) for units in bounds)
            if low >= asked or high < asked:
                return answered(low if low >= asked else high, asked)
        if self.on.solved and s.turn >= 0 and (told := s.solved()) is not None:
            return answered(whole_units(s, told[0]), asked)
        check_sides(self.on, s)
        entry = self.entry(s, self.key(s), asked)
        return (1, 1, 0) if entry is None else self.numbers(s, entry, asked)


def answered(worth: int, asked: int) -> tuple[int, int, int]:
    """The numbers where `worth` is the value, a lower bound as high as asked, or an upper below."""
    from dragon.search.proof_table import NEVER

    return (0, NEVER, worth) if worth >= asked else (NEVER, 0, worth)


@frozen
class DfPn(Search):
    """Proof numbers: a win, a draw or a loss proven where few moves matter, however deep."""

    name = "dfpn"
    needs = frozenset({Trait.DUEL})
    excludes = frozenset({Trait.CHANCE, Trait.HIDDEN, Trait.REPETITION})
    limits = frozenset({"seconds", "nodes"})

    megabytes: float = field(
        default=64.0, validator=[validators.gt(0), validators.le(MOST_MEGABYTES)]
    )
    """Size of the table; what took least work to find is forgotten first."""
    epsilon: float = field(default=0.25, validator=[validators.ge(0), validators.le(1000)])
    """How much longer than the second-best move the best is followed, as a share."""
    weak: bool = True
    """Count of the replies to be refuted the hardest and one for each other; else their sum."""
    focus: float = field(default=0.1, validator=[validators.gt(0), validators.le(1)])
    """Share of the moves, two at least, that are open at a time; for one refuted the next comes."""
    ends: bool = True
    """When a state is first gone into, ask of all its moves whether one wins at once."""
    order: bool = True
    """Use the game's own `order` to say which moves come first."""
    history: bool = True
    """Let of moves that are equal in that those come first that proved something elsewhere."""
    reduce: bool = True
    """Try one of several moves that the game calls equivalent."""
    bounds: bool = True
    """Go no further than the game's own `bounds` leave room for."""
    solved: bool = False
    """Ask the game's own `solved` at every state but the first, and search none that it knows."""

    @property
    def deterministic(self) -> bool:
        """It draws no lots."""
        return True

    def objection(self, game: Game[Any]) -> str | None:
        """A proof needs two sides that want the contrary of each other, and lines that end."""
        if Trait.REPETITION in game.traits:
            return f"{self} does not support repetition ({game}); {NO_REPETITION}"
        return super().objection(game) or sides_objection(self, game)

    def open(self, game: Game[Any] | None = None) -> DfPnRun:
        """A run that keeps a table."""
        return DfPnRun(self, game)

    def driver(self, state: State[Any], limit: Limit, lease: Lease) -> Driver:
        """The working memory of the search of a state, compiled where the game's rules can be.

        Raises Objection where positions can recur.
        """
        if state.repeats:
            raise Objection(f"{self} does not support repetition; {NO_REPETITION}")
        if has_kernels(state):
            from dragon.search.dfpn_compiled import CompiledDriver

            return CompiledDriver(self, state, limit, lease)
        from dragon.search.dfpn_plain import PlainDriver

        return PlainDriver(self, state, limit, lease)


class DfPnRun(Run):
    """Asks until both bounds meet; the table stays from move to move."""

    search: DfPn

    def __init__(self, search: DfPn, game: Game[Any] | None = None) -> None:
        from dragon.table import Lease

        super().__init__(search, game)
        self._lease = Lease(search.megabytes)

    def close(self) -> None:
        """Gives the table back for searches to come."""
        self._lease.close()

    def driver(self, state: State[Any], limit: Limit) -> Driver:
        """The working memory of the search of a state, with the table of this run."""
        return self.search.driver(state, limit, self._lease)

    def improve(
        self, position: Position, limit: Limit, rng: np.random.Generator
    ) -> Iterator[Result]:
        """A result for each answer, until both bounds meet or the budget is spent."""
        search, state = self.search, position.state
        check_sides(search, state)
        driver = self.driver(state, limit)
        low, high = span(search, state)
        sign, lead, result = side(state), None, None
        for answer, low, high in narrowing(search, driver, state):
            if answer.yes is None:
                yield _stopped(driver, state, (low, high), result, answer)
                return
            if yes := answer.yes == (sign > 0):
                lead = answer.move
            bound = Bound.EXACT if low == high else Bound.LOWER if yes else Bound.UPPER
            move = answer.move if lead is None else lead
            result = _claim(driver, state, (low, high), bound, low if yes else high, move)
            yield result
        if result is None:
            yield _claim(driver, state, (low, high), Bound.EXACT, low, state.moves()[0])


def span(search: DfPn, state: State[Any]) -> tuple[int, int]:
    """The least and the most units that the mover can get, before any search."""
    most = whole_units(state, state.largest)
    low, high = -most, most
    if search.bounds and (bounds := state.bounds()) is not None:
        least, greatest = (whole_units(state, units) for units in bounds)
        low, high = max(low, least), min(high, greatest)
    return (low, high) if side(state) > 0 else (-high, -low)


def narrowing(search: DfPn, driver: Driver, state: State[Any]) -> Iterator[tuple[Answer, int, int]]:
    """Asks until the mover's least and most units meet: each answer, and the two after it.

    The last answer may be none, where the budget ended.
    """
    low, high = span(search, state)
    sign = side(state)
    while low < high:
        wanted = high if high - low <= 2 else (low + high + 1) // 2
        answer = driver.ask(state, wanted if sign > 0 else 1 - wanted)
        if answer.yes is not None and answer.yes == (sign > 0):
            low = max(low, sign * answer.worth)
        elif answer.yes is not None:
            high = min(high, sign * answer.worth)
        yield answer, low, high
        if answer.yes is None:
            return


def _claim(
    driver: Driver, state: State[Any], known: tuple[int, int], bound: Bound, units: int, move: Any
) -> Result:
    """A result that says `bound` of so many units for the mover."""
    nodes, seconds, extra = driver.budget.nodes, driver.budget.seconds, _extra(driver, state, known)
    line = (move,)
    if bound is Bound.EXACT:
        line = tuple(_line(driver, state, units * side(state), move))
    return Result(units * state.unit, bound, line, 0.0, nodes, seconds, extra)


def _extra(driver: Driver, state: State[Any], known: tuple[int, int]) -> dict[str, Any]:
    at_least, at_most = (units * state.unit for units in known)
    return {"at_least": at_least, "at_most": at_most, "hits": driver.hits}


def _stopped(
    driver: Driver, state: State[Any], known: tuple[int, int], result: Result | None, answer: Answer
) -> Result:
    """What is claimed at an early end: the last answer after more work, or no more than a move."""
    nodes, seconds = driver.budget.nodes, driver.budget.seconds
    extra = {**_extra(driver, state, known), **answer.told}
    if result is not None:
        line = result.line
        if result.bound is Bound.UPPER and answer.move is not None:
            line = (answer.move,)
        return evolve(result, line=line, nodes=nodes, seconds=seconds, extra=extra)
    move = state.moves()[0] if answer.move is None else answer.move
    value = min(max(0, known[0]), known[1]) * state.unit
    return Result(value, Bound.ESTIMATE, (move,), 0.0, nodes, seconds, extra)


def _line(driver: Driver, state: State[Any], worth: int, move: Any) -> Iterator[Any]:
    """The best line of a state that is worth so many units to seat 0, as far as it is known.

    Who can do no worse replies with what took most work to refute.
    """
    looks = 0
    while move is not None:
        yield move
        state = state.after(move)
        if state.turn == TERMINAL:
            return
        moves, move = state.moves(), None
        looks += len(moves)
        if looks > LOOKS or driver.budget.late():
            return
        sign = side(state)
        worst = worth == -sign * whole_units(state, state.largest)
        asked = worth if (sign > 0) != worst else worth + 1
        best = -1
        for each, child in zip(moves, following(state), strict=True):
            proof, disproof, _ = driver.known.look(child, asked)
            if worst and (work := driver.known.work(child, asked)) > best:
                move, best = each, work
            elif not worst and (proof if sign > 0 else disproof) == 0:
                move = each
                break


def following(state: State[Any]) -> Iterator[State[Any]]:
    """The states after each move, without a detour by the notation where there is a code."""
    moves = state.moves()
    if isinstance(state, RecordState) and isinstance(moves, Moves):
        return (state.play(code) for code in moves.codes.tolist())
    return (state.after(move) for move in moves)
