"""The registry: what is installed, what is left out, and what a broken plugin says."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import dragon
from dragon import PluginError, UnknownName, hookimpl, plugins


@pytest.fixture
def entries(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[EntryPoint]]:
    """The entry points that are found, to be filled by the test."""
    found: list[EntryPoint] = []
    monkeypatch.setattr(plugins, "entry_points", lambda group: found)
    clear = plugins.manager.cache_clear
    clear()
    yield found
    clear()


def test_the_first_party_games_and_searches_are_there() -> None:
    assert {"connect4", "hex", "nim", "tictactoe"} <= set(dragon.games())
    assert {"alphabeta", "exhaustive", "random"} <= set(dragon.searches())
    assert list(dragon.games()) == sorted(dragon.games())


def test_an_unknown_name_is_answered_with_a_suggestion() -> None:
    with pytest.raises(UnknownName, match="no game called 'tictacto'; did you mean 'tictactoe'"):
        dragon.game("tictacto")
    with pytest.raises(UnknownName, match="no search called 'alpha-beta'; did you mean"):
        dragon.search("alpha-beta")


@pytest.mark.parametrize(
    ("listed", "games"), [("", ""), ("classics", "connect4,hex,kuhn,nim,tictactoe")]
)
def test_dragon_plugins_limits_what_is_loaded(listed: str, games: str) -> None:
    code = "import dragon; print(','.join(dragon.games()))"
    ran = subprocess.run(
        [sys.executable, "-c", code],
        env={"DRAGON_PLUGINS": listed},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.strip() == games


def test_a_plugin_that_cannot_be_imported_is_named(entries: list[EntryPoint]) -> None:
    entries.append(EntryPoint("mine", "no_such_module", "dragon"))
    with pytest.raises(PluginError) as caught:
        plugins.games()
    assert caught.value.plugin == "mine"
    assert "'mine' (no_such_module) cannot be imported: ModuleNotFoundError" in str(caught.value)
    assert "DRAGON_PLUGINS" in str(caught.value)


def _plugin(**hooks: Any) -> Any:
    return SimpleNamespace(**{name: hookimpl(function) for name, function in hooks.items()})


def test_two_games_of_one_name_are_refused(
    entries: list[EntryPoint], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = type("Nim", (), {"name": "nim", "__module__": "first"})
    second = type("Nim", (), {"name": "nim", "__module__": "second"})
    manager = plugins.build_manager()
    manager.register(_plugin(dragon_games=lambda: [first]))
    manager.register(_plugin(dragon_games=lambda: [second]))
    monkeypatch.setattr(plugins, "manager", lambda: manager)
    with pytest.raises(PluginError, match="two plugins define the game 'nim': "):
        plugins.games()


def test_a_hook_without_its_mark_is_refused(
    entries: list[EntryPoint], monkeypatch: pytest.MonkeyPatch
) -> None:
    module = ModuleType("unmarked")
    module.dragon_games = lambda: []  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "unmarked", module)
    entries.append(EntryPoint("mine", "unmarked", "dragon"))
    with pytest.raises(PluginError, match="plugin 'mine': dragon_games has no @hookimpl"):
        plugins.build_manager()
    hookimpl(module.dragon_games)
    assert plugins.build_manager().hook.dragon_games() == [[]]


def test_a_plugin_without_any_hook_is_refused(
    entries: list[EntryPoint], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "idle", ModuleType("idle"))
    entries.append(EntryPoint("mine", "idle", "dragon"))
    with pytest.raises(PluginError, match="plugin 'mine' has no hook, so it brings nothing"):
        plugins.build_manager()


def test_a_misspelt_hook_is_refused(entries: list[EntryPoint]) -> None:
    manager = plugins.build_manager()
    manager.register(_plugin(dragon_gamez=lambda: []))
    with pytest.raises(Exception, match="dragon_gamez"):
        manager.check_pending()
