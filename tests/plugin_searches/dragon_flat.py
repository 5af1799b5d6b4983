"""flat: the move after which random playouts pay best."""

from dragon import Result, Search, Trait, frozen, hookimpl
from dragon.bits import Random
from dragon.rules.playout import playouts


@frozen
class Flat(Search):
    """A search of equally many random playouts after each move; it plays the one that pays best."""

    name = "flat"
    excludes = frozenset({Trait.CHANCE, Trait.HIDDEN})
    proves, limits = False, frozenset()
    count: int = 100

    def improve(self, state, limit, rng):
        moves, random = state.moves(), Random(int(rng.integers(1 << 63)))
        paid = [playouts(state.after(m), self.count, random).sums[state.turn] for m in moves]
        yield Result(max(paid) * state.unit / self.count, line=(moves[paid.index(max(paid))],))


@hookimpl
def dragon_searches():
    return [Flat]
