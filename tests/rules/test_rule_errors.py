"""A plugin's mistake is one line with its place: interpreted, compiled, or in plain Python."""

from __future__ import annotations

import inspect
import sys
from types import SimpleNamespace
from typing import Any

import pluggy
import pytest
from attrs import frozen
from click.testing import CliRunner

import dragon
from dragon import (
    TERMINAL,
    Game,
    RecordGame,
    RuleError,
    Rules,
    State,
    cli,
    hookimpl,
    plugins,
    rule,
)
from dragon import hookspecs as specs
from dragon.errors import one_line
from dragon.modes import JIT

pytestmark = pytest.mark.samples(1)

TICK = "tick"  # marks the line at fault


@frozen
class Count(RecordGame):
    """Count down from five; a fault in one of the rules."""

    name = "countdown"
    fault: str = ""

    def rules(self) -> Rules:
        fault = self.fault

        @rule
        def helper(s):
            if s.ply == 100:  # never in play: only a position gets there
                raise ValueError("late")  # tick helper
            return s.ply % 2

        @rule
        def turn(s):
            return TERMINAL if s.left == 0 else s.ply % 2

        @rule
        def moves(s, out):
            out[0] = 1
            return 1

        @rule
        def play(s, move):
            s.left -= move
            s.ply += 1

        @rule
        def raising(s, move):
            if s.ply >= 0:
                raise ValueError("no such luck")  # tick raises
            s.left -= move

        @rule
        def mistyped(s, move):
            s.left = "x"  # tick type
            s.ply += 1

        @rule
        def unnamed(s, move):
            s.left -= moove  # noqa: F821  # tick name
            s.ply += 1

        @rule
        def misspelt(s, move):
            s.leftt -= move  # tick field
            s.ply += 1

        @rule
        def outside(s, move):
            s.board[s.ply + 7] = 1  # tick index
            s.left -= move
            s.ply += 1

        @rule
        def calling(s, move):
            s.left -= move + 0 * helper(s)
            s.ply += 1

        @rule
        def payoff(s, seat):
            return 1 if seat != s.ply % 2 else -1

        @rule
        def evaluate(s, seat):
            return undefined  # noqa: F821  # tick evaluate

        plays = {"raises": raising, "type": mistyped, "name": unnamed, "field": misspelt,
                 "index": outside, "helper": calling}  # fmt: skip
        return Rules(
            [("left", "i8"), ("ply", "i8"), ("board", "u8", (4,))],
            moves, plays.get(fault, play), turn, payoff, width=1, plies=5,
            evaluate=evaluate if fault == "evaluate" else None,
        )  # fmt: skip

    def setup(self, record: Any) -> None:
        record.left = 5
        if self.fault == "setup":
            record.leftt = 3  # tick setup


@frozen
class Pile(State[int]):
    left: int
    fault: str = ""

    @property
    def turn(self) -> int:
        if self.fault == "turn":
            return self.nothing  # type: ignore[attr-defined, no-any-return]  # tick turn
        return self.left % 2 if self.left else TERMINAL

    def moves(self) -> tuple[int, ...]:
        if self.fault == "moves":
            raise KeyError("hm")  # tick moves
        return (1,) if self.left else ()

    def after(self, move: int) -> Pile:
        if self.fault == "after":
            return Pile(self.left - "x")  # type: ignore[operator]  # tick after
        return Pile(self.left - move, self.fault)

    def payoff(self) -> tuple[float, float]:
        return (1 / self.left, 0.0) if self.fault == "payoff" else (1.0, -1.0)  # tick payoff


@frozen
class Plain(Game[int]):
    """A game in plain Python."""

    name = "plain"
    fault: str = ""

    def start(self, rng: Any = 0) -> Pile:
        if self.fault == "start":
            raise OSError("no disk")  # tick start
        return Pile(3, self.fault)

    def parse(self, text: str) -> Any:
        return None if text == "none" else Pile(int(text))


def line_of(fault: str) -> int:
    lines = inspect.getsource(sys.modules[__name__]).splitlines()
    (found,) = [i for i, line in enumerate(lines, 1) if line.endswith(f"# {TICK} {fault}")]
    return found


