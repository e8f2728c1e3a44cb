"""The picture of inputs, masks and reconstructions."""

import numpy as np
import pytest
import tiny_mae
import torch
from mmengine.config import Config
from mmengine.runner import Runner
from PIL import Image
from torch.utils.data import DataLoader

from mmdrloc.models.building import build_model
from mmdrloc.visualization.reconstructions import (
    draw_reconstructions,
    reconstructions,
)


@pytest.fixture
def trained(tmp_path):
    cfg = Config.fromfile(tiny_mae.write_pretraining(tmp_path))
    return build_model(cfg).eval(), Runner.build_dataloader(cfg.val_dataloader)


def test_what_is_seen_and_what_is_masked(trained):
    images, masked, _ = reconstructions(*trained)
    dataset = trained[1].dataset
    for shown, left, index in zip(images[::7], masked[::7], (0, 11)):  # of 12
        path = dataset.get_data_info(index)['img_path']
        assert np.array_equal(shown, np.asarray(Image.open(path)))
        grey = (left == 128).all(-1)
        assert np.array_equal(shown[~grey], left[~grey])
        blocks = grey.reshape(4, 6, 4, 6).all(axis=(1, 3))
        assert blocks.sum() == 12  # of 16 patches


def test_fewer_images_than_columns(trained, tmp_path):
    few = [trained[1].dataset[n] for n in range(3)]
    loader = DataLoader(few, collate_fn=trained[1].collate_fn)
    assert reconstructions(trained[0], loader).shape[1] == 3
    draw_reconstructions(trained[0], loader, tmp_path / 'few.png')
    assert Image.open(tmp_path / 'few.png').height > 500


def test_what_the_network_says(trained, tmp_path):
    # A network that answers 0 everywhere says: the preprocessor's mean.
    last = trained[0].neck.decoder_pred
    torch.nn.init.zeros_(last.weight)
    torch.nn.init.zeros_(last.bias)
    made = reconstructions(*trained)[2]
    assert (made == (100, 110, 120)).all()
    draw_reconstructions(*trained, tmp_path / 'a.png')
    assert Image.open(tmp_path / 'a.png').height > 500
