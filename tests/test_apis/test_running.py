"""The Runner of a config, on whatever machine."""

import pytest
from mmengine.config import Config
from tiny_run import write_config

from mmdrloc.apis import running


@pytest.mark.parametrize('parts', [1, 3])
def test_learning_rate_follows_the_images_of_an_update(tmp_path, parts):
    cfg = Config.fromfile(write_config(tmp_path))
    cfg.merge_from_dict(
        {
            'work_dir': str(tmp_path),
            'launcher': 'none',
            'optim_wrapper.accumulative_counts': parts,
            'auto_scale_lr': dict(base_batch_size=8, enable=True),
        }
    )
    runner = running.build_runner(cfg)
    runner.train_loop.run = lambda: None
    runner.train()
    # 0.1 for 8 images an update; here 4 an iteration.
    assert runner.optim_wrapper.get_lr()['lr'] == [0.1 * 4 * parts / 8]
