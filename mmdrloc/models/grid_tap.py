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
    Iterable,
    List,
    Optional,
    Sequence,
    Tuple,
    Union,
)

from torch import Tensor, nn

from mmdrloc.utils.errors import UsageError, nearest
from .arguments import is_size


def expand_sources(
    backbone: nn.Module, source: Union[str, Sequence[str]]
) -> List[str]:
    """Module paths that ``source`` names in the backbone.

    Args:
        backbone (nn.Module): Where the modules live.
        source (str | Sequence[str]): Paths such as 'stages.3', or globs such
            as 'stages.*.blocks.*', where a ``*`` stands within one component
            of the path; of each, matches come in the order of the modules.

    Raises:
        UsageError: If an entry names no module of the backbone.
    """
    names = [name for name, _ in backbone.named_modules() if name]
    paths = []
    for pattern in source if isinstance(source, (list, tuple)) else [source]:
        matches = [name for name in names if _matches(name, str(pattern))]
        if not matches:
            near = nearest(str(pattern), names)
            top = [name for name in names if '.' not in name]
            raise UsageError(
                f'source={pattern!r} names no module of '
                f'{type(backbone).__name__}; '
                + (f'did you mean {near!r}?' if near else f'it has {top}')
            )
        paths += matches
    return paths


def _matches(name: str, pattern: str) -> bool:
    """Component by component: fnmatch's own ``*`` would also cross dots."""
    parts, patterns = name.split('.'), pattern.split('.')
    return len(parts) == len(patterns) and all(
        map(fnmatchcase, parts, patterns)
    )


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
        self._channels = list(zip(sources, in_channels))
        self._records = {}
        self._handles = []

    def __enter__(self) -> 'GridTap':
        for source, _ in self._channels:
            module = self._backbone.get_submodule(source)
            hook = self._make_hook(source)
            self._handles.append(module.register_forward_hook(hook))
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
        return [self._grid(*pair) for pair in self._channels]

    def _grid(self, source: str, in_channels: int) -> Tensor:
        if source not in self._records:
            raise UsageError(
                f'source {source!r} did not run in the forward pass of '
                f'{type(self._backbone).__name__}; name one that does'
            )
        inputs, output = self._records[source]
        network = getattr(self._backbone, 'timm_model', self._backbone)
        extra_tokens = getattr(network, 'num_prefix_tokens', 0)  # timm's name
        try:
            return to_grid(
                output,
                inputs,
                in_channels,
                getattr(network, 'num_extra_tokens', extra_tokens),
                getattr(network, 'image_grid', None),
            )
        except UsageError as error:
            kind = type(self._backbone.get_submodule(source)).__name__
            message = f'source {source!r} ({kind}) returned {error}'
            raise UsageError(message) from None


def to_grid(
    output: Any,
    inputs: Sequence[Any],
    in_channels: int,
    extra_tokens: int,
    image_grid: Optional[Tuple[int, int]] = None,
) -> Tensor:
    """The token grid in what a module put out.

    That is a map, (B, C, H, W) or (B, H, W, C), or tokens (B, N, C). Their
    (H, W) stands behind them in the output, among the module's inputs or in
    the network; failing these, the grid is square. Of several candidates, the
    last with ``in_channels`` channels counts.

    ``extra_tokens`` (class, distillation) stand before the grid's;
    ``image_grid`` is (H, W) of the whole image. Gives (B, C, H, W), a view
    where possible.

    Raises:
        UsageError: If there is no such grid in the output.
    """
    items = list(output) if isinstance(output, (tuple, list)) else [output]
    for item, follower in reversed(list(zip(items, [*items[1:], None]))):
        shape = tuple(getattr(item, 'shape', ()))
        if len(shape) == 4 and shape[1] == in_channels:
            return item
        if len(shape) == 4 and shape[3] == in_channels:
            return item.permute(0, 3, 1, 2)
        if len(shape) == 3 and shape[2] == in_channels:
            cells = shape[1] - extra_tokens
            side = isqrt(max(cells, 0))
            hints = (follower, *inputs, image_grid or (side, side))
            height, width = _shape_of_tokens(shape[1], cells, hints)
            tokens = item[:, shape[1] - height * width :]
            return tokens.transpose(1, 2).unflatten(2, (height, width))
    found = [tuple(getattr(i, 'shape', ())) or type(i).__name__ for i in items]
    raise UsageError(
        f'{found}, which holds no token grid of in_channels={in_channels}'
    )


def _shape_of_tokens(
    count: int, cells: int, hints: Iterable[Any]
) -> Tuple[int, int]:
    """(H, W) of so many tokens, with or without the extra ones."""
    for size in filter(is_size, hints):
        if size[0] * size[1] in (count, cells) and cells > 0:
            return tuple(size)
    raise UsageError(
        f'{count} tokens without a shape; {cells} of them after the extra '
        f'tokens are no {" x ".join(map(str, size))} cells: name a source '
        'that returns its (H, W), or a layer that sees the whole image'
    )
