"""Preparation: tests of a game's rules before they are compiled for use.

The compiler reads every rule, and then some games are played in checked code, which find mistakes
that types do not show.
"""

from __future__ import annotations

import hashlib
from contextlib import redirect_stdout
from functools import cache, partial
from pathlib import Path
from threading import get_ident

from dragon.compiler.cache import load, making, save
from dragon.compiler.kernel import Bindings
from dragon.compiler.specialise import Kernels, by_numba, fingerprint_of, specialise
from dragon.modes import checked as checks
from dragon.modes import jit_enabled
from dragon.rules.rehearsal import (
    FIRST_PLIES,
    KERNEL,
    BeingChecked,
    play_in_python,
    rehearse,
    strange_move,
)
from dragon.rules.rule_errors import read_rules
from dragon.rules.rules import Rules
from dragon.rules.rules import RulesWith as RulesWith

FIRST_MOVES = 20_000_000
"""The most moves that first games list, so that games with long lists play fewer plies."""


def kernels_of(
    template: str, rules: Rules, checked: bool | None = None, bound: Bindings | None = None
) -> Kernels:
    """The kernels of `template` (its import name) for the rules of a game, which are prepared.

    checked: see `specialise`. bound: the rules with further names that the template leaves open, if
    there are any. Where kernels are not checked, first games are played before, unless they have
    been: games that begin differently share the kernels in the cache, so these do not tell.
    Raises RuleError.
    """
    if not (checks() if checked is None else checked) and not by_numba():
        check_rules(rules)
    before = partial(read_rules, rules, strict=True)
    return specialise(template, rules if bound is None else bound, checked, before)


_games_over: dict[tuple[Rules, int], bool] = {}
"""By rules and thread that plays their first games: whether these have gone well already."""


@cache
def check_rules(rules: Rules) -> None:
    """Raise RuleError for the first rule that cannot be compiled, or goes wrong in first games.

    A note in the cache says that first games went well, for these rules and this first record.
    """
    mine = rules, get_ident()
    if mine in _games_over:
        if _games_over[mine]:
            return
        raise BeingChecked(f"{rules.label}: its first games are not over")
    fingerprint, name = fingerprint_of(KERNEL, rules), _first_games(rules)
    if rules.first and load(fingerprint, name) is not None:
        return
    if not read_rules(rules, strict=jit_enabled()):
        with redirect_stdout(None):  # numba compiles `print`, too
            play_in_python(rules)
    elif rules.first:
        _games_over[mine] = False
        try:
            _play_first_games(rules, fingerprint, name)
        finally:
            del _games_over[mine]


def _play_first_games(rules: Rules, fingerprint: str, name: str) -> None:
    """Raise RuleError for a mistake in first games; else note in the cache that there was none."""
    with making(fingerprint, name):
        if load(fingerprint, name) is not None:
            return
        plies = max(1, min(FIRST_PLIES, FIRST_MOVES // rules.width))
        if (mishap := rehearse(rules, rules.first, plies)) is not None:
            raise mishap.with_moves()
        _games_over[rules, get_ident()] = (
            True  # a notation may ask states, whose rules can be run now
        )
        if (error := strange_move(rules, rules.first)) is not None:
            raise error
        save(fingerprint, name, {"template": KERNEL, "label": rules.label}, b"")


def _first_games(rules: Rules) -> str:
    """Return the name of that note: a hash of the first record and of the code that plays."""
    here = Path(__file__)
    played_by = here.read_bytes() + here.with_name("rehearsal.py").read_bytes()
    return f"first_games-{hashlib.sha256(rules.first + played_by).hexdigest()[:16]}"
