"""The contract of rules: a hook is declared here, once, with all that dragon knows of it.

Each function below declares the rule of its name. Its docstring is the documentation; its body is
the *null form*, which kernels call where a game does not have the rule, and the compiler removes.
`asked` says the rest: the kinds of the arguments, the kind of the value, its range, the seats at
whose turn it is asked, and the searches that ask it. From this list follow the fields of `Rules`,
the methods of `RecordState`, guards, rehearsals, `dragon profile`, the names of templates, the
laws of compiled rules, and the tables of the reference.

The kinds of arguments are: record, of the game's layout; moves, an array of int64 with move codes;
codes, another array of int64; weights, of float64; random, of uint64, for `dragon.bits.draw`;
bytes, of uint8, to be read only; number, an integer. An array has the length that stands in
brackets, wherever the rule is called: `width` of the game's Rules, `n` moves, which is an argument
too except of `odds`, or any. Guards cut it to that length (`dragon.rules.kernels.guards`).

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
"""The kinds of values: a word may be a bit set; units are counted, and are worth `Rules.unit` each;
of a rule that returns nothing no value is read."""


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
    """The searches that ask it, in Markdown; empty for a required rule."""
    asked_at: str = "any"
    """The turns at which it is asked: of a "seat", of "chance", or "any" but the end."""
    within: tuple[str, str] | None = None
    """The least and the greatest value, in terms of the numbers of Rules; checked code tests it."""
    breach: str = ""
    """The message for a value outside."""
    changes: bool = False
    """Whether it changes the record, as `play` does; others must leave it as it is."""
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
"""All rules by name: first those that a game must have, then those that it may have."""


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
    """Write move codes into `out`; return how many. Asked only when a seat or chance is to move."""
    return 0


@asked("record number", "nothing", changes=True)
def play(s, move):
    """Changes the record in place. Searches work on copies."""


@asked("record", "integer")
def turn(s):
    """The seat to move, `CHANCE` or `TERMINAL`. It alone decides when a game is over."""
    return -2


@asked("record number", "units")
def payoff(s, seat):
    """A whole number of units for `seat`. Asked at terminal records only; the two teams of a DUEL
    sum to zero."""
    return 0


@asked("record", "word", "the tables of `alphabeta` and `dfpn`, `dragon table`")
def key(s):
    """64 bits that equal positions share. Default: a hash of the record, which is not injective, so
    that a proof holds up to collision. Symmetry goes here. A position whose key is 0 is not kept:
    so where asking costs more than it saves. Not asked in a game with `REPETITION`."""
    return 0


@asked(
    "record moves[n] number codes[n]", "nothing", '`alphabeta`, `dfpn`, `mcts` by "puct"',
    asked_at="seat",
)  # fmt: skip
def order(s, out, n, scores):
    """Write a whole number for each of the n moves in `out`; the highest is tried first."""


@asked(
    "record number", "number", "every search that stops at a horizon",
    within=("-0.9999999999999999", "0.9999999999999999"), breach="it is not between -1 and 1",
)  # fmt: skip
def evaluate(s, seat):
    """A guess in (-1, 1) of how well `seat` stands."""
    return 0.0


@asked(
    "record weights[n]", "nothing", "`exhaustive`, `alphabeta`, playouts, `mcts`, referees",
    asked_at="chance",
)  # fmt: skip
def odds(s, out):
    """Write the probability of each move at a `CHANCE` record. Default: uniform."""


@asked("record random[1]", "integer", "playouts: `mcts`, `montecarlo`")
def sample(s, random):
    """A move code at random without a list of all: `dragon.bits.draw(random, n)` draws. Every move
    should come at times, and at a `CHANCE` record each as often as `odds` says."""
    return 0


@asked(
    "record random[1]", "integer", "playouts at random: `mcts`, `montecarlo`, `dragon bench`",
    changes=True, method="finished", within=("0", "plies"),
    breach="it must return how many plies it played, at most plies = {plies}",
)  # fmt: skip
def finish(s, random):
    """Play at random to the end in one step; return the number of plies, in which those beyond an
    earlier end may count. Payoffs must come as often as by `sample`, or moves drawn one by one; how
    the end looks otherwise does not matter. Not asked where the game is over."""
    return 0


@asked(
    "record number", "integer", '`mcts` by "grave", with `finish`', method="",
    within=("-1", "seats - 1"), breach="it must return a seat, or -1",
)  # fmt: skip
def maker(s, move):
    """The seat that played `move` before the record at hand, -1 if none did. With it `finish`
    serves searches that learn from the moves of playouts (AMAF). Asked at records that `finish` has
    left, of moves that were legal before, each of which is played once at most in a game."""
    return -1


@asked(
    "record number", "nothing", "every search, in a game with the trait `HIDDEN`", changes=True,
    method="seen",
)  # fmt: skip
def hide(s, seat):
    """Remove what `seat` does not see from the record, so that states alike to it become equal. The
    rest must be enough to move, and have all that bears on what is hidden: at cards a suit that a
    player could not follow, say. The rule is also asked of records from which it has removed
    something, at any turn."""


@asked(
    "record number random[1]", "nothing", "`determinize`", changes=True, asked_at="seat",
    method="determinize",
)  # fmt: skip
def deal(s, seat, random):
    """Fill the record, from which `hide` removed what `seat` does not see, with a random world by
    `dragon.bits.draw`: each as often as chance makes it, where the other seats move in any way. So
    a world's weight is the sum, over the histories of what `seat` has seen and done that end in it,
    of the product of chance's odds. Default: worlds by replay, not drawn by their odds, not always
    found."""


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
    """The least and the most units that seat 0 can still end with: a pair, which must be true and
    may be wide. With it `sooner` of `alphabeta` is off unless it is asked for."""
    return -1, 1


@asked(
    "record bytes[any]", "units and plies",
    "`alphabeta`, `dfpn`, `mcts`, where their setting `solved` is on", asked_at="seat",
)  # fmt: skip
def solved(s, tablebase):
    """The outcome, where it is known without a search: the units that seat 0 ends with when both
    sides play best, and in how many plies: 0 where the plies are not known (they must be where a
    win counts for more that comes sooner), -1 where nothing is."""
    return 0, -1


@asked("record", "word", "`astar`, `beam`, `breadth`, `idastar`, `dragon table`")
def place(s):
    """64 bits that states share which differ only in what it took to come there: the plies made,
    what is banked, but never who is to move (in a table they may share it where the sides, and all
    that is theirs, are exchanged). Of two such states of one seat that with more `banked`
    is never worse; of two seats, both are worth the same, less that. Default: `key`, or a hash of
    the record. A state whose place is 0 is not kept."""
    return 0


@asked("record moves[n] number weights[n]", "nothing", '`mcts` by "puct"', asked_at="seat")
def prior(s, out, n, scores):
    """Write a number above 0 for each of the n moves in `out`: how often, compared with the
    others, it is expected to be the best. Default: what follows from `order`."""


@asked(
    "record moves[width]", "integer", "`alphabeta` in a game with `evaluate`", asked_at="seat",
    within=("-1", "width"), breach="it must return how many moves it wrote, or -1",
)  # fmt: skip
def noisy(s, out):
    """Write the moves after which the evaluation would change (captures, say); return how many, or
    -1 where no evaluation can be trusted (a check), so that all moves are searched."""
    return 0


@asked(
    "record", "truth", "`alphabeta` in a game with `evaluate`", asked_at="seat", changes=True,
    method="skipped",
)  # fmt: skip
def skip(s):
    """Pass the turn of the seat to move, as `play` makes a move; return whether searches may
    try that here: whether some move is better than to pass (none may be in check, or in
    zugzwang). Passing need not be legal. Where it returns False what it did to the record does not
    count."""
    return False


@asked(
    "record", "integer", "`dragon table`", asked_at="seat",
    within=("0", "ranks - 1"), breach="it is not a number from 0 to below ranks = {ranks}",
)  # fmt: skip
def rank(s):
    """The number of a position, from 0 to `ranks` - 1, that no other has. As by `place`, positions
    share it that differ in the plies made, or in the sides, exchanged with all that is theirs. With
    it `unrank` must be given. It is not asked where the game is over, unless there is `before`."""
    return -1


@asked(
    "record number", "integer", "`dragon table`", asked_at="seat", changes=True, method="",
    within=("-1", "seats - 1"), breach="it must return a seat, or -1",
)  # fmt: skip
def unrank(s, number):
    """Change the first record into that of a number; return the seat that moves there, or would
    if the game were not over; -1 for a number of no position, which may leave anything."""
    return -1


@asked(
    "record codes[2 * width]", "integer", "`dragon table`, which is several times faster with it",
    asked_at="seat", method="",
)  # fmt: skip
def before(s, out):
    """Write the numbers of the positions with a move to this one, one for each such move; return
    how many, at most twice `width`. Those of no position, or where the game is over, may
    be among them. Every move must give the other side the turn, and ends have numbers too."""
    return 0


REQUIRED = tuple(name for name, rule in RULES.items() if not rule.used_by)
OPTIONAL = tuple(name for name, rule in RULES.items() if rule.used_by)
