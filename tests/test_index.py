"""The index of plugins: a shortcut that no user notices, whatever becomes of it or of them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from dragon import index
from dragon.sealed import SEAL, seal

GAME = """
from dragon import Game, frozen, hookimpl

@frozen
class {cls}(Game):
    name = "{name}"

    def start(self, rng=0):
        raise NotImplementedError

    def parse(self, text):
        raise NotImplementedError
"""
HOOK = """
@hookimpl
def dragon_games():
    return [{cls}]
"""
ASK = """
import sys
import dragon

for name in sys.argv[1:]:
    try:
        print(name, type(dragon.game(name)).__module__)
    except dragon.UnknownName as unknown:
        print(str(unknown).partition(" (")[0])
print(*sorted(sys.modules.keys() & {"red", "blue", "green"}))
"""


def game(name: str) -> str:
    return GAME.format(name=name, cls=name.title())


def plugin(name: str) -> str:
    return game(name) + HOOK.format(cls=name.title())


class Place:
    """A folder of installed plugins, an empty cache, and processes that use both."""

    def __init__(self, root: Path) -> None:
        self.site, self.cache = root / "site", root / "cache"
        self.site.mkdir()

    def install(self, name: str, source: str) -> Path:
        file = self.site / f"{name}.py"
        file.write_text(source, encoding="utf-8")
        info = self.site / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[dragon]\n{name} = {name}\n")
        return file

    def start(self, *words: str, **more: str) -> subprocess.Popen[str]:
        environment = {k: v for k, v in os.environ.items() if k != "DRAGON_PLUGINS"}
        own = {"PYTHONPATH": str(self.site), "DRAGON_CACHE": str(self.cache)}
        return subprocess.Popen(
            [sys.executable, "-B", *words],
            env=environment | own | more, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def run(self, *words: str, **more: str) -> tuple[list[str], str]:
        """Give what a process says on stdout, line by line, and on stderr."""
        out, err = self.start(*words, **more).communicate(timeout=60)
        return out.splitlines(), err

    def ask(self, *names: str, **more: str) -> list[str]:
        """Give where games are from, and last which plugins were loaded; nothing is left out."""
        out, err = self.run("-c", ASK, *names, **more)
        assert err == ""
        return out

    def file(self) -> Path:
        """The index; there is one."""
        (found,) = self.cache.glob("plugins-*")
        return found


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """Two plugins, red and blue, each with the game of its name."""
    made = Place(tmp_path)
    for name in ("red", "blue"):
        made.install(name, plugin(name))
    return made


@pytest.mark.full
def test_dragons_own_plugins_are_known_where_there_are_no_others(tmp_path: Path) -> None:
    place = Place(tmp_path)
    loaded = "{name.partition('.')[0] for name in sys.modules if name.startswith('dragon_')}"
    ask = ["-c", f"import sys, dragon; print(dragon.game('hex'), dragon.search('mcts'), {loaded})"]
    assert place.run(*ask) == (["hex mcts {'dragon_classics'}"], "")
    assert not place.cache.exists()
    place.install("red", plugin("red"))
    assert "dragon_boards" in place.run(*ask)[0][0]
    assert place.file()


@pytest.mark.full
@pytest.mark.parametrize("way", ["'openspiel' in dragon.games()", "bool(find_game('openspiel'))"])
def test_openspiel_gives_its_games_without_and_with_an_index(tmp_path: Path, way: str) -> None:
    place = Place(tmp_path)
    (place.site / "pyspiel.py").write_text("")  # not imported before a game is
    ask = ["-c", f"import dragon; from dragon.plugins import find_game; print({way})"]
    assert [place.run(*ask) for _ in range(2)] == [(["True"], "")] * 2


@pytest.mark.full
def test_a_plugin_is_loaded_alone_once_there_is_an_index(place: Place) -> None:
    assert place.ask("red") == ["red red", "blue red"]
    assert place.ask("red") == ["red red", "red"]
    assert place.ask("blue", "blue") == ["blue blue", "blue blue", "blue"]
    assert place.ask("rad") == ["no game called 'rad'; did you mean 'red'?", "blue red"]
    assert place.ask("tictactoe") == ["tictactoe dragon_classics.tictactoe", ""]


@pytest.mark.full
@pytest.mark.parametrize("listed", [pytest.param("", marks=pytest.mark.full), " blue , red"])
def test_dragon_plugins_limits_what_the_index_finds(place: Place, listed: str) -> None:
    place.ask("red")
    printed = place.ask("red", "blue", DRAGON_PLUGINS=listed)
    for name in ("red", "blue"):
        assert (f"{name} {name}" in printed) == (name in listed)
    assert "no plugin called 'bleu'; did you mean 'blue'?" in place.ask(
        "red", DRAGON_PLUGINS="bleu"
    )


@pytest.mark.full
@pytest.mark.parametrize("known", [pytest.param(False, marks=pytest.mark.full), True])
def test_dragon_plugins_leaves_the_searches(place: Place, known: bool) -> None:
    """With an index, without loading the plugins that are named."""
    if known:
        place.ask("red")
    code = "import dragon; print(dragon.search('negamax'), *sorted(dragon.games()))"
    assert place.run("-c", code, DRAGON_PLUGINS="red") == (["negamax red"], "")
    code = "import dragon, sys; print(dragon.search('negamax'), 'red' in sys.modules)"
    assert place.run("-c", code, DRAGON_PLUGINS="red") == ([f"negamax {not known}"], "")


@pytest.mark.full
def test_without_all_plugins_no_index_is_made(place: Place) -> None:
    assert place.ask("red", DRAGON_PLUGINS="red") == ["red red", "red"]
    assert not place.cache.exists()


@pytest.mark.full
def test_a_plugin_that_comes_or_goes_is_noticed(place: Place) -> None:
    place.ask("red")
    place.install("green", plugin("green"))
    assert place.ask("green") == ["green green", "blue green red"]
    assert place.ask("green") == ["green green", "green"]
    shutil.rmtree(place.site / "green-1.0.dist-info")
    assert place.ask("green")[0] == "no game called 'green'"


@pytest.mark.full
@pytest.mark.parametrize(
    "where",
    ["red_games.py", *(pytest.param(w, marks=pytest.mark.full) for w in ("red.py", "names.txt"))],
)
def test_a_plugin_whose_games_change_is_noticed(place: Place, where: str) -> None:
    """In the file that the entry point names, in another, or where the index cannot know of it."""
    source = {
        "red.py": plugin("red"),
        "red_games.py": "from dragon import hookimpl\nfrom red_games import Red\n"
        + HOOK.format(cls="Red"),
        "names.txt": game("red")
        + "from pathlib import Path\nRed.name = Path(__file__).with_name('names.txt').read_text()\n"
        + HOOK.format(cls="Red"),
    }[where]
    (place.site / "red.py").write_text(source, encoding="utf-8")
    (place.site / "red_games.py").write_text(game("red"), encoding="utf-8")
    (place.site / "names.txt").write_text("red")
    assert place.ask("red")[0].startswith("red red")
    file = place.site / where
    file.write_text(file.read_text().replace('name = "red"', 'name = "rot"'), encoding="utf-8")
    (place.site / "names.txt").write_text("rot")
    assert place.ask("red")[0].startswith("no game called 'red'")
    assert place.ask("rot")[0].startswith("rot red")
    assert place.ask("rot")[1].split() == ["red"]


COMMAND = """
import click
from dragon import hookimpl

