"""An annotation file in COCO's format, and what is wrong with it."""

import json
from collections import Counter
from dataclasses import dataclass
from numbers import Real
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple, Union

from mmdrloc.utils.errors import few

PARTS = ('images', 'annotations', 'categories')
NEEDED = dict(
    images=('id', 'file_name', 'width', 'height'),
    annotations=('id', 'image_id', 'category_id'),
    categories=('id', 'name'),
)
# Of many thousand objects a few are flawed, in COCO's own files too: mmdet
# leaves them out. A larger share is a fault.
FEW = 0.001
# pycocotools draws an outline of any length, and ends the process where the
# memory ends: points may be this many sizes of the image away.
FARTHEST = 10


@dataclass
class CocoFile:
    """What an annotation file holds.

    Args:
        images (dict): Each image's entry by its id.
        categories (dict): Names by id, in the order of the file.
        annotations (list[dict]): One entry each.
    """

    images: Dict[Any, Dict[str, Any]]
    categories: Dict[Any, str]
    annotations: List[Dict[str, Any]]


def read_coco(
    path: Union[str, Path],
    needs_annotations: bool = True,
    needs_masks: bool = False,
) -> Tuple[CocoFile, List[str]]:
    """Read an annotation file and look at how it is made.

    Args:
        path (str | Path): The JSON file.
        needs_annotations (bool): Whether a list of images without answers
            will not do. Defaults to True.
        needs_masks (bool): Whether objects need outlines. Defaults to False.

    Returns:
        tuple[CocoFile, list[str]]: What it holds, if it can be read, and
        one sentence for each problem.
    """
    nothing = CocoFile({}, {}, [])
    try:
        content = json.loads(Path(path).read_bytes())
    except OSError as error:
        return nothing, [f'{path} cannot be read ({error.strerror}).']
    except (ValueError, RecursionError) as error:
        return nothing, [
            f'{path} is no JSON ({error}): it may have been cut off, write '
            'or copy it again.'
        ]
    if isinstance(content, dict) and not needs_annotations:
        content.setdefault('annotations', [])
    problem = _wrong_form(content)
    if problem:
        return nothing, [f'{path} is not in COCO format: {problem}.']
    coco = CocoFile(
        {image['id']: image for image in content['images']},
        {entry['id']: entry['name'] for entry in content['categories']},
        content['annotations'],
    )
    problems = _repeated(content)
    problems += _bad_objects(coco, needs_annotations, needs_masks)
    return coco, [f'{path}: {problem}.' for problem in problems]


def _wrong_form(content: Any) -> Optional[str]:
    """What keeps a file from being read at all."""
    if not isinstance(content, dict):
        return f'it holds a {type(content).__name__}, expected is a dict'
    for part in PARTS:
        entries = content.get(part)
        if part not in content:
            return f'it has no `{part}`: give the file of the instances'
        if not isinstance(entries, list) or not all(
            isinstance(entry, dict) for entry in entries
        ):
            return f'its `{part}` are no list of dicts'
        for key in NEEDED[part]:
            wrong = [
                at
                for at, e in enumerate(entries)
                if not _fits(key, e.get(key))
            ]
            if wrong:
                return (
                    f'{len(wrong)} of {len(entries)} {part} have no `{key}`, '
                    f'or one that cannot be (numbers {few(wrong)})'
                )
    return None


def _fits(key: str, value: Any) -> bool:
    """Whether a value is of the type of its key."""
    if key in ('file_name', 'name'):
        return isinstance(value, str) and bool(value)
    if key in ('width', 'height'):
        return is_number(value) and value > 0
    # Ids of images may be names.
    return isinstance(value, (int, str)) and not isinstance(value, bool)


def is_number(value: Any) -> bool:
    """Whether a value of JSON counts; True, '3' and NaN do not."""
    is_real = isinstance(value, Real) and not isinstance(value, bool)
    return is_real and abs(value) < 2**53  # which NaN is not


