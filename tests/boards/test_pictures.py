"""Saved pictures show themselves anywhere, and a stranger's game is drawn well by declaration."""

from __future__ import annotations

import io
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import dragon
from dragon import TERMINAL, Board, Grid, RecordGame, Rules, frozen, rule
from dragon.bits import bit
from dragon.boards import picture
from dragon.boards.material import PALETTE
from dragon.core.spec import settings

SVG = "{http://www.w3.org/2000/svg}"
SHAPES = {f"{SVG}{name}" for name in ("rect", "circle", "ellipse", "path", "line", "text")}
INSTALLED = sorted(
    name for name, cls in dragon.games().items() if not any(s.required for s in settings(cls))
)


def drawn(state: Any) -> ElementTree.Element:
    return ElementTree.fromstring(picture.svg_of(state.game, state))


def middle(name: str, plies: int = 12) -> Any:
    """A position in the middle of a random game."""
    rng, state = np.random.default_rng(2), dragon.game(name).start()
    for _ in range(plies):
        if state.turn == TERMINAL:
            break
        legal = state.moves()
        after = state.after(legal[int(rng.integers(len(legal)))])
        if after.turn == TERMINAL:
            break
        state = after
    return state


# ---- colours that any program shows


@pytest.mark.samples(1)
@pytest.mark.parametrize("name", INSTALLED)
def test_a_saved_picture_has_its_colours_in_it(name: str) -> None:
    state = middle(name)
    text = picture.svg_of(state.game, state)
    root = ElementTree.fromstring(text)
    assert not [word for word in ("var(", "light-dark(", "currentColor") if word in text]
    styled = "".join(each.text or "" for each in root.iter(f"{SVG}style"))
    named = {each.get("id") for each in root.iter()}
    seen = 0
    for shape, above in shapes(root):
        own = shape.get("class", "").split()
        known = any(f".{each}" in styled for each in own)
        inherited = any(each.get("fill") or each.get("class") for each in above)
        filled = shape.get("fill") or shape.get("stroke") or known or inherited
        assert filled or shape.tag == f"{SVG}text" or "text{" in styled, ElementTree.tostring(shape)
        for kind, attribute in (("f-", "fill"), ("s-", "stroke")):
            materials = [each[2:] for each in own if each.startswith(kind) and each[2:] in PALETTE]
            assert not materials or shape.get(attribute) == PALETTE[materials[0]][0]
        links = [shape.get(key, "") for key in ("fill", "stroke", "clip-path")]
        assert all(each[5:-1] in named for each in links if each.startswith("url(#"))
        seen += 1
    assert seen


def shapes(
    root: ElementTree.Element, above: tuple[ElementTree.Element, ...] = ()
) -> Iterator[tuple[ElementTree.Element, tuple[ElementTree.Element, ...]]]:
    """Each shape with the elements that it is in."""
    for each in root:
        if each.tag in SHAPES:
            yield each, (*above, root)
        yield from shapes(each, (*above, root))


