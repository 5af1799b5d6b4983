"""A picture as PNG, drawn by matplotlib, which is imported when it is asked for."""

from __future__ import annotations

import io
import warnings
from typing import TYPE_CHECKING, Any

from dragon.errors import ConfigError
from dragon_small_world.picture import Box, Dot, Line, Text

if TYPE_CHECKING:
    from dragon_small_world.picture import Mark, Picture

DOTS = 100
"""Pixels of the file in an inch of matplotlib."""
SCALE = 1.5
"""Pixels of the file in a pixel of the picture."""
MOST = 4000
"""Pixels along a side; a larger picture is drawn smaller."""
POINT = 72 / DOTS
"""The unit in which matplotlib counts type and lines, in pixels of the file."""


def png(picture: Picture) -> bytes:
    """The bytes of a PNG file; raises ConfigError where matplotlib is missing.

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
    scale = min(SCALE, MOST / max(picture.width, picture.height))
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
    """Draws a mark above those of a lower level; unit: points in a pixel of the picture."""
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
                edgecolor="#d5dae2", lw=unit, zorder=level,
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
