"""Masked auto-encoding of lightweight ViTs at their native image size.

Paper: "Pre-training of Lightweight Vision Transformers on Small Datasets
with Minimally Scaled Images" (arXiv:2402.03752). Its code is not published;
docs/mae.md says what is known of it, what is inferred and what is ours.

mmpretrain's MAE, but for three things: the positions of encoder and decoder
are learnt, each their own; the visible patches are reconstructed too, with a
discounted weight; and the loss can be had on held-out images.

The letters of the shapes: B images of H x W pixels in L patches of P numbers
each (patch_size^2 x 3).
"""

from typing import Any, Dict, List, Optional, Union

import torch
from mmengine.model.weight_init import trunc_normal_
from mmpretrain.models.heads import MAEPretrainHead
from mmpretrain.models.necks import MAEPretrainDecoder
from mmpretrain.models.selfsup import MAE, MAEViT
from mmpretrain.structures import DataSample
from torch import Tensor

from mmdrloc.registry import MODELS
from mmdrloc.utils.errors import UsageError
from ..host import preserved_rng
from ..pretrained import pretrained_entries

# Ours, and that of mmpretrain's VisionTransformer: none is published.
POSITION_STD = 0.02


@MODELS.register_module()
class LightMAEViT(MAEViT):
    """``MAEViT`` with learnt positions, as in ``VisionTransformer``.

    Raises:
        UsageError: If ``mask_ratio`` hides all of the L patches, or none.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        patches = self.pos_embed.shape[1] - 1  # beside the class token
        visible = int(patches * (1 - self.mask_ratio))
        if not 0 < visible < patches:
            raise UsageError(
                f'mask_ratio={self.mask_ratio} leaves {visible} of {patches} '
                'patches visible: give a share between 0 and 1'
            )
        self.pos_embed.requires_grad_()

    def init_weights(self) -> None:
        """Initialise; positions at random instead of as waves.

        From a checkpoint of ``init_cfg`` all weights are taken, where
        ``MAEViT`` draws those of its patches and class token anew.
        """
        if any(pretrained_entries(self.init_cfg)):
            return super(MAEViT, self).init_weights()
        super().init_weights()
        trunc_normal_(self.pos_embed, std=POSITION_STD)


@MODELS.register_module()
class LightMAEDecoder(MAEPretrainDecoder):
    """``MAEPretrainDecoder`` with learnt positions; ``num_patches`` is L."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.decoder_pos_embed.requires_grad_()

    def init_weights(self) -> None:
        """Initialise; positions at random instead of as waves."""
        super().init_weights()
        trunc_normal_(self.decoder_pos_embed, std=POSITION_STD)


@MODELS.register_module()
class LightMAEHead(MAEPretrainHead):
    """``MAEPretrainHead`` whose loss also sees the visible patches.

    L = MSE over masked patches + visible_weight * MSE over visible patches,
    whose discount is ours; other arguments are those of ``MAEPretrainHead``.
    """

    def __init__(
        self, *args: Any, visible_weight: float = 0.1, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.visible_weight = visible_weight

    def loss(
        self, pred: Tensor, target: Tensor, mask: Tensor
    ) -> Dict[str, Tensor]:
        """The two parts of the loss, as they enter the sum.

        ``pred`` is (B, L, P), ``target`` (B, 3, H, W); ``mask``, (B, L), is 1
        where a patch was masked.
        """
        patches = self.construct_target(target)
        return dict(
            loss_masked=self.loss_module(pred, patches, mask),
            loss_visible=self.visible_weight
            * self.loss_module(pred, patches, 1 - mask),
        )


@MODELS.register_module()
class LightMAE(MAE):
    """mmpretrain's ``MAE`` with a loss of two parts and a validation."""

    def forward(
        self,
        inputs: Tensor,
        data_samples: Optional[List[DataSample]] = None,
        mode: str = 'tensor',
    ) -> Union[tuple, Dict[str, Tensor], List[DataSample]]:
        """As the parent's, with ``mode='predict'`` beside."""
        if mode == 'predict':
            return self.predict(inputs, data_samples)
        return super().forward(inputs, data_samples, mode)

    def loss(
        self, inputs: Tensor, data_samples: List[DataSample]
    ) -> Dict[str, Tensor]:
        """Mask, encode, decode, compare; see :meth:`LightMAEHead.loss`."""
        latent, mask, ids_restore = self.backbone(inputs)
        return self.head.loss(self.neck(latent, ids_restore), inputs, mask)

    def predict(
        self, inputs: Tensor, data_samples: List[DataSample]
    ) -> List[DataSample]:
        """The loss of each image under masks that are always the same.

        They are drawn anew for every batch from the same seed: evaluations
        with the same batch size compare. Samples get the numbers
        ``loss_masked`` and ``loss_visible``, and (3, H, W) ``image``,
        ``reconstruction`` and ``mask``, 1 where pixels were masked.
        """
        with preserved_rng(self):
            torch.manual_seed(0)
            latent, mask, ids_restore = self.backbone(inputs)
        pred = self.neck(latent, ids_restore)
        reconstructions = self.head.unpatchify(pred)
        pixel_masks = self.head.unpatchify(mask.unsqueeze(-1).expand_as(pred))
        for index, sample in enumerate(data_samples):
            one = slice(index, index + 1)
            losses = self.head.loss(pred[one], inputs[one], mask[one])
            sample.loss_masked = losses['loss_masked'].item()
            sample.loss_visible = losses['loss_visible'].item()
            sample.image = inputs[index]
            sample.reconstruction = reconstructions[index]
            sample.mask = pixel_masks[index]
        return data_samples
