"""Positions in FEN, moves in SAN or as cells, after the PGN standard (S. J. Edwards 1994)."""

from __future__ import annotations

import re
from collections.abc import Set
from functools import lru_cache
from itertools import product
from typing import Any

from attrs import frozen

from dragon import TERMINAL, AmbiguousMove, BadNotation, Board, IllegalMove, RecordState
from dragon.bits import bit, has, members, u64
from dragon.boards.repetition import past_text, read_past
from dragon_boards.chess.rules import FIFTY, KINGS, PAWNS, ROOKS, look, passing, reach
from dragon_boards.chess.tables import KING, PAWN

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
REST = ("", "", "-", "-", "0", "1")
FIELDS = re.compile(
    r"\S+ (w (-|[A-HKQa-hkq]+) (-|[a-h]6)|b (-|[A-HKQa-hkq]+) (-|[a-h]3)) \d{1,3} \d{1,6}"
)
SAN = re.compile("OOO?|[NBRQK]?[a-h]?[1-8]?[a-h][1-8][NBRQnbrq]?")
KINDS = "PNBRQK"
FIRST = {"P": 0, "N": 2, "B": 2, "R": 2, "Q": 1}
"""How many pieces of a kind no pawn has become."""
NAMES = [f"{file}{rank}" for rank in range(1, 9) for file in "abcdefgh"]
CELLS = {name: at for at, name in enumerate(NAMES)}


@lru_cache(maxsize=8)
def state_of(game: Any, data: bytes) -> RecordState:
    """The state of a record: the moves of one that is asked again are listed once."""
    return RecordState(game, data)


def codes(state: RecordState) -> list[int]:
    """The codes of all legal moves."""
    moves = state.moves()
    return [] if isinstance(moves, tuple) else [int(code) for code in moves.codes]


def parts(s: Any, code: int) -> tuple[int, int, int, int, int]:
    """Where a move leads from and to, its piece, what that becomes, and how far it castles."""
    at, to, kind, becomes = code & 63, code >> 6 & 63, code >> 12 & 7, code >> 15
    if kind != KINGS or not has(s.pieces[6 * (s.ply & 1) + ROOKS], to):
        return at, to, kind, becomes, 0
    return at, at // 8 * 8 + (6 if to > at else 2), kind, becomes, 1 if to > at else -1


def spellings(s: Any, code: int) -> Set[str]:
    """All that a move may be written as, less the signs between."""
    at, to, kind, becomes, castles = parts(s, code)
    if castles:  # a king that would come where it may also step is sent to its rook
        ends = (code >> 6 & 63, to if abs(to - at) > 1 else code >> 6 & 63)
        return {"OO" if castles > 0 else "OOO", *(NAMES[at] + NAMES[end] for end in ends)}
    return _spelled(at, to, kind, becomes)


@lru_cache(maxsize=1 << 12)
def _spelled(at: int, to: int, kind: int, becomes: int) -> Set[str]:
    """The same for a move that does not castle, whatever the position."""
    file, rank = NAMES[at][0], NAMES[at][1]
    origins = {NAMES[at], *(KINDS[kind] + origin for origin in ("", file, rank, NAMES[at]))}
    if kind == PAWNS:
        origins = {NAMES[at], file} if (to - at) % 8 else {NAMES[at], file, rank, ""}
    lasts = {KINDS[becomes], KINDS[becomes].lower()} if kind == PAWNS and becomes else {""}
    return {origin + NAMES[to] + last for origin in origins for last in lasts}


def goals(kind: int, at: int) -> Any:
    """Where a piece of a kind may go from a cell in some position."""
    if kind == KINGS:
        return KING[at]
    if kind != PAWNS:
        return reach(kind, at, u64(0))
    if not 8 <= at < 56:
        return u64(0)
    cells = PAWN[0, at] | PAWN[1, at] | bit(at + 8) | bit(at - 8)
    return cells | (bit(at + 16) if at < 16 else bit(at - 16) if at >= 48 else u64(0))


