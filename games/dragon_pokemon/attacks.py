"""The attacks of the Pokémon of a list: moves by type, with the abilities that change them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from attrs import frozen

from dragon.errors import closest, quoted
from dragon_pokemon.lists import STELLAR, Member
from dragon_pokemon.species import Changes, changes, named, since_then
from dragon_pokemon.tables import attackers, exceptions, plain, rows

STATUS, FIXED, VARIES, SOUND = "status", "fixed", "varies", "sound"
LESS = {
    "Judgment": "", "Multi-Attack": "", "Ivy Cudgel": "Grass", "Raging Bull": "Fighting",
    "Revelation Dance": "Flying",
}  # fmt: skip
"""Moves that have the type of who uses them, and of two types the one that is not this."""


@frozen
class Move:
    """A move."""

    name: str
    since: int
    """Its first generation."""
    types: Changes
    kind: str
    """`status`, `fixed`, `varies`, `sound` or empty, as the table says."""


@cache
def moves() -> Mapping[str, Move]:
    """Return the moves by their plain names."""
    found = {}
    for row in rows("moves.csv"):
        since = int(row["since"])
        types = changes(row["type"], since)
        found[plain(row["name"])] = Move(row["name"], since, types, row["kind"])
    return found


def attacks(
    gen: int, members: Iterable[Member]
) -> tuple[dict[str, tuple[tuple[str, str], ...]], tuple[str, ...]]:
    """Return the Pokémon and moves of each attack of a team, and notes on what is left out.

    An attack is a type, a move that makes an exception, or one of them with an ability, as
    `tables.multiplier` has it. Moves that do no damage, or the same to all types, are none.
    """
    found: dict[str, dict[tuple[str, str], None]] = {}
    notes: dict[str, None] = {}
    for each in members:
        holder = named(each.name.partition("+")[0])
        for text in each.moves:
            move = moves().get(plain(text))
            said = f"line {each.line}: " * bool(each.line)
            if move is None or move.since > gen:
                why = _unknown(text) if move is None else f"{move.name} came with generation "
                why += str(move.since) if move is not None else ""
                notes[f"{said}{why}; it is left out"] = None
            elif move.kind not in (STATUS, FIXED):
                attack, sure = _attack(gen, each, move)
                called = holder.name if holder else each.name
                found.setdefault(attack, {})[called, move.name] = None
                if not sure:
                    notes[f"{said}the type of {move.name} varies; it counts as {attack}"] = None
    return {attack: tuple(found[attack]) for attack in sorted(found)}, tuple(notes)


def _unknown(text: str) -> str:
    near = closest(plain(text), moves())
    hint = f"; did you mean {moves()[near].name!r}?" if near else ""
    return f"no move is called {quoted(text)}{hint}"


def _attack(gen: int, each: Member, move: Move) -> tuple[str, bool]:
    """Return the attack of a move, and whether its type is certain."""
    holder, power = named(each.name.partition("+")[0]), _power(gen, each)
    own = since_then(move.types, gen)
    said = attackers().get(power, {})
    sure = move.kind != VARIES
    if move.name in LESS and holder:
        types = holder.kinds(gen, False)[0].split("-")
        own, sure = next((n for n in types if n != LESS[move.name]), types[0]), True
    elif move.name == "Tera Blast" and each.tera != STELLAR:
        own, sure = each.tera or own, True
    elif "turns" in said and move.kind != VARIES:
        scope = said.get("of", "Normal")
        if scope in (own, "all") or (scope == SOUND == move.kind):
            own = said["turns"]
    known = exceptions().get(move.name)
    first = move.name if known and known["type"] == own else own
    useful = "least" in said or own in said.get("hits", "").split()
    return first + f"+{power}" * useful, sure


def _power(gen: int, each: Member) -> str:
    """Return the ability of a member by its name in the table; empty where it changes nothing."""
    ability = plain(each.ability or each.name.partition("+")[2])
    known = {plain(name): name for name, said in attackers().items() if said["since"] <= gen}
    return known.get(ability, "")
