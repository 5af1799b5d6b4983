"""`dragon profile`: the time of a playout, rule by rule.

Compiled rules are inlined into their kernels and cannot be timed there. So kernels here call each
rule by itself on the records of random games: an `ask` on one record, a `time` on many. Those of
the optional rules follow from their declarations (`timers`).
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import click
from attrs import asdict, frozen

from dragon.bits import Random
from dragon.cli_tools import Seconds, as_json, first_move, followed, tell
from dragon.columns import filled, table
from dragon.config import game
from dragon.core import CHANCE, TERMINAL, Game
from dragon.errors import ConfigError
from dragon.modes import OPTIMISED
from dragon.plugins import games
from dragon.rules.contract import OPTIONAL, RULES
from dragon.rules.kernels.playout import step, step_to_end
from dragon.rules.kernels.rehearsal import calling
from dragon.rules.kernels.state import weigh_chance
from dragon.rules.playout import Playouts
from dragon.rules.record import has_kernels
from dragon.rules.rehearsal import kernels_of
from dragon.rules.rules import RulesWith
from dragon.rules.template import HAS_ODDS, SEATS, kernel, moves, payoff, play, turn
from dragon.search.budget import now, processor_time

BESIDE = ("tictactoe", "connect4", "hex")
"""Well-known games, which are measured too."""
BYTES, LEAST = 1 << 18, 256
"""The size of the sample of states: bytes, which a processor's caches hold, or at least states."""
MOST = 1 << 40
"""The most calls, for a rule that costs nothing, since the compiler knows its value."""
GAMES = 16
"""The least games whose plies are timed."""
MOVES_OF_CHANCE = "moves of chance"
WITH = {"play": "copy", "odds": MOVES_OF_CHANCE} | {
    name: "moves" if "number" in RULES[name].kinds[2:] else "copy"
    for name in OPTIONAL
    if "number" in RULES[name].kinds[2:] or RULES[name].changes
}
"""The work that is timed together with a rule, and subtracted."""
REPEATS = 10
"""Measurements of each; the shortest counts, since other programs only make one longer."""


@frozen
class Row:
    """The cost of one rule."""

    rule: str
    seconds: float
    """Seconds of a call."""
    calls: float
    """Calls in a playout; 0 for a rule that only searches call."""


@frozen
class Profile:
    """The time of a game's playouts, by rule."""

    game: str
    playout: float
    """Seconds."""
    plies: float
    """The average plies of a playout."""
    rows: tuple[Row, ...]

    @property
    def rest(self) -> float:
        """Seconds of a playout that no row explains; below 0 where inlining makes rules faster."""
        return self.playout - sum(row.seconds * row.calls for row in self.rows)


@click.command()
@click.argument("spec", metavar="GAME")
@click.option("--beside", metavar="GAME", multiple=True,
              help="Measure this game too, not classics; may be given several times.")  # fmt: skip
@click.option("--seconds", type=Seconds(0.01), default=0.1, metavar="S",
              help="Seconds for each measurement (0.1).")  # fmt: skip
@as_json
def profile(spec: str, beside: tuple[str, ...], seconds: float, as_json: bool) -> None:
    """Show where a playout of GAME spends its time, rule by rule, beside the classics.

    Compiled, rules are woven into one another and cannot be timed there. So each is called by
    itself, on the states of random games, and the playout is timed as a whole: shares are close
    and not exact. `rest` is what the rules leave: drawing moves, what the processor guesses
    wrong, less what weaving saves; up to a nanosecond of each call is the loop that makes it.
    Rules that only searches call do not have a share. Time is processor time, compiling left out.

    \b
    Examples:
      dragon profile connect4
      dragon profile "hex(size=7)" --beside "hex(size=11)"
      dragon profile tictactoe --json
    """
    of = game(spec)
    others = [game(each) for each in beside or [name for name in BESIDE if name in games()]]
    asked = (of, *(other for other in others if other != of))
    with processor_time(), OPTIMISED.under("1"):
        stream = (measured(each, seconds) for each in asked)
        made, interrupted = followed(stream, len(asked), "games")
    if made:
        row = [asdict(each) | {"rest": each.rest} for each in made]
        tell(as_json, row, [] if as_json else lines(made))
    if interrupted:
        raise KeyboardInterrupt


