"""`dragon export` of games: PGN and SGF are read by readers of this file's own.

The readers know the grammars and nothing of dragon; what they find is compared with the records.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from click.testing import CliRunner, Result

import dragon
from dragon import plugins
from dragon.cli import main
from dragon.errors import ConfigError
from dragon.transcripts import read
from dragon_tournament.config.reading import parse
from dragon_tournament.executors.local import InlineExecutor
from dragon_tournament.records.record import Reason, Record
from dragon_tournament.report.forms import to_pgn, to_sgf, to_table
from dragon_tournament.runner import run
from dragon_tournament.schedule import Schedule

NAMES = (r'a]:\ "b"', "c;(\x1b[2J)[d")
BOARDS = Path(__file__).parents[1] / "boards" / "installed"


@pytest.fixture
def boards(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Installs the plugin of tests/boards/board_games.py for this test."""
    monkeypatch.syspath_prepend(str(BOARDS.parent))
    monkeypatch.syspath_prepend(str(BOARDS))
    plugins.manager.cache_clear()
    yield
    plugins.manager.cache_clear()


def games(game: str, count: int = 4, **more: Any) -> list[Record]:
    """Games at random, with an opening, between players whose names need care."""
    players = [{"search": "random", "name": name} for name in NAMES]
    table = {"game": game, "games": count, "openings": {"random": 1}, "player": players, **more}
    tournament = parse(table)
    return list(InlineExecutor().map(tournament, Schedule(tournament).games()))


# ---- readers ----------------------------------------------------------------------------------


def pgn_games(text: str) -> Iterator[tuple[dict[str, str], list[str], str]]:
    """Tags, moves and result of each game in a PGN file; fails for what is not well-formed."""
    sections = text.split("\n\n")
    assert sections.pop() == ""
    assert len(sections) % 2 == 0
    for head, body in zip(sections[::2], sections[1::2], strict=True):
        tags: dict[str, str] = {}
        for line in head.split("\n"):
            found = re.fullmatch(r'\[([A-Z]\w*) "((?:[^"\\]|\\["\\])*)"\]', line)
            assert found is not None, line
            assert found[1] not in tags
            assert found[2].isprintable()
            tags[found[1]] = re.sub(r"\\(.)", r"\1", found[2])
        roster = ["Event", "Site", "Date", "Round", "White", "Black", "Result"]
        assert list(tags)[:7] == roster
        assert max(map(len, body.split("\n"))) < 80
        *tokens, result = body.split()
        assert result in ("1-0", "0-1", "1/2-1/2", "*")
        assert result == tags["Result"]
        moves: list[str] = []
        ply = None
        for token in tokens:
            if number := re.fullmatch(r"(\d+)(\.|\.\.\.)", token):
                at = 2 * (int(number[1]) - 1) + (number[2] == "...")
                assert ply in (None, at)
                ply = at
            else:
                assert re.fullmatch(r"[A-Za-z][\w+#=:-]*", token)
                assert ply is not None
                ply += 1
                moves.append(token)
        yield tags, moves, result


def sgf_games(text: str) -> list[list[dict[str, list[str]]]]:
    """The nodes of each game tree, none of which branches; fails for what is not well-formed."""
    trees: list[list[dict[str, list[str]]]] = []
    at = 0
    value = re.compile(r"\[((?:[^\]\\]|\\.)*)\]", re.DOTALL)
    while at < len(text):
        if text[at] == "\n":
            at += 1
            continue
        assert text.startswith("(;", at)
        nodes: list[dict[str, list[str]]] = []
        at += 1
        while text[at] != ")":
            assert text[at] == ";"
            at += 1
            node: dict[str, list[str]] = {}
            while name := re.compile("[A-Z]{1,2}").match(text, at):
                assert name[0] not in node
                at, node[name[0]] = name.end(), []
                while found := value.match(text, at):
                    assert found[1].isprintable()
                    node[name[0]].append(re.sub(r"\\(.)", r"\1", found[1]))
                    at = found.end()
                assert node[name[0]]
            nodes.append(node)
        at += 1
        trees.append(nodes)
    return trees


# ---- what they find ---------------------------------------------------------------------------


def test_pgn_has_the_moves_and_who_won() -> None:
    records = games("tictactoe", 10)
    found = list(pgn_games("".join(to_pgn(record, {"name": "cup"}) for record in records)))
    assert len(found) == len(records)
    scores = {"1-0": (1.0, 0.0), "0-1": (0.0, 1.0), "1/2-1/2": (0.5, 0.5)}
    for record, (tags, moves, result) in zip(records, found, strict=True):
        assert moves == [*record.opening, *record.moves]
        assert scores[result] == record.points
        assert [tags["White"], tags["Black"]] == [n.replace("\x1b", r"\x1b") for n in record.seats]
        assert (tags["Event"], tags["Variant"], tags["GameId"]) == ("cup", "tictactoe", record.id)
        assert tags["PlyCount"] == str(len(moves))
        assert "FEN" not in tags
    assert len({result for _, _, result in found}) == 3


