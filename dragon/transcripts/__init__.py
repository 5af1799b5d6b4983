"""Whole games as text: the common form of all games, and those of other programs.

Read `replay` first, how games are replayed and mistakes placed; then `pgn` and `sgf`, two standards
for many games, and `lists`, moves one after another; `common`, the form that every game has, and
which forms a game has beside it; `annotation` judges the moves of a game. A form of one game lies
beside its rules, and a plugin offers it by the hook `dragon_transcripts`: `dragon.protocols.Form`.
"""

from dragon.transcripts.common import common as common
from dragon.transcripts.common import forms_of as forms_of
from dragon.transcripts.common import read as read
from dragon.transcripts.common import recognised as recognised
from dragon.transcripts.common import write as write
from dragon.transcripts.common import written as written
