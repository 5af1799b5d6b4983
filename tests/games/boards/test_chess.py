"""Chess against counts and notations that other programs have found."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import dragon
from dragon import TERMINAL, AmbiguousMove, BadNotation, Bound, IllegalMove
from dragon.boards.clicks import next_clicks

PERFT = Path(__file__).parents[4] / "shared" / "facts" / "chess" / "perft.tsv"
CHESS = dragon.game("chess")
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def wrong(most: int) -> list[str]:
    """List the counts of perft up to `most` that differ from the file."""
    if not PERFT.exists():
        pytest.skip("the positions with counts are not beside this checkout")
    found = []
    for line in PERFT.read_text().splitlines():
        fen, counts = line.split("\t")
        state = CHESS.parse(fen)
        for depth, count in (map(int, pair.split(":")) for pair in counts.split()):
            if count <= most and (paths := dragon.perft(state, depth)) != count:
                found.append(f"{fen}, depth {depth}: {paths:,} paths, not {count:,}")
    return found


@pytest.mark.full
def test_there_are_as_many_paths_as_other_programs_count() -> None:
    assert not wrong(50_000)
    start = [dragon.perft(CHESS.start(), depth) for depth in range(6)]
    assert start == [1, 20, 400, 8902, 197281, 4865609]


@pytest.mark.full
def test_there_are_as_many_paths_in_full() -> None:
    assert not wrong(10**8)
    assert dragon.perft(CHESS.start(), 6) == 119_060_324


def test_a_game_reads_as_it_is_written_in_books() -> None:
    """Légal's mate."""
    state = CHESS.start()
    played = "e4 e5 Nf3 d6 Bc4 Bg4 Nc3 g6 Nxe5 Bxd1 Bxf7+ Ke7 Nd5#"
    for move in played.split():
        assert move in list(state.moves())
        state = state.after(move)
    fen = "rn1q1bnr/ppp1kB1p/3p2p1/3NN3/4P3/8/PPPP1PPP/R1BbK2R b KQ - 2 7"
    assert str(state) == f"{fen} after c3d5"
    assert (state.turn, state.payoff()) == (TERMINAL, (1, -1))


@pytest.mark.parametrize(
    ("fen", "spellings"),
    [
        (KIWIPETE, "O-O 0-0 e1g1 O-O!? e1h1"),
        (KIWIPETE, "Nxf7 Nf7 e5f7 e5xf7 Ne5xf7"),
        ("8/P6k/8/8/8/8/7K/8 w - - 0 1", "a8=Q a8Q a7a8q a7-a8=Q"),
        ("7k/8/8/8/8/1N6/8/KN3N2 w - - 0 1", "Nfd2 Nf1d2 f1d2"),
        ("7k/8/8/8/8/1N6/8/KN3N2 w - - 0 1", "N3d2 Nb3d2 b3d2"),
        ("rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3", "dxe3 d4e3 de3"),
    ],
)
def test_a_move_has_many_spellings(fen: str, spellings: str) -> None:
    state = CHESS.parse(fen)
    canonical, *others = spellings.split()
    assert canonical in list(state.moves())
    assert {state.after(spelling) for spelling in others} == {state.after(canonical)}


def test_mistakes_are_told() -> None:
    state = CHESS.parse("7k/8/8/8/8/1N6/8/KN3N2 w - - 0 1")
    with pytest.raises(AmbiguousMove, match="'Nd2' fits Nb1d2, Nfd2, N3d2"):
        state.after("Nd2")
    with pytest.raises(IllegalMove, match="Nh7 is not legal"):
        state.after("Nh7")
    with pytest.raises(BadNotation, match="write one like e4"):
        state.after("knight d2")


@pytest.mark.parametrize(
    ("fen", "reason"),
    [
        ("8/8/8/8/8/8/8/K7 w - - 0 1", "one king"),
        ("k7/8/8/8/8/8/8/K6P w - - 0 1", "on the first or the last rank"),
        ("k7/8/8/8/QQQQQ3/QQQQQ3/8/K7 w - - 0 1", "eight pawns"),
        ("k6R/8/8/8/8/8/8/K7 w - - 0 1", "the side that has moved is in check"),
        ("k7/1K6/8/8/8/8/8/8 b - - 0 1", "the kings are side by side"),
        ("kK6/8/8/8/8/8/8/7R w - - 0 1", "the kings are side by side"),
        ("k7/8/8/8/8/8/8/4K3 w K - 0 1", "its king and its rook"),
        ("k7/8/8/8/8/8/8/K7 w - e6 0 1", "no pawn has passed e6"),
        ("k7/8/8/8/8/8/8/K7 w - e3 0 1", "write a FEN"),
        ("k7/8/8/8/8/8/8/K7 w - - 1 1 after a3a2", "cannot be taken back"),
        ("k7/8/8/8/8/8/8/K7 w - - 0 1 after a7a8", "than its clock allows"),
        ("k7/8/8/8/8/8/K7 w - - 0 1", "8 rows"),
    ],
)
def test_a_position_that_cannot_be_is_refused(fen: str, reason: str) -> None:
    with pytest.raises(BadNotation, match=reason):
        CHESS.parse(fen)


