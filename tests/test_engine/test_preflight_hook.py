"""What is about to be computed is said before it is."""

import logging
import re

import pytest
from tiny_run import build_runner, write_config


@pytest.fixture
def messages(tmp_path, monkeypatch):
    config = write_config(tmp_path)

    def collect(**options):
        runner = build_runner(
            config,
            custom_hooks=[dict(type='mmdrloc.PreflightHook')],
            **options,
        )
        lines = []
        monkeypatch.setattr(
            runner.logger,
            '_log',
            lambda level, message, args, **kwargs: lines.append(
                (level, message)
            ),
        )
        runner.train()
        return lines

    return collect


def text_of(lines, level=logging.INFO):
    return ' '.join(message for lvl, message in lines if lvl == level)


def test_warns_of_another_reference_batch(messages):
    reference = dict(base_batch_size=8)
    lines = messages(train_cfg__max_epochs=1, auto_scale_lr=reference)
    warning = text_of(lines, logging.WARNING)
    assert re.search('8.*4.*auto_scale_lr.enable=True', warning)


@pytest.mark.parametrize(
    'options',
    [
        dict(auto_scale_lr=dict(base_batch_size=4)),
        dict(auto_scale_lr=dict(base_batch_size=8, enable=True)),
        dict(
            auto_scale_lr=dict(base_batch_size=8),
            optim_wrapper__accumulative_counts=2,
        ),
    ],
)
def test_no_warning(messages, options):
    lines = messages(train_cfg__max_epochs=1, **options)
    assert 'auto_scale_lr' not in text_of(lines, logging.WARNING)


def test_learning_rate_before_the_schedule_and_after_the_scaling(messages):
    text = text_of(
        messages(
            train_cfg__max_epochs=1,
            auto_scale_lr=dict(base_batch_size=8, enable=True),
            param_scheduler=dict(
                type='LinearLR', start_factor=0.01, by_epoch=False, end=2
            ),
        )
    )
    assert 'learning rate 0.05;' in text
