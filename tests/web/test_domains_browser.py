"""The pages of Pokémon and tournaments in a real browser, at a real server."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from dragon.modes import JIT
from dragon_tournament.config.reading import parse
from dragon_tournament.executors.local import InlineExecutor
from dragon_tournament.runner import run

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
pytest.importorskip("uvicorn")

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.full  # as all pages in a browser are

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


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one tournament, of whose four games two are still to be told."""
    root = tmp_path_factory.mktemp("results")
    with JIT.under("0"):
        run(parse(TABLE), root / "small", InlineExecutor())
    records = root / "small" / "records.jsonl"
    lines = records.read_text().splitlines(keepends=True)
    records.write_text("".join(lines[:2]))
    (root / "rest").write_text("".join(lines[2:]))
    return root


@pytest.fixture(scope="module")
def server(serve: Callable[..., Any], results: Path) -> Any:
    """It compiles: a team is chosen among millions, which takes plain Python seconds."""
    return serve("--workers", "1", "--results", str(results), jit=True)


@pytest.fixture
def forgiven() -> tuple[str, ...]:
    """Tests here ask what is refused."""
    return ("error: Failed to load resource: the server responded with a status of 400",)


def test_a_pokemon_team(opened: Callable[..., Page], sound: Callable[..., None]) -> None:
    page = opened("/pokemon?gen=4&locations=Oreburgh+City&limit=2&differ=1")
    standing = page.locator(".standing")
    expect(standing).to_contain_text("1 of 30")
    expect(page.locator(".radial svg line").first).to_be_attached()
    expect(page.locator(".multipliers tbody tr")).to_have_count(3)
    sound(page, 390, 1200)
    page.locator("h1").click()
    page.keyboard.press("ArrowRight")
    expect(standing).to_contain_text("2 of 30")
    assert "n=2" in page.url
    label = page.locator(".ranking [aria-current]").get_attribute("aria-label") or ""
    team = [name.replace("-", "") for name in label.partition(": ")[2].split(", ")]
    expect(page.locator(".members .plate")).to_have_text(team)
    again = opened(page.url)  # another person opens the link
    expect(again.locator(".standing")).to_contain_text("2 of 30")
    expect(again.locator(".members .plate")).to_have_text(team)
    page.locator(".members button", has_text="Ban").first.click()
    expect(standing).to_contain_text("1 of 30")
    assert "ban=" in page.url
    page.go_back()
    expect(standing).to_contain_text("2 of 30")


def test_the_pokemon_page_filters(opened: Callable[..., Page]) -> None:
    page = opened("/pokemon?gen=4&locations=Oreburgh+City&limit=2&without=legendary&dex=sinnoh")
    expect(page.locator(".standing")).to_contain_text("Resists all 3 types")
    expect(page.get_by_label("legendary")).to_be_checked()
    expect(page.get_by_label("Of the dex")).to_have_value("sinnoh")
    page.get_by_label("Fully evolved").check()
    expect(page.locator("summary.asked-for")).to_contain_text("fully evolved · sinnoh")
    expect(page).to_have_url(re.compile("evolved=true"))
    page.get_by_label("Goal").select_option("attack")
    page.get_by_label("Count moves such as Freeze-Dry").check()
    expect(page).to_have_url(re.compile("moves=true"))
    assert "dex=" not in page.url
    chosen = opened("/pokemon?side=attack&moves=true&abilities=true&locations=Cortondo&limit=2"
                    "&team=Freeze-Dry,Normal%2BScrappy")  # fmt: skip
    expect(chosen.locator(".members .plate").first).to_have_text("Freeze-Dry")
    expect(chosen.locator(".radial svg text", has_text="Freeze-Dry")).to_be_attached()


BEYOND_KEYS = """[...document.querySelectorAll("main :is(a, button, input, select, textarea)")]
  .filter(each => each.checkVisibility() && !each.disabled && each.tabIndex < 0)
  .map(each => each.outerHTML)"""
