"""Mistakes in rules by kind: a change of `gather`, who finds it, and what is said of it.

Run as a program, `said 20 KIND...` or `searched 1 KIND...`, it tries each mistake, with so many
seeds, and prints a verdict for each, a line of JSON: rules that end their process do not end that
of the tests.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from dragon import search
from dragon.compiler import specialise
from dragon.errors import DragonError, RuleError, SearchError
from dragon.laws import LAWS, judge
from dragon.modes import CHECKED
from dragon.rules import rehearsal
from dragon.rules.record import rules_of
from dragon.rules.rehearsal import FIRST_PLIES, rehearse

SOURCE = Path(__file__).with_name("gather.py").read_text()
THE_RULE = "@rule"


@frozen
class Mistake:
    """Lines that are put at the beginning of a function, or in the place of some of its text."""

    rule: str
    text: str
    said: str
    """Part of the message."""
    at: str = ""
    """Of the line that is blamed; THE_RULE: where the rule begins; else the last of the text."""
    instead: str = ""
    """What the text stands for; if empty, the text comes first."""
    top: str = ""
    """Put at the end of the file."""
    chance: bool = False
    blamed: str = ""
    """The rule that is named, if it is another."""
    law: str = ""
    """The law that finds it, if first games do not."""

    @property
    def name(self) -> str:
        """The name by which a reader finds it here."""
        return f"{self.rule}: {self.text}"

    def source(self) -> tuple[str, int]:
        """The file with the mistake, and the line that is to blame, counted from 1."""
        found = re.search(rf"^( *)def {self.rule}\(.*\n", SOURCE, re.MULTILINE)
        assert found is not None, self.rule
        indent = found[1] + "    "
        if self.instead:
            start = SOURCE.index(self.instead, found.start())
            end = start + len(self.instead)
            lines = self.text.replace("\n", "\n" + indent)
        else:
            start = end = found.end()
            lines = "".join(f"{indent}{line}\n" for line in self.text.split("\n"))
        whole = SOURCE[:start] + lines + SOURCE[end:]
        if self.at == THE_RULE:
            here = whole.rindex(THE_RULE, 0, whole.index(f"def {self.blamed or self.rule}("))
        else:
            marked = self.at or self.text.split("\n")[-1].strip()
            here = (whole + self.top).find(marked, start)
            here = here if here >= 0 else whole.index(marked)
        return whole + self.top, (whole + self.top)[:here].count("\n") + 1

    def rarely(self) -> Mistake:
        """Make the mistake in one state of 96 alone."""
        lines = "".join(f"\n    {line}" for line in self.text.split("\n"))
        last = self.at or self.text.split("\n")[-1].strip()
        return evolve(self, text=f"if rare(s):{lines}", at=last)


def front(text: str, said: str, at: str = "", top: str = "", rule: str = "moves") -> Mistake:
    """Give what the compiler refuses when it reads a rule."""
    return Mistake(rule, text, said, at, top=f"\n\n{top}\n" if top else "")


def breach(rule: str, text: str, said: str, **more: Any) -> Mistake:
    """Give a breach of the contract of a rule, whichever line it is."""
    return Mistake(rule, text, said, THE_RULE, **more)


NO = "the compiler does not support "
OUTSIDE = "the compiler reads no "
OF_NUMBA = tuple(NO + each for each in ("class", "import", "yield", "global", "nonlocal"))
"""What numba cannot compile either begins so."""
SYNTAX = (
    front('told = f"{s.ply}"', NO + "f-string; rules make no text"),
    front("seen = {1, 2}", NO + "set; write a tuple"),
    front("seen = {1: 2}", NO + "dict; write a tuple"),
    front("seen = [1, 2]", NO + "list; write a tuple"),
    front("n = len([i for i in range(3)])", NO + "list comprehension; write a loop"),
    front("seen = {i for i in range(3)}", NO + "set comprehension; write a loop"),
    front("seen = {i: 1 for i in range(3)}", NO + "dict comprehension; write a loop"),
    front("for i in (i for i in (1, 2)):\n    out[0] = i", NO + "generator expression; write a l",
          "for i in (i"),
    front("try:\n    out[0] = 1\nexcept ValueError:\n    pass", NO + "try; test before", "try:"),
    front("with open('x'):\n    pass", NO + "context manager (with)", "with open"),
    front("f = lambda x: x", NO + "lambda; write it at the top"),
    front("def f(x):\n    return x", NO + "function in a function; write it at the top", "def f"),
    front("class Seen:\n    pass", NO + "class; write it at the top", "class Seen"),
    front("import math", NO + "import in a function; write it at the top"),
    front("from math import sqrt", NO + "import in a function; write it at the top"),
    front("yield 1", NO + "yield; a rule writes into `out`"),
    front("global COUNT\nCOUNT = 1", NO + "global; rules keep nothing between calls", "global C"),
    front("nonlocal chance\nchance = 1", NO + "nonlocal; rules keep nothing", "nonlocal c"),
    front("n = 1\ndel n", NO + "del; leave it out"),
    front("match s.ply:\n    case 1:\n        pass", NO + "match; write `if` and", "match s"),
    front("first, *rest = 1, 2, 3", NO + "star; name each value"),
    front("n = LISTED[0]", OUTSIDE + "list from outside the function", top="LISTED = [1]"),
    front("n = len(LISTED)", OUTSIDE + "list from outside the function", top="LISTED = [1]"),
    front("LISTED.append(1)", OUTSIDE + "list from outside the function", top="LISTED = [1]"),
    front("LISTED[0] = 1", OUTSIDE + "list from outside the function", top="LISTED = [1]"),
    front("for i in LISTED:\n    out[0] = i", OUTSIDE + "list from outside", "for i in LISTED",
          top="LISTED = [1]"),
    front("n = BY['a']", OUTSIDE + "dict from outside the function", top="BY = {'a': 1}"),
    front("n = BY.get('a')", OUTSIDE + "dict from outside the function", top="BY = {'a': 1}"),
    front("n = 1 if s.ply in SEEN else 0", OUTSIDE + "set from outside", top="SEEN = {1, 2}"),
    front("n = THING.left", "no value of type object", top="THING = object()"),
    front("n = Kind.LOW", "make it an IntEnum",
          top="import enum\nKind = enum.Enum('Kind', 'LOW HIGH')"),
    front("out.append(1)", "there is no 'append' in an array int64[any]; write a loop"),
    front("told = 'a' + 'b'", "`+` works on numbers, not on the text 'a'; rules make no text"),
    front("told = 'a'.upper()", "there is no 'upper' in the text 'a'; rules make no text"),
    front("told = '%d' % s.ply", "`%` works on numbers, not on the text '%d'; rules make no text"),
    front("told = str(s.ply)", NO + "str(s.ply); rules make no text"),
    front("print(s.ply)", NO + "print(s.ply); set DRAGON_JIT=0, under which rules may"),
    front("for i, x in enumerate(out):\n    out[i] = x", NO + "enumerate(out); write a loop",
          "for i, x"),
    front("n = random.randrange(5)", "draw(random, n) of dragon.bits", top="import random"),
    front("n = np.where(out)", NO + "np.where(out); write a loop", top="import numpy as np"),
    front("n = s.ply ** 2", NO + "power; multiply, or shift"),
    front("out[::2] = 0", "a slice has no step here; write a loop"),
    front("n = cached(1)", NO + "cached(1); take away its decorator",
          top="import functools\n\n\n@functools.cache\ndef cached(n):\n    return n"),
    front("n = named(1, b=2)", "named takes arguments by name only, or any number of them",
          top="def named(a, *, b):\n    return a"),
    front("n = 1 if out == 1 else 0", "`==` compares numbers, not an array"),
    front("n = (out + 1)[0]", "`+` works on numbers, not on an array int64[any]; write a loop"),
    front("if out:\n    out[0] = 1", "an array int64[any] is neither true nor false", "if out:"),
    front("room = np.zeros(s.ply, np.int64)", "an array whose size is known only when it runs",
          top="import numpy as np"),
    front("pair = 1, 2\npair[0] = 3", "pair[0] is not a place that can be written"),
)  # fmt: skip
"""Outside the subset."""

MIXED = "one is a signed integer, the other a bit set (uint64); write u64(...) or i64(...)"
TYPES = (
    Mistake("moves", "pass", "must return an integer, but returns nothing", THE_RULE, "return n"),
    Mistake("moves", "if n > 1:\n    return n", "must return an integer, but returns nothing",
            THE_RULE, "return n"),
    Mistake("moves", "return n / 2", "must return an integer, but returns float64", THE_RULE,
            "return n"),
    Mistake("moves", "return n, n", "must return an integer, but returns (int64, int64)",
            THE_RULE, "return n"),
    Mistake("moves", "(s, out, k=2)", "takes 3 arguments, but dragon calls it with 2; one that has "
            "a default counts", THE_RULE, "(s, out)"),
    Mistake("moves", "(s)", "takes 1 arguments, but dragon calls it with 2", THE_RULE, "(s, out)"),
    Mistake("bounds", "return 1", "must return two integers, but returns int64", THE_RULE,
            "return s.points - left(s), s.points + left(s)"),
    Mistake("evaluate", "return 'good'", "must return a number, but returns the text", THE_RULE,
            "return s.points * (1 - 2 * seat) / 16"),
    front("n = worth(1, 2)", "worth takes 1 arguments: cell"),
    front("n = math.sqrt(4)", "the name 'math' is not defined; write `import math` at the top"),
    front("n = msb(s.taken)", "'msb' is not defined; write `from dragon.bits import msb` at"),
    front("n = hash(3)", NO + "hash(3); it differs from process to process; write mix(x) of"),
    front("n = divmod(7, 2)", NO + "divmod(7, 2); write a // b and a % b"),
    front("n = popcunt(s.taken)", "'popcunt' is not defined; did you mean 'popcount'?"),
    front("n = s.takn", "no field 'takn'; did you mean 'taken'? (fields: taken, owner, points"),
    front("s.colour = 1", "the record has no field 'colour'", rule="play"),
    front("n = math.sqroot(2.0)", "math has no 'sqroot'", top="import math"),
    front("s.points += 0.5", "a float64 would be cut where there is int64; write int", rule="play"),
    front("s.points = s.points / 2", "a float64 would be cut where there is int64", rule="play"),
    front("s.points = 'one'", "the text 'one' cannot be written where there is int64", rule="play"),
    front("n = s.ply + (1 << 64)", "18446744073709551616 does not fit in 64 bits"),
    front("n = WORTH[5]", "a tuple of 5 has no [5]"),
    front("n = s.owner[5]", "there is no [5] where there are 5"),
    front("s.owner[-6] = 1", "there is no [-6] where there are 5", rule="play"),
    front("n = out[0, 0]", "has 1 axes, and 2 are indexed"),
    front("n = out[s.ply / 2]", "an index must be an integer, not float64"),
    front("a, b, c = 1, 2", "(int64, int64) cannot be taken apart into 3 values"),
    front("n = later\nlater = 1", "the variable 'later' has no value here", "n = later"),
    front("TABLE[0] = 1", "this is a constant, or memory that is there to be read only",
          top="import numpy as np\n\nTABLE = np.zeros(3, np.int64)"),
    front("n = room(s)[0]", "it returns memory of its own", "return np.zeros",
          "import numpy as np\n\n\ndef room(s):\n    return np.zeros(3, np.int64)"),
    front("while True:\n    out[0] = 1", "it never returns; is there a `return` or a `break` miss",
          THE_RULE),
    front("n = 1 // 0", "integer division or modulo by zero"),
    front("n = s.ply(1)", NO + "s.ply(1)"),
    Mistake("payoff", "return s.taken", "must return an integer, but returns uint64; write i64(",
            THE_RULE, "return s.points * (1 - 2 * seat)"),
    front("n = min(s.ply, s.taken)", MIXED),
    front("n = s.ply or s.taken", MIXED),
    front("n = s.ply\nif s.points:\n    n = s.taken\nout[0] = n",
          f"'n' holds uint64 on one way here and int64 on another: {MIXED}"),
    front("a, b = mobility(s.taken, s.taken)",
          f"it returns (uint64, int64) here and (int64, int64) before: of value 1, {MIXED}",
          "return a, popcount(b)",
          "def mobility(a, b):\n    if a & b:\n        return popcount(a), popcount(b)\n"
          "    return a, popcount(b)"),
    front("a, b = swapped(s.taken, s.ply)",
          f"it returns (int64, uint64) here and (uint64, int64) before: of value 1, {MIXED}",
          "return y, x",
          "def swapped(a, n):\n    if n == 0:\n        return a, 1\n"
          "    x, y = swapped(a, n - 1)\n    return y, x"),
    front("n = nested(1, s.ply)", "it calls itself with other types each time: (int64, int64), t",
          "def nested", "def nested(t, n):\n    return 0 if n == 0 else nested((t, 1), n - 1)"),
    front("n = deeper(1)", "it calls itself for ever", "def deeper",
          "def deeper(n):\n    return deeper(n + 1)"),
    front("n = here(1)", "it calls itself for ever", "def here",
          "def here(n):\n    return there(n)\n\n\ndef there(n):\n    return here(n)"),
    front("n = silent(1)", "'n' would hold nothing", top="def silent(n):\n    n + 1"),
    front("n = half(s.ply) + 1", "end every way through the function with a `return`",
          top="def half(n):\n    if n:\n        return 1"),
)  # fmt: skip
"""What the types of the subset forbid."""

INDEX = "IndexError: an index is out of bounds"
MEMORY = (
    Mistake("play", "s.owner[move + 5] = 1", INDEX),
    Mistake("play", "s.owner[-6 - move] = 1", INDEX),
    Mistake("play", "s.owner[s.ply + 1 << 40] = 1", INDEX),
    Mistake("play", "s.owner[s.taken + u64(100)] = 1", INDEX),
    Mistake("play", "s.owner[2:9][3] = 1", INDEX),
    Mistake("play", "room = np.zeros(3, np.int64)\nroom[move + 3] = 1", INDEX,
            top="\nimport numpy as np\n"),
    Mistake("moves", "out[len(out)] = 0", "out of bounds; are there more moves than width = 5?"),
    Mistake("moves", "return elements(u64(127), out)",
            "IndexError: an index is out of bounds in elements; are there more moves than width",
            THE_RULE),
    Mistake("turn", "return TABLE[s.ply + 5]", INDEX,
            top="\nimport numpy as np\n\nTABLE = np.zeros(5, np.int64)\n"),
    Mistake("key", "return u64(worth(s.ply + 5))", INDEX, "return WORTH[cell]"),
    Mistake("order", "scores[n] = 1", INDEX),
    Mistake("order", "scores[0] = out[n]", INDEX),
    Mistake("prior", "scores[n] = 1.0", INDEX),
    Mistake("noisy", "out[len(out)] = 0", INDEX),
    Mistake("skip", "s.owner[s.ply + 5] = 1", INDEX),
    Mistake("evaluate", "return s.owner[5 + seat] / 9", INDEX),
    Mistake("sample", "n = random[s.ply + 1]", INDEX),
    Mistake("banked", "return s.owner[s.ply + 5]", INDEX),
    Mistake("reduce", "out[n] = 1", INDEX),
    Mistake("bounds", "return s.owner[s.ply + 5], 8", INDEX),
    Mistake("solved", "return tablebase[s.ply], 0", INDEX),
    Mistake("rank", "return s.owner[s.ply + 5]", INDEX),
    Mistake("before", "out[2 * len(out)] = 0", INDEX),
)  # fmt: skip
"""Reads and writes beside what is there."""
ENDS = (
    Mistake("payoff", "return s.owner[seat + 5]", INDEX),
    Mistake("odds", "out[len(out)] = 1.0", INDEX, chance=True),
)
"""The same of rules that are asked once in a game."""

CHANGES = "it changes the record, which only play may do"
CONTRACT = (
    breach("turn", "return 2", "it is not a seat; they are 0 to 1"),
    breach("turn", "return -3", "it is not a seat; they are 0 to 1"),
    breach("turn", "return CHANCE", "the game has no trait CHANCE"),
    breach("turn", "s.points += 1", CHANGES),
    breach("moves", "return 0", "it gives no move, and turn does not say"),
    breach("moves", "return -1", "it gives no move, and turn does not say"),
    breach("moves", "return 6", "there are more moves than width = 5"),
    breach("moves", "out[0] = 3\nout[1] = 3\nreturn 2", "it gives the same move twice"),
    breach("moves", "s.points += 1", CHANGES),
    breach("play", "return", "the game goes on for more than plies = 5", blamed="turn"),
    breach("key", "s.points += 1", CHANGES),
    breach("order", "for i in range(n):\n    out[i] = 9\nreturn", "it writes into the list of mo"),
    breach("order", "s.points += 1", CHANGES),
    breach("moves", "out[0] = -6\nreturn 1", "it gives the move code -6, which the notation"),
    breach("moves", "out[0] = 9\nreturn 1", "it gives the move code 9, which the notation can"),
    breach("prior", "return", "not every move has a number above 0"),
    breach("prior", "for i in range(n):\n    out[i], scores[i] = 9, 1.0\nreturn",
           "it writes into the list of mo"),
    breach("prior", "s.points += 1", CHANGES),
    breach("noisy", "out[0] = 9\nreturn 1", "it gives a move that is not among those of moves"),
    breach("noisy", "return -2", "it must return how many moves it wrote, or -1"),
    breach("noisy", "s.points += 1\nreturn 0", CHANGES),
    breach("skip", "return True", "the side that passed is to move again"),
    breach("evaluate", "return 1.0", "it is not between -1 and 1"),
    breach("evaluate", "return (s.ply - s.ply) / (s.ply - s.ply)", "it is not between -1 and 1"),
    breach("evaluate", "return 0.25", "it must be the same for the seats of a team, and the negat"),
    breach("evaluate", "s.points += 1", CHANGES),
    breach("sample", "return 0", "it gives a move that is not among those of moves"),
    breach("sample", "s.points += 1", CHANGES),
    breach("banked", "return 9", "it is more than largest = 8"),
    breach("banked", "s.points += 1", CHANGES),
    breach("reduce", "return 0", "it must leave one move at least"),
    breach("reduce", "return n + 1", "it must leave one move at least, and no more than it was"),
    breach("reduce", "out[0] = 9\nreturn 1", "it gives a move that is not among those of moves"),
    breach("reduce", "s.points += 1", CHANGES),
    breach("bounds", "return 1, -1", "the least is more than the most"),
    breach("bounds", "return s.points, s.points", "seat 0 ends with a payoff that is outside"),
    breach("bounds", "s.points += 1", CHANGES),
    breach("solved", "return 9, 1", "it is more than largest = 8"),
    breach("solved", "return 1, 99", "the game goes on for more than plies = 5"),
    breach("solved", "s.points += 1", CHANGES),
    breach("rank", "return 4**CELLS", "it is not a number from 0 to below ranks = 1024"),
    breach("rank", "s.points += 1", CHANGES),
    breach("before", "return 11", "there are more numbers than twice width = 5"),
    breach("before", "out[0] = 4**CELLS\nreturn 1", "not a number from 0 to below ranks = 10"),
    breach("before", "s.points += 1", CHANGES),
)  # fmt: skip
"""Answers that a rule must not give."""
ONCE = (
    Mistake("unrank", "s.owner[number + 5] = 1", INDEX),
    breach("unrank", "return 2", "it must return a seat, or -1"),
    breach("unrank", "return -1", "it does not make a position with the number that rank gives"),
    breach("unrank", "number = 0", "it does not make a position with the number that rank gives"),
    breach("unrank", "return 1 - s.ply % 2", "it returns another seat than the one that turn says",
           instead="return s.ply % 2"),
    breach("turn", "CELLS + 1", "it gives no move, and turn", instead="CELLS", blamed="moves"),
    breach("rules", "plies=4", "goes on for more than plies = 4", instead="plies=5", blamed="turn"),
    breach("rules", "width=4", "IndexError: an index is out of bounds in elements; are there more "
           "moves than width = 4?", instead="width=5", blamed="moves"),
    breach("payoff", "return 9", "it is more than largest = 8"),
    breach("payoff", "return 1", "those of the other team the negative of it"),
    breach("payoff", "s.points += 1", "the negative of it"),
    breach("odds", "/ 16", "the probabilities do not sum to 1", instead="/ 15", chance=True),
    breach("odds", "i / 10", "not every move has a probability above 0", instead="(i + 1) / 15",
           chance=True),
    breach("odds", "(i - 1) / 5", "not every move has a probability above 0",
           instead="(i + 1) / 15", chance=True),
    breach("odds", "s.points += 1", CHANGES, chance=True),
)  # fmt: skip
"""The same of the whole game."""

SHIFT = "ValueError: a shift by a count that is not 0 to 63"
ARITHMETIC = (
    Mistake("play", "s.points += 7 // (s.ply - s.ply)", "ZeroDivisionError: division by zero"),
    Mistake("play", "s.points += 7 % (s.ply - s.ply)", "ZeroDivisionError: division by zero"),
    Mistake("play", "s.points += s.ply % 0", "ZeroDivisionError: division by zero"),
    Mistake("play", "s.points += 1 << s.ply + 64", SHIFT),
    Mistake("play", "s.points += 1 >> -1 - s.ply", SHIFT),
    Mistake("play", "s.taken |= bit(64 + move)", SHIFT),
    Mistake("play", "s.points += has(s.taken, 64 + move)", SHIFT),
    Mistake("play", "s.taken = shl(s.taken, 64)", SHIFT,
            top="\nfrom dragon.bits import shl\n"),
)  # fmt: skip

ROUND = "Endless: its loops have gone round 10,000,000 times"
DEEP = "\n\ndef deeper(n):\n    return 0 if n == -1 else deeper(n + 2) + 1\n"
BRANCHING = "\n\ndef twice(n):\n    return n if n < 2 else twice(n - 1) + twice(n - 2 + n % 2)\n"
LARGE = """

