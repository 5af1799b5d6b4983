"""Takes the pictures of `dragon serve` that the documentation shows, in a headless Chromium.

`python docs/screenshots_web.py` starts a server and writes docs/images/serve-*.png. It is run by
hand, after a change of how pages look: browsers do not draw alike, so no test compares.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

IMAGES = Path(__file__).parent / "images"
SHOTS: dict[str, tuple[str, str | None]] = {
    "serve-analyse": ("/analyse?game=nex(rows=3,cols=3)&moves=Ba1%3Fc3", "Analyse"),
    "serve-play": ("/play?game=ulti(contract='betli')&deal=3&seats=human,human,human", None),
}
"""For each picture the page, and the button that is pressed there."""
WIDTH, HEIGHT = 1120, 820


def take(page: Any, address: str, name: str) -> None:
    """One picture, when the page is done."""
    path, pressed = SHOTS[name]
    page.goto(address + path)
    page.locator(".board [data-cell]").first.wait_for()
    if pressed is not None:
        page.get_by_role("button", name=pressed, exact=True).click()
        page.locator(".worths table").wait_for()
    page.wait_for_load_state("networkidle")
    page.evaluate("scrollTo(0, 0)")
    page.screenshot(path=IMAGES / f"{name}.png")
    print(f"{name}.png: {(IMAGES / f'{name}.png').stat().st_size / 1000:.0f} kB")


def main() -> None:
    """Serves, and takes every picture; ends with a sentence where there is no browser."""
    from playwright.sync_api import sync_playwright

    names = ("chromium", "chromium-browser", "google-chrome")
    browser = next(filter(None, map(shutil.which, names)), None)
    if browser is None:
        sys.exit(f"no browser found; install one of {', '.join(names)}")
    server = subprocess.Popen(
        [sys.executable, "-m", "dragon", "serve", "--port", "0"], stderr=subprocess.PIPE, text=True
    )
    try:
        assert server.stderr is not None
        lines = iter(server.stderr.readline, "")
        address = next(m[0] for line in lines if (m := re.search(r"http://[\d.]+:\d+", line)))
        with sync_playwright() as play:
            chromium = play.chromium.launch(executable_path=browser, args=["--no-sandbox"])
            page = chromium.new_page(viewport={"width": WIDTH, "height": HEIGHT})
            page.set_default_timeout(120_000)
            for name in SHOTS:
                take(page, address, name)
            chromium.close()
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
