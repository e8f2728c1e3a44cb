"""result.json: complete at every moment, continued by a resumed run."""

import json
import shutil
import time

import numpy as np
import pytest
from mmengine.config import Config
from mmengine.evaluator import BaseMetric, Evaluator
from mmengine.hooks import Hook
from mmpretrain.datasets import CustomDataset
from mmpretrain.registry import DATASETS
from tiny_run import build_runner, write_config
from torch.utils.data import Dataset

from mmdrloc import apis
from mmdrloc.datasets.recipes import read_recipe, write_resolved
from mmdrloc.engine.hooks import result_hook
from mmdrloc.engine.run_folder.record import settings_of

HOOKS = [dict(type='mmdrloc.ResultHook')]


class Scripted(BaseMetric):
    """Reports values set beforehand, one a validation."""

    def __init__(self, values):
        super().__init__(prefix='test')
        self.values = iter(values)

    def process(self, data_batch, data_samples):
        self.results.append(0)

    def compute_metrics(self, results):
        ap = next(self.values)
        return dict(ap=ap, loss=ap, text='0.1 0.2', nan=float('nan'))


def train(config, values, **options):
    runner = build_runner(config, custom_hooks=HOOKS, **options)
    runner._val_evaluator = Evaluator(Scripted(values))
    runner.train()
    return read(config)


def read(config):
    return json.loads((config.parent / 'work/result.json').read_text())


@pytest.fixture
def config(tmp_path):
    return write_config(tmp_path)


def test_epochs(config):
    result = train(config, [1.0, 3.0, 2.0], train_cfg__max_epochs=3)
    assert result['finished'] is True
    assert result['config'] == dict(name='tiny', path=str(config))
    assert result['seed'] == 0
    assert result['dataset'] == dict(
        name='CustomDataset', train_images=12, val_images=12, classes=3
    )
    assert result['updates'] == dict(done=9, planned=9)
    assert result['global_batch'] == 4
    assert result['last']['test/ap'] == dict(value=2.0, epoch=3, iter=9)
    assert result['best']['test/ap'] == dict(value=3.0, epoch=2, iter=6)
    # Of a loss the lowest value is the best.
    assert result['best']['test/loss'] == dict(value=1.0, epoch=1, iter=3)
    assert result['images_per_s'] > 0 and result['wall_time_s'] > 0
    assert result['versions']['mmdrloc'] and result['versions']['torch']


def test_wrapped_data_are_called_as_what_they_wrap(config):
    inner = Config.fromfile(config).train_dataloader.dataset
    wrapped = dict(_delete_=True, type='RepeatDataset', times=2, dataset=inner)
    result = train(config, [1.0, 2.0], train_dataloader__dataset=wrapped)
    assert result['dataset']['name'] == 'CustomDataset'
    assert result['dataset']['train_images'] == 24


def test_what_a_run_is(config, tmp_path):
    said = dict(
        recipe='a/net',
        dataset='noise',
        weights=None,
        baseline=None,
        options=[],
    )
    first = train(config, [1.0, 2.0], run=said)
    same = dict(said, settings=first['run']['settings'])
    assert first['run'] == same
    # What starts from its checkpoint knows the run that wrote it.
    weights = dict(
        file=str(tmp_path / 'work/epoch_2.pth'),
        origin='mmpretrain',
        sha256='0',
    )
    second = train(
        config,
        [1.0, 2.0],
        run=dict(said, recipe='a/twin', baseline='a/net', weights=weights),
    )
    assert second['run']['weights'] == dict(weights, run=same)
    assert second['run']['baseline'] == 'a/net'


def test_seeds_with_weights_of_their_own_are_one_training(config, tmp_path):
    said = dict(recipe='a/net', dataset='digits', options=[])
    said.update(baseline=None, weights=None)
    train(config, [1.0, 2.0], run=said)
    settings = []
    for name, copies in (('known', 2), ('unknown', 1)):
        for number in range(copies):
            folder = tmp_path / f'{name}_{number}'
            folder.mkdir()
            if name == 'known':
                shutil.copy(tmp_path / 'work/result.json', folder)
            file = str(folder / 'epoch_2.pth')
            weights = dict(file=file, origin='openmmlab', sha256='0')
            shutil.copy(tmp_path / 'work/epoch_2.pth', file)
            start = dict(type='Pretrained', checkpoint=file)
            start['prefix'] = 'backbone.'
            result = train(
                config,
                [1.0, 2.0],
                run=dict(said, weights=weights),
                model__backbone__init_cfg=start,
            )
            settings.append(result['run']['settings'])
    first, second, unknown = settings
    assert first == second != unknown


