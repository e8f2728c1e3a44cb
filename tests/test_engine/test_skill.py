"""The skill in the record of a run, and the word at its end."""

import json
from types import SimpleNamespace

import numpy as np
import pytest
from mmengine.logging import HistoryBuffer
from tiny_run import build_runner, write_config

from mmdrloc.engine.skill import WINDOW, recent_skill, warn_if_low

HEAD = dict(
    type='mmdrloc.DRLocHead',
    source='stages.1',
    in_channels=16,
    hidden_channels=12,
)


def runner_with(skills):
    warnings = []
    scalars = {}
    if skills is not None:
        scalars['train/drloc_skill'] = HistoryBuffer(skills, [1] * len(skills))
    return SimpleNamespace(
        message_hub=SimpleNamespace(log_scalars=scalars),
        logger=SimpleNamespace(warning=warnings.append),
        warnings=warnings,
    )


def test_recent_skill_is_of_the_last_updates():
    assert recent_skill(runner_with(None)) is None
    assert recent_skill(runner_with([0.1, float('nan'), 0.3])) == 0.2
    skills = [5.0] * 10 + [0.5] * WINDOW
    assert recent_skill(runner_with(skills)) == pytest.approx(0.5)


def test_groups_of_crops_count_alike():
    runner = runner_with([0.2, 0.4])
    scalars = runner.message_hub.log_scalars
    scalars['train/drloc_skill_0'] = scalars.pop('train/drloc_skill')
    scalars['train/drloc_skill_1'] = HistoryBuffer([0.6, 0.8], [1, 1])
    scalars['train/drloc_raw_0'] = HistoryBuffer([9.0, 9.0], [1, 1])
    assert recent_skill(runner) == pytest.approx(0.5)


@pytest.mark.parametrize(
    'skills,warned',
    [
        (None, False),
        ([-0.5], True),
        ([0.05] * 300, True),
        # A single batch says little.
        ([0.0] * 150 + [0.9] + [0.0] * 150, True),
        # It was answered for a while.
        ([0.0] * 150 + [0.5] * 150 + [0.0] * 150, False),
        (list(np.linspace(0, 0.5, 300)), False),
    ],
)
def test_warning(skills, warned):
    runner = runner_with(skills)
    warn_if_low(runner)
    assert len(runner.warnings) == warned
    for text in runner.warnings:
        assert 'drloc_skill never passed' in text and 'docs/loss.md' in text


def test_in_the_record_of_a_training_and_after_a_resume(tmp_path, capsys):
    config = write_config(tmp_path)
    options = dict(
        model__type='mmdrloc.DRLocClassifier',
        model__auxiliary_head=HEAD,
        custom_hooks=[dict(type='mmdrloc.ResultHook')],
    )
    for epochs, resume in [(2, False), (3, True)]:
        runner = build_runner(
            config, train_cfg__max_epochs=epochs, resume=resume, **options
        )
        runner.train()
        history = runner.message_hub.get_scalar('train/drloc_skill').data[0]
        assert len(history) == 3 * epochs
        result = json.loads((tmp_path / 'work/result.json').read_text())
        assert result['drloc_skill'] == pytest.approx(history.mean())
        assert [v['drloc_skill'] for v in result['validations']] == [
            pytest.approx(history[: 3 * epoch].mean())
            for epoch in range(1, epochs + 1)
        ]
        assert 'drloc_skill' not in result['last']
    # Nine updates teach nothing.
    log = ''.join(capsys.readouterr())
    assert log.count('can hardly have mattered') == 2
