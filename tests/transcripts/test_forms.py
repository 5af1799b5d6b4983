"""Forms of whole games: what is written reads back, published games end as they did, and mistakes
are told with their places."""

from __future__ import annotations

from base64 import b64encode
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dragon
from dragon.commands.annotate import with_comments
from dragon.core import TERMINAL
from dragon.errors import BadNotation
from dragon.protocols import Form, Transcript
from dragon.transcripts import forms_of, read, write
from dragon.transcripts.replay import replayed
from dragon_boards.forms.gammon import DICE, ON_ROLL, POINTS

GAMES = (
    "chess", "checkers", "backgammon", "gomoku", "reversi", "hex(size=5)", "connect4", "tictactoe",
)  # fmt: skip

# The final of the World Othello Championship 2007 in Athens: Nicolet 35, Tominaga 29.
ATHENS = (
    "F5D6C5F4E3C6D3F6E6D7G4G3G6H3G5H4E7F7H5H6E8F3C4C7D8C8B8B4B6B5A4A5A6E2A3D2D1C1B1C2C3B2F2F1A1B3"
    "E1A2G1G2H1H2H7G7H8B7A8A7F8G8"
)


def form(game: Any, name: str) -> Form:
    """The form of a game that has this name."""
    return next(each for each in forms_of(game) if each.name == name)


def drawn(spec: str, seed: int, most: int = 400) -> Transcript:
    """A game of random moves."""
    game, random, moves = dragon.game(spec), Random(seed), []
    state = game.start()
    while state.turn != TERMINAL and len(moves) < most:
        move = random.choice(list(state.moves()))
        moves.append(str(move))
        state = state.after(move)
    return Transcript(str(game), tuple(moves), players=("Anna", "Ben"))


def last(spec: str, transcript: Transcript) -> Any:
    """The state at the end."""
    return replayed(dragon.game(spec), transcript).states[-1]


@pytest.mark.samples("1-checkers")
@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.parametrize("seed", [1, 2])
def test_what_a_form_writes_it_reads(spec: str, seed: int) -> None:
    game, played = dragon.game(spec), drawn(spec, seed)
    written = 0
    for each in forms_of(game):
        text = each.write(game, played)
        if text is None:
            continue
        written += 1
        (back,) = each.read(game, text)
        assert back.game == str(game)
        assert last(spec, back) == last(spec, played), each.name
        if each.name != "mat":  # which does not tell in what order two dice are played
            assert back.moves == played.moves
        if each.name not in ("moves", "hexworld"):
            assert back.players == played.players
    assert written


@pytest.mark.samples("gomoku", "chess")
@pytest.mark.parametrize("spec", ["chess", "gomoku", "hex(size=4)"])
def test_comments_and_tags_are_kept(spec: str) -> None:
    game = dragon.game(spec)
    played = with_comments(drawn(spec, 3, 9), {0: "before", 2: "a ] and } and \\", 9: "the end"})
    for name in ("pgn", "sgf"):
        if name in {each.name for each in forms_of(game)}:
            kept = Transcript(
                played.game, played.moves, tags={"Event": 'A "cup"'}, comments=played.comments
            )
            (back,) = form(game, name).read(game, form(game, name).write(game, kept) or "")
            assert back.tags["Event"] == 'A "cup"'
            assert set(back.comments) == {0, 2, 9}
            assert back.comments[9] == "the end"


def test_the_final_of_athens_ends_35_to_29() -> None:
    game = dragon.game("reversi")
    (found,) = form(game, "moves").read(game, ATHENS)
    assert last("reversi", found).payoff() == (6.0, -6.0)
    (again,) = form(game, "sgf").read(game, form(game, "sgf").write(game, found) or "")
    assert again.moves == found.moves


