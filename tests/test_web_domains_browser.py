"""The pages of Pokémon, Small World and tournaments in a real browser, at a real server."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from dragon_tournament.config import parse
from dragon_tournament.executors import InlineExecutor
from dragon_tournament.runner import run

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
pytest.importorskip("uvicorn")

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
pytestmark = [
    pytest.mark.alone,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed"),
]
expect = sync_api.expect
expect.set_options(timeout=30_000)
PLAYERS = [{"search": "alphabeta"}, {"search": "random"}]
TABLE = {
    "name": "small",
    "game": "tictactoe",
    "games": 2,
    "limit": {"nodes": 50},
    "player": PLAYERS,
}
UNNAMED = """[...document.querySelectorAll('button, a, input, select, textarea')]
  .filter(e => e.checkVisibility())
  .filter(e => !(e.innerText || e.getAttribute('aria-label') || e.labels?.length))
  .map(e => e.outerHTML)"""
TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one tournament, of whose four games two are still to be told."""
    root = tmp_path_factory.mktemp("results")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DRAGON_JIT", "0")
        run(parse(TABLE), root / "small", InlineExecutor())
    records = root / "small" / "records.jsonl"
    lines = records.read_text().splitlines(keepends=True)
    records.write_text("".join(lines[:2]))
    (root / "rest").write_text("".join(lines[2:]))
    return root


@pytest.fixture(scope="module")
def server(results: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of `dragon serve`, which searches in plain Python: nothing is compiled."""
    log = tmp_path_factory.mktemp("server") / "log.txt"
    with log.open("w") as said:
        process = subprocess.Popen(
            [sys.executable, "-m", "dragon", "serve", "--port", "0", "--workers", "1",
             "--results", str(results)],
            stderr=said, env=os.environ | {"DRAGON_JIT": "0"},
        )  # fmt: skip
        try:
            address = None
            while address is None:
                assert process.poll() is None, log.read_text()
                address = re.search(r"http://[\d.]+:\d+", log.read_text())
            yield address[0]
        finally:
            process.terminate()
            process.wait(30)
    assert "Traceback" not in log.read_text(), log.read_text()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_api.sync_playwright() as made:
        found = made.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def opened(server: str, browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens a path of the server; in the end no complaint and no request elsewhere is known."""
    complaints: list[str] = []
    contexts = []

    def asked(request: Any) -> None:
        if not request.url.startswith((server, "data:", "blob:")):
            complaints.append(request.url)

    def open_page(path: str) -> Page:
        context = browser.new_context(viewport={"width": 1200, "height": 900})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.on("console", lambda m: complaints.append(f"{m.type}: {m.text}"))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", asked)
        page.goto(path if path.startswith("http") else server + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    refused = "error: Failed to load resource: the server responded with a status of 400"
    assert [each for each in complaints if not each.startswith(refused)] == []


def sound(page: Page) -> None:
    """Every control has a name, and nothing is wider than a screen or a phone."""
    assert page.evaluate(UNNAMED) == []
    for width in (390, 1200):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(TOO_WIDE) <= 0


def test_a_pokemon_team(opened: Callable[..., Page]) -> None:
    page = opened("/pokemon?gen=4&locations=Oreburgh+City")
    standing = page.locator(".standing")
    expect(standing).to_contain_text("1 of 60")
    expect(page.locator(".radial svg line").first).to_be_attached()
    expect(page.locator(".multipliers tbody tr")).to_have_count(3)
    sound(page)
    page.locator("h1").click()
    page.keyboard.press("ArrowRight")
    expect(standing).to_contain_text("2 of 60")
    assert "n=2" in page.url
    label = page.locator(".ranking [aria-current]").get_attribute("aria-label") or ""
    team = [name.replace("-", "") for name in label.partition(": ")[2].split(", ")]
    expect(page.locator(".members .plate")).to_have_text(team)
    again = opened(page.url)  # another person opens the link
    expect(again.locator(".standing")).to_contain_text("2 of 60")
    expect(again.locator(".members .plate")).to_have_text(team)
    page.locator(".members button", has_text="Ban").first.click()
    expect(standing).to_contain_text("1 of 60")
    assert "ban=" in page.url
    page.go_back()
    expect(standing).to_contain_text("2 of 60")


def test_a_mistake_is_told_at_its_field(opened: Callable[..., Page]) -> None:
    page = opened("/pokemon?gen=4&locations=Oreburgh+City&team=Fire,Dark")
    expect(page.locator(".standing")).to_contain_text("your team")
    added = page.get_by_label("Add")
    added.fill("Fier")
    added.press("Enter")
    expect(page.locator(".members .note")).to_contain_text("did you mean 'Fire'?")


def test_a_bridge_is_found(opened: Callable[..., Page]) -> None:
    page = opened("/small-world")
    first = page.locator("#panel tbody tr").first
    expect(first).to_contain_text("Shinobird Crow")
    expect(first).to_contain_text("217/225")
    sound(page)
    page.get_by_role("textbox", name="Deck").fill("Effect Veiler\nD.D. Crow\nSangan\nNonsense")
    expect(page.locator(".facts-line")).to_contain_text("3 different monsters")
    expect(page.locator(".notes")).to_contain_text("line 4: 'Nonsense'")
    expect(first).not_to_contain_text("217/225")
    page.wait_for_url(re.compile(r"#deck=[\w-]+$"))
    other = opened(page.url)
    expect(other.get_by_role("textbox", name="Deck")).to_have_value(re.compile("^Effect Veiler\n"))
    expect(other.locator(".facts-line")).to_contain_text("3 different monsters")
    page.get_by_role("tab", name="Bridges").focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Links")).to_have_attribute("aria-selected", "true")
    expect(page.locator("svg.graph")).to_be_visible()
    page.get_by_label("Links of").select_option("Sangan")
    sound(page)


def test_a_tournament_is_watched(opened: Callable[..., Page], results: Path) -> None:
    page = opened("/tournaments")
    page.locator(".entry").click()
    expect(page.locator(".head [role=status]")).to_contain_text("2 of 4 games")
    expect(page.get_by_role("heading", name="Standings")).to_be_visible()
    sound(page)
    with (results / "small" / "records.jsonl").open("a") as more:
        more.write((results / "rest").read_text())
    expect(page.locator(".head [role=status]")).to_contain_text("4 games")
    with page.expect_popup() as popup:
        page.get_by_role("link", name="The report").click()
    report = popup.value
    expect(report.locator("#caption")).to_contain_text("Start of tictactoe")
    report.keyboard.press("ArrowRight")
    expect(report.locator("#caption")).to_contain_text("1. ")
    assert report.evaluate("self.origin") == "null"
