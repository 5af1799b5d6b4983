"""dragon as an engine: what it answers to every command, to nonsense, and to another engine."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dragon
from dragon import Limit
from dragon.bridges.engine import Engine, close_idle
from dragon.gtp.server import GtpServer
from dragon_nex import Nex
from dragon_nex.cli.gtp import NexServer, player

COMMAND = (sys.executable, "-m", "dragon")


def server(game: str = "tictactoe", search: str = "alphabeta", **limit: float) -> GtpServer:
    return GtpServer(dragon.game(game), dragon.search(search), Limit(**limit))


def nex(rows: int = 3, cols: int = 3, spec: str | None = None, **limit: float) -> NexServer:
    return NexServer(Nex(rows, cols), lambda game: player(game, spec), Limit(**limit))


def say(to: GtpServer, *lines: str) -> list[str]:
    return [str(response) for response in to.answers(lines)]


def test_responses_have_ids_and_end_in_an_empty_line() -> None:
    said = say(server(), "protocol_version", "12 protocol_version", "3 nonsense", "# remark", "")
    assert said == ["= 2\n\n", "=12 2\n\n", "?3 unknown command\n\n"]


def test_a_game_is_played_taken_back_and_scored() -> None:
    to = server()
    assert say(to, "play black a1", "play white b2", "undo") == ["=\n\n"] * 3
    assert str(to.state) == "X../.../... O"
    said = say(to, "play b b1", "play w a1", "play w b2 b3", "final_score")
    assert said[0].startswith("? illegal move: white is to move, not b")
    assert all(text.startswith("? illegal move: ") for text in said[:3])
    assert said[3] == "? cannot score: the game is not over\n\n"
    say(to, "play white b1", "play black a2", "play white b2", "play black a3")
    assert say(to, "final_score", "genmove white")[0] == "= B+1\n\n"
    assert say(to, "genmove white") == ["? illegal move: the game is over\n\n"]
    assert say(to, "clear_board", "undo")[1].startswith("? cannot undo")


def test_genmove_plays_and_reg_genmove_does_not() -> None:
    to = server("nim(pile=7)")
    (text,) = say(to, "reg_genmove black")
    assert to.moves == []
    assert say(to, "genmove black") == [text]
    assert [f"= {move}\n\n" for move in to.moves] == [text]


def test_every_listed_command_is_known_and_says_something_of_itself() -> None:
    for to in (server(), nex()):
        (listed,) = to.answers(["list_commands"])
        names = listed.text.split("\n")
        for name in names:
            assert say(to, f"known_command {name}") == ["= true\n\n"]
            assert to.commands()[name].__doc__
    assert say(server(), "known_command loadsgf") == ["= false\n\n"]


SIZES = [
    ["boardsize 5", "komi 6.5", "clear_board"],
    ["clear_board", "komi 0", "boardsize 5 5"],
    ["komi 7", "clear_board", "boardsize 5"],
    ["boardsize 5", "clear_board", "komi 6.5"],
]


@pytest.mark.samples(1)
@pytest.mark.parametrize("begin", SIZES)
@pytest.mark.parametrize(("game", "naming"), [("hex", "hex"), ("gomoku", "gtp")])
def test_a_match_begins_as_twogtp_begins_one(game: str, naming: str, begin: list[str]) -> None:
    """GoGui's twogtp and HexGui send two engines these lines, in the orders that programs have."""
    two = [GtpServer(dragon.game(game), dragon.search("random"), Limit(), naming) for _ in "bw"]
    for to in two:
        said = say(to, "protocol_version", "name", "version", "list_commands", "known_command komi")
        assert all(text.startswith("= ") for text in said)
        assert say(to, *begin, "time_settings 0 1 0") == ["=\n\n"] * 4
        assert len(to.state.moves()) == 25
    colours, last = ["black", "white"], ["", ""]
    for ply in range(60):
        mover, other = two[ply % 2], two[1 - ply % 2]
        move = say(mover, f"genmove {colours[ply % 2]}")[0].strip("= \n")
        last = [last[1], move]
        if move == "resign" or last == ["pass", "pass"]:
            break
        assert (
            say(
                other, f"play {colours[ply % 2]} {move}", "undo", f"play {colours[ply % 2]} {move}"
            )[2]
            == "=\n\n"
        )
        assert str(mover.state) == str(other.state)
    assert last[1] in ("resign", "pass")
    scores = [say(to, "final_score", "showboard")[0] for to in two]
    assert scores[0] == scores[1]
    assert "quit" in two[0].commands()


