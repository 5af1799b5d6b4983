"""Answers: the number of covers of each size, and the best of them.

Modes: `exact` (each item once), `minimal` (each at least once, without redundant options), `all`
(every cover of limited size), `overlapping` (the original program's collection); `best` ranks
without counting. The order is by score, then size, then names. Weaknesses that members share can
count too, and the listed teams can be made to differ (`dragon_pokemon.ranking`). If there is no
cover, the best of the teams that leave something uncovered are ranked.
"""

from __future__ import annotations

import time
from bisect import insort
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from attrs import evolve, field, frozen

from dragon.core import Bound, Limit
from dragon.errors import ConfigError
from dragon.search.budget import Pace
from dragon_pokemon.choices import picks_of
from dragon_pokemon.game import (
    ALL,
    AMONG,
    ASKED,
    BEST,
    DIFFER,
    EXACT,
    MINIMAL,
    OVERLAPPING,
    RANKS,
    SCORE,
)
from dragon_pokemon.problem import (
    Cap,
    caps_of,
    partial_problem_of,
    possible,
    possible_by_size,
    problem_of,
    wide,
    without_idle,
)
from dragon_pokemon.ranking import Ranking, Team

if TYPE_CHECKING:
    from dragon.cover import Problem
    from dragon_pokemon.game import Pokemon
    from dragon_pokemon.overlapping import Collection, Cover

Watch = Callable[[str, float, int], None]
"""Called now and then with the name of the step, the part of it that is done, and the covers
found."""
BATCH = 4096
DEEP, DEEPER, DEEPEST = 16, 4, 6000
"""Covers looked at in order to list n that are not simply the best: first 16 n, then 4 times as
many where that is not enough, and at most 6,000 in all."""
FIRST_SLICE, SLICE = 1 << 10, 1 << 20
"""Nodes between two looks at the clock, at first and at most."""


@frozen
class Answer:
    """The answer to a question, as far as its mode and limits allow."""

    query: Pokemon
    mode: str
    among: str = ALL
    """The kind of covers that are ranked: the mode's, or in mode `best` those asked for."""
    rank: str = SCORE
    differ: int = 1
    """The least number of members in which any two listed teams differ."""
    solutions: tuple[Team, ...] = ()
    partial: tuple[Team, ...] = ()
    """The teams that cover the most items, and of these the best by score, where no team covers
    all of them. Empty in mode `exact`."""
    ranked: bool = True
    """True if the ranking is proven; the partial one where there is no cover. Fewer than asked for
    can be: those alone that are sure when DEEPEST covers have been looked at."""
    sizes: dict[int, int] | None = None
    """The number of covers of each size; None where they were not counted."""
    found: int | None = None
    """The number of covers, or of those found before the limit; None where none are counted."""
    count_bound: Bound = Bound.EXACT
    """EXACT where `found` is all of them, LOWER where the limit came first."""
    bound: Bound = Bound.EXACT
    """EXACT where everything asked for is proven. Else how the count, or where that is proven
    or not asked for the best score, relates to the truth."""
    nodes: int = 0
    seconds: float = 0.0

    @property
    def impossible(self) -> bool:
        """Return True if it is proven that there is no cover."""
        if self.found is None:
            return not self.solutions and self.bound is Bound.EXACT
        return self.found == 0 and self.count_bound is Bound.EXACT


@frozen
class _Part:
    """A part of an answer: covers counted, or ranked, or both."""

    solutions: tuple[Team, ...] = ()
    sizes: dict[int, int] | None = None
    found: int | None = None
    proven: bool = False
    nodes: int = 0
    seconds: float = 0.0


@frozen
class _Run:
    """A question with its limits."""

    query: Pokemon
    problem: Problem
    caps: tuple[Cap, ...]
    ranking: Ranking
    among: str
    limit: Limit
    watch: Watch
    spent: list[float] = field(factory=list)
    """Seconds of the parts that are done."""

    def possible(self, cover: Sequence[int]) -> bool:
        """Return True if each option of a cover can have a Pokémon of its own."""
        return possible(self.caps, (self.problem.names[option] for option in cover))

    def left(self) -> Limit | None:
        """The rest of the limit; None if the time is over."""
        if self.limit.seconds is None:
            return self.limit
        seconds = self.limit.seconds - sum(self.spent)
        return Limit(seconds=seconds) if seconds > 0 else None