@click.command("green")
def green():
    '''{doc}'''

@hookimpl
def dragon_commands():
    return [{commands}]
"""


@pytest.mark.full
def test_help_follows_what_a_plugin_says(place: Place) -> None:
    file = place.install("green", COMMAND.format(doc="Paint it.", commands="green"))
    for doc in ("Paint it.", "Paint all."):
        file.write_text(COMMAND.format(doc=doc, commands="green"))
        for _ in range(2):
            out, err = place.run("-m", "dragon", "--help")
            assert err == ""
            assert [line.split(maxsplit=1) for line in out if "Paint" in line] == [["green", doc]]
    file.write_text(COMMAND.format(doc=doc, commands=""))
    assert not any("Paint" in line for line in place.run("-m", "dragon", "--help")[0])


@pytest.mark.full
def test_plugins_are_asked_for_commands_when_somebody_asks_for_one(place: Place) -> None:
    place.install("green", COMMAND.format(doc="Paint it.", commands="green"))
    for words, known in ((["solve", "red"], False), (["green"], True)):
        place.run("-m", "dragon", *words)
        assert ("Paint it" in place.file().read_text()) == known
        assert "red:Red" in place.file().read_text()


PARTS = """
from dragon_tournament.executors.local import InlineExecutor
from dragon_tournament.formats.round_robin import RoundRobin
from dragon_tournament.referees.match import Match

