"""The best play, by dynamic programming: a kernel, which dragon compiles.

A kernel allocates nothing: it reads and writes numpy arrays that its caller makes. It is plain
Python too, which `fill(...)` runs; `specialise` in `answers` gives the compiled one.
"""

from dragon.rules.template import kernel


@kernel
def fill(worth, highest):
    """Fill `worth`, float64[buyers + 1, goods + 1]: what is still earned by the best play.

    Without buyers or without goods it is 0, as the caller has made it.
    """
    for buyers in range(1, worth.shape[0]):
        for goods in range(1, worth.shape[1]):
            wait, sold = worth[buyers - 1, goods], worth[buyers - 1, goods - 1]
            total = 0.0
            for price in range(1, highest + 1):
                total += max(wait, price + sold)
            worth[buyers, goods] = total / highest
