"""A picture as marks on paper, and its form as SVG; nothing is downloaded to draw it."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from attrs import frozen

INK, PAPER = "#20262e", "#ffffff"
FONT = "text{font-family:'Helvetica Neue',Helvetica,Arial,'DejaVu Sans',sans-serif}"
HALO = ".halo{paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}"
MIDDLE = 0.35
"""How far below the middle of its letters a line of type has its foot, as a part of its size."""


@frozen
class Line:
    """A straight line."""

    start: tuple[float, float]
    end: tuple[float, float]
    colour: str
    width: float
    opacity: float = 1.0
    told: str = ""
    """What a browser shows of it."""
    kinds: str = ""
    """Classes, for a style."""

    @property
    def svg(self) -> str:
        """Its SVG element."""
        (x1, y1), (x2, y2) = self.start, self.end
        return (
            f'<line x1="{short(x1)}" y1="{short(y1)}" x2="{short(x2)}" y2="{short(y2)}" '
            f'stroke="{self.colour}" stroke-width="{short(self.width)}" '
            f'opacity="{short(self.opacity)}"{_kinds(self.kinds)}>'
            f"<title>{escape(self.told)}</title></line>"
        )


@frozen
class Text:
    """A line of type, its middle at the height of y."""

    x: float
    y: float
    text: str
    size: float
    colour: str = INK
    anchor: str = "middle"
    """What of it is at x: `start`, `middle` or `end`."""
    turn: float = 0.0
    """Degrees, clockwise."""
    bold: bool = False
    halo: bool = False
    """Whether it stands on a patch of paper, so that lines behind it do not cross it."""
    kinds: str = ""

    @property
    def svg(self) -> str:
        """Its SVG element."""
        x, y = short(self.x), short(self.y)
        turned = f' transform="rotate({short(self.turn)} {x} {y})"' if self.turn else ""
        heavy = ' font-weight="600"' if self.bold else ""
        kinds = " ".join(filter(None, ("halo" * self.halo, self.kinds)))
        return (
            f'<text x="{x}" y="{y}" dy="{MIDDLE}em" font-size="{short(self.size)}" '
            f'text-anchor="{self.anchor}" fill="{self.colour}"{heavy}{turned}{_kinds(kinds)}>'
            f"{escape(self.text)}</text>"
        )


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
        """Its SVG element."""
        return (
            f'<circle cx="{short(self.x)}" cy="{short(self.y)}" r="{short(self.radius)}" '
            f'fill="{self.colour}"{_kinds(self.kinds)}/>'
        )


@frozen
class Box:
    """A square with a thin edge."""

    x: float
    y: float
    side: float
    colour: str

    @property
    def svg(self) -> str:
        """Its SVG element."""
        return (
            f'<rect x="{short(self.x)}" y="{short(self.y)}" width="{short(self.side)}" '
            f'height="{short(self.side)}" fill="{self.colour}" stroke="#d5dae2"/>'
        )


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
        """For notebooks."""
        return self.svg


def short(x: float) -> str:
    """A number of at most two decimals.

    >>> short(2.0), short(-0.001), short(1.005)
    ('2', '0', '1')
    """
    return f"{round(x, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def _kinds(names: str) -> str:
    return f" class={quoteattr(names)}" if names else ""
