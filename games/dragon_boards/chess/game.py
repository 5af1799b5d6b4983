"""Chess: the game, for searches, tournaments and pages."""

from __future__ import annotations

from typing import Any

from dragon import RecordGame, Rules, Trait, frozen


@frozen
class Chess(RecordGame):
    """Chess, and Chess960 from a position of it.

    Who is in check and has no legal move has lost; who has none and is in no check, draws. So does
    a game in which a position is there for the third time, or nobody captures or moves a pawn for
    fifty moves. Where neither side has what it takes to mate, play goes on until then.
    """

    name = "chess"
    traits = frozenset({Trait.DUEL, Trait.REPETITION})

    def rules(self) -> Rules:
        # Here, for they take numpy, and a list of games must not wait for it.
        from dragon_boards.chess import knowledge as k
        from dragon_boards.chess import rules as r
        from dragon_boards.chess.notation import notation

        # Of 96 moves of pawns and 30 captures each comes before the fifty moves are over.
        return Rules(
            r.LAYOUT, r.moves, r.play, r.turn, r.payoff, width=r.WIDTH, plies=127 * r.FIFTY,
            solved=k.solved, order=k.order, evaluate=k.evaluate, noisy=k.noisy, skip=k.skip,
            notation=notation(self),
        )  # fmt: skip

    def setup(self, record: Any) -> None:
        from dragon_boards.chess.notation import START

        self.rules().notation.parse(record, START)
