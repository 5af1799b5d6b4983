"""The page Small World in a real browser: what is shown belongs to what is typed, and fits."""

from __future__ import annotations

import base64
import json
import re
import threading
import zlib
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest
from attrs import evolve

from dragon_cards.card import MONSTER, Store
from dragon_cards.store import starter
from dragon_cards.tables import table

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
pytest.importorskip("uvicorn", reason="the pages need the extra `web`")

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.full  # as all pages in a browser are

expect = sync_api.expect
expect.set_options(timeout=30_000)
LONG = ", which Stands for the Longest Name of All the Cards"
DUMP = json.dumps([
    {"id": card.id, "name": card.name, "frameType": "effect", "race": card.type,
     "level": card.level, "attribute": card.attribute, "atk": card.atk, "def": card.defence,
     "banlist_info": {"ban_tcg": "Forbidden"} if card.name == "Backlinker" else None}
    for card in starter().cards if card.kind == MONSTER and card.name != "Shinobird Crow"
]).encode()  # fmt: skip


class Mirror(BaseHTTPRequestHandler):
    """The card data, in two halves; the second when it may. At first the server is broken."""

    def do_GET(self) -> None:
        server: Any = self.server
        if not server.working.is_set():
            server.working.set()
            self.send_error(503)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(DUMP)))
        self.end_headers()
        self.wfile.write(DUMP[: len(DUMP) // 2])
        server.seen.wait(20)
        self.wfile.write(DUMP[len(DUMP) // 2 :])

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def mirror() -> Iterator[Any]:
    """A server of card data."""
    made: Any = ThreadingHTTPServer(("127.0.0.1", 0), Mirror)
    made.working, made.seen = threading.Event(), threading.Event()
    thread = threading.Thread(target=made.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield made
    made.shutdown()
    made.server_close()


@pytest.fixture(scope="module")
def server(serve: Callable[..., Any], mirror: Any, tmp_path_factory: Any) -> Iterator[Any]:
    """It knows the cards of the starter pool; those outside the sample have long names."""
    home = tmp_path_factory.mktemp("home")
    cards = [
        evolve(card, name=card.name + LONG) if card.kind == MONSTER and "Mathmech" not in card.name
        and not card.roles and card.name != "PSY-Frame Driver" else card
        for card in starter().cards
    ]  # fmt: skip
    (home / "cards").mkdir()
    (home / "cards" / "cards.csv").write_text(table(Store(tuple(cards))))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DRAGON_DATA", str(home))
        patch.setenv("DRAGON_CARDS", f"http://127.0.0.1:{mirror.server_address[1]}/")
        patch.setenv("no_proxy", "127.0.0.1")
        yield serve("--workers", "1")


@pytest.fixture
def forgiven() -> tuple[str, ...]:
    """Tests here ask what is refused."""
    return ("error: Failed to load resource: the server responded with a status of 400",)


HIDDEN = """[...document.querySelectorAll('#panel .scroll')].filter(e => !e.matches('.frame'))
  .filter(e => e.scrollWidth > e.clientWidth).map(e => e.innerText.slice(0, 80))"""
DROPPED = """text => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([text], "names.txt"));
  document.querySelector("textarea").parentElement.dispatchEvent(
    new DragEvent("drop", {dataTransfer, bubbles: true, cancelable: true}));
}"""
BEYOND_KEYS = """[...document.querySelectorAll("#panel :is(a, button, input, select, summary)")]
  .filter(e => e.checkVisibility() && !e.disabled && e.tabIndex < 0).map(e => e.outerHTML)"""
VIEWS = {"Together": ".answer", "Ways": "tbody tr", "Links": ".answer", "Hands": ".big",
         "Bridges": "tbody tr"}  # fmt: skip
"""The tabs, with the first answer below each."""


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_the_first_answer_of_every_view_is_seen(
    opened: Callable[..., Page], sound: Callable[..., None], accessible: Callable[..., None],
    width: int, height: int,
) -> None:  # fmt: skip
    scheme = "light" if width > 500 else "dark"
    page = opened("/small-world?from=D.D.+Crow&targets=Mathmech+Circular", width, scheme)
    page.set_viewport_size({"width": width, "height": height})

    def seen(answer: str) -> None:
        first = page.locator(f"#panel .out:not(.stale) {answer}").first
        assert first.evaluate("e => e.getBoundingClientRect().top") + 16 < height, answer
        assert page.evaluate(HIDDEN) == [], answer
        assert page.evaluate(BEYOND_KEYS) == [], answer
        sound(page)

    for view, answer in VIEWS.items():
        page.get_by_role("tab", name=view).click()
        seen(answer)
        if view in ("Links", "Bridges"):  # these have every kind of part; it takes a second
            accessible(page)
    page.goto(page.url.partition("?")[0] + "?deck=")
    seen(".notice")


def test_a_bridge_is_found(opened: Callable[..., Page]) -> None:
    page = opened("/small-world")
    first = page.locator("#panel tbody tr").first
    expect(first).to_contain_text("Shinobird Crow")
    expect(first).to_contain_text("96.4 %")
    expect(page.locator(".answer")).to_contain_text("connects 96.4 % of all pairs of your monsters")
    page.get_by_label("Of the archetype").fill("kaiju")
    expect(first).to_contain_text("Kaiju")
    page.get_by_label("Of the archetype").fill("kaijoo")
    expect(page.locator(".narrow .note.wrong")).to_contain_text("no archetype called 'kaijoo'")
    expect(first).to_be_hidden()
    page.get_by_label("Of the archetype").fill("")
    page.get_by_role("textbox", name="Deck").fill("Effect Veiler\nDD Crow\nGamma\nNonsense")
    expect(page.locator(".facts-line")).to_contain_text("3 different monsters")
    expect(page.locator(".notes")).to_contain_text("not known: 'Nonsense'")
    expect(first).not_to_contain_text("96.4 %")
    page.wait_for_url(re.compile(r"#deck=[\w-]+$"))
    other = opened(page.url)
    expect(other.get_by_role("textbox", name="Deck")).to_have_value(re.compile("^Effect Veiler\n"))
    expect(other.locator(".facts-line")).to_contain_text("3 different monsters")
    other.evaluate(DROPPED, "Effect Veiler\nDD Crow")
    expect(other.locator(".facts-line")).to_contain_text("2 different monsters")


def test_what_is_shown_belongs_to_what_is_typed(opened: Callable[..., Page]) -> None:
    page = opened("/small-world")
    out, deck = page.locator(".out"), page.get_by_role("textbox", name="Deck")
    expect(out).to_contain_text("Shinobird Crow")
    deck.press_sequentially("x")
    assert "stale" in str(out.get_attribute("class"))
    deck.fill("")
    expect(out).to_contain_text("Paste a deck")
    expect(out).not_to_contain_text("Shinobird Crow")
    expect(page.locator(".facts-line")).to_have_text("is empty")
    assert "deck=" in page.url
    deck.fill("Nonsense")
    expect(page.locator(".deck .note.wrong")).to_contain_text("no main-deck monster in it")
    expect(out).to_contain_text("The deck cannot be read")
    page.reload()
    expect(out).to_contain_text("The deck cannot be read")
    page.locator(".deck").get_by_role("button", name="The sample").click()
    expect(out).to_contain_text("Shinobird Crow")
    expect(page.locator(".deck .note.wrong")).to_have_count(0)


def test_the_graph_has_a_legend_is_enlarged_and_saved(opened: Callable[..., Page]) -> None:
    page = opened("/small-world")
    page.get_by_role("tab", name="Bridges").focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Links")).to_have_attribute("aria-selected", "true")
    drawn = page.locator("svg.graph")
    expect(page.locator(".legend li")).to_have_text(["type", "attribute", "level", "ATK", "DEF"])
    page.get_by_label("Links of").select_option("Mathmech Sigma")
    assert page.locator(".link.faded").count() > 10
    before = drawn.bounding_box()
    page.get_by_role("button", name="Larger").click()
    after = drawn.bounding_box()
    assert before is not None
    assert after is not None
    assert after["width"] == pytest.approx(1.5 * before["width"], rel=0.01)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as PNG").click()
    assert saved.value.suggested_filename == "graph.png"
    data = saved.value.path().read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(data[16:20]) > 800


def test_a_link_that_is_broken_or_a_bomb(opened: Callable[..., Page]) -> None:
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    bomb = squeeze.compress(b"A" * 50_000_000) + squeeze.flush()
    for code in (base64.urlsafe_b64encode(bomb).decode().rstrip("="), "bm90aGluZw"):
        page = opened(f"/small-world#deck={code}")
        expect(page.locator(".deck")).to_contain_text("The deck in this link is broken")
        expect(page.locator(".facts-line")).to_contain_text("different monsters")


def test_cards_are_fetched_with_progress_and_failures_are_said(
    opened: Callable[..., Page], mirror: Any
) -> None:
    page = opened("/small-world")
    line, fetch = page.locator(".cards-line"), page.get_by_role("button", name="Update")
    expect(line).to_contain_text("367 cards.")
    fetch.click()
    expect(page.get_by_role("alert")).to_contain_text("the server answers 503")
    expect(page.get_by_role("alert")).to_contain_text("the cards in use stay as they are")
    expect(line).to_contain_text("367 cards.")
    fetch.click()
    expect(line.get_by_role("progressbar")).to_have_attribute("max", str(len(DUMP)))
    expect(line).to_contain_text("0.0 of 0.1 MB")
    mirror.seen.set()
    expect(line).to_contain_text("366 cards.")
    expect(page.locator(".answer")).to_contain_text("Backlinker is the best bridge")
    page.get_by_label("Allowed in").select_option("TCG")
    expect(page.locator(".answer")).to_contain_text("Zombie Master is the best bridge")
