"""The command line, in this process: what each command prints, and what it says of mistakes."""

from __future__ import annotations

import json
import re
from importlib import import_module
from io import StringIO
from itertools import filterfalse
from threading import Event
from types import SimpleNamespace

import click
import pluggy
import pytest
from click.testing import CliRunner

import dragon
from dragon import cli, cli_tools, hookimpl, hookspecs, plugins
from dragon.cli import COMMANDS, main
from dragon.search.budget import Budget, now

bench = import_module("dragon.commands.bench")


def run(*arguments, stdin=None):
    arguments = [str(a) for a in arguments]
    return CliRunner().invoke(main, arguments, input=stdin, prog_name="dragon")


def rows(result):
    """Each line of stdout as JSON."""
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.parametrize("command", [*COMMANDS, "tournament"])
def test_help_of_each_command_gives_examples(command):
    result = run(command, "--help")
    assert result.exit_code == 0
    assert "Examples:" in result.stdout
    assert f"dragon {command}" in result.stdout.partition("Examples:")[2]


def test_help_lists_every_command_with_a_line():
    text = run("--help").stdout
    for command, said in COMMANDS.items():
        assert re.search(rf"^  {command} +{re.escape(said.line)}\n +{re.escape(said.example)}$",
                         text, re.MULTILINE), command  # fmt: skip
    assert re.search(r"^  tournament .*\n +dragon tournament ", text, re.MULTILINE)


def test_help_lists_commands_under_headings(plugged):
    @click.command("hello")
    def hello():
        """Greet.

        \b
        Examples:
          dragon hello --loud
          dragon hello
        """

    other = click.Command("other", help="Do something else.")
    other.section = "Elsewhere"
    plugged(friendly=SimpleNamespace(dragon_commands=hookimpl(lambda: [hello, other])))
    text = run("--help").stdout
    assert re.findall(r"^(\w.*):$", text, re.MULTILINE) == [
        "Options", "Solve and play", "Domains", "Other programs", "For authors",
        "The machine", "Elsewhere",
    ]  # fmt: skip
    domains = text.partition("Domains:\n")[2].partition("\n\n")[0].split("\n")
    assert [line.strip() for line in domains] == ["hello       Greet.", "dragon hello --loud"]
    assert len(text.partition("Elsewhere:\n")[2].splitlines()) == 1


def test_the_groups_line_of_a_command_is_its_own():
    for name, said in COMMANDS.items():
        own = plugins.Help.of(main.get_command(click.Context(main), name))
        assert own.line.split()[0] == said.line.split()[0], (name, own)
        assert own.example == said.example


def test_version():
    from importlib.metadata import version

    assert run("--version").stdout == f"dragon, version {version('dragon-search')}\n"


