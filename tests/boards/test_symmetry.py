"""Symmetries of boards: their images, the key that these share, and mistakes in declaring them."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import dragon
from dragon import Grid, PluginError
from dragon.laws.games import law_images_are_one_position
from dragon.modes import JIT


@pytest.mark.parametrize(
    ("rows", "columns", "names", "slant", "count"),
    [
        (3, 3, (), False, 1),
        (2, 5, ("mirror",), False, 2),
        (2, 5, ("mirror", "flip"), False, 4),
        (2, 5, ("half_turn",), True, 2),
        (3, 3, ("quarter_turn",), False, 4),
        (3, 3, ("quarter_turn", "transpose"), False, 8),
        (4, 4, ("half_turn", "transpose"), True, 4),
        (1, 1, ("quarter_turn",), False, 1),
    ],
)
def test_symmetries_are_taken_one_after_another(
    rows: int, columns: int, names: tuple[str, ...], slant: bool, count: int
) -> None:
    grid = Grid(rows, columns, {"stones": "XO"}, symmetries=names, slant=slant)
    cells = "/".join(["X" + "." * (columns - 1)] + ["." * columns] * (rows - 1))
    assert len(grid.images(f"{cells} O")) == count
    assert grid.images(f"{cells} O")[0] == f"{cells} O"


@pytest.mark.parametrize(
    ("name", "image"),
    [
        ("mirror", "..X/.../..O O"),
        ("flip", "O../.../X.. O"),
        ("half_turn", "..O/.../..X O"),
        ("quarter_turn", "O.X/.../... O"),
        ("transpose", "X.O/.../... O"),
    ],
)
def test_each_symmetry_moves_the_stones_as_it_says(name: str, image: str) -> None:
    assert Grid(3, 3, {"s": "XO"}, symmetries=(name,)).images("X../.../O.. O")[1] == image


@pytest.mark.parametrize(
    ("columns", "slant", "name", "message"),
    [
        (3, False, "rotate", "has no symmetry 'rotate'; write one of mirror, flip"),
        (4, False, "transpose", "'transpose' needs a square board, and this one has 3 rows and 4"),
        (3, True, "mirror", "does not keep neighbours together on a slanted board"),
    ],
)
def test_what_does_not_fit_the_board_is_refused(
    columns: int, slant: bool, name: str, message: str
) -> None:
    with pytest.raises(PluginError, match=message):
        Grid(3, columns, {"stones": "XO"}, symmetries=(name,), slant=slant)


@pytest.mark.parametrize("stones", [{"x": "X", "o": "O"}, {"x": "X"}])
def test_a_least_image_needs_one_field_for_all_sides(stones: dict[str, str]) -> None:
    with pytest.raises(PluginError, match="needs one field for all sides"):
        _ = Grid(3, 3, stones, symmetries=("mirror",)).least_image


def orbit(cells: str, columns: int) -> str:
    """The least text of a board mirrored and turned upside down."""
    rows = [cells[i : i + columns] for i in range(0, len(cells), columns)]
    mirrored = [row[::-1] for row in rows]
    return min(map("".join, (rows, mirrored, rows[::-1], mirrored[::-1])))


@pytest.mark.parametrize("words", [False, True])
def test_positions_share_a_key_just_if_one_is_an_image_of_the_other(words: bool) -> None:
    def far(row: int, column: int) -> int:
        return 67 * row + column

    grid = Grid(2, 3, {"s": "XO"}, symmetries=("mirror", "flip"), where=far if words else None)
    image: Any = grid.least_image
    keys: dict[int, set[str]] = {}
    for letters in product(".XO", repeat=6):
        cells, s = "".join(letters), np.zeros(1, grid.layout)[0]
        grid._put(s, [cells[:3], cells[3:]])
        keys.setdefault(int(image(s["s"])), set()).add(orbit(cells, 3))
    assert 0 not in keys
    assert all(len(orbits) == 1 for orbits in keys.values())
    assert len(keys) == len({orbit("".join(cells), 3) for cells in product(".XO", repeat=6)})


def test_the_law_is_tried_on_the_games_that_declare_a_symmetry() -> None:
    declared = ("hex(size=4)", "connect4", "breakthrough", "domineering")
    assert all(law_images_are_one_position.applies(dragon.game(name)) for name in declared)
    assert not law_images_are_one_position.applies(dragon.game("tictactoe"))


@pytest.mark.full
def test_a_move_kept_by_one_image_is_only_a_hint_to_another() -> None:
    """The table keeps an index in the list of one image; the other must not play it unasked."""
    game, search = dragon.game("hex(size=3)"), dragon.search("alphabeta(megabytes=0.01)")
    with search.open(game) as run:
        for text in ("X../.../.O. X", ".O./.../..X X"):
            state = game.parse(text)
            for jit in "10":
                with JIT.under(jit):
                    found = run.best(dragon.Position(state))
                    alone = dragon.search("exhaustive").best(state)
                assert found.value == alone.value
                after = state.after(found.move)
                best = dragon.search("exhaustive").best(after).value if after.turn >= 0 else -1
                assert -best == alone.value
