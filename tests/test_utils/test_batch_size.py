"""How many images and iterations an update and an epoch have."""

import pytest
import torch
from mmengine.optim import OptimWrapper, OptimWrapperDict
from tiny_run import build_runner, write_config

from mmdrloc.utils.batch_size import (
    global_batch,
    iterations_per_epoch,
    updates,
)
from mmdrloc.utils.errors import UsageError

ITERATIONS = dict(_delete_=True, by_epoch=False, max_iters=7)


@pytest.mark.parametrize('train_cfg', [dict(max_epochs=3), ITERATIONS])
def test_an_epoch_of_12_images_in_batches_of_5(tmp_path, train_cfg):
    runner = build_runner(
        write_config(tmp_path),
        train_cfg=train_cfg,
        train_dataloader__batch_size=5,
        optim_wrapper__accumulative_counts=2,
    )
    assert runner.train_loop
    runner.optim_wrapper = runner.build_optim_wrapper(runner.optim_wrapper)
    assert iterations_per_epoch(runner) == 3
    assert global_batch(runner) == 10
    assert updates(runner, 7) == 4


def test_several_optimizers_are_refused(tmp_path):
    runner = build_runner(write_config(tmp_path))
    sgd = torch.optim.SGD(runner.model.parameters(), lr=0.1)
    runner.optim_wrapper = OptimWrapperDict(one=OptimWrapper(sgd))
    with pytest.raises(UsageError, match='several optimizers'):
        updates(runner, 7)
