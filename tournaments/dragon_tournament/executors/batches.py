"""The size of batches: the number of games to hand out at once, by how long they have taken."""

from __future__ import annotations

from attrs import define

SMOOTH = 0.5  # the weight of the last job in the mean


@define
class BatchSize:
    """The number of games in a job of about `target` seconds, so that handing it out is cheap.

    >>> batches = BatchSize(1.0)
    >>> batches.size
    1
    >>> batches.took(1, 0.01)
    >>> batches.size
    8
    """

    target: float
    most: int = 1000
    """Games in a job at most."""
    growth: int = 8
    """The factor by which a job may have more games than the largest that has ended."""
    mean: float | None = None
    """Seconds a game; None before the first has ended."""
    seen: int = 0
    """Games in the largest job that has ended."""

    def took(self, games: int, seconds: float) -> None:
        """Take in that a job of so many games has taken so many seconds."""
        if games:
            each = seconds / games
            self.mean = each if self.mean is None else self.mean + SMOOTH * (each - self.mean)
            self.seen = max(self.seen, games)

    @property
    def size(self) -> int:
        """Games in the next job."""
        if self.mean is None:
            return 1
        fit = self.most if self.mean <= 0 else int(self.target / self.mean)
        return max(1, min(fit, self.growth * self.seen, self.most))

    @property
    def hasty(self) -> bool:
        """Return True if jobs are so short that a worker should find its next one waiting."""
        return self.mean is not None and self.mean * self.size < 1.0
