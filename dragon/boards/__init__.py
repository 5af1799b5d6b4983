"""Boards: squares and hexagons, with stones or pieces; how they are named, drawn and pointed at."""