PASTED = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


@pytest.mark.parametrize(
    "text",
    [
        f"look at {PASTED}", f"<{PASTED}>", f"**{PASTED}**", f"`{PASTED}`", f'[FEN "{PASTED}"]',
        f"position fen {PASTED}", f"({PASTED}).",
        "https://lichess.org/analysis/" + PASTED.replace(" ", "_"),
        "chess.com/analysis?fen=" + PASTED.replace("/", "%2F").replace(" ", "+") + "&flip=false",
        "chess.com/analysis?fen=" + PASTED.replace("/", "%2f").replace(" ", "%20"),
    ],
)  # fmt: skip
def test_a_position_is_read_wherever_it_was_pasted(text: str) -> None:
    assert CHESS.parse(text) == CHESS.parse(PASTED)


@pytest.mark.parametrize(
    "rest", ["moves e7e5", "please", "or so", "and 8/8/8/8/8/4k3/8/4K2R w K - 0 1"]
)
def test_words_after_a_position_are_named(rest: str) -> None:
    with pytest.raises(BadNotation, match=f"'{rest}' after the FEN .* is not understood"):
        CHESS.parse(f"{PASTED} {rest}")


def test_a_position_is_drawn_when_it_is_there_for_the_third_time() -> None:
    state = CHESS.start()
    for move in ["Nf3", "Nf6", "Ng1", "Ng8"] * 2:
        assert state.turn != TERMINAL
        state = state.after(move)
    assert (state.turn, state.payoff()) == (TERMINAL, (0, 0))
    before = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 8 5"
    assert str(state) == before + " after" + " g1f3 g8f6 f3g1 f6g8" * 2
    assert CHESS.parse(str(state)) == state
    assert CHESS.parse(before).turn == 0


def test_rights_that_are_lost_make_another_position() -> None:
    state = CHESS.parse("r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1")
    for move in ["Ke2", "Ke7", "Ke1", "Ke8"] * 2:
        state = state.after(move)
    assert state.after("Ke2").turn == 1  # for the first time Black could castle
    assert state.after("Ke2").after("Ke7").turn == TERMINAL


@pytest.mark.parametrize(
    ("fen", "move", "payoff"),
    [
        ("7k/8/5KQ1/8/8/8/8/8 w - - 99 80", "Qg7#", (1, -1)),
        ("7k/8/5KQ1/8/8/8/8/8 w - - 99 80", "Qg1", (0, 0)),
        ("7k/8/5K2/6Q1/8/8/8/8 w - - 0 80", "Qg6", (0, 0)),
    ],
)
def test_the_end(fen: str, move: str, payoff: tuple[int, int]) -> None:
    state = CHESS.parse(fen).after(move)
    assert (state.turn, state.payoff()) == (TERMINAL, payoff)


@pytest.mark.parametrize(
    ("fen", "line"),
    [
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", "Ra6+ f6 Bxf6+ Rg7 Rxa8#"),
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "Rd8#"),
    ],
)
def test_alphabeta_finds_mates(fen: str, line: str) -> None:
    best = dragon.search("alphabeta").best(CHESS.parse(fen), dragon.Limit(depth=5))
    assert (best.value, best.bound) == (1, Bound.EXACT)
    assert str(best.move) == line.split()[0]
    assert len(best.line) == len(line.split())


def test_nothing_is_searched_where_nobody_can_mate() -> None:
    for pieces in ("k7/8/8/8/8/8/8/K5N1", "k4b2/8/8/8/8/8/8/K1B5"):
        best = dragon.search("alphabeta").best(CHESS.parse(f"{pieces} w - - 0 1"))
        assert (best.value, best.bound) == (0, Bound.EXACT)
    bishops = CHESS.parse("k1b5/8/8/8/8/8/8/K1B5 w - - 0 1")
    assert bishops.solved() is None