def _repeated(content: Dict[str, Any]) -> List[str]:
    """Ids and names given twice."""
    problems = []
    for part, key in [(p, 'id') for p in PARTS] + [('categories', 'name')]:
        counts = Counter(entry[key] for entry in content[part])
        twice = [value for value, n in counts.items() if n > 1]
        if twice:
            problems.append(
                f'{part} share the {key} {few(twice)}: give each one of its '
                'own'
            )
    return problems


def _bad_objects(
    coco: CocoFile, needs_annotations: bool, needs_masks: bool
) -> List[str]:
    """Faults of single annotations, each kind said once."""
    objects = [a for a in coco.annotations if not a.get('ignore')]
    faults: Dict[str, List[Any]] = {}
    for entry in objects:
        fault = _fault(coco, entry) or (
            needs_masks and _fault_of_mask(coco, entry)
        )
        if fault:
            faults.setdefault(fault, []).append(entry['id'])
    problems = [
        f'{len(ids)} of {len(objects)} objects {fault} (ids {few(ids)}): '
        'correct or remove them'
        for fault, ids in faults.items()
        if len(ids) > FEW * len(objects)
    ]
    if needs_annotations and not objects:
        problems.append(
            'there is no annotation: give the file of the instances'
        )
    elif needs_annotations and all(a.get('iscrowd') == 1 for a in objects):
        problems.append(
            'there are crowds only (iscrowd=1), which are not learned from: '
            'mark single objects with iscrowd=0'
        )
    return problems


def _fault(coco: CocoFile, entry: Dict[str, Any]) -> Optional[str]:
    if entry['image_id'] not in coco.images:
        return 'have an image_id that no image has'
    if entry['category_id'] not in coco.categories:
        return 'have a category_id that no category has'
    if entry.get('iscrowd') not in (None, 0, 1):
        return 'have an `iscrowd` that is neither 0 nor 1'
    box = entry.get('bbox')
    if not isinstance(box, list) or len(box) != 4:
        return 'have no `bbox` of four numbers'
    if not all(map(is_number, box)):
        return 'have a `bbox` with NaN, infinity or no numbers in it'
    if box[2] < 0 or box[3] < 0:
        return 'have a box of negative width or height'
    if not is_number(entry.get('area')):
        return 'have no finite `area`'
    if min(box[2], box[3]) < 1 or entry['area'] <= 0:
        return 'have no area, or a box thinner than one pixel'
    image = coco.images[entry['image_id']]
    inside = (
        box[0] < image['width']
        and box[1] < image['height']
        and box[0] + box[2] > 0
        and box[1] + box[3] > 0
    )
    return None if inside else 'have a box outside their image'


def _fault_of_mask(coco: CocoFile, entry: Dict[str, Any]) -> Optional[str]:
    mask = entry.get('segmentation')
    image = coco.images[entry['image_id']]
    if not mask:
        return 'have no `segmentation`'
    if isinstance(mask, dict):
        return _fault_of_runs(mask, image)
    size = FARTHEST * max(image['width'], image['height'])
    for polygon in mask if isinstance(mask, list) else [None]:
        if not isinstance(polygon, list) or not all(map(is_number, polygon)):
            return 'have no list of polygons with finite numbers'
        if len(polygon) < 6 or len(polygon) % 2:
            return 'have a polygon of fewer than three points'
        if max(map(abs, polygon)) > size:
            return 'have a polygon that reaches far beyond its image'
    return None


def _fault_of_runs(mask: Dict, image: Dict) -> Optional[str]:
    """Run lengths, which pycocotools reads without looking."""
    from pycocotools import mask as api  # detection alone needs it

    height, width = image['height'], image['width']
    if mask.get('size') != [height, width]:
        return 'have run lengths for another size than that of their image'
    counts = mask.get('counts')
    try:
        if isinstance(counts, list):
            whole = sum(counts) == height * width and min(counts) >= 0
        else:
            decoded = api.decode(dict(mask, counts=counts.encode()))
            whole = decoded.max() <= 1
    except Exception:  # whatever broken run lengths meet
        whole = False
    return None if whole else 'have broken run lengths'
