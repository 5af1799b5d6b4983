"""Material: the colours, the light and the pieces of all boards, as SVG.

A shape has its light colour as an attribute, so that a saved file can be shown by any program, and
a class by the name of the material, `f-oak` for a fill and `s-oak` for a line. A page styles these
classes (`css`), light and dark. Light comes from the upper left: gradients of white and black that
are laid over every colour.

>>> paint("oak", "walnut", 2)
'class="f-oak s-walnut" fill="#b68a5c" stroke="#7a5235" stroke-width="2"'
>>> paint("#123")
'fill="#123"'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from math import cos, sin

PALETTE = {
    "maple": ("#ecd8b4", "#a3876a"), "oak": ("#b68a5c", "#6e5340"), "kaya": ("#e2bd80", "#87694a"),
    "walnut": ("#7a5235", "#3b2b21"), "hollow": ("#58402b", "#231a14"),
    "inlay": ("#f4e6ca", "#cdb999"), "engraved": ("#664526", "#2c1f15"),
    "felt": ("#3c7d60", "#285644"), "felt-edge": ("#2b604a", "#183b2d"),
    "slate": ("#9aa3ab", "#5d6770"), "slate-edge": ("#626c75", "#363e46"),
    "sheet": ("#fdfbf4", "#2a3037"), "floor": ("#e9e4d8", "#2d343b"), "ink": ("#39332c", "#dcd8cf"),
    "faint": ("#7d7161", "#989ea5"), "ivory": ("#f8f3e6", "#e6ddc9"),
    "ivory-edge": ("#8d806a", "#4b4134"), "ebony": ("#343134", "#262427"),
    "ebony-edge": ("#151315", "#0c0b0c"), "red": ("#c54a32", "#c14c38"),
    "red-edge": ("#7b2819", "#672014"), "blue": ("#3069ad", "#3c72b3"),
    "blue-edge": ("#173f6e", "#183b64"), "yellow": ("#f1bf3c", "#dba92f"),
    "yellow-edge": ("#a17412", "#876211"), "amber": ("#d98e3d", "#c47f38"),
    "amber-edge": ("#87531c", "#70471b"), "jade": ("#4b996d", "#4a916a"),
    "jade-edge": ("#24573d", "#1c4934"), "rack": ("#326cb9", "#2e5b99"),
    "rack-edge": ("#1d467e", "#17355d"), "shade": ("#000", "#000"), "gleam": ("#fff", "#fff"),
    "mark": ("#1f5a46", "#92d2ab"), "tint": ("#c2c43a", "#b5b643"), "won": ("#fffdf4", "#fff5de"),
    "won-edge": ("#2a2521", "#14110f"),
    "t1": ("#f2e8d3", "#cfc3aa"), "t2": ("#ebd4a4", "#c8ae78"), "t3": ("#efb464", "#cd9446"),
    "t4": ("#dc8237", "#c67735"), "t5": ("#d36138", "#ba5532"), "t6": ("#bd3a2b", "#a93729"),
    "t7": ("#b03e6b", "#973b5b"), "t8": ("#7f4a97", "#703f86"), "t9": ("#4b58a8", "#444f96"),
    "t10": ("#2d7d9c", "#2a6d89"), "t11": ("#2f8b65", "#2c7656"),
    "p1": ("#b5cce3", "#3e546a"), "p2": ("#e3ccb5", "#6a543e"), "p3": ("#b5e3bc", "#3e6a46"),
    "p4": ("#e3b5bc", "#6a3e46"), "p5": ("#e3dcb5", "#6a633e"), "p6": ("#ccb5e3", "#543e6a"),
    "p7": ("#b5e3e3", "#3e6a6a"), "p8": ("#c8e3b5", "#516a3e"), "p9": ("#b5b8e3", "#3e426a"),
    "p10": ("#e3bcb5", "#6a463e"), "p11": ("#e3b5dc", "#6a3e63"), "p12": ("#b5e3d0", "#3e6a58"),
}  # fmt: skip
"""The colour of each material, light and dark: woods, felt, slate, paper, pieces and their edges,
`t1` to `t11` for tiles of growing numbers, `p1` to `p12` for pieces of puzzles."""
SIDES = ("ebony", "ivory", "red", "blue", "yellow")
"""The materials of the pieces of Black, White, Red, Blue and Yellow."""
NEUTRAL = "amber"
"""The material of pieces that belong to no side."""
FONT = "'Helvetica Neue', Helvetica, Arial, sans-serif"


def _stops(*stops: tuple[float, str, float]) -> str:
    """Return the stops of a gradient: offset, colour and opacity of each."""
    return "".join(
        f'<stop offset="{at:g}" stop-color="{colour}" stop-opacity="{much:g}"/>'
        for at, colour, much in stops
    )


LIGHTS = {
    "ball": '<radialGradient id="ball" cx=".34" cy=".29" r=".78">'
    f'{_stops((0, "#fff", 0.46), (0.5, "#fff", 0), (0.5, "#000", 0), (1, "#000", 0.36))}'
    "</radialGradient>",
    "face": '<linearGradient id="face" x2="1" y2="1">'
    f'{_stops((0, "#fff", 0.22), (0.5, "#fff", 0), (0.5, "#000", 0), (1, "#000", 0.14))}'
    "</linearGradient>",
    "dent": '<radialGradient id="dent" cx=".6" cy=".66" r=".76">'
    f'{_stops((0.4, "#000", 0), (1, "#000", 0.5))}</radialGradient>',
    "soft": '<radialGradient id="soft">'
    f'{_stops((0.6, "#000", 0.4), (1, "#000", 0))}</radialGradient>',
}  # fmt: skip
"""Light on a ball and on a flat face, in a hollow, and the shadow that a piece throws."""


def paint(fill: str = "none", line: str = "", width: float = 0) -> str:
    """The attributes of a shape by names of materials; another text is a colour itself."""
    names = [f"{kind}-{name}" for kind, name in (("f", fill), ("s", line)) if name in PALETTE]
    found = [f'class="{" ".join(names)}"'] if names else []
    found.append(f'fill="{_colour(fill)}"')
    if line:
        found.append(f'stroke="{_colour(line)}"')
        found += [f'stroke-width="{width:g}"'] if width else []
    return " ".join(found)


def _colour(name: str) -> str:
    """Return the fill or stroke by a material's name; other text is a colour itself."""
    return f"url(#{name})" if name in LIGHTS else PALETTE.get(name, (name,))[0]


