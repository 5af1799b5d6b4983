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
from dragon import UnknownName, hookimpl, inspection, plugins


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
    with pytest.raises(UnknownName, match="no game called 'othello'; did you mean 'reversi'"):
        dragon.game("othello(size=6)")
    with pytest.raises(UnknownName, match="no search called 'alpha-beta'; did you mean"):
        dragon.search("alpha-beta")


@pytest.mark.full
@pytest.mark.parametrize(
    ("listed", "games"),
    [("", ""), ("classics", "connect4,goofspiel,hex,kuhn,leduc,liars_dice,nim,phantom,tictactoe")],
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
    """Give the warnings about plugins, line by line."""
    found: list[str] = []
    monkeypatch.setattr(plugins.log, "warning", lambda form, *rest: found.append(form % rest))
    return found


BROKEN = {
    "raises": (
        "raise ValueError('two\\nlines')",
        ".py:2) cannot be imported: ValueError: two lines; fix",
    ),
    "exits": (
        "import sys; sys.exit('usage: me')",
        "cannot be imported: SystemExit: usage: me; fix",
    ),
    "absent": (None, "cannot be imported: ModuleNotFoundError: No module named"),
    "syntax": ("def :", ".py:2) cannot be imported: SyntaxError: invalid syntax; fix"),
    "indented": ("  x = 1", ".py:2) cannot be imported: IndentationError: unexpected indent; fix"),
    "in attrs": (
        "import attrs\n@attrs.frozen\nclass A:\n    a: int = 1\n    b: int\n",
        ".py:3) cannot be imported: ValueError: No mandatory attributes allowed after an attribute",
    ),
    "idle": ("x = 1", "has no hook, so it brings nothing; write one of dragon_games"),
    "unmarked": ("def dragon_games(): return []", "dragon_games has no @hookimpl above it"),
    "misspelt": ("@hookimpl\ndef dragon_gamez(): return []", "did you mean 'dragon_games'?"),
    "arguments": ("@hookimpl\ndef dragon_games(x): return []", "hooks take no arguments"),
    "hook raises": ("@hookimpl\ndef dragon_games(): return 1 / 0", "raised ZeroDivisionError"),
    "hook gives none": (
        "@hookimpl\ndef dragon_games(): pass",
        ".py:2), which returned None; write a list, as in `return [Name]`; is a `return` missing?",
    ),
    "hook gives a class": (
        "from dragon import Game\n@hookimpl\ndef dragon_games(): return Game",
        ".py:3), which returned <class 'dragon.core.game.Game'>; write a list, as in `return ",
    ),
    "hook gives a dict": (
        "@hookimpl\ndef dragon_games(): return {'a': 1}",
        "; write a list, as in",
    ),
    "hook gives a text": ("@hookimpl\ndef dragon_games(): return 'nim'", "; write a list, as in"),
    "hook gives a number": ("@hookimpl\ndef dragon_games(): return 3", "; write a list, as in `"),
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


GAMES = """
from typing import ClassVar

from dragon import TERMINAL, Game, Grid, RecordGame, Rules, Search, State, Trait
from dragon import frozen, hookimpl, rule
from attrs import define, field


@frozen
class Pile(State):
    left: int
    mover: int = 0

    @property
    def turn(self):
        return self.mover if self.left else TERMINAL

    def moves(self):
        return (1, 2)[: self.left]

    def after(self, move):
        return Pile(self.left - move, 1 - self.mover)

    def payoff(self):
        return (1.0, -1.0)

    def __str__(self):
        return f"{self.left} {self.mover}"


@frozen
class Mine(Game):
    name = "mine"
    size: int = 3

    def start(self, rng=0):
        return Pile(self.size)

    def parse(self, text):
        return Pile(*map(int, text.split()))


@frozen
class Stones(RecordGame):
    name = "stones"

    def rules(self):
        grid = Grid(1, 3, {"stones": "XO"})

        @rule
        def turn(s):
            return s.ply if s.ply < 1 else TERMINAL

        @rule
        def moves(s, out):
            out[0] = 0
            return 1

        @rule
        def play(s, cell):
            s.ply += 1

        @rule
        def payoff(s, seat):
            return 0

        return Rules(grid.layout, moves, play, turn, payoff, width=3, plies=3, notation=grid)


@frozen
class Finder(Search):
    name = "finder"
    depth: int = 3

    def improve(self, state, limit, rng):
        yield None


@hookimpl
def dragon_games():
    return [Mine, Stones]


@hookimpl
def dragon_searches():
    return [Finder]
"""
"""A plugin without a mistake: a game by states, one by rules, and a search."""
MISTAKES: dict[str, tuple[str, str, str]] = {
    # what stands there, what is written instead, and what is said
    "rules misspelt": (
        "def rules(self)",
        "def rule(self)",
        "Stones does not define 'rules'; is 'rul",
    ),
    "start misspelt": (
        "def start(",
        "def begin(",
        "Mine does not define 'start'; write def start(s",
    ),
    "parse misspelt": (
        "def parse(",
        "def pars(",
        "Mine does not define 'parse'; is 'pars' misspelt?",
    ),
    "start a property": (
        "    def start(self, rng=0)",
        "    @property\n    def start(self)",
        "'start' is a property, not a method; write def start(self, rng)",
    ),
    "start without rng": (
        "def start(self, rng=0)",
        "def start(self)",
        "'start' cannot be called: too many positional arguments; write def start",
    ),
    "improve misspelt": (
        "def improve(",
        "def improves(",
        "Finder does not define 'improve'; is 'impro",
    ),
    "improve without rng": (
        "limit, rng)",
        "limit)",
        "'improve' cannot be called: too many positional",
    ),
    "improve returns": (
        "yield None",
        "return None",
        "'improve' returned None; `yield` each dragon.",
    ),
    "traits of a search as text": (
        "    depth: int = 3",
        '    excludes = {"hidden"}\n    depth: int = 3',
        "excludes is {'hidden'}; write a frozenset such as frozenset({Tr",
    ),
    "limits unknown": (
        "    depth: int = 3",
        '    limits = frozenset({"node"})\n    depth: int = 3',
        "limits is frozenset({'node'}); write a frozenset such as frozenset({",
    ),
    "not frozen": (
        "@frozen\nclass Mine",
        "class Mine",
        "Mine has the parameter 'size', but nothing mak",
    ),
    "not frozen, a field": (
        '@frozen\nclass Finder(Search):\n    name = "finder"\n    depth: int = 3',
        "class Finder(Search):\n    name = 'finder'\n    depth = field(default=3)",
        "Finder has the parameter 'depth', but nothing makes it one; write @fr",
    ),
    "a list as default": (
        "size: int = 3",
        "size: int = 3\n    skip: list = []",
        "the parameter 'skip' is a list, which can change, so that the game has no",
    ),
    "a dict made anew": (
        "size: int = 3",
        "size: int = 3\n    skip: object = field(factory=dict)",
        "the parameter 'skip' is a dict, which can change",
    ),
    "a list without default": (
        "size: int = 3",
        "skip: list[int]",
        "the parameter 'skip' is a list, which",
    ),
    "name with a space": (
        '"mine"',
        '"my game"',
        "its name is 'my game', which cannot be typed in a sp",
    ),
    "name with a digit first": ('"mine"', '"3game"', "its name is '3game', which cannot be typed"),
    "name with brackets": (
        '"finder"',
        '"a(b)"',
        "its name is 'a(b)', which cannot be typed in a spec",
    ),
    "name empty": (
        '"mine"',
        '""',
        "its name is '', which cannot be typed in a spec; begin with a let",
    ),
    "no name": ('    name = "mine"\n', "", 'Mine has no name; write name = "..." in the class'),
    "name annotated": (
        'name = "mine"',
        'name: str = "mine"',
        "'name' has an annotation, which makes it",
    ),
    "teams annotated": (
        '"mine"',
        '"mine"\n    teams: tuple = (0, 1)',
        "'teams' has an annotation, which",
    ),
    "teams a list": (
        '"mine"',
        '"mine"\n    teams = [0, 1]',
        "Mine.teams is [0, 1]; write a tuple of the",
    ),
    "traits a set": (
        '"mine"',
        '"mine"\n    traits = {Trait.DUEL}',
        "Mine.traits is {<Trait.DUEL: 'duel'",
    ),
    "notation a class": (
        "notation=grid",
        "notation=Grid",
        "Stones.rules(): the notation is the class Gr",
    ),
    "an argument misspelt": (
        "width=3",
        "witdh=3",
        "TypeError: Rules.__init__() got an unexpected keyw",
    ),
    "two sides on one cell": (
        "    def rules(self):",
        "    def setup(self, record):\n        record.stones[:] = 2, 6\n\n    def rules(self):",
        "Stones.setup: X and O are both on a2; put one stone on a cell",
    ),
    "a name unknown": (
        "return Pile(self.size)",
        "return Pil(self.size)",
        "NameError: name 'Pil' is not",
    ),
    "start returns nothing": (
        "return Pile(self.size)",
        "Pile(self.size)",
        "'start' returned None (is a",
    ),
    "turn a method": (
        "    @property\n    def turn",
        "    def turn",
        "'turn' is a method; write @property",
    ),
    "turn a text": (
        "self.mover if self.left",
        "'A' if self.left",
        "'turn' is 'A'; return a seat, CHANCE",
    ),
    "moves a set": (
        "return (1, 2)[: self.left]",
        "return {1}",
        "'moves' returned a value of type set; ret",
    ),
    "moves yields": (
        "return (1, 2)[: self.left]",
        "yield 1",
        "'moves' returned a value of type generator",
    ),
    "moves without a hash": (
        "return (1, 2)[: self.left]",
        "return ([1],)",
        "'moves' gives [1], which has",
    ),
    "after changes the state": (
        "return Pile(self.left - move, 1 - self.mover)",
        "object.__setattr__(self, 'left', self.left - move); return self",
        "'after' changes the state itself; return a new one and leave `self` as",
    ),
    "after returns nothing": (
        "return Pile(self.left - move",
        "Pile(self.left - move",
        "'after' returned",
    ),
    "payoff a number": (
        "return (1.0, -1.0)",
        "return 1.0",
        "'payoff' returned 1.0; return a number for",
    ),
    "a state without a hash": (
        "    left: int\n",
        "    left: int\n    seen: list = field(factory=list)\n",
        "Pile has no hash (unhashable type: 'list'); write @frozen above the clas",
    ),
}


def _written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str) -> tuple[str, list[str]]:
    """The path of a module with this source, whose import is undone, and its lines."""
    path = tmp_path / "dragon_mine.py"
    path.write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "dragon_mine", raising=False)
    return str(path), source.splitlines()