def silent(label: str, part: float, found: int) -> None:
    """Ignore the progress."""


def answer(
    query: Pokemon,
    mode: str,
    top: int = 10,
    among: str = ALL,
    limit: Limit | None = None,
    watch: Watch = silent,
    rank: str = SCORE,
    differ: int = 1,
) -> Answer:
    """Return the last of `answers` with the same arguments; raise ConfigError."""
    *_, last = answers(query, mode, top, among, limit, watch, rank, differ)
    return last


def answers(
    query: Pokemon,
    mode: str,
    top: int = 10,
    among: str = ALL,
    limit: Limit | None = None,
    watch: Watch = silent,
    rank: str = SCORE,
    differ: int = 1,
) -> Iterator[Answer]:
    """Count the covers of a mode and rank the best `top` of them, 0 for none; yield better answers.

    In mode `best` every set of limited size is ranked, unless among="minimal" leaves out those with
    a redundant option, which can score better than all minimal ones. rank: see `ranking.RANKS`;
    differ: the least number of members in which any two listed teams differ. Raises ConfigError for
    arguments that do not go together.
    """
    check(query, mode, top, among, rank, differ)
    caps = caps_of(query)
    ranking = Ranking(query, top, rank, differ, caps=wide(caps))
    whole = among if mode == BEST else mode
    return _answers(
        _Run(query, problem_of(query), caps, ranking, whole, limit or Limit(), watch), mode
    )


def check(query: Pokemon, mode: str, top: int, among: str, rank: str, differ: int) -> None:
    """Raise ConfigError for arguments that do not go together."""
    wrong = [f"mode is {mode!r}; write {' or '.join(map(repr, ASKED))}"] * (mode not in ASKED)
    wrong += [f"among is {among!r}; write {' or '.join(map(repr, AMONG))}"] * (among not in AMONG)
    if top < (mode == BEST):
        wrong.append(f"top is {top}; in mode {mode!r} it is {int(mode == BEST)} at least")
    wrong += [f"rank is {rank!r}; write {' or '.join(map(repr, RANKS))}"] * (rank not in RANKS)
    most = max(query.size, DIFFER)  # the default is allowed with any limit
    wrong += [f"differ is {differ}; it is from 1 to {most}"] * (not 1 <= differ <= most)
    if mode == OVERLAPPING and (rank, differ) != (SCORE, 1):
        wrong.append(f"mode {mode!r} ranks by score alone; leave out rank and differ")
    if rank != SCORE and query.side == "attack":
        wrong.append(f"rank {rank!r} is about the weaknesses of a team; attacks have none")
    if wrong:
        raise ConfigError(wrong)


def _answers(run: _Run, mode: str) -> Iterator[Answer]:
    """Yield the ranking, then the count, so that a limit leaves time for a team."""
    stages: list[tuple[_Part, Iterator[_Part]]] = []
    if mode == OVERLAPPING:
        stages.append((_Part(found=0), _overlapping(run)))
    elif run.ranking.top:
        among = ALL if run.among == ALL else MINIMAL
        stages.append((_Part(), _ranked(run, mode == EXACT, among)))
    if mode in (EXACT, MINIMAL):
        stages.append((_Part(found=0), (_tallied if mode == EXACT else _counted)(run)))
    elif mode == ALL:
        stages.append((_Part(found=0), _all(run)))
    known = [nothing for nothing, _ in stages]
    yield (summed := _sum(run, mode, known))
    for place, (_, parts) in enumerate(stages):
        for part in parts:
            known[place] = part
            yield (summed := _sum(run, mode, known))
    if summed.impossible and mode != EXACT and run.ranking.top:
        rest = evolve(run, problem=partial_problem_of(run.query))
        for part in _ranked(rest, False, ALL):
            nodes, seconds = summed.nodes + part.nodes, summed.seconds + part.seconds
            yield evolve(summed, partial=part.solutions, ranked=part.proven, nodes=nodes,
                         seconds=seconds)  # fmt: skip