import numpy as np

def large(n):
    own = np.zeros(2000, np.int64)
    own[n] = n
    return 0 if n == 0 else large(n - 1) + own[n]
"""
TIRED = """

def tired(n):
    for _ in range(10**6):
        n ^= n << 1
    return n
"""
ENDLESS = (
    Mistake("turn", "while s.ply < 9:\n    s.points += 1", ROUND, "while s.ply"),
    Mistake("moves", "for i in range(10**15):\n    out[0] += i", ROUND, "for i in range(10**15)"),
    Mistake("play", "for i in range(100_000):\n    for j in range(100_000):\n"
            "        s.points ^= i & j", ROUND, "for j in"),
    Mistake("reduce", "while n:\n    out[0] = n", ROUND, "while n"),
    Mistake("play", "s.points = deeper(s.ply * 2)", "Endless: it calls itself, 1,000 deep",
            "def deeper", top=DEEP),
    Mistake("key", "return u64(here(s.ply * 2))", "Endless: it calls itself, 1,000 deep",
            "def here", top=DEEP.replace("deeper", "there", 1).replace("deeper", "here")
            + DEEP.replace("deeper", "here", 1).replace("deeper", "there")),
    Mistake("play", "s.points = twice(90 + s.ply)", "Endless: it calls itself 10,000,000 times",
            "def twice", top=BRANCHING),
    Mistake("turn", "large(900 + s.ply)", "Endless: it calls itself, and its calls take more than "
            "1,024 KB", "def large", top=LARGE),
    Mistake("moves", "for i in range(100_000):\n    tired(s.ply)", ROUND, "for _ in", top=TIRED),
)  # fmt: skip
"""What goes on for ever, or as good as."""

REDUCED, KEYS = "law_reduce_keeps_a_best_move", "law_equal_keys_are_worth_the_same"
SOLVED, TEXTS = "law_what_is_solved_is_true", "law_positions_read_back"
TRUTH = (
    Mistake("reduce", "return 1", "for seat 0, as with all moves", law=REDUCED),
    Mistake("key", "return u64(280)", "which has the same key", law=KEYS),
    Mistake("banked", "return 0", "which has the same key", law=KEYS),
    Mistake("solved", "return 0, 0", "solved for seat 0", law=SOLVED),
    Mistake("position_text", "return '.....'", "  expected: ", law=TEXTS),
    Mistake("position_text", "return 1 // 0", "ZeroDivisionError: integer division or modulo by "
            "zero (", law=TEXTS),
    Mistake("move_text", "return 'd'", "for the move ", law="law_moves_read_back"),
)  # fmt: skip
"""What no rule can see by itself, and a law does."""
WHOLE = (
    Mistake("key", "return u64(1) | s.taken & u64(24)", "which has the same key", law=KEYS),
    Mistake("parse", "pass", " with points = ", law=TEXTS,
            instead="s.points += (0, 1, -1, 0)[seat] * WORTH[cell]"),
    Mistake("move_text", '"abcdd"', "more than once: d", law="law_moves_are_distinct",
            instead='"abcde"'),
    Mistake("move_text", '"abced"', "expected: '", law="law_moves_read_back", instead='"abcde"'),
    Mistake("move_code", '"abced".', "expected: ", law="law_moves_read_back", instead='"abcde".'),
)  # fmt: skip

FRONT = {"syntax": SYNTAX, "types": TYPES}
GAMES = {"memory": MEMORY, "contract": CONTRACT, "arithmetic": ARITHMETIC, "endless": ENDLESS,
         "ends": ENDS, "once": ONCE}  # fmt: skip
OFTEN = ("memory", "contract", "arithmetic", "endless")
"""Kinds that are tried in one state of 96 too."""
KINDS: dict[str, tuple[Mistake, ...]] = {
    **FRONT,
    **GAMES,
    **{f"rare {kind}": tuple(m.rarely() for m in GAMES[kind]) for kind in OFTEN},
    "truth": TRUTH,
    "rare truth": tuple(m.rarely() for m in TRUTH),
    "whole": WHOLE,
}


def verdicts(kinds: list[str], seeds: int, ask: Any) -> Iterator[dict[str, Any]]:
    """Give what is said of each mistake: of one in a game, by each of the seeds."""
    with tempfile.TemporaryDirectory() as folder:
        sys.path.insert(0, folder)
        os.environ["DRAGON_CACHE"] = folder  # an empty one, which is not looked through each time
        for number, mistake in enumerate(m for kind in kinds for m in KINDS[kind]):
            source, line = mistake.source()
            name = f"mistaken_{number}"
            Path(folder, f"{name}.py").write_text(source)
            importlib.invalidate_caches()
            said = sorted({*ask(mistake, importlib.import_module(name), line, seeds)})
            yield {"name": mistake.name, "said": said}


def _said(mistake: Mistake, module: Any, line: int, seeds: int) -> Iterator[str]:
    """RIGHT, or what is said instead."""
    game = module.Gather(mistake.chance)
    if mistake.law:
        (law,) = (law for law in LAWS if law.name == mistake.law)
        rehearsal.check_rules(rules_of(game))
        for seed in range(seeds):
            message = judge(law, game, None, seed).message
            yield RIGHT if mistake.said in message else f"{mistake.law} says: {message}"
        return
    yield _verdict(mistake, line, lambda: rehearsal.check_rules(rules_of(game)))
    if mistake not in (*SYNTAX, *TYPES):
        rules = rules_of(game)
        for seed in range(1, seeds):
            yield _verdict(mistake, line, lambda: _play(rules, seed))  # noqa: B023


def _play(rules: Any, seed: int) -> None:
    mishap = rehearse(rules, rules.first, FIRST_PLIES, seed, tries=1)
    if mishap is not None:
        raise mishap.error


def _verdict(mistake: Mistake, line: int, act: Any) -> str:
    try:
        act()
    except RuleError as error:
        if error.rule == (mistake.blamed or mistake.rule) and error.line == line and (
            mistake.said in error.reason
        ):  # fmt: skip
            return RIGHT
        return f"not line {line}: {error}"
    except DragonError as error:
        return f"{type(error).__name__}: {error}"
    return "nothing"


def _searched(mistake: Mistake, module: Any, line: int, seeds: int) -> Iterator[str]:
    """Give a checked search's message on a mistake that no game before it has shown."""
    rehearsal.check_rules = lambda rules: None  # type: ignore[assignment]
    start = module.Gather(mistake.chance).start()
    worth = -17 / 15 if mistake.chance else 3.0
    for name in ("exhaustive",) if mistake.chance else ("exhaustive", "alphabeta"):
        with CHECKED.under("1"):
            verdict = _verdict(mistake, line, lambda: _search(name, start, worth))  # noqa: B023
        yield RIGHT if verdict == HARMLESS or f".py:{line}: rule " in verdict else verdict


def _search(name: str, start: Any, worth: float) -> None:
    value = search(name).best(start).value
    if abs(value - worth) > 1e-9:
        raise SearchError(f"{name} says {value}, and {worth} is right")


RIGHT, HARMLESS = "it is named", "nothing"
if __name__ == "__main__":
    specialise.numba_installed = lambda: False
    how, seeds, *kinds = sys.argv[1:]
    for verdict in verdicts(kinds, int(seeds), {"said": _said, "searched": _searched}[how]):
        print(json.dumps(verdict), flush=True)
