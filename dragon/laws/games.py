"""The laws of games and their states, by Rules or not."""

from __future__ import annotations

import copy
import math
import os
import pickle
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice, pairwise
from typing import Any

from attrs import fields, frozen, has

from dragon.bits import Random
from dragon.core import CHANCE, TERMINAL, Game, State, Trait
from dragon.errors import GameError
from dragon.laws.kit import (
    DEALS,
    GAMES,
    PATIENCE,
    SECONDS,
    LawBroken,
    all_states,
    at_end,
    before_end,
    expect,
    fresh,
    game_law,
    has_rules,
    of_effort,
    of_seat,
    random_game,
    reads_back,
    some,
    state_law,
    unlikely,
    walk,
    within,
)
from dragon.laws.whole import every
from dragon.rules.evaluator import compiled_of, interpreted_of
from dragon.rules.record import RecordGame, RecordState, defines, rules_of

LONG = 300
"""Plies of a game in which a repetition is looked for,"""
TRIED = 12
"""and moves of each that are tried for it."""
LEAST_PLIES = 5
"""The least states of a game by which a number is recognised as a count of plies."""
DRAWS = 2000
"""Samples at a state where chance decides,"""
ROLLS = 6
"""and how many such states are looked at."""


def _face(state: State[Any]) -> tuple[Any, ...]:
    """Return all observable properties of a state."""
    moves = sorted(str(m) for m in some(state.moves(), 50))  # their order has its own law
    return str(state), state.turn, state.key(), moves


@game_law()
def law_the_spec_reads_back(game: Game[Any], seed: int) -> None:
    """The text of a game, read as a spec, is the same game."""
    reads_back(game)


@game_law()
def law_a_seed_fixes_the_start(game: Game[Any], seed: int) -> None:
    """A seed always deals the same first state."""
    for number in range(seed, seed + 3):
        first, second = game.start(number), game.start(number)
        expect(first == second, f"twice {first} from seed {number}", second)


@game_law()
def law_games_end(game: Game[Any], seed: int) -> None:
    """Every random game comes to an end, after no more plies than its rules allow."""
    for number in range(3):
        start = game.start(seed + number)
        states = list(random_game(game, start, random.Random(number)))
        last, plies = states[-1], len(states) - 1
        longest = start.rules.plies if isinstance(start, RecordState) else PATIENCE - 1
        expect(plies <= longest, f"an end after at most {longest} plies",
               f"play goes on after {plies - 1}", last)  # fmt: skip


@game_law()
def law_traits_tell_the_truth(game: Game[Any], seed: int) -> None:
    """SOLO is one seat, DUEL two teams, chance decides only in a game with CHANCE, and a view is
    less than the state only in one with HIDDEN."""
    traits, seats, sides = game.traits, len(game.teams), len(set(game.teams))
    shown = f"{', '.join(sorted(map(str, traits))) or 'none'}, with teams {game.teams}"
    expect((Trait.SOLO in traits) == (seats == 1), "SOLO if and only if there is one seat", shown)
    expect(Trait.DUEL not in traits or sides == 2, "DUEL only with two teams", shown)
    for state in walk(game, seed):
        expect(state.turn != CHANCE or Trait.CHANCE in traits, "the trait CHANCE", shown, state)
        if state.turn >= 0 and Trait.HIDDEN not in traits:
            view = state.seen(state.turn)
            expect(view == state, f"the trait HIDDEN, since seat {state.turn} sees {view}", shown,
                   state)  # fmt: skip


@game_law()
def law_only_repetition_recurs(game: Game[Any], seed: int) -> None:
    """In a game without the trait REPETITION no key recurs from ply to ply of one game, nor does
    anything else, except a count of plies."""
    if Trait.REPETITION in game.traits:
        return
    for number in range(of_effort(GAMES)):
        played = random_game(game, game.start(seed + number), random.Random(number))
        states = list(islice(played, LONG))
        counts = _counts_of_plies(states)
        before: dict[Any, State[Any]] = {}
        for state in states:
            if state.turn == TERMINAL:
                break
            before |= dict.fromkeys(_names(state, counts), state)
            for after in map(state.after, some(state.moves(), TRIED)):
                names = _names(after, counts) if after.turn != TERMINAL else {}
                for name, what in names.items():
                    first = before.get(name)
                    again = first and (name == after.key() or _go_on_alike(first, after, counts))
                    expect(not again, f"{what.wanted}the trait REPETITION",
                           f"the {what.seen} {first}, from which play leads here",
                           after)  # fmt: skip


@frozen
class _Name:
    """A value that states share, with the message for two states that do."""

    wanted: str
    seen: str


