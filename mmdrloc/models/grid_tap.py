"""Reading token grids out of a backbone while it runs.

A tap is a forward hook that lives for one forward pass. It changes nothing
in the backbone, so any backbone will do, and nothing of it is left at
inference, in a copy or in a checkpoint.
"""

import fnmatch
from contextlib import ExitStack
from math import prod
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

import torch
from torch import Tensor, nn

from mmdrloc.utils.errors import UsageError, nearest
from .arguments import is_size
from .backbones.timm_backbone import timm_network
from .losses import Size

# What mmpretrain's, mmdet's, mmseg's and timm's networks call the module that
# makes tokens of an image.
EMBEDDINGS = ('patch_embed', 'tokens_to_token')
EMBEDDING = 'the embedding'  # in records, and no module's path
CHANNELS_FIRST = (nn.Conv2d, nn.BatchNorm2d, nn.GroupNorm, nn.MaxPool2d)


def expand_sources(
    backbone: nn.Module, source: Union[str, Sequence[str]]
) -> List[str]:
    """Module paths in the backbone: 'stages.3', or globs of them.

    In 'stages.*.blocks.*' a ``*`` stands within one component of the path;
    matches come in the order of the modules.

    Raises:
        UsageError: If an entry names no module of the backbone.
    """
    names = [name for name, _ in backbone.named_modules() if name]
    paths = []
    for pattern in source if isinstance(source, (list, tuple)) else [source]:
        text = str(pattern)
        # With as many dots, no `*` stands for one.
        matches = [
            name
            for name in fnmatch.filter(names, text)
            if name.count('.') == text.count('.')
        ]
        if not matches:
            near = nearest(text, names)
            top = [name for name in names if '.' not in name]
            raise UsageError(
                f'source={pattern!r} names no module of '
                f'{type(backbone).__name__}; '
                + (f'did you mean {near!r}?' if near else f'it has {top}')
            )
        paths += matches
    return paths


class GridTap(ExitStack):
    """Collects the grids that the sources put out, for one forward pass.

    Example:
        >>> with GridTap(backbone, ['stages.3'], [768]) as tap:
        ...     backbone(images)
        >>> (grid, ) = tap.grids()  # (B, 768, 7, 7)
    """

    def __init__(
        self,
        backbone: nn.Module,
        sources: Sequence[str],
        in_channels: Sequence[int],
    ) -> None:
        super().__init__()
        self._backbone = backbone
        self._channels = list(zip(sources, in_channels))
        self._records: Dict[str, List[tuple]] = {}
        is_timm = hasattr(backbone, 'timm_model')
        self._network = timm_network(backbone) if is_timm else backbone
        parts = [getattr(self._network, name, None) for name in EMBEDDINGS]
        self._embedding = next(filter(None, parts), None)

    def __enter__(self) -> 'GridTap':
        modules = {'': self._backbone, EMBEDDING: self._embedding}
        for source, _ in self._channels:
            modules[source] = self._backbone.get_submodule(source)
        for name, module in modules.items():
            if module is not None:
                hook = self._make_hook(name)
                self.enter_context(module.register_forward_hook(hook))
        return self

    def _make_hook(self, name: str) -> Callable:
        # It only keeps what passes, and asks for no keyword arguments: so
        # torch.compile can trace it, and does so once for all steps.
        def hook(module: nn.Module, inputs: tuple, output: Any) -> None:
            self._records.setdefault(name, []).append((inputs, output))

        return hook

    def grids(self) -> List[Tensor]:
        """The grids, (B, C, H, W), one a source.

        Raises:
            UsageError: If a source was not run in the forward pass, put out
                no token grid, or gives a training backbone no gradient.
        """
        return [self._grid(*pair) for pair in self._channels]

    def _grid(self, source: str, in_channels: int) -> Tensor:
        if source not in self._records:
            raise UsageError(
                f'source {source!r} did not run in the forward pass of '
                f'{type(self._backbone).__name__}; name one that does'
            )
        module = self._backbone.get_submodule(source)
        runs = self._records[source]
        inputs, output = runs[-1]
        sizes = {getattr(output, 'shape', None) for _, output in runs}
        if len(runs) > len(self._records['']) and len(sizes) > 1:
            raise UsageError(
                f'source {source!r} runs {len(runs)} times in a forward pass, '
                'on windows: name a layer that sees the whole image'
            )
        if (
            hasattr(self._network, 'reroll')
            and getattr(output, 'ndim', 0) == 3
        ):
            raise UsageError(
                f'source {source!r}: {type(self._network).__name__} keeps its '
                'tokens in the order of its windows, which is no grid'
            )
        dropped = getattr(self._network, 'patch_drop', None)
        if self._network.training and not isinstance(
            dropped, (type(None), nn.Identity)
        ):
            raise UsageError(
                f'source {source!r}: {type(self._network).__name__} drops '
                'tokens at random, and the others make no grid: leave '
                '`patch_drop_rate` out'
            )
        try:
            grid = to_grid(
                output,
                inputs,
                in_channels,
                extra_tokens_of(self._network),
                self._image(),
                self._is_channels_last(module),
            )
        except UsageError as error:
            message = f'source {source!r} ({type(module).__name__}) returned '
            raise UsageError(message + str(error)) from None
        is_training = torch.is_grad_enabled() and self._backbone.training
        if is_training and not grid.requires_grad:
            raise UsageError(
                f'source {source!r} gives the backbone no gradient: lower '
                "the backbone's frozen_stages, or, if it lies within a "
                'checkpointed block (with_cp=True), name the whole block '
                'or set with_cp=False'
            )
        return grid

    def _image(self) -> Optional[Tuple[int, int, int]]:
        """Number of images, and (H, W) of their cells, or else pixels."""
        images = next(iter(self._records[''][-1][0]), None)
        if not isinstance(images, Tensor):
            return None
        size = tuple(images.shape[2:])
        _, tokens = self._records.get(EMBEDDING, [((), None)])[-1]
        if hasattr(self._embedding, 'dynamic_feat_size'):  # timm's
            size = self._embedding.dynamic_feat_size(size)
        elif isinstance(tokens, (tuple, list)):
            size = next(filter(is_size, tokens), size)
        return len(images), *size

    def _is_channels_last(self, module: nn.Module) -> Optional[bool]:
        """Whether maps of a module are (B, H, W, C); None if unknown."""
        if isinstance(module, CHANNELS_FIRST):
            return False
        for each in (module, self._embedding, self._network):
            if hasattr(each, 'output_fmt'):  # timm's
                return each.output_fmt == 'NHWC'
        parts = module.modules()
        is_first = any(isinstance(part, CHANNELS_FIRST) for part in parts)
        return False if is_first else None