def test_pgn_of_pieces_that_move(boards: None) -> None:
    for record in games("breakthrough(rows=4, columns=3)"):
        ((_, moves, _),) = pgn_games(to_pgn(record))
        assert moves == [*record.opening, *record.moves]
        assert re.fullmatch(r"[a-c]\d[a-c]\d", moves[0])


def test_pgn_begins_where_the_game_did() -> None:
    for position, number in (("X.O/.../... X", "1. "), ("XO./X../... O", "1... ")):
        opening = {"positions": [position]}
        for record in games("tictactoe", 1, openings=opening):
            text = to_pgn(record)
            ((tags, moves, _),) = pgn_games(text)
            assert (tags["SetUp"], tags["FEN"]) == ("1", position)
            assert moves == list(record.moves)
            assert text.split("\n\n")[1].startswith(number)


def test_pgn_has_the_numbers_of_its_fen() -> None:
    fen = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R"
    for side, number in (("w", "12. "), ("b", "12... ")):
        opening = {"positions": [f"{fen} {side} KQkq - 0 12"]}
        for record in games("chess", 1, openings=opening, plies=5):
            ((tags, moves, _),) = pgn_games(text := to_pgn(record))
            assert tags["FEN"] == f"{fen} {side} KQkq - 0 12"
            assert text.split("\n\n")[1].startswith(number)
            (back,) = read(text, dragon.game("chess"))
            assert list(back.moves) == moves == list(record.moves)


@pytest.mark.samples("limits0*")
@pytest.mark.parametrize(
    ("limits", "times"),
    [
        ([{"limit": {"seconds": 0.5}}] * 2, {"TimeControl": "1/0.5"}),
        ([{"limit": {"nodes": 5}}] * 2, {"TimeControl": "-"}),
        (
            [{"clock": {"seconds": 60, "moves": 40}}, {"clock": {"seconds": 8, "increment": 0.08}}],
            {"WhiteTimeControl": "40/60", "BlackTimeControl": "8+0.08"},
        ),
    ],
)
def test_a_game_has_its_date_its_round_and_its_time_control(
    tmp_path: Path, limits: list[dict[str, Any]], times: dict[str, str]
) -> None:
    players = [{"search": "random", "name": n, **of} for n, of in zip("ab", limits, strict=True)]
    tournament = parse({"name": "x", "game": "tictactoe", "games": 2, "player": players})
    run(tournament, tmp_path, InlineExecutor())
    records = [Record.from_line(line) for line in (tmp_path / "records.jsonl").open()]
    found = list(pgn_games(invoke("export", tmp_path, "--to", "pgn", "--out", "-").stdout))
    days = {datetime.now(UTC).date().isoformat(), records[0].date}  # it may be midnight
    assert {record.date for record in records} <= days
    for record, (tags, _, _) in zip(records, found, strict=True):
        assert tags["Date"] == record.date.replace("-", ".")
        assert tags["Round"] == str((record.index or 0) + 1)
        if record.seats == ("a", "b"):
            assert {key: tags[key] for key in tags if "TimeControl" in key} == times
        else:
            assert ("TimeControl" in tags) == ("TimeControl" in times)
    staged = {"format": "swiss", "games": 2}
    assert 'Round "2.1"' in to_pgn(evolve(records[0], index=2), staged)


@pytest.mark.full
def test_games_whose_moves_are_no_pgn_have_headers(tmp_path: Path) -> None:
    """Programs that rate players need no more."""
    players = [{"search": "random", "name": name} for name in "ab"]
    run(parse({"name": "x", "game": "connect4", "games": 3, "player": players}), tmp_path,
        InlineExecutor())  # fmt: skip
    records = [Record.from_line(line) for line in (tmp_path / "records.jsonl").open()]
    result = invoke("export", tmp_path, "--to", "pgn", "--out", "-")
    assert "PGN cannot say the moves of 6 games" in result.stderr
    found = list(pgn_games(result.stdout))
    scores = {"1-0": (1.0, 0.0), "0-1": (0.0, 1.0), "1/2-1/2": (0.5, 0.5)}
    for record, (tags, moves, text) in zip(records, found, strict=True):
        assert moves == []
        assert (tags["White"], tags["Black"]) == record.seats
        assert scores[text] == record.points