def css(used: str | None = None) -> str:
    """The styles by which a page shows materials, light and dark; `used`: of the classes in a text.

    >>> css('<circle class="f-felt"/>')
    '.f-felt{fill:light-dark(#3c7d60,#285644)}'
    """
    kinds = {"f": "fill", "s": "stroke"}
    names = [f"{kind}-{name}" for name in PALETTE for kind in kinds]
    if used is not None:
        found = set(re.findall(r"\b[fs]-[\w-]+", used))
        names = [name for name in names if name in found]
    return "".join(
        f".{name}{{{kinds[name[0]]}:light-dark({','.join(PALETTE[name[2:]])})}}"
        for name in names
        if len(set(PALETTE[name[2:]])) > 1
    )


def themed(svg: str) -> str:
    """Return an SVG that is light or dark as the page is that shows it as an image.

    >>> themed('<svg class="f-felt"></svg>')[20:]
    '<style>:root{color-scheme:light dark}.f-felt{fill:light-dark(#3c7d60,#285644)}</style></svg>'
    """
    styles = f"<style>:root{{color-scheme:light dark}}{css(svg)}</style>"
    return f"{svg.removesuffix('</svg>')}{styles}</svg>" if svg.endswith("</svg>") else svg


def sheet(box: Iterable[float], body: str, title: str = "", front: int | None = None) -> str:
    """Return an SVG document of shapes, with the lights; `box`: its left, top, width and height."""
    return f"{head(box, title, front)}{body}</svg>"


