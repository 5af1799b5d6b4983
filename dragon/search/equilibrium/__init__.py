"""Equilibria of games with hidden information: strategies that cannot be exploited.

Read `sequences` first: the tree of a game as arrays. `kernel` has what is done on them
(counterfactual regret minimization, best responses), `solution` the equilibrium of one game as it
gets better, `cfr` the search that plays it, `exploit` how much another player loses to a best
response.
"""
