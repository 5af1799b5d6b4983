"""Properties of every reader: it reads what is written, tells what is damaged, and never fails."""

from __future__ import annotations

import re
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dragon
from dragon.core import TERMINAL
from dragon.errors import BadNotation, DragonError
from dragon.protocols import Transcript
from dragon.transcripts import common, forms_of, read
from dragon.transcripts.replay import replayed

FORMS = {
    "chess": ("pgn",),
    "checkers": ("pdn",),
    "backgammon": ("mat",),
    "hex(size=5)": ("sgf", "hexworld"),
    "gomoku": ("sgf", "psq", "moves"),
    "reversi": ("sgf", "moves"),
    "connect4": ("moves",),
    "tictactoe": ("moves", "pgn"),
    "breakthrough": ("pgn",),
    "kuhn": ("dragon",),
}
CASES = [(spec, name) for spec, names in FORMS.items() for name in names]
CASES += [("chess", "dragon"), ("backgammon", "dragon")]
PLACE = re.compile(r"\bline \d|\bmove \d|\bmove \S|\bgame \d|'")
"""What says where a mistake is: a number, or the words that are wrong."""
SEEDS = st.integers(0, 10**6)
GARBAGE = st.text("?!~@&$|^_=+äqyzQXZ", min_size=1, max_size=5)
"""Signs of no move and of no comment: these would make another record, and a right one."""


@cache
def drawn(spec: str, seed: int, most: int) -> Transcript:
    """A game of random moves."""
    game, random, moves = dragon.game(spec), Random(seed), []
    state = game.start()
    while state.turn != TERMINAL and len(moves) < most:
        move = random.choice(list(state.moves()))
        moves.append(str(move))
        state = state.after(move)
    return Transcript(str(game), tuple(moves), players=("Anna", "Ben"))


def written(spec: str, name: str, played: Transcript) -> str:
    """A game in a form of its game, or in that of dragon."""
    if name == "dragon":
        return common(played)
    form = next(each for each in forms_of(dragon.game(spec)) if each.name == name)
    text = form.write(dragon.game(spec), played)
    assert text is not None
    return text


def moves_of(spec: str, text: str) -> tuple[str, ...]:
    """The moves of the first game of a text, each of them legal."""
    game = dragon.game(spec)
    found = read(text, game)
    assert found
    return replayed(dragon.game(found[0].game), found[0]).moves


def without_pass(moves: tuple[str, ...]) -> tuple[str, ...]:
    """The moves without a pass at the very end."""
    return moves[:-1] if moves[-1:] == ("pass",) else moves


@pytest.mark.samples("tictactoe*", "backgammon*")
@pytest.mark.parametrize(("spec", "name"), CASES)
@settings(max_examples=15, deadline=None)
@given(seed=SEEDS, most=st.integers(1, 60))
def test_what_is_written_reads_back(spec: str, name: str, seed: int, most: int) -> None:
    game, played = dragon.game(spec), drawn(spec, seed, most)
    (back,) = read(written(spec, name, played), game)
    ends = [replayed(game, each).states[-1] for each in (played, back)]
    if "pass" in map(str, ends[1].moves()):  # a pass at the very end is not written
        ends[1] = ends[1].after("pass") if played.moves[-1] == "pass" else ends[1]
    if "pass" in map(str, ends[0].moves()) and back.moves[-1:] == ("pass",):
        ends[0] = ends[0].after("pass")
    assert ends[0] == ends[1]
    if name != "mat":  # which does not tell in what order two dice are played
        assert without_pass(back.moves) == without_pass(played.moves)
    if name not in ("moves", "hexworld"):
        assert back.players == played.players


@pytest.mark.samples("checkers*")
@pytest.mark.parametrize(("spec", "name"), CASES)
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 3), at=st.integers(0, 10**6), garbage=GARBAGE)
def test_garbage_is_told_with_its_place_or_changes_nothing(
    spec: str, name: str, seed: int, at: int, garbage: str
) -> None:
    played = drawn(spec, seed, 12)
    text = written(spec, name, played)
    at %= len(text)
    before = moves_of(spec, text)
    try:
        after = moves_of(spec, text[:at] + garbage + text[at:])
    except DragonError as wrong:
        message = str(wrong)
    else:
        assert after == before
        message = "game 1"
    assert PLACE.search(message)


@pytest.mark.samples("backgammon*")
@pytest.mark.parametrize(("spec", "name"), CASES)
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 3), data=st.data())
def test_a_damaged_record_is_read_or_refused_and_nothing_else(
    spec: str, name: str, seed: int, data: st.DataObject
) -> None:
    text = written(spec, name, drawn(spec, seed, 20))
    for _ in range(data.draw(st.integers(1, 4))):
        i, j, k = sorted(data.draw(st.integers(0, len(text))) for _ in range(3))
        part = data.draw(st.sampled_from([
            "", text[j:k] + text[i:j], text[i:j] * 2, text[i:j].swapcase(), text[i:j][::-1],
            data.draw(st.text("0123456789abcdefgh .-x/()[];:*{}\"NBRQKOWS$%,\\\n#", max_size=8)),
        ]))  # fmt: skip
        text = text[:i] + part + text[k:]
    try:
        found = read(text, dragon.game(spec))
    except BadNotation:
        return
    for each in found:
        if name == "dragon":  # whose moves are read when they are replayed
            continue
        replayed(dragon.game(each.game), each)


POSITIONS = {
    "chess": "r3k2r/pp3ppp/8/3pP3/8/8/PP3PPP/R3K2R w KQkq d6 0 12",
    "checkers": "W:W18,24,K10:B12,16",
    "backgammon": "4HPwATDgc/ABMA:8IluACAACAAE",
}


@pytest.mark.samples(1)
@pytest.mark.parametrize("spec", POSITIONS)
@settings(max_examples=60, deadline=None)
@given(at=st.integers(0, 10**6), garbage=st.text("?~@|^=äyzZ", min_size=1, max_size=4))
def test_garbage_in_a_position_is_told_or_changes_nothing(spec: str, at: int, garbage: str) -> None:
    game, text = dragon.game(spec), POSITIONS[spec]
    at %= len(text)
    if spec == "backgammon":  # whose letters and digits are those of any other position
        garbage = re.sub("[a-zA-Z]", "?", garbage)
    damaged = text[:at] + garbage + text[at:]
    try:
        assert game.parse(damaged) == game.parse(text)
    except DragonError as wrong:
        message = str(wrong)
    else:
        message = damaged
    assert any(damaged[i : i + 8] in message for i in range(len(damaged) - 7))
