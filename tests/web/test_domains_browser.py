"""The pages of Pokémon, Small World and tournaments in a real browser, at a real server."""

from __future__ import annotations

import base64
import os
import re
import subprocess
import sys
import time
import zlib
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
    return serve("--workers", "1", "--results", str(results))


@pytest.fixture
def forgiven() -> tuple[str, ...]:
    """Tests here ask what is refused."""
    return ("error: Failed to load resource: the server responded with a status of 400",)


def test_a_pokemon_team(opened: Callable[..., Page], sound: Callable[..., None]) -> None:
    page = opened("/pokemon?gen=4&locations=Oreburgh+City")
    standing = page.locator(".standing")
    expect(standing).to_contain_text("1 of 60")
    expect(page.locator(".radial svg line").first).to_be_attached()
    expect(page.locator(".multipliers tbody tr")).to_have_count(3)
    sound(page, 390, 1200)
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


def test_a_bridge_is_found(opened: Callable[..., Page], sound: Callable[..., None]) -> None:
    page = opened("/small-world")
    first = page.locator("#panel tbody tr").first
    expect(first).to_contain_text("Shinobird Crow")
    expect(first).to_contain_text("217/225")
    sound(page, 390, 1200)
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
    sound(page, 390, 1200)


def test_a_link_that_is_broken_or_a_bomb(opened: Callable[..., Page]) -> None:
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    bomb = squeeze.compress(b"A" * 50_000_000) + squeeze.flush()
    for code in (base64.urlsafe_b64encode(bomb).decode().rstrip("="), "bm90aGluZw"):
        page = opened(f"/small-world#deck={code}")
        expect(page.locator(".deck")).to_contain_text("The deck in this link is broken")
        expect(page.locator(".facts-line")).to_contain_text("different monsters")


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
    expect(standings.locator("th", has_text="Payoff a game")).to_be_visible()
    expect(standings.locator("tbody tr").first).to_contain_text("worlds")
    figure = f"{paid.mean:+.3f} ± {paid.error:.3f}"
    expect(standings.locator("tbody tr").first).to_contain_text(figure)
    expect(standings.locator("tbody tr").nth(1)).to_contain_text(
        figure.replace("+", "\N{MINUS SIGN}")
    )
    cross = page.locator(".cross tbody tr").first
    expect(cross.locator("td.good")).to_have_text(figure)
    sound(page, 390, 1200)


LIVE = """
name = "live"
game = "tictactoe"
games = 3
limit = { seconds = 0.25 }
[[player]]
search = "mcts"
name = "Ann"
[[player]]
search = "mcts(c=0.5)"
name = "Ben"
"""
"""A tournament whose games take two seconds and a bit each."""


def test_a_tournament_is_watched_while_it_is_played(
    opened: Callable[..., Page], results: Path
) -> None:
    (results / "live.toml").write_text(LIVE)
    out = str(results / "live")
    with subprocess.Popen(
        [sys.executable, "-m", "dragon", "tournament", str(results / "live.toml"),
         "--workers", "1", "--out", out],
        env=os.environ | {"DRAGON_JIT": "0"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as played:  # fmt: skip
        while not (results / "live" / "records.jsonl").exists():
            assert played.poll() is None
            time.sleep(0.05)
        page = opened("/tournaments?name=live")
        head = page.locator(".head")
        expect(head).to_contain_text("being played")
        expect(head.get_by_role("progressbar")).to_have_attribute("aria-valuemax", "6")
        expect(page.get_by_role("heading", name="Standings")).to_be_visible()
        seen = head.get_by_role("progressbar").get_attribute("aria-valuenow")
        expect(head.get_by_role("progressbar")).not_to_have_attribute("aria-valuenow", str(seen))
        expect(head).to_contain_text("being played")
        expect(head).to_contain_text("finished", timeout=60_000)
        expect(head.get_by_role("status")).to_contain_text("6 games")
        assert played.wait(30) == 0
    table = page.locator("table").first
    expect(table).to_contain_text("Ann")
    expect(table).to_contain_text("Ben")
