"""`dragon compare`: what is the same, and the first difference of what is not."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen
from click.testing import CliRunner

import dragon
from dragon import Game, State
from dragon.bridges.compare import Comparison, Pairing, command, compare, texts
from dragon.errors import ConfigError

EXAMPLE = Path(__file__).parents[2] / "examples" / "python-chess"


SMALL = "breakthrough(rows=6, columns=4)"


class Wrapped(State[str]):
    """Tic-tac-toe by another author, whose moves and ends a test may spoil."""

    __slots__ = ("inner",)

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    @property
    def turn(self) -> int:
        return int(self.inner.turn)

    def moves(self) -> tuple[str, ...]:
        return tuple(map(str, self.inner.moves()))

    def after(self, move: str) -> Any:
        return type(self)(self.inner.after(move))

    def payoff(self) -> tuple[float, ...]:
        return tuple(self.inner.payoff())

    def __str__(self) -> str:
        return str(self.inner)


class Doubled(Wrapped):
    def payoff(self) -> tuple[float, ...]:
        return tuple(2 * each for each in self.inner.payoff())


class Blind(Wrapped):
    """It does not know that the middle may be taken by the second seat."""

    def moves(self) -> tuple[str, ...]:
        moves = super().moves()
        return tuple(move for move in moves if move != "b2") if self.turn == 1 else moves


class Upside(Wrapped):
    """Breakthrough whose six rows are counted from the top."""

    def moves(self) -> tuple[str, ...]:
        return tuple(map(self.turned, super().moves()))

    def after(self, move: str) -> Any:
        return super().after(self.turned(move))

    @staticmethod
    def turned(move: str) -> str:
        return re.sub(r"\d", lambda row: str(7 - int(row[0])), move)


class Tongues(Wrapped):
    """Its moves have names of no language, in another order; positions are written as ours."""

    def moves(self) -> tuple[str, ...]:
        return tuple("cell." + "zyx"[ord(m[0]) - 97] * int(m[1]) for m in super().moves())[::-1]

    def after(self, move: str) -> Any:
        name = move.removeprefix("cell.")
        return super().after("cba"["xyz".index(name[0])] + str(len(name)))


@frozen
class Other(Game[str]):
    name = "other"
    kind: type[Wrapped] = Wrapped
    inner: str = "tictactoe"

    def start(self, rng: Any = 0) -> State[str]:
        return self.kind(dragon.game(self.inner).start(rng))

    def parse(self, text: str) -> State[str]:
        return self.kind(dragon.game(self.inner).parse(text))


def other(kind: type[Wrapped], inner: str = "tictactoe") -> Any:
    return compare(dragon.game(inner), Other(kind, inner), games=20)


@pytest.mark.samples("Wrapped-*")
@pytest.mark.parametrize(
    ("kind", "inner", "pairing", "paths"),
    [
        (Wrapped, "tictactoe", "their text", 504),
        (Upside, SMALL, "their text, with rows counted from the other end", 1074),
        (Tongues, "tictactoe", "the positions that they lead to", 504),
    ],
)
def test_the_same_rules_are_the_same_however_moves_are_called(
    kind: type[Wrapped], inner: str, pairing: str, paths: int
) -> None:
    found = other(kind, inner)
    assert found.difference is None
    assert (found.perft[-1], found.games, found.pairing) == (paths, 20, pairing)
    assert paths == dragon.perft(dragon.game(inner).start(), 3)


def test_a_missing_move_is_shown_with_its_line() -> None:
    differs = other(Blind).difference
    assert differs.what == "8 moves here, and 7 there; only here: b2; only there: none"
    assert differs.line == ("a1",)
    assert differs.here == differs.there == str(dragon.game("tictactoe").start().after("a1"))


def test_other_payoffs_are_a_difference_but_not_other_winners() -> None:
    differs = other(Doubled).difference
    assert differs.what in ("the payoffs are 1, -1, and 2, -2 there",
                            "the payoffs are -1, 1, and -2, 2 there")  # fmt: skip
    assert len(differs.line) >= 5
    same = compare(dragon.game("tictactoe"), Other(Doubled), games=20, depth=2, ends=True)
    assert same.difference is None


def test_odds_of_chance_are_compared() -> None:
    class Loaded(Wrapped):
        def odds(self) -> tuple[float, ...]:
            odds = [*self.inner.odds()]
            return (odds[0] / 2, odds[1] + odds[0] / 2, *odds[2:])

    kuhn = dragon.game("kuhn")
    fair = compare(kuhn, Other(Wrapped, "kuhn"), games=30)
    assert fair.difference is None
    found = compare(kuhn, Other(Loaded, "kuhn"), games=30)
    assert found.difference.what == "JQ has the odds 0.166667 here, and 0.0833333 there"


def test_games_of_other_numbers_of_seats_are_refused() -> None:
    with pytest.raises(ConfigError, match="has 2 seats and sliding 1"):
        compare(dragon.game("tictactoe"), dragon.game("sliding"))


def test_moves_that_look_alike_are_not_paired() -> None:
    class Same(Wrapped):
        def moves(self) -> tuple[str, ...]:
            return ("a1",) * 9

    walk = Comparison(
        dragon.game("tictactoe"), Other(Same), Pairing("text", texts, lambda s: s.moves())
    )
    found = walk.pairs(dragon.game("tictactoe").start(), Other(Same).start(), ())
    assert "only here: a2, a3" in found.what  # type: ignore[union-attr]


def test_the_command_tells_by_text_json_and_exit_code() -> None:
    run = CliRunner().invoke
    same = run(command, ["tictactoe", "tictactoe", "--games", "3"])
    assert same.exit_code == 0
    assert same.output.startswith("tictactoe and tictactoe are the same: 3 games of ")
    different = run(command, ["tictactoe", "connect4", "--json"])
    assert different.exit_code == 1
    row = json.loads(different.output)
    assert (row["same"], row["difference"]["line"], row["perft"]) == (False, [], [])
    assert "9 moves here, and 7 there" in row["difference"]["what"]


# ---- with packages of others -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ours", "theirs", "ends", "depth", "paths"),
    [
        ("breakthrough", "breakthrough", False, 2, 484),
        ("reversi", "othello", True, 3, 56),
        ("hex(size=5)", "hex(board_size=5)", False, 2, 600),
        ("connect4", "connect_four", False, 3, 343),
        pytest.param("breakthrough", "breakthrough", False, 3, 11132, marks=pytest.mark.full),
    ],
)
def test_games_of_openspiel_are_ours(
    ours: str, theirs: str, ends: bool, depth: int, paths: int
) -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (the extra `openspiel`)")
    from dragon.bridges.spiel import OpenSpiel

    found = compare(dragon.game(ours), OpenSpiel(theirs), 10, depth, ends=ends)
    assert found.difference is None
    assert found.perft[-1] == paths


def test_openspiel_ends_a_game_of_chess_in_which_neither_side_can_mate() -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (the extra `openspiel`)")
    from dragon.bridges.spiel import OpenSpiel

    found = compare(dragon.game("chess"), OpenSpiel("chess"), games=20, depth=1)
    assert found.difference.what == "to move is b here, and none: the game is over there"


@pytest.fixture
def python_chess(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module of the example."""
    pytest.importorskip("chess", reason="python-chess is not installed")
    monkeypatch.syspath_prepend(str(EXAMPLE))
    import dragon_python_chess

    yield dragon_python_chess
    del sys.modules["dragon_python_chess"]


KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def test_chess_is_that_of_python_chess(python_chess: Any) -> None:
    """Perft of the start and of a position with every kind of move: chessprogramming.org."""
    chess, theirs = dragon.game("chess"), python_chess.PythonChess()
    found = compare(chess, theirs, games=2, depth=2)
    assert (found.difference, found.perft) == (None, (1, 20, 400))
    found = compare(chess, theirs, games=0, depth=2, text=KIWIPETE)
    assert (found.difference, found.perft) == (None, (1, 48, 2039))


def test_chess_without_en_passant_is_found(python_chess: Any) -> None:
    class Plain(python_chess.ChessState):  # type: ignore[name-defined]
        def moves(self) -> tuple[str, ...]:
            import chess

            return tuple(m for m in super().moves()
                         if not self.board.is_en_passant(chess.Move.from_uci(m)))  # fmt: skip

        def after(self, move: str) -> Any:
            return type(self)(super().after(move).board)

    class NoPassing(python_chess.PythonChess):  # type: ignore[name-defined]
        def parse(self, text: str) -> Any:
            return Plain(super().parse(text).board)

    text = "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1"
    found = compare(dragon.game("chess"), NoPassing(), games=0, depth=2, text=text)
    assert found.difference.what.endswith("only here: exd6; only there: none")
    assert found.difference.line == ("d5",)