with open({counted!r}, "a") as file:
    print("green", file=file)

@frozen
class Greens(RoundRobin):
    name = "greens"

class Executor(InlineExecutor):
    name = "green"

class Referee(Match):
    name = "green"

    def suits(self, game):
        return False

@hookimpl
def dragon_formats():
    return [Greens]

@hookimpl
def dragon_executors():
    return [Executor]

{referees}
"""
REFEREES = "@hookimpl\ndef dragon_referees():\n    return [Referee()]\n"
full = partial(pytest.param, marks=pytest.mark.full)
READ = """
import json, sys
from dragon_tournament.config.reading import parse
from dragon_tournament.executors.executor import executor_of

more = json.loads(sys.argv[1])
read = parse({"game": "nim", "player": [{"search": "random"}] * 2, **more})
made = executor_of(sys.argv[2])
print(read.format.name, read.referee.name, made.name)
print(*sorted(sys.modules.keys() & {"red", "blue", "green"}))
"""


@pytest.mark.full
@pytest.mark.parametrize(
    ("more", "executor", "referees", "loaded"),
    [
        ({}, "process", "", ""),
        full({"format": "gauntlet", "games": 2}, "dask", "", ""),
        full({"referee": "match"}, "inline", REFEREES, ""),
        full({}, "process", REFEREES, "green"),  # its referee may suit the game
        ({"format": "greens"}, "process", "", "green"),
        full({"referee": "match"}, "green", REFEREES, "green"),
    ],
)
def test_a_tournament_loads_no_plugin_whose_parts_it_does_not_name(
    place: Place, more: dict[str, object], executor: str, referees: str, loaded: str
) -> None:
    counted = place.site / "counted"
    parts = PARTS.format(counted=str(counted), referees=referees)
    place.install("green", plugin("green") + parts)
    place.ask("red")
    assert counted.read_text() == "green\n"  # when the index was made
    out, err = place.run("-c", READ, json.dumps(more), executor)
    assert err == ""
    assert out[1] == loaded
    assert out[0].split() == [more.get("format", "round-robin"), "match", executor]
    assert counted.read_text() == "green\n" * (1 + bool(loaded))


@pytest.mark.full
def test_a_command_that_dragon_has_is_left_out_with_an_index_too(place: Place) -> None:
    source = COMMAND.format(doc="Paint.", commands="green").replace('"green"', '"solve"')
    place.install("green", source)
    for _ in range(2):
        out, err = place.run("-m", "dragon", "--help")
        assert err == "left out: the command 'solve' of plugin 'green', for dragon has one\n"
        assert not any("Paint" in line for line in out)


DAMAGES = [b"", b"\xff\xfe", b"[]", b'{"installed": 3}']


@pytest.mark.full
@pytest.mark.parametrize(
    "damage", [None, *(pytest.param(each, marks=pytest.mark.full) for each in DAMAGES)]
)
def test_a_damaged_index_is_made_anew(place: Place, damage: bytes | None) -> None:
    place.ask("red")
    sound = place.file().read_bytes()
    place.file().write_bytes(sound[:-9] if damage is None else damage)
    assert place.ask("red") == ["red red", "blue red"]
    assert place.file().read_bytes() == sound
    assert place.ask("red") == ["red red", "red"]


CLAIMS = [
    pytest.param('["red", false', '["blue", false', id="other plugin"),
    pytest.param('["red", false', '["gone", false', id="no plugin", marks=pytest.mark.full),
    pytest.param('"red"', '"rod"', id="other name", marks=pytest.mark.full),
]


@pytest.mark.full
@pytest.mark.parametrize(("old", "new"), CLAIMS)
def test_an_index_of_wrong_claims_does_no_harm(place: Place, old: str, new: str) -> None:
    place.ask("red")
    text = place.file().read_text()
    assert old in text
    text = re.sub("crc32:[0-9a-f]{8}", SEAL, text.replace(old, new), count=1)
    place.file().write_bytes(seal(text.encode()))
    assert place.ask("red") == ["red red", "blue red"]


@pytest.mark.full
def test_a_folder_that_cannot_be_written_is_done_without(place: Place) -> None:
    place.cache.write_text("a file")
    for _ in range(2):
        assert place.ask("red") == ["red red", "blue red"]


@pytest.mark.full
def test_processes_may_start_at_once(place: Place) -> None:
    started = [place.start("-c", ASK, "red") for _ in range(4)]
    for each in started:
        out, err = each.communicate(timeout=60)
        assert (out.splitlines()[0], err) == ("red red", "")
    assert [file.name for file in place.cache.iterdir()] == [place.file().name]
    assert place.ask("red") == ["red red", "red"]


@pytest.mark.full
def test_of_two_games_of_one_name_one_is_left_out_every_time(place: Place) -> None:
    place.ask("red")
    file = place.install("green", plugin("red"))
    for _ in range(2):
        out, err = place.run("-c", ASK, "red", "blue")
        assert out == ["red green", "blue blue", "blue green red"]
        assert err.startswith("left out: the game 'red' of plugin 'red' (")
        assert err.endswith("red.py:14), for 'green' has one too; rename one\n")
    file.write_text(plugin("green"))
    assert place.ask("red") == ["red red", "blue green red"]
    assert place.ask("red") == ["red red", "red"]


BROKEN = {
    "raises": "1 / 0",
    "hook raises": "from dragon import hookimpl\n@hookimpl\ndef dragon_games(): return 1 / 0",
}


@pytest.mark.full
@pytest.mark.parametrize("case", ["raises", pytest.param("hook raises", marks=pytest.mark.full)])
def test_a_broken_plugin_is_reported_every_time_until_it_is_mended(place: Place, case: str) -> None:
    place.ask("red")
    file = place.install("green", BROKEN[case])
    for _ in range(2):
        out, err = place.run("-c", ASK, "red", "red")
        assert out[:2] == ["red red"] * 2
        assert len(err.splitlines()) == 1
        assert "left out: " in err
        assert "'green'" in err
    file.write_text(plugin("green"))
    assert place.ask("red")[0] == "red red"
    assert place.ask("red") == ["red red", "red"]


def test_what_may_have_changed_since_it_was_imported_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DRAGON_CACHE", str(tmp_path))
    entry = index.Entry("dragon.index", True, {hook: {} for hook in index.CLASSES})
    changed = Path(index.__file__).stat().st_mtime_ns
    monkeypatch.setattr(index, "BEGUN", changed)
    index.write({"searches": entry}, ["dragon.index"])
    assert index.read() != {"searches": entry}
    monkeypatch.setattr(index, "BEGUN", 1 << 63)
    index.write({"searches": entry}, ["dragon.index"])
    assert index.read() == {"searches": entry}
