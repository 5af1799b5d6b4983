"""Moves beside an equilibrium, held against pure strategies one by one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import dragon
from dragon import CHANCE, TERMINAL, State
from dragon.cli import main
from dragon.errors import ConfigError, DragonError
from dragon.transcripts.annotation import Equilibrium
from dragon.transcripts.replay import Replay
from dragon.web.play import Hand, Session, judged

Strategy = Mapping[str, Mapping[str, float]]
FIRST = ("J?", "Q?", "K?", "J? pass bet", "Q? pass bet", "K? pass bet")
SECOND = ("?J pass", "?Q pass", "?K pass", "?J bet", "?Q bet", "?K bet")


def value(state: State[Any], strategy: Strategy) -> float:
    """Return the payoff of the first seat where both play a strategy, by the tree."""
    if state.turn == TERMINAL:
        return state.payoff()[0]
    moves = state.moves()
    if state.turn == CHANCE:
        odds = dict(zip(map(str, moves), state.odds(), strict=True))
    else:
        odds = dict(strategy[str(state.seen(state.turn))])
    return sum(p * value(state.after(move), strategy) for move, p in odds.items() if p)


def best_of_second(strategy: Strategy) -> float:
    """Return what the second seat wins by the best of its 64 pure strategies."""
    start = dragon.game("kuhn").start()
    return max(
        -value(start, {**strategy, **{key: {move: 1.0} for key, move in zip(SECOND, pure,
                                                                             strict=True)}})
        for pure in product(("pass", "bet"), repeat=6)
    )  # fmt: skip


def replay_of(spec: str, *moves: str) -> Replay:
    states = [dragon.game(spec).start()]
    for move in moves:
        states.append(states[-1].after(move))
    return Replay(tuple(states), moves)


@pytest.fixture(scope="module")
def kuhn() -> Equilibrium:
    return Equilibrium(dragon.game("kuhn"), dragon.search("cfr"), 10.0)


def test_a_move_loses_what_the_tree_says(kuhn: Equilibrium) -> None:
    """The king gives up to a bet: against the equilibrium it loses 1 in the place of 2 won."""
    bluff, fold = kuhn.choices(replay_of("kuhn", "KJ", "pass", "bet", "pass")), None
    chosen = [each for each in bluff if each.seat == 0]
    assert [(each.ply, each.move) for each in chosen] == [(1, "pass"), (3, "pass")]
    assert chosen[0].loss == pytest.approx(0, abs=1e-3)
    fold = chosen[1]
    assert fold.policy["bet"] == pytest.approx(1)
    assert fold.worth == pytest.approx({"pass": -1, "bet": 2}, abs=1e-3)
    assert fold.loss == pytest.approx(3, abs=1e-3)
    # With the queen, a bet is called by the king alone, and the jack gives up: -2 and 1 in halves.
    bet, *_ = kuhn.choices(replay_of("kuhn", "QJ", "bet", "pass"))
    assert bet.worth["bet"] == pytest.approx(-0.5, abs=1e-3)


def test_an_exploiter_wins_what_the_best_of_all_pure_strategies_wins(kuhn: Equilibrium) -> None:
    hands = [("JQ", "bet", "pass"), ("JK", "bet", "bet"), ("JQ", "pass", "bet", "pass"),
             ("KQ", "pass", "bet", "pass"), ("QK", "pass", "pass")]  # fmt: skip
    replays = [replay_of("kuhn", *hand) for hand in hands]
    choices = [each for replay in replays for each in kuhn.choices(replay) if each.seat == 0]
    usual: dict[str, dict[str, float]] = {
        str(view): dict(zip(map(str, moves), kuhn.known.probabilities[first:], strict=False))
        for view, moves, first in zip(
            kuhn.form.views, kuhn.form.moves, kuhn.form.first, strict=True
        )
    }
    played = {**usual, "J?": {"bet": 2 / 3, "pass": 1 / 3}, "J? pass bet": {"pass": 1.0},
              "K?": {"pass": 1.0}, "K? pass bet": {"pass": 1.0}, "Q?": {"pass": 1.0}}  # fmt: skip
    won, chance = kuhn.exploited(choices, {0: len(hands)})
    assert won == pytest.approx(5 * (best_of_second(played) - best_of_second(usual)), abs=1e-9)
    assert won > chance > 0
    assert kuhn.exploited([], {0: 3}) == (0.0, 0.0)


def test_a_player_of_the_equilibrium_shows_what_chance_explains(kuhn: Equilibrium) -> None:
    """Over many games both figures come near nothing, by the game."""
    import numpy as np

    dice, choices = np.random.default_rng(2), []
    for _ in range(400):
        state, moves = dragon.game("kuhn").start(), list[str]()
        while state.turn != TERMINAL:
            legal = [*map(str, state.moves())]
            if state.turn == CHANCE:
                odds = [*state.odds()]
            else:
                number = kuhn.form.set_of(state.turn, (), state.seen(state.turn))
                first = kuhn.form.first[number]
                odds = kuhn.known.probabilities[first : first + len(legal)].tolist()
            moves.append(legal[int(dice.choice(len(legal), p=np.array(odds) / sum(odds)))])
            state = state.after(moves[-1])
        choices += [each for each in kuhn.choices(replay_of("kuhn", *moves)) if each.seat == 0]
    won, chance = kuhn.exploited(choices, {0: 400})
    assert won / 400 < 0.05
    assert chance / 400 < 0.05


def test_the_answer_of_the_page_is_of_the_persons_seats_alone(kuhn: Equilibrium) -> None:
    """A queen that bets after a pass gains nothing of the jack, and loses 1 more to the king."""
    hands = (
        Hand(moves=("JQ", "bet", "pass"), players=("human", "cfr")),
        Hand(moves=("KQ", " pass ", "bet", "pass"), players=("cfr", "human")),
    )
    *_, found = judged(Session(game="kuhn", hands=hands))
    assert [each["move"] for each in found["moves"]] == ["bet"]
    jack, king = (
        next(each.policy["pass"] for each in kuhn.choices(replay_of("kuhn", deal, "pass", "pass")))
        for deal in ("JQ", "KQ")
    )
    assert found["lost"] == pytest.approx([0, king / (jack + king)], abs=1e-2)
    assert found["exploiter"] >= 0
    assert found["exploitability"] < 1e-3


def annotated(path: Path, text: str, *words: str) -> Any:
    path.write_text(text)
    return CliRunner().invoke(main, ["annotate", str(path), *words])


@pytest.mark.full
def test_annotations_are_those_of_an_equilibrium_where_something_is_hidden(tmp_path: Path) -> None:
    text = "game: kuhn\nmoves:\nKQ\npass\nbet\npass\n"
    ran = annotated(tmp_path / "kuhn.txt", text)
    assert ran.stdout.splitlines()[-1].startswith("given away to an equilibrium: player 1 3.000")
    rows = json.loads(annotated(tmp_path / "kuhn.txt", text, "--json").stdout)["moves"]
    assert [(row["number"], row["mark"]) for row in rows] == [(2, None), (3, None), (4, "?")]
    assert rows[2]["policy"] == pytest.approx({"pass": 0, "bet": 1})
    assert (rows[2]["value"], rows[2]["best_value"]) == pytest.approx((-1, 2), abs=1e-3)
    written = annotated(tmp_path / "kuhn.txt", text, "--to", "dragon")
    assert written.exit_code == 0
    other = annotated(tmp_path / "phantom.txt", "game: phantom\nmoves:\na1\n", "--seconds", "0.1")
    assert "no equilibrium judges" in other.stderr


@pytest.mark.parametrize(
    ("game", "moves", "sentence"),
    [
        ("tictactoe", ("b2",), "needs hidden"),
        ("kuhn", ("KQ", "fold"), "move 2: .* @ request.hands"),
        ("liars_dice(dice=5)", (), "are the most that are kept"),
        ("ulti(cards='hidden')", (), "teams"),
    ],
)
def test_what_cannot_be_held_against_an_equilibrium_is_one_sentence(
    game: str, moves: tuple[str, ...], sentence: str
) -> None:
    hand = Hand(moves=moves, players=("human", "cfr"))
    with pytest.raises(DragonError, match=sentence):
        [*judged(Session(game=game, hands=(hand,)))]
    with pytest.raises((ConfigError, ValueError), match="at most 200"):
        Session(game="kuhn", hands=(hand,) * 201)
