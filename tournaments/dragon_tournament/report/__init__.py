"""Report: what is told of a tournament, as text, as Markdown, as JSON and as one page of HTML."""

from __future__ import annotations

from dragon_tournament.report.html import to_html
from dragon_tournament.report.schema import SCHEMA, to_json
from dragon_tournament.report.summary import Opening, Report, report
from dragon_tournament.report.text import points_text, to_markdown, to_text

__all__ = [
    "SCHEMA",
    "Opening",
    "Report",
    "points_text",
    "report",
    "to_html",
    "to_json",
    "to_markdown",
    "to_text",
]
