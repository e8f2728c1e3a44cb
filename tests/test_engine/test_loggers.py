"""What other programs are told of a training, through MMEngine's backends."""

import json

import pytest
from in_process import refusal
from mmengine.config import Config
from mmengine.registry import VISBACKENDS
from mmengine.visualization import BaseVisBackend
from tiny_run import build_runner, write_config

from mmdrloc.engine.loggers import LOGGERS, add_logger
from mmdrloc.utils.errors import UsageError

DRLOC = dict(
    model__type='mmdrloc.DRLocClassifier',
    model__auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='stages.1',
        in_channels=16,
        hidden_channels=12,
    ),
    custom_hooks=[dict(type='mmdrloc.DRLocWeightHook', warmup_epochs=1)],
    train_cfg__max_epochs=2,
)
# What DRLoc is watched by.
CURVES = {'loss_cls', 'loss_drloc', 'drloc_weight', 'drloc_skill', 'lr'}


class Notes(BaseVisBackend):
    """Keeps in memory what it is told."""

    told = []

    def _init_env(self):
        pass

    @property
    def experiment(self):
        return self

    def add_scalars(self, scalar_dict, step=0, file_path=None, **kwargs):
        self.told.append((step, dict(scalar_dict)))


def train_with(name, tmp_path):
    """Train two epochs of three updates, with a logger."""
    config = write_config(tmp_path)
    cfg = Config.fromfile(config)
    cfg.work_dir = str(tmp_path / 'work')
    cfg.run = dict(recipe='tiny', dataset='noise')
    add_logger(cfg, name)
    cfg.dump(config)
    runner = build_runner(config, **DRLOC)
    runner.train()
    return runner


def test_what_a_logger_is_told(tmp_path, monkeypatch):
    VISBACKENDS.register_module(module=Notes, force=True)
    monkeypatch.setattr(Notes, 'told', [])
    monkeypatch.setattr('mmdrloc.engine.loggers.find_spec', lambda name: True)
    monkeypatch.setattr(
        'mmdrloc.engine.loggers._backend', lambda *names: dict(type='Notes')
    )
    train_with('wandb', tmp_path)
    steps = [(step, t) for step, t in Notes.told if 'loss_cls' in t]
    assert [step for step, _ in steps] == [1, 2, 3, 4, 5, 6]
    for _, told in steps:
        assert set(told) >= CURVES
    assert any('accuracy/top1' in told for _, told in Notes.told)
    assert list((tmp_path / 'work').glob('*/vis_data/scalars.json'))


@pytest.mark.parametrize('name', LOGGERS)
def test_the_backends_there_are_stay(name, tmp_path, monkeypatch):
    monkeypatch.setattr('mmdrloc.engine.loggers.find_spec', lambda name: True)
    local = dict(type='LocalVisBackend')
    folder = str(tmp_path / 'run')
    cfg = Config(dict(work_dir=folder, visualizer=dict(vis_backends=[local])))
    for _ in range(2):  # one of a kind is enough
        add_logger(cfg, name)
    first, second = cfg.visualizer.vis_backends
    assert first == local
    assert VISBACKENDS.get(second.type) is not None
    assert name == 'tensorboard' or "'run'" in repr(second)
    bare = Config(dict(work_dir=folder))
    add_logger(bare, name)
    assert len(bare.visualizer.vis_backends) == 2


def test_a_server_of_one_s_own(monkeypatch):
    monkeypatch.setattr('mmdrloc.engine.loggers.find_spec', lambda name: True)
    monkeypatch.setenv('MLFLOW_TRACKING_URI', 'http://ours:5000')
    monkeypatch.setenv('WANDB_PROJECT', 'birds')
    cfg = Config(dict(work_dir='a/run'))
    add_logger(cfg, 'mlflow')
    add_logger(cfg, 'wandb')
    _, mlflow, wandb = cfg.visualizer.vis_backends
    assert mlflow.tracking_uri == 'http://ours:5000'
    assert wandb.init_kwargs == dict(project='birds', name='run')


def test_what_is_not_there_is_told(monkeypatch):
    cfg = Config(dict(work_dir='a/run'))
    with pytest.raises(UsageError, match='choose from tensorboard, wandb'):
        add_logger(cfg, 'comet')
    monkeypatch.setattr('mmdrloc.engine.loggers.find_spec', lambda name: None)
    with pytest.raises(UsageError, match='`pip install mlflow`'):
        add_logger(cfg, 'mlflow')


def test_the_command_line(tmp_path, monkeypatch):
    monkeypatch.setattr('mmdrloc.engine.loggers.find_spec', lambda name: None)
    line = ('train.py', write_config(tmp_path), '--logger', 'wandb')
    message = refusal(*line, monkeypatch=monkeypatch, cwd=tmp_path)
    assert '`pip install wandb`' in message
    assert not (tmp_path / 'work_dirs/tiny/result.json').exists()


def test_tensorboard(tmp_path):
    from tensorboard.backend.event_processing import event_accumulator

    train_with('tensorboard', tmp_path)
    [folder] = (tmp_path / 'work').glob('*/vis_data')
    events = event_accumulator.EventAccumulator(str(folder)).Reload()
    assert set(events.Tags()['scalars']) >= CURVES


def test_mlflow(tmp_path, monkeypatch):
    mlflow = pytest.importorskip('mlflow', reason='needs mlflow')
    monkeypatch.delenv('MLFLOW_TRACKING_URI', raising=False)
    monkeypatch.chdir(tmp_path)
    train_with('mlflow', tmp_path)
    mlflow.end_run()
    client = mlflow.MlflowClient(f'sqlite:///{tmp_path / "mlflow.db"}')
    experiment = client.get_experiment_by_name('mmdrloc')
    [run] = client.search_runs([experiment.experiment_id])
    assert set(run.data.metrics) >= CURVES
    assert run.data.params['run.recipe'] == 'tiny'
    assert run.info.run_name == 'work'


def test_wandb(tmp_path, monkeypatch):
    monkeypatch.setenv('WANDB_MODE', 'offline')
    monkeypatch.chdir(tmp_path)
    wandb = pytest.importorskip('wandb', reason='needs wandb')
    told = []
    monkeypatch.setattr(
        wandb.Run, 'log', lambda run, values, **how: told.append(values)
    )
    train_with('wandb', tmp_path)
    assert set(told[0]) >= CURVES
    assert list((tmp_path / 'work').glob('*/vis_data/wandb/offline-run-*'))


def test_clearml(tmp_path, monkeypatch):
    # Read when it is imported.
    monkeypatch.setenv('CLEARML_OFFLINE_MODE', '1')
    monkeypatch.setenv('CLEARML_CACHE_DIR', str(tmp_path / 'cache'))
    pytest.importorskip('clearml', reason='needs clearml')
    train_with('clearml', tmp_path)
    [path] = (tmp_path / 'cache/offline').glob('*/metrics.jsonl')
    lines = path.read_text().splitlines()
    events = [event for line in lines for event in json.loads(line)]
    assert {event['metric'] for event in events} >= CURVES
