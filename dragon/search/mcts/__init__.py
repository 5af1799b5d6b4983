"""Monte Carlo tree search (MCTS). Read it in this order:

- `settings`: what a user sets, and styles; `search`: how long to search, and results.
- `kernel`: selection, expansion, playout and backup, one simulation after another.
- `tree`: the memory that the kernel works on; no other module knows where a node lies.
- `policies`, and a file each in `selections` and `playouts`; `statistics` has what a tree keeps for
  them: AMAF values (RAVE, GRAVE), the history of moves, priors, evaluations.
- `driver` runs the kernel, with one thread or several; `interpreted` is what it needs over a State.
"""
