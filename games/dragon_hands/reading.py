"""Deck files read and checked: every mistake is told at once, with its line and a remedy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING

from dragon.errors import ConfigError
from dragon_hands.condition import clauses
from dragon_hands.grammar import Wrong, parse
from dragon_hands.known import LEAST_HAND, SHUFFLED
from dragon_hands.source import (
    Source,
    compose,
    entries,
    is_nothing,
    items,
    kind_of,
    line_of,
    number_of,
    read,
    text_of,
    truth_of,
)
from dragon_hands.spec import (
    BLANK,
    CONDITIONS,
    COSTS,
    RESTRICTIONS,
    RESTS,
    SIZE,
    TIMINGS,
    Asked,
    Card,
    Free,
    Spec,
    Toll,
)

if TYPE_CHECKING:
    import yaml

TOP = ("deck", "conditions", "deckName", "size", "extra", "condition_timing")
CARD = ("qty", "tags", "free")
FREE = ("count", "oncePerTurn", "cost", "condition", "restriction", "excavate", "condition_timing")
TOLL = ("type", "value")
EXCAVATE = ("count", "pick", "rest")
MOST_CARDS = 500
"""Cards of a deck, and names in it; the rules of the game stop at 60."""
LONGEST_NAME = 200
MOST_CONDITIONS = 200


def load(file: str) -> Spec:
    """The deck of a file, or of stdin for `-`; raises ConfigError with every mistake."""
    return parse_spec(read(file), "stdin" if file == "-" else file)


def parse_spec(text: str, name: str = "deck") -> Spec:
    """The deck of a text in YAML; `name` stands before the line number of each mistake."""
    source = Source(name)
    root = compose(text, source)
    top = entries(root, "the file", source)
    source.check()
    _strangers(top, TOP, "the file", source)
    timing = _word(top, "condition_timing", TIMINGS, TIMINGS[0], source)
    cards = _cards(top, "deck", timing, source)
    extra = _cards(top, "extra", timing, source) if "extra" in top else ()
    size = _number(top, "size", 0, MOST_CARDS, SIZE, "the file", source)
    asked = _conditions(top, source)
    title = text_of(top["deckName"][1]) if "deckName" in top else None
    spec = Spec(cards, asked, size, extra, title or "")
    _check_deck(spec, top, source)
    _check_names(spec, source)
    source.check()
    _warn(spec, top, source)
    return Spec(cards, asked, size, extra, title or "", tuple(source.warnings))


# ---- the parts of a file -----------------------------------------------------------------------


def _cards(
    top: dict[str, tuple[int, yaml.Node]], key: str, timing: str, source: Source
) -> tuple[Card, ...]:
    if key not in top:
        source.wrong(1, f"there is no {key!r}; list the cards under `{key}:`, each with its qty")
        return ()
    line, node = top[key]
    if is_nothing(node):
        source.wrong(line, f"{key} is empty; list at least one card with its qty")
        return ()
    listed = entries(node, key, source)
    if len(listed) > MOST_CARDS:
        source.wrong(line, f"{len(listed):,} names; a {key} has at most {MOST_CARDS}")
        return ()
    return tuple(_card(name, at, value, timing, source) for name, (at, value) in listed.items())


def _card(name: str, line: int, node: yaml.Node, timing: str, source: Source) -> Card:
    what = repr(name if len(name) <= 60 else f"{name[:60]}...")
    if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
        source.wrong(line, f"{what} is no name of a card; write up to {LONGEST_NAME} letters")
    if is_nothing(node):
        source.wrong(line, f"{what} has no qty; write `qty: 3` under it")
        return Card(name, 0, line=line)
    found = entries(node, what, source)
    _strangers(found, CARD, what, source)
    if "qty" not in found and found:
        source.wrong(line, f"{what} has no qty; write `qty: 3` under it")
    qty = _number(found, "qty", 0, MOST_CARDS, 0, what, source)
    tags = []
    for tag in items(found["tags"][1]) if "tags" in found else ():
        text = text_of(tag)
        if text is None or not text.strip() or len(text) > LONGEST_NAME:
            source.wrong(line_of(tag), f"{what}: a tag must be text, not {kind_of(tag)}")
        elif text not in tags:
            tags.append(text)
    free = None
    if "free" in found and not is_nothing(found["free"][1]):
        free = _free(name, *found["free"], timing, source)
    return Card(name, qty, tuple(tags), free, line)


def _free(name: str, line: int, node: yaml.Node, timing: str, source: Source) -> Free:
    what = f"free of {name!r}"
    found = entries(node, what, source)
    _strangers(found, FREE, what, source)
    once = None
    if "oncePerTurn" in found:
        at, value = found["oncePerTurn"]
        once = truth_of(value)
        if once is None:
            source.wrong(at, f"{what}: oncePerTurn must be true or false, not {kind_of(value)}")
    elif found:
        source.wrong(line, f"{what} has no oncePerTurn; write `oncePerTurn: true` or `false`")
    looked, pick, rest = _excavate(name, found, source)
    return Free(
        count=_number(found, "count", 0, 60, 0, what, source),
        once=bool(once),
        cost=_toll(found, "cost", COSTS, what, source),
        condition=_toll(found, "condition", CONDITIONS, what, source),
        timing=_word(found, "condition_timing", TIMINGS, timing, source),
        restrictions=_restrictions(found, what, source),
        excavate=looked,
        pick=pick,
        rest=rest,
        least_hand=LEAST_HAND.get(name, 1),
    )


def _excavate(
    name: str, found: dict[str, tuple[int, yaml.Node]], source: Source
) -> tuple[int, int, str]:
    usual = "shuffle" if name in SHUFFLED else "bottom"
    if "excavate" not in found or is_nothing(found["excavate"][1]):
        return 0, 0, usual
    line, node = found["excavate"]
    what = f"excavate of {name!r}"
    inner = entries(node, what, source)
    _strangers(inner, EXCAVATE, what, source)
    for key in ("count", "pick"):
        if key not in inner and inner:
            source.wrong(line, f"{what} has no {key}; write `count: 3` and `pick: 1`")
    looked = _number(inner, "count", 1, 60, 1, what, source)
    pick = _number(inner, "pick", 0, 60, 0, what, source)
    if pick > looked:
        source.wrong(inner["pick"][0], f"{what}: picks {pick} of {looked}; pick no more than count")
    return looked, pick, _word(inner, "rest", RESTS, usual, source)


def _toll(
    found: dict[str, tuple[int, yaml.Node]],
    key: str,
    kinds: Sequence[str],
    what: str,
    source: Source,
) -> Toll | None:
    """A cost or a condition: a type, by name or code, and a value."""
    if key not in found or is_nothing(found[key][1]):
        return None
    line, node = found[key]
    where = f"{key} of {what}"
    inner = entries(node, where, source)
    _strangers(inner, TOLL, where, source)
    for part in TOLL:
        if part not in inner and inner:
            source.wrong(line, f"{where} has no {part}; write `type: {kinds[0]}` and `value: 1`")
    if not all(part in inner for part in TOLL):
        return None
    kind = _coded(inner["type"][1], kinds, f"type of {where}", source)
    at, value = inner["value"]
    number = number_of(value)
    if kind is None:
        return None
    if number is not None:
        if kind != "PayLife" and not 0 <= number <= 60:
            source.wrong(at, f"{where}: {number} cards; write a number from 0 to 60")
        return Toll(kind, number)
    names = _names(value)
    if names is None or kind == "PayLife":
        source.wrong(at, f"{where}: the value must be a whole number, not {kind_of(value)}")
    elif kind == "BanishFromDeck":
        source.wrong(at, f"{where}: BanishFromDeck takes cards from the top; write how many")
    else:
        return Toll(kind, names=names)
    return None


def _names(node: yaml.Node) -> tuple[tuple[tuple[str, ...], int], ...] | None:
    """`Name`, or `[One, Other]`: one card of any of these; `{Name: 2}`: two. None if neither."""
    import yaml

    if isinstance(node, yaml.MappingNode):
        pairs = [(text_of(key), number_of(value)) for key, value in node.value]
        if (
            not pairs
            or len(pairs) > 5
            or any(k is None or not v or v < 0 or v > 60 for k, v in pairs)
        ):
            return None
        return tuple(((str(k),), int(v or 0)) for k, v in pairs)
    words = [text_of(each) for each in items(node)]
    if not words or None in words or str(node.tag).endswith((":float", ":bool")):
        return None
    return ((tuple(map(str, words)), 1),)


def _restrictions(
    found: dict[str, tuple[int, yaml.Node]], what: str, source: Source
) -> tuple[str, ...]:
    given = items(found["restriction"][1]) if "restriction" in found else ()
    read_off = (_coded(node, RESTRICTIONS, f"restriction of {what}", source) for node in given)
    return tuple(dict.fromkeys(word for word in read_off if word is not None))


def _conditions(top: dict[str, tuple[int, yaml.Node]], source: Source) -> tuple[Asked, ...]:
    if "conditions" not in top:
        source.wrong(1, "there are no conditions; list at least one under `conditions:`")
        return ()
    line, node = top["conditions"]
    found: list[Asked] = []
    if not list(items(node)) or len(list(items(node))) > MOST_CONDITIONS:
        number = len(list(items(node)))
        source.wrong(line, f"{number:,} conditions; list at least one, at most {MOST_CONDITIONS}")
        return ()
    for each in items(node):
        text = text_of(each)
        if text is None:
            source.wrong(line_of(each), f"a condition must be text, not {kind_of(each)}")
            continue
        try:
            found.append(Asked(parse(text), text, line_of(each)))
        except Wrong as wrong:
            shown = text if len(text) <= 60 else f"{text[:60]}..."
            source.wrong(line_of(each), f"condition {shown!r}, {wrong}")
    return tuple(found)


def _strangers(
    found: dict[str, tuple[int, yaml.Node]], known: Sequence[str], what: str, source: Source
) -> None:
    for key, (line, _) in found.items():
        if key not in known:
            shown = key if len(key) <= 40 else f"{key[:40]}..."
            source.wrong(
                line, f"no key {shown!r} in {what}{hint(key, known)} (keys: {', '.join(known)})"
            )


def _number(
    found: dict[str, tuple[int, yaml.Node]],
    key: str,
    least: int,
    most: int,
    default: int,
    what: str,
    source: Source,
) -> int:
    if key not in found:
        return default
    line, node = found[key]
    number = number_of(node)
    if number is None or not least <= number <= most:
        source.wrong(
            line,
            f"{what}: {key} must be a whole number from {least} to {most}, not {kind_of(node)}",
        )
        return default
    return number


def _word(
    found: dict[str, tuple[int, yaml.Node]],
    key: str,
    known: Sequence[str],
    default: str,
    source: Source,
) -> str:
    if key not in found:
        return default
    line, node = found[key]
    text = text_of(node)
    if text not in known:
        source.wrong(line, f"{key} must be {' or '.join(known)}, not {kind_of(node)}")
        return default
    return str(text)


def _coded(node: yaml.Node, known: Sequence[str], what: str, source: Source) -> str | None:
    """One of the names, or its number."""
    number = number_of(node)
    if number is not None and 0 <= number < len(known):
        return known[number]
    text = text_of(node)
    if text in known:
        return text
    codes = ", ".join(f"{name} or {code}" for code, name in enumerate(known))
    said = hint(text, known) if text else ""
    source.wrong(line_of(node), f"{what}: {kind_of(node)} is none of {codes}{said}")
    return None


def hint(word: str, known: Iterable[str]) -> str:
    """`; did you mean 'x'?` where something known is close, whatever the case."""
    names = list(known)
    folded = {name.lower(): name for name in reversed(names)}
    close = get_close_matches(word[:LONGEST_NAME].lower(), folded, n=1)
    return f"; did you mean {folded[close[0]]!r}?" if close else ""


def _check_deck(spec: Spec, top: dict[str, tuple[int, yaml.Node]], source: Source) -> None:
    line = top["deck"][0] if "deck" in top else 1
    if spec.listed > MOST_CARDS:
        source.wrong(
            line, f"{spec.listed:,} cards; a deck has at most {MOST_CARDS} (the game's rules: 60)"
        )
    elif not spec.listed and not source.problems:
        source.wrong(line, "0 cards; give at least one card a qty of 1 or more")
    if any(card.name == BLANK for card in spec.cards) and spec.blanks:
        source.wrong(line, f"{BLANK!r} is what blanks are called; give the card another name")


def _check_names(spec: Spec, source: Source) -> None:
    """Clauses and tolls must name cards or tags that there are."""
    for asked in spec.conditions:
        for clause in clauses(asked.condition):
            if clause.name in spec.names:
                continue
            numbered = f"{clause.count}{clause.sign} {clause.name}"
            bare = f"{clause.count} {clause.name}"
            if bare in spec.names:
                said = f"; the card {bare!r} begins with a number, write 1+ {bare}"
            else:
                said = hint(clause.name, spec.names) or "; give a card that name, or that tag"
            source.wrong(
                asked.line, f"no card and no tag is called {clause.name!r} (in {numbered!r}){said}"
            )
    for card in spec.cards:
        free = card.free
        for toll in (free.cost, free.condition) if free else ():
            for words, _ in toll.names if toll else ():
                for word in words:
                    if word not in spec.names:
                        source.warn(
                            card.line,
                            f"{card.name!r} takes {word!r}, which no card and no tag is called"
                            f"{hint(word, spec.names)}",
                        )


def _warn(spec: Spec, top: dict[str, tuple[int, yaml.Node]], source: Source) -> None:
    """Says what is odd."""
    line = top["deck"][0]
    if spec.blanks:
        source.warn(line, f"{spec.listed} cards listed; {spec.blanks} blanks fill the deck up to "
                          f"{spec.size}")  # fmt: skip
    if spec.total < SIZE or spec.total > 60:
        source.warn(line, f"{spec.total} cards; the game's rules ask for 40 to 60")
    for asked in spec.conditions:
        for clause in clauses(asked.condition):
            zone = spec.extra if clause.zone == "Extra" else spec.deck
            copies = sum(card.qty for card in zone if card.answers(clause.name))
            if clause.sign != "-" and clause.count > copies:
                source.warn(asked.line, f"{str(clause)!r} never holds: there are only {copies}")
            elif clause.count == 0 and clause.sign == "+":
                source.warn(asked.line, f"{str(clause)!r} always holds")


def checked_hand(spec: Spec, hand: int) -> int:
    """A hand's size; raises ConfigError unless the deck has so many cards."""
    if not 1 <= hand <= spec.total:
        raise ConfigError(
            f"a hand of {hand} cards from a deck of {spec.total}; ask for 1 to {spec.total}"
        )
    return hand
