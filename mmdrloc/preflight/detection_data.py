"""A detection set's annotations and images."""

import os
from typing import Any, Dict, List, Optional

import numpy as np
from PIL import Image

from mmdrloc.utils.files import sha256_of
from .boxes import Boxes, check_boxes
from .coco_file import CocoFile, read_coco
from .findings import Reading, few, first_few, shown
from .images import find_problems, problem_with, size_as_loaded
from .labels import classes_of, empty
from .masks import check_masks
from .remembered import Remembered
from .sources import Source, cure, samples_of


def read_detection(source: Source) -> Reading:
    """Look for what keeps a detection set from being used.

    Args:
        source (Source): The data set. Of formats other than COCO's, what the
            library makes of them is looked at.
    """
    if _is_coco(source.dataset) and '://' not in source.dataset.ann_file:
        return _read_coco(source)
    return _read_records(source)


def _is_coco(dataset: Any) -> bool:
    """Whether mmdet's reader of COCO reads it, not one that inherits it."""
    kind = type(dataset)
    return all(
        getattr(kind, name).__module__ == 'mmdet.datasets.coco'
        for name in ('load_data_list', 'parse_data_info')
    )


def _read_coco(source: Source) -> Reading:
    dataset = source.dataset
    try:
        content = sha256_of(dataset.ann_file)
    except OSError as error:
        return Reading([f'{dataset.ann_file} cannot be read ({error}).'])
    needs_masks = source.loads_annotations(with_mask=True)
    remembered = Remembered(*source.settings, source.is_evaluated, content)
    files = remembered.files()
    # What it is compared with may have changed meanwhile.
    others = _check_evaluators(source, content)
    if files and not others and remembered.knows(files):
        return Reading(images=files)
    place = f'{source.phase} data: {dataset.ann_file}'
    coco, findings = read_coco(dataset.ann_file, source.is_evaluated)
    if findings:
        return Reading([f'{source.phase} data: {f}' for f in findings])
    reading = Reading(_check_categories(place, dataset, coco))
    reading.findings += others
    if coco.annotations or source.is_evaluated:
        _check_objects(place, dataset, coco, reading)
    if needs_masks:
        findings, notes = check_masks(place, coco)
        reading.findings += findings
        reading.notes += notes
    sizes = _sizes(source, coco)
    if not sizes and not reading.findings:
        reading.findings.append(empty(source.phase, dataset))
    reading.images = list(sizes)
    reading.findings += _bad_images(source.phase, sizes)
    if not reading.findings and not reading.notes:
        remembered.keep(reading.images, names=True)
    return reading


def _check_evaluators(source: Source, content: str) -> List[str]:
    """Predictions are compared with the annotations of the same images."""
    loader = source.cfg.get(f'{source.phase}_dataloader') or {}
    if source.phase == 'train' or loader.get('dataset') != source.config:
        return []
    findings = []
    for evaluator in source.evaluators:
        path = evaluator.get('ann_file')
        if not path or '://' in path:
            continue
        name = f'{source.phase}_evaluator.ann_file'
        if not os.path.isfile(path):
            findings.append(
                f'{name}: there is no file {path}; {cure(source.cfg)}'
            )
        elif not os.path.samefile(path, source.dataset.ann_file) and (
            sha256_of(path) != content
        ):
            findings.append(
                f'{name} is {path}, and the {source.phase} data are those of '
                f'{source.dataset.ann_file}: give the same file.'
            )
    return findings


def _check_categories(place: str, dataset: Any, coco: CocoFile) -> List[str]:
    """A name that the file lacks, or has elsewhere, shifts the labels."""
    classes = classes_of(dataset) or ()
    names = list(coco.categories.values())
    missing = [name for name in classes if name not in names]
    if missing:
        return [
            f'{place} has {len(classes) - len(missing)} of the '
            f'{len(classes)} classes in metainfo: {few(missing)} are not '
            f'among its categories{shown(names)}: correct the names in '
            'metainfo=dict(classes=[...]).'
        ]
    numbered = [name for name in names if name in classes]
    if numbered == list(classes):
        return []
    return [
        f'{place} has the categories in the order{shown(numbered)}, by which '
        f'mmdet numbers them, and metainfo has{shown(classes)}: list the '
        "classes in the file's order."
    ]


