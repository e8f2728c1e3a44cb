"""An annotation file in COCO's format, read as data."""

import json
from collections import Counter
from dataclasses import dataclass
from numbers import Real
from pathlib import Path
from typing import Any, Dict, List, Tuple

from .findings import few

# Whole numbers of JSON have no end, those of arrays do.
MOST = 2**53
NEEDED = dict(
    images=('id', 'file_name', 'width', 'height'),
    annotations=('id', 'image_id', 'category_id', 'bbox', 'area'),
    categories=('id', 'name'),
)


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
    path: str, needs_annotations: bool = True
) -> Tuple[CocoFile, List[str]]:
    """Read an annotation file and look at how it is made.

    Args:
        path (str): The JSON file.
        needs_annotations (bool): Whether a list of images without answers
            will not do. Defaults to True.

    Returns:
        tuple[CocoFile, list[str]]: What it holds, if nothing was found, and
        one sentence for each finding.
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
    findings = _wrong_parts(path, content)
    if not findings:
        findings = _wrong_entries(path, content)
    if not findings:
        findings = _wrong_ids(path, content)
    if findings:
        return nothing, findings
    return CocoFile(
        {image['id']: image for image in content['images']},
        {entry['id']: entry['name'] for entry in content['categories']},
        content['annotations'],
    ), []


def _wrong_parts(path: str, content: Any) -> List[str]:
    if not isinstance(content, dict):
        return [
            f'{path} is not in COCO format: it holds a '
            f'{type(content).__name__}, expected is a dict of images, '
            'annotations and categories.'
        ]
    missing = [name for name in NEEDED if name not in content]
    if missing:
        return [
            f'{path} is not in COCO format: it has no {", ".join(missing)}: '
            'give the file of the instances, or convert it.'
        ]
    return [
        f'{path} is not in COCO format: its `{name}` are no list of dicts: '
        'convert it.'
        for name in NEEDED
        if not isinstance(content[name], list)
        or not all(isinstance(entry, dict) for entry in content[name])
    ]


def _wrong_entries(path: str, content: Dict[str, Any]) -> List[str]:
    """Keys that mmdet reads and entries lack, or have of another type."""
    findings = []
    for part, keys in NEEDED.items():
        if part == 'annotations':
            findings += _wrong_crowds(path, content[part])
        for key in keys:
            entries = content[part]
            if key in ('bbox', 'area'):  # of which mmdet leaves out some
                entries = [e for e in entries if not e.get('ignore')]
            lacking = [at for at, e in enumerate(entries) if key not in e]
            wrong = [
                e[key] for e in entries if key in e and not _fits(key, e[key])
            ]
            if lacking:
                findings.append(
                    f'{path}: {len(lacking)} of {len(entries)} {part} have '
                    f'no `{key}` (numbers {few(lacking)}): add it.'
                )
            if wrong:
                values = few([repr(value)[:40] for value in wrong])
                findings.append(
                    f'{path}: {len(wrong)} of {len(entries)} {part} have a '
                    f'`{key}` that cannot be ({values}): correct them.'
                )
    return findings


def _wrong_crowds(path: str, annotations: List[Dict[str, Any]]) -> List[str]:
    """The text '0' would make a crowd of an object."""
    wrong = [
        entry['iscrowd']
        for entry in annotations
        if entry.get('iscrowd') not in (None, 0, 1)
    ]
    if not wrong:
        return []
    return [
        f'{path}: {len(wrong)} annotations have an `iscrowd` that is neither '
        f'0 nor 1 ({few([repr(value) for value in wrong])}): correct them.'
    ]


def _fits(key: str, value: Any) -> bool:
    """Whether a value is of the type of its key."""
    if key in ('file_name', 'name'):
        return isinstance(value, str) and bool(value)
    if key in ('width', 'height'):
        return is_number(value) and 0 < value < float('inf')
    if key == 'bbox':
        return (
            isinstance(value, list)
            and len(value) == 4
            and all(map(is_number, value))
        )
    if key == 'area':
        return is_number(value)
    # Ids of images may be names.
    return isinstance(value, (int, str)) and not isinstance(value, bool)


def is_number(value: Any) -> bool:
    """Whether a value of JSON counts, as NaN does; True and '3' do not."""
    if isinstance(value, int):
        return not isinstance(value, bool) and abs(value) < MOST
    return isinstance(value, Real)


def _wrong_ids(path: str, content: Dict[str, Any]) -> List[str]:
    """Ids given twice, and ids of nothing."""
    findings = []
    keys = [(part, 'id') for part in NEEDED] + [('categories', 'name')]
    for part, key in keys:
        counts = Counter(entry.get(key) for entry in content[part])
        twice = [value for value, n in counts.items() if n > 1]
        if twice and None not in twice:
            findings.append(
                f'{path}: {part} share the {key} {few(twice)}: give each one '
                'of its own.'
            )
    for key, part in (('image_id', 'images'), ('category_id', 'categories')):
        known = {entry['id'] for entry in content[part]}
        unknown = [
            entry.get('id')
            for entry in content['annotations']
            if key in entry and entry[key] not in known
        ]
        if unknown:
            findings.append(
                f'{path}: {len(unknown)} annotations have a {key} that none '
                f'of the {part} has (ids {few(unknown)}): add it to the '
                f'{part}, or remove them.'
            )
    return findings
