"""Backgammon as other programs write it: IDs of positions, and match files.

A position ID is ten bytes in base 64: for each side, that on roll first, the men on its points 1 to
24 and on its bar, as so many ones and a zero. A match ID tells, among other things, who is on roll
and the dice; seat 1 is its player 1. (GNU Backgammon manual, "Position and match IDs".) XGID, of
eXtreme Gammon, is read too; its capitals are seat 1. A match file, `.mat`, has each turn as
`31: 8/5 6/5`, in two columns; doubles of the cube are comments here, for our stakes are not
doubled.
"""

from __future__ import annotations

import re
from base64 import b64decode
from typing import Any, ClassVar

from attrs import fields, frozen

from dragon.boards.squares import Counts
from dragon.boards.track import Track
from dragon.core import CHANCE, TERMINAL, Game
from dragon.errors import BadNotation
from dragon.protocols import Form, Transcript
from dragon.rules.notation import parse_move
from dragon.transcripts.replay import Walk, outcome, replayed, result_note, shortened

ID = re.compile(r"(?<![\w/+])([A-Za-z0-9+/]{14})(?::([A-Za-z0-9+/]{12}))?(?![\w/+])")
AFTER = re.compile(r"[])>.,;\"'`]*(?:\s|$)")
MATCH = re.compile(r"match id\s*:\s*([A-Za-z0-9+/]{12})(?![\w/+])", re.I)
XGID = re.compile(r"([-a-oA-O]{26}):\d+:-?\d+:(-?1):([0-6][0-6]|[A-Z]+)(?::[-\d]+){0,5}")
POINTS = 24
ON_ROLL, DICE = 11, (15, 18)
"""The bits of a match ID that tell whose turn it is, and where each die begins."""
LINE = re.compile(r"^\s*(\d+)\)(.*)$")
TURN = re.compile(r"([1-6])([1-6]):([^:]*?)(?=\s+[1-6][1-6]:|\s{2,}\D|$)")
STEP = re.compile(r"(bar|25|\d{1,2})((?:/(?:bar|off|\d{1,2})\*?)+)(?:\((\d)\))?", re.I)
SAID = re.compile(r"doubles\s*=>\s*\d+|takes|drops|wins\s+\d+\s+points?(?: and the match)?", re.I)


def men_of(text: str) -> tuple[list[list[int]], int | None, tuple[int, int]] | None:
    """Return what an ID says: the men of the side on roll and of the other, on points 0 (the bar)
    to 24 in the order in which they run home; the player on roll, None if not said; the dice.

    None where the text does not have an ID. Raises BadNotation for one that no position has.
    """
    if (known := XGID.search(text)) is not None:
        return _men_of_xgid(known)
    found = ID.search(text)
    if found is None:
        return None
    if AFTER.match(text, found.end()) is None:
        raise BadNotation(
            f"{text[found.start() :].split()[0]!r} is not the ID of a position, nor with that of a "
            "match behind a colon"
        )
    said = found[2] or (MATCH.search(text) or (None, None))[1]
    bits = _bits(found[1])
    sides, at = [], 0
    for _ in range(2):
        counts = []
        for _ in range(POINTS + 1):
            run = 0
            while at < len(bits) and bits[at]:
                run, at = run + 1, at + 1
            counts.append(run)
            at += 1
        men = [0] * (POINTS + 1)
        for point, count in enumerate(counts[:POINTS], 1):
            men[POINTS + 1 - point] = count
        men[0] = counts[POINTS]
        if sum(men) > 15:
            raise BadNotation(f"{found[1]!r}: a side has {sum(men)} men, and at most 15")
        sides.append(men)
    if at > 80 or any(bits[at:]):
        raise BadNotation(f"{found[1]!r} is not the ID of a position; it is not of 50 points")
    if said is None:
        return sides, None, (0, 0)
    match = _bits(said)
    dice = [sum(match[at + i] << i for i in range(3)) for at in DICE]
    if max(dice) > 6:
        raise BadNotation(f"{said!r} is not the ID of a match: its dice are {dice}")
    return sides, match[ON_ROLL], (dice[0], dice[1])


