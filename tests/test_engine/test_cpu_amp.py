"""bfloat16 in the forward pass, float32 in the weights."""

import torch
from mmengine.registry import OPTIM_WRAPPERS


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
