import pytest
from mmengine.config import Config
from mmengine.hooks import Hook
from toy_run import toy_runner

from mmdrloc.engine.length import scale_schedule
from mmdrloc.utils.errors import UsageError

WARMUP = dict(
    type='LinearLR', start_factor=0.01, end=20, convert_to_iter_based=True
)
COSINE = dict(type='CosineAnnealingLR', begin=20)


def in_epochs(**changes):
    settings = dict(
        train_cfg=dict(by_epoch=True, max_epochs=100, val_interval=10),
        train_dataloader=dict(batch_size=8),
        param_scheduler=[dict(WARMUP), dict(COSINE)],
    )
    return Config(dict(settings, **changes))


def in_iterations(**changes):
    settings = dict(
        train_cfg=dict(
            type='IterBasedTrainLoop', max_iters=1000, val_interval=250
        ),
        train_dataloader=dict(
            batch_size=8, sampler=dict(type='InfiniteSampler')
        ),
        param_scheduler=[
            dict(type='LinearLR', by_epoch=False, end=200),
            dict(type='PolyLR', by_epoch=False, begin=200, end=1000),
        ],
        default_hooks=dict(
            checkpoint=dict(
                type='CheckpointHook', by_epoch=False, interval=250
            )
        ),
    )
    return Config(dict(settings, **changes))


def places(cfg):
    return [(s.get('begin', 0), s.get('end')) for s in cfg.param_scheduler]


class Note(Hook):
    """Notes the rate of each iteration."""

    def __init__(self):
        self.rates = []

    def before_train_iter(self, runner, **kwargs):
        self.rates.append(runner.optim_wrapper.get_lr()['lr'][0])


def rates_of(schedule, folder, epochs):
    note = Note()
    toy_runner(folder, epochs, hooks=[note], schedule=schedule).train()
    return note.rates


@pytest.mark.parametrize('epochs, warmup', [(50, 10), (300, 60), (2, 0.4)])
def test_epochs(epochs, warmup):
    cfg = in_epochs()
    scale_schedule(cfg, epochs=epochs)
    assert cfg.train_cfg.max_epochs == epochs
    assert places(cfg) == [(0, warmup), (warmup, None)]
    # MMEngine takes a fraction of an epoch in iterations alone.
    assert cfg.param_scheduler[1].get('convert_to_iter_based') is (
        True if epochs == 2 else None
    )
    assert cfg.train_cfg.val_interval == {50: 5, 300: 10, 2: 1}[epochs]


def test_every_kind_of_schedule():
    cfg = in_epochs(
        param_scheduler=[
            dict(type='mmdrloc.WarmupOverCosineLR', warmup=20, total=100),
            dict(type='StepLR', step_size=30),
            dict(type='MultiStepLR', milestones=[60, 90]),
            dict(type='CosineRestartLR', periods=[40, 60]),
            dict(type='OneCycleLR', total_steps=100),
        ]
    )
    scale_schedule(cfg, epochs=50)
    warm, step, several, restart, cycle = cfg.param_scheduler
    assert (warm.warmup, warm.total) == (10, 50)
    assert (step.step_size, several.milestones) == (15, [30, 45])
    assert (restart.periods, cycle.total_steps) == ([20, 30], 50)


@pytest.mark.parametrize('kind', [list, tuple])
def test_a_warmup_of_one_step_would_keep_the_rate_at_its_start(tmp_path, kind):
    """Whatever the batch is in the end, of 2 iterations an epoch here."""
    for warmup, expected in ((1.0, [1e-5, 0.01]), (0.5, [0.01, 0.01])):
        schedule = [
            dict(
                type='LinearLR',
                start_factor=1e-3,
                end=warmup,
                convert_to_iter_based=True,
            ),
            dict(
                type='CosineAnnealingLR',
                begin=warmup,
                convert_to_iter_based=True,
            ),
        ]
        rates = rates_of(kind(schedule), tmp_path, epochs=4)
        assert rates[:2] == pytest.approx(expected, rel=0.06)
        assert max(rates) == pytest.approx(0.01)
        assert rates[-1] < 0.002


def test_iterations():
    cfg = in_iterations()
    scale_schedule(cfg, iters=100)
    assert cfg.train_cfg == dict(
        type='IterBasedTrainLoop', max_iters=100, val_interval=25
    )
    assert places(cfg) == [(0, 20), (20, 100)]
    assert cfg.default_hooks.checkpoint.interval == 25


