"""The score sheet of an evening: its lines read, and each deal settled part by part.

`docs/games/ulti.md` has the form of a sheet. Kontra is of all parts where none is named, and
without a trump of one defender where one is named. The module is apart from the command, which
only prints.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

from dragon.errors import ConfigError, closest
from dragon_ulti.cards import folded
from dragon_ulti.contracts import CONTRACTS, HUNDREDS, Call, bid, no_contract, said
from dragon_ulti.language import READ, tr
from dragon_ulti.stakes import SILENT, Stakes, listed, paid, parts_of, silent, title

WORDS: dict[str, list[str]] = READ["sheet"]
"""The Hungarian words of a sheet, by the English ones."""
LEVELS = {"kontra": 1, "rekontra": 2, "szubkontra": 3, "mordkontra": 4}
"""Kontra doubles, and each answer doubles again."""
KINDS = {"ulti": "ulti", "100": "hundred", "durchmars": "durchmars", "four aces": "four_aces"}
"""The names of silent contracts, as they are written."""
DEFENDERS = "defenders"


@frozen
class Silent:
    """A feat that was not bid: a kind of `SILENT`, who did it, and whether it was made."""

    kind: str
    who: str
    """A player, or `defenders`."""
    made: bool = True


@frozen
class Deal:
    """A line of the sheet."""

    line: int = field(eq=False)
    declarer: str
    call: Call
    made: Mapping[str, bool]
    """True if each part was made, by its contract; empty for a party that was thrown in."""
    kontra: Mapping[tuple[str, str], int] = field(factory=dict)
    """The level of kontra by part and defender, where there is one."""
    silent: tuple[Silent, ...] = ()
    out: str = ""
    """The one of four players that did not play."""


@frozen
class Sheet:
    """The players and their deals."""

    players: tuple[str, ...]
    deals: tuple[Deal, ...]

    def defenders(self, deal: Deal) -> tuple[str, ...]:
        """Return the two players who did not bid."""
        return tuple(who for who in self.players if who not in (deal.declarer, deal.out))


# ---- settling ----------------------------------------------------------------------------------


@frozen
class Item:
    """A part that is settled: its contract, its outcome, and the payment of each player."""

    what: str
    how: str
    changes: Mapping[str, float]


def settled(sheet: Sheet, deal: Deal, stakes: Stakes) -> list[Item]:
    """Return the payments for each part of a deal; the changes of an item add up to 0."""
    if not deal.made:
        price = dict.fromkeys(sheet.defenders(deal), -stakes.house.thrown)
        return [Item(title(deal.call), tr("thrown in"), _paid(deal.declarer, price))]
    hundred = next((each for each in deal.silent if each.kind == "hundred"), None)
    found = []
    for name, value in listed(deal.call, stakes).parts:
        if name == "party" and hundred and stakes.house.silent_hundred == "instead":
            continue
        made = all(deal.made[part] for part in name.split("+"))
        amounts = {
            who: paid(name, value, made, _level(deal, name, who), stakes)
            for who in sheet.defenders(deal)
        }
        level = _level(deal, name)
        how = tr("made") if made else tr("failed")
        if level:
            how += f", {next(word for word, n in LEVELS.items() if n == level)}"
        found.append(Item(tr(bid(name).title), how, _paid(deal.declarer, amounts)))
    return found + [_silently(sheet, deal, each, stakes) for each in deal.silent]


def _level(deal: Deal, name: str, who: str = "") -> int:
    """Return the highest kontra of some contracts, by one defender or any."""
    parts = name.split("+")
    here = (n for (part, by), n in deal.kontra.items() if part in parts and who in ("", by))
    return max(here, default=0)


def _silently(sheet: Sheet, deal: Deal, each: Silent, stakes: Stakes) -> Item:
    value = silent(each.kind, deal.call.trump, stakes)
    amount = value.made if each.made else -value.lost
    if each.kind == "hundred" and stakes.house.silent_hundred == "instead":
        amount *= 2 ** _level(deal, "party")
    defenders = sheet.defenders(deal)
    if each.who == deal.declarer:
        changes = _paid(deal.declarer, dict.fromkeys(defenders, amount))
    elif each.kind == "ulti" and each.who in defenders and stakes.house.silent_ulti == "all":
        others = [who for who in (deal.declarer, *defenders) if who != each.who]
        changes = _paid(each.who, dict.fromkeys(others, amount))
    else:
        changes = _paid(deal.declarer, dict.fromkeys(defenders, -amount))
    what = tr("silent {what}", what=tr(next(k for k, v in KINDS.items() if v == each.kind)))
    return Item(f"{what}, {tr(each.who)}", tr("made") if each.made else tr("failed"), changes)


def _paid(to: str, by: Mapping[str, float]) -> dict[str, float]:
    return {to: sum(by.values()), **{who: -amount for who, amount in by.items()}}


def total(items: list[Item], players: tuple[str, ...]) -> dict[str, float]:
    """Return the sum of all items for each player."""
    return {who: sum(item.changes.get(who, 0) for item in items) for who in players}


# ---- reading -----------------------------------------------------------------------------------


def read(text: str, where: str, stakes: Stakes) -> Sheet:
    """Return the sheet of a text; raise ConfigError with every mistake and its line."""
    players: tuple[str, ...] = ()
    deals: list[Deal] = []
    problems: list[str] = []
    for number, whole in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        line = whole.partition("#")[0].strip()
        try:
            if not line:
                continue
            if not players:
                players = _players(line)
            else:
                deals.append(_Line(number, line, players, stakes).deal())
        except ValueError as wrong:
            problems.append(f"{where}:{number}: {wrong}")
            if not players:
                break
    if not players and not problems:
        problems = [tr("{where} is empty; begin with 'players: Anna, Béla, Csaba'", where=where)]
    if problems:
        raise ConfigError(problems)
    return Sheet(players, tuple(deals))


def _players(line: str) -> tuple[str, ...]:
    head, colon, rest = line.partition(":")
    names = tuple(name.strip() for name in rest.split(",") if name.strip())
    if not colon or not _is(head, "players"):
        raise ValueError(tr("the first line names the players: 'players: Anna, Béla, Csaba'"))
    if len({*map(folded, names)}) != len(names) or len(names) not in (3, 4):
        raise ValueError(
            tr("{n} players are named; write three or four names, each once", n=len(names))
        )
    for name in names:
        if not folded(name) or re.search(r"[:;#]", name) or _is(name, DEFENDERS):
            raise ValueError(tr("{name!r} cannot be a player's name", name=name))
    return names


def _is(word: str, english: str) -> bool:
    return folded(word) in {folded(english), *map(folded, WORDS.get(english, ()))}


@frozen
class _Line:
    """A line that is read."""

    number: int
    text: str
    players: tuple[str, ...]
    stakes: Stakes

    def deal(self) -> Deal:
        """Return the deal; raise ValueError if the text is not understood."""
        head, colon, rest = self.text.partition(":")
        if not colon:
            raise ValueError(tr("write a name, a colon and the bid: 'Anna: ulti; made'"))
        declarer = self._name(head)
        words, *clauses = rest.split(";")
        call = self._call(words)
        items = [item for clause in clauses for item in clause.split(",") if item.strip()]
        out, thrown = "", False
        made: dict[str, bool] = {}
        kontra: list[tuple[int, str]] = []
        silent: list[str] = []
        for item in items:
            first, _, more = item.strip().partition(" ")
            level = next((n for word, n in LEVELS.items() if _is(first, word)), 0)
            if level:
                kontra.append((level, more))
            elif _is(first, "silent"):
                silent.append(more)
            elif _is(first, "out"):
                out = self._name(more)
            elif _is(item, "thrown in"):
                thrown = True
            else:
                self._result(item, call, made)
        parts = parts_of(call)
        self._check(declarer, out, parts, made, thrown)
        here = [who for who in self.players if who not in (declarer, out)]
        levels = self._levels(kontra, call, parts, here)
        if thrown:
            return Deal(self.number, declarer, call, {}, out=out)
        feats = tuple(self._silent(each, call, declarer, here, made) for each in silent)
        return Deal(self.number, declarer, call, made, levels, feats, out)

    def _name(self, text: str) -> str:
        for player in self.players:
            if folded(player) == folded(text):
                return player
        near = closest(folded(text), [folded(player) for player in self.players])
        hint = "" if near is None else tr("; did you mean {word!r}?", word=next(
            player for player in self.players if folded(player) == near))  # fmt: skip
        raise ValueError(
            tr("{name!r} does not play{hint} ({players})", name=text.strip(), hint=hint,
               players=", ".join(self.players))
        )  # fmt: skip

    def _call(self, text: str) -> Call:
        call = said(text)
        if call.unknown or not call.contracts:
            raise ValueError(no_contract(call.unknown, text))
        made = bid("+".join(parts_of(call)))  # which complains of what does not go together
        if call.trump and not made.trump:
            raise ValueError(tr("{contract} has no trump; leave the suit out", contract=made.title))
        return call

    def _part(self, text: str, call: Call) -> tuple[str, ...]:
        """Return the parts that a text names, all if it names none."""
        parts = parts_of(call)
        if not text.strip():
            return parts
        named = said(text, call.trump or "H" if bid("+".join(parts)).trump else None)
        for part in named.contracts:
            if part not in parts or named.unknown:
                break
        else:
            if named.contracts and not named.unknown:
                return named.contracts
        raise ValueError(
            tr("{text!r} is not a part of {bid}; its parts are {parts}", text=text.strip(),
               bid=title(call), parts=_titles(parts))
        )  # fmt: skip

    def _result(self, item: str, call: Call, made: dict[str, bool]) -> None:
        *words, last = item.split()
        if not (_is(last, "made") or _is(last, "failed")):
            raise ValueError(
                tr("{item!r} is not understood; write made, failed, kontra, silent ulti, out NAME "
                   "or thrown in", item=item.strip())
            )  # fmt: skip
        for part in self._part(" ".join(words), call):
            if part in made:
                raise ValueError(tr("{part} is settled twice", part=tr(bid(part).title)))
            made[part] = _is(last, "made")

    def _check(
        self, declarer: str, out: str, parts: tuple[str, ...], made: dict[str, bool], thrown: bool
    ) -> None:
        if thrown and (made or parts != ("party",)):
            raise ValueError(tr("only a party is thrown in, and then nothing is made or failed"))
        if (len(self.players) == 4) != bool(out) or out == declarer:
            raise ValueError(
                tr("of four players one is out; write 'out NAME'")
                if len(self.players) == 4
                else tr("all of three players play; leave out {name}", name=f"'out {out}'")
            )
        missing = [part for part in parts if part not in made]
        if missing and not thrown:
            first = tr(bid(missing[0]).title)
            raise ValueError(
                tr("whether {parts} was made is not said; write '{part} made' or '{part} failed'",
                   parts=_titles(missing), part=first)
            )  # fmt: skip

    def _levels(
        self, given: list[tuple[int, str]], call: Call, parts: tuple[str, ...], here: list[str]
    ) -> dict[tuple[str, str], int]:
        levels: dict[tuple[str, str], int] = {}
        alone = not bid("+".join(parts)).trump
        for level, text in given:
            rest, who = self._tail(text, here)
            for part in self._part(rest, call):
                for defender in [who] if who and alone else here:
                    if levels.get((part, defender)) == level:
                        raise ValueError(
                            tr("{part} has the same kontra twice", part=tr(bid(part).title))
                        )
                    levels[part, defender] = max(levels.get((part, defender), 0), level)
        return levels

    def _silent(
        self, text: str, call: Call, declarer: str, here: list[str], made: dict[str, bool]
    ) -> Silent:
        rest, who = self._tail(text, [declarer, *here, DEFENDERS])
        words = rest.split()
        failed = bool(words) and _is(words[-1], "failed")
        if words and (failed or _is(words[-1], "made")):
            words.pop()
        kind = next((KINDS[k] for k in KINDS if _is(" ".join(words), k)), None)
        if kind is None:
            raise ValueError(
                tr("silent {text!r} is not understood; silent are ulti, 100, durchmars and four "
                   "aces", text=" ".join(words))
            )  # fmt: skip
        feat = Silent(kind, who or declarer, not failed)
        bids = {*call.contracts}
        spoken = {*HUNDREDS} if kind == "hundred" else {SILENT[kind]}
        if not bid(call.name).trump or bids & spoken or (kind == "hundred" and "party" not in
                                                        parts_of(call)):  # fmt: skip
            raise ValueError(
                tr("{what} cannot be silent beside {bid}", what=text.strip(), bid=title(call))
            )
        if kind not in self.stakes.house.silent:
            raise ValueError(
                tr("{what} does not pay at this table (table.silent in the stakes); leave it out",
                   what=f"silent {text.strip()}")
            )  # fmt: skip
        side = made.get("party") if kind in ("hundred", "durchmars") else None
        if side is not None and side != (feat.who == declarer):
            raise ValueError(
                tr("{what} does not go with the party's outcome; leave one of them out",
                   what=f"silent {text.strip()}")
            )  # fmt: skip
        if failed and kind != "ulti":
            raise ValueError(tr("only a silent ulti can fail; leave {what} out", what=repr(text)))
        return feat

    def _tail(self, text: str, names: list[str]) -> tuple[str, str]:
        """Return a text without the name at its end, and the name; empty if there is none."""
        for name in names:
            for written in (name, *(WORDS[DEFENDERS] if name == DEFENDERS else ())):
                size = len(written.split())
                words = text.split()
                if len(words) >= size and folded("".join(words[-size:])) == folded(written):
                    rest = words[:-size]
                    return " ".join(rest[:-1] if rest and _is(rest[-1], "by") else rest), name
        return text, ""


def _titles(parts: Any) -> str:
    return tr(" and ").join(tr(CONTRACTS[part].title) for part in parts)