@pytest.mark.parametrize(
    'change,is_same',
    [
        (dict(randomness__seed=1), True),
        (dict(optim_wrapper__accumulative_counts=2), True),
        (dict(optim_wrapper__optimizer__lr=0.2), False),
        (dict(model__backbone__depth=1), False),
        (dict(train_dataloader__dataset__pipeline=[]), False),
        (dict(run__images=[12, 12, 'abcd']), False),
        (dict(train_dataloader__dataset__data_root='elsewhere'), True),
    ],
    ids=str,
)
def test_settings_tell_configs_of_one_name_apart(config, change, is_same):
    cfg = Config.fromfile(config)
    then = settings_of(cfg)
    cfg.merge_from_dict({k.replace('__', '.'): v for k, v in change.items()})
    assert (settings_of(cfg) == then) is is_same
    # A comparison writes configs, whose keys are in another order.
    written = Config.fromstring(cfg.pretty_text, '.py')
    assert settings_of(written) == settings_of(cfg)


def test_a_run_that_goes_on_elsewhere_says_so(config, monkeypatch):
    for name, then, now in (
        ('git_revision', 'old', 'new'),
        ('machine', 'abacus', 'abacus'),
    ):
        values = iter([then, now, now])
        monkeypatch.setattr(result_hook, name, lambda v=values: next(v))
    train(config, [1.0, 2.0])
    again = train(config, [3.0], train_cfg__max_epochs=3, resume=True)
    assert again['git_revision'] == 'old, then new'
    assert again['machine'] == 'abacus'
    again = train(config, [4.0], train_cfg__max_epochs=4, resume=True)
    assert again['git_revision'] == 'old, then new'


def test_reference_is_what_the_file_says(config):
    with config.open('a') as file:
        # As configs/_base_/datasets do.
        file.write('num_train = 50000\nnum_val = 10000\n')
        file.write('auto_scale_lr = dict(base_batch_size=8)\n')
    result = train(config, [1.0], train_cfg__max_epochs=1)
    assert result['length'] == dict(epochs=1)
    assert result['reference'] == dict(
        epochs=2, global_batch=8, train_images=50_000, val_images=10_000
    )
    # Detectors leave images without objects out.
    result = train(
        config,
        [1.0],
        train_cfg__max_epochs=1,
        train_dataloader__dataset__filter_cfg={},
    )
    assert 'train_images' not in result['reference']


def test_iterations_and_accumulation(config):
    result = train(
        config,
        [2.0, 1.0],
        train_cfg=dict(
            _delete_=True,
            type='IterBasedTrainLoop',
            max_iters=5,
            val_interval=4,
        ),
        optim_wrapper__accumulative_counts=2,
    )
    assert result['length'] == dict(iterations=5)
    assert result['reference'] == dict(epochs=2)
    assert result['best']['test/ap'] == dict(value=2.0, iter=4)
    assert result['last']['test/ap'] == dict(value=1.0, iter=5)
    assert result['updates'] == dict(done=3, planned=3)
    assert result['global_batch'] == 8


@pytest.mark.parametrize(
    'save_best,rule',
    [
        ('test/ap', 'less'),
        (['test/loss', 'test/ap'], 'less'),
        (['test/loss', 'test/ap'], ['less']),
        ('auto', 'less'),
    ],
)
def test_the_best_is_what_the_checkpoint_hook_saves(config, save_best, rule):
    """Where one rule is of all metrics."""
    result = train(
        config,
        [1.0, 3.0],
        default_hooks__checkpoint=dict(
            type='CheckpointHook', save_best=save_best, rule=rule
        ),
    )
    assert result['best']['test/ap']['value'] == 1.0


def test_the_best_is_the_earliest_of_equals(config):
    result = train(config, [3.0, 3.0])
    assert result['best']['test/ap']['epoch'] == 1


def test_a_file_that_is_edited_while_its_run_waits(config):
    cfg = read_recipe(config)
    resolved = config.parent / 'resolved.py'
    write_resolved(cfg, resolved)
    config.write_text('half a sen')
    run = apis.train(resolved, work_dir=config.parent / 'work', epochs=1)
    assert run.result['reference']['epochs'] == 2
    assert run.result['length'] == dict(epochs=1)


