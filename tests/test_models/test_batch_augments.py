"""The box of the folded CutMix."""

import numpy as np
import torch
from mmpretrain.registry import BATCH_AUGMENTS

from mmdrloc.models import FoldedCutMix


def test_an_image_keeps_half_of_its_pixels_and_the_label_says_so():
    np.random.seed(0)
    torch.manual_seed(0)
    augment = BATCH_AUGMENTS.build(
        dict(type='mmdrloc.FoldedCutMix', alpha=0.5)
    )
    assert isinstance(augment, FoldedCutMix)
    parts = []
    for _ in range(200):
        images = torch.arange(4.0).view(4, 1, 1, 1).repeat(1, 1, 50, 70)
        mixed, scores = augment(images, torch.eye(4))
        assert torch.allclose(scores.sum(1), torch.ones(4))
        for number, (image, score) in enumerate(zip(mixed, scores)):
            kept = (image == number).float().mean()
            assert torch.isclose(score[number], kept)
            if score[number] < 1:
                parts.append(kept.item())
    assert 0.5 <= min(parts) < 0.55
    assert max(parts) > 0.9
