"""Smart Game Format, for games in which a move puts one stone on a cell.

A. Hollosi, "SGF File Format FF[4]" (red-bean.com/sgf). A point is two letters, of its column and of
its row from the top left corner, or a letter and a number, `c4`, as programs for Hex write it. Of a
tree the first branch is read, and a comment says how many others there were.

Two dialects are read besides: games of Little Golem, where W marks the moves of the first player,
who is PB, and B, who may `swap`, those of PW; and those of the Generic Game Format,
`(;GM[Othello]...;B[d3//2.1];)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from string import ascii_letters
from typing import Any, ClassVar

from attrs import field, frozen

from dragon import plugins
from dragon.boards.board import Board
from dragon.boards.cells import EMPTY
from dragon.boards.grid import Grid
from dragon.core import TERMINAL, Game, State
from dragon.errors import BadNotation, GameError
from dragon.protocols import Form, Transcript, notation_of
from dragon.transcripts.replay import (
    Replay,
    Unsayable,
    Walk,
    line_of,
    outcome,
    replayed,
    result_note,
    shortened,
)

COLOURS = ("B", "W")
NAMES = {
    "EV": "Event", "RO": "Round", "DT": "Date", "PC": "Site", "GN": "Name", "SO": "Source",
    "GC": "Comment", "RU": "Rules", "TM": "Time", "US": "User", "AN": "Annotator",
}  # fmt: skip
"""Properties of the root that are kept, and their names in a transcript."""
INSIDE = r"(?:[^\]\\]|\\.|\](?=\]))*"
"""Within a value; Little Golem does not escape a ] at the end of a name."""
PROPERTY = re.compile(rf"\s*([A-Za-z]+)\s*((?:\[{INSIDE}\]\s*)+)", re.S)
VALUE = re.compile(rf"\[({INSIDE})\]", re.S)
WON = re.compile(r"([BW])(?:\+(.*))?")
"""A result with a winner; Little Golem leaves out how."""
DRAWN = re.compile(r"^(draw|0|jigo)$", re.I)
USUAL = re.compile(
    r"[CNV]|A[BENPRW]|B[LMRT]|C[APR]|D[DMOT]|EV|F[FG]|G[BCMNW]|H[AOW]|IT|K[MO]|L[BN]|M[AN]|O[BNTW]"
    r"|P[BCLMW]|R[EOU]|S[LOQTZ]|T[BEMRW]|U[CS]|VW|W[LRT]"
)
"""The properties of the standard beside moves; another one that holds a point is a mistake."""
POINT = re.compile(r"[a-z]{2}|[a-z]+\d{1,2}", re.I)
PASSES = "", "tt", "pa", "pass"
SWAPS = "swap", "swap-pieces"
ENDS = "resign", "forfeit"


@frozen
class Sgf(Form):
    """SGF of a game on a board of cells; the first seat is Black."""

    name: ClassVar[str] = "sgf"
    title: ClassVar[str] = "Smart Game Format"
    suffix: ClassVar[str] = ".sgf"
    commented: ClassVar[bool] = True
    rules: str
    """The name of the game: `hex`."""
    kind: int
    """The number of the game, GM: 2 Othello, 4 Gomoku, 11 Hex."""
    kinds: tuple[str, ...] = field(default=(), kw_only=True)
    """Other things that GM may say, in small letters; an empty text: GM may be absent."""
    size: int = field(default=19, kw_only=True)
    """The size of a board if the file does not have it."""
    lettered: bool = field(default=False, kw_only=True)
    """True if points are written as a letter and a number."""
    swaps: bool = field(default=False, kw_only=True)
    """True if the second player may take the first move for its own, mirrored."""
    takes: bool = field(default=False, kw_only=True)
    """True if a placed stone may change others, which readers of this kind handle themselves."""

    def suits(self, game: Game[Any]) -> bool:
        return game.name == self.rules

    def sized(self, game: Game[Any], columns: int, rows: int) -> Game[Any]:
        """Return the game on a board of this size; raises BadNotation where it has none."""
        from attrs import evolve, fields_dict

        names = fields_dict(type(game))
        sizes = {"size": columns} if "size" in names else {"rows": rows, "columns": columns}
        if "size" in names and rows != columns:
            raise BadNotation(f"{game.name} has no board of {columns} columns and {rows} rows")
        try:
            return evolve(game, **{key: n for key, n in sizes.items() if key in names})
        except (ValueError, GameError) as wrong:
            raise BadNotation(f"a board of {columns} columns and {rows} rows: {wrong}") from wrong

    # ---- reading ---------------------------------------------------------------------------------

    def read(self, game: Game[Any], text: str) -> list[Transcript]:
        """Return all games of a collection of this game; none of another's, or of another form."""
        text = text.removeprefix("\ufeff").strip()
        if not text.startswith("(;") and not re.match(r"\(\s*;", text):
            return []
        found = []
        for number, nodes in enumerate(trees(text), 1):
            said = nodes[0].get("GM", [""])[0].strip().lower()
            name = nodes[0].get("RU", [""])[0].partition("(")[0].strip()
            other = name in plugins.games() and name != self.rules  # as `dragon export` says it
            if said in {str(self.kind), *self.kinds} and not other:
                found.append(self._game(game, nodes, f"game {number}"))
        return found

    def _game(
        self, game: Game[Any], nodes: Sequence[Mapping[str, list[str]]], where: str
    ) -> Transcript:
        root = nodes[0]
        try:
            columns, rows = self._size(root)
            of = self.sized(game, columns, rows)
            begin = self._start(of, root)
        except GameError as wrong:
            raise BadNotation(f"{where}: {wrong}") from wrong
        walk, first = Walk(of, begin), ""
        swapped = mirrored = resigned = False
        for node in nodes:
            for colour in COLOURS:
                for text in node.get(colour, ()):
                    first = first or self._first(root, colour, bool(begin), where)
                    place = f"{where}, move {len(walk.moves) + 1} {colour}[{text.strip()}]"
                    word = text.split("/")[0].strip().lower()
                    if word in ENDS:
                        resigned = word == "resign"
                        continue
                    if self.swaps and word in (*SWAPS, "swap-sides") and len(walk.moves) == 1:
                        swapped, mirrored = True, word in SWAPS
                        walk.say(swap_note(mirrored))
                        continue
                    seat = (COLOURS.index(colour) + COLOURS.index(first) + swapped) % 2
                    if walk.state.turn not in (seat, TERMINAL):
                        raise BadNotation(f"{place}: it is not the turn of {colour}")
                    walk.make(self._move(of, word, mirrored, place), place)
            if odd := _odd(node):
                raise BadNotation(
                    f"{where}, after move {len(walk.moves)}: SGF has no property {odd}; a move is "
                    "B[...] or W[...]"
                )
            walk.say(" ".join(node.get("C", [""])[0].split()))
        # Black is the first player in both dialects: Little Golem marks its moves by W.
        names = [root.get(key, [""])[0].strip() for key in ("PB", "PW")]
        if swapped:
            names.reverse()
        tags = {NAMES[key]: " ".join(values[0].split()) for key, values in root.items()
                if key in NAMES and values[0].strip()}  # fmt: skip
        result = root.get("RE", [""])[0].strip()
        if won := WON.fullmatch(result):
            seat = COLOURS.index(won[1]) ^ swapped
            result = f"{COLOURS[seat]}+{won[2] or 'R' * resigned}"
        if board := self._of_board(walk.state):
            written = DRAWN.sub("Draw", result)
            if (won or written == "Draw") and written[:2] != board[:2]:  # by how much is not asked
                walk.say(result_note([result], board))
        return walk.transcript(tuple(names) if any(names) else (), result, tags)

    def _first(self, root: Mapping[str, list[str]], colour: str, setup: bool, where: str) -> str:
        """Return the colour of the first seat: Black, unless a dialect lets White begin."""
        if colour == "B" or setup or "HA" in root:
            return "B"
        if "GM" in root and not self.swaps:
            raise BadNotation(f"{where}: White moves first, and in this game Black does")
        if "GM" in root:
            raise BadNotation(
                f"{where}: White moves first; Black joins top and bottom, and begins, here"
            )
        return "W"

    def _size(self, root: Mapping[str, list[str]]) -> tuple[int, int]:
        if "BO" in root:  # of the Generic Game Format: the size, the cells, the colour to move
            size = root["BO"][0].split()[0]
            return int(size), int(size)
        text = root.get("SZ", [str(self.size)])[0].strip()
        known = re.fullmatch(r"(\d{1,3})(?:\s*[:x]\s*(\d{1,3}))?", text)
        if known is None:
            raise BadNotation(f"SZ[{text}] is not a size; it should be like SZ[11] or SZ[11:9]")
        columns = int(known[1])
        return columns, int(known[2] or columns)

    def _start(self, of: Game[Any], root: Mapping[str, list[str]]) -> str:
        """Return the text of the position that the root sets up; empty for the usual one."""
        board: Any = notation_of(of)
        letters = board.seat_letters
        rows = None
        if "BO" in root:
            _, *cells, mover = root["BO"][0].split()
            flat = "".join(cells).translate(
                str.maketrans("*O-", f"{letters[0]}{letters[1]}{EMPTY}")
            )
            if len(flat) != board.rows * board.columns:
                raise BadNotation(f"BO has {len(flat)} cells, and the board {board.rows**2}")
            rows = [flat[i : i + board.columns] for i in range(0, len(flat), board.columns)]
            turn = letters["*O".index(mover)] if mover in "*O" else letters[0]
        elif {"AB", "AW"} & {*root}:
            grid = [[EMPTY] * board.columns for _ in range(board.rows)]
            for key, letter in zip(("AB", "AW"), letters, strict=True):
                for point in root.get(key, ()):
                    row, column = self._place(board, point.strip().lower(), key)
                    grid[row][column] = letter
            rows = ["".join(row) for row in grid]
            turn = letters[root.get("PL", ["B"])[0].strip().upper()[:1] == "W"]
        if rows is None:
            return ""
        state = of.parse("/".join(rows) + f" {turn}")
        return "" if state == of.start() else str(state)

    def _move(self, of: Game[Any], word: str, mirrored: bool, place: str) -> str:
        board: Any = notation_of(of)
        if word in PASSES:
            return "pass"
        try:
            row, column = self._place(board, word, "a move")
        except BadNotation as wrong:
            raise BadNotation(f"{place}: {wrong}") from wrong
        return str(board.name(column, row) if mirrored else board.name(row, column))

    def _place(self, board: Any, point: str, what: str) -> tuple[int, int]:
        """Return the row and the column of a point; raises BadNotation."""
        if known := re.fullmatch(r"([a-z]+)(\d{1,2})", point):
            column = 0
            for letter in known[1]:
                column = 26 * column + ord(letter) - ord("a") + 1
            row, column = int(known[2]) - 1, column - 1
        elif re.fullmatch("[a-z]{2}", point):
            column, row = (ascii_letters.index(letter) for letter in point)
        else:
            raise BadNotation(f"{point!r} ({what}) is not a point; write two letters, or c4")
        if not (0 <= row < board.rows and column < board.columns):
            raise BadNotation(
                f"{point!r} ({what}) is not on a board of {board.columns} columns and "
                f"{board.rows} rows"
            )
        return row, column

    # ---- writing ---------------------------------------------------------------------------------

    def write(self, game: Game[Any], transcript: Transcript) -> str | None:
        """Return a tree of one branch; None where a move does more than to put a stone."""
        with suppress(Unsayable):
            return self.text(game, replayed(game, transcript), transcript)
        return None

    def text(self, game: Game[Any], replay: Replay, transcript: Transcript) -> str:
        board = notation_of(game)
        if not isinstance(board, Grid | Board) or len(board.seat_names) != 2:
            raise Unsayable("it has no board of stones of two colours")
        if max(board.rows, board.columns) > len(ascii_letters):
            raise Unsayable(f"SGF has boards of {len(ascii_letters)} lines at most")
        size = f"{board.columns}:{board.rows}" if board.rows != board.columns else board.rows
        names = {value: key for key, value in NAMES.items()}
        black, white = (*transcript.players, "", "")[:2]
        root = {
            "FF": "4", "GM": str(self.kind), "CA": "UTF-8", "AP": "dragon", "SZ": str(size),
            **{names[key]: value for key, value in transcript.tags.items() if key in names},
            "PB": black, "PW": white, "RE": self._said(replay.states[-1], transcript),
            "C": transcript.comments.get(0, ""),
        }  # fmt: skip
        head = "".join(f"{key}[{_escaped(value)}]" for key, value in root.items() if value)
        setup = self._setup(board, replay.states[0]) if transcript.start else ""
        nodes = []
        states: tuple[Any, ...] = replay.states
        boards = (board.board(state.record) for state in states)
        moved = zip(replay.movers, replay.moves, pairwise(boards), strict=True)
        for number, (seat, move, (old, new)) in enumerate(moved, 1):
            point = self._placed(board, seat, old, new)
            if point is None:
                raise Unsayable(f"{move} does more than to put a stone")
            said = transcript.comments.get(number, "")
            comment = f"C[{_escaped(said)}]" if said else ""
            nodes.append(f";{COLOURS[seat]}[{point}]{comment}")
        return f"(;{head}{setup}{''.join(nodes)})\n"

    def _placed(self, board: Grid | Board, seat: int, old: Any, new: Any) -> str | None:
        """Return the point of the mover's new stone, nothing for a pass; None for other moves."""
        places = [(r, c) for r in range(board.rows) for c in range(board.columns)]
        changed = [(r, c) for r, c in places if old[r][c] != new[r][c]]
        put = [(r, c) for r, c in changed if old[r][c] == EMPTY]
        if seat not in (0, 1) or (len(changed) > len(put) and not self.takes) or len(put) > 1:
            return None
        if not put:
            return None if changed else ""
        ((row, column),) = put
        return self._point(row, column) if new[row][column] == board.seat_letters[seat] else None

    def _point(self, row: int, column: int) -> str:
        across = ascii_letters[column]
        return f"{across}{row + 1}" if self.lettered else across + ascii_letters[row]

    def _setup(self, board: Any, state: Any) -> str:
        """Return the stones of a position that a game begins with, and who is to move."""
        stones: dict[str, list[str]] = {}
        for row, line in enumerate(board.board(state.record)):
            for column, letter in enumerate(line):
                if letter in board.seat_letters:
                    colour = COLOURS[board.seat_letters.index(letter)]
                    stones.setdefault(f"A{colour}", []).append(f"[{self._point(row, column)}]")
        setup = "".join(key + "".join(points) for key, points in sorted(stones.items()))
        return f"{setup}PL[{COLOURS[max(0, state.turn)]}]"

    def _said(self, state: State[Any], transcript: Transcript) -> str:
        said = transcript.result if re.match(r"[BW]\+|Draw|0$", transcript.result) else ""
        return self._of_board(state) or said

    def _of_board(self, state: State[Any]) -> str:
        """Return the result of a game that is over by its rules; else nothing."""
        if (payoffs := outcome(state)) is None:
            return ""
        if payoffs[0] == payoffs[1]:
            return "Draw"
        margin = abs(payoffs[0])
        return f"{COLOURS[payoffs[1] > payoffs[0]]}+{f'{margin:g}' if margin != 1 else ''}"


