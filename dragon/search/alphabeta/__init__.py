"""Alpha-beta.

Read in this order:

search   the settings, iterative deepening, aspiration windows, and what a result says
kernel   an iteration, in numbered steps: window, table, null move, moves, quiescence
depth    how far each line is searched: reductions, extensions, iterations, the longest line
moves    the hash move, the order of moves, and the moves that other threads search
values   payoffs, evaluations and the win distance, in steps
chance   chance nodes: Star1 and Star2
driver   the kernel's memory, and what runs it, in one thread or several
"""
