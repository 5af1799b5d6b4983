"""Hands enumerated or drawn, their counts in bit fields; see `dragon_hands.exact`.

WORDS is bound to the words that a hand's counts take, so that the compiler unrolls them.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

import numpy as np

from dragon.rules.template import kernel

WORDS = 1


@kernel
def satisfied(sums, adds, masks, tests, ends, passed):
    """Return the number of formulas that the counts satisfy, and set `passed`, int64[formulas].

    sums: uint64[WORDS], the counts in bit fields; adds, masks, tests: uint64[terms, WORDS];
    ends: int64[formulas], the end of each formula's terms.
    """
    term = 0
    number = 0
    for f in range(len(ends)):
        ok = 0
        while term < ends[f]:
            good = True
            for w in range(WORDS):
                if (sums[w] + adds[term, w]) & masks[term, w] != tests[term, w]:
                    good = False
            term += 1
            if good:
                ok = 1
                term = ends[f]
        passed[f] = ok
        number += ok
    return number


@kernel
def count(passed, number, weight, hits):
    """Add `weight` to each formula passed, to any, to all; hits: int64[formulas + 2]."""
    n = len(passed)
    if number:
        for f in range(n):
            hits[f] += passed[f] * weight
        hits[n] += weight
        if number == n:
            hits[n + 1] += weight


@kernel
def enumerate_hands(
    words, copies, ways, rest, hand, adds, masks, tests, ends, sums, frames, weights, passed, hits
):
    """Count the hits of every kind of hand, by copies of each class; return the number of kinds.

    words: uint64[classes, WORDS], the addition of a card to the counts; copies: int64[classes];
    ways: int64[classes, most + 1], the choices of 0, 1, ... cards; rest: int64[hand + 1], those
    of cards that no count needs; sums: uint64[hand + 1, WORDS], frames: int64[hand + 1, 3] (class,
    taken, cards to come) and weights: int64[hand + 1] are memory to work in.
    """
    classes = len(copies)
    sums[0, :] = np.uint64(0)
    weights[0] = 1
    frames[0, 0], frames[0, 1], frames[0, 2] = 0, 0, hand
    kinds = 1
    if rest[hand] > 0:
        number = satisfied(sums[0], adds, masks, tests, ends, passed)
        count(passed, number, rest[hand], hits)
    d = 0
    while d >= 0:
        c, taken = frames[d, 0], frames[d, 1]
        if c == classes:
            d -= 1
        elif taken < copies[c] and taken < frames[d, 2]:
            taken += 1
            frames[d, 1] = taken
            left = frames[d, 2] - taken
            for w in range(WORDS):
                sums[d + 1, w] = sums[d, w] + words[c, w] * np.uint64(taken)
            weights[d + 1] = weights[d] * ways[c, taken]
            kinds += 1
            if rest[left] > 0:
                number = satisfied(sums[d + 1], adds, masks, tests, ends, passed)
                count(passed, number, weights[d + 1] * rest[left], hits)
            if left > 0 and c + 1 < classes:
                d += 1
                frames[d, 0], frames[d, 1], frames[d, 2] = c + 1, 0, left
        else:
            frames[d, 0] = c + 1
            frames[d, 1] = 0
    return kinds


@kernel
def rotated(x, n):
    """Return the bits of a word, rotated to the left."""
    return (x << np.uint64(n)) | (x >> np.uint64(64 - n))


@kernel
def next_word(s):
    """Return 64 random bits by xoshiro256++ (Blackman and Vigna 2019); s: uint64[4], advanced."""
    result = rotated(s[0] + s[3], 23) + s[0]
    t = s[1] << np.uint64(17)
    s[2] ^= s[0]
    s[3] ^= s[1]
    s[1] ^= s[2]
    s[0] ^= s[3]
    s[2] ^= t
    s[3] = rotated(s[3], 45)
    return result


@kernel
def draw_hands(deck, hand, hands, adds, masks, tests, ends, random, passed, hits):
    """Draw hands, each from a fresh partial shuffle of Fisher and Yates, and count their hits.

    deck: uint64[cards, WORDS], in any order, which changes; a bounded number comes
    from 32 random bits by multiplication (Lemire 2019), whose bias is below cards / 2**32.
    """
    n = len(deck)
    sums = np.zeros(WORDS, np.uint64)
    for _ in range(hands):
        for w in range(WORDS):
            sums[w] = np.uint64(0)
        bits = np.uint64(0)
        for i in range(hand):
            if i & 1:
                low = bits >> np.uint64(32)
            else:
                bits = next_word(random)
                low = bits & np.uint64(0xFFFFFFFF)
            j = i + np.int64((low * np.uint64(n - i)) >> np.uint64(32))
            for w in range(WORDS):
                card = deck[j, w]
                deck[j, w] = deck[i, w]
                deck[i, w] = card
                sums[w] += card
        number = satisfied(sums, adds, masks, tests, ends, passed)
        count(passed, number, 1, hits)
