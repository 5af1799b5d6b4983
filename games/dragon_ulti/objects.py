"""Answers as the objects that `--json` prints and the web page shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dragon_ulti.cards import name
from dragon_ulti.deal import Deal, trump_letter, write_code
from dragon_ulti.deal import as_json as hands_of

if TYPE_CHECKING:
    from dragon_ulti.advice import Advice, Line, Question
    from dragon_ulti.answers import Answer
    from dragon_ulti.course import Course
    from dragon_ulti.review import Review
    from dragon_ulti.stakes import Stakes


def dealt(deal: Deal, trump: int) -> dict[str, Any]:
    """A whole deal, with its code."""
    return {**hands_of(deal), "trump": trump_letter(trump), "code": write_code(deal, trump)}


def answered(
    answer: Answer, found: Course | None = None, interrupted: bool = False
) -> dict[str, Any]:
    """An answer for JSON."""
    from dragon_ulti.course import as_json

    game = answer.game
    value: dict[str, Any] = {
        "contract": game.contract,
        "trump": trump_letter(game.setting.trump),
        "rules": game._rules,
        "position": str(answer.state),
        "prerequisite_met": not answer.reason,
        "reason": answer.reason or None,
        "declarer_wins": answer.made,
        "max_points": answer.units,
        "cards": dict(answer.cards),
        "line": list(answer.line),
        "nodes": answer.nodes,
        "seconds": answer.seconds,
    }
    if found is not None:
        value["course"] = as_json(found)
    return value | ({"interrupted": True} if interrupted else {})


def whole_course(answer: Answer, text: str) -> Course:
    """The tables of all that was played before `text`'s position, and then of the line."""
    from attrs import evolve

    from dragon_ulti.answers import counted
    from dragon_ulti.course import course, history

    objective = "points" if counted(answer.game) and not answer.reason else "make"
    told = history(evolve(answer.game, objective=objective), text)
    return course(told.start, (*told.played, *answer.line))


def reviewed(seen: Review, tables: Course | None, interrupted: bool) -> dict[str, Any]:
    """A review for JSON."""
    from dragon_ulti.course import as_json

    value: dict[str, Any] = {
        "contract": seen.game.contract,
        "trump": trump_letter(seen.game.setting.trump),
        "rules": seen.game._rules,
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
        "nodes": seen.nodes,
        "seconds": seen.seconds,
    }
    if tables is not None:
        value["course"] = as_json(tables)
    return value | ({"interrupted": True} if interrupted else {})


def advised(known: Advice, question: Question, stakes: Stakes, rules: str,
           interrupted: bool) -> dict[str, Any]:  # fmt: skip
    """What is known, for JSON: discards best first, and all cells of the best."""
    ranking = known.ranking()
    best = ranking[0][0] if ranking else 0
    return {
        "hand": [name(card) for card in known.hand],
        "rules": rules,
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


def _cell(line: Line) -> dict[str, Any]:
    """One line; nulls where there is nothing to say."""
    seen = line.estimate.samples > 0
    low, high = line.estimate.interval()
    least, most = line.stakes_interval
    return {
        "contract": line.cell.game.contract,
        "trump": line.cell.letter,
        "can_be_bid": not line.lacking,
        "reason": line.lacking or None,
        "made": line.estimate.made,
        "samples": line.estimate.samples,
        "probability": line.estimate.share if seen else None,
        "interval": [low, high] if seen else None,
        "stakes": line.stakes if seen else None,
        "stakes_interval": [least, most] if seen else None,
    }