TYPED = """(text) => {
  const box = document.querySelector('textarea');
  box.value = text;
  box.dispatchEvent(new Event('input'));
  return document.querySelector('.result').classList.contains('stale');
}"""
"""Types into the list of Pokémon; whether the answer on the page is dimmed at once."""


@pytest.mark.parametrize(("width", "fold", "scheme"), [(1280, 800, "light"), (390, 844, "dark")])
def test_what_the_pokemon_page_shows_belongs_to_what_is_asked(
    opened: Callable[..., Page],
    sound: Callable[..., None],
    accessible: Callable[[Page], None],
    width: int,
    fold: int,
    scheme: str,
) -> None:
    page = opened("/pokemon?gen=4&locations=Oreburgh+City&limit=2", width, scheme)
    standing, members = page.locator(".standing"), page.locator(".members")
    expect(standing).to_contain_text("Resists all 3 types")
    expect(page.locator(".counted")).to_contain_text("Proven: no team of at most 2 scores better")
    expect(members.locator(".who").first).to_contain_text("Shedinja")
    box = standing.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < fold
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    sound(page, width)
    accessible(page)
    assert page.evaluate(BEYOND_KEYS) == []
    page.get_by_label("Must be in").first.fill("Fier")
    page.get_by_label("Must be in").first.press("Enter")
    expect(page.locator(".question .note.wrong")).to_contain_text("did you mean 'Fire'?")
    expect(standing).to_contain_text("No answer")
    expect(page.locator(".counted")).to_contain_text("No type is called 'Fier'")
    expect(page.locator(".radial")).to_be_empty()
    expect(page.locator(".radial")).not_to_have_attribute("aria-busy", "true")
    assert page.locator(".multipliers table, .ranking li:visible").count() == 0
    page.get_by_role("button", name="Unpin Fier").click()
    expect(standing).to_contain_text("Resists all 3 types")
    assert page.evaluate(TYPED, "Garchomp, Steelix\nGarchmp")
    expect(page.locator(".left-out")).to_contain_text("line 2: no Pokémon is called 'Garchmp'")
    expect(members.locator(".who")).to_contain_text(["Steelix"])
    page.locator(".map .town").nth(1).click()
    expect(page.get_by_label("2 Eterna City")).to_be_checked()
    expect(page.locator(".map .picked")).to_have_count(2)
    page.get_by_label("Games").select_option("1")
    expect(page.get_by_label("1 Pewter City")).not_to_be_checked()
    sound(page, width)
    six = "Bug-Fighting,Dark-Steel,Dragon-Electric,Fighting-Psychic,Fire-Flying,Ghost-Poison"
    page = opened(f"/pokemon?locations=Cortondo&limit=2&team={six}", width, scheme)
    table = page.locator(".multipliers .scroll")
    expect(table.locator("thead th")).to_have_count(8)
    assert table.evaluate("each => each.scrollWidth <= each.clientWidth"), "a column is hidden"


def test_the_best_that_can_be_done_of_those_in_a_file(opened: Callable[..., Page]) -> None:
    page = opened("/pokemon?gen=1&locations=Indigo+Plateau&limit=2")
    expect(page.locator(".standing")).to_contain_text("Resists all but")
    expect(page.locator(".counted")).to_contain_text("This is the best that can be done")
    page.get_by_text("Choose among my Pokémon").click()
    mine = {"name": "mine.txt", "mimeType": "text/plain", "buffer": b"Gengar\nLapras, Snorlax\n"}
    page.get_by_label("Open a file").set_input_files(files=[mine])
    expect(page.locator(".members .who")).to_contain_text(["Gengar", "Lapras"])
    page.get_by_label("Games").select_option("4")
    page.get_by_text("Count abilities such as Levitate").click()
    expect(page.locator(".members")).to_contain_text("Levitate")


