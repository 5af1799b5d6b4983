"""Proofs are replayed by the game alone: true ones hold, and a changed one is refused."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import Any

import attrs
import pytest

import dragon
from dragon import TERMINAL, Bound, Limit, SearchError, State
from dragon.certificate import Proof, read, write
from dragon.errors import BadProof
from dragon.modes import JIT
from dragon.search.dfpn.search import DfPn, certify, settle

pytestmark = pytest.mark.samples(1)

CLAIMS = [
    ("nim(pile=7)", Bound.LOWER, 1),
    ("nim(pile=8)", Bound.UPPER, -1),
    ("tictactoe", Bound.LOWER, 0),
    ("tictactoe", Bound.UPPER, 0),
    ("hex(size=3)", Bound.LOWER, 1),
    ("nex(rows=2, cols=3)", Bound.LOWER, 1),
    ("nex(rows=3, cols=2)", Bound.UPPER, -1),
    ("nex(rows=3, cols=3)", Bound.LOWER, 1),
]


def proof_of(spec: str, bound: Bound, value: float, **settings: Any) -> tuple[Proof, State[Any]]:
    game = dragon.game(spec)
    return certify(game, game.start(), bound, value, DfPn(**settings)), game.start()


@pytest.mark.parametrize(("spec", "bound", "value"), CLAIMS)
@pytest.mark.parametrize("megabytes", [1.0, 0.001])
def test_a_true_claim_has_a_proof(spec: str, bound: Bound, value: float, megabytes: float) -> None:
    proof, start = proof_of(spec, bound, value, megabytes=megabytes)
    assert proof.check(start) > len(proof.moves) > 0
    assert dragon.game(proof.game).parse(proof.position) == start


@cache
def worth_of(state: State[Any]) -> float:
    """Give the first seat's value, of two, by minimax; each position is looked at once."""
    if state.turn == TERMINAL:
        return state.payoff()[0]
    worths = [worth_of(state.after(move)) for move in state.moves()]
    return max(worths) if state.turn == 0 else min(worths)


@pytest.mark.parametrize(("spec", "bound", "value"), CLAIMS[:4] + CLAIMS[5:7])
def test_a_changed_move_is_refused_unless_it_is_as_good(
    spec: str, bound: Bound, value: float
) -> None:
    """Each position gets each other move: the proof holds on only where it has all that follows."""
    proof, start = proof_of(spec, bound, value)
    refused = 0
    for position, said in list(proof.moves.items())[:20]:
        here = dragon.game(spec).parse(position)
        for move in here.moves():
            if str(move) == said:
                continue
            other = attrs.evolve(proof, moves={**proof.moves, position: str(move)})
            worth = worth_of(here.after(move)) * (1 if start.turn == 0 else -1)
            enough = worth >= value if bound is Bound.LOWER else worth <= value
            if not enough:
                with pytest.raises(BadProof):
                    other.check(start)
                refused += 1
    assert refused > 0


def test_a_refusal_names_the_place() -> None:
    proof, start = proof_of("nim(pile=7)", Bound.LOWER, 1)
    assert proof.moves["7 A"] == "3"
    for changed, sentence in [
        ({"7 A": "2"}, "the proof has no move for 4 A"),
        ({"3 A": "1"}, "pays -1, but the claim is >= 1|no move for"),
        ({"7 A": "4"}, "plays 4 in 7 A, which is against the rules"),
        ({"7 A": "pass"}, "plays pass in 7 A, which is against the rules"),
    ]:
        with pytest.raises(BadProof, match=sentence):
            attrs.evolve(proof, moves={**proof.moves, **changed}).check(start)
    fewer = {position: move for position, move in proof.moves.items() if position != "3 A"}
    with pytest.raises(BadProof, match="no move for 3 A"):
        attrs.evolve(proof, moves=fewer).check(start)
    with pytest.raises(BadProof, match="about 7 A, not about 6 B"):
        proof.check(start.after(1))
    with pytest.raises(BadProof, match="not a value"):
        attrs.evolve(proof, bound=Bound.EXACT).check(start)


@attrs.frozen
class Circle(State[int]):
    """Round and round: neither side ever has to lose."""

    at: int = 0

    @property
    def turn(self) -> int:
        return TERMINAL if self.at == 9 else self.at % 2

    def moves(self) -> tuple[int, ...]:
        return () if self.at == 9 else (1,) if self.at else (1, 9)

    def after(self, move: int) -> Circle:
        return Circle(9 if move == 9 else (self.at + 1) % 2)

    def payoff(self) -> tuple[float, float]:
        return -1.0, 1.0

    def __str__(self) -> str:
        return str(self.at)


def test_a_strategy_that_goes_in_circles_proves_nothing() -> None:
    with pytest.raises(BadProof, match="0 comes again in one line"):
        Proof("circle", "0", Bound.LOWER, 1.0, {"0": "1"}).check(Circle())


def test_a_proof_is_not_made_of_luck() -> None:
    state = dragon.game("kuhn").start()
    with pytest.raises(BadProof, match="no seat is to move"):
        Proof("kuhn", str(state), Bound.LOWER, -2.0, {}).check(state)


def test_a_file_brings_it_back(tmp_path: Path) -> None:
    proof, start = proof_of("nex(rows=2, cols=3)", Bound.LOWER, 1)
    file = tmp_path / "nex-2x3.proof"
    write(file, [proof])
    (again,) = read(file)
    assert again == proof
    assert again.check(start) == proof.check(start)
    assert len(file.read_text().splitlines()) == len(proof.moves) + 1