def test_vertices_are_named_as_other_programs_name_them() -> None:
    hexagons = GtpServer(dragon.game("hex(size=11)"), dragon.search("random"), Limit(), "hex")
    say(hexagons, "play black i2")  # column i, row 2 from the top: b9 in our own words
    assert hexagons.moves == ["b9"]
    own = GtpServer(dragon.game("hex(size=11)"), dragon.search("random"), Limit(), None)
    assert say(own, "play black i2", "dragon-moves")[0] == "=\n\n"
    assert own.moves == ["b9"]
    go = GtpServer(dragon.game("hex(size=11)"), dragon.search("random"), Limit(), "gtp")
    say(go, "play black J10")  # no I: column nine; row 10 from the bottom is the second
    assert go.moves == ["b9"]
    assert say(go, "play white I3")[0].startswith("? illegal move: 'I3' is not a vertex; write")
    listed = set(say(go, "dragon-moves")[0][2:].split())
    assert {"A1", "L11"} <= listed
    assert not any("I" in vertex for vertex in listed)
    assert len(listed) == 120
    assert say(go, "dragon-vertices own", "play white a1") == ["=\n\n"] * 2
    assert go.moves[-1] == "a1"


def test_sizes_and_namings_that_do_not_suit_are_refused() -> None:
    to = server()
    assert say(to, "boardsize 3", "boardsize 4") == ["=\n\n", "? unacceptable size\n\n"]
    assert say(to, "komi x")[0].startswith("? syntax error")
    assert say(server("nim"), "boardsize 9") == ["? unacceptable size\n\n"]
    assert say(server("hex"), "boardsize 40", "boardsize 3 5") == ["? unacceptable size\n\n"] * 2
    assert say(to, "dragon-vertices igs")[0].startswith("? 'igs' does not name vertices; write")
    assert "are not single cells" in say(server("nim"), "dragon-vertices gtp")[0]


@pytest.mark.full
def test_our_client_and_our_server_agree_whatever_the_usual_naming_is() -> None:
    for naming in ("own", "gtp", "hex"):
        engine = Engine([*COMMAND, "gtp", "hex", "--search", "random"], vertices=naming)
        *_, last = states("hex(size=4)", engine, engine)
        assert last.turn == dragon.TERMINAL
    close_idle()


def test_quit_is_answered_and_ends_it() -> None:
    assert say(server(), "5 quit", "name") == ["=5\n\n"]


def test_the_clock_is_shared_among_the_moves_to_come() -> None:
    to = server(seconds=9.0)
    assert to.allowed() == Limit(seconds=9.0)
    assert say(to, "time_settings 100 0 0") == ["=\n\n"]
    assert to.allowed().seconds == pytest.approx(99.8 / 30)
    say(to, "time_left black 50 0", "time_left white 1 0")
    assert to.allowed().seconds == pytest.approx(49.8 / 30)
    say(to, "time_left black 10 5")
    assert to.allowed().seconds == pytest.approx(2, abs=0.1)
    say(to, "time_settings 0 5 1")
    assert to.allowed().seconds == pytest.approx(5, abs=0.1)
    say(to, "time_settings 100 30 5")  # main time, and byo-yomi to come
    assert to.allowed().seconds == pytest.approx(99.8 / 30 + 6)
    say(to, "time_settings 0 5 0")  # no clock
    assert to.allowed() == Limit(seconds=9.0)
    assert say(to, "time_settings 1 2")[0].startswith("? syntax error")
    assert say(to, "time_left black nan 0")[0].startswith("? 'nan' is not a number of seconds")


@pytest.mark.parametrize(
    ("settings", "increment"), [("2 0 0", 0.05), ("2 0 0", 1.0), ("20 0 0", 0.0), ("0 2 20", 0.0)]
)
def test_a_clock_lasts_where_each_answer_is_late(settings: str, increment: float) -> None:
    to = server()
    say(to, f"time_settings {settings}", f"dragon-increment {increment}")
    main, byo, stones = map(int, settings.split())
    left, late = float(main or byo), 0.045
    moves = stones or (500 if increment else 60)
    for move in range(moves):
        say(to, f"time_left black {left} {stones and stones - move}")
        left -= (to.allowed().seconds or 0) + late
        assert left > 0
        left += increment