@pytest.mark.parametrize(
    ("text", "moves", "players"),
    [
        ("(;SZ[5]PB[b]PW[w];W[ba];B[swap];W[cd];B[ee])", ("a2", "c4", "e5"), ("w", "b")),
        ("(;GM[11]SZ[5]PB[b]PW[w];B[b1];W[swap-pieces];B[c4];W[e5])", ("a2", "c4", "e5"),
         ("w", "b")),
        ("(;GM[11]SZ[5]PB[b]PW[w];B[b1];W[swap-sides];B[c4];W[e5])", ("a2", "d3", "e5"),
         ("w", "b")),
        ("(;GM[11]SZ[5]PB[b]PW[w];B[b1];W[c4];B[e5])", ("a2", "d3", "e5"), ("b", "w")),
    ],
)  # fmt: skip
def test_a_swap_in_hex_is_a_game_without_one(
    text: str, moves: tuple[str, ...], players: tuple[str, ...]
) -> None:
    (found,) = form(dragon.game("hex"), "sgf").read(dragon.game("hex"), text)
    assert (found.moves, found.players) == (moves, players)


def test_links_of_hexworld_are_read_in_a_text() -> None:
    game = dragon.game("hex")
    text = "look at https://hexworld.org/board/#5c1,b1:sc4,e5 and #11n,a1:rw"
    first, second = form(game, "hexworld").read(game, text)
    assert (first.game, first.moves) == ("hex(size=5)", ("a2", "c4", "e5"))
    assert (second.game, second.moves, second.result) == ("hex", ("a1",), "B+R")


def test_a_record_that_names_another_game_is_not_read_as_this_one() -> None:
    """Games without a number of their own are exported with that of gomoku."""
    text = "(;GM[4]SZ[7:6]RU[connect4];B[df];W[de])"
    assert form(dragon.game("gomoku"), "sgf").read(dragon.game("gomoku"), text) == []
    kept = text.replace("RU[connect4]", "RU[freestyle]").replace("7:6", "15")
    (found,) = form(dragon.game("gomoku"), "sgf").read(dragon.game("gomoku"), kept)
    assert found.moves == ("d6", "d5")
    (sized,) = read('[Variant "reversi(size=6)"]\n\n1. e4 *', dragon.game("reversi"))
    assert (sized.game, sized.moves) == ("reversi(size=6)", ("e4",))
    with pytest.raises(BadNotation, match="and not of reversi"):
        read("[Variant \"reversi(size='6')\"]\n\n1. e4 *", dragon.game("reversi"))


def test_pgn_of_several_games_with_all_that_stands_between_moves() -> None:
    text = """\ufeff[Event "One"]\n[White "So, W"]\n[Black "M"]\n[Result "1-0"]\n
    1.e4! {best} e5 2. Nf3 $2 (2. f4 exf4 {so} (2... d5)) 2... Nc6 ; and so on
    3. Bb5 a6 e.p. 1-0

% an escape
    [Event "Two"]
    [FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 0 5"]

    5... Kd7 6. e4 *
    """
    game = dragon.game("chess")
    one, two = read(text, game)
    assert one.moves == ("e4", "e5", "Nf3", "Nc6", "Bb5", "a6")
    assert one.comments == {1: "! best", 3: "? (2. f4 exf4 {so} (2... d5))", 4: "and so on"}
    assert (one.players, one.result, one.tags["Event"]) == (("So, W", "M"), "1-0", "One")
    assert two.moves == ("Kd7", "e4")
    (again,) = read(write(game, two), game)
    assert (again.moves, again.start) == (two.moves, two.start)


CHECKERS = """[Event "An ending by numbers"]
[GameType "21"]
[Result "1-0"]
[SetUp "1"]
[FEN "W:W27,K30:B9,23"]

1. 27x18 9-14 2. 18x9 1-0
"""


def test_comments_around_a_game_are_no_games() -> None:
    text = '{intro}\n[Event "x"]\n\n1. e4 e5 1-0 {good}\n; more\n\n[Event "y"]\n\n1. d4 * {end}'
    one, two = read(text, dragon.game("chess"))
    assert (one.moves, one.tags["Event"], two.moves) == (("e4", "e5"), "x", ("d4",))
    assert (one.comments, two.comments) == ({0: "intro", 2: "good more"}, {1: "end"})
    assert [each.moves for each in read("1. e4 * 1. d4 *", dragon.game("chess"))] == [
        ("e4",),
        ("d4",),
    ]


