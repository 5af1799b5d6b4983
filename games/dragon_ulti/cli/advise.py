"""The command `dragon ulti advise`."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any

import click

from dragon.cli_tools import as_json, print_json, progress_bar, with_seconds, with_seed
from dragon.columns import filled, table
from dragon.percent import percent
from dragon_ulti.cards import SUIT_NAMES, SUITS, SYMBOLS, pretty
from dragon_ulti.cli import report
from dragon_ulti.cli.options import (
    for_people,
    options,
    trump_option,
    with_marriages,
    with_rules,
    with_stakes,
)
from dragon_ulti.contracts import bid
from dragon_ulti.language import tr
from dragon_ulti.objects import advised, played

if TYPE_CHECKING:
    from dragon_ulti.advice import Advice, Closed, Line
    from dragon_ulti.cards import Hand
    from dragon_ulti.question import Question
    from dragon_ulti.stakes import Stakes

SHOWN = 10
"""Discards that are listed."""
OPEN_CARDS = (
    "made, open: all see every card and play perfectly, as no player does at a table. "
    "Compare bids by it; it is not a promise."
)
PART_BY_PART = (
    "several contracts at once are settled part by part: how often each is made stands below, and "
    "the declarer plays for those that can be made together and pay most"
)


@click.command()
@click.argument("hand")
@click.option(
    "--contract",
    "contracts",
    metavar="C",
    multiple=True,
    help="A bid, in English or Hungarian: 40-100 ulti; may be given again. By default all ten "
    "contracts, and what is bid together at tables.",
)
@trump_option("This trump alone.")
@click.option("--discard", metavar="CARDS", help="Of twelve cards these two, instead of the best.")
@click.option("--holds", default="", metavar="TEXT", help="What is known: '1: HA, 2: not L'.")
@click.option(
    "--samples",
    type=click.IntRange(min=1),
    default=200,
    show_default=True,
    metavar="N",
    help="Deals to look at.",
)
@with_seconds
@click.option(
    "--closed",
    "games",
    type=click.IntRange(min=1),
    metavar="N",
    help="Then play the best bid in N of these deals with closed cards.",
)
@options(with_stakes, with_seed, with_rules, with_marriages, *for_people, as_json)
def advise(
    hand: str, as_json: bool, seconds: float | None, games: int | None, **asked: Any
) -> None:
    """Say what to bid on a HAND of ten cards, or of twelve before two are discarded.

    The cards that are not seen are dealt at random many times over. For every contract and
    trump that tells how often it is made if all play perfectly with open cards, with a 95 %
    interval, and what each defender then pays on average. Of twelve cards all 66 discards
    are tried, the better ones longer. Ctrl-C prints what is known by then.

    With --closed the best bid is also played as at a table, where each player sees ten cards: all
    three imagine deals that agree with what they have seen, and play what is best on average.

    \b
    Examples:
      dragon ulti advise "HA HK HO HX H7 LA L8 AA B9 BX"
      dragon ulti advise "HA HK HO HX H7 LA L8 AA B9 BX A7 BK" --seconds 5
      dragon ulti advise "HA HK HO HX H7 LA L8 AA B9 BX" --contract "piros 40-100 ulti"
      dragon ulti advise "A7 A8 A9 AX H7 H8 LO L7 B7 B8" --contract betli --holds "1: not H"
      dragon ulti advise "A7 A8 A9 AX H7 H8 LO L7 B7 B8" --contract betli --closed 20
    """
    from dragon_ulti.advice import advise as advice
    from dragon_ulti.advice import play_closed

    question, stakes = _question(hand, **asked), asked["stakes"]
    known: Advice | None = None
    closed: Closed | None = None
    interrupted = False
    try:
        for known in _watched(advice(question), seconds):  # noqa: B007  the last one counts
            pass
        if games is not None and known is not None and known.ranking():
            with progress_bar(total=games) as bar:
                for closed in play_closed(known, question, games):  # noqa: B007
                    bar.update(1)
    except KeyboardInterrupt:  # print the results so far, and mark them
        interrupted = True
    if known is not None:
        if as_json:
            found = advised(known, question, stakes, asked["rules"], interrupted)
            print_json(found if closed is None else found | {"closed": played(closed)})
        else:
            report.say("\n".join([_report(known, stakes, interrupted), *_closed(closed)]))
    if interrupted:
        raise KeyboardInterrupt


def _question(hand: str, *, contracts: tuple[str, ...], trump: str | None, discard: str | None,
              holds: str, stakes: Stakes, marriages: bool | None, samples: int, seed: int,
              rules: str) -> Question:  # fmt: skip
    """Return the question; raise DragonError for what cannot be."""
    from dragon_ulti.question import Question, all_cells, read_discard, read_hand
    from dragon_ulti.worlds import read_known

    own, laid = read_hand(hand), read_discard(discard)
    cells = all_cells(rules, stakes, trump, contracts, marriages, own)
    return Question(own, cells, read_known(holds, own), laid, samples, seed)


def _watched(stream: Generator[Advice, None, None], seconds: float | None) -> Iterator[Advice]:
    """Yield the stream until its time is over, with a bar on stderr where that is a terminal.

    The clock starts with the first result: compiling comes before.
    """
    from contextlib import closing

    form = "{percentage:3.0f}%|{bar}| {elapsed}<{remaining} {postfix}"
    shown = 0.0
    with closing(stream), progress_bar(total=1.0, bar_format=form) as bar:
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
        return f"{laid}{line.cell.title} {_symbol(line)} {percent(line.estimate.share, 0)}"
    return ""


def _symbol(line: Line) -> str:
    return SYMBOLS[SUITS.index(line.cell.letter)] if line.cell.letter else "-"


# ---- what is printed -----------------------------------------------------------------------


def _report(known: Advice, stakes: Stakes, interrupted: bool) -> str:
    lines = [" ".join(map(pretty, known.hand))]
    ranking = known.ranking()
    best = ranking[0][0] if ranking else 0
    found = [line for line in known.lines(best) if line.estimate.samples]
    made = [line for line in found if line.estimate.made]
    head = (
        tr("contract"), tr("trump"), tr("made, open"), "95 %", tr("stakes"), "95 %", tr("deals"),
    )  # fmt: skip
    if ranking:
        first = _headline(ranking[0][1], known.discards[ranking[0][0]], tr(stakes.unit))
        lines += ["", *filled([first])]
    if len(known.discards) > 1 and ranking:
        best_first = [
            (" ".join(map(pretty, known.discards[discard])), *_row(line))
            for discard, line in ranking[:SHOWN]
        ]
        lines += ["", *table((tr("discard"), *head), best_first, left=3)]
    if laid := " ".join(map(pretty, known.discards[best])):
        lines += ["", tr("with {cards} discarded", cards=laid)]
    if made:
        below = [_parts(line) for line in made]
        lines += ["", *table(head, [_row(line) for line in made], left=2, below=below)]
    in_order = [known.line(best, cell) for cell in range(len(known.cells))]
    never = [x for x in in_order if x.estimate.samples and not x.estimate.made]
    lacking = [x for x in in_order if x.lacking]
    notes = []
    if never:
        notes.append(tr("never made in these deals: {bids}", bids="; ".join(_together(never))))
    if lacking:
        notes.append(tr("cannot be bid: {bids}", bids="; ".join(_together(lacking))))
    if made:
        notes.append(tr(OPEN_CARDS))
    if any(len(line.cell.game.bid.parts) > 1 for line in made):
        notes.append(tr(PART_BY_PART))
    if any(cell.weds for cell in known.cells):
        notes.append(tr("marriages count in parties (without: --no-marriages)"))
    stake = tr("stakes in {unit} from each defender, by {source}",
               unit=tr(stakes.unit), source=tr(stakes.source))  # fmt: skip
    many = tr("{n} deals are possible", n=f"{known.worlds:,}")
    notes.append(f"{stake}; {many}; {known.seconds:.1f} s")
    if not found:
        lines += ["", tr("nothing was looked at")]
    lines += ["", *filled(notes)]
    if interrupted:
        lines.append(tr("interrupted: this is what was known by then"))
    elif not known.done:
        lines.append(tr("out of time: this is what was known by then"))
    return "\n".join(lines)


def _closed(closed: Closed | None) -> Iterator[str]:
    """Yield a note on the games with closed cards, if there were any."""
    if closed is None:
        return
    low, high = (percent(share, 0) for share in closed.made.interval())
    note = tr(
        "with closed cards {bid} is made in {made} of {n} deals (95 %: {low} to {high}), and in "
        "{open} of these if all cards lie open",
        bid=closed.line.cell.title, made=closed.made.made, n=closed.made.samples, low=low,
        high=high, open=closed.open.made,
    )  # fmt: skip
    yield from ("", *filled([note]))


def _headline(line: Line, laid: Hand, unit: str) -> str:
    """Return the best bid in a sentence, and what its percentage supposes."""
    named = line.cell.title
    if line.cell.letter:
        named += f", {tr(SUIT_NAMES[SUITS.index(line.cell.letter)])}"
    if laid:
        named = tr("discard {cards}, then {bid}", cards=" ".join(map(pretty, laid)), bid=named)
    return tr(
        "{bid}: made in {share} of {n} deals if all cards lie open, "
        "{stakes} {unit} from each defender",
        bid=named,
        share=percent(line.estimate.share, 1),
        n=line.estimate.samples,
        stakes=f"{line.stakes:+.2f}",
        unit=unit,
    )


def _row(line: Line) -> tuple[str, ...]:
    made, low, high = (
        percent(share, 1) for share in (line.estimate.share, *line.estimate.interval())
    )
    least, most = line.stakes_interval
    return (
        line.cell.title, _symbol(line), made, f"{low} - {high}", f"{line.stakes:+.2f}",
        f"{least:+.2f} to {most:+.2f}", str(line.estimate.samples),
    )  # fmt: skip


def _parts(line: Line) -> list[str]:
    """Return the lines with how often each part of a bid is made, where there are several."""
    if len(line.parts) < 2:
        return []
    named = zip(line.cell.parts, line.parts, strict=True)
    shares = (f"{tr(bid(name).title)} {percent(part.share, 1)}" for (name, _), part in named)
    return filled([f"  {', '.join(shares)}"], 2)


def _together(lines: list[Line]) -> Iterator[str]:
    """Yield the bids with their trumps, without those that count only because of a part."""
    cells = [line.cell for line in lines]
    own = [x for x in lines if not any(part.within(x.cell) for part in cells)]
    for title in dict.fromkeys(line.cell.title for line in own):
        trumps = [_symbol(line) for line in own if line.cell.title == title]
        yield f"{title} {' '.join(trumps)}".removesuffix(" -")