@pytest.fixture(autouse=True)
def _plugin(monkeypatch: pytest.MonkeyPatch) -> None:
    manager = pluggy.PluginManager("dragon")
    manager.add_hookspecs(specs)
    manager.register(sys.modules["dragon.search"], name="searches")
    games = SimpleNamespace(dragon_games=hookimpl(lambda: [Count, Plain]), __name__=__name__)
    manager.register(games, name="faulty")
    monkeypatch.setattr(plugins, "manager", lambda: manager)
    monkeypatch.setattr(cli, "manager", lambda: manager)


def run(*arguments: str) -> Any:
    return CliRunner().invoke(cli.main, arguments)


@pytest.mark.parametrize("jit", ["0", "1"])
@pytest.mark.parametrize(
    ("fault", "rule", "reason"),
    [
        ("raises", "play", "ValueError: no such luck"),
        ("type", "play", ""),  # the compiler says it in words of its own
        ("name", "play", "the name 'moove' is not defined; did you mean 'move'?"),
        ("field", "play", "no field 'leftt'; did you mean 'left'"),
        ("index", "play", "is out of bounds"),  # numpy says of which index
        ("evaluate", "evaluate", "the name 'undefined' is not defined"),
    ],
)
def test_a_rule_that_fails_is_one_line_in_both_modes(
    fault: str, rule: str, reason: str, jit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(JIT, "value", jit)
    result = run("solve", f"countdown(fault='{fault}')", "--search", "alphabeta(depth=2)")
    assert result.exit_code == 2
    (line,) = [x for x in result.stderr.splitlines() if not x.startswith("compiling")]
    file, number, rest = line.removeprefix("dragon: ").split(":", 2)
    assert file == __file__
    assert rest.startswith(f" rule '{rule}': ")
    assert reason in rest
    if jit == "0" or fault != "type":  # the compiler may name the rule's first line
        assert int(number) == line_of(fault)


@pytest.mark.parametrize("jit", ["0", "1"])
@pytest.mark.parametrize("search", ["alphabeta", "mcts", "montecarlo", "negamax", "exhaustive"])
def test_what_a_helper_raises_deep_in_a_kernel_names_its_line(
    search: str, jit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(JIT, "value", jit)
    state = Count("helper").parse("left=3 ply=100")
    with pytest.raises(RuleError) as caught:
        dragon.search(search).best(state, dragon.Limit(nodes=1000))
    assert (caught.value.file, caught.value.line) == (__file__, line_of("helper"))
    assert caught.value.reason == "ValueError: late"
    with pytest.raises(RuleError, match="late"):
        dragon.perft(state, 2)


@pytest.mark.parametrize("fault", ["turn", "moves", "after", "payoff", "start"])
def test_a_state_that_fails_is_one_line_with_plugin_file_and_line(fault: str) -> None:
    result = run("solve", f"plain(fault='{fault}')", "--search", "exhaustive")
    assert result.exit_code == 1
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"dragon: plugin 'faulty' ({__file__}:{line_of(fault)}, in {fault}) ")
    assert "report" not in line


def test_a_setup_that_fails_is_one_line_too() -> None:
    (line,) = run("solve", "countdown(fault='setup')").stderr.splitlines()
    assert f"{__file__}:{line_of('setup')}, in setup) raised AttributeError" in line


def test_the_traceback_is_there_for_who_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRAGON_TRACEBACK", "1")
    assert "Traceback (most recent call last)" in run("solve", "plain(fault='after')").stderr


def test_a_position_that_the_games_own_parse_chokes_on_is_one_line(tmp_path: Any) -> None:
    result = run("solve", "plain", "--position", "x")
    assert result.exit_code == 2
    assert result.stderr.startswith("dragon: 'x' is not a position of plain: ValueError: invalid")
    assert result.stderr.count("\n") == 1
    file = tmp_path / "positions"
    file.write_text("3\nx\n")
    result = run("solve", "plain", "--positions", str(file))
    assert result.exit_code == 2
    assert f"{file}:2: 'x' is not a position" in result.stderr
    result = run("solve", "plain", "--position", "none")
    assert "parse('none') gave None, which is not a State" in result.stderr


def test_dragons_own_mistake_is_shown_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    from dragon.search.simple import _Run

    monkeypatch.setattr(_Run, "values", int)  # which takes no state
    result = run("solve", "plain", "--search", "exhaustive")
    assert result.exit_code == 1
    assert "Traceback" in result.stderr
    assert "internal error (please report it): TypeError" in result.stderr


def test_what_is_told_is_one_line() -> None:
    assert one_line(ValueError("two\n  lines")) == "ValueError: two lines"
    assert one_line(ValueError()) == "ValueError"
