"""Random input in two depths: a little in every run, much in the slow one."""

import copy
import math
from typing import Any, Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

DEPTHS = pytest.mark.parametrize(
    'depth',
    [1, pytest.param(20, marks=pytest.mark.slow)],
    ids=['shallow', 'deep'],
)

NUMBERS = st.one_of(
    st.integers(-3, 300),
    st.floats(-100, 100),
    st.sampled_from([math.nan, math.inf, -math.inf, -0.0, 2**70, 1e300]),
)
TEXTS = st.one_of(
    st.text(max_size=6),
    st.sampled_from(['', '0', 'nan', '../x', 'a\0b', '\ud800', '<b>', '{x}']),
)
#: What a file of JSON may hold in any place.
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(TEXTS, inner, max_size=3)
    ),
    max_leaves=4,
)


def fuzz(check: Callable, depth: int, examples: int, *strategies: Any) -> None:
    """Call something with random arguments."""
    settings(
        max_examples=examples * depth,
        deadline=None,
        derandomize=depth == 1,
        database=None,
        suppress_health_check=list(HealthCheck),
    )(given(*strategies)(check))()


@st.composite
def mutated(draw, content: Any, most: int = 3) -> Any:
    """A copy of JSON's values in which some are others, gone or twice."""
    content = copy.deepcopy(content)
    for _ in range(draw(st.integers(1, most))):
        places = list(walk(content))
        if not places:
            return draw(VALUES)
        holder, key = draw(st.sampled_from(places))
        change = draw(st.sampled_from(['replace', 'remove', 'repeat', 'add']))
        if change == 'remove':
            del holder[key]
        elif change == 'repeat' and isinstance(holder, list):
            holder.append(copy.deepcopy(holder[key]))
        elif change == 'add' and isinstance(holder, dict):
            holder[draw(TEXTS)] = draw(VALUES)
        else:
            holder[key] = draw(VALUES)
    return content


def walk(content: Any):
    """Each place in JSON's values: what holds it, and its key there."""
    if isinstance(content, dict):
        keys = list(content)
    elif isinstance(content, list):
        keys = list(range(len(content)))
    else:
        return
    for key in keys:
        yield content, key
        yield from walk(content[key])