@pytest.mark.parametrize("case", MISTAKES)
def test_a_class_that_cannot_be_used_is_told_with_its_line_and_left_out(
    entries: list[EntryPoint],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    warnings: list[str],
    case: str,
) -> None:
    old, new, said = MISTAKES[case]
    assert GAMES.count(old) == 1
    path, lines = _written(tmp_path, monkeypatch, GAMES.replace(old, new))
    entries += [
        EntryPoint("mine", "dragon_mine", "dragon"),
        EntryPoint("zebra", "dragon_classics", "dragon"),
    ]
    names = {*plugins.games(), *plugins.searches()}
    assert "nim" in names
    assert len(names & {"mine", "stones", "finder"}) == 2  # nothing else is left out
    (line,) = warnings
    assert line.startswith("left out: the ")
    assert "of plugin 'mine'" in line
    assert said in line
    assert "\n" not in line
    number = int(line.partition(f"{path}:")[2].partition(":")[0])
    assert 1 <= number <= len(lines)
    member = said.partition("'")[2].partition("'")[0]
    if case in ("turn a method", "moves a set", "a list as default", "notation a class"):
        assert member in lines[number - 1] or "notation" in lines[number - 1]


def test_a_class_without_a_mistake_is_not_left_out(
    entries: list[EntryPoint],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    warnings: list[str],
) -> None:
    """Not where it is written in an unusual way, nor where a game cannot be tried now."""
    unusual = (
        ("size: int = 3", "size: int = 3\n    seen: ClassVar[dict] = {}"),
        ("size: int = 3", "size: int"),
        ("@frozen\nclass Mine", "@define\nclass Mine"),  # which is as frozen as Game is
        ("@frozen\nclass Stones", "class Stones"),
        ("return Pile(self.size)", "raise OSError('there is no such file')"),
        ("return Pile(self.size)", "raise ValueError('give another size')"),
        ("return (1, 2)[: self.left]", "return [1, 2][: self.left]"),
        ("yield None", "return iter(())"),
        ("    depth: int = 3", "    excludes = {Trait.CHANCE}\n    depth: int = 3"),
        (
            "return Pile(self.size)",
            "import dragon\n        dragon.game('stones')\n        return Pile(3)",
        ),
    )
    entries.append(EntryPoint("mine", "dragon_mine", "dragon"))
    for old, new in (("size", "size"), *unusual):
        plugins.manager.cache_clear()
        _written(tmp_path, monkeypatch, GAMES.replace(old, new))
        assert {*plugins.games(), *plugins.searches()} == {"mine", "stones", "finder"}
    assert warnings == []


