"""The DRLoc head: draw pairs of cells, ask an MLP for their distance.

The letters of the shapes are those of ``losses.py``.
"""

from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np
import torch
import torch.nn.functional as F
from mmengine.dist import get_rank
from mmengine.logging import MessageHub
from mmengine.model import BaseModule
from torch import Tensor, nn

from mmdrloc.registry import MODELS
from mmdrloc.utils.errors import UsageError
from .arguments import check_choice, check_count, is_size
from .grid_tap import GridTap
from .losses import CONVENTIONS, Size, best_constant_loss, build_loss
from .pair_mlp import PairMLP

POOLS = {
    'avg2x2': lambda grid: F.avg_pool2d(grid, 2),
    'avg3x3s2': lambda grid: F.avg_pool2d(
        grid, 3, 2, 1, count_include_pad=False
    ),
}


@MODELS.register_module()
class DRLocHead(BaseModule):
    """Dense relative localization on one or several token grids.

    Args:
        source (str | Sequence[str]): Module paths inside the backbone, one
            MLP each. The path is the choice between grids before and after
            a norm. (A model that owns the head expands globs.)
        in_channels (int | Sequence[int]): C of each source.
        grid_size (tuple[int, int] | Sequence[tuple], optional): (H, W) after
            pooling, one for all sources or one each; needed by the class
            losses alone.
        num_pairs (int): m, pairs an image.
        hidden_channels (int): Width of the MLP.
        pool (str, optional): None, 'avg2x2' (paper) or 'avg3x3s2' (official
            code: stride 2, padding 1 that does not count).
        convention (str): 'paper' or 'official'; see ``losses.py``. The
            official class heads have one shared linear layer more.
        loss (dict): Config of the loss; its ``loss_weight`` is lambda.
        init_cfg (dict, optional): Initialisation of the MLP, whatever the
            host's. By default as the official Swin and T2T have it; None
            leaves PyTorch's own.

    Raises:
        UsageError: On an impossible argument.
    """

    def __init__(
        self,
        source: Union[str, Sequence[str]],
        in_channels: Union[int, Sequence[int]],
        grid_size: Union[Size, Sequence[Size], None] = None,
        num_pairs: int = 64,
        hidden_channels: int = 512,
        pool: Optional[str] = None,
        convention: str = 'paper',
        loss: dict = dict(type='mmdrloc.DRLocL1Loss'),
        init_cfg: Optional[dict] = dict(
            type='TruncNormal', layer='Linear', std=0.02
        ),
    ) -> None:
        super().__init__(init_cfg=init_cfg)
        check_count('num_pairs', num_pairs)
        check_count('hidden_channels', hidden_channels)
        check_choice('pool', pool, (None, *POOLS))
        check_choice('convention', convention, CONVENTIONS)
        self.sources = [source] if isinstance(source, str) else list(source)
        if not self.sources:
            raise UsageError(f'source={source!r} names no module')
        self.in_channels = self._by_source('in_channels', in_channels)
        for channels in self.in_channels:
            check_count('in_channels', channels)
        self.num_pairs = num_pairs
        self.pool = pool
        self.loss_module, self.base_weight = build_loss(loss, convention)
        #: The factor of lambda that a schedule sets.
        self.weight_factor = 1.0
        # A loss that is not ours gets two numbers a pair.
        branches = getattr(self.loss_module, 'branches', lambda size: [2])
        widths = map(branches, self._by_source('grid_size', grid_size))
        is_deeper = convention == 'official'
        self.mlps = nn.ModuleList(
            PairMLP(channels, hidden_channels, outputs, is_deeper)
            for channels, outputs in zip(self.in_channels, widths)
        )
        self._last_draw = (-1, 0)
        # By (H, W) and widths, what a constant loses on whole grids.
        self._constants: Dict[tuple, Optional[float]] = {}

    def _by_source(self, name: str, value: Any) -> List[Any]:
        """An argument as a list with one entry a source."""
        is_grid_size = name == 'grid_size' and is_size(value)
        if is_grid_size or not isinstance(value, (list, tuple)):
            return [value] * len(self.sources)
        if len(value) != len(self.sources):
            raise UsageError(
                f'{name} has {len(value)} entries for '
                f'{len(self.sources)} sources: {self.sources}'
            )
        return list(value)

    @property
    def loss_weight(self) -> float:
        """Lambda as scheduled."""
        return self.base_weight * self.weight_factor

    def tap(self, backbone: nn.Module) -> GridTap:
        """Make what reads the sources' grids while the backbone runs."""
        return GridTap(backbone, self.sources, self.in_channels)

    def sample_pairs(
        self,
        batch_size: int,
        grid_size: Size,
        device: Union[str, torch.device],
        generator: Optional[torch.Generator] = None,
        valid_sizes: Optional[Tensor] = None,
    ) -> Tensor:
        """Draw m pairs of cells an image, uniformly and with replacement.

        Args:
            batch_size (int): B.
            grid_size (tuple[int, int]): (H, W) of the pooled grid.
            device (str | torch.device): Where to draw and return them.
            generator (torch.Generator, optional): By default one that
                follows the seed, the rank and the iteration.
            valid_sizes (Tensor, optional): (B, 2) rows and columns, at most
                ``grid_size``, that belong to each image.

        Returns:
            Tensor: (B, m, 4), int64: row_a, col_a, row_b, col_b.
        """
        if generator is None:
            generator = self._step_generator(device)
        # float64 keeps rounding far from the upper bound, which is no cell.
        # Apple's GPUs lack it; of float32, (1 - 2^-24) n is less than n too.
        is_apple = torch.device(device).type == 'mps'
        uniform = torch.rand(
            (batch_size, self.num_pairs, 2, 2),
            generator=generator,
            dtype=torch.float32 if is_apple else torch.float64,
            device=device,
        )
        rows, cols = grid_size
        if valid_sizes is not None:
            # A blocking copy would wait for the whole forward pass.
            sizes = valid_sizes.to(device, non_blocking=True)
            rows, cols = sizes.view(batch_size, 1, 1, 2).unbind(-1)
        cells = torch.stack(
            (uniform[..., 0] * rows, uniform[..., 1] * cols), dim=-1
        )
        return cells.long().flatten(2)

    def _step_generator(
        self, device: Union[str, torch.device]
    ) -> torch.Generator:
        """Seed a generator from numbers that a resumed run has too."""
        step = MessageHub.get_current_instance().get_info('iter', 0)
        last_step, draws = self._last_draw
        draw = draws if step == last_step else 0
        self._last_draw = (step, draw + 1)
        entropy = [torch.initial_seed(), get_rank(), step, draw]
        seed = np.random.SeedSequence(entropy).generate_state(1, np.uint64)
        # 63 bits: manual_seed takes a signed number.
        return torch.Generator(device).manual_seed(int(seed[0]) >> 1)

    def predict(
        self, grid: Tensor, pairs: Tensor, index: int = 0
    ) -> Union[Tensor, Tuple[Tensor, Tensor]]:
        """Ask the MLP of a source for the offsets of pairs of cells.

        Args:
            grid (Tensor): (B, C, H, W), before pooling.
            pairs (Tensor): (B, m, 4), cells of the pooled grid.
            index (int): Of the source.

        Returns:
            Tensor | tuple[Tensor, Tensor]: (B, m, 2) offsets, rows first, in
            the units of the loss's targets; or the logits of the classes of
            rows and of columns, (B, m, K) each.
        """
        return self.mlps[index](self.pooled(grid), pairs)

    # Drawing pairs would make torch.compile build a graph in each step.
    @torch.compiler.disable
    def loss(
        self,
        grids: List[Tensor],
        pairs: Optional[List[Tensor]] = None,
        valid_sizes: Optional[List[Tensor]] = None,
    ) -> Dict[str, Tensor]:
        """Weighted sum of the sources' losses.

        Args:
            grids (list[Tensor]): (B, C, H, W) each, before pooling.
            pairs (list[Tensor], optional): (B, m, 4) each, cells of the
                pooled grid. Drawn by default.
            valid_sizes (list[Tensor], optional): (B, 2) each, on the host:
                rows and columns of the grid, before pooling, from which the
                pairs of each image are drawn.

        Returns:
            dict[str, Tensor]: Scalars: ``loss_drloc``, which enters the sum;
            ``drloc_raw``, the same without the weight; ``drloc_weight``;
            ``drloc_skill``, 1 - ``drloc_raw`` over what the best constant
            answer would lose: 0 is guessing, 1 is perfect. (0 too where a
            constant is right, as on a grid of one cell.) A loss without
            ``constant_loss`` has no skill.
        """
        losses, constants = [], []
        for index, (mlp, grid) in enumerate(zip(self.mlps, grids)):
            pooled = self.pooled(grid)
            size = tuple(pooled.shape[2:])
            valid = None
            if valid_sizes is not None:
                valid = self._pooled_sizes(valid_sizes[index], grid, size)
            if pairs is None:
                drawn = self.sample_pairs(
                    len(grid), size, grid.device, valid_sizes=valid
                )
            else:
                drawn = pairs[index]
            losses.append(self.loss_module(mlp(pooled, drawn), drawn, size))
            constants.append(self._constant_loss(mlp, size, valid))
        raw = sum(losses)
        logged = raw.detach()
        # At weight 0 the branch stays in the graph, which DDP counts on.
        found = dict(
            loss_drloc=raw * self.loss_weight,
            drloc_raw=logged,
            drloc_weight=torch.full_like(logged, self.loss_weight),
        )
        if None not in constants:
            constant = sum(constants)
            skill = 1 - logged / constant if constant > 0 else 0 * logged
            found['drloc_skill'] = skill
        return found

    def pooled(self, grid: Tensor) -> Tensor:
        """(B, C, H, W) as the MLP sees it."""
        return grid if self.pool is None else POOLS[self.pool](grid)

    def _pooled_sizes(
        self, sizes: Tensor, grid: Tensor, pooled: Size
    ) -> Tensor:
        """Count rows and columns that no padding was pooled into, (B, 2)."""
        if self.pool is None:
            return sizes
        # Windows of either pooling within the first v cells come before
        # v // 2; an axis without padding keeps all its cells.
        axes = [
            torch.where(size < full, (size // 2).clamp(min=1), pooled_full)
            for size, full, pooled_full in zip(
                sizes.unbind(-1), grid.shape[2:], pooled
            )
        ]
        return torch.stack(axes, dim=-1)

    def _constant_loss(
        self, mlp: PairMLP, size: Size, valid: Optional[Tensor]
    ) -> Optional[float]:
        key = size, mlp.widths
        if valid is None and key in self._constants:
            return self._constants[key]
        cells = [size] if valid is None else valid.tolist()
        found = best_constant_loss(self.loss_module, size, cells, mlp.widths)
        if valid is None:  # the sizes of a batch seldom come again
            self._constants[key] = found
        return found
