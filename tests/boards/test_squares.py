"""Squares as SVG that the page shows."""

from __future__ import annotations

from xml.etree import ElementTree

from dragon.boards.squares import Square, block, disc, drawing

SVG = "{http://www.w3.org/2000/svg}"


def test_a_drawing_has_each_square_in_its_place() -> None:
    squares = [
        Square(0, 0, block("#fff", 36, 8), "a1"),
        Square(0.5, 2, disc("#000", 16, 3, "#fff"), "a3", "three"),
        Square(1, 1, disc("#444", 4), said="empty"),
        Square(1, 0, block("#fff")),
    ]
    groups = ElementTree.fromstring(drawing(2, 3, squares)).findall(f"{SVG}g")
    assert [(g.get("data-cell"), g.get("aria-label")) for g in groups] == [
        ("a1", "a1"), ("a3", "three"), (None, "empty"), (None, None)
    ]  # fmt: skip
    assert [g.get("transform") for g in groups] == [
        "translate(24,24)", "translate(104,44)", "translate(64,64)", "translate(24,64)"
    ]  # fmt: skip
    assert ["".join(g.itertext()) for g in groups] == ["8", "3", "", ""]