@pytest.mark.full
@pytest.mark.skipif(not any(map(shutil.which, picture.PROGRAMS)), reason="nothing draws SVG here")
@pytest.mark.parametrize("name", ["chess", "hex", "kalah", "two048", "backgammon", "ulti"])
def test_a_png_is_in_colours(name: str) -> None:
    """Shapes by `var(...)` or by a class alone would be black or absent."""
    image = pytest.importorskip("PIL.Image")
    state = middle(name)
    bits = image.open(io.BytesIO(picture.png(picture.svg_of(state.game, state), 300)))
    seen = np.asarray(bits.convert("RGBA")).reshape(-1, 4)
    opaque = seen[seen[:, 3] > 200, :3].astype(int)
    assert len(opaque) > 0.3 * len(seen)
    black = (opaque.max(axis=1) < 12).mean()
    assert black < 0.2
    assert len(np.unique(opaque // 32, axis=0)) > 12


# ---- a stranger's games, which say what they are and draw nothing


@frozen
class Guards(RecordGame):
    """A knight and a rook a side go anywhere, and take one another."""

    name = "guards"

    def rules(self) -> Rules:
        board = Board(
            4, 4, {"stones": "NR", "others": "nr"}, moving=True, naming="chess",
            sides={"w": "NR", "b": "nr"}, colours=("White", "Black"),
            pieces={"N": "knight", "R": "rook"}, surface="checkered", front=0,
        )  # fmt: skip

        @rule
        def turn(s: Any) -> Any:
            return TERMINAL if s.seat else 0

        @rule
        def moves(s: Any, out: Any) -> Any:
            out[0], out[1] = 16 * 12 + 3, 16 * 12 + 5
            return 2

        @rule
        def play(s: Any, move: Any) -> None:
            s.stones[0] = bit(move % 16)
            s.others[1] &= ~bit(move % 16)
            s.seat = 1

        @rule
        def payoff(s: Any, seat: Any) -> Any:
            return 1 - 2 * seat

        return Rules(board.layout, moves, play, turn, payoff, width=2, plies=1, notation=board)

    def setup(self, record: Any) -> None:
        record.stones[:] = 1 << 12, 1 << 15
        record.others[:] = 1 << 0, 1 << 3


def lined(**more: Any) -> ElementTree.Element:
    """The picture of a grid on which the first side has three in a line."""
    grid = Grid(3, 3, {"stones": "XO"}, **more)
    record = np.zeros(1, grid.layout).view(np.recarray)[0]
    grid.parse(record, "XO./OX./..X")
    return ElementTree.fromstring(grid.svg(record))


def materials(root: ElementTree.Element) -> Counter[str]:
    """Return how often each material is seen."""
    return Counter(word for each in root.iter() for word in each.get("class", "").split())


def cells(root: ElementTree.Element) -> dict[str, ElementTree.Element]:
    return {each.get("data-cell", ""): each for each in root.iter() if each.get("data-cell")}


def won(root: ElementTree.Element) -> list[str]:
    """The lines that are drawn through what has won."""
    return [each.get("d", "") for each in root.iter() if "s-won" in each.get("class", "").split()]


def test_pieces_stand_on_two_woods_and_are_taken() -> None:
    start = Guards().start()
    root, after = drawn(start), drawn(start.after("a1d4"))
    assert {"f-maple", "f-oak", "f-walnut"} <= set(materials(root))
    assert root.get("data-front") == "0"
    squares, later = cells(root), cells(after)
    assert len(squares) == 16

    def piece(cell: ElementTree.Element) -> tuple[str, str]:
        """The colour of what stands on a cell, and its longest outline."""
        seen = materials(cell)
        sides = [side for side in ("ivory", "ebony") if seen[f"f-{side}"]]
        return "".join(sides[:1]), max((each.get("d", "") for each in cell.iter()), key=len)

    knight, rook = piece(squares["a1"]), piece(squares["d4"])
    assert (knight[0], rook[0]) == ("ivory", "ebony")
    assert knight[1] != rook[1]
    assert min(len(knight[1]), len(rook[1])) > 40, "pieces have shapes of their own"
    assert piece(later["d4"]) == knight, "which has taken the rook"
    assert piece(later["a1"]) == ("", "")
    assert piece(squares["a4"])[1] == knight[1], "both sides have the same knight"


def test_the_first_square_of_the_first_player_is_dark() -> None:
    """The square a1 is dark on every board of chess; so are the squares of checkers."""
    for name in ("chess", "breakthrough(rows=7, columns=5)", "checkers"):
        state = dragon.game(name).start()
        root = drawn(state)
        (dark,) = (each.get("d", "") for each in root.iter() if each.get("class") == "f-oak")
        corners = {tuple(map(float, each)) for each in re.findall(r"M([\d.]+) ([\d.]+)h", dark)}
        for cell, square in cells(root).items():
            x, y = map(float, re.findall(r"[\d.]+", square.get("transform", "")))
            odd = (ord(cell[0]) - ord("a") + int(cell[1:]) - 1) % 2
            assert ((x - 20, y - 20) in corners) == (not odd), (name, cell)
            if name == "checkers" and ("ivory" in ElementTree.tostring(square).decode()):
                assert not odd


@pytest.mark.parametrize(
    ("surface", "seen"),
    [
        ("wood", {"f-maple", "f-walnut"}), ("felt", {"f-felt"}), ("crossings", {"f-kaya"}),
        ("checkered", {"f-maple", "f-oak"}), ("rack", {"f-rack"}),
    ],
)  # fmt: skip
def test_each_surface_has_its_material_and_a_line_that_won(surface: str, seen: set[str]) -> None:
    root = lined(surface=surface, in_line=3)
    found = materials(root)
    assert seen <= set(found)
    assert len(cells(root)) == 9
    assert min(found["f-ebony"], found["f-ivory"]) >= 2
    (line,) = won(root)
    assert line.count("L") == 2, "through three cells"
    assert not won(lined(surface=surface))


def test_hexagons_have_rims_and_the_chain_that_won() -> None:
    grid = Grid(3, 3, {"stones": "XO"}, slant=True, edges="XO")
    record = np.zeros(1, grid.layout).view(np.recarray)[0]
    grid.parse(record, ".XO/.XO/X..")
    root = ElementTree.fromstring(grid.svg(record))
    assert {"s-ebony", "s-ivory"} <= set(materials(root)), "a rim in the colour of each side"
    assert len(cells(root)) == 9
    (chain,) = won(root)
    assert chain.count("L") == 2
