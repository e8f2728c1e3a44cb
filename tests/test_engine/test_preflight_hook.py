"""What is about to be computed is said before it is."""

import re

import pytest
from tiny_run import build_runner, write_config

ADAM = dict(optimizer=dict(type='AdamW', lr=0.1, weight_decay=0.1))


@pytest.fixture
def log_of(tmp_path):
    """What a training of one epoch writes into its log file."""
    config = write_config(tmp_path)

    def train(**options):
        runner = build_runner(
            config,
            custom_hooks=[dict(type='mmdrloc.PreflightHook')],
            train_cfg__max_epochs=1,
            **options,
        )
        runner.train()
        assert runner.iter == 3
        (log,) = (tmp_path / 'work').glob('*/*.log')
        return log.read_text().partition('Global batch')[2]

    return train


def test_warns_of_another_reference_batch(log_of):
    log = log_of(auto_scale_lr=dict(base_batch_size=8))
    assert re.search('WARNING.*8.*4.*auto_scale_lr.enable=True', log)


def test_updates_are_no_iterations(log_of):
    """And of their batch there is no warning."""
    counts = dict(optim_wrapper__accumulative_counts=2)
    log = log_of(auto_scale_lr=dict(base_batch_size=8), **counts)
    assert 'size: 8 images' in log and '2 updates an epoch, 2 in all' in log
    assert 'auto_scale_lr' not in log


@pytest.mark.parametrize('asked', [[], ['train_cfg.max_iters=3']])
def test_iterations_that_make_fewer_updates(log_of, asked):
    """Unless a length was asked for."""
    log = log_of(
        train_cfg=dict(_delete_=True, by_epoch=False, max_iters=3),
        optim_wrapper__accumulative_counts=2,
        run=dict(length=asked),
    )
    assert ('3 iterations are 2 updates. With --iters 6' in log) == (not asked)


def test_the_rate_before_the_schedule_and_after_the_scaling(log_of):
    """MMEngine keeps the rate of the config beside those of parameters."""
    log = log_of(
        optim_wrapper=dict(ADAM, paramwise_cfg=dict(norm_decay_mult=0.0)),
        auto_scale_lr=dict(base_batch_size=8, enable=True),
        param_scheduler=dict(
            type='LinearLR', start_factor=0.01, by_epoch=False, end=2
        ),
    )
    assert 'learning rate 0.05;' in log
    assert 'is meant for a global batch' not in log


@pytest.mark.parametrize(
    'by_epoch,end,words',
    [
        (False, 3, ''),
        (False, 4, 'ends at 4, the training at 3:'),
        (True, 2, 'ends at 2, the training at 1:'),
    ],
)
def test_a_warm_up_that_is_longer_than_the_training(
    log_of, by_epoch, end, words
):
    warm_up = dict(type='LinearLR', start_factor=0.01, by_epoch=by_epoch)
    log = log_of(param_scheduler=dict(warm_up, end=end))
    said = re.search('WARNING.*warm-up (.*) the learning rate never', log)
    assert (said[1] if said else '') == words


def test_rates_of_parts_are_a_range(log_of):
    """What learns faster than the config's rate does not pass for it."""
    faster = dict(custom_keys=dict(backbone=dict(lr_mult=10)))
    log = log_of(optim_wrapper=dict(ADAM, paramwise_cfg=faster))
    assert 'learning rate 0.1 to 1;' in log