def _names(state: State[Any], counts: tuple[str, ...]) -> dict[Any, _Name]:
    """Return the values that a repetition of a state would share with it."""
    names: dict[Any, _Name] = {}
    if key := state.key():  # those of 0 are not kept
        names[key] = _Name("another key than before, or ", "key of")
    if counts:
        seen = f"position (except {', '.join(counts)}) of"
        names[state.turn, _rest(state, counts)] = _Name("", seen)
    return names


def _rest(state: State[Any], counts: tuple[str, ...]) -> str:
    return str({name: value for name, value in _parts(state).items() if name not in counts})


def _go_on_alike(one: State[Any], other: State[Any], counts: tuple[str, ...]) -> bool:
    """Return True if equal moves lead to states that differ by the counts alone, if at all.

    A count may be the place of the next move in a list, where a move of code 0 changes nothing.
    """
    if [*map(str, one.moves())] != [*map(str, other.moves())]:
        return False
    tried = some(one.moves(), TRIED)
    return all(_rest(one.after(m), counts) == _rest(other.after(m), counts) for m in tried)


def _parts(state: State[Any]) -> dict[str, Any]:
    """Return the parts of a state by name, if they can be read."""
    if isinstance(state, RecordState):
        return {name: state.view[name].tolist() for name in state.view.dtype.names}
    kind: Any = type(state)
    own = fields(kind) if has(kind) else ()
    return {each.name: getattr(state, each.name) for each in own if each.eq}


def _counts_of_plies(states: list[State[Any]]) -> tuple[str, ...]:
    """Return the parts of states that change by a constant at each ply; none if all parts do."""
    parts = [_parts(state) for state in states]
    if len(parts) < LEAST_PLIES:
        return ()
    counts = []
    for name, first in parts[0].items():
        if all(isinstance(each.get(name), int) for each in parts):
            step = parts[1][name] - first
            if step and all(b[name] - a[name] == step for a, b in pairwise(parts)):
                counts.append(name)
    return tuple(counts) if len(counts) < len(parts[0]) else ()


def _nature(state: State[Any]) -> tuple[Any, ...]:
    """Return everything on which play from a state depends."""
    over = state.turn == TERMINAL
    return state.turn, sorted(map(str, some(state.moves(), 50))), state.payoff() if over else None


@game_law()
def law_equal_states_are_alike(game: Game[Any], seed: int) -> None:
    """Equal states have the same turn, moves and payoff."""
    if isinstance(game, RecordGame):  # whose states are equal by all that they hold
        return
    first: dict[State[Any], State[Any]] = {}
    games = (random_game(game, game.start(seed + i), random.Random(i)) for i in range(DEALS))
    for state in within(SECONDS, chain(all_states(game, seed), chain.from_iterable(games))):
        other = first.setdefault(state, state)
        if other is not state:
            one, two = _nature(other), _nature(state)
            expect(one == two, f"turn, moves and payoff {one}, as of {other}, which is equal", two,
                   state)  # fmt: skip


@state_law()
def law_teams_agree(game: Game[Any], state: State[Any]) -> None:
    """A state and its game agree on teams, zero sums and repetition; unit and largest are > 0."""
    expect(tuple(state.teams) == tuple(game.teams), f"teams {game.teams}", state.teams, state)
    expect(game.teams[0] == 0, "seat 0 in team 0", game.teams, state)
    expect(0 < state.unit <= state.largest, "0 < unit <= largest",
           f"unit {state.unit}, largest {state.largest}", state)  # fmt: skip
    repeats = Trait.REPETITION in game.traits
    expect(state.repeats == repeats, f"repeats {repeats}, as the traits say", state.repeats, state)
    if len(set(game.teams)) == 2 and Trait.SOLO not in game.traits:
        duel = Trait.DUEL in game.traits
        expect(state.zero_sum == duel, f"zero_sum {duel}, as the traits say", state.zero_sum, state)


@state_law()
def law_turn_is_a_seat(game: Game[Any], state: State[Any]) -> None:
    """The turn is a seat, CHANCE or TERMINAL."""
    seats = len(game.teams)
    wanted = f"0 to {seats - 1}, CHANCE ({CHANCE}) or TERMINAL ({TERMINAL})"
    # A comparison counts as seat 0 or 1, compiled and interpreted, but is rarely meant as one.
    given = state.rules.turn(state.record) if isinstance(state, RecordState) else state.turn
    expect(not type(given).__name__.startswith("bool"), wanted, f"the truth value {given}", state)
    expect(state.turn in (CHANCE, TERMINAL, *range(seats)), wanted, state.turn, state)