@pytest.mark.parametrize(
    ("reason", "termination", "sgf"),
    [
        (Reason.TERMINAL, "normal", "W+"),
        (Reason.RESIGNED, "adjudication", "W+R"),
        (Reason.TIMEOUT, "time forfeit", "W+T"),
        (Reason.ILLEGAL, "rules infraction", "W+F"),
        (Reason.CRASH, "abandoned", "W+F"),
        (Reason.PROVEN, "adjudication", "W+"),
    ],
)
def test_how_a_game_ended_is_told(reason: Reason, termination: str, sgf: str) -> None:
    (record, *_) = games("tictactoe", 1)
    lost = evolve(record, moves=(), reason=reason, points=(0.0, 1.0), scores=(-1.0, 1.0))
    ((tags, moves, result),) = pgn_games(to_pgn(lost))
    assert (tags["Termination"], moves, result) == (termination, list(lost.opening), "0-1")
    ((root, *_),) = sgf_games(to_sgf(lost))
    assert root["RE"] == [sgf]
    if reason is Reason.RESIGNED:  # by the player itself
        asked = to_pgn(evolve(lost, detail="engine gives the game up"))
        assert next(pgn_games(asked))[0]["Termination"] == "normal"
    drawn = evolve(lost, points=(0.5, 0.5))
    assert sgf_games(to_sgf(drawn))[0][0]["RE"] == ["Draw"]


def test_sgf_has_the_stones_from_the_top_left() -> None:
    records = games("hex(size=5)")
    found = sgf_games("".join(to_sgf(record, {"name": "cup"}) for record in records))
    for record, (root, *nodes) in zip(records, found, strict=True):
        head = {key: values[0] for key, values in root.items()}
        assert (head["FF"], head["SZ"], head["GN"], head["EV"]) == ("4", "5", record.id, "cup")
        assert head["RU"] == "hex(size=5)"
        assert [head["PB"], head["PW"]] == [n.replace("\x1b", r"\x1b") for n in record.seats]
        assert head["RE"] == ("B+" if record.points[0] else "W+")
        assert [list(node) for node in nodes] == [["BW"[k % 2]] for k in range(len(nodes))]
        points = [point for node in nodes for (point,) in node.values()]
        # a1, a2, ... is the top row: the letter is that of the row
        moves = [
            f"{chr(96 + int(m[1:]))}{ord(m[0]) - 96}" for m in (*record.opening, *record.moves)
        ]
        assert points == moves
        assert head["GM"] == "11"  # whose readers know columns by letters and rows by numbers


def test_sgf_of_a_rectangle_has_the_rows_that_stones_fall_to() -> None:
    for record in games("connect4"):
        ((root, *nodes),) = sgf_games(to_sgf(record))
        assert (root["SZ"], root["GM"]) == (["7:6"], ["4"])
        heights = [0] * 7
        for text, node in zip((*record.opening, *record.moves), nodes, strict=True):
            column = int(text) - 1
            heights[column] += 1
            assert list(node.values()) == [["abcdefg"[column] + "abcdef"[6 - heights[column]]]]


def test_sgf_begins_where_the_game_did() -> None:
    (record, *_) = games("tictactoe", 1, openings={"positions": ["XO./X../... O"]})
    ((root, first, *_),) = sgf_games(to_sgf(record))
    assert (sorted(root["AB"]), root["AW"], root["PL"]) == (["aa", "ab"], ["ba"], ["W"])
    assert "W" in first


def test_json_has_every_game_and_its_movers(scripted: Path) -> None:
    players = [{"search": "random", "name": name} for name in "ab"]
    for name in ("kuhn", "lucky", "tictactoe"):
        tournament = parse({"game": name, "games": 3, "player": players})
        for record in InlineExecutor().map(tournament, Schedule(tournament).games()):
            table = json.loads(json.dumps(to_table(record)))
            (line,) = table["lines"]
            moves = line["moves"]
            assert [move["move"] for move in moves] == list(record.moves)
            state: Any = dragon.game(name).start(record.deal)
            assert line["position"] == str(state)
            for move in moves:
                assert move["seat"] == (state.turn if state.turn >= 0 else None)
                state = state.after(next(m for m in state.moves() if str(m) == move["move"]))
            assert line["end"] == str(state)
            assert (table["players"], table["points"]) == (
                list(record.seats),
                list(record.points),
            )


@pytest.mark.samples("kuhn*")
@pytest.mark.parametrize(
    ("game", "write", "reason"),
    [
        ("kuhn", to_pgn, r"the seats do not move in turn \(at "),
        ("connect4", to_pgn, r"'\d' is not a move there"),
        ("kuhn", to_sgf, "it has no board of stones of two colours"),
        ("nex(rows=3, cols=3)", to_sgf, "it has no board of stones of two colours"),
        ("breakthrough", to_sgf, "does more than to put a stone"),
    ],
)
def test_what_a_format_cannot_say_is_told(boards: None, game: str, write: Any, reason: str) -> None:
    (record, *_) = games(game, 1)
    with pytest.raises(ConfigError, match=rf"cannot say game .*: .*{reason}.*; take --to json"):
        write(record)


