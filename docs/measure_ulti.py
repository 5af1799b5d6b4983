"""Measures what Ulti's deals cost, for the tables of docs/how-ulti-is-solved.md.

`python docs/measure_ulti.py` counts nodes, in thousands, with each help of the search and
without it, over the same random deals. A search that has not proven the value within the
limit is counted up to there, and the number is marked with >.
`python docs/measure_ulti.py --times` tells how long a verdict takes, contract by contract.
`python docs/measure_ulti.py --closed betli --deals 600` judges better players with closed cards
deal by deal, for docs/strength.md: alpha-mu, inference, and a tree with solved leaves.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from itertools import count as count_from
from math import inf, log, sqrt
from statistics import median
from time import process_time
from typing import Any

import numpy as np
from attrs import evolve
from numba import njit

import dragon
from dragon.rules.record import RecordState, rules_of
from dragon.search.alphabeta.search import Batch
from dragon_ulti import Ulti
from dragon_ulti.answers import verdict
from dragon_ulti.contracts import CONTRACTS
from dragon_ulti.solver import SEARCH, VERDICT
from dragon_ulti.variant import VARIANTS

COLUMNS = {
    "party, units": {"contract": "party", "objective": "points"},
    "party": {"contract": "party"},
    "40-100": {"contract": "forty_hundred"},
    "ulti": {"contract": "ulti"},
    "four tens": {"contract": "four_tens"},
    "betli": {"contract": "betli"},
    "durchmars": {"contract": "durchmars_trump"},
}


class Keyless(Ulti):
    """Ulti without its own key: a hash distinguishes positions, within tricks too."""

    def rules(self) -> dragon.Rules:
        """The rules, less one."""
        return evolve(super().rules(), key=None)


ROWS: tuple[tuple[str, type[Ulti], str], ...] = (
    ("all", Ulti, ""),
    ("no `reduce`", Ulti, "reduce=false"),
    ("no `bounds`", Ulti, "bounds=false"),
    ("no `key`", Keyless, ""),
    ("no history", Ulti, "history=false"),
    ("no table", Ulti, "table=false"),
    ("killers", Ulti, "killers=true"),
    ("zero windows", Ulti, "pvs=true"),
    ("deepening by a ply", Ulti, "deepening=true"),
    ("deepening by itself", Ulti, "deepening="),
)


def nodes(cls: type[Ulti], given: dict[str, Any], change: str, deals: int, most: int) -> str:
    """The nodes of a column's deals in thousands; > where some took more than the limit."""
    spec = SEARCH if given.get("objective") == "points" else VERDICT
    word = change.partition("=")[0]
    if change:
        kept = [each for each in spec[10:-1].split(", ") if not each.startswith(word)]
        given_too = [] if change.endswith("=") else [change]  # without a value, the default
        spec = f"alphabeta({', '.join([*kept, *given_too])})"
    search, total, over = dragon.search(spec), 0, ""
    game = cls(**given)
    for seed in range(deals):
        result = search.best(game.start(seed), dragon.Limit(nodes=most))
        total += result.nodes
        if result.bound is not dragon.Bound.EXACT:
            over = "> "
    return f"{over}{total / 1000:,.0f}"


def table(deals: int, most: int) -> Iterator[list[str]]:
    """The rows of the table, head first."""
    yield ["", *COLUMNS]
    for label, cls, change in ROWS:
        yield [label, *(nodes(cls, given, change, deals, most) for given in COLUMNS.values())]


def times(deals: int) -> Iterator[list[str]]:
    """For each contract, under both sets of rules, median and longest time and mean nodes."""
    head = ("median ms", "longest ms", "nodes")
    yield ["contract", *(f"{rules}: {what}" for rules in VARIANTS for what in head)]
    for contract in CONTRACTS:
        row = [f"`{contract}`"]
        for rules in VARIANTS:
            game = Ulti(contract=contract, rules=rules)
            texts = [str(game.start(seed)) for seed in range(deals)]
            verdict(game, texts[0])
            answers = [verdict(game, text) for text in texts]
            spent = sorted(1000 * answer.seconds for answer in answers)
            nodes = sum(answer.nodes for answer in answers) / deals
            row += [f"{median(spent):.2f}", f"{spent[-1]:.1f}", f"{nodes:,.0f}"]
        yield row


