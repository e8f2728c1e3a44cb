"""The MLP that is asked for the distance of two grid cells."""

from typing import List, Tuple, Union

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class PairMLP(nn.Module):
    """f(e_a, e_b): two hidden layers on two concatenated embeddings.

    Args:
        in_channels (int): C of one embedding.
        hidden_channels (int): Width of the hidden layers.
        branches (list[int]): Widths of the outputs. One is the third layer
            of the stack itself; several are layers side by side on the
            shared stack.
        extra_linear (bool): Whether several branches stand on a third shared
            linear layer (without activation), as in the official code.
            Defaults to False.
    """

    def __init__(
        self,
        in_channels: int,
        hidden_channels: int,
        branches: List[int],
        extra_linear: bool = False,
    ) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(2 * in_channels, hidden_channels),
            nn.ReLU(),
            nn.Linear(hidden_channels, hidden_channels),
            nn.ReLU(),
        )
        shared = len(branches) > 1
        if not shared:
            self.layers.append(nn.Linear(hidden_channels, branches[0]))
        elif extra_linear:
            self.layers.append(nn.Linear(hidden_channels, hidden_channels))
        self.branches = nn.ModuleList(
            nn.Linear(hidden_channels, width)
            for width in (branches if shared else ())
        )

    def forward(
        self, grid: Tensor, pairs: Tensor
    ) -> Union[Tensor, Tuple[Tensor, ...]]:
        """Answer for each pair.

        Args:
            grid (Tensor): (B, C, H, W).
            pairs (Tensor): (B, m, 4) cells: row_a, col_a, row_b, col_b.

        Returns:
            Tensor | tuple[Tensor]: (B, m, width); with several branches one
            such tensor each.
        """
        shared = self.layers[1:](self._first_layer(grid, pairs))
        if not self.branches:
            return shared
        return tuple(branch(shared) for branch in self.branches)

    def _first_layer(self, grid: Tensor, pairs: Tensor) -> Tensor:
        """W [a; b] + c = W_a a + W_b b + c, (B, m, hidden).

        A linear layer and the picking of cells commute, so the layer is
        applied to whichever are fewer: the cells of the grid or the pairs.
        """
        linear = self.layers[0]
        tokens = grid.flatten(2).transpose(1, 2)
        cells = pairs.unflatten(-1, (2, 2))
        index = cells[..., 0] * grid.shape[3] + cells[..., 1]
        if index.shape[1] < tokens.shape[1]:
            ends = pick_tokens(tokens, index.flatten(1))
            return linear(ends.unflatten(1, (-1, 2)).flatten(2))
        hidden = linear.bias
        for weight, end in zip(linear.weight.chunk(2, 1), index.unbind(-1)):
            hidden = hidden + pick_tokens(F.linear(tokens, weight), end)
        return hidden


def pick_tokens(tokens: Tensor, index: Tensor) -> Tensor:
    """Tokens of each image by their number.

    Args:
        tokens (Tensor): (B, N, C).
        index (Tensor): (B, m), from 0 to N - 1.

    Returns:
        Tensor: (B, m, C).
    """
    batch_size, num_tokens, channels = tokens.shape
    first = torch.arange(batch_size, device=index.device) * num_tokens
    flat = (index + first.unsqueeze(1)).flatten()
    return (
        tokens.reshape(-1, channels)
        .index_select(0, flat)
        .view(batch_size, -1, channels)
    )
