"""Dragon as an engine by UCI, UGI and CECP: each command, by lines, and driven by python-chess."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest

import dragon
from dragon import Limit, Objection
from dragon.bridges.cecp import CecpServer
from dragon.bridges.thinker import Thinker, centipawns, coordinates
from dragon.bridges.uci import UciServer
from dragon.gtp.server import clock_share

COMMAND = [sys.executable, "-m", "dragon"]


class Talk:
    """A server and the lines that it has sent."""

    def __init__(self, make: Callable[..., Any], game: str = "chess", search: str = "alphabeta"):
        self.lines: list[str] = []
        self.thinker = Thinker(dragon.game(game), dragon.search(search), Limit(depth=4))
        self.server = make(self.thinker, lambda line, flush: self.lines.append(line))

    def __call__(self, *lines: str, wait: bool = True) -> list[str]:
        """Send lines and return what has come, after the search if `wait`."""
        before = len(self.lines)
        for line in lines:
            self.server.answer(line.split())
        if wait:
            self.thinker.wait()
        return self.lines[before:]


def test_uci_tells_its_name_and_options() -> None:
    lines = Talk(UciServer)("uci", "isready")
    assert lines[0] == "id name dragon alphabeta"
    assert "option name Hash type spin default 64 min 1 max 1000000" in lines
    assert "option name late type string default none" in lines
    assert lines[-2:] == ["uciok", "readyok"]


def test_each_option_sets_the_setting_that_it_names() -> None:
    talk = Talk(UciServer)
    assert talk("setoption name Hash value 16", "setoption name late value true") == []
    assert (talk.thinker.search.megabytes, talk.thinker.search.late) == (16, True)
    assert talk("setoption name driver value mtdf") == []
    assert talk.thinker.search.driver == "mtdf"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("setoption name UCI_Chess960 value true", "does not have the option 'UCI_Chess960'"),
        ("setoption name MultiPV value 0", "is not a value of MultiPV, a whole number from 1"),
        ("setoption name Hush value 3", "did you mean 'hash'"),
        ("setoption name Hash value many", "megabytes"),
        ("position startpos moves e2e5", "e2e5 is not legal"),
        ("position fen 8/8/8 w", "8/8/8"),
        ("position here", "position needs startpos"),
        ("ponderhit", "without a `go ponder`"),
        ("query weather", "query 'weather' is not one of"),
        ("fly", "'fly' is not a command of UCI"),
    ],
)
def test_a_wrong_line_is_one_line_of_info_and_ends_nothing(line: str, sentence: str) -> None:
    talk = Talk(UciServer)
    (answer,) = talk(line)
    assert answer.startswith("info string error: ")
    assert sentence in answer
    assert talk("isready") == ["readyok"]


@pytest.mark.parametrize("words", ["movetime soon", "depth -3", "nodes 1.5", "wtime", "mate -1"])
def test_a_wrong_go_is_answered_all_the_same(words: str) -> None:
    error, answer = Talk(UciServer)(f"go {words}")
    assert error.startswith("info string error: ")
    assert answer == "bestmove (none)"


def test_a_position_that_was_refused_is_not_searched() -> None:
    assert Talk(UciServer)("position startpos moves e2e5", "go depth 3")[-1] == "bestmove (none)"


def test_moves_are_written_by_their_cells() -> None:
    talk = Talk(UciServer)
    *_, last = talk("position fen 7k/P7/8/8/8/8/8/K7 w - - 0 1", "go depth 3")
    assert last.startswith("bestmove a7a8q")
    castles = "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1 e8c8"
    assert talk(castles) == []
    assert talk.thinker.position.moves[0].startswith("O-O")


def test_a_mate_is_told_in_moves() -> None:
    talk = Talk(UciServer)
    lines = talk("position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "go depth 3")
    assert any(" score mate 1 " in line for line in lines)
    lines = talk("position fen k7/7R/8/8/8/8/8/K5R1 b - - 0 1", "go depth 4")
    assert any(" score mate -1 " in line for line in lines)


@pytest.mark.parametrize("before", [[], ["setoption name late value true"]])
def test_go_mate_finds_a_mate_by_zugzwang(before: list[str]) -> None:
    """A null move by Black, whose bishop can move, hides this one at every depth, and late move
    reductions at depth 3; the table of an earlier search must not hide it either."""
    talk = Talk(UciServer)
    position = "position fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"
    quick = talk(*before, position, "go depth 5")
    assert not any(" mate " in line for line in quick)
    for more in ("", "searchmoves a1a6"):
        *_, info, last = talk(f"go mate 2 {more}")
        assert " score mate 2 " in info
        assert last.startswith("bestmove a1a6")


@pytest.mark.full
def test_stop_alone_ends_an_endless_search() -> None:
    talk = Talk(UciServer)
    talk("position startpos", "go infinite", wait=False)
    time.sleep(0.3)
    assert not any(line.startswith("bestmove") for line in talk.lines)
    assert talk("stop")[-1].startswith("bestmove ")
    talk("position fen 7k/8/8/8/8/8/8/KQ5R b - - 0 1", "go infinite", wait=False)  # a forced line
    time.sleep(0.3)
    assert talk("stop")[-1].startswith("bestmove ")


@pytest.mark.samples("uci-go infinite")
@pytest.mark.parametrize(
    ("command", "lines"),
    [("uci", "go infinite"), ("uci", "go ponder wtime 9 btime 9"), ("cecp", "new\npost\nanalyze")],
)
def test_an_endless_search_ends_with_the_input(command: str, lines: str) -> None:
    ended = subprocess.run([*COMMAND, command], input=f"{lines}\n", text=True, timeout=60,
                           capture_output=True, check=True)  # fmt: skip
    assert ("bestmove " in ended.stdout) == (command == "uci")


SHUFFLE = "g1f3 g8f6 f3g1 f6g8"


@pytest.mark.parametrize(
    ("position", "more"),
    [
        (f"startpos moves {SHUFFLE} {SHUFFLE}", "e2e4"),
        ("fen 8/2N5/8/p7/P6p/7P/5K2/2k5 w - - 99 201 moves c7b5", "c1d2"),
        ("fen 8/2N5/8/p7/P6p/7P/5K2/2k5 w - - 100 201", "c7b5"),
    ],
)
def test_a_draw_that_nobody_claims_ends_no_game(position: str, more: str) -> None:
    talk = Talk(UciServer)
    for moves in ("", f" {more}" if "moves" in position else f" moves {more}"):
        talk(f"position {position}{moves}")
        assert re.match("bestmove [a-h]", talk("go depth 1")[-1])
    assert talk("ugi", f"position {position}", "query gameover")[-1] == "response true"


@pytest.mark.full
def test_pondering_becomes_a_move_by_ponderhit() -> None:
    talk = Talk(UciServer)
    clock = "wtime 1000 btime 1000 winc 10 binc 10"
    talk("position startpos moves e2e4", f"go ponder {clock}", wait=False)
    time.sleep(0.2)
    assert not any(line.startswith("bestmove") for line in talk.lines)
    assert talk("ponderhit")[-1].startswith("bestmove ")


def test_a_clock_leaves_enough() -> None:
    talk = Talk(UciServer)
    talk("position startpos")
    assert talk.server.limit({"wtime": 3000, "btime": 1}).seconds == pytest.approx(2.8 / 30)
    assert talk.server.limit({"wtime": 3000, "winc": 450}).seconds == pytest.approx(2.8 / 30 + 0.3)
    assert talk.server.limit({"wtime": 3000, "movestogo": 2}).seconds == pytest.approx(1.4)
    assert talk.server.limit({"movetime": 300}).seconds == pytest.approx(0.25)


@pytest.mark.parametrize("increment", [0.05, 1.0])
def test_a_clock_lasts_where_each_answer_is_late(increment: float) -> None:
    left = 2.0
    for _ in range(500):
        left -= clock_share(left, None, increment, 0.05) + 0.045
        assert left > 0.05
        left += increment


@pytest.mark.full
def test_hashfull_is_the_part_of_the_table_that_the_search_has_written() -> None:
    def filled(megabytes: int, nodes: int) -> list[int]:
        talk = Talk(UciServer)
        lines = talk(f"setoption name Hash value {megabytes}", f"go nodes {nodes}")
        return [int(found[1]) for line in lines if (found := re.search(r"hashfull (\d+)", line))]

    small, large, short = filled(1, 300_000), filled(64, 300_000), filled(1, 100)
    assert small[-1] > 900
    assert small == sorted(small)
    assert 0 < large[-1] < 300
    assert short[-1] < 10


@pytest.mark.full
def test_a_table_is_as_full_as_it_is_counted() -> None:
    run = dragon.search("alphabeta(megabytes=1)").open(dragon.game("chess"))
    with run:
        [*run.results(dragon.Position(dragon.game("chess").start()), Limit(nodes=20_000))]
        table = run._lease.table
        held = (table.entries["mark"] >> 2 == table.age).mean()
        assert run.filled() == pytest.approx(held, abs=0.05)


def ranking(lines: list[str]) -> dict[int, tuple[str, str]]:
    """The last score and first move of each rank."""
    found = re.findall(r"multipv (\d+) score (\w+ \S+) .* pv (\S+)", "\n".join(lines))
    return {int(rank): (score, move) for rank, score, move in found}


@pytest.mark.full
def test_multipv_tells_the_best_moves_by_what_each_is_worth() -> None:
    """In a game of 3 x 3 the values of all moves are known: the centre alone wins."""
    talk = Talk(UciServer, "hex(size=3)", "alphabeta(solved=false)")
    lines = talk("setoption name MultiPV value 9", "position startpos", "go depth 20")
    start = dragon.game("hex(size=3)").start()
    search = dragon.search("exhaustive")
    worth = {str(move): -search.best(start.after(move)).value for move in start.moves()}
    found = ranking(lines)
    assert sorted(found) == [*range(1, 10)]
    assert {move for _, move in found.values()} == {*worth}
    assert {move for score, move in found.values() if "-" not in score} == {
        move for move in worth if worth[move] > 0
    }
    assert lines[-1].split()[:2] == ["bestmove", found[1][1]]


def test_multipv_agrees_with_a_search_of_each_move() -> None:
    """Plain alpha-beta, in full windows, of the positions after each move."""
    start = dragon.game("chess").parse(
        "r1bqk1nr/pppp1ppp/2n5/2b1p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq -"
    )
    plain = "alphabeta(late=false, null=false, futility=0, table=false, aspiration=false)"
    talk = Talk(UciServer, "chess", plain)
    lines = talk("setoption name MultiPV value 4", f"position fen {start}", "go depth 3")
    search = dragon.search(plain)
    worth = {
        coordinates(start, move): -search.best(start.after(move), Limit(depth=2)).value
        for move in start.moves()
        if str(move) != "Qxf7#"
    }
    found = ranking(lines)
    assert found[1] == ("mate 1", "h5f7")
    for rank, value in enumerate(sorted(worth.values(), reverse=True)[:3], 2):
        assert found[rank] == (f"cp {centipawns(value)}", found[rank][1])
        assert worth[found[rank][1]] == value


@pytest.mark.parametrize(("search", "most"), [("mcts", 525), ("alphabeta", 500)])
def test_multipv_keeps_to_the_nodes(search: str, most: int) -> None:
    """A simulation of this game has up to 25 nodes, and is not cut short."""
    talk = Talk(UciServer, "hex(size=5)", search)
    lines = talk("setoption name MultiPV value 25", "position startpos", "go nodes 500")
    nodes = [int(line.split(" nodes ")[1].split()[0]) for line in lines[:-1]]
    assert 400 < max(nodes) <= most


@pytest.mark.parametrize("search", ["alphabeta", "mcts", "exhaustive", "dfpn"])
def test_searchmoves_are_the_only_ones(search: str) -> None:
    talk = Talk(UciServer, "tictactoe", search)
    answers = talk("position startpos moves b2 a1", "go nodes 3000 searchmoves a3 b1 depth 9")
    assert answers[-1].split()[1] in ("a3", "b1")
    assert all(line.split(" pv ")[1].split()[0] in ("a3", "b1") for line in answers[:-1])
    error, none = talk("go searchmoves b2 depth 2")
    assert "b2 is not legal" in error
    assert none == "bestmove (none)"
    assert "needs a move" in talk("go searchmoves depth 2")[0]


def test_a_search_without_values_ranks_nothing() -> None:
    talk = Talk(UciServer, "tictactoe", "random")
    assert not any("MultiPV" in line for line in talk("uci"))
    error, none = talk("position startpos", "go searchmoves a1 b2")
    assert "random gives no values, by which moves could be compared" in error
    assert none == "bestmove (none)"


def test_a_ranking_keeps_its_limits_and_can_be_stopped() -> None:
    talk = Talk(UciServer)
    talk("setoption name MultiPV value 2", "position startpos")
    lines = talk("go nodes 20000")
    nodes = [int(found[1]) for line in lines if (found := re.search(r" nodes (\d+)", line))]
    assert 5_000 < max(nodes) <= 20_000
    talk("go infinite", wait=False)
    assert talk("stop")[-1].startswith("bestmove ")


@pytest.mark.full
def test_python_chess_reads_the_ranking() -> None:
    chess = pytest.importorskip("chess", reason="python-chess is not installed (pip install chess)")
    engine = pytest.importorskip("chess.engine")
    board, limit = chess.Board(), engine.Limit(depth=4)
    with engine.SimpleEngine.popen_uci([*COMMAND, "uci"], timeout=60) as player:
        found = player.analyse(board, limit, multipv=3)
        scores = [each["score"].relative.score() for each in found]
        assert [each["multipv"] for each in found] == [1, 2, 3]
        assert scores == sorted(scores, reverse=True)
        assert len({each["pv"][0] for each in found}) == 3
        among = [chess.Move.from_uci(text) for text in ("a2a3", "h2h4")]
        assert player.play(board, limit, root_moves=among).move in among
        single = player.analyse(board, limit, root_moves=among[1:])
        assert single["pv"][0] == among[1]
        assert single["score"].relative.score() <= scores[0]


@pytest.mark.parametrize(("make", "word"), [(UciServer, "bestmove"), (CecpServer, "move")])
def test_a_search_that_fails_says_why_and_makes_a_legal_move(
    make: Callable[..., Any], word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: Any) -> Any:
        raise dragon.SearchError("not enough memory")

    talk = Talk(make)
    monkeypatch.setattr(type(talk.thinker.run), "results", failing)
    why, answer = talk("go")
    assert "not enough memory" in why
    assert answer.split() == [word, "a2a3"]


def test_nodes_are_kept() -> None:
    talk = Talk(UciServer)
    lines = talk("position startpos", "go nodes 5000")
    nodes = [int(found[1]) for line in lines if (found := re.search(r" nodes (\d+)", line))]
    assert 0 < max(nodes) <= 5000


@pytest.mark.parametrize(
    ("moves", "answers"),
    [
        ("", ["false", "true", "none"]),
        ("b2 a1 b1 a2 b3", ["true", "false", "p1win"]),
        ("a1 b2 a2 a3 b3 c1", ["true", "true", "p2win"]),
    ],
)
def test_ugi_answers_queries(moves: str, answers: list[str]) -> None:
    talk = Talk(UciServer, "tictactoe", "exhaustive")
    assert talk("ugi")[-1] == "ugiok"
    talk(f"position startpos moves {moves}".strip())
    asked = [talk(f"query {what}") for what in ("gameover", "p1turn", "result")]
    assert asked[0] + asked[2] == [f"response {each}" for each in (answers[0], answers[2])]
    if answers[0] == "false":
        assert asked[1] == [f"response {answers[1]}"]


@pytest.mark.full
def test_ugi_plays_by_the_clocks_of_two_players() -> None:
    talk = Talk(UciServer, "hex(size=3)")
    talk("ugi")
    assert re.match("bestmove [abc][123]", talk("position startpos", "go p1time 500 p2time 9")[-1])


def test_games_that_these_protocols_cannot_say_are_refused() -> None:
    for spec in ("backgammon", "kuhn", "sokoban"):
        with pytest.raises(Objection, match="is not a game of two seats without chance"):
            Thinker(dragon.game(spec), dragon.search("random"), Limit())


@pytest.mark.full
def test_cecp_plays_analyses_and_takes_back() -> None:
    talk = Talk(CecpServer)
    assert "myname=" in talk("xboard", "protover 2")[0]
    assert talk("new", "sd 3", "usermove e2e4", "ping 1")[-1] == "pong 1"
    (move,) = [line.split()[1] for line in talk.lines if line.startswith("move ")]
    assert len(talk.thinker.position.moves) == 2
    assert talk("force", "usermove e7e6" if move != "e7e6" else "usermove a7a6")[0].startswith(
        "Illegal move"
    )
    talk("undo", "undo")
    assert talk.thinker.position.moves == ()
    talk("setboard 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
    assert talk("go")[-1] == "move d1d8"
    assert talk("usermove a1a2")[0].startswith("Illegal move")
    lines = talk("new", "force", "analyze", wait=False)
    time.sleep(0.3)
    talk("exit")
    assert not any(line.startswith("move") for line in talk.lines[-len(lines) - 3 :])
    assert talk("st zero")[0].startswith("Error ")
    assert talk("level")[0] == "Error (its arguments are missing): level"


@pytest.mark.full
@pytest.mark.budget(120)
@pytest.mark.parametrize("protocol", ["uci", "cecp"])
def test_python_chess_drives_a_whole_game(protocol: str) -> None:
    chess = pytest.importorskip("chess", reason="python-chess is not installed (pip install chess)")
    engine = pytest.importorskip("chess.engine")
    board = chess.Board()
    begin = getattr(engine.SimpleEngine, {"uci": "popen_uci", "cecp": "popen_xboard"}[protocol])
    with begin([*COMMAND, protocol], timeout=60) as player:
        while not board.is_game_over(claim_draw=True) and board.ply() < 120:
            board.push(player.play(board, engine.Limit(time=0.02)).move)  # raises if not legal
    assert board.ply() > 20
