"""Whole games as text: the common form of all games, and those of other programs.

Read `form` first, what a form is and how games are replayed; then `common`, the form that every
game has; `pgn` and `sgf`, two standards for many games; `lists`, moves one after another. A form of
one game lies beside its rules. `Game.forms` names the forms of a game.
"""

from dragon.transcripts.common import read as read
from dragon.transcripts.common import write as write
from dragon.transcripts.form import Form as Form