def test_as_many_updates_are_no_other_length(config):
    loop = "dict(type='IterBasedTrainLoop', max_iters=3, val_interval=3)"
    with config.open('a') as file:
        file.write(f'train_cfg = {loop}\n')
    result = train(
        config,
        [1.0, 2.0],
        train_cfg__max_iters=6,
        optim_wrapper__accumulative_counts=2,
    )
    assert result['length'] == dict(iterations=6)
    assert result['reference']['iterations'] == 6


def test_resumed_run_continues(config):
    first = train(config, [3.0, 1.0], dataset_name='noise')
    second = train(config, [2.0, 1.0], train_cfg__max_epochs=4, resume=True)
    assert first['dataset']['name'] == 'noise'
    assert [entry['epoch'] for entry in second['validations']] == [1, 2, 3, 4]
    assert second['best']['test/ap'] == dict(value=3.0, epoch=1, iter=3)
    assert second['wall_time_s'] > first['wall_time_s']


def test_a_run_that_goes_on_is_what_it_was(config):
    """However its config is called now."""
    said = dict(recipe='a/twin', dataset='noise', weights=None)
    begun = train(config, [1.0, 2.0], run=dict(said, baseline='a/net'))
    now = dict(said, recipe='work/twin', baseline=None, length=['epochs=3'])
    again = train(config, [3.0], run=now, train_cfg__max_epochs=3, resume=True)
    settings = again['run'].pop('settings')
    assert settings == begun['run']['settings']
    assert again['run'] == dict(said, baseline='a/net', length=['epochs=3'])


def test_several_labels_an_image(config):
    """One of them by chance does not make it one that has one."""
    plain, several = 'CustomDataset', 'SeveralLabels'
    text = config.read_text().replace(plain, several)
    text = text.replace(
        "type='LinearClsHead'", "type='MultiLabelLinearClsHead'"
    )
    text = text.replace("'LinearClsHead'", "'MultiLabelLinearClsHead'")
    config.write_text(
        text.replace("type='Accuracy', topk=1", "type='AveragePrecision'")
    )

    @DATASETS.register_module(name=several, force=True)
    class SeveralLabels(CustomDataset):
        def load_data_list(self):
            images = super().load_data_list()
            return [
                dict(one, gt_label=[0, 2] if number % 2 else [1])
                for number, one in enumerate(images)
            ]

    runner = build_runner(config, custom_hooks=HOOKS)
    runner.train()
    last = read(config)['validations'][-1]
    assert 'multi-label/mAP' in last['metrics'] and 'correct' not in last


@DATASETS.register_module()
class OfTorch(Dataset):
    """Classes that have no names, as of a dataset of torch alone."""

    def __init__(self, **options):
        self.images = DATASETS.build(dict(options, type='CustomDataset'))

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        return self.images[index]


def test_a_data_set_without_metainfo(config):
    """It is trained on and tested."""
    config.write_text(config.read_text().replace('CustomDataset', 'OfTorch'))
    run = apis.train(config, work_dir=config.parent / 'work')
    result = read(config)
    assert result['finished'] and result['dataset']['classes'] is None
    assert 'correct' in result['validations'][-1]
    assert 'accuracy/top1' in apis.test(run)


def test_what_came_after_the_checkpoint_is_forgotten(config):
    train(config, [3.0, 1.0])
    begun = dict(load_from=str(config.parent / 'work/epoch_1.pth'))
    with pytest.raises(StopIteration):  # its only validation fails
        train(config, [], resume=True, **begun)
    assert [one['epoch'] for one in read(config)['validations']] == [1]


class Crash(Hook):
    """Ends the training in its second epoch."""

    def before_train_iter(self, runner, *args, **kwargs):
        if runner.iter == 4:
            raise KeyboardInterrupt


def test_the_time_until_the_last_checkpoint_counts(config):
    """However long ago the last validation was: none was made here."""
    runner = build_runner(
        config,
        custom_hooks=HOOKS,
        train_cfg__val_interval=2,
        default_hooks__checkpoint=dict(type='CheckpointHook', interval=1),
    )
    runner.register_hook(Crash())
    begin = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        runner.train()
    result = read(config)
    assert result['updates']['done'] == 3 and not result['validations']
    assert 0 < result['wall_time_s'] < time.perf_counter() - begin + 1


