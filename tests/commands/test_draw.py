"""`dragon draw`: text, SVG and PNG of positions, seen by whom, and what it refuses."""

from __future__ import annotations

import io
import re
import shlex
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

import dragon
from dragon.boards import picture
from dragon.boards.picture import board_text
from dragon.cli import main


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["draw", *arguments])


def test_a_position_is_drawn_as_its_game_draws_it(tmp_path: Path) -> None:
    nex = dragon.game("nex(rows=2, cols=2)")
    after = nex.start().after("Ba1?b2")
    shown = run("nex(rows=2, cols=2)", "--moves", "Ba1?b2")
    assert shown.stdout == f"{after.picture()}\n"
    file = tmp_path / "nex.svg"
    assert run("nex(rows=2, cols=2)", "--moves", "Ba1?b2", "--out", str(file)).exit_code == 0
    assert file.read_text() == nex.svg(after)
    drawn = run("nex(rows=2, cols=2)", "--position", str(after), "--out", "-").stdout
    assert drawn.strip() == nex.svg(after)


def test_the_examples_of_the_help_can_be_drawn() -> None:
    examples = re.findall(r"^ +dragon draw (.+)$", run("--help").stdout, re.MULTILINE)
    assert len(examples) > 3
    for words in map(shlex.split, examples):
        shown = run(*(word if Path(word).suffix not in (".svg", ".png") else "-" for word in words))
        assert shown.exit_code == 0, shown.output


def test_a_game_of_moves_has_rows_of_them_and_hides_what_is_hidden() -> None:
    drawn = run("kuhn", "--moves", "KQ;pass", "--seat", "1", "--out", "-").stdout
    root = ElementTree.fromstring(drawn)
    assert "".join(root.itertext()) == "DealPlayer 1Player 2?Qpass"


@pytest.mark.full
@pytest.mark.skipif(not any(map(shutil.which, picture.PROGRAMS)), reason="nothing draws SVG here")
def test_a_png_has_the_shape_of_its_svg(tmp_path: Path) -> None:
    file = tmp_path / "board.png"
    assert run("tictactoe", "--moves", "b2", "--out", str(file)).exit_code == 0
    data = file.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    size = [int.from_bytes(data[at : at + 4], "big") for at in (16, 20)]
    box = picture.BOX.search(dragon.game("tictactoe").start().svg() or "")
    assert box is not None
    assert max(size) == 1200
    assert abs(size[0] / size[1] - float(box[1]) / float(box[2])) < 0.01


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["tictactoe", "--out", "board.gif"], "must end in .svg or .png"),
        (["tictactoe", "--moves", "b2 b2"], "b2"),
        (["kuhn", "--seat", "2"], "has 2 seats"),
        (
            ["tictactoe", "--out", "/nowhere/board.svg"],
            "/nowhere/board.svg: No such file or directory; give another",
        ),
    ],
)
def test_what_cannot_be_drawn_is_a_sentence(arguments: list[str], reason: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert reason in result.stderr


def test_a_png_without_a_program_for_it_names_some(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert "install one of resvg" in run("tictactoe", "--out", "board.png").stderr


class Terminal(io.StringIO):
    def __init__(self, encoding: str) -> None:
        super().__init__()
        self.known = encoding

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self.known

    def isatty(self) -> bool:
        return True


SIGNED = {
    "chess": ["♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜"], "checkers": [". ● . ● . ● . ●"],
    "reversi": [". . . ○ ● . . ."], "breakthrough(rows=4, columns=2)": ["♙ ♙"],
    "teeko": ["● ○", "a1", "b1"], "domineering": ["▮ ▭ ▭", "a1", "a2"],
}  # fmt: skip


@pytest.mark.parametrize("spec", SIGNED)
def test_a_terminal_shows_pieces_as_signs_where_it_has_them(
    spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = dragon.game(spec)
    state = game.start()
    for move in SIGNED[spec][1:]:
        state = state.after(move)
    letters = game.draw(state)
    assert letters.isascii()
    assert board_text(game, state) == letters, "a file or a pipe has letters"
    monkeypatch.setattr("sys.stdout", Terminal("ascii"))
    assert board_text(game, state) == letters
    monkeypatch.setattr("sys.stdout", Terminal("utf-8"))
    shown = board_text(game, state)
    assert SIGNED[spec][0] in shown
    assert [*map(len, shown.split("\n"))] == [*map(len, letters.split("\n"))]


def test_stones_of_nex_are_signs_and_names_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    game = dragon.game("nex(rows=2, cols=2)")
    after = game.start().after("Ba1?b2")
    monkeypatch.setattr("sys.stdout", Terminal("utf-8"))
    shown = board_text(game, after)
    assert shown == game.draw(after).replace("B  ", "●  ")
    assert shown.count("●") == 1
    assert "White to move" in shown
