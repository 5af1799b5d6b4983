"""Reports of a tournament, from its records.

`reader` reads the records, `summary` computes a Report of them, `tables` makes its tables, and
`races` those of a race. `table` is what a table is, in every form. `text` (terminal and Markdown),
`schema` (JSON) and `html` (a page) compose the reports; `charts` draws curves, and `replays` shows
single games. `forms` writes the records for other programs.
"""
