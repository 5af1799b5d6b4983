"""Equilibria of games with hidden information: strategies that cannot be exploited.

Read `chains` first: what a seat has seen and done, in 64 bits; then `sequences`: the tree of a game
as arrays. `kernel` has what is done on them (counterfactual regret minimization, best responses),
`solution` the equilibrium of one game as it gets better, `cfr` the search that plays it, `exploit`
how much another player loses to a best response. Trees that do not fit are sampled by `sampling`,
for the search `mccfr`, and by `uct`, for `ismcts` and learnt responses. `policy` and `kept` are
files of strategies and of what has been learnt.
"""
