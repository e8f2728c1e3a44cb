"""Flags into config: each does its one thing or says why it cannot."""

import argparse

import pytest
import torch
from mmengine.config import Config
from mmengine.hooks import CheckpointHook
from tiny_run import write_config

from mmdrloc.engine import launch
from mmdrloc.errors import UsageError


def arguments(*line):
    parser = argparse.ArgumentParser()
    parser.add_argument('config')
    launch.add_shared_arguments(parser)
    return parser.parse_args(line)


@pytest.fixture
def config(tmp_path):
    path = tmp_path / 'small.py'
    path.write_text('a = dict(b=1, c=[1, 2])\n')
    return str(path)


@pytest.mark.parametrize('flag', ['--local_rank', '--local-rank'])
def test_both_spellings_of_the_local_rank(config, monkeypatch, flag):
    monkeypatch.delenv('LOCAL_RANK', raising=False)
    launch.load_config(arguments(config, f'{flag}=3'))
    assert launch.os.environ['LOCAL_RANK'] == '3'


def test_the_launcher_knows_its_local_rank_better(config, monkeypatch):
    monkeypatch.setenv('LOCAL_RANK', '1')
    launch.load_config(arguments(config, '--local_rank=3'))
    assert launch.os.environ['LOCAL_RANK'] == '1'


def test_work_dir(config):
    assert launch.load_config(arguments(config)).work_dir == 'work_dirs/small'
    assert (
        launch.load_config(arguments(config, '--work-dir', 'x')).work_dir
        == 'x'
    )


def test_options_are_merged(config):
    args = arguments(config, '--cfg-options', 'a.b=2', 'a.c=[3,4]', 'd=5')
    cfg = launch.load_config(args)
    assert (cfg.a.b, cfg.a.c, cfg.d) == (2, [3, 4], 5)


@pytest.mark.parametrize('option', ['a', 'a=[(1,2]'])
def test_options_that_do_not_parse(config, capsys, option):
    with pytest.raises(SystemExit) as error:
        arguments(config, '--cfg-options', option)
    assert error.value.code == 2
    assert 'is not of the form KEY=VALUE' in capsys.readouterr().err


@pytest.mark.parametrize('option', ['a.b.c=1', 'a.c.7=1'])
def test_options_that_do_not_fit(config, option):
    with pytest.raises(UsageError, match='--cfg-options do not fit'):
        launch.load_config(arguments(config, '--cfg-options', option))


@pytest.mark.parametrize(
    'content,words',
    [
        ('a = dict(', 'SyntaxError'),
        ("_base_ = './none.py'", 'FileNotFoundError'),
        ('a = 1 / 0', 'ZeroDivisionError'),
    ],
)
def test_config_that_cannot_be_read(tmp_path, content, words):
    path = tmp_path / 'broken.py'
    path.write_text(content)
    with pytest.raises(UsageError, match=f'cannot read .*{words}'):
        launch.load_config(arguments(str(path)))


def test_config_that_is_not_there():
    with pytest.raises(UsageError, match='there is no config none.py'):
        launch.load_config(arguments('none.py'))


def test_resume(tmp_path):
    cfg = Config(dict(work_dir=str(tmp_path)))
    with pytest.raises(UsageError, match='nothing to resume in'):
        launch.set_resume(cfg, 'auto')
    with pytest.raises(UsageError, match='there is no checkpoint none.pth'):
        launch.set_resume(cfg, 'none.pth')
    (tmp_path / 'last_checkpoint').write_text('epoch_1.pth')
    with pytest.raises(UsageError, match='nothing to resume in'):
        launch.set_resume(cfg, 'auto')
    torch.save({}, tmp_path / 'epoch_1.pth')
    launch.set_resume(cfg, 'auto')
    assert cfg.resume and cfg.load_from == str(tmp_path / 'epoch_1.pth')
    # The folder of a run stands for its last checkpoint.
    cfg = Config(dict(work_dir='other'))
    launch.set_resume(cfg, str(tmp_path))
    assert cfg.load_from == str(tmp_path / 'epoch_1.pth')
    (tmp_path / 'empty').mkdir()
    with pytest.raises(UsageError, match='nothing to resume in .*empty'):
        launch.set_resume(cfg, str(tmp_path / 'empty'))


class Own(CheckpointHook):
    """A hook of the user's."""


