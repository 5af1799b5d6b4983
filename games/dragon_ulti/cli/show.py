"""What the commands of Ulti print of answers, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragon_ulti.cards import SUITS, SYMBOLS, card, pretty
from dragon_ulti.cli import look
from dragon_ulti.contracts import CONTRACTS, trump_name

if TYPE_CHECKING:
    from dragon_ulti.answers import Answer
    from dragon_ulti.course import Course

SHOWN = {True: "made", False: "fails", None: "unknown"}
BROKEN_OFF = "interrupted: this is what is known so far"


def grid(found: list[Answer], interrupted: bool) -> str:
    """The table of verdicts: contracts by trumps; ? where the work was broken off before."""
    known = {(each.game.contract, each.game.trump): word(each) for each in found}
    suits = "".join(f"{s} {y}      " for s, y in zip(SUITS, SYMBOLS, strict=True))
    lines = [look.table(found[0].state), "", f"{'':22}{suits}no trump"]
    for name, contract in CONTRACTS.items():
        trumps = SUITS if contract.trump else ""
        row = "".join(f"{known.get((name, suit), '?'):9}" for suit in trumps)
        bare = "" if contract.trump else " " * 36 + known.get((name, None), "?")
        lines.append(f"{name:22}{row}{bare}".rstrip())
    legend = ["-  a prerequisite is unmet"]
    if "unknown" in known.values():
        legend.append("unknown  the limit came first")
    return "\n".join([*lines, "", *legend, *["?  not reached: interrupted"] * interrupted])


def word(answer: Answer) -> str:
    """A verdict in a word; `-` where the contract may not be played."""
    return "-" if answer.reason else SHOWN[answer.made]


def worth(value: int | None, units: bool) -> str:
    """What a card leads to."""
    if value is None:
        return "unknown"
    if not units:
        return "made" if value else "fails"
    return f"{value} unit{'' if value == 1 else 's'}"


def row(answer: Answer, trump: bool = False) -> str:
    """One line: contract, and trump if that is asked for, verdict, units or what is lacking."""
    more = f"  {answer.reason}" if answer.reason else ""
    if answer.units is not None:
        more = f"  {answer.units} of {answer.game.bid.need} units"
    verdict = "lost" if answer.reason else SHOWN[answer.made]
    title = answer.game.bid.title
    if trump and answer.game.bid.trump:
        title += f", {trump_name(answer.game.setting.trump)}"
    return f"{title:{22 if len(title) < 22 else len(title) + 2}}{verdict:8}{more}".rstrip()


def report(answer: Answer, found: Course | None) -> str:
    """All of an answer; `found` is the course of play, if it is asked for."""
    from dragon_ulti.course import course, hands, tricks

    lines = [look.table(answer.state), "", row(answer, trump=True)]
    if answer.cards:
        lines += ["", *card_lines(answer)]
    best = course(answer.searched, answer.line)
    if answer.line:
        title = "best play, with > who leads and * who takes the trick"
        lines += ["", title if answer.made else title.replace("best play", "the refutation")]
        lines += [tricks(best)]
    if found is not None and found != best:
        lines += ["", "the whole course of play", tricks(found)]
    if found is not None:
        lines += ["", hands(found)]
    lines += ["", f"{answer.nodes:,} nodes in {answer.seconds:.3f} s"]
    return "\n".join(lines)


def card_lines(answer: Answer) -> list[str]:
    """The cards that may be played, those that lead to the same together, the best first."""
    from dragon_ulti.answers import counted

    units = counted(answer.game)
    known = sorted({v for _, v in answer.cards if v is not None}, reverse=not answer.searched.turn)
    whole = all(value is not None for _, value in answer.cards)
    lines = []
    for i, value in enumerate([*known, *([] if whole else [None])]):
        alike = "  ".join(pretty(card(name)) for name, worth in answer.cards if worth == value)
        best = "  best" if whole and not i and len(known) > 1 else ""
        lines.append(f"  {worth(value, units):8}  {alike}{best}")
    return lines
