"""Lists of Pokémon as people write them, and teams as Pokémon Showdown exports them.

A list has names or types, one to a line, after a bullet or between commas; what follows a # is a
comment. Showdown has three forms for a team (its `sim/TEAMS.md`): an *export*, whose lines below a
name say more of it, a *packed* line, with fields between | and Pokémon between ], and *JSON*. A
part that is not understood is left out with a note that shows its line.

`attacks` gives the moves of such a list by type, with the abilities that change them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from attrs import evolve, field, frozen

from dragon.errors import ConfigError, closest, quoted
from dragon_pokemon.choices import NO_ABILITY, TOLD, checked
from dragon_pokemon.species import Changes, changes, named, since_then
from dragon_pokemon.tables import NAMES, abilities, attackers, exceptions, plain, rows

STATS = r"\d+ (?:HP|Atk|Def|SpA|SpD|Spe|Spc)"
WORD = r"[\w .,'\u2019:\-\[\]()%]+"
SETTINGS = {
    "evs": f"{STATS}(?: / {STATS})*", "ivs": f"{STATS}(?: / {STATS})*", "level": r"\d+",
    "shiny": "yes|no", "gigantamax": "yes|no", "happiness": r"\d+", "friendship": r"\d+",
    "dynamax level": r"\d+", "hidden power": WORD, "pokeball": WORD, "ball": WORD,
    "gimmick": WORD, "ability": WORD, "trait": WORD, "tera type": WORD,
}  # fmt: skip
"""The lines below a name in an export, and the form of what they say."""
SETTING = re.compile(rf"({'|'.join(SETTINGS)}):\s*(.*)", re.IGNORECASE)
NATURE = re.compile(r"\w+ Nature( \([^()]*\))?", re.IGNORECASE)
MOVE = re.compile(r"[-~]\s*(\w.*)")
JSON = re.compile(r"\s*(\{|\[\s*([{\"\]]|$))")
HEADING = re.compile(r"===.*===")
GENDER = re.compile(r"\s*\(([MFN])\)$")
BRACKETS = re.compile(r"(.*?)\s*\(([^()]*)\)", re.DOTALL)
BULLET = re.compile(r"(?:[-*\u2022\u2013\u00b7]|\d+[.)]|1x)\s+")
NUMBER = re.compile(r"#\d{1,4}[:.]?\s+(?=\w)")
"""The number of a Pokédex before a name; else a # begins a comment."""
LEVEL = re.compile(r",?\s+\(?(?:lv\.?|lvl\.?|level)\s*\d{1,3}\)?$", re.IGNORECASE)
QUOTED = re.compile(r"(\*\*|__|[\"'`*_\u201c\u2018\u00ab])(\w.*?)(?:\1|[\u201d\u2019\u00bb])")
FIELDS = 12
"""The fields of a packed Pokémon."""
SLOTS = ("", "0", "1", "H", "S")
"""Abilities of a packed Pokémon by their place, which the tables here do not have."""
STELLAR = "Stellar"


@frozen
class Member:
    """A Pokémon of a list, or types."""

    name: str
    """The name as `only` takes it, if it was read: with an ability that was given and can count."""
    ability: str = ""
    """The ability as written; empty if it was not given."""
    tera: str = ""
    moves: tuple[str, ...] = ()
    line: int = field(default=0, eq=False)

    @property
    def option(self) -> str:
        """The name with the ability; raise ConfigError for one that is nearly one that counts."""
        if not self.ability or named(self.name) is None:
            return self.name
        known = {plain(name): name for name in abilities()}
        near = closest(plain(self.ability), known, cutoff=0.85)
        if near not in (None, plain(self.ability)):
            said = f"no ability is called {quoted(self.ability)}"
            raise ConfigError(f"{said}; did you mean {known[str(near)]!r}?")
        return f"{self.name}+{known[near] if near else NO_ABILITY}"


def read(gen: int, combos: str, text: str) -> tuple[tuple[Member, ...], tuple[str, ...]]:
    """Return the members of a list, and a note on each part that is left out."""
    reader = _Reader(gen, combos)
    reader.read(text.removeprefix("\ufeff"))
    members = tuple(reader.checked())
    return members, tuple(note for _, note in sorted(reader.notes, key=lambda each: each[0]))


def names_of(members: Iterable[Member], abilities: bool = True) -> tuple[str, ...]:
    """Return the names, each once; abilities: with those that were given."""
    names = (each.name if abilities else each.name.partition("+")[0] for each in members)
    return tuple(dict.fromkeys(names))


