"""The page in a real browser: no error on its console, the replay by keyboard and by mouse.

The browser is driven over its own pipe (the DevTools protocol), so that nothing but Python and
Chromium is needed.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dragon_tournament.config.reading import parse
from dragon_tournament.executors.local import InlineExecutor
from dragon_tournament.runner import run

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")

PLAYERS = [{"search": "alphabeta"}, {"search": "random", "name": "<i>Rand</i>"}]
TABLE = {"name": "page", "game": "tictactoe", "games": 2, "limit": {"nodes": 50}, "player": PLAYERS}


class Browser:
    """A headless Chromium with one page; what its console says is kept."""

    def __init__(self, profile: Path) -> None:
        down, up = os.pipe(), os.pipe()
        shell = f'exec "$0" "$@" 3<&{down[0]} 4>&{up[1]}'
        self.process = subprocess.Popen(
            ["/bin/bash", "-c", shell, str(CHROMIUM), "--headless", "--no-sandbox",
             "--disable-gpu", "--remote-debugging-pipe", f"--user-data-dir={profile}",
             "--no-first-run", "about:blank"],
            pass_fds=(down[0], up[1]), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(down[0])
        os.close(up[1])
        self._out, self._in = os.fdopen(down[1], "wb", 0), os.fdopen(up[0], "rb", 0)
        self._rest, self._number, self._session = b"", 0, ""
        self.events: list[dict[str, Any]] = []
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(t for t in targets if t["type"] == "page")
        attached = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """A command's answer; events that come meanwhile are kept."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        self._out.write(json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                return dict(answer["result"])
            self.events.append(answer)

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            data = self._in.read(65536)
            assert data, "the browser is gone"
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\0")
        return dict(json.loads(line))

    def open(self, path: Path, width: int) -> None:
        """Loads a file in a window of so many pixels; returns when it is loaded."""
        self.events.clear()
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=900, deviceScaleFactor=1, mobile=width < 600,
        )  # fmt: skip
        self.call("Page.navigate", url=path.as_uri())
        while not any(e.get("method") == "Page.loadEventFired" for e in self.events):
            self.events.append(self._next())

    def ask(self, script: str) -> Any:
        """The value of an expression on the page."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True,
                           awaitPromise=True)  # fmt: skip
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def press(self, key: str) -> None:
        for kind in ("rawKeyDown", "keyUp"):
            code = {"ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35, "Tab": 9}[key]
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key,
                      windowsVirtualKeyCode=code)  # fmt: skip

    def click(self, selector: str) -> None:
        """A real click in the middle of an element, scrolled into view."""
        box = f"document.querySelector({selector!r})"
        self.ask(f"{box}.scrollIntoView({{block: 'center', behavior: 'instant'}})")
        x, y = self.ask(f"(r => [r.x + r.width / 2, r.y + r.height / 2])"
                        f"({box}.getBoundingClientRect())")  # fmt: skip
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def complaints(self) -> list[str]:
        """Errors and warnings of the console, and whatever was asked of a network."""
        found = []
        for event in self.events:
            method, params = event.get("method"), event.get("params", {})
            if method in ("Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled"):
                found.append(json.dumps(params))
            elif method == "Network.requestWillBeSent":
                url = params["request"]["url"]
                if not url.startswith(("data:", "file:")):
                    found.append(url)
        return found

    def close(self) -> None:
        self._out.close()
        self._in.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    made = Browser(tmp_path_factory.mktemp("profile"))
    yield made
    made.close()


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("page")
    run(parse(TABLE), out, InlineExecutor())
    return out / "report.html"


def ply(browser: Browser) -> int:
    """Where the replay is, as the three things that tell it agree."""
    at = browser.ask("document.querySelector('#moves [aria-current]').dataset.ply")
    assert browser.ask("document.querySelector('#ply').value") == at
    return int(at)


def total(browser: Browser) -> int:
    return int(browser.ask("document.querySelector('#ply').max"))


SOLVERS = [
    {"search": "dlx"},
    {"search": "mcts", "limit": {"simulations": 20}, "name": "a name that is longer than a phone"},
    {"search": "random"},
]
RACE = {
    "name": "race",
    "player": SOLVERS,
    "instance": [{"game": game} for game in ("queens(n=5)", "queens(n=6)", "langford(n=3)")],
}
ESTIMATE = {
    "name": "estimate",
    "game": "hands(free=false)",
    "games": 3,
    "limit": {"simulations": 2000},
    "player": [{"search": "exhaustive"}, {"search": "stratified"}, {"search": "montecarlo"}],
}


@pytest.fixture(scope="module")
def races(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    found = {}
    for table in (RACE, ESTIMATE):
        out = tmp_path_factory.mktemp("race")
        run(parse(table), out, InlineExecutor())
        found[str(table["name"])] = out / "report.html"
    return found


OUTSIDE = """[...document.querySelectorAll('figure, .scroll, .chart svg, .legend li')].filter(e => {
  const r = e.getBoundingClientRect();
  return r.width < 10 || r.left < 0 || r.right > innerWidth + 1;
}).length"""
FAINT = """[...document.querySelectorAll('.chart path[class]')].filter(e =>
  ['none', getComputedStyle(document.body).backgroundColor].includes(getComputedStyle(e).stroke)
).length"""


@pytest.mark.parametrize("kind", ["race", "estimate"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1200])
def test_a_race_has_its_pictures_in_every_light(
    browser: Browser, races: dict[str, Path], kind: str, scheme: str, width: int
) -> None:
    browser.open(races[kind], width)
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.call("Emulation.setEmulatedMedia", features=features)
    assert browser.ask("document.documentElement.scrollWidth") <= width
    assert browser.ask("document.querySelectorAll('figure svg[role=img]').length") == 3
    assert browser.ask(OUTSIDE) == 0
    assert browser.ask(FAINT) == 0
    assert browser.ask("document.querySelector('.verdict').innerText").startswith("Take ")
    assert browser.complaints() == []


def test_a_race_is_replayed_seat_by_seat(browser: Browser, races: dict[str, Path]) -> None:
    browser.open(races["race"], 1200)
    first = "document.querySelector('#game').options[0].text"
    assert browser.ask(first).startswith("1. queens(n=5): ")
    browser.press("ArrowRight")
    assert ply(browser) == 1
    browser.click("#last")
    assert ply(browser) == total(browser) == 5
    assert browser.complaints() == []


def test_paper_has_everything_but_what_one_presses(browser: Browser, page: Path) -> None:
    browser.open(page, 800)
    browser.call("Emulation.setEmulatedMedia", media="print")
    shown = "getComputedStyle(document.querySelector({!r})).display"
    assert browser.ask(shown.format(".controls")) == "none"
    assert browser.ask(shown.format("nav")) == "none"
    assert browser.ask(shown.format("#board-image")) == "block"
    assert browser.ask("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    paper = browser.call("Page.printToPDF", printBackground=True)["data"]
    assert len(paper) > 10_000
    browser.call("Emulation.setEmulatedMedia", media="")
    assert browser.complaints() == []


@pytest.mark.parametrize("width", [390, 1200])
def test_it_loads_without_a_complaint_and_fits(browser: Browser, page: Path, width: int) -> None:
    browser.open(page, width)
    assert browser.ask("document.querySelector('#caption').textContent").startswith("Start of")
    assert browser.ask("document.documentElement.scrollWidth") <= width
    assert browser.ask("document.querySelectorAll('i').length") == 0
    board = "document.querySelector('#board-image')"
    assert browser.ask(f"{board}.decode().then(() => !{board}.hidden)")
    assert browser.complaints() == []


def test_the_replay_by_keyboard(browser: Browser, page: Path) -> None:
    browser.open(page, 1200)
    browser.press("ArrowRight")  # without a click before: nothing else is in focus
    assert ply(browser) == 1
    browser.ask("document.querySelector('#replay').focus()")
    browser.press("ArrowRight")
    assert ply(browser) == 2
    browser.press("ArrowLeft")
    assert ply(browser) == 1
    browser.press("End")
    assert ply(browser) == total(browser) > 4
    browser.press("ArrowRight")
    assert ply(browser) == total(browser)
    assert "(terminal)" in browser.ask("document.querySelector('#caption').textContent")
    browser.press("Home")
    browser.press("ArrowLeft")
    assert ply(browser) == 0
    browser.press("Tab")
    assert browser.ask("document.activeElement.id") == "game"
    browser.press("Tab")
    assert browser.ask("document.activeElement.id") == "first"
    browser.press("ArrowRight")
    assert ply(browser) == 1
    assert browser.ask("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    assert browser.complaints() == []


def test_the_replay_by_mouse(browser: Browser, page: Path) -> None:
    browser.open(page, 390)
    before = browser.ask("document.querySelector('#board-image').src")
    browser.click("#next")
    assert ply(browser) == 1
    assert browser.ask("document.querySelector('#board-image').src") != before
    browser.click("#last")
    assert ply(browser) == total(browser)
    browser.click("#back")
    assert ply(browser) == total(browser) - 1
    browser.click("#moves li:nth-child(3) button")
    assert ply(browser) == 2
    browser.click("#first")
    assert ply(browser) == 0
    browser.ask("(s => { s.value = '3'; s.dispatchEvent(new Event('change')); })"
                "(document.querySelector('#game'))")  # fmt: skip
    assert ply(browser) == 0
    moves = browser.ask("document.querySelector('#moves').innerText")
    assert "<i>Rand</i>" in moves
    browser.click("#play")
    assert browser.ask("document.querySelector('#play').getAttribute('aria-label')") == "Pause"
    browser.click("#play")
    assert browser.ask("document.querySelector('#play').getAttribute('aria-label')") == "Play"
    assert browser.complaints() == []


def test_a_picture_of_a_game_cannot_reach_the_page(browser: Browser, page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    hostile = "\\u003cscript>document.title='caught'\\u003c/script>\\u003c/svg>"
    assert text.count("\\u003c/svg>") > 0
    bad = page.with_name("hostile.html")
    bad.write_text(text.replace("\\u003c/svg>", hostile), encoding="utf-8")
    browser.open(bad, 1200)
    browser.press("ArrowRight")
    assert ply(browser) == 1
    assert browser.ask("document.title") == "page"
