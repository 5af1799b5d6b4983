"""What the commands of Ulti share: their options."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from dragon_ulti.cards import SUITS
from dragon_ulti.variant import VARIANTS

F = TypeVar("F", bound=Callable[..., Any])

with_rules = click.option(
    "--rules", type=click.Choice(tuple(VARIANTS)), default="real", show_default=True,
    help="The real rules, or those of the original program.",
)  # fmt: skip
with_contract = click.option(
    "--contract", metavar="C", help="A contract, or several joined with +."
)
with_trump = click.option(
    "--trump",
    type=click.Choice(tuple(SUITS)),
    help="That of the deal, or hearts.",
)
with_course = click.option(
    "--course", is_flag=True, help="Add who played what in which round, and when each card went."
)
without_prerequisites = click.option(
    "--no-prerequisites", "free", is_flag=True, help="Whatever the declarer holds."
)
with_bid = (with_contract, with_trump, with_rules, without_prerequisites)
"""The options that `dragon_ulti.request.asked` takes."""


def options(*given: Callable[[Any], Any]) -> Callable[[F], F]:
    """Decorates a command with several options, in the order of its help."""

    def decorate(command: F) -> F:
        for option in reversed(given):
            command = option(command)
        return command

    return decorate
