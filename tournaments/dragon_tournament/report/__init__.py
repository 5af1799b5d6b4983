"""Report: what is told of a tournament, as text, as Markdown, as JSON and as one page of HTML."""
