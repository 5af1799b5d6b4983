"""Sliding tiles, peg solitaire and sokoban against plain programs and what is known of them."""

from __future__ import annotations

import random
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


@pytest.mark.parametrize(("text", "why"), [
    ("1 2 3/4 5 5", "each tile once"), ("1 2 3/4 5", "each tile once"),
    ("1 2/3 4 5 0", "in rows of 3"), ("1 2 3/4 5 0/", "in rows of 3"),
    ("1 2 3/4 5 \u0660", "row 2, column 5: '\u0660' is not a tile"),
    ("1 2 3\n4 x 5", "row 2, column 3: 'x' is not a tile; write 1 to 5, and 0 or . for"),
    ("1 2 3\n\n4 5 9" + 5000 * "9", "row 2, column 5: '9"),
    ("1 2 3 4 5 0 made=1 made=2", "a second time"), ("made=1 1 2 3 4 5 0", "each tile once"),
    ("1 2 3 4 5 0 made=1 7", "not field=number"), ("1 2 3/4 0 5 gap=2", "not field=number"),
    ("2 1 3/4 5 0", "cannot be solved"),
])  # fmt: skip
def test_boards_that_are_none(text: str, why: str) -> None:
    with pytest.raises(BadNotation, match=why):
        dragon.game("sliding(rows=2, columns=3)").parse(text)


@pytest.mark.parametrize("text", [
    "1 2 3\n4 0 5\n", "  1  2  3\r\n  4  .  5", "1\t2\t3\n4\t\t0\t5", "1, 2, 3, 4, _, 5",
    "+---+---+---+\n| 1 | 2 | 3 |\n+---+---+---+\n| 4 | . | 5 |\n+---+---+---+\n", "1 2 3/\n4 - 5",
    "1 2 3\n\n4 0 5 made=0",
])  # fmt: skip
def test_boards_of_tiles_are_read_as_people_write_them(text: str) -> None:
    game = dragon.game("sliding(rows=2, columns=3)")
    assert str(game.parse(text)) == "1 2 3/4 0 5"


@pytest.mark.full
def test_what_is_drawn_is_read_back() -> None:
    for name in ("sliding", "peg_solitaire", "peg_solitaire(board='european')"):
        game = dragon.game(name)
        state = game.start(3)
        for _ in range(4):
            assert [*game.parse(game.draw(state)).moves()] == [*state.moves()]
            state = state.after(state.moves()[0])


def test_boards_of_pegs_are_read_as_people_write_them() -> None:
    game = dragon.game("peg_solitaire")
    start = str(game.start())
    lines = start.replace("-", " ").split("/")
    for text in ("\n".join(lines), "\r\n".join(map(str.rstrip, lines)), start + "\n"):
        assert str(game.parse(text)) == start
    for text, why in ((start.replace("o.o", "o.x"), "row 4, column 5: 'x' is not a mark"),
                      ("\t" + start[2:], "row 1, column 1: a tab is not a mark"),
                      (start + "/ooo", "not this board"), ("", "not this board"),
                      (start[1:], "not this board")):  # fmt: skip
        with pytest.raises(BadNotation, match=why):
            game.parse(text)


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


@pytest.mark.full
def test_a_scramble_is_no_further_than_its_moves() -> None:
    game = dragon.game("sliding(rows=3, columns=3, scramble=8)")
    for seed in range(8):
        best = dragon.search("idastar(patterns=false)").best(game.start(seed))
        assert (-8 <= best.value < 0, best.bound) == (True, Bound.EXACT)


# ---- peg solitaire ----------------------------------------------------------------------------


@pytest.mark.parametrize(("depth", "count"), [(1, 4), (2, 12), (3, 60), (4, 400), (5, 2960),
                                              (6, 24_600), (7, 221_072)])  # fmt: skip
def test_ways_to_jump_are_as_many_as_is_known(depth: int, count: int) -> None:
    """Sequences of jumps on the English board with the middle empty."""
    assert dragon.perft(dragon.game("peg_solitaire").start(), depth) == count


@pytest.mark.full
def test_positions_less_symmetry_are_as_many_as_is_known() -> None:
    layer, counts = [dragon.game("peg_solitaire").start()], []
    for _ in range(7):
        counts.append(len(layer))
        after = (state.after(move) for state in layer for move in state.moves())
        layer = list({state.key(): state for state in after}.values())
    assert counts == [1, 1, 2, 8, 39, 171, 719]