def lines(made: list[Profile]) -> list[str]:
    """The table: the first with calls and shares, then of each the nanoseconds a call."""
    first, *others = made
    names = [each.game for each in others]
    title = f"{first.game}: a playout takes {first.playout * 1e6:,.2f} µs"
    heads, found = ("", "share", "calls", "ns a call", *names), []
    for row in first.rows:
        share = f"{row.seconds * row.calls / first.playout:.0%}" if row.calls else "-"
        calls = f"{row.calls:.1f}" if row.calls else "-"
        same = [next((r for r in o.rows if r.rule == row.rule), None) for o in others]
        cells = ["-" if cell is None else f"{cell.seconds * 1e9:,.1f}" for cell in same]
        found.append((row.rule, share, calls, f"{row.seconds * 1e9:,.1f}", *cells))
    found.append(("rest", f"{first.rest / first.playout:.0%}", *[""] * (1 + len(made))))
    plies = [f"{each.playout / each.plies * 1e9:,.1f}" for each in made]
    found.append(("a ply in all", "", "", *plies))
    return [*filled([f"{title} and {first.plies:.1f} plies"]), "", *table(heads, found)]


def measured(of: Game[Any], seconds: float) -> Profile:
    """The profile of a game; raises ConfigError for one whose rules are not compiled."""
    import numpy as np

    state = first_move(of)
    if not has_kernels(state):
        raise ConfigError(
            f"{of} has no compiled rules to be measured one by one; Python's own profiler shows "
            f'where its time goes: python -m cProfile -s tottime -m dragon bench "{of}"'
        )
    rules, random = state.rules, Random(1)
    bound = RulesWith(rules, timers(rules.bindings()))
    kernels = kernels_of("dragon.commands.profile", rules, bound=bound)
    playouts = Playouts(state)
    plies = playouts.run(LEAST, random).plies / LEAST
    size = max(LEAST, BYTES // rules.layout.itemsize, int(4 * plies))
    states, rolls = np.zeros(size + 2, rules.layout), np.zeros(size, rules.layout)
    states[size] = np.frombuffer(state.data, rules.layout)[0]
    codes, counts = np.zeros(size, np.int64), np.zeros(3, np.int64)
    out = np.zeros(rules.width * (2 if rules.before else 1), np.int64)
    scores = np.zeros(rules.width, np.int64)
    weights = np.zeros(rules.width if rules.gives("weights") else 0)
    kernels.gather(states, codes, rolls, counts, out, weights, random.state)
    ends = np.zeros(LEAST, rules.layout)
    kernels.gather_ends(ends, states[size : size + 1].copy(), out, weights, random.state)
    states, rolls = states[:size], rolls[: counts[1]]
    scratch = Scratch(
        codes, np.zeros(16, rules.layout), out, scores, weights, random.state, rules.opened()
    )

    def asking(rule: str, over: Any = states) -> Callable[[int], object]:
        kernel = getattr(kernels, f"time_{rule}")
        return lambda n: kernel(over, scratch, n)

    works: dict[str, Callable[[int], object]] = {"playout": lambda n: playouts.run(n, random)}
    works |= {rule: asking(rule) for rule in ("copy", "turn", "moves")}
    if len(rolls):
        works |= {MOVES_OF_CHANCE: asking("moves", rolls), "odds": asking("odds", rolls)}
    works |= {"play": asking("play"), "payoff": asking("payoff", ends)}
    works |= {rule: asking(rule) for rule in OPTIONAL if rule in rules.named() and rule != "odds"}

    rolled = plies * float(counts[1] / (counts[0] + counts[1]))
    calls = {"copy": 1.0, "turn": plies + 1, "play": plies, "payoff": float(len(rules.teams))}
    calls |= {MOVES_OF_CHANCE: rolled, "odds": rolled}
    calls["sample" if rules.sample else "moves"] = plies - rolled
    if rules.finish:  # a playout is one step
        calls |= dict.fromkeys(("play", "sample", "moves"), 0.0) | {"turn": 1.0, "finish": 1.0}
    spent = _shortest(works, seconds, GAMES * math.ceil(plies))
    playout = spent.pop("playout")
    spent["payoff"] /= len(rules.teams)
    rows = (
        Row(rule, max(0.0, each - spent.get(WITH.get(rule, ""), 0.0)), calls.get(rule, 0.0))
        for rule, each in spent.items()
    )
    return Profile(str(of), playout, plies, tuple(rows))


def _shortest(
    works: dict[str, Callable[[int], object]], seconds: float, fewest: int
) -> dict[str, float]:
    """Seconds of one of n in each `work(n)`: the shortest of REPEATS times.

    n is GAMES or more of playouts, `fewest` or more of all else. All take turns, so that none is
    measured only while other programs are busy.
    """
    least, shortest, sizes = seconds / REPEATS, dict.fromkeys(works, math.inf), {}
    for name, work in works.items():
        work(1)  # compiled or loaded
        n = GAMES if name == "playout" else fewest
        spent = _timed(work, n)
        while spent < least and n < MOST:
            n = max(2 * n, min(16 * n, int(n * least / max(spent, 1e-7))))
            spent = _timed(work, n)
        sizes[name] = n
    for _ in range(REPEATS):
        for name, work in works.items():
            shortest[name] = min(shortest[name], _timed(work, sizes[name]) / sizes[name])
    return shortest


def _timed(work: Callable[[int], object], n: int) -> float:
    begun = now()
    work(n)
    return now() - begun


# ---- the kernels


class Scratch(NamedTuple):
    """The arrays that rules read and write beside a record; width: the most moves of a state."""

    codes: Any
    """int64[n]: the move that followed each record."""
    records: Any
    """records[any], to be played on."""
    out: Any
    """int64[width]; twice as long in a game with `before`."""
    scores: Any
    """int64[width]."""
    weights: Any
    """float64[width], empty for a game without a rule that is given weights."""
    random: Any
    """The generator, as for `step`."""
    tablebase: Any
    """The tablebase, as the rule `solved` gets it."""


@kernel
def gather(states, codes, rolls, counts, out, weights, random):
    """Fill `states` with those of random games, and `rolls` with those where chance has odds.

    states: records[n + 2]; the last but one is the first state of every game, the last is
    scratch. codes: int64[n], the move that followed. rolls: records[any]; counts: int64[3], set to
    how many states and rolls are kept, and how many games have ended. out, weights, random:
    as for `step`.
    """
    n = len(codes)
    s = states[n + 1]
    counts[:] = 0
    while counts[0] < n:
        states[n + 1] = states[n]
        seat = turn(s)
        while seat != TERMINAL and counts[0] < n:
            if HAS_ODDS and seat == CHANCE:
                if counts[1] < len(rolls):
                    rolls[counts[1]] = s
                    counts[1] += 1
                play(s, step(s, seat, out, weights, random, False))
            else:
                code = step(s, seat, out, weights, random, False)
                states[counts[0]] = s
                codes[counts[0]] = code
                counts[0] += 1
                play(s, code)
            seat = turn(s)
        counts[2] += 1
    return counts[2]


@kernel
def gather_ends(ends, first, out, weights, random):
    """Fill `ends` with the last states of random games from first[0], and return how many plies
    they took."""
    plies = 0
    for i in range(len(ends)):
        ends[i] = first[0]
        plies += step_to_end(ends[i], out, weights, random, False)
    return plies


def timing(ask):
    """Return the kernel that calls `ask(states, i, scratch)` `count` times, through all states in
    turn.

    It returns what depends on all that was answered, so that the compiler leaves nothing out.
    """

    @kernel
    def time(states, scratch, count):
        total = ask(states, 0, scratch)
        i = 0
        for _ in range(count):
            total += ask(states, i, scratch)
            i = i + 1 if i + 1 < len(states) else 0
        return total

    return time


@kernel
def ask_copy(states, i, scratch):
    """Copy the record, as `play` needs it."""
    scratch.records[i % len(scratch.records)] = states[i]
    return i


@kernel
def ask_turn(states, i, scratch):
    return turn(states[i])


@kernel
def ask_moves(states, i, scratch):
    """List the moves, and return how many they are."""
    return moves(states[i], scratch.out)


@kernel
def ask_play(states, i, scratch):
    """Play the move that followed, on a copy."""
    scratch.records[i % len(scratch.records)] = states[i]
    play(scratch.records[i % len(scratch.records)], scratch.codes[i])
    return i


@kernel
def ask_payoff(states, i, scratch):
    """Ask for the payoffs of all seats, whose plain sum may always be 0."""
    total = 0
    for seat in range(SEATS):
        total += (seat + 1) * payoff(states[i], seat)
    return total


@kernel
def ask_odds(states, i, scratch):
    """Ask for the odds, with `moves`, which says how many they are."""
    n = moves(states[i], scratch.out)
    weigh_chance(states[i], scratch.weights, n)
    return scratch.weights[0]


def asking(name: str, own: Any) -> Any:
    """Return the kernel that calls an optional rule, as it is declared.

    It lists the moves before, where the rule is given them, and copies a record that it changes.
    """
    rule = RULES[name]
    call, given, changes = calling(rule, own), "number" in rule.kinds[2:], rule.changes

    @kernel
    def ask(states, i, scratch):
        n = moves(states[i], scratch.out) if given else 0
        if changes:
            at = i % len(scratch.records)
            scratch.records[at] = states[i]
            return call(scratch.records[at], scratch, n)
        return call(states[i], scratch, n)

    return ask


def timers(bound: Mapping[str, Any]) -> dict[str, Any]:
    """Return the kernel `time_...` of each optional rule among a game's bindings, except `odds`."""
    named = (name for name in OPTIONAL if name in bound and name != "odds")
    return {f"time_{name}": timing(asking(name, bound[name])) for name in named}


time_copy, time_turn, time_moves = timing(ask_copy), timing(ask_turn), timing(ask_moves)
time_play, time_payoff, time_odds = timing(ask_play), timing(ask_payoff), timing(ask_odds)
