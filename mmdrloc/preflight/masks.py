"""Masks of objects: polygons and run lengths."""

from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from .boxes import FEW
from .coco_file import CocoFile, is_number
from .findings import few
from .images import evenly_spaced

# Compressed run lengths that are decoded.
MOST_DECODED = 2000
# Points further away than this many sizes of the image: pycocotools draws an
# outline of any length, and ends the process where the memory ends.
FARTHEST = 10
FAR = 'reaches far beyond its image'


def check_masks(place: str, coco: CocoFile) -> Tuple[List[str], List[str]]:
    """Look for masks that are missing or broken.

    Args:
        place (str): Begins each sentence.
        coco (CocoFile): The annotations.

    Returns:
        tuple[list[str], list[str]]: Findings and notes.
    """
    faults: Dict[str, List[Any]] = {}
    packed = []
    objects = [a for a in coco.annotations if not a.get('ignore')]
    for annotation in objects:
        mask = annotation.get('segmentation')
        image = coco.images[annotation['image_id']]
        fault = _fault_of(mask, (image['height'], image['width']))
        if fault:
            faults.setdefault(fault, []).append(annotation['id'])
        elif isinstance(mask, dict) and isinstance(mask['counts'], str):
            packed.append(annotation)
    for annotation in evenly_spaced(packed, MOST_DECODED):
        mask = annotation['segmentation']
        if _length(mask['counts']) != mask['size'][0] * mask['size'][1]:
            fault = 'has broken run lengths'
            faults.setdefault(fault, []).append(annotation['id'])
    findings, notes = [], []
    for fault, ids in faults.items():
        said = (
            f'{place}: of {len(ids)} of {len(objects)} objects the '
            f'`segmentation` {fault} (ids {few(ids)})'
        )
        if fault == FAR or len(ids) > FEW * len(objects):
            findings.append(
                f'{said}: correct it, remove them, or train without masks '
                '(with_mask=False and no mask head).'
            )
        else:
            notes.append(f'{said} and is left out.')
    return findings, notes


def _fault_of(mask: Any, size: Tuple[int, int]) -> Optional[str]:
    if not mask:
        return 'is missing or empty'
    if isinstance(mask, list):
        return _fault_of_polygons(mask, max(size))
    if not isinstance(mask, dict) or not {'size', 'counts'} <= set(mask):
        return 'is neither a list of polygons nor run lengths'
    if mask['size'] != list(size) or float in map(type, mask['size']):
        return 'has another size than its image'
    counts = mask['counts']
    if isinstance(counts, str):
        return None if counts else 'has broken run lengths'
    whole = isinstance(counts, list) and all(
        isinstance(n, int) and n >= 0 for n in counts
    )
    if not whole or sum(counts) != size[0] * size[1]:
        return 'has broken run lengths'
    return None


def _fault_of_polygons(polygons: List[Any], size: int) -> Optional[str]:
    for polygon in polygons:
        if not isinstance(polygon, list) or not all(map(is_number, polygon)):
            return 'is no list of polygons [x1, y1, x2, y2, ...]'
        if len(polygon) < 6 or len(polygon) % 2:
            return 'has fewer than three points or an odd count of numbers'
        if not np.isfinite(polygon).all():
            return 'has NaN or infinity in it'
        if np.abs(polygon).max() > FARTHEST * size:
            return FAR
    return None


def _length(counts: str) -> int:
    """How many pixels compressed run lengths describe; -1 if they break off.

    Six bits a character: five of the number, low ones first, and whether
    more follow; from the fourth run on, differences to the run before last.
    """
    runs: List[int] = []
    value = shift = 0
    for character in counts:
        bits = ord(character) - 48
        if not 0 <= bits < 64:
            return -1
        value |= (bits & 31) << shift
        shift += 5
        if bits & 32:
            continue
        if bits & 16:
            value -= 1 << shift
        if len(runs) > 2:
            value += runs[-2]
        if value < 0:
            return -1
        runs.append(value)
        value = shift = 0
    return -1 if shift else sum(runs)
