"""Take the pictures of pages that the documentation shows, in a headless Chromium.

`python docs/screenshots_web.py` starts a server, publishes a playground, and writes
docs/images/serve-*.png and playground.png; names after it (`serve-play serve-ulti`) take those
alone. It is run by hand, after a change of how pages look: browsers do not draw alike, so no test
compares.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from attrs import frozen
from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
LARGEST = 150_000
"""Bytes of a picture; the repository keeps every version."""
TOURNAMENT = "nex-3x3"
DEAL = "0000204050603071727371214151322242332343310112021252630313536"


@frozen
class Shot:
    """A page, what is pressed there, and what must be seen before the picture is taken."""

    path: str
    seen: str
    pressed: tuple[str, ...] = ()
    """Names of buttons or tabs."""
    pointed: tuple[str, ...] = ()
    """Cells of the board."""
    height: int = 820


SHOTS = {
    "serve-home": Shot("/", "#tiles img", height=800),
    "serve-analyse": Shot("/analyse?game=nex(rows=3,cols=3)&moves=Ba1%3Fc3", ".worths table",
                          ("Analyse",), height=890),
    "serve-play": Shot("/play?game=nex(rows=5,cols=5)&seats=human,human"
                       "&moves=Bc3%3Fd2,Wb4%3Fa2,Bd3%3Fb3,Wc4%3Fe1", ".mark.chosen",
                       pointed=("d2",), height=748),
    "serve-hidden": Shot("/play?game=ulti(cards='hidden')&deal=3&seats=human,human,human"
                         "&moves=A8,A9", ".board [data-cell]", height=726),
    "serve-games": Shot("/games", ".thumb img", height=676),
    "serve-ulti": Shot(f"/ulti?deal={DEAL}&contract=ulti&trump=H", ".cell.good", height=822),
    "serve-pokemon": Shot("/pokemon?gen=4&locations=Sunyshore+City,Veilstone+City&abilities=true",
                          ".counted:has-text('Proven')", height=830),
    "serve-small-world": Shot("/small-world", "tbody tr", height=780),
    "serve-hands": Shot("/hands", ".charts svg", height=802),
    "playground": Shot("/index.html", ".card img", height=790),
    "serve-tournaments": Shot(f"/tournaments?name={TOURNAMENT}", ".plot", height=812),
}  # fmt: skip
"""For each picture what is on it."""
WIDTH = 1120


def take(page: Any, address: str, name: str) -> None:
    """One picture, when the page is done."""
    shot = SHOTS[name]
    page.set_viewport_size({"width": WIDTH, "height": shot.height})
    page.goto(address + shot.path)
    for cell in shot.pointed:
        page.locator(f".board [data-cell={cell}]").click()
    for pressed in shot.pressed:
        page.get_by_role("button", name=pressed, exact=True).click()
    page.locator(shot.seen).first.wait_for()
    page.wait_for_load_state("networkidle")
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement?.blur(); scrollTo(0, 0)")
    file = IMAGES / f"{name}.png"
    page.screenshot(path=file)
    Image.open(file).quantize(256).save(file, optimize=True)
    size = file.stat().st_size
    print(f"{name}.png: {size / 1000:.0f} kB{', too much' if size > LARGEST else ''}")


def published(folder: Path) -> str:
    """Return the place of the playground of the front page, when it is made."""
    games = ["hex(size=7)", "nex(rows=4, cols=4)"]
    subprocess.run(
        [sys.executable, "-m", "dragon", "publish", "--all", *games, "--to", str(folder)],
        check=True, capture_output=True,
    )  # fmt: skip
    return folder.as_uri()


@contextmanager
def serving(results: str) -> Iterator[str]:
    """A server that shows the tournaments of a folder; its address."""
    paths = filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])
    server = subprocess.Popen(
        [sys.executable, "-m", "dragon", "serve", "--port", "0", "--results", results],
        stderr=subprocess.PIPE, text=True, env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
    )  # fmt: skip
    try:
        assert server.stderr is not None
        lines = iter(server.stderr.readline, "")
        yield next(m[0] for line in lines if (m := re.search(r"http://[\d.]+:\d+", line)))
    finally:
        server.terminate()
        server.wait()


def main(names: list[str]) -> None:
    """Plays a tournament, serves, and takes every picture; ends with a sentence where it cannot."""
    from playwright.sync_api import sync_playwright

    if unknown := [name for name in names if name not in SHOTS]:
        sys.exit(f"no picture is called {unknown[0]!r}; there are {', '.join(SHOTS)}")
    browsers = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    browser = next(filter(None, map(shutil.which, browsers)), None)
    if browser is None:
        sys.exit(f"no browser found; install one of {', '.join(browsers)}")
    with TemporaryDirectory() as results, sync_playwright() as play:
        if not names or "serve-tournaments" in names:
            settings = ROOT / "tournaments" / f"{TOURNAMENT}.toml"
            out = str(Path(results) / TOURNAMENT)
            subprocess.run(
                [sys.executable, "-m", "dragon", "tournament", str(settings), "--out", out],
                check=True, stdout=subprocess.DEVNULL,
            )  # fmt: skip
        with serving(results) as address:
            chromium = play.chromium.launch(executable_path=browser, args=["--no-sandbox"])
            page = chromium.new_page(viewport={"width": WIDTH, "height": 820})
            page.set_default_timeout(60_000)
            for name in names or SHOTS:
                own = name == "playground"
                take(page, published(Path(results) / name) if own else address, name)
            chromium.close()


if __name__ == "__main__":
    main(sys.argv[1:])