@pytest.mark.samples("hex*")
@pytest.mark.parametrize(
    ("game", "write"),
    [("reversi(size=6)", to_sgf), ("checkers", to_pgn), ("chess", to_pgn), ("hex(size=4)", to_sgf)],
)
def test_what_is_exported_reads_back_as_the_game(game: str, write: Any) -> None:
    """In the form that the game has: the flips of Othello are known to GM[2], jumps to PDN."""
    for record in games(game, 2, plies=60):
        (found,) = read(write(record, {"name": "cup"}), dragon.game(game))
        assert found.moves == (*record.opening, *record.moves)
        assert dragon.game(found.game) == dragon.game(game)
        assert found.players == tuple(name.replace("\x1b", r"\x1b") for name in record.seats)


def test_the_first_seat_of_checkers_is_black() -> None:
    (record, *_) = games("checkers", 1)
    lost = evolve(record, moves=(), reason=Reason.RESIGNED, points=(1.0, 0.0), scores=(1.0, -1.0))
    text = to_pgn(lost)
    assert '[Result "0-1"]' in text
    assert '[GameType "21"]' in text
    assert text.split("\n\n")[1].startswith("1. ")


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(a) for a in arguments])


def test_the_command_writes_each_kind(tmp_path: Path) -> None:
    players = [{"search": "random", "name": name} for name in "ab"]
    run(parse({"name": "x", "game": "hex(size=3)", "player": players}), tmp_path, InlineExecutor())
    for kind in ("pgn", "sgf", "json"):
        result = invoke("export", tmp_path, "--to", kind)
        assert result.exit_code == 0, result.output
        path = tmp_path / f"games.{kind}"
        assert result.stdout == f"{path}: 2 games\n"
        assert invoke("export", tmp_path, "--to", kind, "--out", "-").stdout == path.read_text()
    assert len(list(pgn_games((tmp_path / "games.pgn").read_text()))) == 2
    assert len(sgf_games((tmp_path / "games.sgf").read_text())) == 2
    table = json.loads((tmp_path / "games.json").read_text())
    assert (table["event"], len(table["games"])) == ("x", 2)


@pytest.mark.samples("sgf")
@pytest.mark.parametrize("kind", ["pgn", "sgf"])
def test_games_are_exported_with_the_values_of_annotate(tmp_path: Path, kind: str) -> None:
    players = [{"search": "random", "name": name} for name in "ab"]
    run(parse({"name": "x", "game": "hex(size=3)", "player": players}), tmp_path, InlineExecutor())
    asked = ("export", tmp_path, "--to", kind, "--out", "-")
    plain, valued = (invoke(*asked, *more).stdout for more in ((), ("--values",)))
    assert valued != plain
    game = dragon.game("hex(size=3)")
    for number, (before, after) in enumerate(
        zip(read(plain, game), read(valued, game), strict=True), 1
    ):
        file = tmp_path / "plain.txt"
        file.write_text(plain)
        rules = ("--rules", "hex(size=3)", "--game", number)
        again = invoke("annotate", file, *rules, "--to", kind, "--out", "-")
        (said,) = read(again.stdout, game)
        assert before.comments == {}
        assert (after.moves, after.comments) == (before.moves, said.comments)
        assert len(after.comments) == len(after.moves)
    for words in (("--to", "csv", "--values"), ("--to", kind, "--seconds", 1)):
        refused = invoke("export", tmp_path, *words)
        assert (refused.exit_code, "values" in refused.stderr) == (2, True)


def test_races_have_a_line_of_each_seat_in_json_only(tmp_path: Path) -> None:
    players = [{"search": "dlx"}, {"search": "random"}]
    table = {"game": "queens(n=5)", "player": players}
    run(parse(table), tmp_path, InlineExecutor())
    result = invoke("export", tmp_path, "--to", "json", "--out", "-")
    records = [json.loads(line) for line in (tmp_path / "records.jsonl").open()]
    for game, record in zip(json.loads(result.stdout)["games"], records, strict=True):
        lines = {line["seat"]: [m["move"] for m in line["moves"]] for line in game["lines"]}
        assert lines == {seat: own for seat, own in enumerate(record["moves"]) if own}
    for kind in ("pgn", "sgf"):
        result = invoke("export", tmp_path, "--to", kind, "--out", tmp_path / "games.txt")
        assert result.exit_code == 2
        assert "it is not a match of two seats; take --to json" in result.stderr
        assert not (tmp_path / "games.txt").exists()
