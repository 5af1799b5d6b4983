"""Searches for the best way to an end, of one seat: A*, IDA*, breadth-first and beam search."""
