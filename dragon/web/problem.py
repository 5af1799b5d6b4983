"""The refusal of a request: a status and a message, as JSON."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from attrs import Factory, define

from dragon.errors import ConfigError, DragonError, GameError, PluginError, SearchError, UnknownName

log = logging.getLogger("dragon.web")
AT = "request"
"""The address of a request's parameters in messages; see `dragon.config`."""


@define
class Problem(Exception):
    """A refusal: HTTP status, and a message with the fields that it is about."""

    status: int
    message: str
    field: str = ""
    more: tuple[dict[str, str], ...] = ()
    headers: dict[str, str] = Factory(dict)

    def json(self) -> dict[str, Any]:
        """`{"error": {"message": ..., "field": ..., "problems": [...]}}`."""
        error: dict[str, Any] = {"message": self.message}
        if self.field:
            error["field"] = self.field
        if len(self.more) > 1:
            error["problems"] = list(self.more)
        return {"error": error}


@contextmanager
def about(field: str) -> Iterator[None]:
    """Add a parameter's name to mistakes within the block, except those that name one."""
    try:
        yield
    except ConfigError as wrong:
        raise ConfigError([_placed(each, field) for each in wrong.problems]) from wrong
    except GameError as wrong:
        raise ConfigError(_placed(str(wrong), field)) from wrong


def _placed(sentence: str, field: str) -> str:
    return sentence if "field" in _part(sentence) else f"{sentence} @ {AT}.{field}"


def problem_of(error: BaseException) -> Problem:
    """The refusal for an error; an internal error is a 500.

    An internal error is logged with its traceback, which the answer does not contain.
    """
    if isinstance(error, Problem):
        return error
    if isinstance(error, UnknownName):
        return Problem(400, str(error))
    if isinstance(error, ConfigError):
        found = tuple(_part(sentence) for sentence in error.problems)  # each with its field
        return Problem(400, found[0]["message"], found[0].get("field", ""), found)
    if isinstance(error, MemoryError):
        return Problem(422, "this needs more memory than a search may have; ask for less")
    if isinstance(error, DragonError):
        status = 422 if isinstance(error, SearchError) else 400
        if isinstance(error, PluginError):
            log.error("a page failed:\n%s", traced(error))
            status = 500
        return Problem(status, " ".join(str(error).split()))
    log.error("a request failed:\n%s", traced(error))
    return Problem(500, "the server has failed at this; its log tells more")


def traced(error: BaseException) -> str:
    """An error for the log, with its place."""
    return "".join(traceback.format_exception(error)).rstrip()


def _part(sentence: str) -> dict[str, str]:
    message, sign, place = sentence.rpartition(" @ ")
    if not sign or place.partition(".")[0].partition("[")[0] != AT:
        return {"message": " ".join(sentence.split())}
    field = place.removeprefix(AT).lstrip(".")
    return {"message": message, "field": field} if field else {"message": message}
