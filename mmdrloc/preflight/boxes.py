"""Boxes of objects that no detector can learn from."""

from typing import Any, List, NamedTuple, Sequence, Tuple

import numpy as np

from .findings import few

# Of many thousand objects a few have no area, in COCO's own files too: mmdet
# leaves them out. A larger share is a fault.
FEW = 0.001
# Pixels by which a box may reach beyond its image through rounding.
ROUNDING = 2


class Boxes(NamedTuple):
    """Objects of a data set.

    Args:
        names (Sequence): What to call each one.
        xywh (np.ndarray): (N, 4): left, top, width, height in pixels.
        areas (np.ndarray): (N, ).
        sizes (np.ndarray): (N, 2): width and height of each one's image.
    """

    names: Sequence[Any]
    xywh: np.ndarray
    areas: np.ndarray
    sizes: np.ndarray


def check_boxes(
    place: str, boxes: Boxes
) -> Tuple[List[str], List[str], np.ndarray]:
    """Look for boxes that are none.

    Args:
        place (str): Begins each sentence.
        boxes (Boxes): The objects.

    Returns:
        tuple: Findings, notes, and for each object whether it is used.
    """
    findings, notes = [], []
    count = len(boxes.names)
    if not count:
        return findings, notes, np.zeros(0, bool)
    xywh = boxes.xywh
    finite = np.isfinite(xywh).all(axis=1) & np.isfinite(boxes.areas)
    known = np.where(finite[:, None], xywh, 1.0)
    negative = finite & (known[:, 2:] < 0).any(axis=1)
    # As mmdet does it. Boxes in parts of the image instead of pixels too.
    flat = (known[:, 2:] < 1).any(axis=1) | (boxes.areas <= 0)
    flat &= finite & ~negative
    first, last = known[:, :2], known[:, :2] + known[:, 2:]
    away = (first >= boxes.sizes).any(axis=1) | (last <= 0).any(axis=1)
    away &= finite & ~negative & ~flat
    beyond = (first < -ROUNDING) | (last > boxes.sizes + ROUNDING)
    beyond = beyond.any(axis=1) & finite & ~negative & ~flat & ~away

    def say(fault: np.ndarray, what: str) -> str:
        which = few([boxes.names[at] for at in np.flatnonzero(fault)])
        return f'{place}: {fault.sum()} of {count} objects {what} ({which})'

    for fault, what, remedy in (
        (
            finite == 0,
            'have NaN or infinity in their box or area',
            'correct them',
        ),
        (
            negative,
            'have a box of negative width or height',
            'boxes are [x, y, width, height]',
        ),
    ):
        if fault.any():
            findings.append(f'{say(fault, what)}: {remedy}.')
    for fault, what in (
        (flat, 'have no area or a box thinner than one pixel'),
        (away, 'have a box outside their image'),
    ):
        if fault.sum() > FEW * count:
            findings.append(f'{say(fault, what)}: correct or remove them.')
        elif fault.any():
            notes.append(f'{say(fault, what)} and are left out.')
    if beyond.any():
        notes.append(
            f'{say(beyond, "reach beyond their image")}: boxes are '
            '[x, y, width, height].'
        )
    return findings, notes, finite & ~negative & ~flat & ~away
