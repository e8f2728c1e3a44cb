"""How an image is prepared for a classifier, as plain values."""

from typing import Any, List, Optional, Tuple

from mmengine.config import Config

# What a program that has an image in memory does otherwise.
AROUND = ('LoadImage', 'LoadImageFromFile', 'PackInputs')

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
        options = dict(step)
        options.pop('_scope_', None)
        kind = options.pop('type').rpartition('.')[2]
        size = options.pop('crop_size' if kind == 'CenterCrop' else 'scale', 0)
        if isinstance(size, int) and kind != 'ResizeEdge':
            size = (size, size)
        how = [
            options.pop('backend', 'cv2'),
            options.pop('interpolation', 'bilinear'),
        ]
        if kind in AROUND:
            continue
        # The script of docs/deploy.md computes these by itself.
        is_known = how[0] == 'pillow' or how[1] in ('bilinear', 'bicubic')
        if options.pop('edge', 'short') != 'short' or options:
            return None
        if kind == 'CenterCrop':
            steps.append(('crop', tuple(size)))
        elif kind in ('Resize', 'ResizeEdge') and is_known:
            steps.append(('resize', size, *how))
        else:
            return None
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