MISTAKES = {
    "unknown game": (["solve", "nexx"], "did you mean 'nex'"),
    "unknown search": (["solve", "nim", "--search", "alphabets"], "did you mean 'alphabeta'"),
    "unknown command": (["frobnicate", "nim"], "No such command"),
    "misspelt command": (["slove", "nim"], "did you mean 'solve'"),
    "a folder of positions": (["solve", "nim", "--positions", "."], "Is a directory"),
    "unknown option": (["solve", "nim", "--sekonds", "3"], "--seconds"),
    "unknown setting": (["solve", "nim", "--search", "alphabeta(deep=3)"], "did you mean 'depth'"),
    "bad setting": (["solve", "nim", "--search", "alphabeta(depth='x')"], "whole number"),
    "bad parameter": (["solve", "nim(pile=0)"], "pile"),
    "broken spec": (["solve", "nim(pile="], "cannot read"),
    "code as a spec": (["solve", "nim(pile=open('x'))"], "cannot read"),
    "no game": (["solve"], "Missing argument"),
    "bad position": (["solve", "tictactoe", "--position", "X"], "rows of 3"),
    "impossible position": (["solve", "tictactoe", "--position", "XX./.../... O"], "cannot arise"),
    "negative limit": (["solve", "nim", "--seconds", "-1"], "--seconds"),
    "nothing as a limit": (["solve", "nim", "--nodes", "0"], "--nodes"),
    "no number": (["solve", "nim", "--seconds", "nan"], "nan is not a number of seconds"),
    "endless": (["bench", "nim", "--seconds", "inf"], "inf is not a number of seconds"),
    "endless memory": (
        ["solve", "nim", "--search", "mcts(megabytes=inf)"],
        "megabytes must be at most",
    ),
    "no such file": (["solve", "nim", "--positions", "no-such-file"], "no-such-file"),
    "negative depth": (["perft", "nim", "-1"], "-1"),
    "too few seats": (["play", "nim", "--seats", "human"], "2 seats"),
    "unknown player": (["play", "nim", "--seats", "human,hooman"], "no search called"),
    "bad hint": (["play", "nim", "--hint", "hooman"], "no search called"),
    "laws of nothing": (["laws", "nothing"], "no game called"),
    "bench of a game, signed": (["bench", "nim", "--signature"], "--signature, not both"),
    "bench of nothing": (["bench", "nothing"], "no game called"),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_a_mistake_is_told_in_a_few_lines(case, refused):
    arguments, expected = MISTAKES[case]
    refused(run(*arguments), expected)


def test_a_bar_is_there_before_the_first_result_and_goes(monkeypatch):
    shown = Event()

    class Screen(StringIO):
        def write(self, text):
            if "games" in text:
                shown.set()
            return super().write(text)

    screen = Screen()
    look = {"file": screen, "disable": False, "delay": 0.01, "ncols": 60}
    real = cli_tools.progress_bar
    monkeypatch.setattr(cli_tools, "progress_bar", lambda **shape: real(**shape | look))
    assert cli_tools.followed(filterfalse(shown.wait, (20,)), 1, "games") == ([], False)
    assert screen.getvalue().endswith(" \r")


def test_both_ways_to_give_positions(tmp_path):
    file = tmp_path / "p.txt"
    file.write_text("7 B\n")
    result = run("solve", "nim", "--position", "7 B", "--positions", file)
    assert result.exit_code == 2
    assert "not both" in result.stderr


def test_games_and_searches_list_what_is_installed():
    assert [row["name"] for row in rows(run("games", "--json"))[0]] == list(dragon.games())
    assert [row["name"] for row in rows(run("searches", "--json"))[0]] == list(dragon.searches())
    shown = run("games").stdout
    assert [name for name in dragon.games() if name not in shown] == []
    shown = run("searches").stdout
    assert [name for name in dragon.searches() if name not in shown] == []


def test_each_setting_has_type_default_and_description():
    (listed,) = rows(run("searches", "--json"))
    settings = [s for row in listed for s in row["settings"]]
    assert settings
    for s in settings:
        assert s["description"], s
        assert s["type"], s
    (alphabeta,) = (row for row in listed if row["name"] == "alphabeta")
    (table,) = (s for s in alphabeta["settings"] if s["name"] == "table")
    assert (table["type"], table["default"]) == ("true or false", True)


def test_searches_say_which_can_play():
    result = run("searches", "--game", "nim", "--json")
    by_name = {row["name"]: row["objection"] for row in rows(result)[0]}
    assert by_name["random"] is None
    lines = run("searches", "--game", "nim").stdout.splitlines()
    width = max(map(len, by_name)) + 2
    assert f"{'random':<{width}}can play nim" in lines
    named = (line for line in lines if line[:1].strip())  # an answer may go on below
    assert all(line[width - 1] == " " != line[width] for line in named)


SOLVED = ["game", "search", "position", "turn", "value", "bound", "move"]
SOLVED += ["line", "nodes", "seconds", "extra"]


def test_solve_gives_the_documented_object():
    (row,) = rows(run("solve", "nim(pile=7)", "--search", "negamax", "--json"))
    assert list(row) == SOLVED
    assert row["game"] == "nim(pile=7)"
    assert (row["value"], row["bound"], row["move"]) == (1.0, "=", "3")
    assert row["line"][0] == "3"
    assert (row["turn"], row["position"], row["search"]) == (0, "7 A", "negamax")


def test_solve_is_from_the_side_of_the_mover():
    (row,) = rows(run("solve", "nim", "--position", "7 B", "--json"))
    assert (row["turn"], row["value"]) == (1, 1.0)
    (row,) = rows(run("solve", "nim", "--position", "8 B", "--json"))
    assert (row["turn"], row["value"]) == (1, -1.0)


def test_solve_a_finished_game():
    (row,) = rows(run("solve", "nim", "--position", "0 B", "--json"))
    assert (row["turn"], row["value"], row["move"], row["line"]) == (dragon.TERMINAL, 1.0, None, [])


def test_solve_for_people():
    result = run("solve", "tictactoe")
    assert "to move   X\nvalue     = 0" in result.stdout
    assert result.exit_code == 0


NAMED = {
    "letters of stones": ("connect4", "X"),
    "names of the game": ("nex(rows=3, cols=3)", "Black"),
    "no names": ("nim", "seat 0"),
    "colours that may be swapped": ("nex(rows=3, cols=3, swap=true)", "seat 0"),
}


@pytest.mark.samples("no names")
@pytest.mark.parametrize("case", NAMED)
def test_seats_are_called_by_name(case):
    spec, name = NAMED[case]
    searched = "--search", "mcts", "--simulations", "20"
    assert f"\nto move   {name}\n" in run("solve", spec, *searched).stdout
    shown = played("resign\n", spec, "--seats", "human,random").stdout
    assert f"{name} (human) to move> resign\n{name} (human) resigns." in shown


def test_a_proof_names_the_seat(tmp_path):
    shown = run("prove", "tictactoe", "--position", "XX./OO./... X", "--out", tmp_path / "p")
    assert "\nto move   X\n" in shown.stdout


def test_solve_takes_limit_and_seed():
    spec = ("solve", "tictactoe", "--search", "random", "--json", "--seed")
    moves = {rows(run(*spec, seed))[0]["move"] for seed in range(20)}
    assert len(moves) > 3
    (row,) = rows(run("solve", "tictactoe", "--search", "negamax", "--depth", "1", "--json"))
    assert row["bound"] == "~"
    assert row["nodes"] <= 10


def test_positions_from_a_file_and_from_stdin(tmp_path):
    text = "# piles\n7 B   # lost for A\n\n8 A\n"
    file = tmp_path / "piles.txt"
    file.write_text(text)
    from_file = rows(run("solve", "nim", "--positions", file, "--json"))
    from_stdin = rows(run("solve", "nim", "--positions", "-", "--json", stdin=text))
    assert [(r["position"], r["value"]) for r in from_file] == [("7 B", 1.0), ("8 A", -1.0)]
    assert [r["position"] for r in from_stdin] == ["7 B", "8 A"]


def test_every_bad_position_of_a_file_is_told_before_anything_runs(tmp_path):
    file = tmp_path / "piles.txt"
    file.write_text("7 B\n# fine\nseven\n8 C\n")
    result = run("solve", "nim", "--positions", file, "--json")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert f"{file}:3: " in result.stderr
    assert f"{file}:4: " in result.stderr
    assert f"{file}:1: " not in result.stderr


@pytest.mark.parametrize("text", ["", "# nothing but a remark\n\n"])
def test_a_file_without_a_position_says_so(tmp_path, text):
    file = tmp_path / "piles.txt"
    file.write_text(text)
    result = run("solve", "nim", "--positions", file)
    assert result.exit_code == 2
    assert f"{file}: there is no position in it" in result.stderr


def test_a_limit_that_changes_nothing_is_noted(tmp_path):
    result = run("solve", "nim", "--search", "alphabeta", "--simulations", 5, "--json")
    assert result.exit_code == 0
    assert result.stderr.startswith("note: alphabeta ignores a limit in simulations, ")
    assert len(rows(result)) == 1
    result = run("play", "nim", "--seats", "random,random", "--depth", 5, "--nodes", 3)
    assert result.stderr.count("note: random ignores a limit in nodes or depth") == 1
    assert run("play", "nim", "--seats", "random,random").stderr == ""


def test_a_file_that_is_no_text(tmp_path):
    file = tmp_path / "piles.bin"
    file.write_bytes(b"\xff\xfe\x00")
    result = run("solve", "nim", "--positions", file)
    assert result.exit_code == 2
    assert "UTF-8" in result.stderr


def test_perft_counts():
    counted = rows(run("perft", "tictactoe", 4, "--json"))
    assert [row["paths"] for row in counted] == [1, 9, 72, 504, 3024]
    assert [row["depth"] for row in counted] == [0, 1, 2, 3, 4]
    assert "3,024" in run("perft", "tictactoe", 4).stdout
    (start,) = rows(run("perft", "nim", 0, "--position", "3 A", "--json"))
    assert (start["position"], start["paths"]) == ("3 A", 1)


def test_perft_is_divided_by_first_moves():
    lines = run("perft", "tictactoe", 4, "--divide").stdout.splitlines()
    assert len(lines) == 10
    assert lines[-1].split() == ["depth", "4", "3,024"]
    found = rows(run("perft", "nim(pile=4)", 3, "--divide", "--json"))
    assert {row["move"]: row["paths"] for row in found} == {"1": 3, "2": 1, "3": 0}
    assert sum(row["paths"] for row in found) == dragon.perft(dragon.game("nim(pile=4)").start(), 3)
    assert run("perft", "nim", 0, "--divide").exit_code == 2


@pytest.mark.full
def test_laws_hold_and_say_so():
    objects = rows(run("laws", "nim(pile=5)", "--search", "negamax", "--json"))
    verdicts = [each for each in objects if "law" in each]
    assert all(v["passed"] for v in verdicts)
    assert {v["search"] for v in verdicts} == {None, "negamax"}


def test_a_broken_law_exits_1(monkeypatch):
    from dragon.laws import Verdict, apart

    broken = Verdict("law_of_the_test", False, "two\nlines")
    monkeypatch.setattr(apart, "verdicts", lambda *given: iter([(None, broken)]))
    result = run("laws", "nim", "--search", "random")
    assert result.exit_code == 1
    assert "BROKEN  law_of_the_test[nim]" in result.stdout
    assert "1 broken" in result.stdout


@pytest.mark.full
def test_bench_measures_and_signs(monkeypatch):
    asked, suite = [], bench.suite
    monkeypatch.setattr(bench, "suite", lambda: asked.append(1) or suite())
    (measured,) = rows(run("bench", "nim", "--seconds", "0.02", "--json"))
    assert asked == []  # the suite compiles other games
    assert measured["game"] == "nim"
    assert all(measured[key] > 0 for key in ("playouts", "simulations", "nodes", "perft"))
    once = list(suite())
    monkeypatch.setattr(bench, "suite", lambda: once)
    (signed,) = rows(run("bench", "--signature", "--json"))
    assert signed["signature"] == sum(row["nodes"] for row in signed["suite"])
    bare = signed["suite"][0]
    assert (bare["game"], bare["nodes"]) == ("tictactoe", 18297)
    assert run("bench", "--signature").stdout == f"{signed['signature']}\n"


class Clocks:
    """The clocks of a machine where this process has a tenth of the time."""

    def __init__(self):
        self.own = 0.0

    def work(self, seconds):
        self.own += seconds

    def process_time(self):
        return self.own

    def perf_counter(self):
        return 10 * self.own


def test_bench_counts_processor_time(monkeypatch):
    """Other programs on the machine do not change a rate."""
    clocks = Clocks()
    monkeypatch.setattr(import_module("dragon.search.budget"), "time", clocks)

    class Working(dragon.Search):
        name = "working"

        def improve(self, state, limit, rng):
            budget = Budget(limit)
            while not budget.spent():
                clocks.work(0.001)
                budget.nodes += 7
                extra = {"simulations": budget.nodes}
                yield dragon.Result(0.0, nodes=budget.nodes, seconds=budget.seconds, extra=extra)

    def steps(n):
        clocks.work(0.001 * n)
        return 7 * n

    monkeypatch.setattr(bench, "search", lambda name: Working())
    monkeypatch.setattr(bench, "perft", lambda state, depth: steps(10 if depth == 1 else 0))
    monkeypatch.setattr(
        "dragon.rules.playout.playouts", lambda state, n, random: SimpleNamespace(count=steps(n))
    )
    (measured,) = rows(run("bench", "nim", "--seconds", "1", "--json"))
    for name in bench.MEASURES:
        assert measured[name] == pytest.approx(7000, rel=0.01), name
    assert Budget(dragon.Limit()).seconds == 0.0
    clocks.work(0.5)
    assert now() == clocks.perf_counter()  # a search's own limits are of elapsed time


# ---- play ------------------------------------------------------------------------------------


def played(text, *arguments):
    return run("play", *arguments, stdin=text)


def test_a_game_between_two_people():
    result = played("3\n3\n3\n1\n", "nim", "--seats", "human,human")
    assert result.exit_code == 0
    assert "seat 0 (human): -1\nseat 1 (human): 1" in result.stdout
    assert "moves: 3 3 3 1" in result.stdout


def test_a_game_against_a_search():
    result = played("1\n1\n1\n", "nim(pile=8)", "--seats", "human,negamax")
    assert "seat 1 (negamax): 3" in result.stdout
    assert "moves: 1 3 1 3" in result.stdout


@pytest.mark.full
def test_two_searches_need_nobody():
    result = played("", "tictactoe", "--seats", "exhaustive,alphabeta(depth=9)", "--seconds", "60")
    assert "X (exhaustive): 0\nO (alphabeta(depth=9)): 0" in result.stdout


def test_help_moves_board_and_hint():
    result = played("?\nmoves\nmoves 3\nmoves 7\nboard\nhint\nquit\n", "nim", "--hint", "negamax")
    assert "the legal moves" in result.stdout
    assert "\n1 2 3\n" in result.stdout
    assert "no legal move begins with '7'" in result.stdout
    assert "negamax would play 2" in result.stdout
    assert "left unfinished" in result.stdout


def test_undo_goes_back_to_a_persons_decision():
    result = played("undo\n1\nundo\n2\nquit\n", "nim(pile=9)", "--seats", "human,negamax")
    assert "nothing to take back" in result.stdout
    assert "moves: 2 3" in result.stdout


def test_an_illegal_move_is_explained_and_asked_again():
    result = played("b2\nb2\nz9\nresign\n", "tictactoe", "--seats", "human,human")
    assert "cell is taken" in result.stdout
    assert "not a cell" in result.stdout
    assert "O (human) resigns" in result.stdout


def test_the_end_of_input_ends_the_game():
    result = played("b2\n", "tictactoe", "--seats", "human,human")
    assert result.exit_code == 0
    assert "input has ended" in result.stdout


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("human", ["human"]),
        ("human, mcts(c=0.7, reuse=false),random", ["human", "mcts(c=0.7, reuse=false)", "random"]),
        ("mcts(selection='a,b'),human", ["mcts(selection='a,b')", "human"]),
        ("human,,random", ["human", "", "random"]),
    ],
)
def test_seats_split_at_commas_outside_brackets(text, parts):
    from dragon.commands.play import split_seats

    assert split_seats(text) == parts