@state_law()
def law_moves_are_empty_exactly_at_the_end(game: Game[Any], state: State[Any]) -> None:
    """A state does not have moves if and only if it is terminal."""
    n, over = len(state.moves()), state.turn == TERMINAL
    expect((n == 0) == over, "no moves" if over else "at least one move", f"{n} moves", state)


@state_law()
def law_moves_are_distinct(game: Game[Any], state: State[Any]) -> None:
    """No two moves of a state are equal or written alike."""
    moves = some(state.moves(), 1000)
    for kind in (moves, [str(move) for move in moves]):
        twice = sorted(str(move) for move, n in Counter(kind).items() if n > 1)
        expect(not twice, "every move once", f"more than once: {', '.join(twice)}", state)


@state_law()
def law_moves_keep_their_order(game: Game[Any], state: State[Any]) -> None:
    """Equal states list their moves in the same order, however often they are asked."""
    first = some(state.moves(), 200)
    for other in (state, copy.deepcopy(state)):
        again = some(other.moves(), 200)
        expect(first == again, f"{first[:8]} ...", f"{again[:8]} ...", state)


@state_law()
def law_after_leaves_the_state_alone(game: Game[Any], state: State[Any]) -> None:
    """Playing a move makes a new state, that of `successors`, and leaves the old one as it was."""
    before = _face(state)
    for move in some(state.moves(), 6):
        state.after(move)
        now = _face(state)
        expect(now == before, f"{before} after {move} was tried", now, before[0])
    for move, child in zip(state.moves()[:6], state.successors(), strict=False):
        expect(child == state.after(move), f"{state.after(move)} by {move}", child, before[0])


@state_law()
def law_asking_changes_nothing(game: Game[Any], state: State[Any]) -> None:
    """No call of a method changes a state."""
    before = _face(state)
    moves = state.moves()
    if state.turn == TERMINAL:
        state.payoff()
    elif len(moves):
        state.order(some(moves, 50))
        state.sample(Random(0))
        state.evaluate(0)
    if state.turn == CHANCE:
        state.odds()
    state.banked()
    expect(_face(state) == before, before, _face(state), before[0])


@state_law()
def law_illegal_moves_are_refused(game: Game[Any], state: State[Any]) -> None:
    """A move that is not legal raises IllegalMove or BadNotation."""
    legal = set(map(str, some(state.moves(), 1 << 20)))
    foreign = [m for other in walk(game, 0)[::5] for m in some(other.moves(), 5)]
    wrong: list[Any] = [m for m in foreign if str(m) not in legal][:5]
    for move in [*wrong, "no such move"]:
        try:
            after = state.after(move)
            if any(state.after(other) == after for other in state.moves()):
                continue  # another spelling of a legal move
            seen = f"{after}"
        except GameError:
            continue
        except Exception as raised:  # any other error is what this law forbids
            seen = f"{type(raised).__name__}: {raised}"
        raise LawBroken(f"IllegalMove or BadNotation for {str(move)!r}", seen, state)


@state_law(at=at_end)
def law_payoffs_are_one_per_seat(game: Game[Any], state: State[Any]) -> None:
    """At the end each seat gets a whole multiple of the unit, and at most the largest payoff."""
    payoff = state.payoff()
    seats = len(game.teams)
    expect(isinstance(payoff, tuple) and len(payoff) == seats,
           f"a tuple of {seats} payoffs", repr(payoff), state)  # fmt: skip
    for each in payoff:
        expect(_is_whole(state, each), f"a multiple of {state.unit}", each, state)
        expect(abs(each) <= state.largest, f"at most {state.largest}", each, state)


def _is_whole(state: State[Any], payoff: float) -> bool:
    """Return True if a payoff is a whole number of units, up to the last bits of a float."""
    if not math.isfinite(payoff / state.unit):
        return False
    whole = round(payoff / state.unit)
    return abs(whole * state.unit - payoff) <= 2 * math.ulp(payoff)


@state_law(at=at_end)
def law_two_teams_sum_to_zero(game: Game[Any], state: State[Any]) -> None:
    """In a DUEL all seats of a team get the same, and the other team's seats the negative of it."""
    if Trait.DUEL not in game.traits:
        return
    payoff = state.payoff()
    wanted = tuple(payoff[0] if team == game.teams[0] else -payoff[0] for team in game.teams)
    expect(tuple(payoff) == wanted, wanted, payoff, state)


