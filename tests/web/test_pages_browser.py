"""The pages as they stand at two sizes: what is above the fold, what fits, contrast, keyboard."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
pytest.importorskip("uvicorn")

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.full  # as all pages in a browser are

expect = sync_api.expect
expect.set_options(timeout=30_000)
SIZES = [(1280, 800), (390, 844)]
PAGES = {
    "/": ".intro a.main",
    "/play?game=nex&seats=human,human": ".board svg",
    "/analyse?game=nex(rows=4,cols=4)": "button.main",
    "/games": "#backgammon h3",
    "/tournaments": "details[open] pre",
    "/api": "main li, main tr",
}
"""Each page, and what of it must be seen without scrolling."""
WATCHED = "addEventListener('focusin', (event) => { event.target.dataset.reached = '1'; })"
UNREACHED = """[...document.querySelectorAll(
    'a[href], button, input, select, textarea, summary, [tabindex="0"]')]
    .filter(e => e.checkVisibility() && !e.disabled && !e.dataset.reached).map(e => e.outerHTML)"""
WIDER = """(() => { const frame = document.querySelector('.board'), drawn = frame.firstElementChild;
    return drawn.getBoundingClientRect().width - frame.getBoundingClientRect().width; })()"""
"""The pixels by which a board is wider than its frame."""


@pytest.fixture(scope="module")
def server(serve: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> Any:
    return serve("--workers", "1", "--results", str(tmp_path_factory.mktemp("results")))


@pytest.fixture
def forgiven() -> tuple[str, ...]:
    return ("error: Failed to load resource: the server responded with a status of 400",)


@pytest.fixture
def at(opened: Callable[..., Page]) -> Callable[..., Page]:
    def open_at(path: str, size: tuple[int, int]) -> Page:
        page = opened(path, size[0], "light" if size == SIZES[0] else "dark")
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.wait_for_load_state("networkidle")
        return page

    return open_at


def top(page: Page, selector: str) -> float:
    expect(page.locator(selector).first).to_be_visible()
    found: float = page.evaluate(  # at one moment, since strips are drawn again with each answer
        "(selector) => document.querySelector(selector).getBoundingClientRect().y", selector
    )
    return found


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("path", PAGES)
def test_a_page_fits_and_can_be_read_and_reached(
    at: Callable[..., Page],
    sound: Callable[..., None],
    accessible: Callable[[Page], None],
    path: str,
    size: tuple[int, int],
) -> None:
    page = at(path, size)
    expect(page.locator(PAGES[path]).first).to_be_visible()
    assert top(page, PAGES[path]) < size[1]
    sound(page)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        accessible(page)
    page.evaluate(WATCHED)
    for _ in range(len(page.evaluate(UNREACHED)) + 5):
        page.keyboard.press("Tab")
    assert page.evaluate(UNREACHED) == []


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_a_board_of_nex_fits_into_its_frame(
    at: Callable[..., Page], sound: Callable[..., None], size: tuple[int, int]
) -> None:
    page = at("/play?game=nex(rows=13,cols=13)&seats=human,human", size)
    expect(page.locator(".board [data-cell=m13]")).to_be_attached()
    assert page.evaluate(WIDER) <= 0
    sound(page)


def test_a_table_scrolls_in_its_frame_and_its_first_column_stays(at: Callable[..., Page]) -> None:
    page = at("/api", SIZES[1])
    frame = page.locator(".scroll").first
    lefts = """frame => { frame.scrollLeft = 60; return [frame.scrollLeft,
        ...[frame, frame.querySelector('tbody th'), frame.querySelector('tbody td')]
        .map(each => each.getBoundingClientRect().left)]; }"""
    scrolled, edge, first, second = frame.evaluate(lefts)
    assert scrolled == 60
    assert abs(first - edge) <= 1  # the frame's line
    assert second > first


def chosen(page: Page, game: str) -> Locator:
    """The dialog for a new game, where the game of this name is chosen."""
    page.get_by_role("button", name="New game", exact=True).click()
    dialog = page.get_by_role("dialog", name="New game")
    dialog.locator(f".tile[data-game={game}]").click()
    return dialog


def test_who_plays_is_chosen_before_the_board_is_seen_on_a_phone(at: Callable[..., Page]) -> None:
    page = at("/play", SIZES[1])
    dialog = page.get_by_role("dialog", name="New game")
    expect(dialog.get_by_role("group", name="Against")).to_be_in_viewport()
    dialog.get_by_role("radio", name="Person").check()
    start = dialog.get_by_role("button", name="Start")
    expect(start).to_be_in_viewport(ratio=1)
    start.click()
    expect(dialog).to_have_count(0)
    expect(page.locator(".board [data-cell=b2]")).to_be_visible()
    assert top(page, ".far .strip") < top(page, ".board svg") < top(page, ".near .strip") < 844
    page.locator(".more > summary").click()
    expect(page.locator(".seats select").first).to_have_value("human")


def test_a_game_is_chosen_from_pictures_and_its_size_by_a_slider(at: Callable[..., Page]) -> None:
    page = at("/play?seats=human,human", SIZES[0])
    dialog = chosen(page, "nex")
    person = dialog.get_by_role("radio", name="Person")
    person.focus()
    person.press("ArrowLeft")
    expect(dialog.get_by_role("radio", name="Strong")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(person).to_be_focused()
    expect(person).to_be_checked()
    columns = dialog.get_by_label("Columns")
    columns.focus()
    for _ in range(7):
        columns.press("ArrowLeft")
        expect(columns).to_be_focused()
    dialog.get_by_role("button", name="Start").click()
    expect(page.locator(".board [data-cell=k4]")).to_be_attached()
    expect(page.locator(".board [data-cell=k5]")).to_have_count(0)
    assert "cols=4" in page.url
    page.get_by_role("button", name="Rules").click()
    expect(page.get_by_role("dialog")).to_contain_text("The side that has joined its two edges")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_what_cannot_be_shown_is_not_shown_as_if_it_were(at: Callable[..., Page]) -> None:
    page = at("/play?game=nex(rows=3,cols=3)&seats=human,human", SIZES[0])
    expect(page.locator(".board [data-cell=c3]")).to_be_attached()
    dialog = chosen(page, "nex")
    dialog.get_by_text("As text, for experts").click()
    spec = dialog.get_by_label("Game as text", exact=True)
    spec.fill("nex(rows=99)")
    spec.press("Tab")
    dialog.get_by_role("button", name="Start").click()
    expect(page.get_by_role("alert")).to_contain_text("rows")
    expect(page.locator(".board.stale")).to_be_visible()
    chosen(page, "hex").get_by_role("button", name="Start").click()
    expect(page.locator(".board [data-cell=k11]")).to_be_attached()
    expect(page.locator(".board.stale")).to_have_count(0)


@pytest.mark.parametrize("path", ["/play", "/analyse"])
def test_from_an_address_that_is_wrong_one_gets_on(
    at: Callable[..., Page], accessible: Callable[[Page], None], path: str
) -> None:
    page = at(f"{path}?game=nex(rows=30)&seats=human,human", SIZES[0])
    expect(page.get_by_role("alert")).to_contain_text("rows must be")
    assert "Press Analyse" not in page.locator("main").inner_text()
    accessible(page)
    if path == "/play":
        chosen(page, "hex").get_by_role("button", name="Start").click()
    else:
        page.get_by_text("Size, search and position").click()
        page.get_by_label("Game", exact=True).select_option("hex")
    expect(page.locator(".board [data-cell=k11]")).to_be_attached()
    expect(page.get_by_role("alert")).to_have_count(0)


@pytest.mark.parametrize("path", ["/play", "/analyse"])
def test_a_picture_is_saved(at: Callable[..., Page], path: str) -> None:
    page = at(f"{path}?game=nex(rows=2,cols=3)&seats=human,human&moves=Ba1%3Fb2", SIZES[0])
    page.locator(".more > summary").click()
    for kind, begin in (("SVG", b"<svg"), ("PNG", b"\x89PNG")):
        with page.expect_download() as download:
            page.get_by_role("button", name=f"Picture as {kind}").click()
        assert download.value.suggested_filename == f"nex-1.{kind.lower()}"
        assert download.value.path().read_bytes().startswith(begin)


def test_of_a_log_of_many_games_each_can_be_seen(at: Callable[..., Page]) -> None:
    page = at("/play?game=nex(rows=3,cols=3)&seats=human,human", SIZES[0])
    page.locator(".more > summary").click()
    page.get_by_text("Load a game from text").click()
    page.get_by_label("A game as text").fill("Ba1?b2;Wc1?c2;\nBa2?a3;\nBb1?b3;Wa1?a2;Bc1?c3;\n")
    page.get_by_role("button", name="Load this").click()
    expect(page.locator(".moves li")).to_have_text(["1. Ba1?b2", "Wc1?c2"])
    at_game = page.get_by_label("Game of the log, 1 to 3")
    at_game.fill("2")
    at_game.press("Enter")
    expect(page.locator(".moves li")).to_have_text(["1. Ba2?a3"])


def test_an_analysis_says_in_words_who_wins(at: Callable[..., Page]) -> None:
    page = at("/analyse?game=nex(rows=2,cols=2)", SIZES[1])
    expect(page.locator(".verdict")).to_contain_text("Press Analyse")
    page.get_by_role("button", name="Analyse", exact=True).click()
    expect(page.locator(".verdict")).to_have_text("Black wins in 3 plies with best play: proven.")
    page.goto(page.url.partition("?")[0] + "?game=nex(rows=3,cols=3)&moves=Ba1%3Fc3")
    page.get_by_role("button", name="Analyse", exact=True).click()
    expect(page.locator(".verdict")).to_have_text("A draw with best play: proven.")
    drawn = page.locator(".worths tbody tr", has_text="Wa2?b1").locator("td")
    expect(drawn).to_have_text(["0", "\N{EN DASH}"])


def test_a_table_is_offered_made_and_used(at: Callable[..., Page]) -> None:
    page = at("/analyse?game=nex(rows=3,cols=5)&search=mcts&seconds=1", SIZES[0])
    offer = page.locator(".result .notice")
    expect(offer).to_contain_text("A table of 3x5 would say who wins in every position")
    # 135 million positions are too many for a test: what comes is what the server would send.
    page.evaluate("""() => {
        const before = fetch;
        const part = (text) => new TextEncoder().encode(text);
        window.fetch = async (url, options) => String(url).includes("analyse/prepare")
            ? new Response(new ReadableStream({ start(sent) {
                sent.enqueue(part('data: {"part": 0.5}\\n\\nevent: done\\ndata: {}\\n\\n'));
                sent.close(); } }))
            : String(url).includes("analyse/run")
            ? new Response("event: done\\ndata: {}\\n\\n")
            : String(url).includes("games/searches")
            ? new Response(JSON.stringify({ searches: [{ name: "nextable", objection: null,
                offer: null, proves: true, limits: [] }] })) : before(url, options); }""")
    page.get_by_role("button", name="Make the table").click()
    page.locator(".more > summary").click()
    expect(page.get_by_label("With settings")).to_have_value("nextable")
    expect(offer).to_have_count(0)


def test_games_are_found_by_words_and_addresses(at: Callable[..., Page]) -> None:
    page = at("/games#search-mcts", SIZES[0])
    expect(page.locator("#search-mcts")).to_be_in_viewport()
    page.get_by_label("Search for a game").fill("hidden luck")
    expect(page.locator("#kuhn")).to_be_visible()
    expect(page.locator("#hex")).to_be_hidden()
    page.get_by_label("Search for a game").fill("zebra")
    expect(page.get_by_text("Nothing here has all these words.")).to_be_visible()


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_first_page_begins_with_a_whole_board(
    at: Callable[..., Page], size: tuple[int, int]
) -> None:
    page = at("/", size)
    for whole in (".live .board svg", ".intro a.main", ".intro a[href='/analyse']"):
        expect(page.locator(whole)).to_be_in_viewport(ratio=0.99)


def test_the_first_page_names_the_domains(at: Callable[..., Page]) -> None:
    page = at("/", SIZES[0])
    names = page.locator(".domains h2").all_inner_texts()
    assert names == ["Hands", "Nex", "Pokémon", "Small World", "Ulti"]
    loaded = "all => all.every((each) => each.complete && each.naturalWidth > 0)"
    assert page.locator(".domains img").evaluate_all(loaded)
    page.get_by_role("link", name="Play on 5x5").click()
    expect(page.locator(".board [data-cell=e5]")).to_be_attached()