# ---- closed cards, deal by deal ------------------------------------------------------------------

FEATURES = 12
PLAYERS = ("alpha-mu, 2", "alpha-mu, 3", "inference", "ismcts")
DECLARERS = ("alpha-mu, 2", "alpha-mu, 3")
"""The players that only the declarer can be."""
CARDS_LEFT = {"alpha-mu, 2": 10, "alpha-mu, 3": 7}
"""The largest hand with which the declarer looks ahead by its own cards; else it plays plainly."""
DRAWN, SIMULATIONS, TAUGHT = 4, 20, 40
"""For each world of a plain player worlds drawn by inference, and simulations in the tree; deals
from which the policy of inference is learnt."""


@njit(cache=True)
def count(cards: Any) -> Any:
    """Return the number of cards."""
    found = 0
    while cards:
        cards &= cards - 1
        found += 1
    return found


@njit(cache=True)
def may(hand: Any, first: Any, second: Any, trumps: Any) -> Any:
    """Return the cards that may be played by the real rules; cards of -1 are not played yet."""
    if first < 0:
        return hand
    suit = 0xFF << (first & 24)
    trumped = second >= 0 and trumps >> second & 1 and second >> 3 != first >> 3
    if hand & suit:
        best = max(first, second) if second >> 3 == first >> 3 else first
        over = hand & suit & ~((2 << best) - 1)
        return over if over and not trumped else hand & suit
    if hand & trumps:
        over = hand & trumps & ~((2 << second) - 1) if trumped else 0
        return over if over else hand & trumps
    return hand


@njit(cache=True)
def beats(place: Any, best: Any, trumps: Any) -> Any:
    """Return True if a card takes the trick from the best so far."""
    return place > best if place >> 3 == best >> 3 else trumps >> place & 1 == 1


@njit(cache=True)
def describe(place, hand, legal, best, ours, trumps, out):  # type: ignore[no-untyped-def]
    """Fill the features of a card; `ours`: the best card so far is of the same side."""
    strength, worth, trump = (place & 7) / 7, int(place & 7 >= 6), trumps >> place & 1
    takes = 1 if best < 0 or beats(place, best, trumps) else 0
    same = legal & (0xFF << (place & 24))
    out[0], out[1], out[2], out[3] = strength, worth, trump, takes
    out[4], out[5] = same & ((1 << place) - 1) == 0, same >> (place + 1) == 0
    out[6] = count(hand & (0xFF << (place & 24))) / 8
    out[7], out[8] = takes * strength, takes * worth
    out[9], out[10] = ours * worth, ours * strength
    out[11] = trump if place & 7 == 0 else 0


@njit(cache=True)
def likelihood(hands, line, made, trumps, viewer, weights, shown, chosen):  # type: ignore[no-untyped-def]
    """Return the logarithm of how likely the others' plays are, from hands before them.

    With `shown`, float64[plays, 10, features], it notes all that could be played, and which was.
    """
    left, seat, total, x = hands.copy(), 0, 0.0, np.zeros((10, FEATURES))
    first, second, best, taker = -1, -1, -1, 0
    for t in range(made):
        place, position = int(line[t]), t % 3
        legal, n, found = may(left[seat], first, second, trumps), 0, 0
        for each in range(32):
            if legal >> each & 1:
                ours = 1 if position > 0 and taker > 0 and seat > 0 else 0
                describe(each, left[seat], legal, best, ours, trumps, x[n])
                found = n if each == place else found
                n += 1
        if n > 1 and seat != viewer:
            worth = np.exp((x[:n] * weights[3 * (seat > 0) + position]).sum(axis=1))
            total += np.log(0.95 * worth[found] / worth.sum() + 0.05 / n)
        if len(shown) and n > 1:
            shown[t, :n], chosen[t] = x[:n], (3 * (seat > 0) + position) * 100 + 10 * found + n - 1
        left[seat] &= ~(1 << place)
        if best < 0 or beats(place, best, trumps):
            best, taker = place, seat
        first, second = (place, -1) if position == 0 else (first, place)
        seat = (seat + 1) % 3
        if position == 2:
            seat, first, second, best = taker, -1, -1, -1
    return total


