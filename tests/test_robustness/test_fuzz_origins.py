"""Tensors of any name, shape and kind, through every origin."""

import math
import re

import pytest
import torch
from fuzzing import DEPTHS, TEXTS, fuzz
from hypothesis import strategies as st
from mmengine.utils import digit_version

from mmdrloc.checkpoints.convert import convert
from mmdrloc.checkpoints.origins import ORIGINS, Origin
from mmdrloc.utils.errors import UsageError

SHAPES = ((8,), (8, 8), (1, 8, 1, 1), (1, 9, 4), (8, 3, 2, 2), (8, 12))
KINDS = [
    torch.int64,
    torch.bool,
    torch.float16,
    torch.bfloat16,
    torch.complex64,
]
if digit_version(torch.__version__) >= digit_version('2.3'):
    # Earlier ones have it and cannot save it.
    KINDS.append(torch.float8_e4m3fn)


def example(origin: Origin) -> dict:
    """A tensor for each template, of a shape that comes back as it went."""
    templates = [*origin.marks, *(rule.theirs for rule in origin.rules)]
    weights = {}
    for template in templates:
        name = re.sub(r'\{rest\}', 'x.0.weight', template)
        name = re.sub(r'\{[tx]\}', 'weight', name)
        name = re.sub(r'\{\w+\}', '0', name)
        fitting = [shape for shape in SHAPES if fits(origin, name, shape)]
        if fitting:
            size = math.prod(fitting[0])
            weights[name] = torch.arange(float(size)).view(fitting[0])
    return weights


def fits(origin, name, shape):
    tensor = torch.zeros(shape)
    try:
        ours = origin.to_ours({name: tensor})
        theirs = origin.to_theirs(ours.weights).weights
    except UsageError:
        return False
    return name in theirs and theirs[name].shape == shape


EXAMPLES = {name: example(origin) for name, origin in ORIGINS.items()}
NAMES = sorted({name for weights in EXAMPLES.values() for name in weights})


@pytest.mark.parametrize('name', [n for n in ORIGINS if ORIGINS[n].rules])
def test_the_examples_are_good(name):
    weights, origin = EXAMPLES[name], ORIGINS[name]
    assert origin.recognises(weights)
    back = origin.to_theirs(origin.to_ours(weights).weights).weights
    assert back.keys() == weights.keys()
    assert all(back[key].equal(weights[key]) for key in weights)


@st.composite
def changed(draw):
    """The name of an origin, and weights that are not quite of it."""
    origin = draw(st.sampled_from(sorted(ORIGINS)))
    weights = dict(EXAMPLES[origin])
    for _ in range(draw(st.integers(1, 4))):
        if not weights:
            break
        name = draw(st.sampled_from(sorted(weights)))
        how = draw(st.sampled_from(['drop', 'name', 'shape', 'kind', 'add']))
        if how == 'drop':
            del weights[name]
        elif how == 'name':
            weights[draw(other_names(name))] = weights.pop(name)
        elif how == 'shape':
            shape = draw(st.lists(st.integers(0, 5), max_size=5))
            weights[name] = torch.zeros(shape)
        elif how == 'kind':
            kind = draw(st.sampled_from(KINDS))
            weights[name] = weights[name].to(kind)
        else:
            weights[draw(other_names(name))] = weights[name].clone()
    if draw(st.booleans()):
        names = sorted(weights)
        weights = {n: weights[n] for n in names if draw(st.booleans())}
    return draw(st.sampled_from([origin, None])), weights


def other_names(name):
    return st.one_of(
        TEXTS,
        st.sampled_from(NAMES),
        st.sampled_from(
            [
                f'module.{name}',
                f'backbone.{name}',
                f'{name}.',
                f'{name}\n',
                name.upper(),
                name.replace('0', '1'),
                name.replace('weight', 'bias'),
            ]
        ),
    )


@DEPTHS
def test_tensors_that_are_not_quite_of_an_origin(depth, tmp_path):
    converted, refused = [], []

    def check(case):
        _, weights = case
        torch.save(weights, tmp_path / 'a.pth')
        try:
            name = convert(tmp_path / 'a.pth')[0]['meta']['origin']
            back, left = convert(tmp_path / 'a.pth', to=name)
            theirs = back['state_dict']
        except UsageError as error:
            assert str(error).strip()
            refused.append(1)
        else:
            # Nothing was lost on the way, or took the place of another.
            wrapped = all(name.startswith('module.') for name in weights)
            prefix = 'module.' if wrapped else ''
            given = {n.removeprefix(prefix): t for n, t in weights.items()}
            assert not set(given) - set(theirs) - set(left.dropped)
            assert all(theirs[key].equal(given[key]) for key in theirs)
            converted.append(1)

    fuzz(check, depth, 200, changed())
    assert len(converted) > 20 and len(refused) > 20
