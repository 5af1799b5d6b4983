"""The options that the commands of Ulti share."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import click

from dragon_ulti.cards import SUITS, suit
from dragon_ulti.language import LANGUAGES, SPOKEN
from dragon_ulti.variant import VARIANTS

if TYPE_CHECKING:
    from dragon_ulti.stakes import Stakes

F = TypeVar("F", bound=Callable[..., Any])
DRAWN: ContextVar[str] = ContextVar("the suits of Ulti", default="auto")
"""auto, german or french; it stays here so that options import no output."""


def _letter(context: click.Context, option: click.Parameter, value: str | None) -> str | None:
    try:
        return None if value is None else SUITS[suit(value)]
    except ValueError as wrong:
        raise click.BadParameter(f"{wrong}.") from None


def trump_option(about: str) -> Callable[[Any], Any]:
    """--trump: a suit by its letter or name, in English or Hungarian; H, L, A or B is handed on."""
    return click.option("--trump", metavar="SUIT", callback=_letter, help=about)


def _speak(context: click.Context, option: click.Parameter, wanted: str) -> None:
    context.call_on_close(partial(SPOKEN.reset, SPOKEN.set(wanted)))


def _draw(context: click.Context, option: click.Parameter, wanted: str) -> None:
    DRAWN.set(wanted)


with_language = click.option(
    "--language", type=click.Choice(LANGUAGES), default="en", show_default=True,
    expose_value=False, is_eager=True, callback=_speak,
    help="The language of output that is not JSON: English or Hungarian.",
)  # fmt: skip
with_suits = click.option(
    "--suits", type=click.Choice(("auto", "german", "french")), default="auto",
    show_default=True, expose_value=False, callback=_draw,
    help="The signs of the suits; german ones need a font that has them.",
)  # fmt: skip
for_people = (with_language, with_suits)
"""The options of printed text; see `dragon_ulti.cli.report.say`."""
with_rules = click.option(
    "--rules", type=click.Choice(tuple(VARIANTS)), default="real", show_default=True,
    help="The real rules, or those of the original program.",
)  # fmt: skip


def _stakes(context: click.Context, option: click.Parameter, value: str | None) -> Stakes:
    from dragon.config import read_text
    from dragon_ulti.stakes import common, read_stakes

    if value is None:
        return common()
    return read_stakes(read_text(value, "stakes"), "stdin" if value == "-" else value)


with_stakes = click.option(
    "--stakes", metavar="FILE", callback=_stakes, help="A TOML file of values, for the usual ones."
)
with_marriages = click.option(
    "--marriages/--no-marriages", default=None,
    help="Marriages count in a party, as they do by default under the real rules.",
)  # fmt: skip
with_contract = click.option(
    "--contract",
    metavar="C",
    help="A bid, in English or Hungarian: party, 40-100 ulti, piros ulti.",
)
with_trump = trump_option("That of the deal, or hearts.")
with_course = click.option(
    "--course", is_flag=True, help="Add who played what in which round, and when each card went."
)
without_prerequisites = click.option(
    "--no-prerequisites", "free", is_flag=True, help="Whatever the declarer holds."
)
with_bid = (with_contract, with_trump, with_rules, without_prerequisites, with_marriages)
"""The options that `dragon_ulti.request.asked` takes."""


def options(*given: Callable[[Any], Any]) -> Callable[[F], F]:
    """Decorate a command with several options, in the order of its help."""

    def decorate(command: F) -> F:
        for option in reversed(given):
            command = option(command)
        return command

    return decorate
