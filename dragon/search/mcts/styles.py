"""Styles: settings that win games together, under one name; docs/strength.md has the games."""

from __future__ import annotations

from typing import Any

from dragon.core import State
from dragon.errors import PluginError
from dragon.rules.record import RecordState

STYLES: dict[str, dict[str, Any]] = {
    "grave": {"selection": "grave"},
    "puct": {"selection": "puct", "decisive": True},
}
"""Of each style the settings that are not as usual."""
STRONG = "strong"
"""The style that is chosen by the game, and GUESSING where that has an `evaluate`."""
GUESSING: dict[str, Any] = {"cut": 4, "minimax": 0.4}


def style_for(state: State[Any]) -> str:
    """The style for a game: the one that its rules name; or else "puct" where it says what it
    expects of moves, and "grave" where it does not. Raises PluginError for a name that is none."""
    if isinstance(state, RecordState) and (named := state.rules.style) is not None:
        if named not in STYLES:
            raise PluginError(
                f"the rules of {state.rules.label} name the style {named!r}; "
                f"write one of {', '.join(STYLES)}"
            )
        return named
    return "puct" if says(state, "prior") or says(state, "order") else "grave"


def settings_of(style: str, state: State[Any]) -> dict[str, Any]:
    """The settings of a style for a game that are not as usual."""
    if style != STRONG:
        return STYLES[style]
    return STYLES[style_for(state)] | (GUESSING if says(state, "evaluate") else {})


def says(state: State[Any], rule: str) -> bool:
    """Return True if a game has an optional rule."""
    if isinstance(state, RecordState):
        return getattr(state.rules, rule) is not None
    return getattr(type(state), rule) is not getattr(State, rule)
