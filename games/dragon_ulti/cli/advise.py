"""The command `dragon ulti advise`."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any

import click

from dragon.cli_tools import Seconds, as_json, print_json, with_seed
from dragon_ulti.cards import SUITS, SYMBOLS, pretty
from dragon_ulti.cli.options import options, with_rules
from dragon_ulti.objects import advised

if TYPE_CHECKING:
    from dragon_ulti.advice import Advice, Line
    from dragon_ulti.question import Question
    from dragon_ulti.stakes import Stakes

SHOWN = 10
"""Discards that are listed."""


@click.command()
@click.argument("hand")
@click.option(
    "--contract",
    "contracts",
    metavar="C",
    multiple=True,
    help="A contract, or several joined with +; may be given again. All ten by default.",
)
@click.option("--trump", type=click.Choice(tuple(SUITS)), help="This trump alone.")
@click.option("--discard", metavar="CARDS", help="Of twelve cards these two, instead of the best.")
@click.option("--holds", default="", metavar="TEXT", help="What is known: '1: HA, 2: not L'.")
@click.option("--stakes", metavar="FILE", help="A TOML file of values, for the usual ones.")
@click.option("--marriages", is_flag=True, help="Marriages count in the parties.")
@click.option(
    "--samples",
    type=click.IntRange(min=1),
    default=200,
    show_default=True,
    metavar="N",
    help="Deals to look at.",
)
@click.option("--seconds", type=Seconds(), metavar="S", help="Stop after S.")
@options(with_seed, with_rules, as_json)
def advise(hand: str, as_json: bool, seconds: float | None, **asked: Any) -> None:
    """Say what to bid on a HAND of ten cards, or of twelve before two are discarded.

    The cards that are not seen are dealt at random many times over. For every contract and
    trump that tells how often it is made if all play perfectly with open cards, with a 95 %
    interval, and what each defender then pays on average. Of twelve cards all 66 discards
    are tried, the better ones longer. Ctrl-C prints what is known by then.

    \b
    Examples:
      dragon ulti advise "HA HK HO HX H7 LA L8 AA B9 BX"
      dragon ulti advise "HA HK HO HX H7 LA L8 AA B9 BX A7 BK" --seconds 5
      dragon ulti advise "HA HK HO HX H7 LA L8 AA B9 BX" --contract forty_hundred+ulti --trump H
      dragon ulti advise "A7 A8 A9 AX H7 H8 LO L7 B7 B8" --contract betli --holds "1: not H"
    """
    from dragon_ulti.advice import advise as advice

    question, stakes = _question(hand, **asked)
    known: Advice | None = None
    interrupted = False
    try:
        for known in _watched(advice(question), seconds):  # noqa: B007  the last one counts
            pass
    except KeyboardInterrupt:  # what is known so far is told, and marked
        interrupted = True
    if known is not None:
        if as_json:
            print_json(advised(known, question, stakes, asked["rules"], interrupted))
        else:
            click.echo(_report(known, stakes, interrupted))
    if interrupted:
        raise KeyboardInterrupt


def _question(hand: str, *, contracts: tuple[str, ...], trump: str | None, discard: str | None,
              holds: str, stakes: str | None, marriages: bool, samples: int, seed: int,
              rules: str) -> tuple[Question, Stakes]:  # fmt: skip
    """What is asked, and by which stakes; raises DragonError for what cannot be."""
    from dragon.config import read_text
    from dragon_ulti.question import Question, all_cells, read_discard, read_hand
    from dragon_ulti.stakes import common, read_stakes
    from dragon_ulti.worlds import read_known

    table = common()
    if stakes is not None:
        table = read_stakes(read_text(stakes, "stakes"), "stdin" if stakes == "-" else stakes)
    own, laid = read_hand(hand), read_discard(discard)
    cells = all_cells(rules, table, trump, contracts, marriages, own)
    return Question(own, cells, read_known(holds, own), laid, samples, seed), table


def _watched(stream: Generator[Advice, None, None], seconds: float | None) -> Iterator[Advice]:
    """The stream until its time is over, with a bar on stderr where that is a terminal.

    The clock starts with the first result: compiling comes before.
    """
    from contextlib import closing

    from tqdm import tqdm  # type: ignore[import-untyped]

    form = "{percentage:3.0f}%|{bar}| {elapsed}<{remaining} {postfix}"
    shown = 0.0
    with (
        closing(stream),
        tqdm(total=1.0, leave=False, disable=None, delay=1, bar_format=form) as bar,
    ):
        for known in stream:
            yield known
            if seconds is not None and known.seconds >= seconds:
                return
            bar.update(known.part - bar.n)
            if not bar.disable and time.monotonic() > shown + 0.5:
                shown = time.monotonic()
                bar.set_postfix_str(_favourite(known), refresh=False)


def _favourite(known: Advice) -> str:
    for discard, line in known.ranking()[:1]:
        laid = "".join(f"{pretty(card)} " for card in known.discards[discard])
        return f"{laid}{line.cell.game.contract} {_symbol(line)} {line.estimate.share:.0%}"
    return ""


def _symbol(line: Line) -> str:
    return SYMBOLS[SUITS.index(line.cell.letter)] if line.cell.letter else "-"


# ---- what is printed -----------------------------------------------------------------------


def _report(known: Advice, stakes: Stakes, interrupted: bool) -> str:
    lines = [" ".join(map(pretty, known.hand))]
    ranking = known.ranking()
    width = max(len("contract"), *(len(cell.game.contract) for cell in known.cells)) + 2
    head = f"{'contract':{width}}{_HEAD}"
    if len(known.discards) > 1 and ranking:
        lines += ["", f"{'discard':9}{head}"]
        for discard, line in ranking[:SHOWN]:
            laid = " ".join(map(pretty, known.discards[discard]))
            lines.append(f"{laid:9}{_row(line, width)}")
    best = ranking[0][0] if ranking else 0
    if known.discards[best]:
        lines += ["", f"with {' '.join(map(pretty, known.discards[best]))} discarded"]
    found = known.lines(best)
    lines += ["", head] + [_row(line, width) for line in found if line.estimate.samples]
    if not any(line.estimate.samples for line in found):
        lines.append("nothing was looked at")
    in_order = [known.line(best, cell) for cell in range(len(known.cells))]
    if lacking := [line for line in in_order if line.lacking]:
        lines += ["", "cannot be bid: " + "; ".join(_without(lacking))]
    lines += ["", f"stakes in {stakes.unit} from each defender, by {stakes.source}; "
              f"{known.worlds:,} deals are possible; {known.seconds:.1f} s"]  # fmt: skip
    if interrupted or not known.done:
        why = "interrupted" if interrupted else "out of time"
        lines.append(f"{why}: this is what was known by then")
    return "\n".join(lines)


_HEAD = f"{'trump':7}{'made':>6}{'95 %':>13}{'stakes':>9}{'95 %':>17}{'deals':>7}"


def _row(line: Line, width: int) -> str:
    low, high = line.estimate.interval()
    least, most = line.stakes_interval
    return (
        f"{line.cell.game.contract:{width}}{_symbol(line):7}{line.estimate.share:6.1%}"
        f"{f'{low:.1%} - {high:.1%}':>15}{line.stakes:+9.2f}{f'{least:+.2f} to {most:+.2f}':>17}"
        f"{line.estimate.samples:5}"
    )


def _without(lacking: list[Line]) -> Iterator[str]:
    """Contracts that cannot be bid, each with the trumps that it concerns."""
    for contract in dict.fromkeys(line.cell.game.contract for line in lacking):
        trumps = [_symbol(line) for line in lacking if line.cell.game.contract == contract]
        yield f"{contract} {' '.join(trumps)}".removesuffix(" -")