@state_law(at=lambda turn: turn == CHANCE)
def law_odds_sum_to_one(game: Game[Any], state: State[Any]) -> None:
    """At a chance node every move has a probability above 0, and these sum to one."""
    odds, n = state.odds(), len(state.moves())
    expect(len(odds) == n, f"{n} probabilities", len(odds), state)
    expect(all(p > 0 for p in odds), "probabilities above 0", min(odds), state)
    expect(abs(sum(odds) - 1) < 1e-9, "a sum of 1", sum(odds), state)


@state_law()
def law_equal_states_hash_alike(game: Game[Any], state: State[Any]) -> None:
    """Equal states have the same hash."""
    twin = copy.deepcopy(state)
    if twin == state:
        expect(hash(twin) == hash(state), hash(state), hash(twin), state)


@state_law()
def law_equal_states_share_a_key(game: Game[Any], state: State[Any]) -> None:
    """Equal states have the same key, a number of 64 bits."""
    key, twin = state.key(), copy.deepcopy(state)
    expect(0 <= key < 1 << 64, "0 <= key < 2**64", key, state)
    if twin == state:
        expect(twin.key() == key, key, twin.key(), state)


ASK = """
import pickle, sys
sys.path[:], game, seed = pickle.load(sys.stdin.buffer)
from dragon.laws.games import descriptions
try:
    game = pickle.loads(game)
except (AttributeError, ImportError):
    sys.exit(%d)
sys.stdout.buffer.write(pickle.dumps(descriptions(game, seed)))
"""
"""The program of another process; its exit code tells that a class is defined in this one alone."""
UNKNOWN = 3


def descriptions(game: Game[Any], seed: int) -> list[dict[str, Any]]:
    """Describe some states: their keys, moves and codes, for comparison between processes."""
    return [
        {
            "text": str(state),
            "key": state.key(),
            "place": state.place(),
            "moves": [*map(str, moves := some(state.moves(), 50))],
            "code": [state.code(move) for move in moves],
        }
        for state in fresh(game, seed)
    ]


@game_law(lambda game: not isinstance(game, RecordGame))
def law_another_process_says_the_same(game: Game[Any], seed: int) -> None:
    """In another process, where Python hashes texts otherwise, a state has the same key, moves and
    codes."""
    own = os.environ.get("PYTHONHASHSEED")
    ran = subprocess.run(
        [sys.executable, "-P", "-c", ASK % UNKNOWN],
        input=pickle.dumps((sys.path, pickle.dumps(game), seed)),
        env={**os.environ, "PYTHONHASHSEED": "2" if own == "1" else "1"},
        capture_output=True,
        timeout=60,
    )
    if ran.returncode == UNKNOWN:
        return
    expect(ran.returncode == 0, "no error in another process",
           ran.stderr.decode(errors="replace").strip().rpartition("\n")[2])  # fmt: skip
    here = descriptions(game, seed)
    if here != descriptions(game, seed):  # not even in one process, which has laws of its own
        return
    for mine, other in zip(here, pickle.loads(ran.stdout), strict=False):
        for name, value in mine.items():
            expect(value == other[name],
                   f"{name} {value} in each process; Python's hash of a text and the order of a "
                   "set are not the same in each", f"{other[name]} in another",
                   mine["text"])  # fmt: skip


def _declares_symmetries(game: Game[Any]) -> bool:
    """Return True if the board of a game is declared to be symmetric."""
    return has_rules(game) and bool(getattr(rules_of(game).notation, "symmetries", ()))


@state_law(_declares_symmetries, every)
def law_images_are_one_position(game: RecordGame, state: State[Any]) -> None:
    """By the symmetries that a board declares, all images of a position share a key, turn, number
    of moves and payoff."""
    notation: Any = rules_of(game).notation

    def nature(image: State[Any]) -> tuple[Any, ...]:
        over = image.turn == TERMINAL
        return image.key(), image.turn, len(image.moves()), image.payoff() if over else None

    for text in notation.images(str(state)):
        image = game.parse(text)
        same = nature(image) == nature(state)
        expect(same, nature(state), f"{nature(image)} of {text}", state)


@state_law()
def law_states_pickle(game: Game[Any], state: State[Any]) -> None:
    """A state survives pickling, as it must on its way to another process."""
    again = pickle.loads(pickle.dumps(state))
    expect(again == state, repr(state), repr(again), state)


@state_law()
def law_samples_are_legal(game: Game[Any], state: State[Any]) -> None:
    """A sampled move is legal, and a seed always samples the same."""
    moves = state.moves()
    for seed in range(8 if state.turn != TERMINAL and len(moves) else 0):
        move, again = state.sample(Random(seed)), state.sample(Random(seed))
        expect(move in moves, "a legal move", repr(move), state)
        expect(move == again, f"{move} twice from seed {seed}", again, state)


