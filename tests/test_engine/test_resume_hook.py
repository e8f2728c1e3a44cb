"""A run is continued as it was begun, or asks."""

import pytest
import torch
from interrupted import train
from mmengine.config import Config
from PIL import Image
from tiny_run import write_config

from mmdrloc.engine.hooks import resume_hook
from mmdrloc.utils.errors import UsageError


@pytest.fixture
def begun(tmp_path):
    """A config, and the checkpoint of a run of it."""
    cfg = Config.fromfile(write_config(tmp_path))
    train(cfg, tmp_path / 'part', cut_after=2)
    return cfg, tmp_path / 'part/cut.pth'


def resume(cfg, checkpoint, anyway=False):
    return train(cfg, checkpoint.parent, resume=checkpoint, anyway=anyway)


def rewrite(path, change):
    checkpoint = torch.load(path, weights_only=False)
    change(checkpoint['meta'])
    torch.save(checkpoint, path)


def assert_logged(checkpoint, words):
    logs = [path.read_text() for path in checkpoint.parent.glob('*/*.log')]
    assert sum(words in text for text in logs) == 1


def test_another_config_stops_before_anything_is_trained(begun):
    cfg, checkpoint = begun
    cfg.optim_wrapper.optimizer.lr = 0.5
    cfg.train_dataloader.batch_size = 3
    cfg.randomness.seed = 8
    with pytest.raises(UsageError) as error:
        resume(cfg, checkpoint)
    lines = str(error.value).splitlines()
    assert lines[0].endswith('was begun with other settings:')
    assert lines[1:-1] == [
        '  optim_wrapper.optimizer.lr: then 0.1, now 0.5',
        '  randomness.seed: then 0, now 8',
        '  images in an iteration: then 4, now 3',
        '  iterations in an epoch: then 3, now 4',
    ]
    assert '--resume-anyway' in lines[-1]
    resumed = resume(cfg, checkpoint, anyway=True)
    # The epoch is begun anew: two batches of four are not two of three.
    assert [(epoch, index) for epoch, _, index, _ in resumed.steps] == [
        (epoch, index) for epoch in range(2) for index in range(4)
    ]
    assert resumed.optimizer['param_groups'][0]['lr'] == 0.1


def test_other_data(begun, tmp_path):
    cfg, checkpoint = begun
    folder = tmp_path / 'data/train/class0'
    (folder / '0.png').rename(folder / 'other.png')
    with pytest.raises(UsageError, match='training data: then'):
        resume(cfg, checkpoint)
    Image.new('RGB', (24, 24)).save(folder / 'more.png')
    with pytest.raises(UsageError, match='training images: then 12, now 13'):
        resume(cfg, checkpoint)


def test_data_and_run_may_be_moved(begun, tmp_path):
    cfg, checkpoint = begun
    (tmp_path / 'data').rename(tmp_path / 'moved')
    for phase in ('train', 'val', 'test'):
        cfg[f'{phase}_dataloader'].dataset.data_root = str(tmp_path / 'moved')
    assert resume(cfg, checkpoint).iterations == 6


def test_a_checkpoint_of_plain_mmengine(begun):
    cfg, checkpoint = begun
    rewrite(checkpoint, lambda meta: meta.pop('resume'))
    cfg.optim_wrapper.optimizer.lr = 0.5
    with pytest.raises(UsageError, match='lr: then 0.1, now 0.5'):
        resume(cfg, checkpoint)
    cfg.optim_wrapper.optimizer.lr = 0.1
    assert [step[1:3] for step in resume(cfg, checkpoint).steps] == [
        (2, 2),
        *((i, i - 3) for i in (3, 4, 5)),
    ]


def test_a_checkpoint_that_says_nothing(begun):
    cfg, checkpoint = begun
    rewrite(checkpoint, lambda meta: (meta.pop('resume'), meta.pop('cfg')))
    cfg.optim_wrapper.optimizer.lr = 0.5
    assert resume(cfg, checkpoint).iterations == 6


def test_longer_than_it_was_begun_for(begun):
    cfg, checkpoint = begun
    cfg.train_cfg.max_epochs = 3
    assert resume(cfg, checkpoint).iterations == 9
    assert_logged(checkpoint, 'train_cfg.max_epochs: then 2, now 3')


def test_processes_that_would_go_on_from_different_places(begun, monkeypatch):
    """As machines do that do not see the same work folder."""
    monkeypatch.setattr(
        resume_hook, 'all_gather_object', lambda iteration: [iteration, 0]
    )
    with pytest.raises(UsageError, match=r'from the iterations \[2, 0\]'):
        resume(*begun)
