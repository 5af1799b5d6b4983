"""A picture as marks on paper, and its forms as SVG and PNG; nothing is downloaded to draw it.

PNG is drawn by matplotlib, which is imported when it is asked for.
"""

from __future__ import annotations

import io
import warnings
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from attrs import frozen

from dragon.errors import ConfigError

INK, PAPER, EDGE = "#20262e", "#ffffff", "#d5dae2"
FONT = "text{font-family:'Helvetica Neue',Helvetica,Arial,'DejaVu Sans',sans-serif}"
HALO = ".halo{paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}"
MIDDLE = 0.35
"""The distance from the middle of letters down to the baseline, as a part of the type's size."""
DOTS = 100
"""Pixels of the file in an inch of matplotlib."""
SCALE = 1.5
"""Pixels of the file in a pixel of the picture."""
MOST_PIXELS = 4000
"""Pixels along a side; a larger picture is drawn smaller."""
POINT = 72 / DOTS
"""The unit in which matplotlib counts type and lines, in pixels of the file."""


@frozen
class Line:
    """A straight line."""

    start: tuple[float, float]
    end: tuple[float, float]
    colour: str
    width: float
    opacity: float = 1.0
    title: str = ""
    """The text that a browser shows when it is pointed at."""
    kinds: str = ""
    """Classes, for a style."""

    @property
    def svg(self) -> str:
        """Return the SVG element."""
        (x1, y1), (x2, y2) = self.start, self.end
        return _element(
            "line", self.kinds, f"<title>{escape(self.title)}</title>", x1=x1, y1=y1, x2=x2, y2=y2,
            stroke=self.colour, stroke_width=self.width, opacity=self.opacity,
        )  # fmt: skip


@frozen
class Text:
    """A line of type, its middle at the height of y."""

    x: float
    y: float
    text: str
    size: float
    colour: str = INK
    anchor: str = "middle"
    """The part of it that is at x: `start`, `middle` or `end`."""
    turn: float = 0.0
    """Degrees, clockwise."""
    bold: bool = False
    halo: bool = False
    """Draw a patch of paper under it, so that lines behind it do not cross it."""
    kinds: str = ""

    @property
    def svg(self) -> str:
        """Return the SVG element."""
        turned = f"rotate({short(self.turn)} {short(self.x)} {short(self.y)})" if self.turn else ""
        return _element(
            "text", f"{'halo ' * self.halo}{self.kinds}".strip(), escape(self.text), x=self.x,
            y=self.y, dy=f"{MIDDLE}em", font_size=self.size, text_anchor=self.anchor,
            fill=self.colour, font_weight="600" * self.bold, transform=turned,
        )  # fmt: skip


@frozen
class Dot:
    """A filled circle."""

    x: float
    y: float
    radius: float
    colour: str = INK
    kinds: str = ""

    @property
    def svg(self) -> str:
        """Return the SVG element."""
        return _element("circle", self.kinds, cx=self.x, cy=self.y, r=self.radius, fill=self.colour)


@frozen
class Box:
    """A square with a thin edge."""

    x: float
    y: float
    side: float
    colour: str

    @property
    def svg(self) -> str:
        """Return the SVG element."""
        return _element(
            "rect", x=self.x, y=self.y, width=self.side, height=self.side, fill=self.colour,
            stroke=EDGE,
        )  # fmt: skip


Mark = Line | Text | Dot | Box


@frozen
class Picture:
    """Marks on a sheet of paper; lengths are in pixels, y grows downwards."""

    x: float
    """The left edge of the paper."""
    y: float
    """Its upper edge."""
    width: float
    height: float
    title: str
    marks: tuple[Mark, ...]
    """The first at the bottom."""
    style: str = ""
    """More rules for browsers."""

    @property
    def svg(self) -> str:
        """The text of an SVG file."""
        box = " ".join(map(short, (self.x, self.y, self.width, self.height)))
        size = f'width="{short(self.width)}" height="{short(self.height)}"'
        return "".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" {size} role="img">',
                f"<title>{escape(self.title)}</title><style>{FONT}{HALO}{self.style}</style>",
                f'<rect x="{short(self.x)}" y="{short(self.y)}" {size} fill="{PAPER}"/>',
                *(mark.svg for mark in self.marks),
                "</svg>",
            ]
        )

    def _repr_svg_(self) -> str:
        """Return the SVG file, which notebooks show."""
        return self.svg


def short(x: float) -> str:
    """Return a number of at most two decimals.

    >>> short(2.0), short(-0.001), short(1.005)
    ('2', '0', '1')
    """
    return f"{round(x, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def _element(name: str, kinds: str = "", inside: str = "", **attributes: str | float) -> str:
    """Return an SVG element; attributes that are empty are left out, and `_` stands for `-`."""
    given = {word.replace("_", "-"): value for word, value in attributes.items()}
    texts = {k: v if isinstance(v, str) else short(v) for k, v in given.items()} | {"class": kinds}
    shown = "".join(f" {k}={quoteattr(text)}" for k, text in texts.items() if text)
    return f"<{name}{shown}>{inside}</{name}>" if inside else f"<{name}{shown}/>"


def png(picture: Picture) -> bytes:
    """Return the bytes of a PNG file; raise ConfigError where matplotlib is missing.

    Letters that the font of matplotlib lacks are drawn as boxes.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as missing:
        raise ConfigError(
            "PNG needs matplotlib; install it with pip install 'dragon-search[plot]', or draw "
            "an .svg, which needs nothing"
        ) from missing
    scale = min(SCALE, MOST_PIXELS / max(picture.width, picture.height))
    size = (picture.width * scale / DOTS, picture.height * scale / DOTS)
    figure = Figure(figsize=size, dpi=DOTS)
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    axes.set_xlim(picture.x, picture.x + picture.width)
    axes.set_ylim(picture.y + picture.height, picture.y)
    for level, mark in enumerate(picture.marks):
        _draw(axes, mark, scale * POINT, level)
    out = io.BytesIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing", UserWarning)
        figure.savefig(out, format="png", dpi=DOTS, metadata={"Title": picture.title})
    return out.getvalue()


def _draw(axes: Any, mark: Mark, unit: float, level: int) -> None:
    """Draw a mark above those of a lower level; unit: points in a pixel of the picture."""
    from matplotlib import patches, patheffects

    if isinstance(mark, Line):
        (x1, y1), (x2, y2) = mark.start, mark.end
        axes.plot(
            (x1, x2), (y1, y2), color=mark.colour, lw=mark.width * unit, alpha=mark.opacity,
            zorder=level,
        )  # fmt: skip
    elif isinstance(mark, Dot):
        axes.add_patch(
            patches.Circle((mark.x, mark.y), mark.radius, color=mark.colour, lw=0, zorder=level)
        )
    elif isinstance(mark, Box):
        axes.add_patch(
            patches.Rectangle(
                (mark.x, mark.y), mark.side, mark.side, facecolor=mark.colour,
                edgecolor=EDGE, lw=unit, zorder=level,
            )
        )  # fmt: skip
    elif isinstance(mark, Text):
        side = {"start": "left", "middle": "center", "end": "right"}[mark.anchor]
        effects = [patheffects.withStroke(linewidth=3 * unit, foreground="white")]
        axes.text(
            mark.x, mark.y, mark.text.replace("$", r"\$"), fontsize=mark.size * unit,
            color=mark.colour, ha=side, va="center_baseline", rotation=-mark.turn,
            rotation_mode="anchor", fontweight="bold" if mark.bold else "normal",
            path_effects=effects if mark.halo else [], zorder=level,
        )  # fmt: skip
