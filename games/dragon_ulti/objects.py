"""Answers as the objects that `--json` prints and the web page shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dragon_ulti.cards import as_json as hands_of
from dragon_ulti.cards import name, trump_letter, write_code

if TYPE_CHECKING:
    from dragon import RecordState
    from dragon_ulti.advice import Advice, Closed, Line
    from dragon_ulti.answers import Answer
    from dragon_ulti.history import History
    from dragon_ulti.question import Question
    from dragon_ulti.record import Setting
    from dragon_ulti.review import Review
    from dragon_ulti.stakes import Stakes


def dealt(state: RecordState) -> dict[str, Any]:
    """Return a whole deal, with its code."""
    from dragon_ulti.record import table_of

    setting: Setting = state.game.setting  # type: ignore[attr-defined]
    deal, trump = table_of(state.record, setting).deal, setting.trump
    return {**hands_of(deal), "trump": trump_letter(trump), "code": write_code(deal, trump)}


def _in_common(
    about: Answer | Review, value: dict[str, Any], tables: History | None, interrupted: bool
) -> dict[str, Any]:
    """Return the fields that answers and reviews share, about the value of one."""
    from dragon_ulti.history import as_json

    game = about.game
    return {
        "contract": game.contract,
        "trump": trump_letter(game.setting.trump),
        "rules": game._rules,
        "marriages": game.marriages,
        **value,
        "nodes": about.nodes,
        "seconds": about.seconds,
        **({} if tables is None else {"course": as_json(tables)}),
        **({"interrupted": True} if interrupted else {}),
    }


def answered(
    answer: Answer, found: History | None = None, interrupted: bool = False
) -> dict[str, Any]:
    """Return an answer for JSON."""
    value = {
        "position": str(answer.state),
        "prerequisite_met": not answer.reason,
        "reason": answer.reason or None,
        "declarer_wins": answer.made,
        "max_points": answer.units,
        "cards": dict(answer.cards),
        "line": list(answer.line),
    }
    return _in_common(answer, value, found, interrupted)


def whole_history(answer: Answer, text: str) -> History:
    """Return the tables of all that was played before `text`'s position, and then of the line."""
    from attrs import evolve

    from dragon_ulti.history import history, played_game

    objective = "points" if answer.game.counted and not answer.reason else "make"
    found = played_game(evolve(answer.game, objective=objective), text)
    return history(found.start, (*found.played, *found.idle, *answer.line))


def reviewed(seen: Review, tables: History | None, interrupted: bool) -> dict[str, Any]:
    """Return a review for JSON."""
    value = {
        "position": str(seen.history.start),
        "counts": "units" if seen.need else "made",
        "need": seen.need or None,
        "start_value": seen.steps[0].before,
        "steps": [
            {
                "seat": step.seat,
                "card": step.card,
                "value": step.after,
                "declarer_wins": seen.makes(step.after),
                "lost": step.lost,
                "right": list(step.right),
            }
            for step in seen.steps
        ],
        "declarer_won": seen.made,
        "mistakes": list(seen.mistakes),
        "complete": seen.known,
        "ignored": list(seen.history.idle),
    }
    return _in_common(seen, value, tables, interrupted)


def advised(known: Advice, question: Question, stakes: Stakes, rules: str,
           interrupted: bool) -> dict[str, Any]:  # fmt: skip
    """Return the advice for JSON: discards best first, and all cells of the best."""
    ranking = known.ranking()
    best = ranking[0][0] if ranking else 0
    return {
        "hand": [name(card) for card in known.hand],
        "rules": rules,
        "marriages": any(cell.weds for cell in known.cells),
        "samples": question.samples,
        "seed": question.seed,
        "possible_deals": known.worlds,
        "unit": stakes.unit,
        "discards": [
            {"discard": [name(card) for card in known.discards[i]], **_cell(line)}
            for i, line in ranking
            if known.discards[i]
        ],
        "discard": [name(card) for card in known.discards[best]],
        "cells": [_cell(line) for line in known.lines(best)],
        "done": known.done,
        "interrupted": interrupted,
        "nodes": known.nodes,
        "seconds": known.seconds,
    }


def played(closed: Closed) -> dict[str, Any]:
    """Return for JSON how often a bid was made with closed cards, and with open ones."""
    low, high = closed.made.interval()
    return {
        "contract": closed.line.cell.name, "trump": closed.line.cell.letter,
        "discard": [name(card) for card in closed.discard], "made": closed.made.made,
        "samples": closed.made.samples, "interval": [low, high], "open": closed.open.made,
    }  # fmt: skip


def _cell(line: Line) -> dict[str, Any]:
    """One line; nulls where there is nothing to say."""
    seen = line.estimate.samples > 0
    low, high = line.estimate.interval()
    least, most = line.stakes_interval
    return {
        "contract": line.cell.name,
        "trump": line.cell.letter,
        "open": line.cell.call.open,
        "can_be_bid": not line.lacking,
        "reason": line.lacking or None,
        "made": line.estimate.made,
        "samples": line.estimate.samples,
        "probability": line.estimate.share if seen else None,
        "interval": [low, high] if seen else None,
        "parts": [
            {
                "contract": named,
                "made": part.made,
                "probability": part.share if seen else None,
                "stakes": value.expected(part.share) if seen else None,
            }
            for (named, value), part in zip(line.cell.parts, line.parts, strict=True)
        ],
        "stakes": line.stakes if seen else None,
        "stakes_interval": [least, most] if seen else None,
    }
