"""What the torch of the original OpenMMLab line lacks, and autocast."""

import pytest
import torch

IS_OLD = torch.__version__.startswith('2.1.')

no_compile = pytest.mark.skipif(
    IS_OLD, reason="torch 2.1 cannot trace MMEngine's wrappers"
)
no_half_on_cpu = pytest.mark.skipif(
    IS_OLD, reason='torch 2.1 has no autocast to float16 on processors'
)
#: Of autocast on the CPU.
MIXED = [torch.bfloat16, pytest.param(torch.float16, marks=no_half_on_cpu)]


def assert_learns(model, losses):
    """A loss gives finite gradients, of the backbone too."""
    sum(losses.values()).backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad is None or parameter.grad.isfinite().all(), name
    assert any(p.grad is not None for p in model.backbone.parameters())
