"""Check of an annotation file in COCO's format."""

import json
import math
from collections import Counter
from numbers import Real
from pathlib import Path
from typing import Any, Dict, Iterator, List, Sequence, Tuple, Union

from mmdrloc.utils.errors import cause, few

# Of many thousand objects a few are flawed, in COCO's own files too: mmdet
# leaves them out. A larger share is a fault.
FEW = 0.001
# pycocotools draws an outline of any length, and ends the process where the
# memory ends: points may be this many sizes of the image away.
FARTHEST = 10


def read_coco(
    path: Union[str, Path],
    needs_annotations: bool = True,
    needs_masks: bool = False,
) -> Tuple[List[str], List[str]]:
    """Read an annotation file and look for what mmdet would pass over.

    Args:
        path (str | Path): The JSON file.
        needs_annotations (bool): Whether a list of images without answers
            will not do. Defaults to True.
        needs_masks (bool): Whether objects need outlines. Defaults to False.

    Returns:
        tuple[list[str], list[str]]: The names of the categories in the order
        of the file, and one sentence for each problem.
    """
    try:
        content = json.loads(Path(path).read_bytes())
    except OSError as error:
        return [], [f'{path} cannot be read ({error.strerror}).']
    except (ValueError, RecursionError) as error:
        return [], [
            f'{path} is no JSON ({error}): it may have been cut off, write '
            'or copy it again.'
        ]
    try:
        if not needs_annotations:
            content.setdefault('annotations', [])
        problems = list(_problems(content, needs_annotations, needs_masks))
        names = [str(entry['name']) for entry in content['categories']]
    except Exception as error:  # in whatever way it is made otherwise
        return [], [
            f'{path} is not in COCO format, a dict of lists `images`, '
            f'`annotations` and `categories`: {cause(error)}.'
        ]
    return names, [f'{path}: {problem}.' for problem in problems]


def _problems(
    content: Dict[str, Any], needs_annotations: bool, needs_masks: bool
) -> Iterator[str]:
    parts = ('images', 'annotations', 'categories')
    for part, key in [*((p, 'id') for p in parts), ('categories', 'name')]:
        counts = Counter(entry[key] for entry in content[part])
        twice = [value for value, number in counts.items() if number > 1]
        if twice:
            yield (
                f'{part} share the {key} {few(twice)}: give each one of its '
                'own'
            )
    wrong = [e['id'] for e in content['images'] if not _is_image(e)]
    if wrong:
        yield (
            f'{len(wrong)} images have no file_name, or no width and height '
            f'above 0 (ids {few(wrong)}): correct them'
        )
        return
    images = {entry['id']: entry for entry in content['images']}
    categories = {entry['id'] for entry in content['categories']}
    objects = [a for a in content['annotations'] if not a.get('ignore')]
    faults: Dict[str, List[Any]] = {}
    for entry in objects:
        image = images.get(entry['image_id'])
        fault = _fault(entry, image, categories, needs_masks)
        if fault:
            faults.setdefault(fault, []).append(entry['id'])
    for fault, ids in faults.items():
        if len(ids) > FEW * len(objects):
            yield (
                f'{len(ids)} of {len(objects)} objects {fault} (ids '
                f'{few(ids)}): correct or remove them'
            )
    if needs_annotations and not objects:
        yield 'there is no annotation: give the file of the instances'
    elif needs_annotations and all(a.get('iscrowd') == 1 for a in objects):
        yield (
            'there are crowds only (iscrowd=1), which are not learned from: '
            'mark single objects with iscrowd=0'
        )


def _is_image(entry: Dict[str, Any]) -> bool:
    size = [entry['width'], entry['height']]
    has_name = isinstance(entry['file_name'], str) and entry['file_name']
    return bool(has_name) and _are_numbers(size) and min(size) > 0


def _are_numbers(values: Sequence[Any]) -> bool:
    """Whether values of JSON count; True, '3', NaN and infinity do not."""
    return isinstance(values, list) and all(
        isinstance(v, Real) and not isinstance(v, bool) and math.isfinite(v)
        for v in values
    )


def _fault(entry: dict, image: Any, categories: set, needs_mask: bool) -> str:
    """What is wrong with an object; '' if nothing."""
    if image is None:
        return 'have an image_id that no image has'
    if entry['category_id'] not in categories:
        return 'have a category_id that no category has'
    if entry.get('iscrowd') not in (None, 0, 1):
        return 'have an `iscrowd` that is neither 0 nor 1'
    box, area = entry.get('bbox'), entry.get('area')
    if not _are_numbers(box) or len(box) != 4:
        return 'have no `bbox` of four finite numbers'
    if not _are_numbers([area]):
        return 'have no finite `area`'
    x, y, width, height = box
    if min(width, height) < 1 or area <= 0:
        return 'have no area, or a box thinner than one pixel'
    if not (-width < x < image['width'] and -height < y < image['height']):
        return 'have a box outside their image'
    if not needs_mask or _is_mask(entry.get('segmentation'), image):
        return ''
    return (
        'have no `segmentation` that can be drawn: polygons of three points '
        "or more near the image, or run lengths of the image's size"
    )


def _is_mask(mask: Any, image: Dict[str, Any]) -> bool:
    size = [image['height'], image['width']]
    if not isinstance(mask, dict):
        return bool(mask) and all(
            _are_numbers(polygon)
            and len(polygon) >= 6
            and len(polygon) % 2 == 0
            and max(map(abs, polygon)) <= FARTHEST * max(size)
            for polygon in mask
        )
    # Run lengths, which pycocotools reads without looking.
    from pycocotools import mask as api  # detection alone needs it

    try:
        counts = mask['counts']
        if isinstance(counts, list):
            fits = sum(counts) == math.prod(size) and min(counts) >= 0
        else:
            fits = api.decode(dict(mask, counts=counts.encode())).max() <= 1
    except Exception:  # whatever broken run lengths meet
        return False
    return bool(fits) and mask.get('size') == size
