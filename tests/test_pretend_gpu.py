"""The GPU that is not there: what it finds, and what it leaves alone."""

import pytest
import torch
from pretend_gpu import Misplaced, Waits, pretend_gpu

WAITING = dict(
    item=lambda t: t.sum().item(),
    float=lambda t: float(t.sum()),
    bool=lambda t: bool(t.sum() > 0),
    cpu=lambda t: t.cpu(),
    to_host=lambda t: t.to('cpu', non_blocking=True),
    onto_host=lambda t: torch.zeros(3, 2).copy_(t),
    nonzero=lambda t: t.nonzero(),
    unique=lambda t: t.unique(),
    masked_select=lambda t: t.masked_select(t > 0),
    mask=lambda t: t[t > 0],
    filled_by_mask=lambda t: t.index_put_((t > 0,), t.flatten()),
    repeat=lambda t: t.repeat_interleave(t[:, 0].long(), dim=0),
    equal=lambda t: torch.equal(t, t),
    from_host=lambda t: torch.zeros(3).to('cuda'),
    from_list=lambda t: torch.tensor([1, 2], device=t.device),
)


@pytest.mark.parametrize('name', WAITING)
def test_a_wait_is_found(name):
    with pretend_gpu():
        tensor = torch.ones(3, 2, device='cuda')
        with pytest.raises(Waits):
            WAITING[name](tensor)


MISPLACED = dict(
    sum=lambda t: t + torch.ones(3, 2),
    index=lambda t: t[torch.tensor([0, 1])],
    one_index=lambda t: t.index_select(0, torch.tensor(1)),
    generator=lambda t: torch.rand(
        2, device='cuda', generator=torch.Generator()
    ),
    dropped=lambda t: t.bernoulli_(0.5, generator=torch.Generator()),
)


@pytest.mark.parametrize('name', MISPLACED)
def test_what_is_on_the_host_is_found(name):
    with pretend_gpu():
        tensor = torch.ones(3, 2, device='cuda')
        with pytest.raises(Misplaced):
            MISPLACED[name](tensor)


def test_what_does_not_wait_is_left_alone():
    with pretend_gpu() as gpu:
        tensor = torch.ones(3, 2, device='cuda')
        assert tensor.is_cuda and tensor.device.type == 'cuda'
        tensor = tensor * torch.tensor(2.0) + 1
        tensor[tensor > 2] = 0
        tensor = tensor[torch.arange(2, device=tensor.device)]
        host = torch.ones(2, 2)
        tensor += host.to(tensor.device, non_blocking=True)
        generator = torch.Generator(tensor.device).manual_seed(1)
        torch.rand(2, device=tensor.device, generator=generator)
        assert host[host > 0].sum().item() == 4
    assert not gpu.met
    assert torch.Generator is not type(generator)