@pytest.mark.parametrize(
    'kind,expected',
    [
        ('CheckpointHook', 'mmdrloc.CheckpointHook'),
        ('mmengine.hooks.CheckpointHook', 'mmdrloc.CheckpointHook'),
        ('mmpretrain.CheckpointHook', 'mmdrloc.CheckpointHook'),
        (CheckpointHook, 'mmdrloc.CheckpointHook'),
        ('mylab.CheckpointHook', 'mylab.CheckpointHook'),
        (Own, Own),
        ('mmdrloc.CheckpointHook', 'mmdrloc.CheckpointHook'),
    ],
)
def test_the_hook_that_saves_is_ours(kind, expected):
    cfg = Config(dict(default_hooks=dict(checkpoint=dict(type=kind))))
    launch.keep_checkpoints(cfg)
    assert cfg.default_hooks.checkpoint.type == expected
    assert cfg.default_hooks.interrupt.type == 'mmdrloc.InterruptHook'


def test_something_saves_unless_the_config_says_no():
    cfg = Config(dict())
    launch.keep_checkpoints(cfg)
    assert cfg.default_hooks.checkpoint == dict(
        type='mmdrloc.CheckpointHook', interval=1
    )
    cfg = Config(dict(default_hooks=dict(checkpoint=None)))
    launch.keep_checkpoints(cfg)
    assert cfg.default_hooks.checkpoint is None


def machine(monkeypatch, cuda=False, bfloat16=False):
    monkeypatch.setattr(torch.cuda, 'is_available', lambda: cuda)
    monkeypatch.setattr(
        launch, 'get_device', lambda: 'cuda' if cuda else 'cpu'
    )
    monkeypatch.setattr(launch, 'cpu_has_bfloat16', lambda: bfloat16)


def amp_config(**wrapper):
    return Config(dict(optim_wrapper=dict(optimizer=dict(), **wrapper)))


def test_amp_on_a_gpu(monkeypatch):
    machine(monkeypatch, cuda=True)
    cfg = amp_config(type='mmseg.OptimWrapper', clip_grad=dict(max_norm=1))
    launch.set_amp(cfg)
    assert cfg.optim_wrapper == dict(
        type='AmpOptimWrapper',
        optimizer={},
        loss_scale='dynamic',
        clip_grad=dict(max_norm=1),
    )


def test_amp_keeps_the_loss_scale_of_the_config(monkeypatch):
    machine(monkeypatch, cuda=True)
    cfg = amp_config(type='AmpOptimWrapper', loss_scale=512.0)
    launch.set_amp(cfg)
    assert cfg.optim_wrapper.loss_scale == 512.0


def test_amp_on_a_processor(monkeypatch):
    machine(monkeypatch, bfloat16=True)
    cfg = amp_config(type='AmpOptimWrapper', loss_scale=512.0)
    launch.set_amp(cfg)
    assert cfg.optim_wrapper == dict(
        type='mmdrloc.CPUAmpOptimWrapper', optimizer={}
    )


def test_amp_without_the_hardware(monkeypatch):
    machine(monkeypatch)
    with pytest.raises(UsageError, match='train without --amp'):
        launch.set_amp(amp_config())


def test_amp_does_not_replace_other_wrappers(monkeypatch):
    machine(monkeypatch, cuda=True)
    with pytest.raises(UsageError, match='optim_wrapper.type=MyWrapper'):
        launch.set_amp(amp_config(type='MyWrapper'))


def test_auto_scale_lr():
    cfg = Config(
        dict(optim_wrapper=dict(), auto_scale_lr=dict(base_batch_size=8))
    )
    launch.set_auto_scale_lr(cfg)
    assert cfg.auto_scale_lr.enable
    cfg.optim_wrapper.accumulative_counts = 2
    launch.set_auto_scale_lr(cfg)
    cfg.runner_type = 'FlexibleRunner'
    with pytest.raises(UsageError, match='accumulated gradients'):
        launch.set_auto_scale_lr(cfg)
    with pytest.raises(UsageError, match='base_batch_size'):
        launch.set_auto_scale_lr(Config(dict(optim_wrapper=dict())))


@pytest.mark.parametrize('parts', [1, 3])
def test_learning_rate_follows_the_images_of_an_update(tmp_path, parts):
    cfg = Config.fromfile(write_config(tmp_path))
    cfg.merge_from_dict(
        {
            'work_dir': str(tmp_path),
            'launcher': 'none',
            'optim_wrapper.accumulative_counts': parts,
            'auto_scale_lr.base_batch_size': 8,
        }
    )
    launch.set_auto_scale_lr(cfg)
    runner = launch.build_runner(cfg)
    runner.train_loop.run = lambda: None
    runner.train()
    # 0.1 for 8 images an update; here 4 an iteration.
    assert runner.optim_wrapper.get_lr()['lr'] == [0.1 * 4 * parts / 8]


