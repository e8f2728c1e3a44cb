"""On a GPU a step with DRLoc waits for the device no more than without."""

import pytest
import torch
from mmengine.optim import OptimWrapper
from tiny_classifier import batch, build

pytestmark = pytest.mark.skipif(
    not torch.cuda.is_available(), reason='needs a GPU'
)


def test_the_loss_waits_for_nothing():
    model = build().cuda()
    images, samples = batch()
    data = model.data_preprocessor(
        dict(inputs=images, data_samples=samples), training=True
    )
    wrapper = OptimWrapper(torch.optim.SGD(model.parameters(), lr=0.1))
    for waits in ('default', 'default', 'error'):
        torch.cuda.set_sync_debug_mode(waits)
        try:
            loss = sum(model.loss(**data).values())
            wrapper.backward(loss)
            wrapper.step()
        finally:
            torch.cuda.set_sync_debug_mode('default')
