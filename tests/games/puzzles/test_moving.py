"""Sliding tiles, peg solitaire and sokoban against plain programs and what is known of them."""

from __future__ import annotations

from collections import deque
from functools import cache
from itertools import permutations
from pathlib import Path

import pytest

import dragon
from dragon import TERMINAL, BadNotation, Bound, ConfigError, IllegalMove

# ---- sliding tiles ----------------------------------------------------------------------------


def test_half_of_all_boards_can_be_solved() -> None:
    game, read = dragon.game("sliding(rows=2, columns=2)"), 0
    for tiles in permutations(range(4)):
        try:
            assert str(game.parse(" ".join(map(str, tiles)))) == "{} {}/{} {}".format(*tiles)
            read += 1
        except BadNotation as wrong:
            assert "cannot be solved" in str(wrong)  # noqa: PT017
    assert read == 12


@pytest.mark.parametrize(("text", "why"), [("1 2 3/4 5 5", "each tile once"),
                                           ("1 2 3/4 5", "each tile once"),
                                           ("1 2 3/4 0 5 gap=2", "not field=number"),
                                           ("2 1 3/4 5 0", "cannot be solved")])  # fmt: skip
def test_boards_that_are_none(text: str, why: str) -> None:
    with pytest.raises(BadNotation, match=why):
        dragon.game("sliding(rows=2, columns=3)").parse(text)


def test_tiles_beside_the_gap_slide() -> None:
    state = dragon.game("sliding(rows=2, columns=3)").parse("1 2 3/4 0 5")
    assert sorted(state.moves()) == ["2", "4", "5"]
    assert str(state.after("2")) == "1 0 3/4 2 5 made=1"
    with pytest.raises(IllegalMove):
        state.after("1")
    with pytest.raises(BadNotation, match="not a tile; write 1 to 5"):
        state.after("6")
    solved = state.after("5")
    assert (solved.turn, solved.payoff()) == (TERMINAL, (-1,))


def test_who_has_no_move_left_pays_one_more() -> None:
    game = dragon.game("sliding(rows=2, columns=2, most=2)")
    state = game.parse("3 1/2 0")
    for _ in range(2):
        state = state.after(state.moves()[0])
    assert (state.turn, state.payoff()) == (TERMINAL, (-3,))


def test_a_scramble_is_no_further_than_its_moves() -> None:
    game = dragon.game("sliding(rows=3, columns=3, scramble=8)")
    for seed in range(8):
        best = dragon.search("idastar(patterns=false)").best(game.start(seed))
        assert (-8 <= best.value < 0, best.bound) == (True, Bound.EXACT)


# ---- peg solitaire ----------------------------------------------------------------------------


@pytest.mark.parametrize(("depth", "count"), [(1, 4), (2, 12), (3, 60), (4, 400), (5, 2960),
                                              (6, 24_600), (7, 221_072)])  # fmt: skip
def test_ways_to_jump_are_as_many_as_is_known(depth: int, count: int) -> None:
    """Of the English board with the middle empty: sequences of jumps."""
    assert dragon.perft(dragon.game("peg_solitaire").start(), depth) == count


def test_positions_less_symmetry_are_as_many_as_is_known() -> None:
    layer, counts = [dragon.game("peg_solitaire").start()], []
    for _ in range(7):
        counts.append(len(layer))
        after = (state.after(move) for state in layer for move in state.moves())
        layer = list({state.key(): state for state in after}.values())
    assert counts == [1, 1, 2, 8, 39, 171, 719]


def test_the_central_game_is_solved_by_31_jumps() -> None:
    state = dragon.game("peg_solitaire").start()
    result = dragon.search("astar").best(state)
    assert (result.value, result.bound, len(result.line)) == (1, Bound.EXACT, 31)
    for move in result.line:
        state = state.after(move)
    assert str(state).count("o") == 1
    assert str(state).split("/")[3][3] == "o"


def test_the_last_peg_counts_where_it_should_be_alone() -> None:
    text = "--...--/--...--/...o.../...o.../......./--...--/--...--"
    for goal, paid in (("b4", 1), ("d4", 0), ("", 1)):
        state = dragon.game(f"peg_solitaire(goal='{goal}')").parse(text)
        assert sorted(state.moves()) == ["c4e4", "d4b4"]
        assert state.after("d4b4").payoff() == (paid,)


@pytest.mark.parametrize("setting", ["empty='a1'", "goal='h4'", "board='french'"])
def test_holes_that_are_none(setting: str) -> None:
    with pytest.raises(ConfigError, match=r"hole|'english'"):
        dragon.game(f"peg_solitaire({setting})")


