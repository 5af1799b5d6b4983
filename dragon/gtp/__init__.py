"""The Go Text Protocol: its lines, dragon as an engine, and engines as players."""
