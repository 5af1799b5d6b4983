"""Openings: from lines, positions and files, in order or shuffled, the same for every seating."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

import dragon
from dragon import ConfigError
from dragon_classics.nim import Nim
from dragon_tournament.config.reading import parse, read
from dragon_tournament.executors.local import InlineExecutor
from dragon_tournament.executors.remote import Batch
from dragon_tournament.records.record import Record
from dragon_tournament.runner import run
from dragon_tournament.schedule import Schedule

POSITIONS = ["5 A", "4 B"]


def file(openings: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Two players of nim."""
    players = [{"search": "random"}, {"search": "exhaustive"}]
    return {"game": "nim(pile=9)", "player": players, "openings": openings, **more}


class Unhashable(Nim):
    """A game whose settings might change, as those of a third party may."""

    __hash__ = None  # type: ignore[assignment]


def test_openings_are_drawn_of_a_game_without_a_hash() -> None:
    drawn = parse(file({"random": 2}, games=4))
    same = evolve(drawn, game=Unhashable(pile=9))
    found = [pairing.opening for pairing in Schedule(same).games()]
    assert found == [pairing.opening for pairing in Schedule(drawn).games()]
    assert all(len(moves) == 2 for moves in found)


def test_lines_come_from_a_file_beside_the_tournament(tmp_path: Path) -> None:
    (tmp_path / "books").mkdir()
    (tmp_path / "books" / "nim.txt").write_text("# the first ones\n1 2\n\n  3; 3\n2 # no comment\n")
    toml = tmp_path / "mine.toml"
    toml.write_text(
        'game = "nim"\n[openings]\nfile = "books/nim.txt"\n'
        '[[player]]\nsearch = "random"\n[[player]]\nsearch = "exhaustive"\n'
    )
    with pytest.raises(ConfigError, match=r"cannot read '#'|'#'"):
        read(toml)
    (tmp_path / "books" / "nim.txt").write_text("# the first ones\n1 2\n\n  3; 3\n2\n")
    found = read(toml)
    assert found.openings.lines == (("1", "2"), ("3", "3"), ("2",))
    assert found.games == 3


