import pytest
import torch
from mmengine.optim import OptimWrapper
from mmengine.registry import PARAM_SCHEDULERS
from timm.scheduler import CosineLRScheduler

# As in official_101e.py.
OFFICIAL = dict(warmup=20, total=300, start_factor=1e-3, end_factor=1e-2)
EPOCH_LENGTH = 7


def optimizer(lr):
    return torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=lr)


def scheduler(wrapper, **changes):
    options = dict(OFFICIAL, end=101, convert_to_iter_based=True)
    options.update(changes)
    return PARAM_SCHEDULERS.build(
        dict(type='mmdrloc.WarmupOverCosineLR', **options),
        default_args=dict(optimizer=wrapper, epoch_length=EPOCH_LENGTH),
    )


def test_it_is_what_timm_computes():
    ours = OptimWrapper(optimizer(1e-3))
    theirs = optimizer(1e-3)
    schedule = scheduler(ours)
    reference = CosineLRScheduler(
        theirs,
        t_initial=300 * EPOCH_LENGTH,
        lr_min=1e-5,
        warmup_lr_init=1e-6,
        warmup_t=20 * EPOCH_LENGTH,
        t_in_epochs=False,
    )
    for step in range(101 * EPOCH_LENGTH):
        reference.step_update(step)
        assert ours.get_lr()['lr'] == pytest.approx(
            [theirs.param_groups[0]['lr']], rel=1e-9
        )
        ours.step()
        schedule.step()


def test_what_begins_later_is_converted_too():
    schedule = scheduler(OptimWrapper(optimizer(1.0)), begin=2)
    found = schedule.begin, schedule.end
    assert found == (2 * EPOCH_LENGTH, 101 * EPOCH_LENGTH)


def test_it_counts_epochs_unless_converted():
    wrapper = OptimWrapper(optimizer(1.0))
    schedule = scheduler(wrapper, convert_to_iter_based=False, total=40)
    rates = []
    for _ in range(50):
        rates += wrapper.get_lr()['lr']
        wrapper.step()
        schedule.step()
    assert rates[0] == pytest.approx(1e-3)
    assert rates[10] == pytest.approx(0.5, abs=1e-3)
    assert rates[20] == pytest.approx(0.01 + 0.99 / 2)
    assert rates[40] == rates[49] == pytest.approx(0.01)  # after its end
