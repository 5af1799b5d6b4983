"""The notation of closed hands: that of open ones, with `?` for what is not seen.

    HA HK .. / .. / .. / L7 B7, played HA H7 LX     all of it: the deal, and the cards since
    HA HK .. / ? / ? / L7 B7, played HA H7 LX       what the declarer sees of it
    ? / ? / L8 .. / ?, played HA H7                 what seat 2 sees

Hands are those from which play began, so that the cards played are among them. In a view of
shorter hands `among` lists the cards not seen; of full ones these are all the rest. `told
0: 40 20; 1: none` gives the marriages announced, where they count.
"""

from __future__ import annotations

import re

from attrs import evolve

from dragon.errors import BadNotation
from dragon_ulti.cards import DECK, name, names
from dragon_ulti.contracts import announcement
from dragon_ulti.deal import SIZE, Deal, Hand, read_cards
from dragon_ulti.hidden import UNSEEN, Closed, HiddenGame, begun, denied, opening, plays, view
from dragon_ulti.notation import UltiNotation
from dragon_ulti.reading import given_clauses
from dragon_ulti.record import Table

PLACED = ("lead", "units", "need", "pending")
"""The clauses of a view about the beginning of play, the same as an open position's."""
CLAUSES = (*PLACED, "among", "told", "played")
HINT = (
    "after the hands of a view write, with commas: lead 1, units 3, among H8 ... for the cards "
    "not seen, told 0: 40 20, or played HA H7"
)
MARRIAGES = re.compile(r"([012]): ?(none|(?:40|20)(?: 20)*)")


def read(game: HiddenGame, text: str) -> Closed:
    """The position or view of a text in any of the game's forms; raises BadNotation."""
    if UNSEEN in text.split(",")[0] and "deal=" not in text:
        return _read_view(game, text)
    game.opened.parse(text)  # tells whatever is wrong with it
    reading = UltiNotation(game.setting).read(text)
    state = begun(game, opening(game, reading.table))
    for each in reading.played:
        state = state.after(name(each))
    return state


def _read_view(game: HiddenGame, text: str) -> Closed:
    head, *clauses = (part.strip() for part in text.split(","))
    given = given_clauses(text, clauses, CLAUSES, HINT)
    groups = [group.strip() for group in head.split("/")]
    seen = [i for i, group in enumerate(groups[:3]) if group != UNSEEN]
    if len(groups) not in (3, 4) or len(seen) != 1:
        raise BadNotation(
            f"{text!r} is no view of a deal; write the hand that is seen in its place among three "
            "and ? for the others and for a talon that is not seen, such as "
            "'? / HA HK ... / ? / ?'"
        )
    seat = seen[0]
    own = tuple(sorted(_cards(groups[seat], f"seat {seat}", text)))
    talon = () if len(groups) == 3 or groups[3] == UNSEEN else _cards(groups[3], "the talon", text)
    if len(talon) not in (0, 2):
        raise BadNotation(f"the talon of {text!r} has {len(talon)} cards; write two, or ?")
    if twice := {*own} & {*talon}:
        raise BadNotation(f"{names(sorted(twice))} is in the hand and in the talon of {text!r}")
    played = _cards(given.get("played", ""), "the cards played", text)
    unseen = tuple(each for each in DECK if each not in (*own, *talon))
    if "among" in given:
        unseen = tuple(sorted(_cards(given["among"], "the cards not seen", text)))
    for each in (*own, *talon):
        if each in unseen:
            raise BadNotation(f"{name(each)} is both seen and not in {text!r}")
    spare = 2 if groups[3:] == [UNSEEN] else 0
    if len(unseen) != 2 * len(own) + spare:
        raise BadNotation(
            f"{text!r} leaves {len(unseen)} cards for two hands of {len(own)} and {spare} in the "
            "talon; hands are those from which play began, a fourth group, ?, is a talon that is "
            "not seen, and `among` lists the cards not seen"
        )
    base = _base(game, text, seat, own, talon, unseen, given)
    state = view(game, base, played, seat, unseen, _announced(given.get("told"), text))
    _check_plays(state, own, text)
    _check_announced(state, own, text)
    return state


def _cards(words: str, where: str, text: str) -> Hand:
    found = read_cards(words, where, text)
    for each in found:
        if found.count(each) > 1:
            raise BadNotation(f"{name(each)} is there twice in {text!r}")
    return found