def test_a_line_of_a_file_that_is_not_an_opening_is_told(tmp_path: Path) -> None:
    (tmp_path / "nim.txt").write_text("\ufeff1 2\n\n# more\n1 9\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"9.* @ openings\.file \(nim\.txt:4\)$"):
        parse(file({"file": "nim.txt"}), folder=tmp_path)
    with pytest.raises(ConfigError, match=r" @ openings\.lines\[1\]$"):
        parse(file({"lines": ["1 2", "1 9"]}))


def test_positions_begin_games_from_both_seats() -> None:
    tournament = parse(file({"positions": POSITIONS}, games=4))
    pairings = list(Schedule(tournament).games())
    assert len({p.id for p in pairings}) == 8
    for seats in {p.seats for p in pairings}:
        mine = [p.position for p in pairings if p.seats == seats]
        assert mine == POSITIONS * 2
    for record in InlineExecutor().map(tournament, Schedule(tournament).games()):
        assert Record.from_line(record.to_line()) == record
        assert record.opening == ()
        state: Any = dragon.game(record.game).parse(record.position)
        for text in record.moves:
            state = state.after(dragon.parse_move(state, text))
        assert state.payoff() == record.scores


def test_a_file_may_hold_positions(tmp_path: Path) -> None:
    (tmp_path / "nim.txt").write_text("5 A\n4 B\n")
    table = file({"file": "nim.txt", "kind": "positions"})
    assert list(parse(table, folder=tmp_path).openings.positions) == POSITIONS


LINES = [str(a) + " " + str(b) for a in (1, 2, 3) for b in (1, 2, 3)]


def test_openings_may_be_shuffled_and_fewer() -> None:
    def openings(**more: Any) -> list[tuple[str, ...]]:
        table = file({"lines": LINES, "order": "random", **more.pop("own", {})}, **more)
        pairings = list(Schedule(parse(table)).games())
        by_seats = Counter(p.seats for p in pairings)
        assert len(set(by_seats.values())) == 1
        return [p.opening for p in pairings[::2]]

    given = [tuple(line.split()) for line in LINES]
    shuffled = openings()
    assert sorted(shuffled) == sorted(given)
    assert shuffled != given
    assert shuffled == openings() != openings(seed=5)
    assert openings(own={"count": 4}) == shuffled[:4]
    assert openings(own={"count": 4}, games=8) == shuffled[:4] * 2
    assert [p.opening for p in Schedule(parse(file({"lines": LINES, "count": 2}))).games()][
        ::2
    ] == given[:2]


def test_old_ids_are_not_changed_by_what_is_new() -> None:
    """Records of before go on counting: a new key is in the id only where it is used."""
    (first, second) = Schedule(parse(file({"lines": ["1 2"]}))).games()
    assert (first.id, second.id) == ("39beb5c9071e589f", "2a48c1e5872f5d63")


MISTAKES: list[tuple[dict[str, Any], str, str]] = [
    ({"lines": ["1"], "positions": POSITIONS}, "lines and positions exclude", "@ openings"),
    ({"file": "good.txt", "random": 1}, "file and random exclude", "@ openings"),
    ({"file": "absent.txt"}, "cannot read", "@ openings.file"),
    ({"file": 3}, "must be text, not 3", "@ openings.file"),
    ({"file": "empty.txt"}, "holds no openings", "@ openings.file"),
    ({"file": "bytes.txt"}, "not UTF-8", "@ openings.file"),
    ({"lines": ["1"], "kind": "moves"}, "there is none", "@ openings.kind"),
    ({"file": "good.txt", "kind": "move"}, "must be 'moves' or 'positions'", "@ openings.kind"),
    ({"positions": "5 A"}, "must be a list, not", "@ openings.positions"),
    ({"positions": ["five"]}, "five", "@ openings.positions[0]"),
    ({"positions": ["5 A", "0 A"]}, "the game is over", "@ openings.positions[1]"),
    ({"lines": ["1"], "order": "shuffled"}, "'given' or 'random'", "@ openings.order"),
    ({"lines": ["1", "2"], "count": 3}, "only 2 are given", "@ openings.count"),
    ({"random": 1, "order": "random"}, "have no order", "@ openings.order"),
    ({"line": ["1"]}, "did you mean 'lines'?", "@ openings"),
    ({"lines": []}, "lines is empty", "@ openings"),
    ({"positons": POSITIONS, "lines": ["1"]}, "did you mean 'positions'?", "@ openings"),
    ({"lines": ["1", "9"], "order": "random"}, "'9'", "@ openings.lines[1]"),
]


@pytest.mark.parametrize(
    ("openings", "at"),
    [({"random": 3}, "random"), ({"lines": ["1", "1 1 1"]}, "lines[1]")],
)
def test_an_opening_leaves_plies_to_be_played(openings: dict[str, Any], at: str) -> None:
    said = "3 plies leave none to be played, as plies = 3; raise plies"
    with pytest.raises(ConfigError, match=re.escape(f"{said} @ openings.{at}")):
        parse({**file(openings), "plies": 3, "games": 2})
    parse({**file(openings), "plies": 4, "games": 2})


def test_a_given_opening_is_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the same in every game where no luck is dealt; else once for each deal."""
    tried, opening = list[int](), Schedule.opening

    def tries(schedule: Schedule, index: int) -> Any:
        tried.append(index)
        return opening(schedule, index)

    monkeypatch.setattr(Schedule, "opening", tries)
    parse({**file({"lines": ["1", "2"]}), "games": 4000})
    assert tried == [0, 1]
    tried.clear()
    monkeypatch.setattr("dragon_tournament.config.reading.is_dealt", lambda game: True)
    parse({**file({"lines": ["1", "2"]}), "games": 7})
    assert tried == list(range(7))


FEN = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R"


def chess(folder: Path, name: str, text: str, **more: Any) -> Any:
    """A tournament of chess with this book."""
    (folder / name).write_text(text)
    table = {**file({"file": name, **more}), "game": "chess"}
    return parse({**table, "player": [{"search": "random"}] * 2}, folder=folder)


def test_lines_of_epd_have_operations(tmp_path: Path) -> None:
    lines = f'{FEN} w KQkq - hmvc 2; fmvn 12; id "a; b";\n{FEN} b KQkq - bm d5; id "x";\n'
    found = chess(tmp_path, "book.epd", lines)
    assert [Schedule(found).opening(n).position for n in (0, 1)] == [
        f"{FEN} w KQkq - 2 12",
        f"{FEN} b KQkq - 0 1",
    ]


PGN = f"""[Event "a [b]"]
[Result "1-0"]

1. e4 {{[%eval 0.3] a
[clk] comment}} e5 (1... c5 2. Nf3) 2. Nf3! $1 Nc6 3. Bb5 1-0

[Event "c"]
[FEN "{FEN} b KQkq - 4 4"]
[SetUp "1"]

4... d5 5. exd5 *
"""


def test_a_book_in_pgn_gives_so_many_plies_of_each_game(tmp_path: Path) -> None:
    found = chess(tmp_path, "book.pgn", PGN, plies=3)
    assert Schedule(found).opening(0).moves == ("e4", "e5", "Nf3")
    second = Schedule(found).opening(1)
    assert (second.position, second.moves) == (f"{FEN} b KQkq - 4 4", ("d5", "exd5"))
    assert found.openings.places == (1, 7)
    first = next(InlineExecutor().map(evolve(found, plies=6), Schedule(found).games()))
    assert (first.opening, len(first.moves)) == (("e4", "e5", "Nf3"), 3)
    with pytest.raises(ConfigError, match=r"say how many plies .* @ openings\.plies"):
        chess(tmp_path, "book.pgn", PGN)
    with pytest.raises(ConfigError, match=r"Nf6.* @ openings\.file \(book\.pgn:7\)"):
        chess(tmp_path, "book.pgn", PGN.replace("exd5", "Nf6"), plies=3)


@pytest.mark.samples("random-*")
@pytest.mark.parametrize(("order", "first"), [("given", 0), ("random", None)])
def test_openings_are_tried_when_their_turn_comes(
    tmp_path: Path, order: str, first: int | None
) -> None:
    """A hundred are when the file is read, so that a large book can be."""
    (tmp_path / "nim.txt").write_text("1 2\n" * 100 + "1 9\n" * 100)
    table = file({"file": "nim.txt", "order": order})
    if first is None:
        with pytest.raises(ConfigError, match=r"9.* @ openings\.file \(nim\.txt:1\d\d\)"):
            parse(table, folder=tmp_path)
        return
    found = parse(table, folder=tmp_path)
    assert found.games == 200
    with pytest.raises(ConfigError, match=r"9.* @ openings\.file \(nim\.txt:101\)"):
        run(found, tmp_path / "out", InlineExecutor())
    assert (tmp_path / "out" / "report.md").exists()
    assert (tmp_path / "out" / "records.jsonl").read_text().count("\n") == 200


@pytest.mark.full
def test_a_book_that_is_larger_than_games_asks_for_count(tmp_path: Path) -> None:
    (tmp_path / "nim.txt").write_text("1 2\n" * 100_001)
    for games in ({}, {"games": 10}):
        with pytest.raises(ConfigError, match=r"100,001 openings.* count = .*@ openings\.count"):
            parse(file({"file": "nim.txt"}, **games), folder=tmp_path)
    with pytest.raises(ConfigError, match=r"leave 2 of 4 openings unplayed; write count = 2,"):
        parse(file({"lines": ["1", "2", "3", "1 1"]}, games=2))
    assert parse(file({"file": "nim.txt", "count": 10}), folder=tmp_path).games == 10
    test = file({"file": "nim.txt"}, sprt={"elo0": 0, "elo1": 9})
    assert len(parse(test, folder=tmp_path).openings.given) == 10_000


@pytest.mark.full
def test_a_million_positions_take_little(tmp_path: Path) -> None:
    """The figures are those of issue 55; numpy and dragon alone take 105 MB."""
    with (tmp_path / "book.epd").open("w") as book:
        for n in range(1_000_000):
            book.write(f"{FEN} w KQkq - {n % 40} {n % 99 + 4}\n")
    (tmp_path / "t.toml").write_text(
        'game = "chess"\nplies = 4\n[openings]\nfile = "book.epd"\ncount = 10\n'
        'order = "random"\n[[player]]\nsearch = "random"\n[[player]]\nsearch = "random"\n'
    )
    words = ("tournament", "t.toml", "--workers", "0", "--out", "out")
    # From a small process: what is told of a child begins with the memory of its parent.
    small = (
        "import os, sys; argv = sys.argv[1:]; pid = os.spawnv(os.P_NOWAIT, argv[0], argv)\n"
        "_, status, used = os.wait4(pid, 0); print(status, used.ru_maxrss)"
    )
    command = [sys.executable, "-c", small, sys.executable, "-m", "dragon", *words]
    found = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True)
    status, kilobytes = map(int, found.stdout.split()[-2:])
    assert status == 0, found.stderr
    assert 20_000 < kilobytes < 150_000
    assert (tmp_path / "out" / "tournament.json").stat().st_size < 100_000
    tournament = read(tmp_path / "t.toml")
    batch = Batch("run", tournament.pickled(), tuple(islice(Schedule(tournament).games(), 20)))
    assert len(pickle.dumps(batch)) < 20_000


def test_a_large_book_is_told_by_a_hash() -> None:
    lines = ["1 2 1"] * 10_000
    tables = [parse(file({"lines": some})).summary()["openings"] for some in (lines, lines[:-1])]
    assert [table["count"] for table in tables] == [10_000, 9_999]
    assert tables[0]["digest"] != tables[1]["digest"]
    assert len(str(tables)) < 200


@pytest.mark.parametrize(("openings", "reason", "address"), MISTAKES)
def test_a_mistake_has_reason_and_address(
    openings: dict[str, Any], reason: str, address: str, tmp_path: Path
) -> None:
    (tmp_path / "good.txt").write_text("1\n")
    (tmp_path / "empty.txt").write_text("# nothing\n\n")
    (tmp_path / "bytes.txt").write_bytes(b"\xff\xfe1\n")
    with pytest.raises(ConfigError) as caught:
        parse(file(openings), folder=tmp_path)
    (problem,) = caught.value.problems
    assert reason in problem
    assert problem.endswith(address)
