"""Kernels that write, read and click moves of which there are too many for a table.

The notation's rule `spell` gives the words of a move's text, and the cells that are clicked for it.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from dragon.rules.template import kernel, moves

LONGEST = 16
"""The most words of a move."""


def spell(s, code, way, out):
    """The notation's rule, as `BaseNotation.spell` has it."""
    return -1


@kernel
def spell_of(states, code, way, words):
    """Write the words of a move at states[0]; return their number, or -1 for an unknown `way`."""
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
    """Return the code of the legal move whose text is the n wanted words, or -1."""
    for i in range(moves(states[0], out)):
        if spell(states[0], out[i], 0, words) == n and begins(words, wanted, n):
            return out[i]
    return -1


@kernel
def point(states, out, words, wanted, n, cells, complete):
    """Mark the next cells after n clicks by 1 in `cells`, which are zero before; write the codes of
    complete moves as far as there is room, and return their number."""
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
