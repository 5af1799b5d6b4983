"""Engines by UCI and CECP as players: what is sent, what is read, and what goes wrong."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import dragon
from dragon import Bound, ConfigError, Limit, Objection, Position, SearchError
from dragon.bridges import engine as module
from dragon.bridges.engine import Engine
from dragon.bridges.thinker import centipawns, from_centipawns
from dragon.rules.notation import parse_move

RUY = str(Path(__file__).parents[1] / "engine" / "uci_engine.py")
LOPEZ = str(Path(__file__).parents[1] / "engine" / "cecp_engine.py")
CHESS = dragon.game("chess")
SHORT = Limit(seconds=0.3)


@pytest.fixture(autouse=True)
def _no_process_stays() -> Iterator[None]:
    yield
    module.close_idle()


def ruy(fault: str = "", **settings: Any) -> Engine:
    """The scripted engine as a search."""
    faults = ("--fault", fault) if fault else ()
    return Engine(command=(sys.executable, RUY, *faults), protocol="uci", **settings)


def lopez(fault: str = "") -> Engine:
    """The scripted engine by CECP as a search."""
    return Engine(command=(sys.executable, LOPEZ, fault), protocol="cecp", patience=5.0)


def after(*moves: str) -> Position:
    """The position of chess after some moves."""
    start = state = CHESS.start()
    made = []
    for text in moves:
        made.append(str(move := parse_move(state, text)))
        state = state.after(move)
    return Position(state, start, tuple(made))


def test_a_move_comes_with_its_value_depth_and_line() -> None:
    result = ruy().best(CHESS.start(), SHORT)
    assert result.line == ("e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Be7")
    assert result.value == pytest.approx(90 / 1590)
    assert (result.bound, result.nodes, result.extra["depth"]) == (Bound.ESTIMATE, 7, 1)
    assert result.extra["engine"] == "Ruy"


def test_a_mate_that_an_engine_claims_is_never_a_proof() -> None:
    result = ruy("mate").best(CHESS.start(), SHORT)
    assert (result.bound, result.extra["mate"]) == (Bound.ESTIMATE, -2)
    assert -1 < result.value < -0.999
    assert result.line == ("e4",)  # what it expects later cannot be read


def test_a_game_goes_on_in_one_process_and_options_clocks_and_limits_are_sent(
    tmp_path: Path,
) -> None:
    log = tmp_path / "traffic"
    search = ruy(options={"hash": 16, "Own Book": False}, log=str(log))
    assert dragon.search(str(search)) == search
    with search.open(CHESS) as run:
        run.best(after(), SHORT)
        run.best(after("e4", "e5"), Limit(nodes=500, depth=9))
        clocked = after("e4", "e5", "Nf3", "Nc6")
        clocked = Position(clocked.state, clocked.start, clocked.moves, 2.5, None, 0.05)
        assert run.best(clocked).line[:2] == ("Bb5", "a6")
    sent = [line.split(" > ")[1] for line in log.read_text().splitlines() if " > " in line]
    assert sent[:3] == [
        "uci", "setoption name Hash value 16", "setoption name Own Book value false",
    ]  # fmt: skip
    assert sent[3:] == [
        "isready", "ucinewgame", "isready",
        "position startpos", "go movetime 300",
        "position startpos moves e2e4 e7e5", "go nodes 500 depth 9",
        "position startpos moves e2e4 e7e5 g1f3 b8c6",
        "go wtime 2500 winc 50 btime 2500 binc 50",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ("silent", "did not answer in time"),
        ("end", "ended with exit code 3"),
        ("flood", "says more than 1,000,000 letters"),
        ("none", "Ruy has no move to make in"),
        ("nothing", "Ruy has no move to make in"),
        ("closed", "closed its output"),
    ],
)
def test_an_engine_that_fails_is_one_sentence(fault: str, sentence: str) -> None:
    with pytest.raises(SearchError, match=sentence) as raised:
        ruy(fault, patience=1.0).best(CHESS.start(), SHORT)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ("end", "ended with exit code 3"),
        ("flood", "says more than 1,000,000 letters"),
        ("closed", "closed its output"),
        ("refuse", "Lopez refuses the game so far"),
    ],
)
def test_an_engine_by_cecp_that_fails_is_one_sentence(fault: str, sentence: str) -> None:
    with pytest.raises(SearchError, match=sentence) as raised:
        lopez(fault).best(CHESS.start(), SHORT)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("fault", ["hang", "child"])
@pytest.mark.parametrize("make", [ruy, lopez])
def test_an_engine_that_hangs_is_killed(
    make: Callable[..., Engine], fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dragon.gtp.client.OVERRUN", 0.2)
    with pytest.raises(SearchError, match="did not answer in time"):
        make(fault).best(CHESS.start(), SHORT)


@pytest.mark.parametrize("make", [ruy, lopez])
def test_garbage_before_a_move_is_skipped(make: Callable[..., Engine]) -> None:
    assert make("garbage").best(CHESS.start(), SHORT).move == "e4"


@pytest.mark.parametrize("make", [ruy, lopez])
def test_numbers_beyond_all_bounds_are_no_claims(make: Callable[..., Engine]) -> None:
    result = make("huge").best(CHESS.start(), SHORT)
    assert result.move == "e4"
    assert 0.999 < result.value < 1
    assert 0 <= result.nodes < 10


@pytest.mark.parametrize("make", [ruy, lopez])
@pytest.mark.parametrize(
    ("fault", "move"), [("illegal", "e2e5"), ("capitals", "E2E4"), ("nul", "e2\0e4")]
)
def test_an_illegal_move_is_left_to_the_referee(
    make: Callable[..., Engine], fault: str, move: str
) -> None:
    assert make(fault).best(CHESS.start(), SHORT).move == move


@pytest.mark.parametrize(
    ("given", "meant"),
    [("xboard", "cecp"), ("WinBoard2", "cecp"), ("uci2", "uci"), ("gtp2", "gtp")],
)
def test_a_protocol_by_another_name_gets_a_hint(given: str, meant: str) -> None:
    with pytest.raises(ConfigError, match=f"; did you mean '{meant}'?"):
        dragon.search(f"engine(command=['cat'], protocol={given!r})")


def test_objections_name_the_remedy() -> None:
    with pytest.raises(SearchError, match="does not have the option 'Hush'; did you mean 'Hash'"):
        ruy(options={"Hush": 3}).best(CHESS.start(), SHORT)
    with pytest.raises(Objection, match="write lines into `setup`"):
        Engine(command=(sys.executable,), protocol="cecp", options={"a": 1}).open(CHESS)
    with pytest.raises(Objection, match="two seats without chance by uci"):
        ruy().open(dragon.game("backgammon"))
    with pytest.raises(dragon.ConfigError, match="options is a table, such as"):
        dragon.search("engine(command=['a'], protocol='uci', options=3)")
    assert not Engine(command=("a",)).values
    assert ruy().values
    assert "nodes" in ruy().limits


def test_centipawns_read_back() -> None:
    for points in (-2000, -1, 0, 7, 350, 5000):
        assert centipawns(from_centipawns(points)) == points


PLACES = "/usr/games:/usr/local/bin:/usr/bin"


@pytest.mark.full
@pytest.mark.parametrize(
    ("program", "protocol"),
    [
        (("stockfish",), "uci"),
        (("gnuchess", "--uci"), "uci"),
        (("ethereal-chess",), "uci"),
        (("fairymax",), "cecp"),
    ],
)
def test_programs_of_others_play_sound_moves(program: tuple[str, ...], protocol: str) -> None:
    path = shutil.which(program[0], path=PLACES)
    if path is None:
        pytest.skip(f"{program[0]} is not installed (apt-get install {program[0]})")
    search = Engine(command=(path, *program[1:]), protocol=protocol)
    with search.open(CHESS) as run:
        position = after("e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6")  # white mates at once
        assert run.best(position, Limit(seconds=0.5)).move == "Qxf7#"
        if program[0] == "fairymax":  # whose `setboard` is none
            return
        promotion = CHESS.parse("8/4P1k1/8/8/8/8/8/K7 w - - 0 1")
        assert str(run.best(Position(promotion, promotion), Limit(seconds=0.5)).move)[:4] == "e8=Q"
