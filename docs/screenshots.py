"""Take the pictures of tournament pages that the documentation shows, in a headless Chromium.

`python docs/screenshots.py` plays the tournaments and writes docs/images/tournament-*.png. It is
run by hand, after a change of how pages look: browsers do not draw alike, so no test compares.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).parent.parent
IMAGES = ROOT / "docs" / "images"
SHOTS = {
    "tournament-report": ("nex-3x3.toml", 1000, 2460),
    "tournament-race": ("covers.toml", 1000, 1112),
}
"""For each picture the tournament, and the window's width and height in pixels."""


def main() -> None:
    """Plays, and takes every picture; ends with a sentence where there is no browser."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    browser = next(filter(None, map(shutil.which, names)), None)
    if browser is None:
        sys.exit(f"no browser found; install one of {', '.join(names)}")
    for name, (file, width, height) in SHOTS.items():
        with tempfile.TemporaryDirectory() as scratch:
            played = [sys.executable, "-m", "dragon", "tournament", ROOT / "tournaments" / file]
            subprocess.run(played, check=True, cwd=scratch, stdout=subprocess.DEVNULL)
            page = Path(scratch) / "results" / Path(file).stem / "report.html"
            subprocess.run(
                [browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                 f"--user-data-dir={scratch}/profile", f"--window-size={width},{height}",
                 "--virtual-time-budget=3000", f"--screenshot={IMAGES / name}.png",
                 page.as_uri()],
                check=True, stderr=subprocess.DEVNULL,
            )  # fmt: skip
        picture = IMAGES / f"{name}.png"
        Image.open(picture).convert("RGB").quantize(256).save(picture, optimize=True)
        print(f"{name}.png: {(IMAGES / f'{name}.png').stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
