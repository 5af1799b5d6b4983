"""The rules of one Ulti as a value; what differs from game to game is in its records."""

from __future__ import annotations

from dragon import Rules
from dragon_ulti import rules
from dragon_ulti.notation import UltiNotation
from dragon_ulti.record import Setting


def ulti_rules(setting: Setting) -> Rules:
    """The rules for a setting."""
    return Rules(
        rules.FIELDS,
        rules.moves,
        rules.play,
        rules.turn,
        rules.payoff,
        width=10,
        plies=30,
        key=rules.key,
        sample=rules.sample,
        banked=rules.banked,
        reduce=rules.reduce,
        bounds=rules.bounds,
        notation=UltiNotation(setting),
        largest=9 if setting.points else 1,
    )