def head(box: Iterable[float], title: str = "", front: int | None = None) -> str:
    """The beginning of an SVG document; `front`: the seat that sits below, if that matters."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{" ".join(map(n, box))}" '
        + ("" if front is None else f'data-front="{front}" ')
        + f'font-family="{FONT}" text-anchor="middle">'
        + (f"<title>{title}</title>" if title else "")
        + f"<defs>{''.join(LIGHTS.values())}</defs>"
    )


def n(x: float) -> str:
    """A number of at most two decimals.

    >>> n(1.5), n(-0.001), n(30)
    ('1.5', '0', '30')
    """
    return f"{round(x, 2) + 0:.2f}".rstrip("0").rstrip(".")


# ---- shapes


def rect(
    x: float, y: float, wide: float, high: float, look: str, r: float = 0, more: str = ""
) -> str:
    """A rectangle; `look` is what `paint` returns."""
    corner = f' rx="{n(r)}"' if r else ""
    more = f" {more}" if more else ""
    return (
        f'<rect x="{n(x)}" y="{n(y)}" width="{n(wide)}" height="{n(high)}"{corner} {look}{more}/>'
    )


def circle(x: float, y: float, r: float, look: str, more: str = "") -> str:
    """A circle; `look` is what `paint` returns, `more` further attributes."""
    more = f" {more}" if more else ""
    at = "".join(f' c{axis}="{n(value)}"' for axis, value in (("x", x), ("y", y)) if value)
    return f'<circle{at} r="{n(r)}" {look}{more}/>'


def path(d: str, look: str, more: str = "") -> str:
    """A path of the commands `d`; the rest as for `circle`."""
    more = f" {more}" if more else ""
    return f'<path d="{d}" {look}{more}/>'


def line(points: Iterable[tuple[float, float]], close: bool = False) -> str:
    """The `d` of a path through points."""
    return "M" + "L".join(f"{n(x)} {n(y)}" for x, y in points) + "Z" * close


def text(x: float, y: float, said: object, size: float, look: str, weight: int = 0) -> str:
    """A text about its middle."""
    bold = f' font-weight="{weight}"' if weight else ""
    return (
        f'<text x="{n(x)}" y="{n(y + 0.36 * size)}" font-size="{n(size)}"{bold} {look}>'
        f"{said}</text>"
    )


ROUND = 'stroke-linecap="round" stroke-linejoin="round"'


# ---- boards


def slab(x: float, y: float, wide: float, high: float, look: str, r: float = 5) -> str:
    """A flat thing that lies on another one, such as a board or a tile, with its shadow."""
    return (
        rect(x + 0.6, y + 1.6, wide, high, paint("shade"), r, 'fill-opacity=".22"')
        + rect(x, y, wide, high, look, r)
        + rect(x, y, wide, high, paint("face"), r, 'fill-opacity=".6"' if wide > 100 else "")
    )


def sunk(x: float, y: float, wide: float, high: float, look: str) -> str:
    """A field that lies lower than its frame, which throws a shadow on it."""
    edge = line([(x + 1.5, y + high - 1), (x + 1.5, y + 1.5), (x + wide - 1, y + 1.5)])
    dark = path(edge, paint("none", "shade", 3), 'stroke-opacity=".2"')
    return rect(x, y, wide, high, look, 2) + dark


def hole(x: float, y: float, r: float, look: str = "", long: float = 0) -> str:
    """A hollow, round or `long` units longer to above and below."""
    return "".join(
        rect(x - r, y - r - long, 2 * r, 2 * (r + long), each, r)
        for each in (look or paint("hollow"), paint("dent"))
    )


# ---- pieces, about their middle


def shadow(r: float, x: float = 0, y: float = 0) -> str:
    """The shadow of a round piece of radius r, to its lower right."""
    return circle(x + 0.1 * r, y + 0.17 * r, 1.15 * r, paint("soft"))


def stone(side: str, r: float, x: float = 0, y: float = 0) -> str:
    """A piece that is round all over: a stone or a peg."""
    return (
        shadow(r, x, y) + circle(x, y, r, paint(side, f"{side}-edge", 0.8))
        + circle(x, y, r, paint("ball"))
    )  # fmt: skip


def disc(side: str, r: float, x: float = 0, y: float = 0) -> str:
    """A flat, turned piece: a draughtsman or a counter."""
    groove = "faint" if side == "ebony" else f"{side}-edge"
    return (
        shadow(r, x, y) + circle(x, y, r, paint(side, f"{side}-edge", 1))
        + circle(x, y, r, paint("face"))
        + circle(x, y, 0.7 * r, paint("none", groove, 0.9), 'stroke-opacity=".75"')
    )  # fmt: skip


def counter(side: str, r: float) -> str:
    """A disc in a hole of a rack, whose rim throws its shadow on it."""
    return (
        circle(0, 0, r, paint(side)) + circle(0, 0, 0.72 * r, paint("none", f"{side}-edge", 1.2))
        + circle(0, 0, r, paint("dent"), 'opacity=".55"')
    )  # fmt: skip


def domino(kind: str, side: str) -> str:
    """A domino on a cell of 40 units and the next to the right, or below."""
    wide, high, cut = (32, 72, "M-10 20H10") if kind == "upright" else (72, 32, "M20-10V10")
    groove = "faint" if side == "ebony" else f"{side}-edge"
    return slab(-16, -16, wide, high, paint(side, f"{side}-edge", 1), 5) + path(
        cut, paint("none", groove, 1.3), ROUND
    )


CROWN = "M-8 5.2L-9.4-4.6L-4.1-.6L0-6.6L4.1-.6L9.4-4.6L8 5.2Z"


def crowned(side: str, r: float) -> str:
    """Two discs, one on the other, with a crown."""
    ink = paint("inlay") if side in ("ebony", "red", "blue") else paint("engraved")
    return (
        disc(side, r, 0, 2) + circle(0, -1.6, r, paint(side, f"{side}-edge", 1))
        + circle(0, -1.6, r, paint("face"))
        + path(CROWN, ink, f'transform="translate(0 -1.4) scale({n(r / 17)})"')
    )  # fmt: skip


def tile(side: str, size: float, said: object = "", ink: str = "engraved") -> str:
    """A square tile with a text; longer texts are smaller."""
    high = size * (0.5, 0.5, 0.44, 0.36, 0.3, 0.25, 0.22)[min(6, len(str(said)))]
    body = slab(-size / 2, -size / 2, size, size, paint(side), 4)
    return body + (text(0, 0, said, high, paint(ink), 700) if said != "" else "")


PIPS = ("", "4", "08", "048", "0268", "02468", "023568")
"""The pips of each number, on nine places by rows."""


def die(number: int, x: float = 0, y: float = 0, size: float = 24, side: str = "ivory") -> str:
    """A die from above."""
    far, ink = 0.27 * size, "ebony" if side == "ivory" else "ivory"
    pips = (divmod(int(place), 3) for place in PIPS[number])
    d = "".join(f"M{n(x + far * (c - 1))} {n(y + far * (r - 1))}h0" for r, c in pips)
    look = paint(side, f"{side}-edge", 0.8)
    return slab(x - size / 2, y - size / 2, size, size, look, size / 5) + path(
        d, paint("none", ink, 0.2 * size), ROUND
    )


def seeds(count: int, long: float = 0) -> str:
    """Seeds in a round hollow of radius 17, or one that is `long` units longer to above and below;
    at most 30 are drawn."""
    wide = min(4.6, 13 / max(1, count) ** 0.5)
    places = []
    for i in range(min(count, 30)):  # along the golden angle, as a sunflower's seeds lie
        far, turn = wide * (i + 0.25) ** 0.5, 2.4 * i
        places.append((far * cos(turn), (1 + long / 17) * far * sin(turn)))
    sides = ("amber", "ivory", "red")
    return "".join(dots(places[i::3], 7, side) for i, side in enumerate(sides))


def dots(places: Sequence[tuple[float, float]], size: float, side: str) -> str:
    """Small round things as two paths, such as seeds; their number adds little to a file."""
    at = "".join(f"M{n(x)} {n(y)}h0" for x, y in places)
    lit = "".join(f"M{n(x - 0.2 * size)} {n(y - 0.22 * size)}h0" for x, y in places)
    return (
        path(at, paint("none", f"{side}-edge", size + 1.4), ROUND)
        + path(at, paint("none", side, size), ROUND)
        + path(lit, paint("none", "gleam", 0.4 * size), f'{ROUND} stroke-opacity=".4"')
    ) if places else ""  # fmt: skip


def won(d: str) -> str:
    """The line through what has won; a page draws it from its beginning to its end."""
    more = f'{ROUND} pathLength="1" pointer-events="none"'
    return path(d, paint("none", "won-edge", 7), f'{more} stroke-opacity=".55"') + path(
        d, paint("none", "won", 4), more
    )


# ---- a store room


def bricks() -> str:
    """A cell of a wall of bricks."""
    d = "M-20-7H20M-20 7H20M-8-20V-7M12-20V-7M0-7V7M-14 7V20M6 7V20"
    return rect(-20, -20, 40, 40, paint("slate")) + path(d, paint("none", "slate-edge", 1.1))


def crate(side: str) -> str:
    """A crate with crossed laths, which a keeper pushes."""
    look = paint(side, f"{side}-edge", 1.4)
    d = "M-10-10H10V10H-10ZL10 10M10-10L-10 10"
    return slab(-15, -15, 30, 30, look, 3) + path(d, paint("none", f"{side}-edge", 2), ROUND)


def goal() -> str:
    """A ring with a dot, the goal of a crate."""
    return circle(0, 0, 7, paint("none", "red", 2.2)) + circle(0, 0, 3, paint("red"))


def keeper() -> str:
    """A man with a cap, seen from the front."""
    parts = (("M-11 15C-11.6 2.4-6.4 0 0 0S11.6 2.4 11 15Z", "blue", "blue-edge"),
             ("M-7.2-4.6A7.2 7.2 0 1 0 7.2-4.6Z", "inlay", "amber-edge"),
             ("M-8.6-4.4C-8.6-17 7.6-17 8.2-6.6L12.4-4.4Z", "red", "red-edge"))  # fmt: skip
    return shadow(11, 0, 8) + "".join(
        path(d, paint(side, edge, 1)) + path(d, paint("face")) for d, side, edge in parts
    )


# ---- chessmen, in a square from -20 to 20

Half = Sequence[tuple[float, float, float]]


def whole(half: Half) -> str:
    """The outline whose right half leads downwards through points, each with the radius of the arc
    to it: 0 for a line, below 0 where it is hollow."""
    left = [(-x, y, r) for (x, y, _), (*_, r) in zip(half[-2::-1], half[:0:-1], strict=True)]
    steps = (
        f"A{n(abs(r))} {n(abs(r))} 0 0 {int(r > 0)} {n(x)} {n(y)}" if r else f"L{n(x)} {n(y)}"
        for x, y, r in (*half[1:], *left)
    )
    return f"M{n(half[0][0])} {n(half[0][1])}{''.join(steps)}Z"


def pearl(x: float, y: float) -> str:
    """The `d` of a small circle about a point, for the outline of a piece."""
    r = 1.8
    return f"M{n(x - r)} {n(y)}a{n(r)} {n(r)} 0 1 1 {n(2 * r)} 0a{n(r)} {n(r)} 0 1 1 {n(-2 * r)} 0Z"


FOOT = ((10.2, 11.6, 0), (11.3, 15, 3), (0, 15, 0))
CHESSMEN = {
    "pawn": (whole(((0, -13, 0), (3.7, -4.5, 5), (6.2, -4.1, 0), (6.2, -1.7, 1.2), (3.3, -1.7, 0),
                    (8.6, 11.6, -17), (9.2, 15, 3), (0, 15, 0))), "M-6.6 11.4H6.6"),
    "knight": ("M-10.8 15L-9.7 11.6H-7.8C-8.2 4.6-1.4 3.6-2.4-1.4C-4.2.8-6.6.6-7.8 2.4"
               "C-8.9 4.3-10.4 5.2-11.8 4.2C-13.2 3.1-12.8 1.4-11.9-.4C-10.4-3.3-10.1-7.6-5.6-10.4"
               "L-5-14.8L-.8-11.9C6.9-11.9 11.6-4.2 9.6 6.4C9.3 8.4 9 10 9 11.6H9.9L11 15Z",
               "M-6.4-6.1L-5.5-6.6M-10.7 1.9L-10 1.4M1.9-8.6C5.8-6 7.2-.6 6 5.4M-6.4 11.4H7.6"),
    "bishop": (whole(((0, -12.4, 0), (6.9, -2.2, 12), (4, 3.3, 5.4), (6.1, 3.3, 0),
                      (6.1, 5.7, 1.2), (3.6, 5.7, 0), (8.6, 11.6, -10), *FOOT))
               + pearl(0, -14), "M2.7-7.6L-.2-3.4M-3.8 3.3H3.8M-7.4 11.5H7.4"),
    "rook": (whole(((0, -14, 0), (2.5, -14, 0), (2.5, -11.4, 0), (5.4, -11.4, 0), (5.4, -14, 0),
                    (9, -14, 0), (9, -8.2, 0), (6.2, -5.4, 0), (6.8, 7.2, 0), (9, 11.6, -6),
                    *FOOT)), "M-6-5.2H6M-6.7 7.2H6.7M-8 11.5H8"),
    "queen": (whole(((0, -11.8, 0), (3, -3.4, 0), (6.5, -11, 0), (7.6, -2.6, 0), (12.7, -8.2, 0),
                     (9.2, 5.4, 0), (9.6, 11.6, -9), *FOOT))
              + pearl(0, -13.6) + pearl(6.9, -12.4) + pearl(-6.9, -12.4) + pearl(13.4, -9.2)
              + pearl(-13.4, -9.2), "M-8.9 5.6Q0 2.8 8.9 5.6M-9.2 11.4Q0 9 9.2 11.4"),
    "king": (whole(((0, -17, 0), (1.4, -17, 0), (1.4, -15, 0), (3.5, -15, 0), (3.5, -12.2, 0),
                    (1.4, -12.2, 0), (1.4, -10, 0), (5, -6.6, 3.9), (13.2, -1.2, 7),
                    (9.2, 5.4, 9), (9.6, 11.6, -9), *FOOT)),
             "M0 3.6C.4-2 2.3-5 5-6.6M0 3.6C-.4-2-2.3-5-5-6.6M-8.9 5.6Q0 2.8 8.9 5.6"
             "M-9.2 11.4Q0 9 9.2 11.4"),
}  # fmt: skip
"""The outline of each man, and the lines that are cut into it."""


def chessman(kind: str, side: str) -> str:
    """A chessman of a kind of `CHESSMEN`, with its shadow on the cell."""
    outline, cuts = CHESSMEN[kind]
    cut = paint("none", "inlay", 1.4) if side == "ebony" else paint("none", f"{side}-edge", 1.4)
    edge = f"{side}-edge" if side == "ebony" else "ebony-edge"
    return (
        f'<ellipse cx="1.4" cy="14.6" rx="13" ry="3.2" {paint("soft")}/>'
        + path(outline, paint(side, edge, 1.3), 'stroke-linejoin="round"')
        + path(outline, paint("face")) + path(cuts, cut, ROUND)
    )  # fmt: skip


PIECES = {"stone": stone, "disc": disc, "counter": counter, "crowned": crowned}
DOMINOES = ("upright", "lying")
KINDS = (*PIECES, *CHESSMEN, *DOMINOES)
"""The kinds of pieces that a game may name; a domino covers its cell and the next one."""


def piece(kind: str, side: str, r: float) -> str:
    """Return a piece of a kind of `KINDS`; chessmen have a size of their own."""
    return chessman(kind, side) if kind in CHESSMEN else PIECES[kind](side, r)