def _men_of_xgid(known: re.Match[str]) -> tuple[list[list[int]], int, tuple[int, int]]:
    """Return the position of an eXtreme Gammon ID, whose capitals are the player below."""
    below, above = [0] * (POINTS + 1), [0] * (POINTS + 1)
    for place, sign in enumerate(known[1]):
        if sign == "-":
            continue
        side, own = (below, place) if sign.isupper() else (above, POINTS + 1 - place)
        at = POINTS + 1 - own
        if not 0 <= at <= POINTS:
            raise BadNotation(f"{known[0]!r}: {sign} is on the other side's bar")
        side[at] = ord(sign.upper()) - ord("A") + 1
    for side in (below, above):
        if sum(side) > 15:
            raise BadNotation(f"{known[0]!r}: a side has {sum(side)} men, and at most 15")
    dice = (int(known[3][0]), int(known[3][1])) if known[3].isdigit() else (0, 0)
    first = known[2] == "1"
    return ([below, above] if first else [above, below]), int(first), dice


def _bits(text: str) -> list[int]:
    data = b64decode(text + "=" * (-len(text) % 4))
    return [byte >> i & 1 for byte in data for i in range(8)]


def read_id(s: Any, text: str) -> bool:
    """Write the position of an ID into a record, and return whether the text has one."""
    known = men_of(text)
    if known is None:
        return False
    sides, player, (first, second) = known
    seat = player or 0
    s.men[seat], s.men[1 - seat] = sides
    s.dice[:] = 0
    for die in (first, second):
        if die:
            s.dice[die - 1] += 1 + (first == second)
    s.seat, s.ply = seat, 1
    return True


@frozen
class Gammon(Counts):
    """The notation of backgammon, which also reads the IDs of positions of other programs."""

    def parse(self, s: Any, text: str) -> None:
        """Read an ID, alone or in a text, or the fields of a record."""
        if not read_id(s, text):
            super().parse(s, text)
        elif self.settle is not None:
            self.settle(s)


def notation_on(track: Track) -> Gammon:
    """Return the notation of published games for the same board as a track's."""
    made = track.notation
    return Gammon(**{each.name: getattr(made, each.name) for each in fields(Counts)})


@frozen
class Mat(Form):
    """A match file of backgammon, one game after another."""

    name: ClassVar[str] = "mat"
    title: ClassVar[str] = "Match file of backgammon (Jellyfish)"
    suffix: ClassVar[str] = ".mat"
    rules = ("backgammon",)

    def read(self, game: Game[Any], text: str) -> list[Transcript]:
        lines = text.removeprefix("\ufeff").splitlines()
        starts = [n for n, line in enumerate(lines) if re.match(r"\s*Game\s+\d+", line, re.I)]
        if not starts:
            return []
        ends = [*starts[1:], len(lines)]
        return [self._game(game, lines, *ends_of) for ends_of in zip(starts, ends, strict=True)]

    def _game(self, game: Game[Any], lines: list[str], first: int, last: int) -> Transcript:
        head = lines[first].strip()
        below = lines[first + 1] if first + 1 < last else ""
        names = re.match(r"\s*(.+?)\s*:\s*\d+\s+(\S.*?)\s*:\s*\d+\s*$", below)
        if names is None:
            raise BadNotation(
                f"line {first + 2}: after {head!r} comes `name : points    name : points`"
            )
        middle = names.start(2) - 4
        walk, began, result = Walk(game), None, ""
        for number in range(first + 2, last):
            line = lines[number]
            begin = numbered.start(2) if (numbered := LINE.match(line)) else 0
            turns = TURN.finditer(line, begin) if numbered is not None else ()
            parts = sorted([*SAID.finditer(line), *turns], key=re.Match.start)
            ends_at = [begin, *(part.end() for part in parts)]
            starts_at = [*(part.start() for part in parts), len(line)]
            for between in map(line.__getitem__, map(slice, ends_at, starts_at)):
                if between.strip():
                    raise BadNotation(
                        f"line {number + 1}, {head}: {shortened(between)} is not a turn such as "
                        "31: 8/5 6/5"
                    )
            for turn in parts:
                if turn.re is SAID:
                    walk.say(turn[0])
                    if turn[0].lower().startswith("wins"):
                        result = names[1] if turn.start() < middle else names[2]
                    continue
                side = int(turn.start() >= middle)
                began = side if began is None else began
                where = f"line {number + 1}, {head}, {turn[0].strip()!r}"
                state: Any = walk.state
                if state.turn == TERMINAL:
                    raise BadNotation(f"{where}: the game is over before it")
                if int(state.view["seat"]) != (side != began):
                    raise BadNotation(f"{where}: it is not the turn of {names[1 + side]}")
                rest = [] if turn is not parts[-1] else lines[number + 1 : last]
                ends = turn is parts[-1] and not any(TURN.search(later) for later in rest)
                for move in _turn(state, turn, where, ends):
                    walk.make(move, where)
        players = (names[1], names[2]) if not began else (names[2], names[1])
        if payoffs := outcome(walk.state):
            walk.say(result_note([result], players[payoffs[1] > payoffs[0]]))
        return walk.transcript(players, result, {"Round": head})

    def write(self, game: Game[Any], transcript: Transcript) -> str | None:
        if transcript.start:
            return None
        replay = replayed(game, transcript)
        turns = list[str]()
        for state, move in zip(replay.states, replay.moves, strict=False):
            if state.turn == CHANCE:
                high, low = move.removeprefix("roll").split("-")
                turns.append(f"{high}{low}:")
            elif move != "pass":
                turns[-1] += f" {move.partition(':')[0]}"
        first, second = (*transcript.players, "first", "second")[:2]
        if len(transcript.players) < 2:
            first, second = "first", "second"
        ended = outcome(replay.states[-1])
        won = "" if ended is None else f"  Wins {abs(ended[0]):g} point{'s' * (abs(ended[0]) > 1)}"
        out = [" 0 point match", "", " Game 1", f" {first + ' : 0':<32}{second} : 0"]
        for number in range(0, len(turns), 2):
            pair = [*turns[number : number + 2], ""]
            out.append(f"{number // 2 + 1:>3}) {pair[0]:<27} {pair[1]}".rstrip())
        if ended is not None:
            out.append(f"{'' if ended[0] > 0 else ' ' * 33}{won}")
        return "\n".join(out) + "\n"


