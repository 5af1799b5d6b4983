"""`dragon laws`: the conformance kit on one game and the searches that can play it."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import click
from attrs import asdict

from dragon.cli_tools import Seconds, as_json, first_move, tell, with_checks, with_seed
from dragon.columns import filled
from dragon.config import game, search
from dragon.core import Game
from dragon.errors import ConfigError, did_you_mean
from dragon.plugins import searches

if TYPE_CHECKING:
    from dragon.laws import Verdict

SECONDS = 120.0
THOROUGH = 30
"""The factor for the number of games under --thorough."""


@click.command()
@click.argument("game_spec", metavar="GAME", required=False)
@click.option("--search", "search_spec", metavar="SPEC", help="This search only; all if not given.")
@click.option("--law", "names", metavar="NAME", multiple=True,
              help="This law only; may be given several times.")  # fmt: skip
@click.option("--small", "small_spec", metavar="SPEC",
              help="A smaller game of the same rules, to visit every state of; that which GAME "
              "names itself if not given.")  # fmt: skip
@with_seed
@click.option("--thorough", is_flag=True, help="Laws of the game on 30 times as many games.")
@click.option("--patience", metavar="SECONDS", type=Seconds(),
              default=SECONDS, show_default=True,
              help="For which a law may be tried; with --thorough 30 times as long.")  # fmt: skip
@with_checks
@as_json
def laws(
    game_spec: str | None, search_spec: str | None, names: tuple[str, ...],
    small_spec: str | None, seed: int, thorough: bool, patience: float, as_json: bool,
) -> None:  # fmt: skip
    """Try the laws of the conformance kit on GAME and on the searches that can play it.

    Without GAME the laws of searches are tried, of the one that --search names, on the standing
    set: small games with chance, three seats, costs, repetition and hidden cards, in which the
    sides do not alternate.

    Each law is tried in another process: whether that ends or does not come back, it is what
    the law has found. The exit code is 1 if a law is broken. Every state of a small game is
    visited; the last line says how many were. A note does not break a law, but is seldom meant so.
    At the end comes a portrait of GAME: figures of random games, and how these end, drawn. With
    --json there is one object for each law and each note, and one for the portrait.

    \b
    Examples:
      dragon laws tictactoe
      dragon laws "nex(rows=2, cols=3)" --search mcts
      dragon laws "breakthrough(rows=6)" --small "breakthrough(rows=4, columns=3)"
      dragon laws --search mcts
      dragon laws connect4 --thorough
      dragon laws connect4 --law law_rules_keep_their_contract --thorough
    """
    from dragon.core import Search
    from dragon.laws import LAWS
    from dragon.laws.apart import verdicts
    from dragon.laws.notes import Remarks

    for name in names:
        if name not in (known := [law.name for law in LAWS]):
            hint = did_you_mean(name, known)
            raise ConfigError(f"no law is called {name!r}{hint} (docs/reference.md lists them)")
    if game_spec is None:
        if try_on_standing_set(search_spec, names, seed, patience, as_json):
            raise click.exceptions.Exit(1)
        return
    of = game(game_spec)
    first_move(of)  # a rule that cannot be compiled is one message, not one for each law
    chosen = [search(search_spec)] if search_spec else [search(name) for name in searches()]
    if search_spec:
        chosen[0].check(of)
    small = game(small_spec or of.small) if small_spec or of.small else None
    tried, broken, remarks = 0, 0, list[Remarks]()
    times, remark = THOROUGH if thorough else 1, None if names else remarks.append
    others = None if small == of else small
    for subject, verdict in verdicts(of, chosen, seed, times, patience, names, others, remark):
        tried += 1
        broken += not verdict.passed
        by = str(subject) if isinstance(subject, Search) else None
        on = str(of if subject is None or by else subject)
        tell_verdict(verdict, on, by, str(subject or of), as_json)
    for note in (note for each in remarks for note in each.notes):
        tell(as_json, {"game": str(of), "note": note}, [f"note    {note}"])
    if not names:
        tell_portrait(of, seed, patience, as_json)
    visited = "".join(
        f"; {'all' if each.whole else 'the first'} {each.states:,} states were visited"
        for each in remarks
        if each.states
    )
    for line in filled([f"{tried} laws tried on {of}, {broken} broken{visited}"]):
        click.echo(line, err=as_json)
    if broken:
        raise click.exceptions.Exit(1)


def try_on_standing_set(
    spec: str | None, names: Collection[str], seed: int, patience: float, as_json: bool
) -> int:
    """Print the verdicts of the laws of a search on each game of the standing set that it can play;
    return the number of broken laws."""
    from dragon.laws import SEARCH_LAWS
    from dragon.laws.apart import verdicts
    from dragon.laws.standing import standing_for

    if spec is None:
        raise ConfigError("give a GAME, or --search and a search to try on the standing set")
    by = search(spec)
    names = [law.name for law in SEARCH_LAWS if not names or law.name in names]
    if not names:
        raise ConfigError("without a GAME only laws of searches are tried; name one of these")
    games, tried, broken = standing_for(by), 0, 0
    for of in games:
        for _, verdict in verdicts(of, [by], seed, 1, patience, names):
            tried += 1
            broken += not verdict.passed
            tell_verdict(verdict, str(of), str(by), f"{by} on {of}", as_json)
        if verdict.final:
            break
    on = f"{len(games)} game{'s' * (len(games) > 1)} of the standing set"
    click.echo(f"{tried} laws tried on {on}, {broken} broken", err=as_json)
    return broken


def tell_verdict(
    verdict: Verdict, game: str, search: str | None, subject: str, as_json: bool
) -> None:
    """Print the verdict of a law on a subject."""
    text = [f"{'holds ' if verdict.passed else 'BROKEN'}  {verdict.law}[{subject}]"]
    if not verdict.passed:
        text.append("        " + verdict.message.replace("\n", "\n        "))
    tell(as_json, {"game": game, "search": search, **asdict(verdict)}, text)


def tell_portrait(of: Game[Any], seed: int, patience: float, as_json: bool) -> None:
    """Print the figures of random games, by which an author finds mistakes that no law can."""
    from dragon.laws.apart import portrait_apart

    found = portrait_apart(of, seed, patience)
    if isinstance(found, str):
        tell(as_json, {"game": str(of), "portrait": None, "reason": found},
             f"no portrait of {of}: {found}")  # fmt: skip
    else:
        tell(as_json, {"game": str(of), "portrait": found.row()}, found.lines())
