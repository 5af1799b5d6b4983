"""The page in a real browser: no error on its console, the replay by keyboard and by mouse."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

from dragon_tournament.config.reading import parse
from dragon_tournament.executors.local import InlineExecutor
from dragon_tournament.runner import run

pytestmark = pytest.mark.full  # as all pages in a browser are


if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Opened: TypeAlias = "Callable[..., Page]"
PLAYERS = [{"search": "alphabeta"}, {"search": "random", "name": "<i>Rand</i>"}]
TABLE = {"name": "page", "game": "tictactoe", "games": 2, "limit": {"nodes": 50}, "player": PLAYERS}


@pytest.fixture
def opened(browser: Browser) -> Iterator[Opened]:
    """Open a file in a window of this size in pixels.

    In the end the console has not complained, and nothing was asked of a network.
    """
    complaints: list[str] = []
    context = browser.new_context()

    def asked(request: Any) -> None:
        if not request.url.startswith(("data:", "file:")):
            complaints.append(request.url)

    def open_file(path: Path, width: int, scheme: Any = "light") -> Page:
        page = context.new_page()
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", asked)
        page.goto(path.as_uri())
        return page

    yield open_file
    context.close()
    assert complaints == []


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("page")
    run(parse(TABLE), out, InlineExecutor())
    return out / "report.html"


def ply(page: Page) -> int:
    """Give the ply of the replay, on which the three things that tell it agree."""
    at = page.locator("#moves [aria-current]").get_attribute("data-ply")
    assert at is not None
    assert page.locator("#ply").input_value() == at
    return int(at)


def total(page: Page) -> int:
    return int(page.locator("#ply").get_attribute("max") or 0)


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
    opened: Opened, races: dict[str, Path], kind: str, scheme: str, width: int
) -> None:
    page = opened(races[kind], width, scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("figure svg[role=img]").count() == 3
    assert page.evaluate(OUTSIDE) == 0
    assert page.evaluate(FAINT) == 0
    assert page.locator(".verdict").inner_text().startswith("Take ")


def test_a_race_is_replayed_seat_by_seat(opened: Opened, races: dict[str, Path]) -> None:
    page = opened(races["race"], 1200)
    assert page.locator("#game option").first.inner_text().startswith("1. queens(n=5): ")
    page.keyboard.press("ArrowRight")
    assert ply(page) == 1
    page.click("#last")
    assert ply(page) == total(page) == 5


def test_paper_has_everything_but_what_one_presses(opened: Opened, report: Path) -> None:
    page = opened(report, 800)
    page.emulate_media(media="print")
    assert page.locator(".controls").is_hidden()
    assert page.locator("nav").is_hidden()
    assert page.locator("#board-image").is_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert len(page.pdf(print_background=True)) > 10_000


@pytest.mark.parametrize("width", [390, 1200])
def test_it_loads_without_a_complaint_and_fits(opened: Opened, report: Path, width: int) -> None:
    page = opened(report, width)
    assert page.locator("#caption").inner_text().startswith("Start of")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("i").count() == 0
    board = page.locator("#board-image")
    board.evaluate("board => board.decode()")
    assert board.is_visible()


def test_the_replay_by_keyboard(opened: Opened, report: Path) -> None:
    page = opened(report, 1200)
    press = page.keyboard.press
    press("ArrowRight")  # without a click before: nothing else is in focus
    assert ply(page) == 1
    page.focus("#replay")
    press("ArrowRight")
    assert ply(page) == 2
    press("ArrowLeft")
    assert ply(page) == 1
    press("End")
    assert ply(page) == total(page) > 4
    press("ArrowRight")
    assert ply(page) == total(page)
    assert "(terminal)" in page.locator("#caption").inner_text()
    press("Home")
    press("ArrowLeft")
    assert ply(page) == 0
    press("Tab")
    assert page.evaluate("document.activeElement.id") == "game"
    press("Tab")
    assert page.evaluate("document.activeElement.id") == "first"
    press("ArrowRight")
    assert ply(page) == 1
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_the_replay_by_mouse(opened: Opened, report: Path) -> None:
    page = opened(report, 390)
    board = page.locator("#board-image")
    before = board.get_attribute("src")
    page.click("#next")
    assert ply(page) == 1
    assert board.get_attribute("src") != before
    page.click("#last")
    assert ply(page) == total(page)
    page.click("#back")
    assert ply(page) == total(page) - 1
    page.click("#moves li:nth-child(3) button")
    assert ply(page) == 2
    page.click("#first")
    assert ply(page) == 0
    page.select_option("#game", index=3)
    assert ply(page) == 0
    assert "<i>Rand</i>" in page.locator("#moves").inner_text()
    page.click("#play")
    assert page.locator("#play").get_attribute("aria-label") == "Pause"
    page.click("#play")
    assert page.locator("#play").get_attribute("aria-label") == "Play"


def test_a_picture_of_a_game_cannot_reach_the_page(opened: Opened, report: Path) -> None:
    text = report.read_text(encoding="utf-8")
    hostile = "\\u003cscript>document.title='caught'\\u003c/script>\\u003c/svg>"
    assert text.count("\\u003c/svg>") > 0
    bad = report.with_name("hostile.html")
    bad.write_text(text.replace("\\u003c/svg>", hostile), encoding="utf-8")
    page = opened(bad, 1200)
    page.keyboard.press("ArrowRight")
    assert ply(page) == 1
    assert page.title() == "page"