def _sum(run: _Run, mode: str, parts: list[_Part]) -> Answer:
    """Return an answer made of its parts; ranked covers count as found."""
    solutions = next((part.solutions for part in parts if part.solutions), ())
    count = next((part for part in parts if part.found is not None), None)
    counted = count is None or count.proven
    score = Bound.UPPER if run.query.side == "defense" else Bound.LOWER
    doubt = score if counted else Bound.LOWER
    return Answer(
        run.query,
        mode,
        run.among,
        run.ranking.rank,
        run.ranking.differ,
        solutions,
        ranked=parts[0].proven if run.ranking.top else True,
        sizes=None if count is None else count.sizes,
        found=None if count is None else max(count.found or 0, len(solutions)),
        count_bound=Bound.EXACT if counted else Bound.LOWER,
        bound=Bound.EXACT if all(part.proven for part in parts) else doubt,
        nodes=sum(part.nodes for part in parts),
        seconds=sum(part.seconds for part in parts),
    )


def _ranked(run: _Run, exact: bool, among: str) -> Iterator[_Part]:
    """Yield the best of more and more covers, until they contain the teams to be listed."""
    from dragon.cover.optimum import improve

    ranking, names = run.ranking, run.problem.names
    deepest = max(ranking.top, 0 if ranking.plain else DEEPEST)
    deep = min(deepest, ranking.top if ranking.plain else DEEP * ranking.top)
    nodes, seconds, first = 0, 0.0, True
    part = _Part()
    problem = without_idle(run.problem) if exact or among == MINIMAL else run.problem
    while not part.proven and (limit := run.left()) is not None:
        run.watch("ranking", 0.0, 0)
        for found in improve(problem, deep, exact, among, run.query.size, limit):
            run.watch("ranking", 0.0, len(found.covers))
            done = found.bound is Bound.EXACT
            if not (first or done):
                continue
            costs = [(c.cost, tuple(names[option] for option in c.options)) for c in found.covers]
            teams, sure = ranking.listed(costs, every := done and len(costs) < deep)
            proven = done and sure == len(teams) and (every or sure == ranking.top)
            if done and sure and deep == deepest:
                teams, proven = teams[:sure], True
            if teams or first:
                known, spent = nodes + found.nodes, seconds + found.seconds
                yield (part := _Part(teams, proven=proven, nodes=known, seconds=spent))
        run.spent.append(found.seconds)
        nodes, seconds = nodes + found.nodes, seconds + found.seconds
        if not done or deep == deepest:
            break
        deep, first = min(deep * DEEPER, deepest), False


def _all(run: _Run) -> Iterator[_Part]:
    from dragon.cover import sizes as uncapped

    run.watch("counting", 0.0, 0)
    start = time.perf_counter()
    if run.caps:
        problem = run.problem
        held = {
            name: frozenset(option.items)
            for name, option in zip(problem.names, problem.options, strict=True)
            if name not in problem.hidden_options
        }
        items = [name for name in problem.primary if name not in problem.hidden_items]
        pins = picks_of(run.query, run.query.pin)
        sizes = possible_by_size(held, items, pins, run.caps, run.query.size)
    else:
        sizes = uncapped.covers_by_size(run.problem, run.query.size)
    seconds = time.perf_counter() - start
    yield _Part(sizes=sizes, found=sum(sizes.values()), proven=True, seconds=seconds)


def _tallied(run: _Run) -> Iterator[_Part]:
    """List the exact covers, which are few, and count their sizes."""
    from dragon.cover import covers

    if (limit := run.left()) is None:
        return
    run.watch("counting", 0.0, 0)
    found, sizes = covers(without_idle(run.problem), True, run.query.size, limit), Counter[int]()
    for cover in found:
        sizes[len(cover)] += run.possible(cover)
        if sizes.total() % BATCH == 0:
            run.watch("counting", found.fraction(), found.found)
            yield _Part((), None, sizes.total(), False, found.nodes, found.seconds)
    proven = found.bound is Bound.EXACT
    counts = dict(sorted(sizes.items())) if proven else None
    yield _Part((), counts, sizes.total(), proven, found.nodes, found.seconds)


