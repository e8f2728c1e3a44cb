"""DRLoc written down from the paper's pseudocode, to be compared with.

Supplement of Liu et al. (NeurIPS 2021), "pseudocode": draw the pairs on the
host, gather both embeddings of each pair, concatenate them, ask the MLP.
"""

from typing import Optional

import torch
from torch import Tensor, nn


class PlainDRLoc(nn.Module):
    """The L1 loss on absolute offsets, nothing of it rearranged for speed.

    Args:
        in_channels (int): C of the grid.
        hidden_channels (int): Width of the MLP. Its parameters have the
            names and shapes of :class:`~mmdrloc.models.pair_mlp.PairMLP`.
        num_pairs (int): m.
    """

    def __init__(
        self, in_channels: int, hidden_channels: int, num_pairs: int
    ) -> None:
        super().__init__()
        self.num_pairs = num_pairs
        self.layers = nn.Sequential(
            nn.Linear(2 * in_channels, hidden_channels),
            nn.ReLU(),
            nn.Linear(hidden_channels, hidden_channels),
            nn.ReLU(),
            nn.Linear(hidden_channels, 2),
        )

    def draw(self, batch_size: int, height: int, width: int) -> Tensor:
        """Pairs of cells, on the host.

        Args:
            batch_size (int): B.
            height (int): H, rows of the grid.
            width (int): W, columns of the grid.

        Returns:
            Tensor: (B, m, 4): row_a, col_a, row_b, col_b.
        """
        shape = (batch_size, self.num_pairs)
        ends = [torch.randint(length, shape) for length in (height, width) * 2]
        return torch.stack(ends, dim=-1)

    def forward(self, grid: Tensor, pairs: Optional[Tensor] = None) -> Tensor:
        """Mean over images, pairs and both axes of |answer - offset / k|.

        Args:
            grid (Tensor): (B, C, H, W).
            pairs (Tensor, optional): (B, m, 4). Drawn by default.

        Returns:
            Tensor: A scalar.
        """
        batch_size, channels, height, width = grid.shape
        if pairs is None:
            pairs = self.draw(batch_size, height, width)
        pairs = pairs.to(grid.device)
        cells = grid.flatten(2)
        ends = []
        for end in pairs.split(2, dim=-1):
            index = end[..., 0] * width + end[..., 1]
            index = index.unsqueeze(1).expand(-1, channels, -1)
            ends.append(cells.gather(2, index))
        answers = self.layers(torch.cat(ends, dim=1).transpose(1, 2))
        size = torch.tensor((height, width), device=grid.device)
        offsets = (pairs[..., :2] - pairs[..., 2:]).abs() / size
        return (answers - offsets).abs().mean()