def test_of_two_games_of_one_name_in_a_plugin_the_second_is_left_out(
    entries: list[EntryPoint],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    warnings: list[str],
) -> None:
    path, _ = _written(tmp_path, monkeypatch, GAMES.replace('"mine"', '"stones"'))
    entries.append(EntryPoint("mine", "dragon_mine", "dragon"))
    assert list(plugins.games()) == ["stones"]
    (line,) = warnings
    assert line.startswith(f"left out: the game 'stones' of plugin 'mine' ({path}:")
    assert line.endswith("), for it has another; rename one")


def test_all_installed_classes_stand_the_inspection() -> None:
    classes = [*dragon.games().values(), *dragon.searches().values()]
    assert [inspection.fault(cls, tries=False) for cls in classes] == [None] * len(classes)


def test_a_search_that_cannot_start_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    method = "    def open(self, game=None):\n        return 1 / 0\n"
    source = GAMES.replace("    depth: int = 3\n", method)
    path, lines = _written(tmp_path, monkeypatch, source)
    finder = import_module("dragon_mine").Finder()
    line = 1 + next(i for i, each in enumerate(lines) if "1 / 0" in each)
    assert plugins.why_no_start(finder, dragon.game("nim")) == (
        f"finder cannot start ({path}:{line}): ZeroDivisionError: division by zero"
    )
    assert plugins.why_no_start(dragon.search("random"), dragon.game("nim")) is None


