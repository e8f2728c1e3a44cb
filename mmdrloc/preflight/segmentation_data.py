"""A segmentation set's images and label maps."""

import os
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Sequence

from PIL import Image

from .findings import Reading, few, first_few
from .images import find_problems, problem_with, size_as_loaded
from .label_maps import LabelValues, check_form
from .remembered import Remembered
from .sources import Source, attempt

# Label maps whose values are looked at, evenly spaced: that is decoding.
MOST_DECODED = 1_000


class Pair(NamedTuple):
    """An image and its label map.

    Args:
        image (str): Its path.
        labels (str, optional): The label map's, if there should be one.
    """

    image: str
    labels: Optional[str]


def read_segmentation(source: Source) -> Reading:
    """Look for what keeps a segmentation set from being used."""
    dataset, phase = source.dataset, source.phase
    _, findings = attempt(source, dataset.full_init)
    if findings:
        return Reading(findings)
    samples = dataset.data_list
    labelled = source.is_evaluated and source.loads_annotations()
    pairs = [
        Pair(s['img_path'], s.get('seg_map_path') if labelled else None)
        for s in samples
        if isinstance(s.get('img_path'), str) and '://' not in s['img_path']
    ]
    if not samples:
        return Reading([_nothing(source)])
    reading = Reading(images=[pair.image for pair in pairs])
    for reduced in (True, False):
        if dataset.reduce_zero_label != reduced and source.loads_annotations(
            reduce_zero_label=reduced
        ):
            reading.findings.append(
                f'{phase} data: reduce_zero_label is {reduced} in '
                f'LoadAnnotations and {not reduced} in the data set: set it '
                'in the data set alone.'
            )
    if labelled:
        reading.findings += _without_image(source, pairs)
    files = reading.images + [p.labels for p in pairs if p.labels]
    values = LabelValues.of(source)
    remembered = Remembered(*source.settings, repr(values))
    if reading.findings or not remembered.knows(files):
        reading.findings += _bad_pairs(phase, pairs)
        if labelled and not reading.findings:
            reading.findings += _bad_values(phase, pairs, values)
        if not reading.findings:
            remembered.keep(files)
    return reading


def _nothing(source: Source) -> str:
    phase, dataset = source.phase, source.dataset
    folder = dataset.data_prefix.get('img_path')
    if dataset.ann_file:
        return f'{phase} data: {dataset.ann_file} names no image: fill it.'
    if source.config.get('indices') is not None:
        return f'{phase} data: `indices` leave no image: correct them.'
    there = {path.suffix for path in Path(folder).rglob('*') if path.suffix}
    return (
        f'{phase} data: no file in {folder} ends in {dataset.img_suffix} '
        f'(img_suffix), there are {few(sorted(there)) or "none with a suffix"}'
        ': correct img_suffix or the path.'
    )


def _without_image(source: Source, pairs: Sequence[Pair]) -> List[str]:
    """Label maps that no image belongs to: those images would be missed."""
    phase, dataset = source.phase, source.dataset
    folder = dataset.data_prefix.get('seg_map_path')
    whole = not dataset.ann_file and source.config.get('indices') is None
    if not whole or not folder or not os.path.isdir(folder):
        return []
    known = {os.path.normpath(pair.labels) for pair in pairs if pair.labels}
    lonely = sorted(
        os.path.join(place, name)
        for place, _, names in os.walk(folder)
        for name in names
        if name.endswith(dataset.seg_map_suffix)
        and os.path.normpath(os.path.join(place, name)) not in known
        # One folder may hold both.
        and not name.endswith(dataset.img_suffix)
    )
    if not lonely:
        return []
    return [
        f'{phase} data: {len(lonely)} label maps have no image '
        f'*{dataset.img_suffix} in {dataset.data_prefix["img_path"]} '
        f'({few(lonely)}): add the images, correct img_suffix, or remove '
        'the label maps.'
    ]


def _bad_pairs(phase: str, pairs: Sequence[Pair]) -> List[str]:
    """Files that are missing, damaged, or do not belong together."""

    def look(pair: Pair) -> Optional[str]:
        sizes: Dict[str, Any] = {}

        def measure(image: Image.Image) -> None:
            sizes['image'] = size_as_loaded(image)

        def judge(image: Image.Image) -> Optional[str]:
            size, fault = image.size, check_form(image)
            if fault or 'image' not in sizes or size == sizes['image']:
                return fault
            width, height = sizes['image']
            return (
                f'has {size[0]} x {size[1]} pixels, and {pair.image} is '
                f'loaded as {width} x {height}'
            )

        problem = problem_with(pair.image, measure)
        if pair.labels is None:
            return problem
        other = problem_with(pair.labels, judge)
        if other and other.endswith(' is missing'):
            other = f'{pair.labels}, the label map of {pair.image}, is missing'
        return '; '.join(filter(None, (problem, other)))

    doing = f'checking images and label maps: {phase}'
    return first_few(
        [
            f'{phase} data: {problem}: replace it, or remove the pair.'
            for problem in find_problems(look, pairs, doing)
        ],
        f'{phase} data: {{}} more images or label maps are missing, damaged '
        'or do not fit each other.',
    )


def _bad_values(
    phase: str, pairs: Sequence[Pair], values: LabelValues
) -> List[str]:
    """Labels that are no class."""
    labels = [pair.labels for pair in pairs if pair.labels]
    doing = f'checking labels: {phase}'
    bad = find_problems(values.problem_with, labels, doing, MOST_DECODED)
    findings = first_few(
        [f'{phase} data: {problem}.' for problem in bad],
        f'{phase} data: {{}} more label maps have such values.',
    )
    if not findings and labels and not values.seen:
        count = min(len(labels), MOST_DECODED)
        findings.append(
            f'{phase} data: in none of {count} label maps is a pixel of any '
            'class, all are ignored: look at the label maps, '
            'reduce_zero_label and ignore_index.'
        )
    return findings