def test_updates_are_those_of_the_checkpoint(config):
    """Of one within an epoch too."""
    runner = build_runner(
        config,
        custom_hooks=HOOKS,
        default_hooks__checkpoint=dict(
            type='CheckpointHook', interval=2, by_epoch=False
        ),
    )
    runner.register_hook(Crash())
    with pytest.raises(KeyboardInterrupt):
        runner.train()
    assert (config.parent / 'work/iter_4.pth').exists()
    assert read(config)['updates']['done'] == 4


def test_the_skill_of_drloc_is_continued_by_a_resumed_run(config, monkeypatch):
    monkeypatch.setattr(result_hook, 'SKILL_WINDOW', 4)
    options = dict(
        model__type='mmdrloc.DRLocClassifier',
        model__auxiliary_head=dict(
            type='mmdrloc.DRLocHead',
            source='stages.1',
            in_channels=16,
            hidden_channels=12,
        ),
        custom_hooks=HOOKS,
    )
    for epochs, resume in [(2, False), (3, True)]:
        runner = build_runner(
            config, train_cfg__max_epochs=epochs, resume=resume, **options
        )
        runner.train()
        history = runner.message_hub.get_scalar('train/drloc_skill').data[0]
        assert len(history) == 3 * epochs
        result = read(config)
        assert result['drloc_skill'] == pytest.approx(history[-4:].mean())
        assert [v['drloc_skill'] for v in result['validations']] == [
            pytest.approx(history[: 3 * epoch][-4:].mean())
            for epoch in range(1, epochs + 1)
        ]


def train_with(hook, config):
    runner = build_runner(config, custom_hooks=HOOKS, train_cfg__max_epochs=1)
    runner.register_hook(hook)
    runner.train()


class Skills(Hook):
    """Logs skills, one of which is no number once."""

    def __init__(self, skills):
        self.skills = skills

    def after_train_iter(self, runner, *args, **kwargs):
        for name, skill in self.skills.items():
            skill = float('nan') if runner.iter == 1 else skill
            runner.message_hub.update_scalar(f'train/{name}', skill)


@pytest.mark.parametrize(
    'skills',
    [dict(drloc_skill=0.5), dict(drloc_skill_0=0.25, drloc_skill_1=0.75)],
)
def test_the_skill_is_the_mean_of_groups_of_crops(config, skills):
    """As IDMM logs them, without those of a step that has no pairs."""
    train_with(Skills(skills), config)
    assert read(config)['drloc_skill'] == 0.5


def test_which_images_were_right(config):
    runner = build_runner(config, custom_hooks=HOOKS)
    runner.train()
    first, last = read(config)['validations']
    assert 'correct' not in first
    bits = np.frombuffer(bytes.fromhex(last['correct']), np.uint8)
    batches = map(runner.model.test_step, runner.val_dataloader)
    predicted = [int(s.pred_score.argmax()) for b in batches for s in b]
    labels = runner.val_dataloader.dataset.get_gt_labels()
    right = [int(a == b) for a, b in zip(predicted, labels)]
    assert 0 < sum(right) < 12  # any order of the classes would do otherwise
    assert np.unpackbits(bits, count=12).tolist() == right
    # A run that goes on keeps what it has.
    runner = build_runner(config, custom_hooks=HOOKS, resume=True)
    runner.train()
    assert read(config)['validations'][-1] == last


class OneTooMany(Hook):
    """Predicts a class that the data have not."""

    priority = 'HIGHEST'

    def after_val_iter(self, runner, batch_idx, data_batch, outputs):
        for sample in outputs:
            sample.set_pred_label(1000)


def test_a_class_without_a_name_is_in_no_confusion_matrix(config):
    train_with(OneTooMany(), config)
    last = read(config)['validations'][-1]
    assert not int(last['correct'], 16) and 'confusion' not in last


class OneOfSome(Hook):
    """Predicts one label for some images, as of several an image."""

    priority = 'HIGHEST'

    def after_val_iter(self, runner, batch_idx, data_batch, outputs):
        for sample in outputs[:2]:
            sample.set_gt_label([0, 1]).set_pred_label([0, 2])


def test_answers_of_some_images_say_nothing_of_all(config):
    train_with(OneOfSome(), config)
    assert 'correct' not in read(config)['validations'][-1]