def _turn(state: Any, turn: re.Match[str], where: str, ends: bool) -> list[str]:
    """Return the roll of a turn and the moves, one die each, that lead where the turn leads.

    ends: whether the record ends with it, so that dice may be left.
    """
    high, low = sorted((turn[1], turn[2]), reverse=True)
    roll = f"roll{high}-{low}"
    if roll not in map(str, state.moves()):
        raise BadNotation(f"{where}: the roll {high}{low} cannot come here")
    rolled = state.after(parse_move(state, roll))
    seat = int(rolled.turn)
    men, rest = rolled.view["men"].tolist(), turn[3]
    for step in STEP.finditer(rest):
        places = [step[1], *re.findall(r"bar|off|\d+", step[2], re.I)]
        if any(place.isdecimal() and int(place) > POINTS + 1 for place in places):
            raise BadNotation(f"{where}: {step[0]} leaves the board, whose points are 1 to 24")
        for _ in range(int(step[3] or 1)):
            _carry(men, seat, [_point(place) for place in places], where)
    left = STEP.sub("", rest).strip().lower()
    if left and not re.fullmatch(r"can(?:no|')t move|\?+|no move|-+|dance[sd]?", left):
        raise BadNotation(f"{where}: {left!r} is not a move; write one like 13/8")
    found = _way(rolled, men, seat)
    if found is None and ends:
        found = _way(rolled, men, seat, ends)
    if found is None:
        raise BadNotation(f"{where}: it is not a legal move")
    return [roll, *found]


def _point(place: str) -> int:
    """Return a point as the mover's records count it: 0 is the bar, 25 off."""
    number = {"bar": POINTS + 1, "off": 0}.get(place.lower())
    return POINTS + 1 - (int(place) if number is None else number)


def _carry(men: Any, seat: int, places: list[int], where: str) -> None:
    """Move a man along its places, and hit what is alone there."""
    if not men[seat][places[0]]:
        raise BadNotation(f"{where}: no man is there to be moved")
    men[seat][places[0]] -= 1
    for at in places[1:]:
        if at <= POINTS and men[1 - seat][POINTS + 1 - at] == 1:
            men[1 - seat][0] += 1
            men[1 - seat][POINTS + 1 - at] = 0
    if places[-1] <= POINTS:
        men[seat][places[-1]] += 1


def _way(state: Any, men: Any, seat: int, left: bool = False) -> list[str] | None:
    """Return moves of one die each that lead to these places of the men and use all dice."""
    if state.turn != seat or (left and state.view["men"].tolist() == men):
        return [] if state.view["men"].tolist() == men else None
    for move in map(str, state.moves()):
        rest = _way(state.after(parse_move(state, move)), men, seat, left)
        if rest is not None:
            return [move, *rest]
    return None