def _odd(node: Mapping[str, list[str]]) -> str:
    """Return the properties that mean a move in a node without one; empty if there are none."""
    for key, (value, *_) in node.items():
        if not USUAL.fullmatch(key) and not {*node} & {*COLOURS} and POINT.fullmatch(value):
            return f"{key}[{value}]"
    return ""


def swap_note(mirrored: bool) -> str:
    """Return the comment at a swap, which rules without one show as if it had not been needed.

    The second player takes the first stone, mirrored so that it serves the other edges. To mirror
    what comes after in its place leaves the stone where it is, and the game the same.
    """
    return "The players swap sides here" + (", and cells are mirrored." if mirrored else ".")


def trees(text: str) -> Iterator[Sequence[Mapping[str, list[str]]]]:
    """Yield the nodes of the first branch of each game of a collection, each its properties.

    The comment of the node before names the branches that are left out. Raises BadNotation with
    the line that is not SGF.
    """
    at, depth, nodes, skipped, left = 0, 0, list[dict[str, list[str]]](), 0, 0
    while at < len(text):
        sign = text[at]
        if sign.isspace():
            at += 1
        elif sign == "(":
            if depth and left:
                skipped = skipped or depth + 1
            depth, at = depth + 1, at + 1
        elif sign == ")":
            depth, at = depth - 1, at + 1
            if depth < 0:
                raise BadNotation(f"line {line_of(text, at)}: ) without ( before it")
            if skipped and depth < skipped:
                _note(nodes, "A variation is left out.")
                skipped = 0
            left = 1
            if depth == 0:
                if nodes:
                    yield nodes
                nodes, left, skipped = [], 0, 0
        elif sign == ";" and depth:
            at += 1
            node: dict[str, list[str]] = {}
            while found := PROPERTY.match(text, at):
                key = re.sub("[a-z]", "", found[1])  # as FF[3] allows: `White` is W
                if key in COLOURS and {*node} & {*COLOURS}:  # GGF has no ; between moves
                    if not skipped:
                        nodes.append(node)
                    node = {}
                node.setdefault(key, []).extend(map(_unescaped, VALUE.findall(found[2])))
                at = found.end()
            if not skipped and (node or not nodes):
                nodes.append(node)
        elif depth == 0:  # text between games
            at += 1
        else:
            raise BadNotation(f"line {line_of(text, at)}: {shortened(text[at:])} is not SGF")
    if depth:
        raise BadNotation("the text ends within a game; is its last ) missing?")


def _note(nodes: Sequence[dict[str, list[str]]], said: str) -> None:
    if nodes:
        before = nodes[-1].get("C", [""])[0]
        nodes[-1]["C"] = [f"{before} {said}".strip()]


def _unescaped(text: str) -> str:
    return re.sub(r"\\(?:\r?\n)?", "", text.replace("\\\\", "\0")).replace("\0", "\\")


def _escaped(text: str) -> str:
    return " ".join(text.split()).replace("\\", "\\\\").replace("]", "\\]")
