"""A tournament that goes on knows whether the code of its players has changed meanwhile."""

from __future__ import annotations

import importlib.util
import platform
import sys
from importlib.metadata import version
from pathlib import Path
from types import ModuleType

import attrs
import pytest

import dragon
from dragon.bridges.engine import Engine, close_idle
from dragon_tournament.config.reading import parse
from dragon_tournament.executors.local import InlineExecutor
from dragon_tournament.records.files import RecordFile
from dragon_tournament.runner import run
from dragon_tournament.sources import changes, source_of, sources

GAME = """
from attrs import frozen
from dragon import TERMINAL, Rules, rule
from dragon.rules.record import RecordGame
from {helper} import step

@rule
def turn(s): return TERMINAL if s.left <= 0 else s.left % 2

@rule
def moves(s, out):
    out[0] = 1
    return 1

@rule
def play(s, code): s.left -= step(code)

@rule
def payoff(s, seat): return 0

@rule
def order(s, codes, n, scores): scores[0] = {score}

@frozen
class Countdown(RecordGame):
    name = "countdown"
    def setup(self, record, random): record.left = 5
    def rules(self):
        return Rules(
            layout=[("left", "i8")], width=1, plies=6, turn=turn, moves=moves, play=play,
            payoff=payoff, order=order,
        )
"""
HELPER = "def step(code): return {step}"
SEARCH = "from dragon.search.simple import Random\n\nclass Mine(Random):\n    name = 'mine'  # {}\n"


def written(folder: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> ModuleType:
    """A module of this text, in a file of its own."""
    path = folder / f"m{len(list(folder.glob('*.py')))}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, path.stem, module)
    spec.loader.exec_module(module)
    return module


def test_rules_that_change_are_another_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def source(score: int, step: int) -> str | None:
        helper = written(tmp_path, monkeypatch, HELPER.format(step=step)).__name__
        text = GAME.format(helper="HELPER", score=score)
        monkeypatch.setitem(sys.modules, "HELPER", sys.modules[helper])
        return source_of(written(tmp_path, monkeypatch, text).Countdown())

    first = source(7, 1)
    assert first is not None
    assert source(7, 1) == first
    assert source(8, 1) != first
    assert source(7, 2) != first


def test_a_search_that_changes_is_another_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [SEARCH.format(word) for word in ("one", "one", "two")]
    found = [source_of(written(tmp_path, monkeypatch, text).Mine()) for text in texts]
    assert found[0] == found[1] != found[2]


def test_searches_of_dragon_have_a_version_instead() -> None:
    searches = {name: dragon.search(name) for name in ("mcts", "random")}
    assert list(sources(dragon.game("connect4"), searches)) == ["connect4"]


def test_a_player_called_as_the_game_hides_no_rules() -> None:
    game = dragon.game("nim")
    assert sources(game, {"nim": dragon.search("random")}) == {"nim": source_of(game)}


def test_what_has_no_file_has_no_source() -> None:
    typed: dict[str, type] = {}
    exec("from dragon.search.simple import Random\nclass Mine(Random): name = 'mine'", typed)
    assert source_of(typed["Mine"]()) is None


def test_what_changed_is_named() -> None:
    before = {"version": "1", "sources": {"mygame": "a", "me": "b", "gone": "c"}}
    assert not list(changes(before, {"version": "1", "sources": {"mygame": "a", "new": "d"}}))
    assert not list(changes({}, {"version": "1", "sources": {"mygame": "a"}}))
    (notice, reported), (another, _) = changes(
        before, {"version": "2", "sources": {"mygame": "x", "me": "y"}}
    )
    assert "dragon 1, the others will be by 2" in notice
    assert reported == "dragon 1, then dragon 2"
    assert another == (
        "the code of mygame, me has changed since they were played; "
        "--restart plays all of them by the same"
    )


def test_an_engine_that_is_built_again_is_other_code(tmp_path: Path) -> None:
    program = tmp_path / "engine"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    book = tmp_path / "book.txt"
    book.write_text("e4")
    engine = Engine(command=(str(program), "--book", str(book), "--level", "3"))
    hashes = [source_of(engine)]
    for file in (program, book):
        file.write_text(file.read_text() + "# built again")
        hashes.append(source_of(engine))
    assert len(set(hashes)) == 3
    before, now = ({"version": "1", "sources": {"mine": each}} for each in hashes[:2])
    assert [detail for _, detail in changes(before, now)] == ["the code of mine changed in between"]
    assert source_of(Engine()) is None


@pytest.mark.full
def test_who_played_and_where_is_on_record(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "dragon", "gtp", "nim", "--search", "random"]
    players = [{"search": "engine", "command": command, "name": "e"}, {"search": "random"}]
    run(parse({"game": "nim", "player": players}), tmp_path, InlineExecutor())
    close_idle()
    records = RecordFile(tmp_path / "records.jsonl").read()
    program = f"dragon random {version('dragon-search')}"
    assert {record.host for record in records} == {platform.node()}
    assert {dict(zip(r.seats, r.engines, strict=True))["e"] for r in records} == {program}
    assert {dict(zip(r.seats, r.engines, strict=True))["random"] for r in records} == {""}
    for wrong in ("x", ["x"], [1, 2], None):
        with pytest.raises((ValueError, TypeError)):
            attrs.evolve(records[0], engines=wrong)