def test_no_search_moves_for_chance() -> None:
    to = server("backgammon", seconds=0.1)
    for command in ("reg_genmove", "genmove"):
        assert say(to, f"{command} chance") == [
            "? illegal move: chance is to move; say what it does by play\n\n"
        ]
    assert say(to, f"play chance {to.state.moves()[0]}") == ["=\n\n"]


def test_no_seconds_are_a_short_look_and_not_all_the_time_there_is() -> None:
    begun = time.monotonic()
    assert say(server("connect4"), "dragon-analyze 0")[0].startswith("= value ")
    assert time.monotonic() - begun < 60


@pytest.mark.full
def test_the_values_of_all_moves_share_the_clock() -> None:
    to = nex(4, 4, spec="alphabeta")
    begun = time.monotonic()
    values = say(to, "time_settings 0 1 1", "nex-values")[1][2:].strip().split("\n")
    assert time.monotonic() - begun < 60  # 240 moves, of which each had a second
    assert [line.split()[0] for line in values] == [str(move) for move in to.state.moves()]
    assert {line.split()[1] for line in values} <= {"-1", "0", "1", "?"}


def test_our_own_commands_set_up_games_and_positions() -> None:
    to = server()
    assert say(to, "dragon-game nim(pile=5)", "dragon-moves") == ["=\n\n", "= 1\n2\n3\n\n"]
    assert say(to, "dragon-game nothing")[0].startswith("? no game called 'nothing'")
    assert say(to, "dragon-game kuhn")[0].startswith("? ")
    say(to, "dragon-game tictactoe", "dragon-position XX./OO./... X")
    assert say(to, "dragon-analyze")[0].startswith("= value = 1 nodes ")
    assert say(to, "genmove black") == ["= a3\n\n"]
    assert say(to, "dragon-position what")[0].startswith("? ")


@pytest.mark.full
def test_nex_has_boards_of_all_sizes_and_knows_their_values() -> None:
    to = nex()
    assert say(to, "nex-solve")[0].startswith("= 1 7 ")
    assert say(to, "boardsize 20", "boardsize 1", "boardsize x", "boardsize") == [
        "? unacceptable size\n\n",
        "? unacceptable size\n\n",
        "? 'x' is not a size, a whole number from 0 to 1000000\n\n",
        "? syntax error: boardsize N, or boardsize ROWS COLUMNS\n\n",
    ]
    assert say(to, "boardsize 2 3", "play black ?b1Ba1") == ["=\n\n", "=\n\n"]
    assert str(to.state) == "B../?.. W"
    values = dict(line.split() for line in say(to, "nex-values")[0][2:].strip().split("\n"))
    assert set(values) == set(to.state.moves())
    assert set(values.values()) == {"-1"}
    big = nex(5, 5, spec="alphabeta", nodes=50)
    assert say(big, "nex-solve")[0].startswith("? unknown")


@settings(max_examples=60)
@given(
    st.lists(
        st.one_of(
            st.text(max_size=40),
            st.sampled_from(sorted(nex().commands())).flatmap(
                lambda name: st.tuples(
                    st.just(name),
                    st.lists(
                        st.sampled_from(["black", "white", "Ba1?a2", "2", "3", "-1", "1e9", "é"]),
                        max_size=3,
                    ),
                ).map(lambda each: " ".join((each[0], *each[1])))
            ),
        ),
        max_size=8,
    )
)
def test_junk_is_answered_and_never_ends_the_server(lines: list[str]) -> None:
    to = nex(2, 2, spec="exhaustive")
    for response in to.answers(line for line in lines if "size" not in line):
        text = str(response)
        assert text.endswith("\n\n")
        assert "\n\n" not in text[:-2]
    assert say(to, "protocol_version") == ["= 2\n\n"]


@pytest.mark.full
def test_as_a_process_it_survives_bytes_that_are_no_text() -> None:
    run = subprocess.run(
        [*COMMAND, "nex", "gtp", "--size", "2x2"],
        input=b"\xff\xfe\x00play\n" + b"x" * 300_000 + b"\n4 genmove black\nquit\n",
        capture_output=True, check=True,
    )  # fmt: skip
    answers = run.stdout.decode().split("\n\n")
    assert answers[-3].startswith("=4 B")
    assert run.stderr == b""


