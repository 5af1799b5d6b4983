"""The contract of rules: each rule, required or optional, is declared here, once.

Each function below declares the rule of its name. Its docstring is the documentation; its body is
the *null form*, which kernels call where a game does not have the rule, and the compiler removes.
The decorator `asked` declares the rest: the kinds of the arguments, the kind of the value and its
range, at which turns it is called, and which searches call it. From this list follow the fields of
`Rules`, the methods of `RecordState`, guards, rehearsals, `dragon profile`, the names of templates,
the laws of compiled rules, and the tables of the reference.

The kinds of arguments are: record, of the game's layout; moves, an array of int64 with move codes;
codes, another array of int64; weights, of float64; random, of uint64, for `dragon.bits.draw`;
bytes, of uint8, to be read only; number, an integer. An array has the length in brackets, in every
call of the rule: `width` of the game's Rules, `n` moves, which is an argument too except of `odds`,
or any. Guards cut it to that length (`dragon.rules.kernels.guards`).

>>> RULES["reduce"].signature, RULES["reduce"].kinds, RULES["reduce"].returns
('reduce(s, out, n)', ('record', 'moves', 'number'), 'integer')
>>> RULES["before"].lengths
{'out': '2 * width'}
"""
# mypy: disable-error-code="no-untyped-def,untyped-decorator"

from __future__ import annotations

import re
from collections.abc import Callable
from types import FunctionType
from typing import Any

from attrs import frozen

ARRAYS = {"moves": "int64", "codes": "int64", "weights": "float64", "random": "uint64",
          "bytes": "uint8"}  # fmt: skip
"""The kinds of arguments that are arrays, with the type of their elements."""
RETURNS = {"integer": "an integer", "truth": "an integer", "units": "an integer",
           "word": "an integer", "number": "a number", "units and units": "two integers",
           "units and plies": "two integers", "nothing": "nothing"}  # fmt: skip
"""The kinds of return values: a word may be a bit set; units are whole numbers, each worth
`Rules.unit`; the value of a rule that returns nothing is ignored."""


@frozen
class Contract:
    """The declaration of one rule."""

    null: FunctionType
    """The null form; of a required rule only its arguments and its docstring count."""
    kinds: tuple[str, ...]
    """The kinds of its arguments."""
    lengths: dict[str, str]
    """The length of each argument that is an array, by its name."""
    returns: str
    """The kind of its value, one of RETURNS."""
    used_by: str = ""
    """The searches that use it, in Markdown; empty for a required rule."""
    asked_at: str = "any"
    """The turns at which it is called: of a "seat", of "chance", or "any" but the end."""
    within: tuple[str, str] | None = None
    """The least and the greatest value, in terms of the numbers of Rules; checked code tests it."""
    breach: str = ""
    """The message for a value outside."""
    changes: bool = False
    """True if it changes the record, as `play` does; others must leave it as it is."""
    method: str = ""
    """The method of a State that has the same meaning."""

    @property
    def name(self) -> str:
        """The name of the rule."""
        return self.null.__name__

    @property
    def parameters(self) -> list[str]:
        """The names of its arguments."""
        return parameters_of(self.null)

    @property
    def signature(self) -> str:
        """The name and the arguments, as in the reference."""
        return f"{self.name}({', '.join(self.parameters)})"

    @property
    def meaning(self) -> str:
        """The documentation, with the lengths of arrays, as one line of Markdown."""
        kinds = dict(zip(self.parameters, self.kinds, strict=True))
        arrays = [f"`{n}` is {ARRAYS[kinds[n]]}[{size}]" for n, size in self.lengths.items()]
        sizes = f" {', '.join(arrays)}." if arrays else ""
        return " ".join((self.null.__doc__ or "").split()) + sizes


def parameters_of(function: Any) -> list[str]:
    """The names of the arguments of a function that takes only positional ones."""
    return [*function.__code__.co_varnames[: function.__code__.co_argcount]]


RULES: dict[str, Contract] = {}
"""All rules by name: first the required ones, then the optional ones."""


def asked(given: str, returns: str, used_by: str = "", **more: Any) -> Callable[[Any], Any]:
    """Declare the rule of a function's name.

    given: the kinds of its arguments, with lengths. more: other fields of Contract. `method` is the
    rule's own name unless it is given.
    """
    found = re.findall(r"(\w+)(?:\[([^]]+)\])?", given)

    def declare(null: FunctionType) -> FunctionType:
        lengths = {
            name: length
            for name, (_, length) in zip(parameters_of(null), found, strict=True)
            if length
        }
        kinds = tuple(kind for kind, _ in found)
        fields = {"method": null.__name__} | more
        RULES[null.__name__] = Contract(null, kinds, lengths, returns, used_by, **fields)
        return null

    return declare