# ---- sokoban ----------------------------------------------------------------------------------

STEPS = ((-1, 0), (0, -1), (0, 1), (1, 0))
Place = tuple[int, int]


@cache
def fewest_pushes(level: str) -> int | None:
    """The pushes that a level takes, step by step: steps cost nothing."""
    marks = {(r, c): m for r, row in enumerate(level.split("/")) for c, m in enumerate(row)}
    boxes = frozenset(place for place, m in marks.items() if m in "$*")
    goals = {place for place, m in marks.items() if m in ".*+"}
    start = boxes, next(place for place, m in marks.items() if m in "@+")
    far, ahead = {start: 0}, deque([start])
    while ahead:
        boxes, (r, c) = here = ahead.popleft()
        if boxes == goals:
            return far[here]
        for y, x in STEPS:
            to, behind = (r + y, c + x), (r + 2 * y, c + 2 * x)
            if marks[to] == "#" or (to in boxes and (marks[behind] == "#" or behind in boxes)):
                continue
            pushed = to in boxes
            after = (boxes - {to} | {behind} if pushed else boxes), to
            if far[here] + pushed < far.get(after, 1 << 30):
                far[after] = far[here] + pushed
                ahead.append(after) if pushed else ahead.appendleft(after)
    return None


@pytest.mark.parametrize("spec", ["astar", "breadth", "idastar(table=true)"])
def test_positions_of_the_level_take_as_many_pushes_as_a_plain_search_finds(spec: str) -> None:
    start = dragon.game("sokoban").start()
    assert fewest_pushes(str(start)) == 18
    for line, pushes in (((), 18), (("e4e3", "e3e4"), 16), (("e4e3", "e3e2"), None)):
        state = start
        for move in line:
            state = state.after(move)
        assert fewest_pushes(str(state).split()[0]) == pushes
        best = dragon.search(spec).best(state)
        assert best.value == (-401 if pushes is None else -len(line) - pushes)
        assert best.bound is Bound.EXACT


def test_levels_come_from_files(tmp_path: Path) -> None:
    file = tmp_path / "levels.txt"
    file.write_text(
        "; two levels\n\n#####\n#@$.#\n#####\n\nTitle: b\n####\n#.-#\n#$@#\n#_-#\n####\n"
    )
    game = dragon.game(f"sokoban(file={str(file)!r}, number=2)")
    assert str(game.start()) == "####/#.-#/#$@#/#--#/####"
    first = dragon.game(f"sokoban(file={str(file)!r})").start()
    assert first.after("b3b4").payoff() == (-1,)
    with pytest.raises(ConfigError, match="levels found there: 2"):
        dragon.game(f"sokoban(file={str(file)!r}, number=3)")
    with pytest.raises(ConfigError, match="cannot read"):
        dragon.game("sokoban(file='no such file')")


@pytest.mark.parametrize("level", ["#####|#@$ #|#####", "#####|#@*.#|#####", "####|#$.#|####", ""])
def test_levels_that_are_none(level: str) -> None:
    with pytest.raises(ConfigError, match="as many goals as boxes"):
        dragon.game(f"sokoban(level='{level}')")


def test_what_is_no_mark_of_a_level_is_refused() -> None:
    with pytest.raises(ConfigError, match="'x' is not a mark"):
        dragon.game("sokoban(level='#####|#@$.x|#####')")


def test_positions_of_another_level_are_refused() -> None:
    game = dragon.game("sokoban(level='#####|#@$.#|#####')")
    for text, why in (("#####/#-@*/#####", "other walls"), ("#####/#@-.#/#####", "1 boxes"),
                      ("#####/#-$.#/#####", "one player"), ("", "other walls")):  # fmt: skip
        with pytest.raises(BadNotation, match=why):
            game.parse(text)


@pytest.mark.parametrize("game", ["sliding(most=50)", "sokoban(most=50)"])
@pytest.mark.parametrize("made", [-1, 51, (1 << 63) - 1])
def test_no_more_has_been_made_than_one_may_make(game: str, made: int) -> None:
    build = dragon.game(game)
    with pytest.raises(BadNotation, match="made is from 0 to 50"):
        build.parse(f"{build.start()} made={made}")


def test_layers_end_in_time_though_each_is_soon_done() -> None:
    game = dragon.game("sliding(rows=6, columns=6, most=400)")
    beam = dragon.search("beam(width=100, patterns=false)")
    best = beam.best(game.start(), dragon.Limit(seconds=0.05))
    assert best.extra["depth"] < 400