def test_a_mistake_is_told_at_its_field(opened: Callable[..., Page]) -> None:
    page = opened("/pokemon?gen=4&locations=Oreburgh+City&team=Fire,Dark")
    expect(page.locator(".standing")).to_contain_text("your team")
    added = page.get_by_label("Add")
    added.fill("Fier")
    added.press("Enter")
    expect(page.locator(".members .note")).to_contain_text("did you mean 'Fire'?")
    expect(page.locator(".members .plate")).to_have_text(["Fire", "Dark"])
    assert "Fier" not in page.url
    page.get_by_role("button", name="Leave out Fire").click()
    expect(page.locator(".members .plate")).to_have_text(["Dark"])
    page = opened("/pokemon?gen=4&team=Fier")
    expect(page.locator(".counted")).to_contain_text("did you mean 'Fire'")


def test_a_tournament_is_watched(
    opened: Callable[..., Page], sound: Callable[..., None], results: Path
) -> None:
    page = opened("/tournaments")
    page.locator(".entry", has_text="small").click()
    expect(page.locator(".head [role=status]")).to_contain_text("2 of 4 games")
    expect(page.get_by_role("heading", name="Standings")).to_be_visible()
    sound(page, 390, 1200)
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


def test_a_graded_tournament_is_ranked_by_payoffs(
    opened: Callable[..., Page], sound: Callable[..., None], results: Path
) -> None:
    worlds = {"name": "worlds", "search": "determinize(search='exhaustive', samples=10)"}
    table = {"name": "poker", "game": "kuhn", "games": 60, "player": [{"search": "random"}, worlds]}
    summary = run(parse(table), results / "poker", InlineExecutor()).report
    paid = summary.payoffs["worlds",]
    assert paid.error is not None
    assert [player.name for player in summary.players] == ["worlds", "random"]
    page = opened("/tournaments?name=poker")
    standings = page.locator("table").first
    expect(standings.locator("th", has_text="payoff")).to_be_visible()
    expect(standings.locator("tbody tr").first).to_contain_text("worlds")
    figure, error = f"{paid.mean:+.3f}", f"±{paid.error:.3f}"
    expect(standings.locator("tbody tr").first).to_contain_text(f"{figure}{error}")
    expect(standings.locator("tbody tr").nth(1)).to_contain_text(
        figure.replace("+", "\N{MINUS SIGN}")
    )
    cross = page.locator(".cross tbody tr").first
    expect(cross.locator("td.plus")).to_contain_text(f"{figure}{error}, +")
    expect(page.locator("td.plot svg")).to_have_count(4)
    sound(page, 390, 1200)


LIVE = """
name = "live"
game = "tictactoe"
games = 3
[[player]]
search = "scripted(delay=0.3)"
name = "Ann"
[[player]]
search = "scripted(delay=0.3)"
name = "Ben"
gate = "{gate}"
"""
"""A tournament that begins when it is watched; then a game takes two seconds and a bit, asleep."""


@pytest.mark.usefixtures("scripted")
def test_a_tournament_is_watched_while_it_is_played(
    opened: Callable[..., Page], results: Path
) -> None:
    gate = results / "gate"
    (results / "live.toml").write_text(LIVE.replace("{gate}", str(gate)))
    out = str(results / "live")
    with subprocess.Popen(
        [sys.executable, "-m", "dragon", "tournament", str(results / "live.toml"),
         "--workers", "1", "--out", out],
        env=os.environ | {"DRAGON_JIT": "0"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as played:  # fmt: skip
        try:
            while not (results / "live" / "diary.jsonl").exists():
                assert played.poll() is None
                time.sleep(0.05)
            page = opened("/tournaments?name=live")
            head = page.locator(".head")
            expect(head).to_contain_text("being played")
            course = head.get_by_role("progressbar")
            expect(course).to_have_attribute("aria-valuemax", "6")
            expect(course).to_have_attribute("aria-valuenow", "0")
        finally:
            gate.touch()
        expect(course).not_to_have_attribute("aria-valuenow", "0")
        expect(page.get_by_role("heading", name="Standings")).to_be_visible()
        expect(head).to_contain_text("being played")
        expect(head).to_contain_text("finished", timeout=60_000)
        expect(head.get_by_role("status")).to_contain_text("6 games")
        assert played.wait(30) == 0
    table = page.locator("table").first
    expect(table).to_contain_text("Ann")
    expect(table).to_contain_text("Ben")
