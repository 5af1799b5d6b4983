"""Rule variants: two sets, the real one and the original program's, and a switch for each point.

Sources: *kj* kartya-jatek.hu and D. Parlett's rules of Ulti; *orig* the program
Ulti_Minimax; *1961* ulti.1961.hu. docs/games/ulti.md tells each switch in full.
"""

from __future__ import annotations

from attrs import frozen


@frozen
class Variant:
    """The rules of play where people differ."""

    overtake: bool = True
    """A card of the suit led must beat the best of that suit so far if it can (kj, orig)."""
    trump_duty: bool = True
    """A player who cannot follow suit must trump (kj; orig allows any card)."""
    overtrump: bool = True
    """A player who trumps must beat a trump played before, if possible (kj)."""
    overtake_trumped: bool = False
    """The suit led must be overtaken even once the trick is trumped (disputed; not in kj)."""
    offsuit_overtake: bool = False
    """The third card must be stronger than the second even if that is of another suit (a bug)."""
    marriage_cards: str = "over-king"
    """The marriage in the prerequisites of 40-100 and 20-100; `under-over` is orig's bug."""
    durchmars_order: str = "ace-ten"
    """The order of cards in a trump durchmars (orig: ace-ten; some play ace-king)."""
    marriage_trick: bool = True
    """Marriages count only for a side that has taken a trick (1961; some count them always)."""


VARIANTS = {
    "real": Variant(),
    "original": Variant(
        trump_duty=False, overtrump=False, offsuit_overtake=True, marriage_cards="under-over"
    ),
}
"""By the name that the game's `rules` takes."""
