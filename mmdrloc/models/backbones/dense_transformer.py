"""Plain transformers as backbones of detectors and segmentors.

They have the tensors of the classifiers, name by name, so that weights come
as they are; and where images have the training's size, their features.
"""

from typing import Any, Iterable, Optional, Sequence, Tuple

import torch
from mmcv.cnn.bricks.transformer import AdaptivePadding
from mmpretrain.models.backbones import VisionTransformer
from mmpretrain.models.backbones.base_backbone import BaseBackbone
from mmpretrain.models.utils import resize_pos_embed
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from mmdrloc.registry import MODELS
from .t2t_performer import PerformerT2TViT


class DenseTransformer(BaseBackbone):
    """Makes maps of a classifier's tokens, for images of any size.

    It stands before the classifier's network among the bases, and
    puts out a map of the cells, (B, C, H, W), after each of the layers that
    ``out_indices`` names; the last one is normalised as in the classifier.
    The class token takes part and is left out of the maps.

    With ``window_size``, only these layers see the whole image, as in ViTDet.
    The layers between them see windows, of which each has the class token
    too; its copies are averaged where the windows are joined. Drop path then
    drops windows.

    Args:
        window_size (int, optional): Cells a side of a window, at most: the
            windows of an axis differ by one at most, and nothing is padded.
            By default all layers see the whole image.
        with_cp (bool): Whether to compute layers again in the backward pass
            instead of keeping their activations.
        *args, **kwargs: As in the classifier's network, except ``out_type``.
            ``img_size`` is that of the training that weights come from: the
            positions are interpolated from there.
    """

    #: Names of what makes tokens of an image, of the layers and of the norm.
    parts: Tuple[str, str, str]

    def __init__(
        self,
        *args: Any,
        window_size: Optional[int] = None,
        with_cp: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **dict(kwargs, out_type='featmap'))
        self.window_size = window_size
        self.with_cp = with_cp

    def forward(self, images: Tensor) -> Tuple[Tensor, ...]:
        """(B, 3, height, width) to maps, the earliest layer first."""
        # There is no norm without `final_norm`.
        embed, layers, norm = (getattr(self, p, None) for p in self.parts)
        tokens, (height, width) = embed(images)
        # Traced, for ONNX, they are tensors.
        self.image_grid = int(height), int(width)
        if self.cls_token is not None:
            extra = self.cls_token.expand(len(tokens), -1, -1)
            tokens = torch.cat((extra, tokens), dim=1)
        tokens = tokens + resize_pos_embed(
            self.pos_embed,
            self.patch_resolution,
            self.image_grid,
            self.interpolate_mode,
            self.num_extra_tokens,
        )
        tokens = self.drop_after_pos(tokens)
        tokens = getattr(self, 'pre_norm', nn.Identity())(tokens)
        maps, begin = [], 0
        for index in sorted(set(self.out_indices)):
            tokens = self._in_windows(layers[begin:index], tokens)
            tokens = self._through(layers[index : index + 1], tokens)
            begin = index + 1
            if begin == len(layers) and self.final_norm:
                tokens = norm(tokens)
            cells = tokens[:, self.num_extra_tokens :].transpose(1, 2)
            # mmcv's RoIAlign misreads what lies otherwise in memory.
            maps.append(cells.unflatten(2, self.image_grid).contiguous())
        return tuple(maps)

    def _through(self, layers: Iterable[nn.Module], tokens: Tensor) -> Tensor:
        for layer in layers:
            if self.with_cp and torch.is_grad_enabled():
                tokens = checkpoint(layer, tokens, use_reentrant=False)
            else:
                tokens = layer(tokens)
        return tokens

    def _in_windows(
        self, layers: Sequence[nn.Module], tokens: Tensor
    ) -> Tensor:
        if self.window_size is None or not len(layers):
            return self._through(layers, tokens)
        count = self.num_extra_tokens
        cells = tokens[:, count:].unflatten(1, self.image_grid)
        down, across = (-(-n // self.window_size) for n in self.image_grid)
        windows = [
            window
            for band in cells.tensor_split(down, dim=1)
            for window in band.tensor_split(across, dim=2)
        ]
        sizes = [tuple(map(int, w.shape[1:3])) for w in windows]
        extras = []
        # Of up to four sizes, each of which goes through in one batch.
        for size in dict.fromkeys(sizes):
            places = [i for i, one in enumerate(sizes) if one == size]
            inside = torch.stack([windows[i].flatten(1, 2) for i in places], 1)
            copies = tokens[:, None, :count].expand(-1, len(places), -1, -1)
            inside = torch.cat((copies, inside), dim=2).flatten(0, 1)
            inside = self._through(layers, inside)
            inside = inside.unflatten(0, (-1, len(places)))
            extras.append(inside[:, :, :count])
            for place, window in zip(places, inside[:, :, count:].unbind(1)):
                windows[place] = window.unflatten(1, size)
        bands = [
            torch.cat(windows[i : i + across], dim=2)
            for i in range(0, len(windows), across)
        ]
        extra = torch.cat(extras, dim=1).mean(dim=1)
        return torch.cat((extra, torch.cat(bands, dim=1).flatten(1, 2)), dim=1)


@MODELS.register_module()
class DenseViT(DenseTransformer, VisionTransformer):
    """mmpretrain's ``VisionTransformer``, DeiT and the light ViT for maps."""

    parts = ('patch_embed', 'layers', 'ln1')


@MODELS.register_module()
class DenseT2TViT(DenseTransformer, PerformerT2TViT):
    """``PerformerT2TViT`` for maps of stride 16."""

    parts = ('tokens_to_token', 'encoder', 'norm')

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # As the patches of ViT do it; the soft splits would cut off the rest.
        self.padding = AdaptivePadding(kernel_size=16, stride=16)

    def forward(self, images: Tensor) -> Tuple[Tensor, ...]:
        """Pad, and put out maps."""
        return super().forward(self.padding(images))

    def get_layer_depth(
        self, param_name: str, prefix: str = ''
    ) -> Tuple[int, int]:
        """As mmpretrain's ``VisionTransformer.get_layer_depth``."""
        depths = len(self.encoder) + 2
        path = param_name[len(prefix) :].split('.')
        if not param_name.startswith(prefix) or path[0] == 'norm':
            return depths - 1, depths
        return int(path[1]) + 1 if path[0] == 'encoder' else 0, depths
