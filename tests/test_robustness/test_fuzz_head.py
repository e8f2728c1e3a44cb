"""A DRLoc head is built and gives a finite loss, or says why not."""

import torch
from fuzzing import DEPTHS, VALUES, fuzz
from hypothesis import strategies as st

from mmdrloc.registry import MODELS
from mmdrloc.utils.errors import UsageError

COUNTS = st.integers(1, 9)
SIZE = (3, 5)
#: What may be; one argument at most is anything else.
GOOD = dict(
    source=st.sampled_from(['stages.1', ['stages.1'], ['a', 'b'], []]),
    in_channels=st.sampled_from([4, [4], [4, 5]]),
    grid_size=st.sampled_from([None, SIZE, [SIZE], [SIZE, SIZE]]),
    num_pairs=COUNTS,
    hidden_channels=COUNTS,
    pool=st.sampled_from([None, 'avg2x2', 'avg3x3s2']),
    convention=st.sampled_from(['paper', 'official']),
)
LOSS = dict(
    type=st.sampled_from(
        [
            'mmdrloc.DRLocL1Loss',
            'mmdrloc.DRLocCrossEntropyLoss',
            'mmdrloc.DRLocGaussianLoss',
            'mmpretrain.CrossEntropyLoss',
            'mmdrloc.DRLocL1Los',
            'DRLocL1Loss',
        ]
    ),
    signed=st.booleans(),
    normalize=st.sampled_from(['k', 'k-1', 'none']),
    loss_weight=st.floats(-1, 1e6),
    alpha=st.floats(-1, 1),
)


@st.composite
def configs(draw):
    wrong = draw(st.sampled_from([*GOOD, *LOSS, 'loss', 'none of them']))

    def some(parts):
        return {
            name: draw(VALUES if name == wrong else good)
            for name, good in parts.items()
            if name in ('source', 'in_channels', 'type') or draw(st.booleans())
        }

    loss = draw(VALUES) if wrong == 'loss' else some(LOSS)
    head = some(GOOD)
    if draw(st.booleans()):
        head['loss'] = loss
    return dict(head, type='mmdrloc.DRLocHead')


@DEPTHS
def test_configs_of_the_head(depth):
    built, refused = [], []

    def check(config):
        try:
            head = MODELS.build(config)
            scale = 1 if head.pool is None else 2
            grids = [
                torch.randn(2, channels, *(scale * n for n in SIZE))
                for channels in head.in_channels
            ]
            losses = head.loss(grids)
        except UsageError as error:
            assert str(error).strip()
            refused.append(1)
        else:
            assert all(value.isfinite() for value in losses.values())
            built.append(1)

    fuzz(check, depth, 150, configs())
    assert len(built) > 20 and len(refused) > 20
