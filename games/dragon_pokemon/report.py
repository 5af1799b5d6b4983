"""An answer as text for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dragon_pokemon.choices import members_of
from dragon_pokemon.game import STACKED
from dragon_pokemon.team import missing
from dragon_pokemon.words import claim, why

if TYPE_CHECKING:
    from dragon_pokemon.answers import Answer
    from dragon_pokemon.ranking import Team


def counted(number: int, what: str) -> str:
    """Return a number and its noun: `2 teams` of `team{}`."""
    return f"{number} {what.format('s' * (number != 1))}"


def report(found: Answer) -> str:
    """Return the question, the count, the ranking with a Pokémon of each kind, and the proof."""
    query = found.query
    kinds = "combination{} of types", "type{} of attacks"
    own, other = kinds if query.side == "defense" else kinds[::-1]
    most = "teams of " * (query.side == "defense") + f"at most {query.size} out of"
    chosen, met = counted(len(query.options()), own), counted(len(query.items()), other)
    lines = [f"generation {query.gen}: {most} {chosen}, against {met}"]
    if found.found is not None:
        sizes = ", ".join(f"{n:,} of {size}" for size, n in (found.sizes or {}).items())
        lines.append(
            f"{found.mode} covers {found.count_bound} {found.found:,}" + f" ({sizes})" * bool(sizes)
        )
    if found.impossible:
        lines += ["", why(found)]
    if found.partial:
        lines.append("the best that can be done:")
    if listed := found.solutions or found.partial:
        lines += ["", "score  team", *(line for team in listed for line in _team(found, team))]
    if str(found.count_bound) != "=":
        lines += ["", "not all was counted in the time: there may be more"]
    if said := claim(found):
        lines += ["", said]
    lines.append(f"\n{found.nodes:,} nodes in {found.seconds:.3f} s")
    return "\n".join(lines)


def _team(found: Answer, team: Team) -> Iterator[str]:
    """A team in a line or two: its types, and a Pokémon of each."""
    query = found.query
    gone = missing(query, team.options) if found.partial else ()
    lack = f"  (not {', '.join(gone[:4])}" + f" and {len(gone) - 4} more" * (len(gone) > 4) + ")"
    shared = f"  (shared weaknesses {team.stacked})" * (found.rank == STACKED)
    yield f"{team.score:5}  {', '.join(team.options)}{shared}{lack * bool(gone)}"
    members = members_of(query)
    if names := [members[option][0] for option in team.options if members[option]]:
        yield f"       {'with' if query.only else 'such as'} {', '.join(names)}"
