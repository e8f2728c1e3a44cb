"""The picture of inputs, masks and reconstructions."""

import numpy as np
import pytest
import tiny_mae
import torch
from mmengine.config import Config
from mmengine.registry import MODELS, init_default_scope
from PIL import Image

from mmdrloc.visualization.reconstructions import (
    GAP,
    LABEL_HEIGHT,
    reconstruction_picture,
)
from mmdrloc.visualization.trained import load_trained

FACTOR = 5  # 24 pixels enlarged to about 128
SIDE = 24 * FACTOR


@pytest.fixture
def trained(tmp_path):
    cfg = Config.fromfile(tiny_mae.write_pretraining(tmp_path))
    checkpoint = tmp_path / 'random.pth'
    init_default_scope('mmpretrain')
    torch.save(MODELS.build(cfg.model).state_dict(), checkpoint)
    return load_trained(cfg, str(checkpoint))


def cell(picture, row, column):
    """The image in a row and column of the picture, not enlarged."""
    top = row * (LABEL_HEIGHT + SIDE + GAP) + LABEL_HEIGHT
    left = GAP + column * (SIDE + GAP)
    return picture[top : top + SIDE : FACTOR, left : left + SIDE : FACTOR]


def test_first_row_is_the_files_second_row_has_the_mask_in_grey(trained):
    picture = reconstruction_picture(trained.model, trained.loader, 3)
    dataset = trained.loader.dataset
    for column, index in enumerate((0, 5, 11)):  # evenly spaced among 12
        path = dataset.get_data_info(index)['img_path']
        shown, masked = (cell(picture, row, column) for row in (0, 1))
        assert np.array_equal(shown, np.asarray(Image.open(path)))
        grey = (masked == 128).all(-1)
        assert np.array_equal(shown[~grey], masked[~grey])
        blocks = grey.reshape(4, 6, 4, 6).all(axis=(1, 3))
        assert blocks.sum() == 12  # of 16 patches


def test_third_row_is_what_the_network_says(trained):
    # A network that answers 0 everywhere says: the preprocessor's mean.
    torch.nn.init.zeros_(trained.model.neck.decoder_pred.weight)
    torch.nn.init.zeros_(trained.model.neck.decoder_pred.bias)
    picture = reconstruction_picture(trained.model, trained.loader, 2)
    for column in range(2):
        assert (cell(picture, 2, column) == (100, 110, 120)).all()