def states(game: str, black: Engine, white: Engine) -> Iterator[dragon.State[str]]:
    """A game between two engines, told the whole position at each move."""
    state = dragon.game(game).start()
    yield state
    while state.turn != dragon.TERMINAL:
        player = (black, white)[state.turn]
        state = state.after(player.best(state, Limit(seconds=5)).move)
        yield state


@pytest.mark.full
def test_two_of_our_own_engines_play_a_match_through_pipes() -> None:
    perfect = Engine([*COMMAND, "nex", "gtp", "--size", "3x3"])
    plain = Engine([*COMMAND, "gtp", "nex(rows=3, cols=3)", "--search", "random"])
    *_, last = states("nex(rows=3, cols=3)", perfect, plain)
    assert last.payoff() == (1, -1)
    _, opened, *_, last = states("nex(rows=3, cols=3)", plain, perfect)
    assert last.payoff()[1] >= dragon.search("nextable").best(opened).value
    close_idle()


def test_nex_chooses_its_search_anew_for_another_board() -> None:
    to = nex(11, 11)
    assert say(to, "name")[0].startswith("= dragon mcts")
    assert say(to, "dragon-game nex(rows=3, cols=3)", "name")[1] == "= dragon nextable\n\n"
    assert say(to, "nex-solve")[0].startswith("= 1 7 ")
    assert say(to, "dragon-game nothing", "name")[1] == "= dragon nextable\n\n"


# ---- a match by the specification alone ---------------------------------------------------------


class Controller:
    """The controller of the specification (section 2): commands with ids, one at a time."""

    def __init__(self, *options: str) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, "gtp", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.id = 0

    def ask(self, command: str) -> str:
        """The text of a response, which must be a success with the id of the command."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.id += 1
        self.process.stdin.write(f"{self.id} {command}\n")
        self.process.stdin.flush()
        lines = []
        while (line := self.process.stdout.readline()) not in ("\n", ""):
            lines.append(line.rstrip("\n"))
        head, _, text = lines[0].partition(" ")
        assert head == f"={self.id}", (command, lines)
        return "\n".join([text, *lines[1:]])

    def close(self) -> None:
        if self.process.poll() is None:
            self.ask("quit")
        assert self.process.wait(10) == 0
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()


def connected(cells: set[tuple[int, int]], axis: int, size: int) -> bool:
    """Return True if stones of Hex join the two sides that lie across an axis."""
    reached = {cell for cell in cells if cell[axis] == 0}
    while (
        more := {
            (x + dx, y + dy)
            for x, y in reached
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
        }
        & cells - reached
    ):
        reached |= more
    return any(cell[axis] == size - 1 for cell in reached)


@pytest.mark.full
def test_a_twogtp_of_the_specification_plays_twenty_games_with_it() -> None:
    """It knows the cells of Hex, vertices, colours and times, and nothing of dragon."""
    size = 4
    spec = (f"hex(size={size})", "--search", "mcts(simulations=30)")
    players = [Controller(*spec, "--seed", str(seed)) for seed in (1, 2)]
    joined: set[tuple[str, int]] = set()
    try:
        for number in range(20):
            seated = dict(zip(("black", "white"), players[:: 1 - 2 * (number % 2)], strict=True))
            for each in players:
                for command in (
                    f"boardsize {size}",
                    "komi 0",
                    "clear_board",
                    "time_settings 9 0 0",
                ):
                    assert each.ask(command) == ""
            stones: dict[str, set[tuple[int, int]]] = {"black": set(), "white": set()}
            colour, other = "black", "white"
            while True:
                for each in players:
                    each.ask(f"time_left {colour} 5 0")
                move = seated[colour].ask(f"genmove {colour}").lower()
                if move == "resign":
                    break
                cell = (ord(move[0]) - ord("a"), int(move[1:]) - 1)
                assert max(cell) < size > min(cell) >= 0
                assert cell not in stones["black"] | stones["white"]
                stones[colour].add(cell)
                assert seated[other].ask(f"play {colour} {move}") == ""
                colour, other = other, colour
            # A player resigns when the other has joined its sides, and not before.
            axes = [axis for axis in (0, 1) if connected(stones[other], axis, size)]
            assert axes
            joined |= {(other, axis) for axis in axes if len(axes) == 1}
            scores = {each.ask("final_score")[:2].lower() for each in players}
            assert scores == {f"{other[0]}+"}
    finally:
        for each in players:
            each.close()
    assert len({colour for colour, _ in joined}) == len(joined)  # each colour has its own sides
