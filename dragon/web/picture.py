"""The drawing of a position by its game, made safe for a page.

Only shapes, text and colours remain: no scripts, links or references to other files. A picture
whose cells can be clicked becomes a part of the page and loses its styles; any other is shown as an
image, which cannot change the page, and keeps them.
"""

from __future__ import annotations

import logging
from typing import Any
from xml.etree import ElementTree

from dragon.core import Game, State
from dragon.rules.notation import BaseNotation
from dragon.rules.record import RecordState

log = logging.getLogger("dragon.web")
SVG = "http://www.w3.org/2000/svg"
ELEMENTS = frozenset({
    "svg", "g", "defs", "title", "desc", "rect", "circle", "ellipse", "line", "polyline",
    "polygon", "path", "text", "tspan", "linearGradient", "radialGradient", "stop", "clipPath",
    "marker", "pattern", "mask", "symbol",
})  # fmt: skip
ATTRIBUTES = frozenset({
    "id", "class", "viewBox", "width", "height", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy",
    "r", "rx", "ry", "fx", "fy", "d", "points", "transform", "fill", "fill-opacity",
    "fill-rule", "stroke", "stroke-width", "stroke-opacity", "stroke-linecap",
    "stroke-linejoin", "stroke-dasharray", "stroke-dashoffset", "stroke-miterlimit", "opacity",
    "offset", "stop-color", "stop-opacity", "font-family", "font-size", "font-weight",
    "font-style", "text-anchor", "dominant-baseline", "alignment-baseline", "letter-spacing",
    "dx", "dy", "rotate", "textLength", "lengthAdjust", "gradientUnits", "gradientTransform",
    "spreadMethod", "clip-path", "clip-rule", "clipPathUnits", "mask", "marker-start",
    "marker-mid", "marker-end", "markerWidth", "markerHeight", "refX", "refY", "orient",
    "markerUnits", "patternUnits", "patternTransform", "preserveAspectRatio", "pointer-events",
    "vector-effect", "paint-order", "visibility", "pathLength", "data-cell", "data-front", "role",
    "aria-label", "aria-hidden",
})  # fmt: skip
LONGEST = 2_000_000
"""The most letters of a picture; a longer one is not shown."""
ElementTree.register_namespace("", SVG)


def drawing(game: Game[Any], state: State[Any]) -> dict[str, Any]:
    """The position as `svg`, null if the game does not draw one, and as `text`."""
    # An SVG that would be the lines of the text is better shown as such.
    only_text = isinstance(state, RecordState) and (
        getattr(type(state.rules.notation), "svg", None) is BaseNotation.svg
    )
    svg = None if only_text else game.svg(state)
    return {"svg": None if svg is None else clean(svg), "text": game.draw(state)}


def clean(svg: str, bare: bool = False) -> str | None:
    """The picture reduced to shapes, text and colours; None if it is not an SVG or too long.

    bare: without its own styles, so that the page's styles apply.
    """
    if len(svg) > LONGEST or "<!" in svg:
        log.warning("a picture of %s letters is not shown: too long, or not plain SVG", len(svg))
        return None
    try:
        root = ElementTree.fromstring(svg)
    except ElementTree.ParseError as wrong:
        log.warning("a picture is not shown: it is not an SVG (%s)", wrong)
        return None
    if root.tag != f"{{{SVG}}}svg":
        return None
    bare = bare or "data-cell=" in svg
    _keep_safe(root, ELEMENTS if bare else ELEMENTS | {"style"})
    return ElementTree.tostring(root, encoding="unicode")


def _keep_safe(element: ElementTree.Element, elements: frozenset[str]) -> None:
    for name, value in list(element.attrib.items()):
        if name == "{http://www.w3.org/XML/1998/namespace}space":
            continue
        if name not in ATTRIBUTES or ("url(" in value.lower() and not _local(value)):
            del element.attrib[name]
    for child in list(element):
        space, _, tag = str(child.tag).rpartition("}")
        if space != f"{{{SVG}" or tag not in elements:
            element.remove(child)
        else:
            _keep_safe(child, elements)


def _local(value: str) -> bool:
    """Return True if every reference is to the picture itself."""
    return value.lower().count("url(") == value.count("url(#")
