"""The Go Text Protocol, version 2, for any game: its lines, taken apart and put together.

The player (the *engine*) answers commands, a line each, with responses that end in an empty
line. Both sides are written with these pieces: `dragon.gtp.client` gives commands, a program
that answers them is another matter. G. Farneback, "Specification of the Go Text Protocol,
version 2", sections 2.4 to 2.8.

Of Go nothing is left but the words: a move is written as the game writes it, and goes to the
end of its line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from attrs import frozen

from dragon.errors import ProtocolError

VERSION = "2"
COLOURS = ("black", "white")
"""The seats of a game of one or two."""
CHANCE_COLOUR = "chance"
"""The name of the mover at a chance node."""
RESIGN = "resign"
"""What an engine answers that gives the game up."""


@frozen
class Command:
    """A line from the controller."""

    name: str
    arguments: tuple[str, ...] = ()
    id: int | None = None

    @property
    def rest(self) -> str:
        """The arguments as one text, for a move or a position that has spaces."""
        return " ".join(self.arguments)

    def __str__(self) -> str:
        number = () if self.id is None else (str(self.id),)
        return " ".join((*number, self.name, *self.arguments))


@frozen
class Response:
    """The answer of an engine."""

    ok: bool
    text: str = ""
    id: int | None = None

    def __str__(self) -> str:
        number = "" if self.id is None else str(self.id)
        head = f"{'=' if self.ok else '?'}{number} {self.text.rstrip()}".rstrip()
        # an empty line would end it
        return re.sub(r"\n[ \t]*(?=\n)", "\n ", head) + "\n\n"


def clean(line: str) -> str:
    """A line as it counts: no comment, no control characters, tabs as spaces.

    >>> clean("play black\\tb2 # the centre\\r")
    'play black b2'
    """
    text = line.replace("\t", " ").partition("#")[0]
    return "".join(c for c in text if c >= " " and c != "\x7f").strip()


def parse_command(line: str) -> Command | None:
    """The command of a line, or None where it holds none.

    >>> parse_command("7 genmove black")
    Command(name='genmove', arguments=('black',), id=7)
    """
    words = clean(line).split()
    number = None
    if words and re.fullmatch(r"\d{1,18}", words[0]):
        number = int(words.pop(0))
    if not words:
        return None
    return Command(words[0], tuple(words[1:]), number)


def parse_response(lines: Sequence[str]) -> Response:
    """The response of its lines, without the empty one that ends it; raises ProtocolError.

    >>> parse_response(["=7 b2"])
    Response(ok=True, text='b2', id=7)
    """
    first = lines[0] if lines else ""
    found = re.fullmatch(r"([=?])(\d{0,18})(?:[ \t](.*))?", first.rstrip(), re.DOTALL)
    if found is None:
        raise ProtocolError(f"{first[:80]!r} is not a response; one begins with = or ?")
    text = "\n".join([found[3] or "", *(line.rstrip() for line in lines[1:])])
    return Response(found[1] == "=", text.strip(), int(found[2]) if found[2] else None)


def colour_of(seat: int, seats: int) -> str:
    """Return the name of a seat; -1 is chance.

    >>> colour_of(1, 2), colour_of(1, 3), colour_of(-1, 2)
    ('white', 'seat1', 'chance')
    """
    if seat < 0:
        return CHANCE_COLOUR
    return COLOURS[seat] if seats <= len(COLOURS) else f"seat{seat}"


def seat_of(colour: str, seats: int) -> int:
    """The inverse, with `b` and `w` for the two colours; raises ProtocolError.

    >>> seat_of("W", 2)
    1
    """
    text = colour.lower()
    for seat in range(-1, seats):
        name = colour_of(seat, seats)
        if text == name or (name in COLOURS and text == name[0]):
            return seat
    known = ", ".join(colour_of(seat, seats) for seat in range(seats))
    raise ProtocolError(f"{colour!r} is not a colour here ({known})")