# ---- objections and plugins ------------------------------------------------------------------


class Dice(dragon.State):
    """One roll of a die that pays 1 for a six, or breaks."""

    def __init__(self, rolled=None, broken=False):
        self.rolled, self.broken = rolled, broken

    @property
    def turn(self):
        return dragon.CHANCE if self.rolled is None else dragon.TERMINAL

    def moves(self):
        if self.broken:
            raise ValueError("the die is broken")
        return tuple(range(1, 7)) if self.rolled is None else ()

    def after(self, move):
        return Dice(move)

    def payoff(self):
        return (float(self.rolled == 6), -float(self.rolled == 6))

    def __str__(self):
        return str(self.rolled)


@dragon.frozen
class DiceGame(dragon.Game):
    """A roll of a die."""

    name = "dice"
    broken: bool = False

    @property
    def traits(self):
        return frozenset({dragon.Trait.DUEL, dragon.Trait.CHANCE})

    def start(self, rng=0):
        return Dice(broken=self.broken)

    def parse(self, text):
        raise dragon.BadNotation(f"{text!r} is no die")


@pytest.fixture
def plugged(monkeypatch):
    """Replaces the installed plugins by those given, beside dragon's own searches."""

    def plug(**others):
        import sys

        manager = pluggy.PluginManager("dragon")
        manager.add_hookspecs(hookspecs)
        manager.register(sys.modules["dragon.search"], name="searches")
        for name, plugin in others.items():
            manager.register(plugin, name=name)
        monkeypatch.setattr(plugins, "manager", lambda: manager)
        monkeypatch.setattr(cli, "manager", lambda: manager)

    return plug


