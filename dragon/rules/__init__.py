"""Rules: games as plain functions over one numpy record, and their kernels.

To write a game, read `rules` and `record`; to add a rule, `contract`::

    contract     every rule, declared once: arguments, value, range, callers
    rules        Rules, the rules of a game as one value; layout: its record; patterns: puzzles
    notation     the text of moves and positions; history: positions as the moves so far
    record       RecordGame and RecordState, the Game and State of these rules
    evaluator    rules as functions of bytes, compiled or in plain Python
    interpreted  the other way: the methods of any State as rules, for kernels in plain Python

Kernels, which are compiled for each game::

    template     the names that a kernel may use
    preparation  kernels for a game's rules, which are tested first; read this to run a kernel
    kernels/     guards around rules, single steps, playouts, rehearsals
    perft, playout, census  counts of paths, random games, every state of a small game
    replay       worlds of a game that hides something, by random games that look the same

Mistakes of rules::

    rule_errors  a mistake in one line; rehearsal: random games in checked code, which find it
    watchdog     a thread that ends rules that do not return
"""
