"""Figures that follow from records, and their errors. Pure functions, except for the tally.

`pairs` has the unit of all statistics, and `tally` counts the games. `standings` has results and
payoffs, `elo` the strength of one player over another (by `multinomial` likelihoods), `rating`
that of all players, `skill` that of openskill. `sprt` is the sequential test, `contest` compares
solvers of a race.
"""
