"""Steps that are not finite are left out as if they had never been."""

import json

import pytest
import torch
from mmengine.hooks import EMAHook, Hook
from several_processes import start
from spoiling import build, note_outcome, result_of, spoiled, stopped
from tiny_run import write_config

from mmdrloc.engine.hooks import NonFiniteHook
from mmdrloc.utils.errors import UsageError

RESNET = dict(
    backbone=dict(
        _delete_=True,
        type='ResNet',
        depth=18,
        stem_channels=8,
        base_channels=8,
    ),
    head__in_channels=64,
)


@pytest.fixture
def config(tmp_path):
    return write_config(tmp_path)


class TestSkipping:
    """--skip-bad-steps."""

    @pytest.mark.parametrize(
        'loss',
        [dict(type='mmdrloc.RootLoss'), dict(type='mmdrloc.InfiniteLoss')],
    )
    def test_one_too_many(self, config, loss):
        runner = build(config, skip=2, model__head__loss=dict(loss, first=2))
        message, result = stopped(runner)
        assert 'training stopped after 2 skipped steps' in message
        assert result['stopped']['iteration'] == 4
        assert result['skipped_steps'] == 3

    def test_a_skipped_step_has_never_been(self, tmp_path):
        """Weights, optimizer, statistics and average stay as they were."""
        before, after = self.states_around(tmp_path, spoiled('class1/2.png'))
        assert before['buffers']['backbone.bn1.num_batches_tracked'] == 1
        for kind, tensors in before.items():
            for name, tensor in tensors.items():
                assert after[kind][name].equal(tensor), (kind, name)

    def test_with_accumulation(self, tmp_path):
        before, after = self.states_around(
            tmp_path,
            dict(optim_wrapper__accumulative_counts=2),
            spoiled('class0/2.png'),
            first=0,
            last=2,
        )
        for kind, tensors in before.items():
            for name, tensor in tensors.items():
                assert after[kind][name].equal(tensor), (kind, name)

    def states_around(self, folder, *options, first=1, last=2):
        """What the run holds before iterations ``first`` and ``last``."""
        options = {k: v for some in options for k, v in some.items()}
        seen = {}

        class Witness(Hook):
            priority = 'LOWEST'

            def before_train_iter(self, runner, batch_idx, data_batch=None):
                seen[runner.iter] = states_of(runner)

        runner = build(
            write_config(folder),
            skip=2,
            hooks=[dict(type='EMAHook', momentum=0.1)],
            optim_wrapper__optimizer=dict(_delete_=True, type='AdamW', lr=0.1),
            train_dataloader__batch_size=4,
            **{f'model__{k}': v for k, v in RESNET.items()},
            **options,
        )
        runner.register_hook(Witness())
        runner.train()
        result = result_of(runner)
        assert result['finished'] is True and result['skipped_steps'] == 2
        return seen[first], seen[last]


def states_of(runner):
    """Copies of all that a step may change."""
    (ema,) = [h for h in runner.hooks if isinstance(h, EMAHook)]
    moments = {
        f'{index}.{name}': torch.as_tensor(value).clone()
        for index, state in runner.optim_wrapper.optimizer.state.items()
        for name, value in state.items()
    }
    return dict(
        weights={n: t.clone() for n, t in runner.model.named_parameters()},
        buffers={n: t.clone() for n, t in runner.model.named_buffers()},
        moments=moments,
        average={n: t.clone() for n, t in ema.ema_model.state_dict().items()},
    )


@pytest.mark.slow
@pytest.mark.parametrize('skip', [0, 2])
def test_of_two_processes_one_has_the_image(config, skip):
    """Both end alike, with the images of the one; both skip together."""
    options = spoiled('class1/3.png')
    pipeline = options['train_dataloader__dataset__pipeline']
    with config.open('a') as file:
        file.write(
            "custom_imports = dict(imports=['spoiling'])\n"
            f'train_dataloader["dataset"]["pipeline"] = {pipeline}\n'
            'train_dataloader["sampler"]["shuffle"] = False\n'
            'default_hooks["non_finite"] = dict(\n'
            f'    type="mmdrloc.NonFiniteHook", skip={skip})\n'
        )
    work_dir = config.parent / 'two'
    start(note_outcome, config, 2, 2, work_dir)
    said = [(work_dir / f'outcome_{n}.txt').read_text() for n in (0, 1)]
    result = json.loads((work_dir / 'result.json').read_text())
    assert said[0] == said[1]
    if skip:
        assert said[0] == 'finished' and result['skipped_steps'] == 2
        return
    assert result['stopped']['components'] == ['loss_cls', 'loss_drloc']
    images = [image[-12:] for image in result['stopped']['images']]
    assert images == ['class1/1.png', 'class1/3.png']
    assert 'iteration 2 of 6' in said[0] and 'class1/1.png' in said[0]


def test_less_than_no_steps(config):
    with pytest.raises(UsageError, match='below 0'):
        NonFiniteHook(skip=-1)