@frozen
class ChessNotation(Board):
    """FEN, and behind it the moves since the last that cannot be taken back, if there are any.

    They decide whether a position is there for the third time: `... b - - 3 40 after g1f3 g8f6
    f3g1`. In a FEN without them no position was there before.
    """

    game: Any = None

    def move_text(self, s: Any, code: int) -> str:
        """SAN, with as much of the cell that a piece leaves as tells it from others."""
        state = state_of(self.game, s.tobytes())
        at, to, kind, becomes, castles = parts(s, code)
        after = state.play(code)
        mate = after.turn == TERMINAL and any(after.payoff())
        sign = "#" if mate else "+" if after.view.checkers else ""
        if castles:
            return ("O-O" if castles > 0 else "O-O-O") + sign
        taken = any(has(pieces, to) for pieces in s.pieces)
        if kind == PAWNS:
            origin = f"{NAMES[at][0]}x" if (to - at) % 8 else ""
            return origin + NAMES[to] + (f"={KINDS[becomes]}" if becomes else "") + sign
        alike = [c & 63 for c in codes(state) if c & ~63 == code & ~63 and c != code]
        file = bool(alike) and all(at % 8 != other % 8 for other in alike)
        rank = bool(alike) and not file and all(at // 8 != other // 8 for other in alike)
        origin = NAMES[at][rank : 2 - file] if alike else ""
        return KINDS[kind] + origin + ("x" if taken else "") + NAMES[to] + sign

    def texts(self) -> dict[int, str]:
        """Every move from a cell to a cell, as e2e4, e7e8q and e1g1."""
        found = {}
        for kind, at in product(range(6), range(64)):
            for to in members(goals(kind, at)):
                for becomes in range(1, 5) if kind == PAWNS and to // 8 in (0, 7) else (kind,):
                    last = KINDS[becomes].lower() if becomes != kind else ""
                    found[at | to << 6 | kind << 12 | becomes << 15] = NAMES[at] + NAMES[to] + last
        for home, rook in product((0, 56), (0, 7)):
            code = home + 4 | home + rook << 6 | KINGS << 12 | KINGS << 15
            found[code] = NAMES[home + 4] + NAMES[home + (6 if rook else 2)]
        return found

    def move_code(self, s: Any, text: str) -> int:
        """The code of a move in SAN, with more or less than it takes, or as e7e8q and e1g1."""
        plain = re.sub("[-x=+#!?]", "", text).replace("0", "O")
        if not SAN.fullmatch(plain):
            raise BadNotation(f"{text!r} is not a move; write one like e4, Nf3, exd8=Q, O-O, e2e4")
        legal = codes(state_of(self.game, s.tobytes()))
        near = (c for c in legal if c >> 12 & 7 == KINGS or NAMES[c >> 6 & 63] in plain)
        found = [code for code in near if plain in spellings(s, code)]
        if not found:
            raise IllegalMove(f"{text} is not legal in {self.position_text(s)}")
        if len(found) > 1:
            fit = ", ".join(self.move_text(s, code) for code in found)
            raise AmbiguousMove(f"{text!r} fits {fit} in {self.position_text(s)}")
        return found[0]

    def pointed(self, s: Any, code: int) -> tuple[str, ...]:
        """The cell of a piece, and the one where it goes."""
        at, to, *_ = parts(s, code)
        return NAMES[at], NAMES[to]

    def clicks(self, move: str) -> tuple[tuple[str, ...], ...]:
        """The cell where the piece goes; the text does not have the one that it leaves."""
        return (tuple(re.findall("[a-h][1-8]", move)[-1:]),)

    def position_text(self, s: Any) -> str:
        """The FEN of a record; its cell of capture in passing only where a pawn may capture."""
        board = ["".join(row) for row in self.board(s)]
        rows = re.sub(r"\.+", lambda empty: str(len(empty[0])), "/".join(board))
        rights = ""
        for home, rank in ((0, board[7]), (56, board[0].swapcase())):
            king = rank.find("K")
            for file in range(7, -1, -1):
                if has(s.rights, home + file):
                    outer = rank.rfind("R") if file > king else rank.find("R")
                    letter = ("K" if file > king else "Q") if file == outer else "ABCDEFGH"[file]
                    rights += letter.lower() if home else letter
        passant = NAMES[int(s.passant)] if s.passant else "-"
        fen = f"{rows} {'wb'[s.ply & 1]} {rights or '-'} {passant} {s.clock} {s.ply // 2 + 1}"
        return fen + past_text(s.past[: s.kept], NAMES)

    def parse(self, s: Any, text: str) -> None:
        """FEN, of which the last fields may be left out, with every mistake named."""

        def check(holds: Any, wrong: str) -> None:
            if not holds:
                raise BadNotation(f"{text!r} is no position: {wrong}")

        fen, _, past = text.partition(" after ")
        fields = [*fen.split(), *REST[len(fen.split()) :]]
        check(FIELDS.fullmatch(" ".join(fields)), f"write a FEN like {START!r}")
        rows, side, rights, passant, clock, number = fields
        s.past[:] = 0
        Board.parse(self, s, re.sub("[1-8]", lambda n: "." * int(n[0]), rows) + f" {side}")
        s.ply += 2 * max(0, int(number) - 1)
        s.clock = min(int(clock), FIFTY)
        board = "".join("".join(row) for row in self.board(s)[::-1])
        for own in (board, board.swapcase()):
            spare = sum(max(0, own.count(kind) - n) for kind, n in FIRST.items())
            check(own.count("K") == 1 and spare <= 8 and "P" not in own[:8] + own[-8:],
                  "a side has one king, eight pawns or what they became, and none of these on the "
                  "first or the last rank")  # fmt: skip
        wings = set()
        for letter in rights.replace("-", ""):
            home, kind = 56 * letter.islower(), letter.upper()
            rank = (board.swapcase() if home else board)[home : home + 8]
            king, file = rank.find("K"), {"K": rank.rfind("R"), "Q": rank.find("R")}.get(kind)
            file = ord(kind) - 65 if file is None else file
            wing = (home, file > king)
            check(king >= 0 and rank[file : file + 1] == "R" and (kind != "K" or wing[1])
                  and (kind != "Q" or not wing[1]) and wing not in wings,
                  f"{letter!r} needs its king and its rook at home")  # fmt: skip
            wings.add(wing)
            s.rights |= bit(home + file)
        s.ply += 1
        look(s)
        s.ply -= 1
        check(not s.checkers, "the side that has moved is in check")
        look(s)
        if passant != "-":
            at, step = CELLS[passant], 8 if side == "w" else -8
            behind = board[at - step] + board[at] + board[at + step]
            check(behind == ("p.." if side == "w" else "P.."), f"no pawn has passed {passant}")
            s.passant = at if passing(s, at) else 0
        moves = past.split()
        check(len(moves) <= s.clock, "it has more moves behind `after` than its clock allows")
        kinds = (" NBRQK", " nbrqk")
        try:
            s.past[: len(moves)] = read_past(moves, CELLS, board, kinds[:: 1 if s.ply & 1 else -1])
        except ValueError as wrong:
            check(False, str(wrong))
        s.kept = len(moves)