@pytest.fixture
def dice(plugged):
    plugin = SimpleNamespace(dragon_games=hookimpl(lambda: [DiceGame]), __name__=__name__)
    plugged(dicey=plugin)


@pytest.mark.usefixtures("dice")
def test_objections_come_before_anything_runs():
    result = run("solve", "dice(broken=true)", "--search", "negamax")
    assert result.exit_code == 2
    assert "negamax does not support chance (dice(broken=true))" in result.stderr
    result = run("play", "dice", "--seats", "human,negamax")
    assert result.exit_code == 2
    assert "does not support chance" in result.stderr
    result = run("laws", "dice", "--search", "negamax")
    assert result.exit_code == 2


@pytest.mark.usefixtures("dice")
def test_chance_is_rolled_and_searched():
    result = run("play", "dice", "--seats", "human,human")
    assert result.exit_code == 0
    assert "chance: " in result.stdout
    (row,) = rows(run("solve", "dice", "--json"))
    assert row["search"] == "alphabeta"
    assert (row["turn"], row["bound"]) == (dragon.CHANCE, "=")
    assert row["value"] == pytest.approx(1 / 6)


@pytest.mark.usefixtures("dice")
def test_an_error_in_a_plugin_names_it():
    result = run("solve", "dice(broken=true)")
    assert result.exit_code == 1
    last = result.stderr.splitlines()[-1]
    assert last.startswith("dragon: plugin 'dicey' (")
    assert last.endswith("raised ValueError: the die is broken")