def test_checkers_are_read_and_written_by_numbers() -> None:
    game = dragon.game("checkers")
    assert [str(m) for m in game.start().moves()][:7] == [
        "9-13", "10-14", "11-15", "12-16", "9-14", "10-15", "11-16",
    ]  # fmt: skip
    assert str(game.start().after("b6a5")) == str(game.start().after("9-13"))
    text = "B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29"
    state = game.parse(text)
    assert str(state).endswith(" B")
    assert str(game.parse(str(state))) == str(state)
    (found,) = read(CHECKERS, game)
    assert found.moves == ("27x18", "9-14", "18x9")
    pdn: Any = form(game, "pdn")
    assert pdn.fen(game.parse(found.start)) == "W:W27,K30:B9,23"


@pytest.mark.parametrize(
    ("start", "word", "moves"),
    [
        ("B:W6,14:B1", "1x10x17", ("1x10", "10x17")),
        ("B:W6,14:B1", "1x17", ("1x10", "10x17")),
        ("B:W6,7,14,15:BK2", "2x9x18x11x2", ("2x9", "9x18", "18x11", "11x2")),
    ],
)
def test_a_turn_of_several_jumps(start: str, word: str, moves: tuple[str, ...]) -> None:
    game = dragon.game("checkers")
    (found,) = read(f'[FEN "{start}"]\n\n1... {word} *', game)
    assert found.moves == moves
    assert f" {moves[0]}" in write(game, found)


def test_a_jump_that_two_ways_lead_to_is_ambiguous() -> None:
    with pytest.raises(BadNotation, match="write all its squares"):
        read('[FEN "B:W6,7,14,15:BK2"]\n\n1... 2x2 *', dragon.game("checkers"))


def test_a_match_of_backgammon() -> None:
    text = """ 7 point match

 Game 1
 Ann : 0                          Bo : 0
  1)                             64: 24/14
  2) 31: 6/5 8/5                 41: 6/5 13/9
  3) 66: 24/18(2) 13/7(2)         Doubles => 2
  4)  Takes                      63: 14/8 13/10
"""
    game = dragon.game("backgammon")
    (found,) = form(game, "mat").read(game, text)
    assert found.players == ("Bo", "Ann")
    assert found.moves[:3] == ("roll6-4", "24/18", "18/14")
    assert found.comments == {found.moves.index("roll6-6") + 5: "Doubles => 2 Takes"}
    assert last("backgammon", found).view["men"].sum() == 30


def id_of(s: Any) -> str:
    """Return the IDs of a record's position and of a game for money with its dice.

    Dice of which one has been played are those that are left; a match ID cannot say that.
    """
    bits: list[int] = []
    for side in (int(s.seat), 1 - int(s.seat)):
        for point in [*range(POINTS, 0, -1), 0]:
            bits += [1] * int(s.men[side][point]) + [0]
    dice = [die for die in range(1, 7) for _ in range(int(s.dice[die - 1]))]
    if len(dice) == 1:
        dice.append(0)
    match = [0] * 72
    match[4] = match[5] = 1  # a cube in the middle
    match[6] = match[ON_ROLL] = int(s.seat)
    match[8] = 1  # a game is being played
    for at, die in zip(DICE, dice[::-1], strict=False):
        for i in range(3):
            match[at + i] = die >> i & 1
    return f"{base64_of(bits + [0] * (80 - len(bits)))}:{base64_of(match)}"


def base64_of(bits: list[int]) -> str:
    data = sum(bit << at for at, bit in enumerate(bits)).to_bytes(len(bits) // 8, "little")
    return b64encode(data).decode().rstrip("=")


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("4HPwATDgc/ABMA", "4HPwATDgc/ABMA"),
        ("Position ID: 4HPwATDgc/ABMA\n Match ID   : 8IhuACAACAAE", "4HPwATDgc/ABMA"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:1:53:1:2:1:3:10", "4HPwATDgc/ABMA"),
        ("g9vBASSYZ8wBBg:cIkmAQAAAAAA", "g9vBASSYZ8wBBg"),
    ],
)
def test_ids_of_backgammon(text: str, position: str) -> None:
    state = dragon.game("backgammon").parse(text)
    assert id_of(state.record).partition(":")[0] == position
    assert state.view["dice"].sum() == (2 if ":" in text else 0)


