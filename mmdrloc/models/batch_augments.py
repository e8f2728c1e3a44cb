"""Mixing images of a batch."""

from typing import Optional, Tuple

from mmengine.registry import Registry
from mmpretrain.models.utils.batch_augments import CutMix
from mmpretrain.registry import BATCH_AUGMENTS as MMPRETRAIN_BATCH_AUGMENTS

# Here and not beside the other registries, which need no mmpretrain.
BATCH_AUGMENTS = Registry(
    'batch augment', parent=MMPRETRAIN_BATCH_AUGMENTS, scope='mmdrloc'
)


@BATCH_AUGMENTS.register_module()
class FoldedCutMix(CutMix):
    """CutMix whose box covers at most half of the image.

    IDMM draws mu from Beta(alpha, alpha) and takes max(mu, 1 - mu): an image
    keeps at least half of its pixels, and of its label. (Mixup needs no such
    class: there, mu and 1 - mu give the same mixed images in another order.)
    """

    def cutmix_bbox_and_lam(
        self,
        img_shape: Tuple[int, int],
        lam: float,
        count: Optional[int] = None,
    ) -> tuple:
        """Box and mu in [0.5, 1], the part of the pixels outside the box."""
        return super().cutmix_bbox_and_lam(img_shape, max(lam, 1 - lam), count)
