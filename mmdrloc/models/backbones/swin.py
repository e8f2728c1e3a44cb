"""mmpretrain's Swin with other kernels: the same weights, the same outputs."""

from typing import Any, Optional, Sequence, Tuple

import torch
import torch.nn.functional as F
from mmcv.cnn.bricks.transformer import PatchMerging
from mmpretrain.models.backbones import swin_transformer
from mmpretrain.models.utils.attention import ShiftWindowMSA, WindowMSA
from torch import Tensor

from mmdrloc.registry import MODELS


class FusedWindowMSA(WindowMSA):
    """Attention in windows by ``F.scaled_dot_product_attention``.

    It takes the arguments of ``WindowMSA``.
    """

    def forward(self, x: Tensor, mask: Optional[Tensor] = None) -> Tensor:
        """Attend within each window.

        Args:
            x (Tensor): (B * windows, N, C) tokens.
            mask (Tensor, optional): (windows, N, N), what is added for
                shifted windows. Defaults to None.

        Returns:
            Tensor: (B * windows, N, C).
        """
        if x.is_cuda:
            return self.fused(x, mask)
        # On CPUs no fused kernel gives the bias its gradient, and what
        # PyTorch does instead is slower than the parent.
        return super().forward(x, mask)

    def fused(self, x: Tensor, mask: Optional[Tensor] = None) -> Tensor:
        """What :meth:`forward` does on a GPU, on any device.

        Args:
            x (Tensor): (B * windows, N, C) tokens.
            mask (Tensor, optional): (windows, N, N). Defaults to None.

        Returns:
            Tensor: (B * windows, N, C).
        """
        batch, tokens, channels = x.shape
        qkv = self.qkv(x).unflatten(2, (3, self.num_heads, -1))
        query, key, value = qkv.permute(2, 0, 3, 1, 4).unbind(0)
        table = self.relative_position_bias_table
        bias = table[self.relative_position_index.flatten()]
        bias = bias.view(1, tokens, tokens, -1).permute(0, 3, 1, 2)
        if mask is not None:
            # Fused kernels take four axes, so windows join the batch.
            bias = bias + mask.unsqueeze(1)
            bias = bias.repeat(batch // len(mask), 1, 1, 1)
        x = F.scaled_dot_product_attention(
            query,
            key,
            value,
            attn_mask=bias.to(query.dtype),
            dropout_p=self.attn_drop.p if self.training else 0.0,
            scale=self.scale,
        )
        x = x.transpose(1, 2).reshape(batch, tokens, channels)
        return self.proj_drop(self.proj(x))


class CompilableShiftWindowMSA(ShiftWindowMSA):
    """Shifted windows whose mask PyTorch can compile for CPUs too.

    The parent writes it slice by slice, of which PyTorch 2.10 makes C++ that
    no compiler takes. It takes the arguments of ``ShiftWindowMSA``.
    """

    @staticmethod
    def get_attn_mask(
        hw_shape: Tuple[int, int],
        window_size: int,
        shift_size: int,
        device: Optional[torch.device] = None,
    ) -> Optional[Tensor]:
        """What keeps cells apart that only the shift brought together.

        Args:
            hw_shape (tuple[int, int]): H and W of the padded map.
            window_size (int): Of both axes.
            shift_size (int): In cells; 0 for no shift.
            device (torch.device, optional): Where to. Defaults to the CPU.

        Returns:
            Tensor | None: (windows, N, N), 0 within a region of the map and
            -100 between two; None without a shift.
        """
        if not shift_size:
            return None
        # Before the last window, what the shift left there, what it brought.
        parts = []
        for length in hw_shape:
            place = torch.arange(length, device=device)
            left = (place >= length - window_size).long()
            parts.append(left + (place >= length - shift_size).long())
        regions = 3 * parts[0][:, None] + parts[1]
        regions = ShiftWindowMSA.window_partition(
            regions[None, :, :, None], window_size
        ).flatten(1)
        apart = regions.unsqueeze(1) != regions.unsqueeze(2)
        return -100.0 * apart.float()


class ReshapedPatchMerging(PatchMerging):
    """Merging of 2 x 2 patches by a reshape in place of ``nn.Unfold``.

    It takes the arguments of ``PatchMerging``.
    """

    def forward(
        self, x: Tensor, input_size: Sequence[int]
    ) -> Tuple[Tensor, Tuple[int, int]]:
        """Halve height and width.

        Args:
            x (Tensor): (B, H * W, C) tokens.
            input_size (Sequence[int]): H and W. Odd ones are padded, by the
                parent.

        Returns:
            tuple[Tensor, tuple[int, int]]: The merged tokens, their H and W.
        """
        height, width = input_size
        if height % 2 or width % 2:
            return super().forward(x, input_size)
        rows, columns = height // 2, width // 2
        # nn.Unfold has the channel before the place in the patch.
        x = x.unflatten(1, (rows, 2, columns, 2)).permute(0, 1, 3, 5, 2, 4)
        x = x.reshape(len(x), rows * columns, -1)
        x = self.norm(x) if self.norm else x
        return self.reduction(x), (rows, columns)


def merges_2x2(module: PatchMerging) -> bool:
    """Whether patches neither overlap nor leave gaps."""
    sampler = module.sampler
    return (
        sampler.kernel_size == sampler.stride == (2, 2)
        and sampler.dilation == (1, 1)
        and sampler.padding == (0, 0)
    )


@MODELS.register_module()
class SwinTransformer(swin_transformer.SwinTransformer):
    """mmpretrain's ``SwinTransformer`` in less time.

    Windows attend by a fused kernel on GPUs, patches are merged by a reshape.
    Names, shapes and initial values of all parameters are the parent's, so
    checkpoints serve both.

    Args:
        *args: As in mmpretrain's ``SwinTransformer``.
        **kwargs: Likewise.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # mmpretrain fixes the classes of these modules, whose forward passes
        # alone are replaced.
        for module in self.modules():
            if type(module) is WindowMSA:
                module.__class__ = FusedWindowMSA
            elif type(module) is ShiftWindowMSA:
                module.__class__ = CompilableShiftWindowMSA
            elif type(module) is PatchMerging and merges_2x2(module):
                module.__class__ = ReshapedPatchMerging