def _check_objects(
    place: str, dataset: Any, coco: CocoFile, reading: Reading
) -> None:
    """There are objects to learn from, and their boxes are boxes."""
    objects = [a for a in coco.annotations if not a.get('ignore')]
    if not objects:
        reading.findings.append(
            f'{place} has no annotation: give the file of the instances.'
        )
        return
    images = [coco.images[a['image_id']] for a in objects]
    boxes = Boxes(
        [f'id {a["id"]}' for a in objects],
        np.array([a['bbox'] for a in objects], float),
        np.array([a['area'] for a in objects], float),
        np.array([(i['width'], i['height']) for i in images], float),
    )
    findings, notes, used = check_boxes(place, boxes)
    reading.findings += findings
    reading.notes += notes
    if all(a.get('iscrowd') for a in objects):
        reading.findings.append(
            f'{place} has crowds only (iscrowd=1), which are not learned '
            'from: mark single objects with iscrowd=0.'
        )
        return
    classes = set(classes_of(dataset) or coco.categories.values())
    left = [
        good
        and not a.get('iscrowd')
        and coco.categories[a['category_id']] in classes
        for good, a in zip(used, objects)
    ]
    if not any(left) and not findings:
        reading.findings.append(
            f'{place} has no object of the classes in metainfo'
            f'{shown(sorted(classes))}: correct the names.'
        )


def _sizes(source: Source, coco: CocoFile) -> Dict[str, Any]:
    """Width and height of each image that mmdet's filter leaves."""
    dataset = source.dataset
    kept = list(coco.images.values())
    rules = dataset.filter_cfg or {}
    if not dataset.test_mode:
        smallest = rules.get('min_size', 0)
        kept = [i for i in kept if min(i['width'], i['height']) >= smallest]
        if rules.get('filter_empty_gt'):
            classes = classes_of(dataset) or coco.categories.values()
            full = {
                a['image_id']
                for a in coco.annotations
                if coco.categories[a['category_id']] in classes
            }
            kept = [image for image in kept if image['id'] in full]
    folder = dataset.data_prefix.get('img') or ''
    return {
        os.path.join(folder, image['file_name']): (
            image['width'],
            image['height'],
        )
        for image in source.some(kept)
    }


def _bad_images(phase: str, sizes: Dict[str, Any]) -> List[str]:
    def look(path: str) -> Optional[str]:
        def judge(image: Image.Image) -> Optional[str]:
            size = size_as_loaded(image)
            if None in sizes[path] or size == tuple(sizes[path]):
                return None
            width, height = sizes[path]
            return (
                f'is loaded as {size[0]} x {size[1]} pixels, and the '
                f'annotations say {width} x {height}'
            )

        return problem_with(path, judge)

    local = [path for path in sizes if '://' not in path]
    bad = find_problems(look, local, f'checking images: {phase}')
    return first_few(
        [
            f'{phase} data: {problem}: replace it, or correct the annotations.'
            for problem in bad
        ],
        f'{phase} data: {{}} more images are missing, damaged or of another '
        'size than the annotations say.',
    )


def _read_records(source: Source) -> Reading:
    """Look at what a library makes of annotations in a format of its own."""
    samples, findings = samples_of(source)
    if findings:
        return Reading(findings)
    sizes = {
        sample['img_path']: (sample.get('width'), sample.get('height'))
        for sample in samples
        if isinstance(sample.get('img_path'), str)
    }
    reading = Reading(images=list(sizes))
    _check_instances(source, samples, sizes, reading)
    remembered = Remembered(*source.settings)
    if not remembered.knows(reading.images):
        bad = _bad_images(source.phase, sizes)
        reading.findings += bad
        if not bad:
            remembered.keep(reading.images)
    return reading


def _check_instances(
    source: Source,
    samples: List[Dict[str, Any]],
    sizes: Dict[str, Any],
    reading: Reading,
) -> None:
    found = [
        (sample['img_path'], instance['bbox'])
        for sample in samples
        if None not in sizes.get(sample.get('img_path'), (None,))
        for instance in sample.get('instances') or ()
        if len(instance.get('bbox') or ()) == 4
    ]
    place = f'{source.phase} data: {source.dataset.ann_file}'
    if not any(sample.get('instances') for sample in samples):
        if source.is_evaluated:
            reading.findings.append(
                f'{place} has no object of the classes in metainfo'
                f'{shown(classes_of(source.dataset) or ())}: correct the '
                'names.'
            )
        return
    corners = np.array([box for _, box in found], float).reshape(-1, 4)
    extents = corners[:, 2:] - corners[:, :2]
    boxes = Boxes(
        [f'in {path}' for path, _ in found],
        np.hstack([corners[:, :2], extents]),
        np.abs(extents).prod(axis=1),
        np.array([sizes[path] for path, _ in found], float).reshape(-1, 2),
    )
    findings, notes, _ = check_boxes(place, boxes)
    reading.findings += findings
    reading.notes += notes