def _counted(run: _Run) -> Iterator[_Part]:
    """Count all minimal covers, then those of at most 1, 2, ... options, which gives the sizes.

    They are too many to be listed, and to count the smaller ones takes little time.
    """
    whole = _Part(found=0)
    for whole in _count(run, run.query.size):
        yield whole
    if not whole.proven:
        return
    at_most, nodes, seconds = [0], whole.nodes, whole.seconds
    while at_most[-1] < (whole.found or 0):
        part = whole
        if (size := len(at_most)) < run.query.size:
            *_, part = _Part(), *_count(run, size)
            nodes, seconds = nodes + part.nodes, seconds + part.seconds
        if not part.proven:
            return
        at_most.append(part.found or 0)
    steps = enumerate(pairwise(at_most), 1)
    sizes = {size: more - less for size, (less, more) in steps if more > less}
    yield _Part((), sizes, whole.found, True, nodes, seconds)


def _count(run: _Run, size: int) -> Iterator[_Part]:
    """Count the minimal covers of at most `size` options, unless the time is over."""
    from dragon.cover import covers

    if (limit := run.left()) is None:
        return
    found, counted = covers(without_idle(run.problem), False, size, limit), 0
    if wide(run.caps):  # which the problem does not have, so that each cover is looked at
        for seen, cover in enumerate(found, 1):
            counted += run.possible(cover)
            if seen % BATCH == 0:
                run.watch(f"counting, at most {size}", found.fraction(), counted)
                yield _Part((), None, counted, False, found.nodes, found.seconds)
    while not found.over:
        found.advance(0)
        run.watch(f"counting, at most {size}", found.fraction(), found.found)
        yield _Part((), None, found.found, False, found.nodes, found.seconds)
    counted = counted if wide(run.caps) else found.found
    run.spent.append(found.seconds)
    proven = found.bound is Bound.EXACT
    yield _Part((), None, counted, proven, found.nodes, found.seconds)


def _overlapping(run: _Run) -> Iterator[_Part]:
    """Count and rank in one search, which does not list sets that are too expensive."""
    from dragon_pokemon.overlapping import collection_of

    stream = collection_of(run.problem, run.query.size, run.caps)
    ranks = _Ranks(run, stream)
    pace, seconds, late = Pace(FIRST_SLICE, SLICE, timed=True), 0.0, False
    while not (stream.done or late):
        start = time.perf_counter()
        ranks.add(stream.advance(pace.steps, BATCH if run.ranking.top else 0))
        spent = time.perf_counter() - start
        pace.took(spent)
        seconds += spent
        late = run.limit.seconds is not None and seconds >= run.limit.seconds
        run.watch("counting", stream.fraction(), stream.found)
        sizes = dict(sorted(stream.sizes.items()))
        yield _Part(ranks.teams(), sizes, stream.found, stream.done, stream.nodes, seconds)


class _Ranks:
    """The best sets so far, as cost, size and names."""

    def __init__(self, run: _Run, stream: Collection) -> None:
        self.run, self.stream = run, stream
        self.best: list[tuple[int, int, tuple[str, ...]]] = []

    def add(self, found: list[Cover]) -> None:
        """Add covers, and tell the stream the cost above which it need not list any."""
        rows = self.stream.rows
        for cover in found:
            names = tuple(sorted(self.run.problem.names[option] for option in cover))
            cost = rows.cost(tuple(rows.number.index(option) for option in cover))
            insort(self.best, (cost, len(names), names))
            del self.best[self.run.ranking.top :]
        if len(self.best) == self.run.ranking.top > 0:
            self.stream.limit_cost(self.best[-1][0])

    def teams(self) -> tuple[Team, ...]:
        """Return the teams, the best first."""
        sign = 1 if self.run.query.side == "defense" else -1
        return tuple(Team(sign * cost, names) for cost, _, names in self.best)
