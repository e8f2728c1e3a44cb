"""The ViTs have the published numbers of parameters."""

import pytest
from model_configs import build_shapes, size


@pytest.mark.parametrize(
    'name,count',
    [
        ('vit-b16', 86_540_008),
        ('scratch_100e/vit-b16_drloc', 86_540_008 + 1_050_626),
        ('deit-tiny', 5_717_416),
    ],
)
def test_number_of_parameters(name, count):
    assert size(build_shapes(name).parameters()) == count