@pytest.mark.full
def test_the_central_game_is_solved_by_31_jumps() -> None:
    state = dragon.game("peg_solitaire").start()
    result = dragon.search("astar").best(state)
    assert (result.value, result.bound, len(result.line)) == (1, Bound.EXACT, 31)
    for move in result.line:
        state = state.after(move)
    assert str(state).count("o") == 1
    assert str(state).split("/")[3][3] == "o"


@pytest.mark.full
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


@pytest.mark.full
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


def random_level(rng: random.Random) -> str:
    """A small level with walls at random; boxes and goals may be out of the player's reach."""
    rows, columns = rng.choice([(1, 7), (3, 5), (4, 4), (4, 5)])
    marks = [rng.choice("    #") for _ in range(rows * columns)]
    things = rng.choice(["@$ .", "@$*.", "+$ *", "@$$.."])
    for place, mark in zip(rng.sample(range(rows * columns), len(things)), things, strict=True):
        marks[place] = mark
    inner = ["".join(marks[r * columns : (r + 1) * columns]) for r in range(rows)]
    wall = "#" * (columns + 2)
    return "|".join([wall, *(f"#{row}#" for row in inner), wall])


def agrees_with_a_plain_search(level: str) -> int | None:
    game = dragon.game({"name": "sokoban", "level": level})
    start = game.start()
    assert str(start) == level.replace("|", "/").replace(" ", "-")
    assert game.parse(str(start)) == start
    assert start.picture() == level.replace("|", "\n")
    best, fewest = dragon.search("breadth").best(start), fewest_pushes(level.replace("|", "/"))
    assert (best.value, best.bound) == (-401 if fewest is None else -fewest, Bound.EXACT)
    return fewest


@pytest.mark.full
@pytest.mark.parametrize(("level", "pushes"), [
    ("########|#@$.#$.#|########", None), ("########|#@$ #*.#|########", None),
    ("########|#@$.#* #|########", 1), ("*###*|#@$.#|*###*", 1), ("#####|#@*##|##  #|#####", 0),
    ("######|#@ $.#|###  #|#*####|######", 1), (" $ #####|#  #@$.#|#.######", None),
])  # fmt: skip
def test_a_box_out_of_reach_is_part_of_the_level(level: str, pushes: int | None) -> None:
    game = dragon.game({"name": "sokoban", "level": level})
    best = dragon.search("astar").best(game.start())
    assert (best.value, best.bound) == (-401 if pushes is None else -pushes, Bound.EXACT)
    assert game.parse(str(game.start())) == game.start()
    assert game.start().picture() == level.replace("|", "\n")


@pytest.mark.full
def test_levels_at_random_agree_with_a_plain_search() -> None:
    rng, found = random.Random(7), list[int | None]()
    while len(found) < 8:
        found.append(agrees_with_a_plain_search(random_level(rng)))
    assert None in found
    assert 1 in found


@pytest.mark.full
def test_many_levels_at_random_agree_with_a_plain_search() -> None:
    rng = random.Random(7)
    found = [agrees_with_a_plain_search(random_level(rng)) for _ in range(60)]
    assert sum(pushes is None for pushes in found) > 20
    assert len(set(found)) > 4


ONE, TWO = "#####\n#@$.#\n#####", "######\n#. $@#\n######"


def read_from(file: Path, text: str, number: int) -> str:
    file.write_text(text)
    return str(dragon.game({"name": "sokoban", "file": str(file), "number": number}).start())


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


@pytest.mark.parametrize("between", [
    "\n\n", "\nTitle: a\nAuthor: #1 of b\n", "\n------\n", "\n; ##\n\n: # :\n",
    "\n\n##########\n\n", "\n\n##########\n# Title  #\n\n", "\n\n...\n", "\nSolution\nrR\n\n",
    "\r\n\r\n# 2\r\n", f"\nComment:\n{ONE}\nComment-End:\n", "\n--------------\n", "\n\n-----\n\n",
    "\n- - - -\n", "\n+-----+\n", "\n_____\n", "\n=====\n", "\n~~~~~\n", "\n*****\n", "\n.....\n",
])  # fmt: skip
@pytest.mark.parametrize("first", [ONE, "5#|#pb.#|5#|", "2(2#)#|#@$.#\n5#"])
def test_levels_stand_between_other_lines(tmp_path: Path, first: str, between: str) -> None:
    text = f"::: File\n\n{first}{between}{TWO}\n"
    for number, level in enumerate((ONE, TWO.replace(" ", "-")), 1):
        assert read_from(tmp_path / str(number), text, number) == level.replace("\n", "/")