@asked("record moves[width]", "integer")
def moves(s, out):
    """Write the codes of the legal moves into `out`; return how many. Not called at the end."""
    return 0


@asked("record number", "nothing", changes=True)
def play(s, move):
    """Make a move: change the record in place. Searches work on copies."""


@asked("record", "integer")
def turn(s):
    """The seat to move, `CHANCE` or `TERMINAL`. It alone decides when a game is over."""
    return -2


@asked("record number", "units")
def payoff(s, seat):
    """The payoff of `seat`, a whole number of units. Called at terminal records only; the two teams
    of a DUEL sum to zero."""
    return 0


@asked("record", "word", "the tables of `alphabeta` and `dfpn`, `dragon table`")
def key(s):
    """The 64-bit key of a position for transposition tables, such as a Zobrist key. Default: a hash
    of the record, which is not injective, so that a proof holds up to collision. Symmetric
    positions may share a key. A position whose key is 0 is not kept in tables: return 0 where a
    lookup costs more than it saves. Not called in a game with `REPETITION`."""
    return 0


@asked(
    "record moves[n] number codes[n]", "nothing", '`alphabeta`, `dfpn`, `mcts` by "puct"',
    asked_at="seat",
)  # fmt: skip
def order(s, out, n, scores):
    """Move ordering: write a whole number for each of the n moves in `out`; the highest is tried
    first."""


@asked(
    "record number", "number", "every search that stops at a horizon",
    within=("-0.9999999999999999", "0.9999999999999999"), breach="it is not between -1 and 1",
)  # fmt: skip
def evaluate(s, seat):
    """The static evaluation for `seat`, in (-1, 1)."""
    return 0.0


@asked(
    "record weights[n]", "nothing", "`exhaustive`, `alphabeta`, playouts, `mcts`, referees",
    asked_at="chance",
)  # fmt: skip
def odds(s, out):
    """Write the probability of each move at a `CHANCE` record. Default: uniform."""


@asked("record random[1]", "integer", "playouts: `mcts`, `montecarlo`")
def sample(s, random):
    """A random move code, without a list of all moves; `dragon.bits.draw(random, n)` draws a
    number. Every legal move must have some probability, at a `CHANCE` record that of `odds`."""
    return 0


@asked(
    "record random[1]", "integer", "playouts at random: `mcts`, `montecarlo`, `dragon bench`",
    changes=True, method="finished", within=("0", "plies"),
    breach="it must return how many plies it played, at most plies = {plies}",
)  # fmt: skip
def finish(s, random):
    """Play at random to the end in one step; return the number of plies, which may include plies
    after the game was decided. Payoffs must have the same distribution as by `sample`, or by moves
    drawn one by one; the rest of the terminal record does not matter. Not called at terminal
    records."""
    return 0


@asked(
    "record number", "integer", '`mcts` by "grave", with `finish`', method="",
    within=("-1", "seats - 1"), breach="it must return a seat, or -1",
)  # fmt: skip
def maker(s, move):
    """The seat that has played `move`, -1 if none has. With it, `finish` can be used by searches
    that learn from the moves of playouts (AMAF). Called at records made by `finish`, with moves
    that were legal before it, each of which is played at most once in a game."""
    return -1


@asked(
    "record number", "nothing", "every search, in a game with the trait `HIDDEN`", changes=True,
    method="seen",
)  # fmt: skip
def hide(s, seat):
    """Remove from the record what `seat` does not see, so that states in one information set become
    equal. The rest must be enough to list the moves, and keep all evidence of what is hidden: in a
    card game, say, that a player could not follow a suit. The rule is also called, at any turn,
    with records to which it has been applied already."""


@asked(
    "record number random[1]", "nothing", "`determinize`", changes=True, asked_at="seat",
    method="determinize",
)  # fmt: skip
def deal(s, seat, random):
    """Fill the record, from which `hide` removed what `seat` does not see, with a random world
    (determinization) by `dragon.bits.draw`: each with its probability by chance, where other seats'
    moves do not count. So a world's weight is the sum, over the histories of what `seat` has seen
    and done that end in it, of the product of chance's odds. Default: worlds by replay, not drawn
    by their odds, not always found."""


