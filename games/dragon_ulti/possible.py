"""Whether play can have led to a position, as far as the position itself tells."""

from __future__ import annotations

from attrs import evolve

from dragon_ulti import rules
from dragon_ulti.cards import RANKS, name, names, place
from dragon_ulti.record import OPEN, Setting, Table, fill

WORTH = tuple(RANKS.index(rank) for rank in "XA")


def impossible(table: Table, setting: Setting) -> str:
    """Why it cannot arise, as the end of a sentence; empty if it can."""
    if table.opening and table.lead:
        return "all cards are there, and the declarer leads to the first trick"
    return _units(table) or _trick(table, setting)


def _units(table: Table) -> str:
    """More units than the aces and tens that are out of play, and the last trick if it is over."""
    here = {card for hand in table.dealt.hands for card in hand}
    worth = sum(card & 7 in WORTH for card in (*here, *table.deal.talon))
    most = 8 - worth + (not here)
    if table.units <= most:
        return ""
    return f"no more than {most} can have been taken; {worth} of the aces and tens are still there"


def _trick(table: Table, setting: Setting) -> str:
    """A card on the table that its seat might not have played."""
    from dragon_ulti.play import ulti_rules

    if not table.trick:
        return ""
    record = ulti_rules(setting).blank()
    fill(record, setting, evolve(table, deal=table.dealt, trick=()))
    record.seat, record.status = table.lead, OPEN
    for card in table.trick:
        code, seat = place(card, setting.order), int(record.seat)
        legal = rules.legal(record)
        if not int(legal) >> code & 1:
            may = names(each for each in table.dealt.hands[seat] if _has(legal, each, setting))
            return f"seat {seat} held {may} and might not play {name(card)}"
        rules.play(record, code)
    return ""


def _has(places: int, card: int, setting: Setting) -> bool:
    return bool(int(places) >> place(card, setting.order) & 1)
