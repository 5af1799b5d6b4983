"""The registry: what is installed, what is left out, and what a broken plugin says."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import dragon
from dragon import UnknownName, hookimpl, plugins


@pytest.fixture
def entries(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[EntryPoint]]:
    """The entry points that are found, to be filled by the test."""
    found: list[EntryPoint] = []
    monkeypatch.setattr(plugins, "entry_points", lambda group: found)
    kept = (plugins.manager, plugins.warn_skipped)
    for function in kept:
        function.cache_clear()
    yield found
    for function in kept:
        function.cache_clear()


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
    code = "import dragon; print(','.join(dragon.games()), 'alphabeta' in dragon.searches())"
    ran = subprocess.run(
        [sys.executable, "-c", code],
        env={"DRAGON_PLUGINS": listed},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout == f"{games} True\n"  # the core's searches are always there


@pytest.fixture
def warnings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is told of plugins, line by line."""
    found: list[str] = []
    monkeypatch.setattr(plugins.log, "warning", lambda form, *rest: found.append(form % rest))
    return found


BROKEN = {
    "raises": ("raise ValueError('two\\nlines')", "cannot be imported: ValueError: two lines; fix"),
    "exits": (
        "import sys; sys.exit('usage: me')",
        "cannot be imported: SystemExit: usage: me; fix",
    ),
    "absent": (None, "cannot be imported: ModuleNotFoundError: No module named"),
    "syntax": ("def :", "cannot be imported: SyntaxError: invalid syntax"),
    "idle": ("x = 1", "has no hook, so it brings nothing; write one of dragon_games"),
    "unmarked": ("def dragon_games(): return []", "dragon_games has no @hookimpl above it"),
    "misspelt": ("@hookimpl\ndef dragon_gamez(): return []", "did you mean 'dragon_games'?"),
    "arguments": ("@hookimpl\ndef dragon_games(x): return []", "hooks take no arguments"),
    "hook raises": ("@hookimpl\ndef dragon_games(): return 1 / 0", "raised ZeroDivisionError"),
    "hook gives none": ("@hookimpl\ndef dragon_games(): pass", "raised TypeError"),
    "no class": ("@hookimpl\ndef dragon_games(): return [3]", "it must be a class of dragon.Game"),
    "no game": ("@hookimpl\ndef dragon_games(): return [int]", "it must be a class of dragon.Game"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_plugin_is_told_of_in_one_line_and_the_others_work(
    entries: list[EntryPoint],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    warnings: list[str],
    case: str,
) -> None:
    source, reason = BROKEN[case]
    module = f"broken_{case.replace(' ', '_')}"
    if source is not None:
        path = tmp_path / f"{module}.py"
        path.write_text(f"from dragon import hookimpl\n{source}\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    entries += [
        EntryPoint("mine", module, "dragon"),
        EntryPoint("zebra", "dragon_classics", "dragon"),
    ]
    assert "nim" in plugins.games()
    assert "nim" in plugins.games()  # and it is not told again
    (line,) = warnings
    assert line.startswith("left out: ")
    assert "plugin 'mine'" in line
    assert reason in line
    assert "\n" not in line


def test_what_a_broken_plugin_raised_can_be_seen_whole(
    entries: list[EntryPoint], monkeypatch: pytest.MonkeyPatch, warnings: list[str]
) -> None:
    monkeypatch.setenv("DRAGON_TRACEBACK", "1")
    entries.append(EntryPoint("mine", "no_such_module", "dragon"))
    assert plugins.games() == {}
    trace, line = warnings
    assert trace.startswith("Traceback")
    assert "no_such_module" in line


def test_a_name_that_is_not_installed_is_refused(
    entries: list[EntryPoint], monkeypatch: pytest.MonkeyPatch
) -> None:
    entries.append(EntryPoint("classics", "dragon_classics", "dragon"))
    monkeypatch.setenv("DRAGON_PLUGINS", "classic")
    with pytest.raises(UnknownName, match="no plugin called 'classic'; did you mean 'classics'"):
        plugins.games()


def _plugin(**hooks: Any) -> Any:
    return SimpleNamespace(**{name: hookimpl(function) for name, function in hooks.items()})


def test_of_two_games_of_one_name_dragons_own_is_taken(
    entries: list[EntryPoint], monkeypatch: pytest.MonkeyPatch, warnings: list[str]
) -> None:
    theirs = type("Nim", (dragon.Game,), {"name": "nim"})
    manager = plugins.build_manager()
    manager.register(_plugin(dragon_games=lambda: [theirs]), name="another")
    manager.register(import_module("dragon_classics"), name="classics")
    monkeypatch.setattr(plugins, "manager", lambda: manager)
    monkeypatch.setattr(plugins, "own_plugins", lambda: {"classics"})
    assert plugins.games()["nim"].__module__ == "dragon_classics.nim"
    assert warnings == ["left out: the game 'nim' of plugin 'another', for 'classics' has one too"]
    monkeypatch.setattr(plugins, "own_plugins", set)  # of two strangers the first by name
    assert plugins.games()["nim"] is theirs


def test_a_hook_that_dragon_does_not_know_may_be_optional(
    entries: list[EntryPoint], monkeypatch: pytest.MonkeyPatch, warnings: list[str]
) -> None:
    module = ModuleType("modern")
    module.dragon_games = hookimpl(lambda: [])  # type: ignore[attr-defined]
    module.dragon_later = hookimpl(lambda: [], optionalhook=True)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "modern", module)
    entries.append(EntryPoint("mine", "modern", "dragon"))
    assert plugins.games() == {}
    assert warnings == []