def test_an_xgid_and_a_match_id_are_the_same_position() -> None:
    game = dragon.game("backgammon")
    one = game.parse("XGID=-b----E-C---eE---c-e----B-:0:0:1:53:1:2:1:3:10")
    two = game.parse("4HPwATDgc/ABMA:8IluACAACAAE")
    assert one == two


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6))
def test_an_id_reads_back(seed: int) -> None:
    game, random = dragon.game("backgammon"), Random(seed)
    state = game.start()
    for _ in range(random.randrange(1, 60)):
        if state.turn == TERMINAL:
            return
        state = state.after(random.choice(list(state.moves())))
    back = game.parse(id_of(state.record))
    assert (back.view["men"] == state.view["men"]).all()
    assert int(back.view["seat"]) == int(state.view["seat"])


@pytest.mark.parametrize(
    "text",
    [
        "FEN: {}", '[FEN "{}"]', "position fen {}", "`{}`", "{}; bm Rh3; id \"7\";",
        "see https://lichess.org/analysis/standard/{_}#5 there",
    ],
)  # fmt: skip
def test_a_fen_is_read_anywhere(text: str) -> None:
    fen = "8/8/8/8/8/4k3/8/4K2R w K - 0 1"
    pasted = text.replace("{_}", fen.replace(" ", "_")).replace("{}", fen)
    if ";" in pasted:
        pasted = pasted.replace(" 0 1;", "")
    assert str(dragon.game("chess").parse(pasted)) == fen


@pytest.mark.parametrize("text", ["8/8/8/8/8/4k3/8/4K2R w K - 0 1 hello", "two 8/8 w", "8/8/8/8 w"])
def test_what_is_no_fen_is_refused(text: str) -> None:
    with pytest.raises(BadNotation):
        dragon.game("chess").parse(text)


@pytest.mark.parametrize(
    ("spec", "text", "reason"),
    [
        ("chess", "1. e4 e5 2. Ke3 *", "game 1, line 1, move Ke3"),
        ("chess", '[Variant "Crazyhouse"]\n1. e4 *', "of 'Crazyhouse'"),
        ("chess", "1. e4 (1. d4 d5", "the variation that begins there does not end"),
        ("chess", "1. e4 ) e5", "closes no variation"),
        ("chess", '[FEN "8/8"]\n1. e4', "game 1, the tag FEN"),
        ("chess", "1. e4 ] e5", "is not PGN"),
        ("chess", "1. e4 ; e5\n2. Nf3 Nc6", "game 1, line 2: the number 2. is not the next one"),
        ("checkers", '[GameType "20"]\n1. 32-28 *', "of GameType '20'"),
        ("hex", "(;GM[11]SZ[5];B[c1];W[c9])", "not on a board of 5 columns"),
        ("hex", "(;GM[11]SZ[5];B[c1];B[c2])", "it is not the turn of B"),
        ("hex", "(;GM[11]SZ[5];W[c1])", "White moves first"),
        ("hex", "(;GM[11]SZ[99];B[c1])", "a board of 99 columns and 99 rows"),
        ("hex", "(;GM[11]SZ[five])", "is not a size"),
        ("hex", "(;GM[11]SZ[5];B[c1]", "its last"),
        ("hex", "(;GM[11]SZ[5];B[c1] what )", "is not SGF"),
        ("hex", "#5,a1z9", "not on a board of size 5"),
        ("hex", "#5,a1!b2", "is not a cell"),
        ("hex", "#5,a1b1:s", "only be the second move"),
        ("reversi", "f5f5", "move 2"),
        ("connect4", "4449", "move 4"),
        ("reversi", "f5d6 what", "move 3: 'what' does not begin with a move"),
        ("checkers", "1. 11-99 *", "99 is not a square"),
        ("checkers", '[FEN "W:W1,1:B2"]\n1. 1-5', "given twice"),
        ("gomoku", "Piskvorky 15x15, 0:0, 0\n16,1,0\n", "line 2, 16,1"),
        ("gomoku", "Piskvorky 15x15, 0:0, 0\n8,8,0\n9,x,0\n7,7,0\n", "line 3: '9,x,0' is not a"),
        (
            "backgammon",
            " Game 1\n A : 0      B : 0\n 1) 31: 8/5 6/5\nx 2) 31: 8/5",
            "line 4, Game 1: 'x 2) 31: 8/5' is not a turn",
        ),
        ("backgammon", " Game 1\n A : 0      B : 0\n 1) 31: 8/5 6/4", "it is not a legal move"),
        ("backgammon", " Game 1\n A : 0      B : 0\n 1) 33: 8/5", "cannot come here"),
        ("backgammon", " Game 1\n A : 0      B : 0\n 1) 31: 8/50", "8/50 leaves the board"),
        ("backgammon", " Game 1", "line 2: after 'Game 1' comes"),
        ("hex", "(;GM[11]SZ[5];B[c1];QW[c2])", "game 1, after move 1: SGF has no property QW[c2]"),
    ],
)
def test_a_mistake_has_its_place(spec: str, text: str, reason: str) -> None:
    with pytest.raises(BadNotation) as caught:
        read(text, dragon.game(spec))
    assert reason in str(caught.value)