def raising():
    raise ZeroDivisionError("in the plugin")


BAD_COMMANDS = {
    "raises": (raising, "ZeroDivisionError: in the plugin"),
    "no command": (lambda: [42], "it must be a click command"),
    "taken": (lambda: [click.Command("solve")], "for dragon has one"),
}


@pytest.mark.parametrize("case", BAD_COMMANDS)
def test_a_plugin_with_bad_commands_stops_nothing(plugged, case):
    function, _ = BAD_COMMANDS[case]
    plugged(odd=SimpleNamespace(dragon_commands=hookimpl(function)))
    assert run("searches").exit_code == 0
    listed = run("--help")
    assert listed.exit_code == 0
    assert "solve" in listed.stdout


@pytest.mark.parametrize("case", BAD_COMMANDS)
def test_a_plugin_with_bad_commands_is_told_of_once(plugged, monkeypatch, case):
    function, reason = BAD_COMMANDS[case]
    plugins.warn_skipped.cache_clear()
    plugged(odd=SimpleNamespace(dragon_commands=hookimpl(function)))
    lines = []
    monkeypatch.setattr(plugins.log, "warning", lambda form, *rest: lines.append(form % rest))
    assert cli.plugin_commands() == cli.plugin_commands() == {}
    (line,) = lines
    assert "plugin 'odd'" in line
    assert reason in line


