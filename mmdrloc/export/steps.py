"""How an image is prepared for a classifier, as plain values."""

from typing import Any, List, Optional, Tuple

from mmengine.config import Config

# What a program that has an image in memory does otherwise.
AROUND = ('LoadImage', 'LoadImageFromFile', 'PackInputs')
# OpenCV's, which the script of docs/deploy.md computes by itself.
CURVES = ('bilinear', 'bicubic')

# ('resize', short side or (width, height), backend, interpolation)
# ('crop', (width, height))
Step = Tuple[Any, ...]


def steps_of(cfg: Config) -> Optional[List[Step]]:
    """The steps between loading an image and handing it to the network.

    Args:
        cfg (Config): Of a training, or a published one.

    Returns:
        list[tuple], optional: Those of the test: ('resize', the length of
        the short side or (width, height), 'cv2' or 'pillow', interpolation)
        and ('crop', (width, height)), from the middle. None if it has
        others.
    """
    dataset = (cfg.get('test_dataloader') or {}).get('dataset') or {}
    steps = []
    for step in dataset.get('pipeline', ()):
        kind = step['type'].rpartition('.')[2]
        if kind in AROUND:
            continue
        said = {k: v for k, v in step.items() if k not in ('type', '_scope_')}
        known = _step(kind, **said)
        if known is None:
            return None
        steps.append(known)
    return steps


def size_of(steps: Optional[List[Step]]) -> Optional[Tuple[int, int]]:
    """Height and width after the steps.

    Args:
        steps (list[tuple], optional): From :func:`steps_of`.

    Returns:
        tuple[int, int], optional: None if they depend on the image.
    """
    if not steps or isinstance(steps[-1][1], int):
        return None
    width, height = steps[-1][1]
    return height, width


def _step(
    kind: str,
    scale: Any = None,
    crop_size: Any = None,
    edge: str = 'short',
    backend: str = 'cv2',
    interpolation: str = 'bilinear',
    **others: Any,
) -> Optional[Step]:
    size = crop_size if kind == 'CenterCrop' else scale
    if isinstance(size, int) and kind != 'ResizeEdge':
        size = (size, size)
    if others or size is None or edge != 'short':
        return None
    if kind == 'CenterCrop':
        return 'crop', tuple(size)
    if backend == 'cv2' and interpolation not in CURVES:
        return None
    if kind == 'ResizeEdge':
        return 'resize', size, backend, interpolation
    if kind == 'Resize':
        return 'resize', tuple(size), backend, interpolation
    return None
