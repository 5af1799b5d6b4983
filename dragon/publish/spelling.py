"""Spelling: kernels by which a page reads, writes and points at moves that no table could hold.

The notation's rule `spell` says which words a move's text has, and which cells are clicked for it.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from dragon.rules.template import kernel, moves

LONGEST = 16
"""Words of a move, at most."""


def spell(s, code, way, out):
    """The notation's rule, as `BaseNotation.spell` has it."""
    return -1


@kernel
def spell_of(states, code, way, words):
    """Writes the words of a move at states[0]; how many, or -1 where there is no such way."""
    return spell(states[0], code, way, words)


@kernel
def begins(words, wanted, n):
    """Return True if the first n words are those that are wanted."""
    for i in range(n):
        if words[i] != wanted[i]:
            return False
    return True


@kernel
def find(states, out, words, wanted, n):
    """The code of the legal move whose text is the n words that are wanted, or -1."""
    for i in range(moves(states[0], out)):
        if spell(states[0], out[i], 0, words) == n and begins(words, wanted, n):
            return out[i]
    return -1


@kernel
def point(states, out, words, wanted, n, cells, complete):
    """After n cells have been clicked: marks by 1 in `cells`, which are all zero, those that may
    come next, and writes the codes that are complete; how many there are, not all of which may
    have been written."""
    done = 0
    for i in range(moves(states[0], out)):
        way = 1
        count = spell(states[0], out[i], way, words)
        while count >= 0:
            if count >= n and begins(words, wanted, n):
                if count > n:
                    cells[words[n]] = 1
                else:
                    if done < len(complete):
                        complete[done] = out[i]
                    done += 1
            way += 1
            count = spell(states[0], out[i], way, words)
    return done
