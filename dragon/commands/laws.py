"""`dragon laws`: the conformance kit on one game and the searches that can play it."""

from __future__ import annotations

import click
from attrs import asdict

from dragon.cli_tools import Seconds, as_json, tell, with_checks, with_seed
from dragon.config import first_move, game, search
from dragon.errors import ConfigError, did_you_mean
from dragon.plugins import searches

SECONDS = 120.0
THOROUGH = 30
"""Times as many games."""


@click.command()
@click.argument("game_spec", metavar="GAME")
@click.option("--search", "search_spec", metavar="SPEC", help="This search only; all if not given.")
@click.option("--law", "names", metavar="NAME", multiple=True,
              help="This law only; may be given several times.")  # fmt: skip
@with_seed
@click.option("--thorough", is_flag=True, help="Laws of the game on 30 times as many games.")
@click.option("--patience", metavar="SECONDS", type=Seconds(),
              default=SECONDS, show_default=True,
              help="For which a law may be tried; with --thorough 30 times as long.")  # fmt: skip
@with_checks
@as_json
def laws(
    game_spec: str, search_spec: str | None, names: tuple[str, ...], seed: int, thorough: bool,
    patience: float, as_json: bool,
) -> None:  # fmt: skip
    """Try the laws of the conformance kit on GAME and on the searches that can play it.

    Each law is tried in another process: whether that ends or does not come back, it is what
    the law has found. The exit code is 1 if a law is broken. With --json there is one object
    for each law.

    \b
    Examples:
      dragon laws tictactoe
      dragon laws "nex(rows=2, cols=3)" --search mcts
      dragon laws connect4 --thorough
      dragon laws connect4 --law law_rules_keep_their_contract --thorough
    """
    from dragon.laws import LAWS
    from dragon.laws.apart import verdicts

    for name in names:
        if name not in (known := [law.name for law in LAWS]):
            hint = did_you_mean(name, known)
            raise ConfigError(f"no law is called {name!r}{hint} (docs/reference.md lists them)")
    of = game(game_spec)
    first_move(of)  # a rule that cannot be compiled is one message, not one for each law
    chosen = [search(search_spec)] if search_spec else [search(name) for name in searches()]
    if search_spec:
        chosen[0].check(of)
    tried, broken = 0, 0
    times = THOROUGH if thorough else 1
    for subject, verdict in verdicts(of, chosen, seed, times, patience, names):
        tried += 1
        broken += not verdict.passed
        by = None if subject is None else str(subject)
        text = [f"{'holds ' if verdict.passed else 'BROKEN'}  {verdict.law}[{subject or of}]"]
        if not verdict.passed:
            text.append("        " + verdict.message.replace("\n", "\n        "))
        tell(as_json, {"game": str(of), "search": by, **asdict(verdict)}, text)
    click.echo(f"{tried} laws tried on {of}, {broken} broken", err=as_json)
    if broken:
        raise click.exceptions.Exit(1)
