"""Extensive games as files: the `.efg` of Gambit, and the `.game` that LiteEFG reads.

Both hold the whole tree, node by node, in the order of a walk that goes deep first. An information
set is what its seat has seen and done (`dragon.core.search.informed`), as for all searches here.

Sources: "Game representation formats" of Gambit's documentation; the games that come with LiteEFG.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any
from urllib.parse import quote

import click
from attrs import frozen

from dragon.cli_tools import check_writable
from dragon.config import game as read_game
from dragon.core import CHANCE, TERMINAL, Game, State, Trait
from dragon.core.search import informed
from dragon.errors import Objection
from dragon.files import STDOUT, write
from dragon.protocols import turn_name
from dragon.search.equilibrium.sequences import objection, too_large

MOST = 1_000_000
"""States of a tree that is written."""
PARTS = 10**9
"""The largest denominator of a probability."""


@frozen
class Node:
    """A state of the tree: whose turn it is, and what follows."""

    path: str
    """The moves to it, as LiteEFG names nodes."""
    seat: int
    """The seat to move, CHANCE or TERMINAL."""
    number: int = 0
    """The number of the information set, from 1 on for each seat, or of the chance node."""
    view: str = ""
    moves: tuple[str, ...] = ()
    odds: tuple[Fraction, ...] = ()
    payoffs: tuple[float, ...] = ()


def nodes(game: Game[Any]) -> Iterator[Node]:
    """Yield the nodes of a game's tree, each before what follows it.

    Raises Objection where the game does not have such a tree, and SearchError where it is too
    large.
    """
    root = game.start(0)
    if Trait.REPETITION in game.traits:
        raise Objection(f"positions of {game} recur, so that its tree has no end")
    if root != game.start(1):
        raise Objection(f"a deal of {game} is its start and no move of chance, so no tree has all")
    if sentence := objection(root, MOST):
        raise Objection(sentence)
    seats, count = range(len(root.teams)), 0
    numbers: dict[tuple[int, Any], int] = {}
    counts = dict.fromkeys([CHANCE, *seats], 0)
    opened = [(root, "/", tuple(informed((), root.seen(seat)) for seat in seats))]
    while opened:
        state, path, known = opened.pop()
        count += 1
        if count > MOST:
            raise too_large(root, f"more than {MOST:,}", MOST)
        if state.turn == TERMINAL:
            yield Node(path, TERMINAL, payoffs=tuple(state.payoff()))
            continue
        seat, moves = state.turn, list(state.moves())
        key = (seat, path if seat == CHANCE else known[seat])
        if key not in numbers:
            counts[seat] += 1
            numbers[key] = counts[seat]
        texts = tuple(map(str, moves))
        odds = exact(state.odds()) if seat == CHANCE else ()
        view = "" if seat == CHANCE else str(state.seen(seat))
        yield Node(path, seat, numbers[key], view, texts, odds)
        opened += reversed([_child(state, path, known, move) for move in moves])


def _child(
    state: State[Any], path: str, known: tuple[Any, ...], move: Any
) -> tuple[State[Any], str, tuple[Any, ...]]:
    """Return the state after a move, its path, and what each seat knows then."""
    after = state.after(move)
    if after.turn != TERMINAL:
        known = tuple(
            informed(each, after.seen(seat), move if seat == state.turn else None)
            for seat, each in enumerate(known)
        )
    return after, f"{path.rstrip('/')}/{_mover(state.turn)}:{_name(str(move))}", known


def exact(odds: Any) -> tuple[Fraction, ...]:
    """Return probabilities as fractions whose sum is 1.

    >>> [str(each) for each in exact([1 / 3, 2 / 3])]
    ['1/3', '2/3']
    """
    found = [Fraction(float(each)).limit_denominator(PARTS) for each in odds]
    return (*found[:-1], 1 - sum(found[:-1], Fraction(0)))


def to_gambit(game: Game[Any]) -> Iterator[str]:
    """Yield the lines of an `.efg` file."""
    players = " ".join(_quoted(turn_name(game, seat)) for seat in range(len(game.teams)))
    yield f"EFG 2 R {_quoted(str(game))} {{ {players} }}"
    yield '""'
    yield ""
    outcomes: dict[tuple[float, ...], int] = {}
    labels: dict[tuple[int, int], str] = {}
    used: dict[tuple[int, str], int] = {}
    for node in nodes(game):
        if node.seat == TERMINAL:
            number = outcomes.setdefault(node.payoffs, len(outcomes) + 1)
            yield f't "" {number} "" {{ {", ".join(map(_number, node.payoffs))} }}'
        elif node.seat == CHANCE:
            pairs = zip(node.moves, node.odds, strict=True)
            listed = " ".join(f"{_quoted(move)} {likely}" for move, likely in pairs)
            yield f'c "" {node.number} "" {{ {listed} }} 0'
        else:
            which = node.seat, node.number
            if which not in labels:  # those of one player differ
                times = used[node.seat, node.view] = used.get((node.seat, node.view), 0) + 1
                labels[which] = node.view if times == 1 else f"{node.view} ({times})"
            listed = " ".join(map(_quoted, node.moves))
            yield (f'p "" {node.seat + 1} {node.number} {_quoted(labels[which])} {{ {listed} }} 0')


def to_liteefg(game: Game[Any]) -> Iterator[str]:
    """Yield the lines of a `.game` file."""
    yield f"# {game}"
    yield "#"
    yield "# Opt {"
    yield f"#     num_players: {len(game.teams)},"
    yield "# }"
    yield "#"
    sets: dict[tuple[int, int, str], list[str]] = {}
    for node in nodes(game):
        if node.seat == TERMINAL:
            paid = " ".join(f"{k}={_number(each)}" for k, each in enumerate(node.payoffs, 1))
            yield f"node {node.path} leaf payoffs {paid}"
        elif node.seat == CHANCE:
            pairs = zip(node.moves, node.odds, strict=True)
            listed = " ".join(f"{_name(move)}={float(likely)!r}" for move, likely in pairs)
            yield f"node {node.path} chance actions {listed}"
        else:
            sets.setdefault((node.seat, node.number, node.view), []).append(node.path)
            listed = " ".join(map(_name, node.moves))
            yield f"node {node.path} player {node.seat + 1} actions {listed}"
    for (seat, number, view), alike in sorted(sets.items()):
        yield f"infoset pl{seat + 1}_{number - 1}__{_name(view)} nodes {' '.join(alike)}"


FORMS: dict[str, Callable[[Game[Any]], Iterator[str]]] = {".efg": to_gambit, ".game": to_liteefg}


def _mover(turn: int) -> str:
    return "C" if turn == CHANCE else f"P{turn + 1}"


def _name(text: str) -> str:
    """A text without blanks and the signs that mean something in a `.game` file."""
    return quote(text, safe="?!+*.,()[]<>-@$^&;'|")


def _quoted(text: str) -> str:
    """A text in quotes, in one line."""
    return '"' + " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"') + '"'


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(float(value))


@click.command()
@click.argument("game_spec", metavar="GAME")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    default=STDOUT,
    metavar="FILE",
    help="The file: .efg for Gambit, .game for LiteEFG; .efg on stdout without it.",
)
def efg(game_spec: str, out: Path) -> None:
    """Write the whole tree of a small GAME for programs that solve extensive games.

    Information sets are what a seat has seen and done. Games whose positions recur, or with more
    than 1,000,000 states, are refused.

    \b
    Examples:
      dragon efg kuhn --out kuhn.efg
      dragon efg "liars_dice(faces=2)" --out dice.game
    """
    game = read_game(game_spec)
    form = FORMS.get(".efg" if out == STDOUT else out.suffix.lower())
    if form is None:
        raise click.BadParameter(
            f"{out} has to end in {' or '.join(FORMS)}, which says who will read it",
            param_hint="'--out'",
        )
    if out != STDOUT:
        check_writable(out)
    write(out, "\n".join(form(game)) + "\n")