def extra_tokens_of(network: nn.Module) -> int:
    """How many tokens of a network are no cells: class, registers, ..."""
    for name in ('num_extra_tokens', 'num_prefix_tokens'):
        if hasattr(network, name):  # mmpretrain's, timm's
            return getattr(network, name)
    kinds = type(network).__mro__
    is_mmseg = any(kind.__module__.startswith('mmseg.') for kind in kinds)
    # mmseg's ViT has a class token that it may leave out.
    is_used = getattr(network, 'with_cls_token', hasattr(network, 'cls_token'))
    return int(is_mmseg and is_used)


def to_grid(
    output: Any,
    inputs: Sequence[Any],
    in_channels: int,
    extra_tokens: int,
    image: Optional[Tuple[int, int, int]] = None,
    channels_last: Optional[bool] = None,
) -> Tensor:
    """The token grid in what a module put out.

    That is a map, (B, C, H, W) or (B, H, W, C), or tokens (B, N, C). Their
    (H, W) stands behind them in the output or among the module's inputs;
    failing these, they are square parts of the whole ``image``: the number
    of images, and height and width of one, in cells or in pixels. Of several
    candidates, the last with ``in_channels`` channels counts, of more than one
    cell where there is one. What a later layer changes in place is changed.

    Returns:
        Tensor: (B, C, H, W), a view where possible.

    Raises:
        UsageError: If there is no such grid in the output.
    """
    items = list(output) if isinstance(output, (tuple, list)) else [output]
    candidates = [*zip(items, [*items[1:], None])][::-1]
    # A class token beside its map comes last.
    candidates.sort(
        key=lambda pair: getattr(pair[0], 'shape', [])[1:-1] == (1,)
    )
    for item, follower in candidates:
        shape = tuple(getattr(item, 'shape', ()))
        if len(shape) == 4 and in_channels in (shape[1], shape[3]):
            if shape[1] != shape[3]:
                channels_last = shape[3] == in_channels
            if channels_last is None:
                raise UsageError(
                    f'{shape}, where channels may come first or last: take '
                    'images of another size, or name another module'
                )
            grid = item.permute(0, 3, 1, 2) if channels_last else item
            if image and not _is_map_of(image, grid):
                raise UsageError(
                    f'{shape}, which is no map of {image[0]} whole images of '
                    f'{image[1]} x {image[2]}: name a layer that sees them'
                )
            return grid
        if len(shape) == 3 and shape[2] == in_channels:
            hints = [*filter(is_size, (follower, *inputs))]
            size = _size_of_tokens(shape, extra_tokens, hints, image)
            tokens = item[:, shape[1] - prod(size) :]
            return tokens.transpose(1, 2).unflatten(2, size)
    found = [tuple(getattr(i, 'shape', ())) or type(i).__name__ for i in items]
    raise UsageError(
        f'{found}, which holds no token grid of in_channels={in_channels}'
    )


def _is_map_of(image: Tuple[int, int, int], grid: Tensor) -> bool:
    """Whether it has a map an image, of cells that are about square."""
    count, height, width = image
    number, _, rows, columns = grid.shape
    # What is cut off or filled up at the edges.
    row, column = 1 + rows // 8, 1 + columns // 8
    return (
        number == count
        and height * (columns - column) <= width * (rows + row)
        and width * (rows - row) <= height * (columns + column)
    )


def _size_of_tokens(
    shape: Sequence[int],
    extra_tokens: int,
    hints: List[Size],
    image: Optional[Tuple[int, int, int]],
) -> Size:
    """(H, W) of tokens (B, N, C), with or without the extra ones."""
    count, cells = shape[1], shape[1] - extra_tokens
    if image and image[0] == shape[0]:
        _, height, width = image
        hints = [*hints, (height, width)]
        sides = range(1, max(height, width) + 1)
        # What is left at the edges is cut off or filled up.
        squares = {(height // side, width // side) for side in sides}
        squares |= {(-(-height // side), -(-width // side)) for side in sides}
        hints += [size for size in squares if prod(size) == cells]
    for size in hints:
        if prod(size) in (count, cells) and cells > 0:
            return size[0], size[1]
    whole = f'{image[0]} images of {image[1]} x {image[2]}' if image else 'any'
    raise UsageError(
        f'{shape[0]} x {count} tokens without a shape; {cells} after the '
        f'extra tokens are no square parts of {whole}: name a source '
        'that returns its (H, W), or a layer that sees the whole image'
    )