@pytest.mark.full
@settings(max_examples=200, deadline=None)
@given(st.text('0123456789abcdefgh .-x/()[];:*{}"NBRQKOWS$%,\n#', max_size=60))
def test_garbage_is_refused_or_read_whole(text: str) -> None:
    """No form raises anything else than BadNotation, whatever it is given."""
    for spec in ("chess", "checkers", "backgammon", "gomoku", "reversi", "hex(size=5)", "connect4"):
        game = dragon.game(spec)
        for each in forms_of(game):
            try:
                each.read(game, text)
            except BadNotation:
                continue


class Odd(Form):
    """A form of a user's own."""

    name, title, suffix = "odd", "An odd form", ".odd"

    def suits(self, game: Any) -> bool:
        return game.name == "nim"

    def read(self, game: Any, text: str) -> list[Transcript]:
        return [Transcript(str(game), tuple(text.split(">")[1:]))] if text[:4] == "nim>" else []


def test_a_plugin_adds_a_form(monkeypatch: pytest.MonkeyPatch) -> None:
    from dragon import plugins

    given = [plugins.Offer("mine", Odd()), plugins.Offer("mine", "no form")]
    monkeypatch.setattr(plugins, "offers", lambda hook: iter(given))
    (found,) = read("nim>3>1", dragon.game("nim(pile=5)"))
    assert found.moves == ("3", "1")


MATE = "1. f3 e5 2. g4 Qh4#"
FIVE = "(;GM[4]SZ[15]{}PB[A]PW[B];B[aa];W[ab];B[ba];W[bb];B[ca];W[cb];B[da];W[db];B[ea])"


@pytest.mark.parametrize(
    ("spec", "text", "note"),
    [
        ("chess", f'[Result "1-0"]\n{MATE} 0-1', "1-0 and 0-1, and by the board it is 0-1."),
        ("chess", f'[Result "1-0"]\n{MATE}', "1-0, and by the board it is 0-1."),
        ("chess", f"{MATE} ½-½", "1/2-1/2, and by the board it is 0-1."),
        ("chess", '[Result "1-0"]\n1. e4 e5 0-1', "1-0 and 0-1."),
        ("chess", f'[Result "0-1"]\n{MATE} 0-1', ""),
        ("chess", f'[Result "*"]\n{MATE} 0-1', ""),
        ("chess", '[Result "1-0"]\n1. e4 e5 *', ""),
        ("chess", '[Result "½-½"]\n1. e4 e5 1/2-1/2', ""),
        ("gomoku", FIVE.format("RE[W+R]"), "W+R, and by the board it is B+."),
        ("gomoku", FIVE.format("RE[Draw]"), "Draw, and by the board it is B+."),
        ("gomoku", FIVE.format("RE[B+5]"), ""),
        ("gomoku", FIVE.format("RE[?]"), ""),
        ("gomoku", FIVE.format("RE[W+R]").replace(";B[ea]", ""), ""),
    ],
)
def test_a_result_that_contradicts_the_board_is_told(spec: str, text: str, note: str) -> None:
    (played,) = read(text, dragon.game(spec))
    said = played.comments.get(len(played.moves), "")
    assert said == (f"The result is written as {note}" if note else "")


def test_a_match_whose_winner_lost_on_the_board_is_told() -> None:
    game = dragon.game("backgammon")
    text = form(game, "mat").write(game, drawn("backgammon", 1, 10**4))
    assert text is not None
    assert not any("result" in said for said in read(text, game)[0].comments.values())
    (moved,) = read(text.replace("  Wins", " " * 40 + "Wins"), game)  # in the loser's column
    assert any("The result is written as" in said for said in moved.comments.values())
