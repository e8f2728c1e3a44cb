"""Which levels are drawn, and how often an image stays as it is."""

import numpy as np
import pytest
from mmengine.registry import init_default_scope
from mmpretrain.registry import TRANSFORMS

GREY = np.full((4, 4, 3), 100, np.uint8)
# Level k makes 100 + 10 k of 100.
BRIGHTER = dict(
    type='mmpretrain.Brightness',
    magnitude_range=(0, 0.9),
    random_negative_prob=0.0,
)


@pytest.fixture(autouse=True)
def scope():
    init_default_scope('mmpretrain')
    np.random.seed(0)


def values(count, **options):
    """What becomes of grey images."""
    augment = TRANSFORMS.build(
        dict(type='mmdrloc.LevelRandAugment', **options)
    )
    return [augment(dict(img=GREY))['img'][0, 0, 0] for _ in range(count)]


def test_nine_levels_are_as_likely():
    always = dict(BRIGHTER, prob=1.0)
    found = values(4500, policies=[always], num_policies=1)
    levels, counts = np.unique(found, return_counts=True)
    assert levels == pytest.approx(range(110, 200, 10), abs=1)
    assert abs(counts - 500).max() < 90


def test_an_image_stays_as_it_is_one_time_in_four():
    found = np.array(values(2000, policies=[BRIGHTER]))
    assert (found == 100).mean() == pytest.approx(0.25, abs=0.04)
    # Two operations, each with a level of its own: 1.1 x 1.2 is 132.
    assert 132 in found