class _Reader:
    """The members read so far, to the last of which settings belong."""

    def __init__(self, gen: int, combos: str) -> None:
        self.gen, self.combos = gen, combos
        self.members: list[Member] = []
        self.notes: list[tuple[int, str]] = []

    def note(self, line: int, what: str) -> None:
        """Note a part of a line that is left out."""
        self.notes.append((line, f"line {line}: {what}; it is left out"))

    def checked(self) -> Iterator[Member]:
        """Yield the members that the generation has, and note the others."""
        unknown = 0
        for each in self.members:
            if not _known(each.name) and (unknown := unknown + 1) > TOLD:
                self.note(each.line, f"no Pokémon or type is called {quoted(each.name)}")
                continue
            try:
                yield evolve(each, name=checked(self.gen, self.combos, each.option))
            except ConfigError as wrong:
                for problem in wrong.problems:
                    self.note(each.line, problem)

    def read(self, text: str) -> None:
        """Read a text in any of the forms."""
        if JSON.match(text):
            self.json(text)
            return
        lines = [line.strip() for line in text.replace("\xa0", " ").splitlines()]
        exported = any(" @ " in line or _says(line) for line in lines) or self.moves_alone(lines)
        for number, line in enumerate(lines, 1):
            below = lines[number] if number < len(lines) else ""
            if not line or HEADING.fullmatch(line):
                continue
            if line.count("|") >= FIELDS - 3:
                self.packed(number, line)
            elif exported and (move := _move(line)):
                self.say(number, moves=(move,))
            elif _says(line):
                self.setting(number, line)
            else:
                self.heads(number, line, " @ " in line or _says(below))

    def moves_alone(self, lines: list[str]) -> bool:
        """Return True, with a note, for an export whose names have only moves below them.

        So are those of the first generations. A list with bullets begins with one.
        """
        above = ""
        for number, line in enumerate(lines, 1):
            move = _move(line)
            if above and move and not _known(move):
                said = f"line {number}: {quoted(move)} is read as a move of {quoted(above)}"
                self.notes.append((number, f"{said}, and so are other lines after a dash"))
                return True
            above = above if move else line
        return False

    def heads(self, number: int, line: str, exported: bool) -> None:
        """Read a line with names. exported: whether it is the first of a Pokémon in an export.

        Elsewhere a # begins a comment, and is not a part of a nickname.
        """
        if not exported:
            line = _bare(line)
        text = line if exported else re.sub(r"(^|\s)#.*", "", line).strip()
        text = text if _head(number, text) else BULLET.sub("", text, count=1)
        one = _head(number, text)
        if one and (exported or "," not in text):
            self.members.append(one)
            return
        for part in filter(None, map(str.strip, re.split(r"[,;]", re.sub(r"(^|\s)#.*", "", text)))):
            name = part.rpartition(" @ ")[0] or part
            self.members.append(_head(number, part) or Member(name, line=number))

    def say(self, number: int, **more: Any) -> None:
        """Add what a line says to the Pokémon above it."""
        if not self.members:
            self.note(number, "it belongs to no Pokémon; write its name above")
            return
        last = self.members[-1]
        more["moves"] = last.moves + more.get("moves", ())
        self.members[-1] = evolve(last, **more)

    def setting(self, number: int, line: str) -> None:
        """Read a line such as `Ability: Levitate`."""
        key, _, value = (part.strip() for part in line.partition(":"))
        if not value:  # a nature
            self.say(number)
        elif not re.fullmatch(SETTINGS[key.lower()], value, re.IGNORECASE):
            self.note(number, f"{quoted(line)} is not understood")
        elif key.lower() == "tera type":
            self.tera(number, value)
        else:
            self.say(number, **({"ability": value} if key.lower() in ("ability", "trait") else {}))

    def tera(self, number: int, value: str) -> None:
        """Read a Tera type."""
        if (name := value.capitalize()) in (*NAMES, STELLAR):
            self.say(number, tera=name)
        else:
            self.note(number, f"no type is called {quoted(value)}")

    def packed(self, number: int, line: str) -> None:
        """Read a packed team, perhaps with its format and name before it, as in a backup."""
        parts = line.removesuffix("]").split("]")
        if "|" not in parts[0] and len(parts) > 1:
            parts = [parts[1].partition("|")[2], *parts[2:]]
        for place, part in enumerate(parts, 1):
            fields = [each.strip() for each in part.split("|")]
            if len(fields) != FIELDS:
                said = f"Pokémon {place} has {len(fields)} fields between |"
                self.note(number, f"{said}, and a packed one {FIELDS}")
                continue
            name, ability = fields[1] or fields[0], fields[3]
            self.one(number, {
                "species": name, "ability": "" if ability in SLOTS else ability,
                "moves": [*filter(None, fields[4].split(","))],
                "teraType": ([*fields[11].split(","), *"      "])[5].strip(),
            })  # fmt: skip
            each = named(name)
            if ability in SLOTS[1:] and each and len(each.kinds(self.gen, True)) > 1:
                said = f"line {number}: {each.name} has no ability by name"
                self.notes.append((number, f"{said}; any of its abilities may be taken"))

    def json(self, text: str) -> None:
        """Read a list of sets, or one."""
        try:
            given = json.loads(text)
        except (ValueError, RecursionError) as wrong:
            line = getattr(wrong, "lineno", 1)
            self.note(line, f"this is not JSON: {getattr(wrong, 'msg', 'it is nested too deeply')}")
            return
        lines, line = _lines_of(text), 1
        for each in given if isinstance(given, list) else [given]:
            line = next(lines) if isinstance(each, dict) else line
            self.one(line, {"species": each} if isinstance(each, str) else each)

    def one(self, line: int, given: Any) -> None:
        """Read a Pokémon of JSON or of a packed line."""
        if not isinstance(given, dict):
            self.note(line, f"{quoted(str(given))} is not a Pokémon; write an object")
            return
        texts = [given.get(key) or "" for key in ("species", "name", "ability", "teraType")]
        moves = given.get("moves") or []
        if not isinstance(moves, list) or not all(isinstance(t, str) for t in (*texts, *moves)):
            self.note(line, "species, name, ability, teraType and moves are texts")
            return
        species, name, ability, tera = map(str.strip, texts)
        head = _head(line, species or name) or Member(species or name or "?", line=line)
        self.members.append(evolve(head, ability=ability, moves=tuple(moves)))
        if tera:
            self.tera(line, tera)


