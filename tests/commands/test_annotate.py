"""`dragon annotate`: the value of each move of a game, in the forms that games have."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from dragon.cli import main

MATE = '[White "A"]\n[Black "B"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n1. e4 *\n'


def annotate(text: str, *more: str) -> Result:
    """Run the command on a text from stdin."""
    return CliRunner().invoke(main, ["annotate", "-", *more], input=text)


def rows(text: str, *more: str) -> Any:
    """Give its answer in JSON."""
    found = annotate(text, *more, "--json")
    assert found.exit_code == 0, found.output
    return json.loads(found.stdout)


def test_the_move_that_loses_is_marked() -> None:
    found = rows(MATE, "--depth", "2")
    assert found["game"] == "chess"
    assert found["players"] == ["A", "B"]
    marks = {row["move"]: row["mark"] for row in found["moves"]}
    assert marks == {"f3": None, "e5": None, "g4": "??", "Qh4#": None}
    lost, won = found["moves"][2:]
    assert (lost["value"], lost["exact"], won["value"]) == (-1.0, True, 1.0)


def test_every_value_of_tictactoe_is_proven() -> None:
    found = rows("game: tictactoe\nmoves:\nb2\na2\na1\nc3\nc1\na3\nb1\n")
    assert [row["value"] for row in found["moves"]] == [0, -1, 1, -1, 1, -1, 1]
    assert [row["mark"] for row in found["moves"]] == [None, "??", None, None, None, None, None]
    assert all(row["exact"] for row in found["moves"])


def test_text_for_people(tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    file.write_text(MATE)
    found = CliRunner().invoke(main, ["annotate", str(file), "--depth", "2"])
    assert "has 2 games, and this is the first; --game N takes another" in found.stderr
    assert "3  White  g4    = -1" in found.stdout
    assert "?? better" in found.stdout
    assert found.stdout.endswith("losing moves: White 1, Black 0\n")


@pytest.mark.parametrize("form", ["pgn", "dragon"])
def test_it_writes_what_can_be_annotated_again(form: str, tmp_path: Path) -> None:
    out = tmp_path / "annotated"
    found = annotate(MATE, "--depth", "2", "--to", form, "--out", str(out))
    assert found.exit_code == 0
    again = rows(out.read_text(), "--depth", "2")
    assert [row["move"] for row in again["moves"]] == ["f3", "e5", "g4", "Qh4#"]


def test_pgn_has_values_in_comments() -> None:
    found = annotate(MATE, "--depth", "2", "--to", "pgn")
    assert "2. g4 $4 {[%eval #-1] = -1, better" in " ".join(found.stdout.split())


@pytest.mark.full
@pytest.mark.parametrize(
    ("text", "more", "reason"),
    [
        ("hello", (), "is not the record of a game"),
        ("1. e4 e5 2. Ke3", (), "-: game 1, line 1, move Ke3"),
        ("f5d6c3", (), "may be a game of gomoku or reversi; say which by --rules"),
        (MATE, ("--game", "3"), "- has 2 games, and no game 3"),
        (MATE, ("--to", "pgm"), "did you mean 'pgn'"),
        ("f5d6c3", ("--rules", "hexx"), "did you mean 'hex'"),
        ("game: hex(size=3)\nmoves:\nz9\n", (), "move 1"),
    ],
)
def test_a_mistake_is_one_line(text: str, more: tuple[str, ...], reason: str) -> None:
    found = annotate(text, *more)
    assert found.exit_code == 2
    assert reason in found.stderr
    assert [line[:5] for line in found.stderr.splitlines()].count("drago") == 1
    assert "Traceback" not in found.stderr


@pytest.mark.samples(4)
@pytest.mark.parametrize(
    ("text", "more", "game", "moves"),
    [
        (MATE, ("--game", "2"), "chess", ["e4"]),
        ("see https://hexworld.org/board/#3c1,a1b2 there", (), "hex(size=3)", ["a1", "b2"]),
        ("(;FF[4]PB[a]PW[b]SZ[3]RE[B];W[bb];B[aa];W[resign])", (), "hex(size=3)", ["b2", "a1"]),
        ("f5d6c3", ("--rules", "reversi"), "reversi", ["f5", "d6", "c3"]),
        (
            "(;GM[Othello]PC[GGS]BO[8 -------- -------- -------- ---O*--- ---*O--- "
            "-------- -------- -------- *]B[f5];W[d6])",
            (),
            "reversi",
            ["f5", "d6"],
        ),
        (
            "(;GM[Othello]PB[a]PW[b]BO[8 ---------------------------O*------*O----------------"
            "----------- *]B[F5//1.2]W[D6]B[c3/-2.00/3]W[D3]B[C4];)",
            (),
            "reversi",
            ["f5", "d6", "c3", "d3", "c4"],
        ),
        ("Piskvorky 15x15, 0:0, 0\n8,8,0\n9,9,0\n", (), "gomoku", ["h8", "i9"]),
        ("(;GM[4]SZ[15];B[hh];W[ii])", (), "gomoku", ["h8", "i9"]),
        ('[GameType "21"]\n\n1. 9-14 22-17 2. 11-15 *', (), "checkers", ["9-14", "22-17", "11-15"]),
        (" Game 1\n A : 0      B : 0\n 1) 31: 8/5 6/5\n", (), "backgammon", ["8/5", "6/5"]),
        ('[Variant "hex(size=3)"]\n\n1. a1 b2 *', (), "hex(size=3)", ["a1", "b2"]),
        ("1. 4 2. 4 3. 5", ("--rules", "connect4"), "connect4", ["4", "4", "5"]),
    ],
)
def test_every_form_is_annotated(
    text: str, more: tuple[str, ...], game: str, moves: list[str]
) -> None:
    found = rows(text, *more, "--nodes", "200", "--search", "alphabeta")
    assert found["game"] == game
    assert [row["move"].partition(":")[0] for row in found["moves"]] == moves
    assert all({"value", "exact", "best", "mark"} <= {*row} for row in found["moves"])
    shown = annotate(text, *more, "--nodes", "200", "--search", "alphabeta")
    assert shown.stdout.count("\n") == len(moves) + 3


@pytest.mark.full
def test_what_a_tournament_exports_is_annotated(tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(
        'game = "chess"\ngames = 2\nplies = 6\n[[player]]\nsearch = "random"\nname = "a"\n'
        '[[player]]\nsearch = "random"\nname = "b"\n'
    )
    run = CliRunner().invoke(main, ["tournament", str(file), "--out", str(tmp_path / "cup")])
    assert run.exit_code == 0, run.output
    text = CliRunner().invoke(main, ["export", str(tmp_path / "cup"), "--to", "pgn", "--out", "-"])
    found = annotate(text.stdout, "--game", "2", "--depth", "1", "--to", "pgn")
    assert found.exit_code == 0, found.output
    assert found.stdout.count("[%eval") == 6


def test_a_form_without_comments_says_that_it_holds_no_values() -> None:
    text = "(;GM[4]SZ[15];B[hh];W[ii])"
    for name, noted in (("psq", True), ("sgf", False), ("dragon", True)):
        found = annotate(text, "--nodes", "50", "--search", "alphabeta", "--to", name)
        assert found.exit_code == 0
        note = "note: this form holds no values of moves; --to sgf or --to pgn does"
        assert (note in found.stderr) is noted


@pytest.mark.full
def test_guesses_are_not_marked() -> None:
    """Reversi has no evaluation of its own, so that mcts guesses; it does not accuse."""
    found = rows("f5d6c3", "--rules", "reversi", "--nodes", "300")
    assert found["search"] == "alphabeta, mcts"
    assert any(row["value"] for row in found["moves"])
    assert not any(row["mark"] for row in found["moves"])
    assert rows(MATE, "--depth", "1")["search"] == "alphabeta"


def test_a_form_of_one_game_comes_before_lists_of_moves() -> None:
    found = rows("1. e4 e5\n2. d4 d5\n", "--depth", "1")
    assert (found["game"], len(found["moves"])) == ("chess", 4)


def test_moves_of_chance_are_not_judged() -> None:
    text = " Game 1\n A : 0      B : 0\n 1) 31: 8/5 6/5\n"
    found = rows(text, "--nodes", "2000")
    assert {row["move"].partition(":")[0] for row in found["moves"]} == {"8/5", "6/5"}