@asked(
    "record", "units", "`alphabeta`, `dfpn`, searches for paths, `dragon table`",
    within=("-largest", "largest"), breach="it is more than largest = {largest}",
)  # fmt: skip
def banked(s):
    """Units that seat 0's team has secured already. Tables then keep what is still to come."""
    return 0


@asked(
    "record moves[n] number", "integer", "`alphabeta`, `dfpn`, `mcts`, searches for paths",
    asked_at="seat", method="distinct",
)  # fmt: skip
def reduce(s, out, n):
    """Remove moves from `out` that are equivalent to, or no better and no quicker than, one that
    stays; returns how many are left. Those dropped stay legal."""
    return n


@asked("record", "units and units", "`alphabeta`, `dfpn`, searches for paths")
def bounds(s):
    """The least and the greatest payoff, in units, that seat 0 can still get: a pair, which must be
    true but need not be tight. With it, the setting `sooner` of `alphabeta` is off by default."""
    return -1, 1


@asked(
    "record bytes[any]", "units and plies",
    "`alphabeta`, `dfpn`, `mcts`, where their setting `solved` is on", asked_at="seat",
)  # fmt: skip
def solved(s, tablebase):
    """The value where it is known without a search, as from an endgame table (tablebase): the units
    of seat 0 under best play, and the plies to the end: 0 if these are not known (they must be
    where a sooner win counts for more), -1 if the value is not known."""
    return 0, -1


@asked("record", "word", "`astar`, `beam`, `breadth`, `idastar`, `dragon table`")
def place(s):
    """The 64-bit key of a position without its past. States share it that differ only in the plies
    made and in what is banked, but never in the seat to move (except that positions may share it,
    in a table, that are equal with the sides exchanged). For one seat, the state with more `banked`
    is never worse; for two seats, values less `banked` are equal. Default: `key`, or a hash of the
    record. A state whose place is 0 is not kept in tables."""
    return 0


@asked("record moves[n] number weights[n]", "nothing", '`mcts` by "puct"', asked_at="seat")
def prior(s, out, n, scores):
    """Write a prior for each of the n moves in `out`, a number above 0 in proportion to the
    probability that the move is best. Default: a prior that follows from `order`."""


@asked(
    "record moves[width]", "integer", "`alphabeta` in a game with `evaluate`", asked_at="seat",
    within=("-1", "width"), breach="it must return how many moves it wrote, or -1",
)  # fmt: skip
def noisy(s, out):
    """Write the moves of quiescence search, those that change the evaluation (captures, say);
    return how many, or -1 where no evaluation can be trusted (in check), so that all moves are
    searched."""
    return 0


@asked(
    "record", "truth", "`alphabeta` in a game with `evaluate`", asked_at="seat", changes=True,
    method="skipped",
)  # fmt: skip
def skip(s):
    """Make a null move: pass the turn, as `play` makes a move; return whether searches may assume
    that some move is better than the pass. Return False in check, and where zugzwang is likely; the
    record is then ignored. Passing need not be legal in the game."""
    return False


@asked(
    "record", "integer", "`dragon table`", asked_at="seat",
    within=("0", "ranks - 1"), breach="it is not a number from 0 to below ranks = {ranks}",
)  # fmt: skip
def rank(s):
    """The unique number of a position, from 0 to `ranks` - 1, its index in a table. As with
    `place`, positions share it that differ only in the plies made, or that are equal with the sides
    exchanged. `unrank` must be given as well. Not called at terminal records, unless there is
    `before`."""
    return -1


@asked(
    "record number", "integer", "`dragon table`", asked_at="seat", changes=True, method="",
    within=("-1", "seats - 1"), breach="it must return a seat, or -1",
)  # fmt: skip
def unrank(s, number):
    """Change the first record into the position with this number; return the seat to move there,
    also if the game is over; -1 if no position has this number, and the record is then ignored."""
    return -1


@asked(
    "record codes[2 * width]", "integer", "`dragon table`, which is several times faster with it",
    asked_at="seat", method="",
)  # fmt: skip
def before(s, out):
    """Write the numbers of the predecessors: the positions with a move to this one, one for each
    such move (retrograde analysis); return how many, at most twice `width`. Numbers of no position,
    or of terminal ones, may be among them. Sides must alternate, and terminal positions have
    numbers too."""
    return 0


REQUIRED = tuple(name for name, rule in RULES.items() if not rule.used_by)
OPTIONAL = tuple(name for name, rule in RULES.items() if rule.used_by)