def test_rows_of_floor_and_of_boxes_on_goals_belong_to_a_level(tmp_path: Path) -> None:
    found = read_from(tmp_path / "a", f"* *\n -- \n\n #\n# #\n-\n{ONE}\n*###*\n", 1)
    assert found == "-#/#-#//" + ONE.replace("\n", "/") + "/*###*"


@pytest.mark.parametrize(("text", "number", "why"), [
    ("######\n#@$ .#\n#   x#\n#  $.#\n######\n", 1, r"line 3, column 5: 'x' is not a mark"),
    ("######\n#@$ .#\n#  \t #\n#  $.#\n######\n", 1, r"line 3, column 4: a tab is not"),
    ("######\n#@$ .#\n#    \n#  $.#\n######\n", 1, r"line 6: the rows end, but"),
    ("######\n#@$ .#\nmiddle\n#  $.#\n######\n", 1, r"line 3: 'middle' is not a row, but"),
    ("#####\n#@$.\n#####\n------\n" + ONE, 1, r"line 4: '------' is not a row, but the level that"),
    ("#####\n#-$.#\n#####\n------\n" + ONE, 1, r"0 players, 1 boxes and 1 goals"),
    ("#####x\n#@$.#\n#####\n", 1, r"begins on line 2 .* \(line 1, '#####x', is not a row\)"),
    ("######\n#@$ .#\n\n#  $.#\n######\n\n" + ONE, 2, r"line 3: the rows end, but"),
    ("5#\n#@$.3\n5#\n", 1, r"line 2, column 1: '#@\$.3' is not a row;"),
    ("5#|#@$.3(#|5#\n", 1, r"line 1, column 1: '#@\$.3\(#' is not a row; write runs as"),
    ("###\n9999(9999#)\n", 1, r"levels found there: 0"),
    ("5#\n#@$.#\n9999(9999#)\n", 1, r"line 3, column 1: the row is longer than 200 cells"),
])  # fmt: skip
def test_a_line_of_a_level_that_is_not_understood_is_told(
    tmp_path: Path, text: str, number: int, why: str
) -> None:
    with pytest.raises(ConfigError, match=why):
        read_from(tmp_path / "a", text, number)


def test_a_level_with_a_mistake_keeps_its_number(tmp_path: Path) -> None:
    text = f"#####\n#@$,#\n#  .#\n#####\n\n{ONE}\n"
    with pytest.raises(ConfigError, match="line 2, column 4: ','"):
        read_from(tmp_path / "a", text, 1)
    assert read_from(tmp_path / "b", text, 2) == ONE.replace("\n", "/")


@pytest.mark.parametrize(("level", "why"), [
    ("#####|#@$.|#####", "walk off the level at row 2, column 4"),
    ("@|#####|# $.#|#####", "walk off"), ("#####|#@$.#|#####|text", "row 4, column 1: 't'"),
    ("#####|#@$.#|#####|#@$.#", "2 players, 2 boxes"),
    ("######|#@$..#|######", "1 boxes and 2 goals"),
    ("#######|#@$$. #|#######", "2 boxes and 1 goals"),
])  # fmt: skip
def test_levels_that_are_not_whole_are_refused(level: str, why: str) -> None:
    with pytest.raises(ConfigError, match=why):
        dragon.game({"name": "sokoban", "level": level})


@pytest.mark.parametrize("level", ["#####|#@$ #|#####", "#####|#@*.#|#####", "####|#$.#|####", ""])
def test_levels_that_are_none(level: str) -> None:
    with pytest.raises(ConfigError, match="as many goals as boxes"):
        dragon.game(f"sokoban(level='{level}')")


def test_what_is_no_mark_of_a_level_is_refused() -> None:
    with pytest.raises(ConfigError, match="row 2, column 5: 'x' is not a mark"):
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
