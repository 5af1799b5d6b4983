"""MyName: the move that pays best when random play follows. A search in plain Python."""

from attrs import field
from attrs.validators import ge

from dragon import Result, Search, Trait, frozen, hookimpl
from dragon.bits import Random
from dragon.rules.playout import playouts


@frozen
class MyName(Search):
    """The move after which equally many random playouts pay best."""

    name = "myname"
    excludes = frozenset({Trait.CHANCE, Trait.HIDDEN})  # games that it does not support
    proves = False  # its value is an estimate
    limits = frozenset()  # of a Limit it heeds nothing: it always plays `count` playouts
    count: int = field(default=50, validator=ge(1))

    def improve(self, state, limit, rng):
        """Yield results, each better than those before; one is enough."""
        random = Random(int(rng.integers(1 << 63)))
        means = {
            move: playouts(state.after(move), self.count, random).sums[state.turn] / self.count
            for move in state.moves()
        }
        best = max(means, key=means.__getitem__)
        yield Result(means[best] * state.unit, line=(best,))


@hookimpl
def dragon_searches():
    """Return the searches of this plugin."""
    return [MyName]
