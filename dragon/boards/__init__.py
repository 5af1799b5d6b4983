"""Boards of squares or hexagons: the names of their cells, their notation, drawing and clicks.

For a game on a board, read `grid` (stones that stay) or `board` (pieces that move) first::

    cells        the base of both: names of cells, sets of bits, rows of text, pictures
    grid, board  notations for stones that are placed, and for pieces that move
    algebraic    a Board for games like chess (`Nbd2`, FEN), and the repetition of positions
    squares      squares that show numbers, and their drawing; track: backgammon's board, and dice
    drawing      cells as SVG, of one material; picture: any position as SVG or PNG
    clicks       moves that are made by clicking cells
    sight        steps from a cell to others, and attacks of rooks and bishops
    symmetry     images of a board; placements: all ways to place stones, numbered
"""