def test_a_plugins_command_is_found(plugged):
    @click.command("hello")
    def hello():
        """Greet."""
        click.echo("hello")

    plugged(friendly=SimpleNamespace(dragon_commands=hookimpl(lambda: [hello])))
    assert run("hello").stdout == "hello\n"
    assert "Greet." in run("--help").stdout


def test_a_plugin_that_cannot_be_imported(monkeypatch):
    def broken():
        raise dragon.PluginError("plugin 'bad' (bad_module) cannot be imported: no", "bad")

    monkeypatch.setattr(plugins, "manager", broken)
    monkeypatch.setattr(cli, "manager", broken)
    result = run("games")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "dragon: plugin 'bad' (bad_module) cannot be imported: no\n"
    assert run("--help").exit_code == 0


def test_a_search_without_a_result_exits_1(monkeypatch):
    from dragon.search.simple import Random

    monkeypatch.setattr(Random, "improve", lambda *_: iter(()))
    result = run("solve", "nim", "--search", "random")
    assert result.exit_code == 1
    assert "ended without a result" in result.stderr


def test_what_commands_of_plugins_import_is_listed() -> None:
    listed = set(re.findall(r"`(\w+)`", cli_tools.__doc__ or ""))
    assert set(cli_tools.__all__) <= listed