@pytest.mark.parametrize(
    ("fen", "noisy"),
    [
        ("4k3/8/3p4/4p3/8/4R3/8/4K3 w - - 0 1", []),  # a pawn that a pawn protects
        ("4k3/8/8/4p3/8/4R3/8/4K3 w - - 0 1", ["Rxe5+"]),
        ("4k3/8/3p4/4n3/3P4/8/8/4K3 w - - 0 1", ["dxe5"]),  # a knight for a pawn
        ("4k3/4r3/8/4p3/8/4R3/4R3/3K4 w - - 0 1", ["Rxe5"]),  # one rook behind the other
        ("4k3/4r3/8/4p3/8/4R3/8/3K4 w - - 0 1", []),
        ("1n5k/P7/8/8/8/8/8/K7 w - - 0 1", ["axb8=Q+", "a8=Q"]),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", ["exd6"]),
        ("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", None),  # a check: all moves count
    ],
)
def test_noisy_moves_are_captures_that_lose_nothing_and_queens(fen: str, noisy: Any) -> None:
    found = CHESS.parse(fen).noisy()
    assert found == noisy or sorted(found) == sorted(noisy)


@pytest.mark.parametrize(
    ("fen", "passed"),
    [
        ("4k3/8/8/3pP3/8/8/8/N3K3 w - d6 3 9", "4k3/8/8/3pP3/8/8/8/N3K3 b - - 4 9"),
        ("4k2r/8/8/8/8/8/8/4K2R b Kk - 0 9", "4k2r/8/8/8/8/8/8/4K2R w Kk - 1 10"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 9", None),  # pawns alone
        ("4k3/8/8/8/8/8/4r3/4K2R w - - 0 9", None),  # a check
    ],
)
def test_a_pass_gives_the_turn_to_the_other_side(fen: str, passed: str | None) -> None:
    found = CHESS.parse(fen).skipped()
    assert (None if found is None else str(found)) == passed
    if found is not None:  # and the record is that of the position
        assert found.moves().codes.tolist() == CHESS.parse(passed).moves().codes.tolist()


def test_a_move_is_made_by_clicks() -> None:
    state = CHESS.parse("8/P4k2/8/8/8/8/8/4K2R w K - 0 1")
    assert set(next_clicks(CHESS, state).cells) == {"a7", "e1", "h1"}
    assert next_clicks(CHESS, state, ("e1", "g1")).move == "O-O+"
    assert set(next_clicks(CHESS, state, ("a7",)).cells) == {"a8"}
    assert set(next_clicks(CHESS, state, ("a7", "a8")).others) == {"a8=Q", "a8=R", "a8=B", "a8=N"}


def test_chess960_castles_from_anywhere() -> None:
    state = CHESS.parse("k7/8/8/8/8/8/8/1R3KR1 w KQ - 0 1")
    castled = {move: str(state.after(move)).split()[0] for move in ("O-O", "O-O-O")}
    assert castled == {"O-O": "k7/8/8/8/8/8/8/1R3RK1", "O-O-O": "k7/8/8/8/8/8/8/2KR2R1"}
    assert state.after("f1g1") == state.after("O-O")


@pytest.mark.parametrize("move", ["bxa1=N", "bxa1=Q"])
def test_a_capture_in_the_corner_is_not_one_in_passing(move: str) -> None:
    after = CHESS.parse("4k3/8/8/8/8/8/Pp6/R3K3 b - - 0 1").after(move)
    assert str(after).split("/")[6] == "P7"


def test_each_game_agrees_with_python_chess() -> None:
    """Positions, moves in SAN and ends of random games; where python-chess is installed."""
    chess = pytest.importorskip("chess", reason="python-chess is not installed")
    dice = random.Random(2018)
    for number in (1, 2):
        board = chess.Board() if number % 2 else chess.Board.from_chess960_pos(dice.randrange(960))
        state = CHESS.parse(board.fen())
        while state.turn != TERMINAL:
            assert str(state).split(" after ")[0] == board.fen(en_passant="legal")
            legal = list(board.legal_moves)
            assert sorted(state.moves()) == sorted(map(board.san, legal))
            move = dice.choice(legal)
            after = state.after(board.san(move))
            assert state.after(board.uci(move)) == after
            state = after
            board.push(move)
        mate, drawn = board.is_checkmate(), board.halfmove_clock >= 100 or board.is_repetition(3)
        assert mate or drawn or board.is_stalemate()
        assert state.payoff() == ((0, 0) if not mate else (-1, 1) if board.turn else (1, -1))
