"""What a network has beyond the one that its weights were trained in.

Detectors and segmentors add norms to the outputs of a backbone, offsets to
convolutions, attention inside blocks: none of it can be in the file that they
start from. It is told by where it stands, not by a list for each config.
"""

import re
from typing import Dict, List, Mapping, Sequence, Set, Tuple

from torch import Tensor, nn

# mmdet's SSD goes on in the list of layers that VGG-16 begins.
CONTINUED = {'SSDVGG': ('features.31.', 'features.33.')}


def additions(
    module: nn.Module,
    weights: Mapping[str, Tensor],
    missing: Sequence[str],
) -> List[str]:
    """Which of the tensors that did not come need not have come.

    That is a norm of the outputs; and a part whose name is nowhere in the
    file, unless it is a parameter of the network itself, what comes first in
    it, one more of several that came, or may be there under another name.

    Args:
        module (nn.Module): What starts from the weights.
        weights (Mapping[str, Tensor]): By the names of the module, also
            those that it has no place for.
        missing (Sequence[str]): Names of tensors of the module.

    Returns:
        list[str]: Some of the missing ones; none where less than half came.
    """
    own = module.state_dict()
    if 2 * len([name for name in own if name in weights]) < len(own):
        return []
    paths = {path for name in weights for path in _paths(name)}
    words = {word for name in weights for word in name.split('.')}
    left = {t.shape for name, t in weights.items() if name not in own}
    modules = dict(module.named_modules())
    first = next((name for name, _ in module.named_children()), None)
    found = []
    for name in missing:
        root = next(path for path in _paths(name) if path not in paths)
        top, _, inside = root.partition('.')
        word = root.rpartition('.')[2]
        is_renamed = own[name].dim() > 1 and own[name].shape in left
        is_new = (
            word not in words
            and not _is_one_more(root, paths)
            and not is_renamed
            and root != first
            and (inside or root in modules)
        )
        continued = CONTINUED.get(type(module).__name__, ())
        if (
            is_new
            or (top in modules and _are_norms(modules[top]))
            or name.startswith(tuple(continued))
        ):
            found.append(name)
    return found


def layers_of_classes(
    module: nn.Module,
    weights: Mapping[str, Tensor],
    mismatched: Sequence[str],
) -> List[str]:
    """Layers of heads that are of another number of classes.

    All tensors of such a layer differ, and in the number of outputs alone.

    Args:
        module (nn.Module): A whole model.
        weights (Mapping[str, Tensor]): By the names of the module.
        mismatched (Sequence[str]): Names of tensors of other shapes.

    Returns:
        list[str]: Some of these names.
    """
    own = module.state_dict()
    layers: Dict[str, List[str]] = {}
    for name in own:
        layers.setdefault(name.rpartition('.')[0], []).append(name)
    return [
        name
        for name in mismatched
        if 'head' in name.rpartition('.')[0]
        and all(
            other in mismatched
            and own[other].shape[1:] == weights[other].shape[1:]
            for other in layers[name.rpartition('.')[0]]
        )
    ]


def repeated(
    module: nn.Module,
    weights: Mapping[str, Tensor],
    unexpected: Sequence[str],
) -> List[str]:
    """What there is more of in a file than in the module.

    Args:
        module (nn.Module): What starts from the weights.
        weights (Mapping[str, Tensor]): By the names of the module.
        unexpected (Sequence[str]): Names that the module does not have.

    Returns:
        list[str]: Those of blocks like others that came: the file is of a
        deeper network.
    """
    own = module.state_dict()
    blocks: Dict[str, Dict[str, Tuple[int, ...]]] = {}
    for name, tensor in weights.items():
        for path in _paths(name)[:-1]:
            if re.search(r'\d$', path):
                inside = name[len(path) + 1 :]
                blocks.setdefault(path, {})[inside] = tuple(tensor.shape)
    paths = {path for name in own for path in _paths(name)}
    came = [path for path in blocks if path in paths]
    more = {
        path
        for path in blocks
        if path not in paths
        and any(
            blocks[path] == blocks[other]
            for other in came
            if re.sub(r'\d+$', '', other) == re.sub(r'\d+$', '', path)
        )
    }
    return [n for n in unexpected if not more.isdisjoint(_paths(n))]


def _paths(name: str) -> List[str]:
    """A name and what it is inside of, the outermost first."""
    words = name.split('.')
    return ['.'.join(words[:end]) for end in range(1, len(words) + 1)]


def _is_one_more(root: str, paths: Set[str]) -> bool:
    """Whether others of the same kind came: the file has fewer of them."""
    match = re.fullmatch(r'(.*?)\d+', root)
    if match is None:
        return False
    sibling = re.compile(re.escape(match[1]) + r'\d+')
    return any(sibling.fullmatch(path) for path in paths)


def _are_norms(module: nn.Module) -> bool:
    """Whether there is nothing but norms that keep no statistics."""
    leaves = [m for m in module.modules() if not any(m.children())]
    return all(
        'Norm' in type(leaf).__name__ and not any(True for _ in leaf.buffers())
        for leaf in leaves
    )