@pytest.mark.parametrize(
    ("line", "text", "sentence"),
    [
        (0, '{"game": "nim"}', "line 1: 'proof' is missing"),
        (0, '{"proof": 2}', "line 1: a proof of version 2"),
        (
            0,
            '{"proof": 1, "game": "nim", "position": "7 A", "bound": ">=", "value": NaN}',
            "line 1: the value nan is not a payoff",
        ),
        (1, "nonsense", "line 2: "),
        (1, "[1]", "line 2: "),
        (2, '{"at": "3", "play": "1"}\n{"at": "3", "play": "1"}', "line 4: 3 has a move already"),
    ],
)
def test_a_file_that_is_no_proof_is_named_with_its_line(
    line: int, text: str, sentence: str, tmp_path: Path
) -> None:
    proof = Proof("nim(pile=7)", "7 A", Bound.LOWER, 1.0, {"7 A": "3", "2 A": "2"})
    lines = list(proof.lines())
    lines[line] = text
    file = tmp_path / "nim.proof"
    file.write_text("\n".join(lines))
    with pytest.raises(BadProof, match=sentence):
        read(file)


def test_nothing_is_proven_of_no_number() -> None:
    proof = Proof("nim(pile=7)", "7 A", Bound.LOWER, math.nan, {"7 A": "3", "2 A": "2"})
    with pytest.raises(BadProof):
        proof.check(dragon.game("nim(pile=7)").start())


def test_a_file_may_hold_several_proofs(tmp_path: Path) -> None:
    game = dragon.game("tictactoe")
    *_, found = settle(game, game.start())
    assert (found.low, found.high, [p.bound for p in found.proofs]) == (
        0, 0, [Bound.LOWER, Bound.UPPER],
    )  # fmt: skip
    file = tmp_path / "tictactoe.proof"
    write(file, found.proofs)
    assert read(file) == found.proofs
    assert [p.check(game.start()) for p in found.proofs] == found.positions
    assert [path.name for path in tmp_path.iterdir()] == ["tictactoe.proof"]


@pytest.mark.parametrize(
    ("spec", "value", "bounds"),
    [
        ("nim(pile=7)", 1, [Bound.LOWER]),
        ("nim(pile=8)", -1, [Bound.UPPER]),
        ("nex(rows=3, cols=2)", -1, [Bound.UPPER]),
    ],
)
def test_a_win_and_a_loss_have_one_proof(spec: str, value: int, bounds: list[Bound]) -> None:
    game = dragon.game(spec)
    steps: list[tuple[str, int]] = []

    def watch(doing: str, done: int, unit: str = "") -> None:
        steps.append((doing, done))

    *_, found = settle(game, game.start(), watch=watch)
    assert (found.low, found.high) == (value, value)
    assert [p.bound for p in found.proofs] == bounds
    assert found.move in game.start().moves()
    assert {doing for doing, _ in steps} == {"searching"}


def test_an_empty_file_is_no_proof(tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("")
    with pytest.raises(BadProof, match="is empty"):
        read(tmp_path / "empty")


def test_what_is_not_true_or_takes_too_much_is_not_proven() -> None:
    tictactoe = dragon.game("tictactoe")
    start = tictactoe.start()
    with pytest.raises(SearchError, match=r"not true that the seat to move .* gets >= 1"):
        certify(tictactoe, start, Bound.LOWER, 1)
    with pytest.raises(SearchError, match=r"not true that the seat to move .* gets <= -1"):
        certify(tictactoe, start, Bound.UPPER, -1)
    with pytest.raises(SearchError, match="the limit was reached"):
        certify(tictactoe, start, Bound.LOWER, 0, limit=Limit(nodes=50))
    with pytest.raises(SearchError, match="more than 20 positions"):
        certify(tictactoe, start, Bound.LOWER, 0, most=20)
    with pytest.raises(SearchError, match="one by one"):
        certify(tictactoe, start, Bound.EXACT, 0)
    with pytest.raises(SearchError, match="the game is over"):
        certify(tictactoe, tictactoe.parse("XXX/OO./... O"), Bound.LOWER, 0)


def test_a_proof_in_plain_python_is_one_too(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled, start = proof_of("nex(rows=2, cols=3)", Bound.LOWER, 1)
    monkeypatch.setattr(JIT, "value", "0")
    plain, _ = proof_of("nex(rows=2, cols=3)", Bound.LOWER, 1)
    assert plain == compiled
    assert plain.check(start) > 0


def test_either_side_can_speak_for_itself() -> None:
    """The second to move proves what it gets, and what the other does not."""
    game = dragon.game("nim(pile=7)")
    state = game.start().after(1)
    assert dragon.search("exhaustive").best(state).value == 1.0
    assert certify(game, state, Bound.LOWER, 1).check(state) > 1
    lost = game.start().after(3)
    assert certify(game, lost, Bound.UPPER, -1).check(lost) > 1


@pytest.mark.full
def test_seats_of_one_team_prove_together() -> None:
    spec = "ulti(contract='forty_hundred', trump='B', objective='points')"
    game = dragon.game(spec)
    state = game.start(3)
    random = dragon.bits.Random(4)
    for _ in range(22):
        state = state.after(state.sample(random))
    value = dragon.search("dfpn").best(state).value
    for bound in (Bound.LOWER, Bound.UPPER):
        assert certify(game, state, bound, value).check(state) > 1


def test_blank_lines_are_skipped_and_other_values_are_told(tmp_path: Path) -> None:
    file = tmp_path / "edited.proof"
    claim = '{"proof": 1, "game": "nim", "position": "3 A", "bound": ">=", "value": 1}'
    file.write_text(claim + "\n\n" + '{"at": "3 A", "play": "3"}' + "\n \n")
    assert [dict(proof.moves) for proof in read(file)] == [{"3 A": "3"}]
    file.write_text("[1]\n")
    with pytest.raises(BadProof, match="line 1: not an object"):
        read(file)