def _bare(line: str) -> str:
    """Return a line without the number in the Pokédex, the level and the quotes of a name."""
    found = NUMBER.match(line)
    if found and _known(LEVEL.sub("", line[found.end() :])):
        line = line[found.end() :]
    if _known(name := LEVEL.sub("", line)):
        line = name
    quoted = QUOTED.fullmatch(line)
    return quoted[2] if quoted and _known(quoted[2]) else line


def _head(line: int, text: str) -> Member | None:
    """Return the Pokémon of `Nickname (Name) (M) @ Item`, or the types of `Fire-Steel`."""
    first = (text.rpartition(" @ ")[0] or text).strip()
    gender, name = GENDER.search(first), GENDER.sub("", first)
    if gender and named(f"{name}-{gender[1]}"):
        name = f"{name}-{gender[1]}"
    elif not _known(name) and (parts := BRACKETS.fullmatch(name)):
        name = parts[2] if named(parts[2].partition("+")[0]) else f"{parts[1]}-{parts[2]}"
    if not _known(name) and named(flat := " ".join(re.split(r"[()\s]+", name)).strip()):
        name = flat  # Tauros (Paldean Form (Aqua Breed))
    if not _known(name):
        return None
    first, plus, ability = name.partition("+")
    each = named(first)
    return Member(name if each is None else f"{each.name}{plus}{ability}", line=line)


def _known(name: str) -> bool:
    """Return True for a Pokémon or types, with an ability or without."""
    first = name.partition("+")[0]
    words = [word.strip().capitalize() for word in re.split("[-/]", first)]
    return named(first) is not None or all(word in NAMES for word in words)


def _move(line: str) -> str:
    """Return the move of a line of an export; empty for another line, or a Pokémon after a dash."""
    found = MOVE.fullmatch(line)
    head = _head(0, found[1]) if found else None
    return "" if found is None or (head and named(head.name.partition("+")[0])) else found[1]


def _says(line: str) -> bool:
    """Return True for a line of an export below the name."""
    return bool(SETTING.fullmatch(line) or NATURE.fullmatch(line))


def _lines_of(text: str) -> Iterator[int]:
    """Yield the lines of the outermost objects of JSON."""
    decoder, end = json.JSONDecoder(), 0
    while (at := text.find("{", end)) >= 0:
        _, end = decoder.raw_decode(text, at)
        yield text.count("\n", 0, at) + 1


# ---- writing ------------------------------------------------------------------------------------


def write(members: Iterable[Member], form: str = "names") -> str:
    """Return members as text that `read` reads back; `names` leaves out Tera types and moves."""
    return FORMS[form](list(members))


def _parts(each: Member) -> tuple[str, str]:
    """Return the name without the ability, and the ability."""
    name, _, ability = each.name.partition("+")
    return name, each.ability or ability


def _names(members: list[Member]) -> str:
    return "".join(f"{each.name}\n" for each in members)


def _export(members: list[Member]) -> str:
    blocks = []
    for each in members:
        name, ability = _parts(each)
        lines = [name, *(f"{key}: {value}" for key, value in
                         (("Ability", ability), ("Tera Type", each.tera)) if value)]  # fmt: skip
        if each.moves and len(lines) == 1:  # without any setting a move could be another name
            lines.append("Level: 100")
        blocks.append("\n".join([*lines, *(f"- {move}" for move in each.moves)]) + "\n")
    return "\n".join(blocks)


def _packed(members: list[Member]) -> str:
    sets = []
    for each in members:
        name, ability = _parts(each)
        moves, more = ",".join(map(plain, each.moves)), f",,,,,{each.tera}" if each.tera else ""
        sets.append("|".join([name, "", "", plain(ability), moves, *[""] * 6, more]))
    return "]".join(sets) + "\n" * bool(sets)


def _json(members: list[Member]) -> str:
    sets = []
    for each in members:
        name, ability = _parts(each)
        given = {"species": name, "ability": ability, "moves": each.moves, "teraType": each.tera}
        sets.append({key: value for key, value in given.items() if value})
    return json.dumps(sets, ensure_ascii=False, indent=2) + "\n"


FORMS = {"names": _names, "export": _export, "packed": _packed, "json": _json}
"""The forms that are written."""


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
