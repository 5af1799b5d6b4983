"""Pictures of any position: SVG by the game itself, or of its text, and PNG of that.

PNG is drawn by an installed program: a converter, or a browser. Python does not have one, and
libraries that draw SVG exactly are large.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from dragon.core.game import Game, State
from dragon.errors import ConfigError
from dragon.rules.notation import text_svg

PROGRAMS = {
    "resvg": ("-w", "{width}", "{svg}", "{png}"),
    "rsvg-convert": ("-w", "{width}", "-o", "{png}", "{svg}"),
    "inkscape": ("-w", "{width}", "-o", "{png}", "{svg}"),
    **dict.fromkeys(
        ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome",
         "msedge"),
        ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
         "--user-data-dir={folder}", "--window-size={width},{height}",
         "--default-background-color=00000000", "--screenshot={png}", "{page}"),
    ),
}  # fmt: skip
"""Programs that can draw an SVG, and their arguments; the first that is installed is used."""
LONGEST = 60.0
"""Seconds that such a program may take."""
BOX = re.compile(r'viewBox="[-\d.]+[ ,]+[-\d.]+[ ,]+([\d.]+)[ ,]+([\d.]+)"')


def svg_of(game: Game[Any], state: State[Any]) -> str:
    """The position as its game draws it, or else its text, as SVG."""
    drawn = game.svg(state)
    return text_svg(game.draw(state)) if drawn is None else drawn


def png(svg: str, longest: int = 1200) -> bytes:
    """The bytes of a PNG file of an SVG with a viewBox; `longest`: pixels of its longer side.

    Raises ConfigError where no program that can draw it is installed, or it fails.
    """
    program = next((name for name in PROGRAMS if shutil.which(name)), None)
    if program is None:
        raise ConfigError(
            f"PNG is drawn by another program, and none is installed; install one of "
            f"{', '.join(PROGRAMS)}, write an .svg, which needs none, or use the button on the "
            "Play page of `dragon serve`"
        )
    box = BOX.search(svg)
    wide, high = (float(box[1]), float(box[2])) if box else (1.0, 1.0)
    scale = longest / max(wide, high)
    with TemporaryDirectory() as folder:
        paths = {name: Path(folder) / f"picture.{name}" for name in ("svg", "png", "html")}
        paths["svg"].write_text(svg, encoding="utf-8")
        paths["html"].write_text(
            '<!doctype html><style>body{margin:0}img{display:block;width:100vw}</style>'
            '<img src="picture.svg">', encoding="utf-8",
        )  # fmt: skip
        words = {
            "folder": folder, "svg": paths["svg"], "png": paths["png"],
            "page": paths["html"].as_uri(), "width": round(wide * scale),
            "height": round(high * scale),
        }  # fmt: skip
        command = [program, *(word.format(**words) for word in PROGRAMS[program])]
        try:
            subprocess.run(command, check=True, capture_output=True, timeout=LONGEST)
            return paths["png"].read_bytes()
        except (OSError, subprocess.SubprocessError) as failed:
            raise ConfigError(
                f"{program} could not draw the picture ({failed}); write an .svg instead"
            ) from failed


def board_text(game: Game[Any], state: State[Any]) -> str:
    """A position drawn for stdout: with signs for pieces, if it is a terminal that has them."""
    from dragon.rules.record import RecordState

    shown, out = game.draw(state), sys.stdout
    if out is None or not out.isatty() or not isinstance(state, RecordState):
        return shown
    if shown != state.picture():  # the game knows more than its notation
        return shown
    try:
        signed = state.rules.notation.signed(state.record)
        signed.encode(out.encoding or "ascii")
    except UnicodeEncodeError:
        return shown
    return signed
