"""Dancing links to be read: Algorithms X, C and M as recursive generators in plain Python.

The kernels in `dragon.cover.kernels` do the same on an explicit stack; both find the same
covers in the same order and count nodes and updates alike. A law of the tests holds that.
Every generator yields once for each level that it enters, so that whoever listens can stop
there: a tuple of option numbers if that is a cover, and None if not (TAOCP 4B, 7.2.2.1).
"""

from __future__ import annotations

from collections.abc import Iterator

from dragon.cover.links import Links

Found = tuple[int, ...] | None
"""What is found on entering a level: a cover or None."""
UNLIMITED = 1 << 62


class Dance:
    """The links of a run as plain lists, which are quicker than numpy's one at a time."""

    def __init__(self, links: Links) -> None:
        self.top = links.nodes["top"].tolist()
        self.up = links.nodes["up"].tolist()
        self.down = links.nodes["down"].tolist()
        self.colour = links.nodes["colour"].tolist()
        self.left = links.items["left"].tolist()
        self.right = links.items["right"].tolist()
        self.length = links.items["length"].tolist()
        self.bound = links.items["bound"].tolist()
        self.slack = links.slack.tolist()
        self.option = links.option.tolist()
        self.primary = links.primary
        self.updates = 0
        self.chosen: list[int] = []
        """The options of the line that is being tried."""
        self.progress: list[tuple[int, int]] = []
        """Branches done, and all branches, of each of its levels."""
        self.horizon = UNLIMITED
        """No level deeper than this is entered."""

    def covers(self, size: int = UNLIMITED) -> Iterator[Found]:
        """Every exact cover of at most `size` options (Algorithms X and C)."""
        if self.right[0] == 0:
            yield tuple(self.chosen)
            return
        yield None
        if len(self.chosen) == size or len(self.progress) == self.horizon:
            return
        i = self.choose()
        self.unlink(i)
        self.cover(i)
        self.progress.append((0, self.length[i]))
        for p in self.below(i):
            self.take(p)
            self.chosen.append(self.option[p])
            yield from self.covers(size)
            self.chosen.pop()
            self.put_back(p)
            self.step()
        self.progress.pop()
        self.uncover(i)
        self.relink(i)

    def step(self) -> None:
        """One more branch of the lowest level is done."""
        done, branches = self.progress[-1]
        self.progress[-1] = done + 1, branches

    def choose(self) -> int:
        """An item to branch on: the fewest options, the first of equals (step X3, MRV)."""
        best = i = self.right[0]
        while i != 0 and self.length[best] > 0:
            if self.length[i] < self.length[best]:
                best = i
            i = self.right[i]
        return int(best)

    def below(self, i: int) -> Iterator[int]:
        """The nodes of item i from the top; each is asked for when the one before is back."""
        p = self.down[i]
        while p != i:
            yield p
            p = self.down[p]

    def above(self, i: int) -> Iterator[int]:
        """The nodes of item i from the bottom."""
        p = self.up[i]
        while p != i:
            yield p
            p = self.up[p]

    def rightward(self, p: int) -> Iterator[int]:
        """The other nodes of p's option, from the next on."""
        q = p + 1
        while q != p:
            if self.top[q]:
                yield q
                q += 1
            else:
                q = self.up[q]

    def leftward(self, p: int) -> Iterator[int]:
        """The same backwards."""
        q = p - 1
        while q != p:
            if self.top[q]:
                yield q
                q -= 1
            else:
                q = self.down[q]

    def hide(self, p: int) -> None:
        """The other nodes of p's option leave their lists."""
        for q in self.rightward(p):
            if self.colour[q] >= 0:
                self.down[self.up[q]], self.up[self.down[q]] = self.down[q], self.up[q]
                self.length[self.top[q]] -= 1
                self.updates += 1

    def unhide(self, p: int) -> None:
        """They come back, last out first in."""
        for q in self.leftward(p):
            if self.colour[q] >= 0:
                self.down[self.up[q]] = self.up[self.down[q]] = q
                self.length[self.top[q]] += 1

    def cover(self, i: int) -> None:
        """The options of item i leave all other lists."""
        self.updates += 1
        for p in self.below(i):
            self.hide(p)

    def uncover(self, i: int) -> None:
        """Undoes cover(i)."""
        for p in self.above(i):
            self.unhide(p)

    def unlink(self, i: int) -> None:
        """Item i leaves the list of items to be covered."""
        self.right[self.left[i]], self.left[self.right[i]] = self.right[i], self.left[i]

    def relink(self, i: int) -> None:
        """It comes back."""
        self.right[self.left[i]] = self.left[self.right[i]] = i

    def purify(self, p: int) -> None:
        """Options that give p's item another colour are hidden; those that agree stay."""
        for q in self.below(self.top[p]):
            if self.colour[q] == self.colour[p]:
                self.colour[q] = -1
            else:
                self.hide(q)

    def unpurify(self, p: int) -> None:
        """Undoes purify(p)."""
        for q in self.above(self.top[p]):
            if self.colour[q] < 0:
                self.colour[q] = self.colour[p]
            else:
                self.unhide(q)

    def commit(self, p: int) -> None:
        """The item of p is settled: covered, or given p's colour."""
        if self.colour[p] == 0:
            if self.top[p] <= self.primary:
                self.unlink(self.top[p])
            self.cover(self.top[p])
        elif self.colour[p] > 0:
            self.purify(p)

    def uncommit(self, p: int) -> None:
        """Undoes commit(p)."""
        if self.colour[p] == 0:
            self.uncover(self.top[p])
            if self.top[p] <= self.primary:
                self.relink(self.top[p])
        elif self.colour[p] > 0:
            self.unpurify(p)

    def take(self, p: int) -> None:
        """Settles the other items of p's option (step X5)."""
        for q in self.rightward(p):
            self.commit(q)

    def put_back(self, p: int) -> None:
        """Undoes take(p) (step X6)."""
        for q in self.leftward(p):
            self.uncommit(q)

    def multicovers(self, size: int = UNLIMITED) -> Iterator[Found]:
        """Every cover in which items are covered as often as their bounds say (Algorithm M)."""
        if self.right[0] == 0:
            yield tuple(self.chosen)
            return
        yield None
        if len(self.progress) == self.horizon:
            return
        i = self.choose_bounded()
        if self.branches(i) == 0:
            return
        self.progress.append((0, self.branches(i)))
        self.bound[i] -= 1
        covered = self.bound[i] == 0
        tweaks = not covered or self.slack[i] > 0
        first = self.down[i]
        if covered:
            self.unlink(i)
            self.cover(i)
        for p in self.below(i):
            if len(self.chosen) == size or (
                tweaks and self.length[i] <= self.bound[i] - self.slack[i]
            ):
                break
            if tweaks:
                self.tweak(p, i)
            self.take_some(p)
            self.chosen.append(self.option[p])
            yield from self.multicovers(size)
            self.chosen.pop()
            self.put_some_back(p)
            self.step()
        if self.bound[i] < self.slack[i]:  # often enough already: done with item i
            if not covered:
                self.unlink(i)
            yield from self.multicovers(size)
            if not covered:
                self.relink(i)
        if tweaks:
            self.untweak(first, i)
        if covered:
            self.uncover(i)
            self.relink(i)
        self.bound[i] += 1
        self.progress.pop()

    def branches(self, i: int) -> int:
        """How many ways there are to go on with item i; 0: it cannot be covered often enough."""
        needed = max(self.bound[i] - self.slack[i], 0)
        return int(max(self.length[i] + 1 - needed, 0))

    def choose_bounded(self) -> int:
        """The fewest branches; of equals the least slack, then the most options, then the first."""
        best = i = self.right[0]
        while i != 0:
            if self._merit(i) < self._merit(best):
                best = i
            i = self.right[i]
        return int(best)

    def _merit(self, i: int) -> tuple[int, int, int]:
        fewest = self.branches(i)
        return (fewest, self.slack[i], -self.length[i]) if fewest else (0, 0, 0)

    def tweak(self, p: int, i: int) -> None:
        """Option p, the first below item i, leaves its list, and all others unless i is covered."""
        self.updates += 1
        if self.bound[i] > 0:
            self.hide(p)
        self.down[i] = self.down[p]
        self.up[self.down[p]] = i
        self.length[i] -= 1

    def untweak(self, first: int, i: int) -> None:
        """All options tweaked since `first` was the first come back, in the order they left."""
        above, x, rest = i, first, self.down[i]
        self.down[i] = first
        while x != rest:
            self.up[x] = above
            self.length[i] += 1
            if self.bound[i] > 0:
                self.unhide(x)
            above, x = x, self.down[x]
        self.up[rest] = above

    def take_some(self, p: int) -> None:
        """Covers the other items of p's option once more (step M6)."""
        for q in self.rightward(p):
            if self.top[q] > self.primary:
                self.commit(q)
                continue
            self.bound[self.top[q]] -= 1
            if self.bound[self.top[q]] == 0:
                self.unlink(self.top[q])
                self.cover(self.top[q])

    def put_some_back(self, p: int) -> None:
        """Undoes take_some(p) (step M7)."""
        for q in self.leftward(p):
            if self.top[q] > self.primary:
                self.uncommit(q)
                continue
            self.bound[self.top[q]] += 1
            if self.bound[self.top[q]] == 1:
                self.uncover(self.top[q])
                self.relink(self.top[q])
