"""Config: what a tournament file says, as values, or every mistake in it with its address."""

from dragon_tournament.config.reading import File as File
from dragon_tournament.config.reading import parse as parse
from dragon_tournament.config.reading import read as read