class Players:
    """Players of one contract with closed cards, which draw the same worlds for the same view."""

    def __init__(self, contract: str, worlds: int) -> None:
        self.game: Any = dragon.game(f"ulti(contract={contract!r}, cards='hidden')")
        self.number, self.seed = worlds, 0
        self.size = rules_of(self.game.opened).blank().nbytes
        self.batch = Batch(dragon.search(VERDICT))  # type: ignore[arg-type]
        self.values: dict[bytes, bool] = {}
        self.cards: dict[tuple[str, bytes], str] = {}
        self.weights = np.zeros((6, FEATURES))

    def opened(self, state: Any) -> Any:
        """Return a state as the game with open cards has it, whose record begins the other."""
        return RecordState(self.game.opened, state.data[: self.size])

    def made(self, state: Any) -> bool:
        """Return True if the declarer makes it with open cards."""
        if state.turn == dragon.TERMINAL:
            return bool(state.payoff()[0] > 0)
        if (known := self.values.get(state.data)) is None:
            known = self.values[state.data] = (self.batch.value(state) or 0) > 0
        return known

    def begin(self, seed: int) -> Any:
        """Return the next deal that would be bid: 3 of 10 worlds are made with open cards."""
        self.values.clear()
        self.cards.clear()
        for self.seed in count_from(seed):
            start, won = self.game.start(self.seed), 0
            rng = np.random.default_rng([self.seed, 99])
            for i in range(10):
                won += self.made(self.opened(start.seen(0).determinize(rng)))
                if won == 3:
                    return start
                if won + 9 - i < 3:
                    break
        raise AssertionError

    def play(self, start: Any, declarer: str, defenders: str) -> tuple[bool, list[int]]:
        """Return whether the declarer makes it, and the cards played."""
        state, line = start, []
        while state.turn != dragon.TERMINAL:
            player = defenders if state.turn else declarer
            if (player, state.data) not in self.cards:
                self.cards[player, state.data] = self.card(state, player)
            card = self.cards[player, state.data]
            line.append(state.code(card))
            state = state.after(card)
        return state.payoff()[0] > 0, line

    def card(self, state: Any, player: str) -> str:
        """Return the card that a player plays."""
        moves, seat, view = list(state.moves()), state.turn, state.seen(state.turn)
        if len(moves) == 1:
            return str(moves[0])
        rng = np.random.default_rng([self.seed, int(view.record.made)])
        moves = [moves[i] for i in rng.permutation(len(moves))]
        worlds = [*self.drawn(view, rng, 1)]
        if player == "ismcts":
            return self.grown(moves, worlds)
        if player == "inference" and view.record.made > (seat == 0):
            worlds = self.likely([*worlds, *self.drawn(view, rng, DRAWN - 1)], seat, rng)
        tried = [self.opened(each) for each in worlds]
        found = {m: sum(self.made(w.after(m)) == (seat == 0) for w in tried) for m in moves}
        if player not in DECLARERS or 10 - int(view.record.made) // 3 > CARDS_LEFT[player]:
            return str(max(moves, key=found.__getitem__))
        best, most = "", -1
        for move in sorted(moves, key=found.__getitem__, reverse=True):
            if found[move] <= most:
                break  # with open cards it wins in no more worlds
            after = {i: w.after(move) for i, w in enumerate(tried)}
            alive = {i: w for i, w in after.items() if self.made(w)}
            worth = max(map(int.bit_count, self.answered(alive, int(player[-1]) - 1)))
            best, most = (move, worth) if worth > most else (best, most)
        return best

    def drawn(self, view: Any, rng: Any, times: int) -> Iterator[Any]:
        """Yield worlds of a view."""
        return (view.determinize(rng) for _ in range(times * self.number))

    # ---- alpha-mu --------------------------------------------------------------------------------

    def ahead(self, worlds: dict[int, Any], left: int) -> set[int]:
        """Return the sets of worlds, as bits, that `left` own cards can make, the largest ones."""
        front: set[int] = set()
        for move in next(iter(worlds.values())).moves():
            after = {i: w.after(move) for i, w in worlds.items()}
            alive = {i: w for i, w in after.items() if self.made(w)}
            front = largest(front | self.answered(alive, left - 1))
            if len(alive) == len(worlds) and front == {bits(worlds)}:
                break
        return front

    def answered(self, worlds: dict[int, Any], left: int) -> set[int]:
        """Return the same after an own card, all of these worlds being made with open cards.

        The defenders see all; worlds in which they play the same cards are alike afterwards.
        """
        groups: dict[tuple[str, ...], dict[int, Any]] = {}
        for i, world in worlds.items() if left and len(worlds) > 1 else ():
            for said, state in replies(world):
                groups.setdefault(said, {})[i] = state
        front = {bits(worlds)}
        for group in groups.values():
            if len(group) > 1:
                others = bits(worlds) & ~bits(group)
                here = self.ahead(group, left)
                front = largest({a & (b | others) for a in front for b in here})
        return front

    # ---- ismcts with solved leaves ---------------------------------------------------------------

    def grown(self, moves: list[str], worlds: list[Any]) -> str:
        """Return the card that was visited most in a tree of the movers' information sets."""
        nodes: dict[Any, dict[str, list[int]]] = {}
        opened = [self.opened(each) for each in worlds]
        for i in range(SIMULATIONS * len(worlds)):
            state, path, line = opened[i % len(worlds)], (), []
            while state.turn != dragon.TERMINAL:
                mover = state.turn
                key = path, state.data[8 * mover : 8 * mover + 8]
                if new := key not in nodes:
                    nodes[key] = {m: [0, 0] for m in (state.moves() if path else moves)}
                if new and path:
                    break
                node = nodes[key]
                visits = log(1 + sum(n for n, _ in node.values()))
                move = max(node, key=lambda m: upper(*node[m], visits))
                line.append((node[move], mover))
                state, path = state.after(move), (*path, move)
            made = self.made(state)
            for each, mover in line:
                each[0] += 1
                each[1] += made == (mover == 0)
        root = next(iter(nodes.values()))
        return max(moves, key=lambda m: (root[m][0], root[m][1]))

    # ---- inference -------------------------------------------------------------------------------

    def likely(self, worlds: list[Any], seat: int, rng: Any) -> list[Any]:
        """Return worlds drawn again by how likely the others' plays are in them."""
        none = np.zeros((0, 10, FEATURES)), np.zeros(0, np.int64)
        logs = []
        for world in worlds:
            s = world.record
            hands = (s.hands | s.gone).astype(np.int64)
            trumps = int(s.trumps)
            logs.append(likelihood(hands, s.line, int(s.made), trumps, seat, self.weights, *none))
        odds = np.exp(np.array(logs) - max(logs))
        steps = np.cumsum(odds) / odds.sum() * self.number
        chosen = np.searchsorted(steps, np.arange(self.number) + rng.random())
        return [worlds[min(i, len(worlds) - 1)] for i in chosen]

    def learn(self, deals: int) -> float:
        """Fit the policy of inference to plain players' games; return the share it foresees."""
        rows: list[list[Any]] = [[] for _ in range(6)]
        seed = 10**6
        for _ in range(deals):
            start = self.begin(seed)
            seed = self.seed + 1
            _, line = self.play(start, "", "")
            shown, chosen = np.zeros((30, 10, FEATURES)), np.full(30, -1)
            s = start.record
            hands, trumps = s.hands.astype(np.int64), int(s.trumps)
            likelihood(hands, np.array(line), len(line), trumps, 3, self.weights, shown, chosen)
            for x, code in zip(shown, chosen, strict=True):
                if code >= 0:
                    rows[code // 100].append((x[: code % 10 + 1], code % 100 // 10))
        right = 0
        for w, plays in zip(self.weights, rows, strict=True):
            x, played = np.zeros((len(plays), 10, FEATURES)), np.array([i for _, i in plays])
            there, at = np.zeros((len(plays), 10)), np.arange(len(plays))
            for i, (rows_of_play, _) in enumerate(plays):
                x[i, : len(rows_of_play)], there[i, : len(rows_of_play)] = rows_of_play, 1
            for step in range(400 if plays else 0):
                odds = np.exp(x @ w) * there
                odds /= odds.sum(axis=1, keepdims=True)
                mean = np.einsum("pc,pcf->f", odds, x)
                w += (4 if step < 200 else 2) * ((x[at, played].sum(0) - mean) / len(x) - 0.01 * w)
            best = np.where(there > 0, x @ w, -np.inf).argmax(axis=1)
            right += int((best == played).sum())
        return right / max(1, sum(map(len, rows)))


def bits(worlds: Iterable[int]) -> int:
    """Return worlds as bits."""
    return sum(1 << i for i in worlds)


def largest(sets: set[int]) -> set[int]:
    """Return the sets that are not within another."""
    return {a for a in sets if not any(a != b and a & b == a for b in sets)}


def replies(state: Any, said: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield all that the defenders can play until the declarer is to move, and where that leads."""
    if state.turn == 0:
        yield said, state
    elif state.turn > 0:
        for move in state.moves():
            yield from replies(state.after(move), (*said, move))


def upper(visits: int, won: int, log_all: float) -> float:
    """Return the upper confidence bound of a move; the untried come first."""
    return won / visits + 0.7 * sqrt(log_all / visits) if visits else inf


def closed(
    contract: str, deals: int, worlds: int, names: list[str], first: int = 0
) -> Iterator[str]:
    """Yield, for each player, how it fares: the table so far after each 25 deals.

    Each deal is played by the better declarer against plain defenders, and by a plain declarer
    against better defenders; where only the declarer can be better, against a plain table.
    """
    players, seed, opened = Players(contract, worlds), first, []
    if "inference" in names:
        share = players.learn(TAUGHT)
        yield f"{contract}: the policy of inference foresees {share:.0%} of {TAUGHT} games' cards"
    found: dict[str, list[tuple[bool, bool]]] = {name: [] for name in names}
    spent = dict.fromkeys(names, 0.0)
    for i in range(deals):
        start = players.begin(seed)
        seed = players.seed + 1
        opened.append(players.made(players.opened(start)))
        plain, _ = players.play(start, "", "")
        for name in names:
            begun = process_time()
            ours, _ = players.play(start, name, "")
            theirs = plain if name in DECLARERS else players.play(start, "", name)[0]
            found[name].append((ours, theirs))
            spent[name] += process_time() - begun
        if (i + 1) % 25 == 0 or i + 1 == deals:
            for name in names:
                said = gain(found[name], opened)
                yield f"{contract}, {i + 1} deals, {name}: {said}, {spent[name]:.0f} s"


def gain(found: list[tuple[bool, bool]], opened: list[bool]) -> str:
    """Return the gain in percent of the deals, regressed on the value with open cards."""
    pairs, x = np.array(found, float), np.array(opened, float) - np.mean(opened)
    d = pairs[:, 0] - pairs[:, 1]
    rest = d - d.mean() - x * (x @ d / max(1e-9, x @ x))
    wide = 196 * sqrt(rest @ rest / max(1, len(d) - 2) / len(d))
    shares = " ".join(f"{100 * each:.0f}" for each in (np.mean(opened), *pairs.mean(0)))
    both = f"+{int((d > 0).sum())} -{int((d < 0).sum())}"
    return f"open, better, plain {shares}; gain {100 * d.mean():+.1f} ± {wide:.1f} ({both})"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=50, help="of each column")
    parser.add_argument("--most", type=int, default=10_000_000, help="nodes for a deal")
    parser.add_argument("--times", action="store_true", help="measure times")
    parser.add_argument("--closed", choices=CONTRACTS, help="judge players of closed cards")
    parser.add_argument("--worlds", type=int, default=10, help="of a plain player's card")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first closed deal")
    parser.add_argument("--players", nargs="+", choices=PLAYERS, default=PLAYERS, help="of these")
    asked = parser.parse_args()
    if asked.closed:
        for line in closed(asked.closed, asked.deals, asked.worlds, asked.players, asked.first):
            print(line, flush=True)
        raise SystemExit
    rows = times(asked.deals) if asked.times else table(asked.deals, asked.most)
    for i, row in enumerate(rows):
        print("| " + " | ".join(row) + " |", flush=True)
        if not i:
            print("| --- " + "| ---: " * (len(row) - 1) + "|")
