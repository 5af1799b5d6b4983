"""Views of a problem: hiding items and options, and taking it back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dragon.cover
from dragon.cover import Option, Problem, covers
from dragon.cover.exact import exact_stream
from dragon.modes import JIT

SMALL = st.booleans().flatmap(
    lambda bounded: st.fixed_dictionaries(
        {
            "options": st.lists(st.sets(st.sampled_from("abcdexyz"), min_size=1), max_size=10),
            "paint": st.lists(st.sampled_from(["", "A", "B"]), min_size=30, max_size=30),
            "bounds": st.dictionaries(
                st.sampled_from("abcde"),
                st.sampled_from([(0, 1), (1, 2), (0, 3), (2, 2)]),
                max_size=5 if bounded else 0,
            ),
        }
    )
)


@pytest.mark.full
@settings(max_examples=80)
@given(SMALL, st.lists(st.integers(0, 99), max_size=12), st.none() | st.integers(0, 4))
def test_covers_are_those_of_what_is_in_view(made, moves, size):
    options = []
    for k, items in enumerate(made["options"]):
        colours = {i: c for i, c in zip("xyz", made["paint"][3 * k :], strict=False) if c}
        options.append(
            Option(sorted(items), f"o{k}", {i: colours[i] for i in items & set(colours)})
        )
    problem = Problem("abcde", options, "xyz", made["bounds"])
    views = [problem]
    for move in moves:
        if move % 7 == 0 and len(views) > 1:
            views.pop()  # a step back is the view before
        elif move % 2 or not options:
            views.append(views[-1].hide(items=[problem.items[move % 8]]))
        else:
            views.append(views[-1].hide(options=[problem.names[move % len(options)]]))
        view = views[-1]
        alone = without_hidden(view)
        names = [[view.names[o] for o in cover] for cover in covers(view, size=size)]
        expected = [[alone.names[o] for o in cover] for cover in covers(alone, size=size)]
        assert sorted(map(sorted, names)) == sorted(map(sorted, expected))
        with JIT.under("0"):
            plain = exact_stream(view).advance(1 << 40, 1 << 20)
        assert plain == list(covers(view))
    assert views[0] == Problem("abcde", options, "xyz", made["bounds"])
    assert list(covers(views[0])) == list(covers(Problem("abcde", options, "xyz", made["bounds"])))


def without_hidden(view: Problem) -> Problem:
    """The problem made again of what is in view, with nothing hidden."""
    primary = [n for n in view.primary if n not in view.hidden_items]
    options = []
    for option in view.options:
        seen = [n for n in option.items if n not in view.hidden_items]
        if str(option) not in view.hidden_options and seen:
            colours = {n: c for n, c in option.colours.items() if n in seen}
            options.append(Option(seen, str(option), colours))
    secondary = [n for n in view.secondary if n not in view.hidden_items]
    bounds = {n: b for n, b in view.bounds.items() if n in primary}
    return Problem(primary, options, secondary, bounds)


@pytest.mark.parametrize("name", ["mutable", "MutableProblem"])
def test_a_former_name_says_what_replaced_it(name):
    with pytest.raises(ImportError, match=r"Problem\.hide"):
        getattr(dragon.cover, name)
