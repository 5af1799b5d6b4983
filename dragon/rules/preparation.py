"""Preparation: what is done before a game's rules are compiled.

Every rule is read, and then some games are played in checked code, for what types do not show.
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
"""So many moves are listed in first games, or one game is played: fewer plies of a wide board."""


def kernels_of(
    template: str, rules: Rules, checked: bool | None = None, bound: Bindings | None = None
) -> Kernels:
    """The kernels of `template` (its import name) for the rules of a game, which are prepared.

    checked: see `specialise`. bound: the rules and what else the template leaves open, if there is
    more. Where kernels are not checked, the game's first games are played before, if they have
    never been: what is kept of kernels is shared by games that begin differently.
    Raises RuleError.
    """
    if not (checks() if checked is None else checked) and not by_numba():
        check_rules(rules)
    before = partial(read_rules, rules, strict=True)
    return specialise(template, rules if bound is None else bound, checked, before)


_games_over: dict[tuple[Rules, int], bool] = {}
"""Of rules whose first games a thread is playing whether they have gone well already."""


@cache
def check_rules(rules: Rules) -> None:
    """Raises RuleError for the first rule that cannot be compiled, or goes wrong in first games.

    That first games went well is kept in the cache, for these rules and this first record.
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
    """Raise RuleError for a mistake that they show; keep that there was none."""
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
    """A name for the first games of rules: of their first record, and of who plays them."""
    here = Path(__file__)
    played_by = here.read_bytes() + here.with_name("rehearsal.py").read_bytes()
    return f"first_games-{hashlib.sha256(rules.first + played_by).hexdigest()[:16]}"
