"""Chess: its `rules`, `notation` FEN and SAN, `knowledge` for searches; loaded when it begins."""

from __future__ import annotations

from typing import Any

from dragon import RecordGame, Rules, Trait, frozen


@frozen
class Chess(RecordGame):
    """Chess, and Chess960 from a position of it.

    A side in check without a legal move has lost; without a check, the game is drawn. So is a game
    in which a position occurs for the third time, or one without a capture or a pawn's move for
    fifty moves. If neither side has enough pieces to mate, play goes on until then.
    """

    name = "chess"
    traits = frozenset({Trait.DUEL, Trait.REPETITION})

    def rules(self) -> Rules:
        # Imported here because they need numpy, and a list of games must not wait for it.
        from dragon_boards.chess import knowledge as k
        from dragon_boards.chess import rules as r
        from dragon_boards.chess.notation import notation

        # Each of 96 moves of pawns and 30 captures comes before the fifty moves are over.
        return Rules(
            r.LAYOUT, r.moves, r.play, r.turn, r.payoff, width=r.WIDTH, plies=127 * r.FIFTY,
            solved=k.solved, order=k.order, evaluate=k.evaluate, noisy=k.noisy, skip=k.skip,
            notation=notation(self),
        )  # fmt: skip

    def setup(self, record: Any) -> None:
        from dragon_boards.chess.notation import START

        self.rules().notation.parse(record, START)
