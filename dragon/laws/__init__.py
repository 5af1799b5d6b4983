"""The conformance kit: what every game and search must do, as small named laws.

A law is called with its subject and raises LawBroken, with the position, what was
expected and what was seen. In a plugin's own tests::

    import dragon, pytest
    from dragon.laws import GAME_LAWS

    @pytest.mark.parametrize("law", GAME_LAWS, ids=str)
    def test_my_game(law):
        law(dragon.game("mygame"))

`dragon laws GAME` tries them at the command line. Read `kit` first::

    kit        what a law is, and the states that it is tried on
    games      laws of any game; hidden: of hidden information
    compiled   laws of games by Rules: compiled and interpreted agree
    searches   laws of searches
    whole      every state of a small game, with laws of texts, and of claims about trees
    notes      remarks on what breaks no law; portrait: figures of random games
    standing   small games for a search that is tried without a game
    apart      laws tried in another process
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import frozen

from dragon.core import Game, Search
from dragon.laws import compiled, games, hidden, searches, whole
from dragon.laws.kit import Law, LawBroken, states
from dragon.laws.kit import effort as _effort


def _laws_of(module: Any) -> tuple[Law, ...]:
    return tuple(value for value in vars(module).values() if isinstance(value, Law))


_PEEKING = (hidden.law_no_search_peeks,)
_HIDDEN_LAWS = tuple(law for law in _laws_of(hidden) if law not in _PEEKING)
TRUST = (compiled.law_moves_fit_the_width, compiled.law_rules_keep_their_contract)
"""Laws on which compiled code relies; if one is broken, others might crash the process."""
GAME_LAWS = (*TRUST, *_laws_of(games), *_laws_of(whole), *_HIDDEN_LAWS)
"""Laws of a game, `law(game)`: of any game, however it is written."""
WHOLE_LAWS = (
    compiled.law_rules_keep_their_contract,
    games.law_images_are_one_position,
    *(law for law in _laws_of(whole) if law is not whole.law_moves_read_back),
)
"""Laws of a game that look at every state of a small one, and at a few of any other."""
COMPILED_LAWS = tuple(law for law in _laws_of(compiled) if law not in GAME_LAWS)
"""Laws of a game by Rules, `law(game)`: compiled and interpreted agree."""
SEARCH_LAWS = (*_laws_of(searches), *_PEEKING)
"""Laws of a search, `law(search, game)`."""
LAWS = GAME_LAWS + COMPILED_LAWS + SEARCH_LAWS
"""All laws."""


@frozen
class Verdict:
    """The verdict of one law on its subject; `message` is empty if the law holds."""

    law: str
    passed: bool
    message: str = ""
    cause: str = ""
    """The error, signal or time limit that ended the law before it had a verdict of its own."""
    final: bool = False
    """True if the other laws of the subject are not tried, since the cause is that of another."""


def laws_of(game: Game[Any], search: Search | None = None) -> Iterator[Law]:
    """Yield the laws that apply to a game, or to a search on it; none if it cannot play the
    game."""
    if search is None or search.objection(game) is None:
        laws = GAME_LAWS + COMPILED_LAWS if search is None else SEARCH_LAWS
        yield from (law for law in laws if law.applies(game))


def judge(
    law: Law, game: Game[Any], search: Search | None = None, seed: int = 0, times: int = 1
) -> Verdict:
    """Try a law on a game, with `times` as many random games, or on a search with it."""
    subjects = (game,) if search is None else (search, game)
    try:
        with _effort(times):
            law(*subjects, seed=seed)
    except LawBroken as broken:
        return Verdict(law.name, False, str(broken), broken.cause)
    return Verdict(law.name, True)


def check_game(game: Game[Any], seed: int = 0, times: int = 1) -> Iterator[Verdict]:
    """Yield the verdict of each law that applies to a game, tried on `times` as many games.

    If a law of TRUST is broken, the rest is not tried, since compiled code might crash.
    """
    for law in laws_of(game):
        yield (verdict := judge(law, game, None, seed, times))
        if law in TRUST and not verdict.passed:
            return


def check_search(search: Search, game: Game[Any], seed: int = 0) -> Iterator[Verdict]:
    """The verdict of each law on a search of `game`; raises Objection if it cannot play it."""
    search.check(game)
    for law in laws_of(game, search):
        yield judge(law, game, search, seed)


__all__ = [
    "COMPILED_LAWS",
    "GAME_LAWS",
    "LAWS",
    "SEARCH_LAWS",
    "TRUST",
    "WHOLE_LAWS",
    "Law",
    "LawBroken",
    "Verdict",
    "check_game",
    "check_search",
    "judge",
    "laws_of",
    "states",
]
