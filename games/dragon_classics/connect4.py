"""Connect four: stones fall down seven columns; four in a row wins.

The rules of the game are the first five. The others are knowledge for any search: positions
decided in two plies, moves that lose at once, promising moves, and mirrored boards, which are
worth the same (Allis 1988; the bit sets are those of Tromp's solver, Fhourstones).
"""

from dragon import TERMINAL, Grid, RecordGame, Rules, frozen, rule
from dragon.bits import add, bit, has, popcount, shl, shr, u64

# Bit 7 * column + height; the seventh bit of each column stays empty, so that no line of
# four runs over the edge of the board:
#    5 12 19 26 33 40 47
#    .  .  .  .  .  .  .
#    0  7 14 21 28 35 42
BOTTOM = sum(1 << 7 * column for column in range(7))
BOARD = 63 * BOTTOM


@rule
def won(stones):
    for step in (1, 6, 7, 8):  # up, down the diagonal, across, up the diagonal
        pairs = stones & shr(stones, step)  # four are two pairs, twice as far apart
        if pairs & shr(pairs, 2 * step):
            return True
    return False


@rule
def turn(s):
    return TERMINAL if s.ply == 42 or won(s.stones[1 - s.ply % 2]) else s.ply % 2


@rule
def moves(s, out):
    n = 0
    for column in range(7):
        if not has(s.stones[0] | s.stones[1], 7 * column + 5):
            out[n] = column
            n += 1
    return n


@rule
def play(s, column):
    held = s.stones[0] | s.stones[1]
    s.stones[s.ply % 2] |= add(held, bit(7 * column)) & ~held  # the carry stops at the first gap
    s.ply += 1


@rule
def payoff(s, seat):
    return won(s.stones[seat]) - won(s.stones[1 - seat])


@rule
def threats(stones, held):
    """Return the empty cells where one more stone would make four."""
    found = shl(stones, 1) & shl(stones, 2) & shl(stones, 3)
    for step in (6, 7, 8):
        above, below = shl(stones, step), shr(stones, step)
        found |= above & shl(stones, 2 * step) & (shl(stones, 3 * step) | below)
        found |= below & shr(stones, 2 * step) & (shr(stones, 3 * step) | above)
    return found & u64(BOARD) & ~held


@rule
def sensible(s):
    """Return the cells that win at once, or else those that do not lose at once."""
    held = s.stones[0] | s.stones[1]
    cells = add(held, u64(BOTTOM)) & u64(BOARD)
    wins = cells & threats(s.stones[s.ply % 2], held)
    if wins:
        return wins
    feared = threats(s.stones[1 - s.ply % 2], held)
    forced = cells & feared
    if popcount(forced) > 1:  # only one of them can be blocked
        return u64(0)
    if forced:
        cells = forced
    return cells & ~shr(feared, 1)


@rule
def solved(s, tablebase):
    """Solve a win in one ply, a loss in two, and a draw on the last cell; see `sensible`."""
    held, seat = s.stones[0] | s.stones[1], s.ply % 2
    if threats(s.stones[seat], held) & add(held, u64(BOTTOM)):
        return 1 - 2 * seat, 1
    if not sensible(s):
        return 2 * seat - 1, 2
    return 0, 1 if s.ply == 41 else -1


@rule
def reduce(s, out, n):
    """Keep the sensible moves; if all lose, keep one of them."""
    cells, kept = sensible(s), 0
    for i in range(n):
        if cells & shl(63, 7 * out[i]):
            out[kept] = out[i]
            kept += 1
    return max(kept, 1)


@rule
def order(s, out, n, scores):
    """Order moves by the threats they make, and equal moves by distance from the middle."""
    held, stones = s.stones[0] | s.stones[1], s.stones[s.ply % 2]
    for i in range(n):
        cell = add(held, bit(7 * out[i])) & ~held
        scores[i] = 8 * popcount(threats(stones | cell, held | cell)) - abs(out[i] - 3)


@rule
def mirrored(cells):
    """Return the cells with left and right exchanged."""
    image = u64(0)
    for column in range(7):
        image |= shl(shr(cells, 7 * column) & 127, 7 * (6 - column))
    return image


@rule
def key(s):
    """Return the lesser key of this board and its image: the mover's stones plus all stones."""
    stones, held = s.stones[s.ply % 2], s.stones[0] | s.stones[1]
    image = add(mirrored(stones), mirrored(held))
    return min(add(stones, held), image) + u64(1)  # 0 would not be kept


@frozen
class ConnectFour(RecordGame):
    """Four in a row, on seven columns of six cells; the first side can force it from the middle.

    Red and Yellow (X and O) drop a stone into a column in turn; it falls to the lowest empty cell.
    Four in a row, across, up or diagonally, win; a full board is a draw.
    """

    name, title = "connect4", "Connect four"

    def rules(self):
        board = Grid(
            6, 7, {"stones": "XO"}, where=lambda row, column: 7 * column + 5 - row, by_column=True,
            symmetries=("mirror",), in_line=4, won=lambda s, seat: won(s.stones[seat]),
        )  # fmt: skip
        return Rules(
            board.layout, moves, play, turn, payoff, width=7, plies=42, notation=board,
            solved=solved, reduce=reduce, order=order, key=key,
        )  # fmt: skip
