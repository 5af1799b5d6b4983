"""Sets of cells as the bits of an integer: packed, spread out, and one after another."""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from dragon.rules.template import kernel


@kernel
def size(cells):
    """Return how many bits are set."""
    n = 0
    while cells:
        cells &= cells - 1
        n += 1
    return n


@kernel
def packed(cells: int, among: int) -> int:
    """The bits of `cells` that `among` holds, moved together at the low end."""
    found = 0
    place = 1
    while among:
        low = among & -among
        if cells & low:
            found |= place
        place <<= 1
        among ^= low
    return found


@kernel
def spread(bits, among):
    """The bits at the low end moved to those of `among`: what `packed` undoes."""
    found = 0
    while bits:
        low = among & -among
        if bits & 1:
            found |= low
        bits >>= 1
        among ^= low
    return found


@kernel
def following(bits):
    """The next larger integer with as many bits set, which is not 0; by Gosper, HAKMEM 175."""
    low = bits & -bits
    ripple = bits + low
    return ((ripple ^ bits) >> 2) // low | ripple


@kernel
def inserted(bits, place, value):
    """The bits with one more at `place`, those from there on moved up."""
    return bits >> place << place + 1 | value << place | bits & (1 << place) - 1


@kernel
def removed(bits, place):
    """The bits without the one at `place`, those above moved down."""
    return bits >> place + 1 << place | bits & (1 << place) - 1
