"""Reading token grids out of a backbone while it runs.

A tap is a forward hook that lives for one forward pass. It changes nothing
in the backbone, so any backbone will do, and nothing of it is left at
inference, in a copy or in a checkpoint.
"""

from fnmatch import fnmatchcase
from math import isqrt
from typing import (
    Any,
    Callable,
    Iterator,
    List,
    Optional,
    Sequence,
    Tuple,
    Union,
)

from torch import Tensor, nn

from mmdrloc.utils.errors import UsageError, nearest
from .arguments import is_size, names_of


def expand_sources(
    backbone: nn.Module, source: Union[str, Sequence[str]]
) -> List[str]:
    """Module paths that ``source`` names in the backbone.

    Args:
        backbone (nn.Module): Where the modules live.
        source (str | Sequence[str]): Paths such as 'stages.3', or globs such
            as 'stages.*.blocks.*', where a ``*`` stands within one component
            of the path.

    Returns:
        list[str]: Plain paths, in the order of the backbone's modules for
        each entry of ``source``.

    Raises:
        UsageError: If an entry names no module of the backbone.
    """
    names = [name for name, _ in backbone.named_modules() if name]
    paths = []
    for pattern in names_of('source', source):
        matches = [name for name in names if _matches(name, pattern)]
        if not matches:
            raise UsageError(
                f'source={pattern!r} names no module of '
                f'{type(backbone).__name__}; {_closest(names, pattern)}'
            )
        paths += matches
    return paths


def _matches(name: str, pattern: str) -> bool:
    """Component by component: fnmatch's own ``*`` would also cross dots."""
    parts, patterns = name.split('.'), pattern.split('.')
    return len(parts) == len(patterns) and all(
        map(fnmatchcase, parts, patterns)
    )


def _closest(names: List[str], pattern: str) -> str:
    near = nearest(pattern, names)
    top = [name for name in names if '.' not in name]
    return f'did you mean {near!r}?' if near else f'it has {top}'


class GridTap:
    """Collects the grids that the sources put out, for one forward pass.

    Args:
        backbone (nn.Module): The network to be tapped.
        sources (Sequence[str]): Module paths in it; no globs.
        in_channels (Sequence[int]): C of each source's grid.

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
        self._backbone = backbone
        self._sources = list(sources)
        self._in_channels = list(in_channels)
        self._records = {}
        self._handles = []

    def __enter__(self) -> 'GridTap':
        modules = dict(self._backbone.named_modules())
        for source in self._sources:
            self._handles.append(
                modules[source].register_forward_hook(self._make_hook(source))
            )
        return self

    def __exit__(self, *exc_info: Any) -> None:
        for handle in self._handles:
            handle.remove()

    def _make_hook(self, source: str) -> Callable:

        # It only keeps what passes, and asks for no keyword arguments: so
        # torch.compile can trace it, and does so once for all steps.
        def hook(module: nn.Module, inputs: tuple, output: Any) -> None:
            self._records[source] = (inputs, output)

        return hook

    def grids(self) -> List[Tensor]:
        """The grids, (B, C, H, W), one a source.

        Raises:
            UsageError: If a source was not run in the forward pass, or put
                out no token grid.
        """
        return [
            self._grid(source, channels)
            for source, channels in zip(self._sources, self._in_channels)
        ]

    def _grid(self, source: str, in_channels: int) -> Tensor:
        if source not in self._records:
            raise UsageError(
                f'source {source!r} did not run in the forward pass of '
                f'{type(self._backbone).__name__}; name one that does'
            )
        inputs, output = self._records[source]
        try:
            return to_grid(
                output,
                inputs,
                in_channels,
                num_extra_tokens(self._backbone),
                getattr(self._backbone, 'image_grid', None),
            )
        except UsageError as error:
            module = self._backbone.get_submodule(source)
            raise UsageError(
                f'source {source!r} ({type(module).__name__}) {error}'
            ) from None


def num_extra_tokens(backbone: nn.Module) -> int:
    """Class and distillation tokens that stand before the grid's tokens."""
    timm_model = getattr(backbone, 'timm_model', None)
    if timm_model is not None:
        return getattr(timm_model, 'num_prefix_tokens', 0)
    return getattr(backbone, 'num_extra_tokens', 0)


def to_grid(
    output: Any,
    inputs: Sequence[Any],
    in_channels: int,
    extra_tokens: int,
    image_grid: Optional[Tuple[int, int]] = None,
) -> Tensor:
    """The token grid in what a module put out.

    Understood are maps, (B, C, H, W) or (B, H, W, C), and tokens (B, N, C)
    whose (H, W) stands behind them in the output, or among the module's
    inputs, or is what the network says, or, as a last resort, is square. Of
    several, the last with ``in_channels`` channels is taken.

    Args:
        output (Any): What the module returned.
        inputs (Sequence[Any]): What it was given.
        in_channels (int): C.
        extra_tokens (int): Class and distillation tokens before the grid's.
        image_grid (tuple[int, int], optional): (H, W) of the whole image.

    Returns:
        Tensor: (B, C, H, W), a view where possible.

    Raises:
        UsageError: If there is no such grid in the output.
    """
    for tensor, shape in reversed(list(_tensors_with_shapes(output))):
        if tensor.dim() == 4 and tensor.shape[1] == in_channels:
            return tensor
        if tensor.dim() == 4 and tensor.shape[3] == in_channels:
            return tensor.permute(0, 3, 1, 2)
        if tensor.dim() == 3 and tensor.shape[2] == in_channels:
            height, width = shape or _shape_of_tokens(
                tensor.shape[1], inputs, extra_tokens, image_grid
            )
            tokens = tensor[:, tensor.shape[1] - height * width :]
            return tokens.transpose(1, 2).unflatten(2, (height, width))
    raise UsageError(
        f'returned {_describe(output)}, which holds no token '
        f'grid of in_channels={in_channels}'
    )


def _tensors_with_shapes(
    output: Any,
) -> Iterator[Tuple[Tensor, Optional[Tuple[int, int]]]]:
    """Tensors of an output, each with the (H, W) that stands behind it."""
    items = list(output) if isinstance(output, (tuple, list)) else [output]
    for item, follower in zip(items, items[1:] + [None]):
        if isinstance(item, Tensor):
            yield item, (tuple(follower) if is_size(follower) else None)


def _shape_of_tokens(
    count: int,
    inputs: Sequence[Any],
    extra_tokens: int,
    image_grid: Optional[Tuple[int, int]],
) -> Tuple[int, int]:
    """(H, W) of ``count`` tokens that came without a shape."""
    for value in inputs:
        if is_size(value) and value[0] * value[1] == count:
            return tuple(value)
    cells = count - extra_tokens
    if image_grid is not None:
        height, width = image_grid
        if height * width == cells:
            return image_grid
        raise UsageError(
            f'returned {cells} cells of an image that has {height}x{width}: '
            'name a layer that sees the whole image, one of out_indices'
        )
    side = isqrt(max(cells, 0))
    if side == 0 or side * side != cells:
        raise UsageError(
            f'returned {count} tokens without a shape: {cells} of them after '
            f'{extra_tokens} extra tokens, which is not the square of a '
            'number; name a source that returns its (H, W)'
        )
    return side, side


def _describe(output: Any) -> str:
    if isinstance(output, Tensor):
        return f'a tensor of shape {tuple(output.shape)}'
    if isinstance(output, (tuple, list)):
        return f'({", ".join(map(_describe, output))})'
    return repr(output) if isinstance(output, int) else type(output).__name__