@pytest.mark.parametrize('iters, expected', [(2000, 1000), (500, 500)])
def test_validations_that_change_their_interval(iters, expected):
    loop = dict(max_iters=1000, val_interval=250)
    loop['dynamic_intervals'] = [(902, 1000)]
    cfg = in_iterations(train_cfg=loop)
    scale_schedule(cfg, iters=iters)
    begin = 902 * iters // 1000
    assert cfg.train_cfg.dynamic_intervals == [(begin, expected)]
    assert cfg.train_cfg.val_interval == expected // 4


def test_a_detector_warms_up_in_iterations():
    steps = dict(type='MultiStepLR', end=12, milestones=[8, 11])
    warmup = dict(type='LinearLR', by_epoch=False, end=500)
    loop = dict(by_epoch=True, max_epochs=12)
    cfg = in_epochs(param_scheduler=[warmup, steps], train_cfg=loop)
    scale_schedule(cfg, epochs=3)
    assert places(cfg) == [(0, 125), (0, 3)]
    steps = cfg.param_scheduler[1]
    assert steps.milestones == [2, 2.75] and steps.convert_to_iter_based


def test_steps_within_an_epoch(tmp_path):
    """Of 2 iterations an epoch; MMEngine would never come to some of them."""

    def falls(schedule):
        rates = rates_of(schedule, tmp_path, epochs=3)
        return [b / a for a, b in zip(rates, rates[1:])]

    steps = dict(type='MultiStepLR', end=12, milestones=[8, 11])
    loop = dict(by_epoch=True, max_epochs=12)
    cfg = in_epochs(param_scheduler=[steps], train_cfg=loop)
    scale_schedule(cfg, epochs=3)
    schedule = [one.to_dict() for one in cfg.param_scheduler]
    assert falls(schedule) == pytest.approx([1, 1, 1, 0.1, 1])
    # 5.5 of 6 iterations are 6: the second one would come at the end.
    schedule[0]['milestones'] = [1.5, 2.5]
    assert falls(schedule) == pytest.approx([1, 1, 0.1, 1, 0.1])
    # A schedule alone, not in a list.
    schedule[0]['milestones'] = [1.4, 2.5]
    assert falls(schedule[0]) == pytest.approx([1, 1, 0.1, 1, 0.1])


def test_a_warmup_of_a_part_of_an_epoch():
    warm = dict(type='mmdrloc.WarmupOverCosineLR', warmup=20, total=100)
    cfg = in_epochs(param_scheduler=[warm])
    scale_schedule(cfg, epochs=2)
    [warm] = cfg.param_scheduler
    assert (warm.warmup, warm.total) == (0.4, 2)
    assert warm.convert_to_iter_based


def test_hooks_are_scaled():
    """Not those that never act."""
    hook = dict(type='mmdrloc.DRLocWeightHook', total_epochs=300)
    never = dict(checkpoint=dict(interval=-1))
    cfg = in_epochs(custom_hooks=[hook], default_hooks=never)
    scale_schedule(cfg, epochs=50)
    assert cfg.custom_hooks[0].total_epochs == 150
    assert cfg.custom_hooks[0].warmup_epochs == 10
    assert cfg.default_hooks.checkpoint.interval == -1
    cfg = in_epochs(custom_hooks=[dict(type='Any', num_last_epochs=300)])
    scale_schedule(cfg, epochs=50)
    assert cfg.custom_hooks[0].num_last_epochs == 150


@pytest.mark.parametrize(
    'length',
    [dict(), dict(epochs=0), dict(epochs=1, iters=1), dict(iters=9)],
)
def test_what_is_no_length(length):
    with pytest.raises(UsageError):
        scale_schedule(in_epochs(), **length)


@pytest.mark.parametrize('epochs, ratio', [(10, 0.1), (300, 1)])
def test_what_begins_late_still_begins_and_is_no_rarer(epochs, ratio):
    """Validations and checkpoints."""
    loop = dict(by_epoch=True, max_epochs=100, val_begin=80)
    saving = dict(type='CheckpointHook', interval=10, save_begin=50)
    cfg = in_epochs(train_cfg=loop, default_hooks=dict(checkpoint=saving))
    scale_schedule(cfg, epochs=epochs)
    assert cfg.train_cfg.val_begin == 80 * ratio
    found = cfg.default_hooks.checkpoint
    assert (found.interval, found.save_begin) == (10 * ratio, 50 * ratio)


def test_a_cosine_whose_length_is_a_fraction_falls_by_epochs():
    cosine = dict(type='CosineAnnealingLR', T_max=95)
    cfg = in_epochs(param_scheduler=[cosine])
    scale_schedule(cfg, epochs=10)
    assert cfg.param_scheduler == [dict(cosine, T_max=9.5)]
