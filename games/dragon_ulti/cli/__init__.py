"""The commands under `dragon ulti`; `options` has what they share, `report` what they print."""

from __future__ import annotations

import click

from dragon_ulti.cli import advise, bids, deal, review, solve


@click.group()
def ulti() -> None:
    """Solve Ulti deals, review games, advise on a hand, keep the score sheet.

    Seat 0 has bid and leads, seats 1 and 2 defend, and except for advice all cards are open.
    A DEAL is three hands and perhaps the talon, `HA HK .../H7 .../LX .../L7 B7`, or the
    61 digits of a `deal=` link, or the link, or a JSON object with `hands`. Fewer cards
    make an endgame. Suits are H L A B, ranks 7 8 9 X U O K A.

    \b
    Examples:
      dragon ulti deal --seed 3
      dragon ulti table "$(dragon ulti deal --seed 3 --code)"
      dragon ulti solve "HA H7 / HK H8 / LA L7" --contract ulti
      dragon ulti review "HA H7 / HK L8 / LA L7, played H7 HK L7" --contract ulti
      dragon ulti advise "HA HK HO HX H7 LA L8 AA B9 BX"
      dragon ulti bids
      dragon ulti score evening.txt
    """


for command in (
    solve.solve, solve.table, solve.cards, review.review, advise.advise, deal.deal,
    bids.bids, bids.score,
):  # fmt: skip
    ulti.add_command(command)