def _plugin(**hooks: Any) -> Any:
    return SimpleNamespace(**{name: hookimpl(function) for name, function in hooks.items()})


def test_of_two_games_of_one_name_dragons_own_is_taken(
    entries: list[EntryPoint], monkeypatch: pytest.MonkeyPatch, warnings: list[str]
) -> None:
    theirs = type("Nim", (import_module("dragon_classics.nim").Nim,), {"name": "nim"})
    manager = plugins.build_manager()
    manager.register(_plugin(dragon_games=lambda: [theirs]), name="another")
    manager.register(import_module("dragon_classics"), name="classics")
    monkeypatch.setattr(plugins, "manager", lambda: manager)
    monkeypatch.setattr(plugins, "own_plugins", lambda: {"classics"})
    assert plugins.games()["nim"].__module__ == "dragon_classics.nim"
    (line,) = warnings
    assert line.startswith(f"left out: the game 'nim' of plugin 'another' ({__file__}:")
    assert line.endswith("), for 'classics' has one too; rename one")
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


@pytest.mark.parametrize("hook", ["dragon_formats", "dragon_referees", "dragon_executors"])
def test_hooks_of_tournaments_are_those_of_one_own_plugin(hook: str) -> None:
    """So that none of the others is loaded for them where no plugins of others are installed."""
    own = [o for o in plugins.offers(hook) if o.plugin in plugins.own_plugins()]
    assert {o.plugin for o in own} == {"tournament"}
    few = [o.value for o in plugins.own_offers(hook)]
    assert [str(value) for value in few] == [str(o.value) for o in own]


def test_a_tournament_loads_the_plugins_that_it_names() -> None:
    script = (
        "import sys; from dragon_tournament.config.reading import parse\n"
        "parse({'game': 'tictactoe', 'player': [{'search': 'random'}, {'search': 'exhaustive'}]})\n"
        "print([m for m in sys.modules if m.startswith(('dragon_boards.', 'dragon_hands.'))])"
    )
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert found.stdout == "[]\n", found.stderr
