"""A player that learns tic-tac-toe from games against itself, by scikit-learn.

    pip install "dragon-search[gym]" scikit-learn
    python examples/train.py --games 10000

The network estimates the payoff of each action; a game teaches it the payoff of the actions made.
Before and after it meets `mcts`, which it is never taught by.
"""

import argparse

import numpy as np
from sklearn.neural_network import MLPRegressor

import dragon
from dragon.bridges.zoo import RawEnv

SPEC, EXPLORE, BATCH, PASSES = "tictactoe", 0.2, 256, 8
board, dice = RawEnv(SPEC), np.random.default_rng(1)
board.reset(seed=1)
network = MLPRegressor(hidden_layer_sizes=(128,), learning_rate_init=2e-3, random_state=1)


def seen():
    """The observation of the seat to move, and its legal actions."""
    found = board.observe(board.agent_selection)
    return found["observation"].ravel(), np.flatnonzero(found["action_mask"])


def choose(explore):
    """The action with the highest estimate, or any legal one."""
    inputs, legal = seen()
    if dice.random() < explore:
        return int(dice.choice(legal))
    return int(legal[np.argmax(network.predict([inputs])[0][legal])])


def learn(games):
    """Play against itself and learn from each batch of moves."""
    made, last = [], 0
    for _ in range(games):
        board.reset()
        while not any(board.terminations.values()):
            made.append((seen()[0], choose(EXPLORE), board.agent_selection))
            board.step(made[-1][1])
        made[last:] = [
            (inputs, action, board.rewards[agent]) for inputs, action, agent in made[last:]
        ]
        last = len(made)
        if last > BATCH:
            inputs = np.array([each[0] for each in made])
            targets = network.predict(inputs)
            targets[range(last), [each[1] for each in made]] = [each[2] for each in made]
            for _ in range(PASSES):
                network.partial_fit(inputs, targets)
            made, last = [], 0


def points(games, simulations):
    """The share of points against `mcts`, with alternate seats."""
    total, search, limit = 0.0, dragon.search("mcts"), dragon.Limit(simulations=simulations)
    for number in range(games):
        board.reset(seed=number)
        while not any(board.terminations.values()):
            if board.agent_selection == f"seat_{number % 2}":
                board.step(choose(0.0))
            else:
                move = str(search.best(board.state_now, limit, seed=number).move)
                legal = seen()[1].tolist()
                board.step(next(each for each in legal if board.action_text(each) == move))
        total += (board.rewards[f"seat_{number % 2}"] + 1) / 2
    return total / games


def main():
    """Print the share of points before and after learning."""
    options = argparse.ArgumentParser()
    options.add_argument("--games", type=int, default=10_000)
    options.add_argument("--simulations", type=int, default=20)
    given = options.parse_args()
    network.partial_fit([seen()[0]], [np.zeros(board.action_space("seat_0").n)])
    print(f"before: {points(200, given.simulations):.1%} of points against mcts")
    learn(given.games)
    print(f"after {given.games} games: {points(200, given.simulations):.1%}")


if __name__ == "__main__":
    main()
