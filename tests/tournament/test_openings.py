"""Openings: from lines, positions and files, in order or shuffled, the same for every seating."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

import dragon
from dragon import ConfigError
from dragon_classics.nim import Nim
from dragon_tournament.config.reading import parse, read
from dragon_tournament.executors.local import InlineExecutor
from dragon_tournament.openings import opening_of
from dragon_tournament.records.record import Record
from dragon_tournament.schedule import schedule

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
    found = [pairing.opening for pairing in schedule(same)]
    assert found == [pairing.opening for pairing in schedule(drawn)]
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
    pairings = list(schedule(tournament))
    assert len({p.id for p in pairings}) == 8
    for seats in {p.seats for p in pairings}:
        mine = [p.position for p in pairings if p.seats == seats]
        assert mine == POSITIONS * 2
    for record in InlineExecutor().map(tournament, schedule(tournament)):
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
        pairings = list(schedule(parse(table)))
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
    assert [p.opening for p in schedule(parse(file({"lines": LINES, "count": 2})))][::2] == given[
        :2
    ]


def test_old_ids_are_not_changed_by_what_is_new() -> None:
    """Records of before go on counting: a new key is in the id only where it is used."""
    (first, second) = schedule(parse(file({"lines": ["1 2"]})))
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
    [({"random": 3}, "random"), ({"lines": ["1", "1 1 1"], "count": 1}, "lines[1]")],
)
def test_an_opening_leaves_plies_to_be_played(openings: dict[str, Any], at: str) -> None:
    said = "3 plies leave none to be played, as plies = 3; raise plies"
    with pytest.raises(ConfigError, match=re.escape(f"{said} @ openings.{at}")):
        parse({**file(openings), "plies": 3, "games": 1})
    parse({**file(openings), "plies": 4, "games": 1})


def test_a_given_opening_is_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the same in every game where no luck is dealt; else once for each deal."""
    tried: list[int] = []

    def tries(tournament: Any, index: int) -> Any:
        tried.append(index)
        return opening_of(tournament, index)

    monkeypatch.setattr("dragon_tournament.config.reading.opening_of", tries)
    parse({**file({"lines": ["1", "2"]}), "games": 4000})
    assert tried == [0, 1]
    tried.clear()
    monkeypatch.setattr("dragon_tournament.config.reading.is_dealt", lambda game: True)
    parse({**file({"lines": ["1", "2"]}), "games": 7})
    assert tried == list(range(7))


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