def _base(
    game: HiddenGame,
    text: str,
    seat: int,
    own: Hand,
    talon: Hand,
    unseen: Hand,
    given: dict[str, str],
) -> Table:
    """Read the position in which play began, with unseen cards dealt in any way, then covered."""
    rest = list(unseen)
    hands = [own] * 3
    hands[(seat + 2) % 3] = tuple(rest[len(own) : 2 * len(own)])
    hands[(seat + 1) % 3] = tuple(rest[: len(own)])
    spare = talon or tuple(rest[2 * len(own) :])
    kept = [f"{word} {said}" for word, said in given.items() if word in PLACED]
    groups = [*hands, spare] if spare else hands
    whole = ", ".join([" / ".join(map(names, groups)), *kept])
    try:
        reading = UltiNotation(game.setting).read(whole)
    except BadNotation as wrong:  # of which the user wrote only what is seen
        raise BadNotation(str(wrong).replace(repr(whole), repr(text))) from None
    if reading.table.trick:
        raise BadNotation(f"{text!r}: write the cards on the table as the last of those played")
    mine = [own if i == seat else () for i in range(3)]
    return evolve(reading.table, deal=Deal((mine[0], mine[1], mine[2]), tuple(sorted(talon))))


def _check_plays(state: Closed, own: Hand, text: str) -> None:
    """That each card was its seat's to play, as far as the view can tell; raises BadNotation."""
    setting, seat = state.setting, state.seat
    assert seat is not None
    if len(state.played) > 3 * len(own):
        raise BadNotation(f"{text!r} has {len(state.played)} cards played; hands had {len(own)}")
    excluded = [0] * 3
    for i, each in enumerate(plays(setting, state.base.lead, state.played)):
        shown = f"card {i + 1} of those played in {text!r}, {name(each.card)},"
        if each.card not in (own if each.seat == seat else state.unseen):
            whose = f"seat {seat} does not hold it" if each.seat == seat else "it is not unseen"
            raise BadNotation(f"{shown} is seat {each.seat}'s, but {whose}")
        if each.seat == seat:
            known = state.unseen, state.announced
            before = view(state.game, state.base, state.played[:i], seat, *known)
            if name(each.card) not in before.moves():
                raise BadNotation(f"{shown} is not legal; legal: {' '.join(before.moves())}")
        if excluded[each.seat] >> each.card & 1:
            raise BadNotation(
                f"{shown} is not legal: by what seat {each.seat} played before, it cannot hold it"
            )
        excluded[each.seat] |= denied(setting, each.card, each.trick)


def _check_announced(state: Closed, own: Hand, text: str) -> None:
    """That announcements are called for, and true as far as the view can tell."""
    if not any(state.announced):
        return
    if not (state.setting.marriages and len(own) == SIZE):
        raise BadNotation(
            f"{text!r} tells of marriages, which are announced only with marriages=true and by "
            "seats that began with ten cards"
        )
    by = {each.card: each.seat for each in plays(state.setting, state.base.lead, state.played)}
    for seat, said in enumerate(state.announced):
        if said is None:
            continue
        if seat not in by.values():
            raise BadNotation(
                f"{text!r} tells what seat {seat} announced, but it has played no card yet"
            )
        mine = own if seat == state.seat else [c for c in state.unseen if by.get(c, seat) == seat]
        most = announcement(mine, state.setting.trump)
        if (seat == state.seat and said != most) or any(
            said.count(word) > most.count(word) for word in ("40", "20")
        ):
            raise BadNotation(
                f"{text!r} tells that seat {seat} announced {said}, but its cards have "
                f"{'' if seat == state.seat else 'at most '}{most}"
            )


def _announced(clause: str | None, text: str) -> tuple[str | None, ...]:
    said: list[str | None] = [None, None, None]
    for part in (clause or "").split(";"):
        if not part.strip():
            continue
        found = MARRIAGES.fullmatch(" ".join(part.split()))
        if not found or said[int(found[1])] is not None:
            why = " says it twice" if found else ""
            raise BadNotation(f"{part.strip()!r} in {text!r}{why}: write 'told 0: 40 20; 1: none'")
        said[int(found[1])] = found[2]
    return tuple(said)
