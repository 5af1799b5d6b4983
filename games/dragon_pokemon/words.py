"""The sentences of an answer: what is proven, and why there is no team."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dragon.core import Bound, Limit
from dragon_pokemon.choices import picks_of
from dragon_pokemon.game import ALL, EXACT, MINIMAL, OVERLAPPING, STACKED
from dragon_pokemon.problem import pin_item

if TYPE_CHECKING:
    from dragon_pokemon.answers import Answer
    from dragon_pokemon.game import Pokemon

PATIENCE = 10.0
"""Seconds after which a longer explanation has to do."""
LEFT_OUT = {
    MINIMAL: "those of whom all are needed; others can score better, and are left out",
    EXACT: "those that cover each type by exactly one; others are left out",
    OVERLAPPING: "those that the original program would find; others are left out",
}
"""Among which covers something is proven, where not among all."""
VERBS = {"defense": ("resist", "resists"), "attack": ("hit hard", "hits hard")}


def core_of(query: Pokemon, exact: bool) -> tuple[tuple[str, ...], bool]:
    """Items that no cover within the limit has all of, and whether it can less any one of them.

    An item that nothing covers goes before others.
    """
    from dragon.cover.conflict import impossible

    problem = query.problem()
    options = [o for o in problem.options if str(o) not in problem.hidden_options]
    for item in problem.primary:
        if item not in problem.hidden_items and not any(item in o.items for o in options):
            return (item,), True
    found = impossible(problem, exact, query.size, Limit(seconds=PATIENCE))
    return (found.items, found.bound is Bound.EXACT) if found else ((), False)


def claim(found: Answer) -> str:
    """Return what is proven of the ranking, what it leaves out, and why others are not listed."""
    if found.ranked and not (found.solutions or found.partial):
        return ""
    what = "team" if found.query.side == "defense" else "set of attacks"
    better = "ranks better" if found.rank == STACKED else "scores better"
    if not found.ranked:
        proven = "not all was searched: there may be better ones"
    elif found.partial or found.among == ALL:
        does = "does more" if found.partial else better
        proven = f"proven: no {what} of at most {found.query.size}{_asked(found.query)} {does}"
    else:
        proven = f"proven among {LEFT_OUT[found.among]}"
    who = "members" if found.query.side == "defense" else "attacks"
    apart = f"; any two that are listed differ in {found.differ} {who} at least"
    return proven + apart * (found.differ > 1)


def _asked(query: Pokemon) -> str:
    """Return the demands of a question on a team beside its size."""
    pins = picks_of(query, query.pin)
    beside = f" with {listed(pins)}" if pins else ""
    chosen = query.only or query.ban or query.combos != "all"
    return beside + ", of those that may be chosen," * bool(chosen)


def why(found: Answer) -> str:
    """Why an answer has no cover."""
    return f"there is none: {why_not(found.query, found.mode == EXACT)}"


def why_not(query: Pokemon, exact: bool) -> str:
    """Return why there is no cover, as a sentence: the items that are too many, and the pins."""
    core, minimal = core_of(query, exact)
    marks = {pin_item(name): name for name in picks_of(query, query.pin)}
    pins = [marks[item] for item in core if item in marks]
    items = [item for item in core if item not in marks]
    where = f"in generation {query.gen}"
    if query.data == "original":
        where += ", by the original's tables,"
    many, one = VERBS[query.side]
    if len(items) == 1 and not pins:
        what = "no Pokémon" if query.side == "defense" else "no type of attack"
        left = " that may be chosen" if query.ban or query.only or query.combos != "all" else ""
        return f"{where} {what}{left} {one} {items[0]}"
    team = "team" if query.side == "defense" else "set of attacks"
    beside = f" with {listed(pins)}" if pins else ""
    each = ", each exactly once" if exact else ""
    aim = f"can {many} {listed(items)}{each}" if items else f"is a cover{each}"
    hope = "; drop any one of these, and it can be done" if minimal else ""
    return f"{where} no {team} of at most {query.size}{beside} {aim}{hope}"


def listed(names: Sequence[str]) -> str:
    """`A, B and C`."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
