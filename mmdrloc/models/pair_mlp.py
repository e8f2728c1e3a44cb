"""The MLP that is asked for the distance of two grid cells."""

from typing import List, Optional, Tuple, Union

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class PairMLP(nn.Module):
    """f(e_a, e_b): two hidden layers on two concatenated embeddings.

    Args:
        in_channels (int): C of one embedding.
        hidden_channels (int): Width of the hidden layers.
        branches (list[int]): Widths of the outputs. One is the third layer
            of the stack; several stand side by side on it.
        extra_linear (bool): Whether several branches stand on a third shared
            linear layer (without activation), as in the official code.
    """

    def __init__(
        self,
        in_channels: int,
        hidden_channels: int,
        branches: List[int],
        extra_linear: bool = False,
    ) -> None:
        super().__init__()
        #: Widths of the outputs.
        self.widths = tuple(branches)
        self.layers = nn.Sequential(
            nn.Linear(2 * in_channels, hidden_channels),
            nn.ReLU(),
            nn.Linear(hidden_channels, hidden_channels),
            nn.ReLU(),
        )
        if len(branches) == 1:
            self.layers.append(nn.Linear(hidden_channels, *branches))
            branches = []
        elif extra_linear:
            self.layers.append(nn.Linear(hidden_channels, hidden_channels))
        self.branches = nn.ModuleList(
            nn.Linear(hidden_channels, width) for width in branches
        )

    def forward(
        self, grid: Tensor, pairs: Tensor
    ) -> Union[Tensor, Tuple[Tensor, ...]]:
        """Answer (B, m, 4) pairs of cells of a (B, C, H, W) grid.

        Gives (B, m, width), one for each of several branches; float32 at
        least, under autocast too.
        """
        shared = self.layers[1:](self._first_layer(grid, pairs))
        answers = tuple(
            answer.to(torch.promote_types(answer.dtype, torch.float32))
            for answer in [branch(shared) for branch in self.branches]
            or [shared]
        )
        return answers if self.branches else answers[0]

    def _first_layer(self, grid: Tensor, pairs: Tensor) -> Tensor:
        """W [a; b] + c = W_a a + W_b b + c, (B, m, hidden)."""
        linear = self.layers[0]
        weight_a, weight_b = linear.weight.chunk(2, 1)
        tokens = grid.flatten(2).transpose(1, 2)
        cells = pairs.unflatten(-1, (2, 2))
        index = cells[..., 0] * grid.shape[3] + cells[..., 1]
        a, b = index.unbind(-1)
        # On a GPU, to count the distinct ones would wait for the device.
        distinct = tokens.device.type == 'cpu'
        return linear_of_picked(
            tokens, a, weight_a, linear.bias, distinct
        ) + linear_of_picked(tokens, b, weight_b, None, distinct)


def linear_of_picked(
    tokens: Tensor,
    index: Tensor,
    weight: Tensor,
    bias: Optional[Tensor],
    distinct: bool,
) -> Tensor:
    """A linear layer on (B, N, C) tokens, picked by a (B, m) ``index``.

    The layer and the picking commute. With ``distinct`` the layer is applied
    once to each token that is picked (to about 36 of 49 tokens for 64 picks),
    which waits for the device. Else it is applied to all tokens, or to all
    picks if these are fewer. Gives (B, m, D).
    """
    first = torch.arange(len(tokens), device=index.device) * tokens.shape[1]
    picks = (index + first.unsqueeze(1)).flatten()
    rows = tokens.flatten(0, 1)
    if distinct:
        used, picks = picks.unique(return_inverse=True)
        rows = rows.index_select(0, used)
    elif len(picks) < len(rows):
        rows, picks = rows.index_select(0, picks), None
    answers = F.linear(rows, weight, bias)
    if picks is not None:
        answers = answers.index_select(0, picks)
    return answers.view(*index.shape, -1)
