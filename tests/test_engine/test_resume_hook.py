"""A run is continued as it was begun, or asks."""

import pytest
import torch
from interrupted import train
from mmengine.config import Config
from PIL import Image
from tiny_run import write_config
from toy_run import on_two_processes, toy_runner

from mmdrloc.utils.errors import UsageError


@pytest.fixture
def begun(tmp_path):
    """A config, and the checkpoint of a run of it."""
    cfg = Config.fromfile(write_config(tmp_path))
    train(cfg, tmp_path / 'part', cut_after=2)
    return cfg, tmp_path / 'part/cut.pth'


def resume(cfg, checkpoint):
    return train(cfg, checkpoint.parent, resume=checkpoint)


def test_more_data(begun, tmp_path):
    cfg, checkpoint = begun
    folder = tmp_path / 'data/train/class0'
    Image.new('RGB', (24, 24)).save(folder / 'more.png')
    with pytest.raises(UsageError, match='with 12 training images, not 13'):
        resume(cfg, checkpoint)


def test_averages_that_the_checkpoint_does_not_have(begun):
    """They would begin anew, from the last weights."""
    cfg, checkpoint = begun
    cfg.custom_hooks = [dict(type='EMAHook')]
    with pytest.raises(UsageError, match='averaged weights'):
        resume(cfg, checkpoint)


def test_a_checkpoint_is_read_as_data_by_any_torch(begun):
    torch.load(begun[1], weights_only=True)


def test_a_new_best_one_is_saved_as_in_a_whole_run(tmp_path):
    """MMEngine saves a regular one again then, if there was one before."""
    options = dict(epochs=4, interval=2, max_keep_ckpts=-1)
    options.update(save_best='score', rule='greater')
    toy_runner(tmp_path / 'whole', **options).train()
    second = tmp_path / 'whole/epoch_2.pth'
    assert second.with_name('epoch_3.pth').exists()
    part = tmp_path / 'part'
    toy_runner(part, resume=second, validations=2, **options).train()
    assert (part / 'epoch_3.pth').exists()


def test_processes_that_would_go_on_from_different_places(tmp_path):
    """As machines do that do not see the same work directory."""
    toy_runner(tmp_path / 'whole').train()

    def resume(rank):
        checkpoint = tmp_path / f'whole/epoch_{rank + 1}.pth'
        with pytest.raises(UsageError) as error:
            toy_runner(tmp_path / f'{rank}', 3, resume=checkpoint).train()
        return str(error.value)

    for said in on_two_processes(tmp_path, resume):
        assert 'from the iterations [2, 4]' in said