@game_law(lambda game: Trait.CHANCE in game.traits)
def law_samples_follow_the_odds(game: Game[Any], seed: int) -> None:
    """At a chance node a game's own `sample` draws moves with the probabilities of its odds."""
    rolls: dict[Any, State[Any]] = {}
    for state in walk(game, seed):
        if state.turn == CHANCE and defines(state, "sample"):
            rolls.setdefault((tuple(map(str, some(state.moves(), DRAWS))), state.odds()), state)
    for (moves, odds), state in list(rolls.items())[:ROLLS]:
        if len(odds) > DRAWS:
            continue
        for samples in _samplers(state, seed):
            seen = Counter(samples)
            share = dict(zip(moves, odds, strict=True))
            if unlikely([seen[move] for move in moves], odds):
                worst = max(moves, key=lambda move: abs(seen[move] / DRAWS - share[move]))
                expect(False, f"{worst} in {share[worst]:.1%} of samples, as odds says",
                       f"in {seen[worst] / DRAWS:.1%} of {DRAWS:,}", state)  # fmt: skip


def _samplers(state: State[Any], seed: int) -> Iterator[Iterator[str]]:
    """The texts of DRAWS samples; of a game by Rules, compiled and interpreted."""
    dice = Random(seed)
    if not isinstance(state, RecordState):
        yield (str(state.sample(dice)) for _ in range(DRAWS))
        return
    for evaluator in (compiled_of(state.rules), interpreted_of(state.rules)):
        codes = (evaluator.sample(state.data, dice) for _ in range(DRAWS))
        yield map(state.text, codes)


@state_law(at=of_seat)
def law_order_scores_every_move(game: Game[Any], state: State[Any]) -> None:
    """The order of moves is None or one whole number for each move."""
    moves = some(state.moves(), 200)
    scores = state.order(moves)
    if scores is not None:
        expect(len(scores) == len(moves), f"{len(moves)} scores", len(scores), state)
        expect(all(isinstance(score, int) for score in scores), "whole numbers", scores, state)


@state_law(at=of_seat)
def law_priors_weigh_every_move(game: Game[Any], state: State[Any]) -> None:
    """The priors of moves are None or one number above 0 for each move."""
    moves = some(state.moves(), 200)
    priors = state.prior(moves)
    if priors is not None:
        expect(len(priors) == len(moves), f"{len(moves)} priors", len(priors), state)
        expect(all(0 < each < math.inf for each in priors), "numbers above 0", priors, state)


@state_law(at=of_seat)
def law_noisy_moves_are_legal(game: Game[Any], state: State[Any]) -> None:
    """Noisy moves are some of the legal moves, each once."""
    if (noisy := state.noisy()) is None:
        return
    found, legal = [*noisy], {*state.moves()}
    expect(len({*found}) == len(found) and {*found} <= legal, "legal moves, each once", found,
           state)  # fmt: skip


@state_law(at=of_seat)
def law_a_pass_changes_sides(game: Game[Any], state: State[Any]) -> None:
    """After a null move the other side is to move."""
    if (passed := state.skipped()) is None:
        return
    seats = [seat for seat, team in enumerate(state.teams) if team == state.teams[state.turn]]
    expect(passed.turn not in seats, f"a turn of none of {seats}", passed.turn, state)


@state_law(at=before_end)
def law_evaluations_stay_inside(game: Game[Any], state: State[Any]) -> None:
    """An evaluation is a number between -1 and 1, neither included: only an end is certain."""
    for seat in range(len(game.teams)):
        guess = state.evaluate(seat)
        expect(-1 < guess < 1, f"a number in (-1, 1) for seat {seat}", guess, state)


@state_law(at=before_end)
def law_evaluations_oppose(game: Game[Any], state: State[Any]) -> None:
    """The evaluations of two opposite sides sum to zero."""
    if len(game.teams) != 2 or not state.zero_sum:
        return
    one, other = state.evaluate(0), state.evaluate(1)
    expect(abs(one + other) < 1e-9, f"{-one} for seat 1, as seat 0 has {one}", other, state)


@state_law()
def law_banked_payoff_is_part_of_the_payoff(game: Game[Any], state: State[Any]) -> None:
    """The banked payoff is a whole multiple of the unit, at most the largest payoff."""
    banked = state.banked()
    expect(_is_whole(state, banked), f"a multiple of {state.unit}", banked, state)
    expect(abs(banked) <= state.largest, f"at most {state.largest}", banked, state)