def tta_config(**model):
    return Config(
        dict(
            model=dict(type='A', **model),
            test_dataloader=dict(dataset=dict(dataset=dict(pipeline=[1]))),
            tta_model=dict(type='B'),
            tta_pipeline=[2],
        )
    )


def test_tta():
    cfg = tta_config()
    launch.set_tta(cfg)
    assert cfg.model == dict(type='B', module=dict(type='A'))
    assert cfg.test_dataloader.dataset.dataset.pipeline == [2]


def test_tta_that_cannot_be():
    with pytest.raises(UsageError, match='`tta_model` and `tta_pipeline`'):
        launch.set_tta(Config(dict(model=dict(type='A'))))
    with pytest.raises(UsageError, match='mask_head=None'):
        launch.set_tta(tta_config(roi_head=dict(mask_head=dict())))


@pytest.mark.parametrize(
    'kind,expected',
    [
        (
            'mmpretrain.VisualizationHook',
            dict(enable=True, interval=1, out_dir='{}'),
        ),
        ('DetVisualizationHook', dict(draw=True, test_out_dir='{}')),
        ('SegVisualizationHook', dict(draw=True)),
    ],
)
def test_show_dir(tmp_path, monkeypatch, kind, expected):
    monkeypatch.chdir(tmp_path)
    cfg = Config(
        dict(
            default_hooks=dict(visualization=dict(type=kind)),
            visualizer=dict(type='V'),
        )
    )
    launch.set_visualization(cfg, False, 'shown', 2.0)
    folder = str(tmp_path / 'shown')
    hook = dict(cfg.default_hooks.visualization, type=None)
    assert hook == dict(
        {
            key: folder if value == '{}' else value
            for key, value in expected.items()
        },
        type=None,
    )
    is_seg = kind == 'SegVisualizationHook'
    assert cfg.visualizer.get('save_dir') == (folder if is_seg else None)


def test_show_without_a_hook():
    with pytest.raises(UsageError, match='default_hooks.visualization'):
        launch.set_visualization(Config(dict()), True, None, 2.0)


@pytest.mark.parametrize(
    'scope,kind', [('mmpretrain', 'DumpResults'), ('mmdet', 'DumpDetResults')]
)
def test_dump_of_predictions(scope, kind):
    cfg = Config(dict(default_scope=scope, test_evaluator=dict(type='M')))
    with pytest.raises(UsageError, match='.pkl'):
        launch.set_prediction_dump(cfg, 'a.json')
    launch.set_prediction_dump(cfg, 'a.pkl')
    assert cfg.test_evaluator[1] == dict(type=kind, out_file_path='a.pkl')


def test_dump_of_label_maps():
    cfg = Config(dict(default_scope='mmseg', test_evaluator=dict(type='M')))
    launch.set_prediction_dump(cfg, 'folder')
    assert cfg.test_evaluator == [dict(type='M', output_dir='folder')]


def test_later_ranks_leave_the_word_to_the_first(monkeypatch, capsys):
    waits = []
    monkeypatch.setattr(launch.time, 'sleep', waits.append)
    for rank in ('0', '1'):
        monkeypatch.setenv('RANK', rank)
        with pytest.raises(SystemExit, match='error: wrong'):
            with launch.usage_errors_reported_once():
                raise UsageError('wrong')
        assert len(waits) == int(rank)


def distributed(launcher, **model):
    return Config(dict(launcher=launcher, model=dict(type='A', **model)))


@pytest.mark.parametrize(
    'cfg,words',
    [
        (distributed('slurm'), '--launcher slurm needs GPUs'),
        (distributed('pytorch', norm_cfg=dict(type='SyncBN')), "type='BN'"),
    ],
)
def test_several_processes_on_the_cpu(monkeypatch, cfg, words):
    machine(monkeypatch)
    for name in ('RANK', 'WORLD_SIZE', 'MASTER_ADDR', 'MASTER_PORT'):
        monkeypatch.setenv(name, '1')
    with pytest.raises(UsageError, match=words):
        launch.build_runner(cfg)
