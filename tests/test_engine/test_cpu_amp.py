"""bfloat16 in the forward pass, float32 in the weights."""

import pytest
import torch
from mmengine.registry import OPTIM_WRAPPERS

from mmdrloc.engine import optimizers


def test_forward_in_bfloat16_and_update_in_float32():
    model = torch.nn.Linear(2, 2)
    before = model.weight.detach().clone()
    wrapper = OPTIM_WRAPPERS.build(
        dict(
            type='mmdrloc.CPUAmpOptimWrapper',
            optimizer=torch.optim.SGD(model.parameters(), lr=0.1),
            clip_grad=dict(max_norm=1.0),
        )
    )
    with wrapper.optim_context(model):
        output = model(torch.ones(1, 2))
    assert output.dtype == torch.bfloat16
    wrapper.update_params(output.float().sum())
    assert model.weight.dtype == torch.float32
    assert not model.weight.equal(before)


@pytest.mark.parametrize(
    'flags,expected',
    [
        ('fpu avx512_bf16 amx_int8', True),
        ('amx_bf16', True),
        ('fpu avx512f bf16x', False),
    ],
)
def test_flags_of_the_processor(tmp_path, monkeypatch, flags, expected):
    monkeypatch.setattr(optimizers, 'CPU_INFO', tmp_path / 'cpuinfo')
    assert not optimizers.cpu_has_bfloat16()
    (tmp_path / 'cpuinfo').write_text(f'flags\t: {flags}\n')
    assert optimizers.cpu_has_bfloat16() is expected
