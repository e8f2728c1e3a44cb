"""A classification set's list, folders, labels and images."""

from numbers import Integral
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence

from mmpretrain.datasets import CustomDataset

from .findings import Reading, few, first_few, shown
from .images import find_bad_images
from .labels import classes_of, labels_beyond
from .remembered import Remembered
from .sources import Source, samples_of

# Modes of Pillow with more than 8 bits a channel.
DEEP_MODES = ('I', 'F', 'I;16', 'I;16B', 'I;16L')


def read_classification(source: Source) -> Reading:
    """Look for what keeps a classification set from being used."""
    dataset, phase = source.dataset, source.phase
    findings = [f'{phase} data: {line}' for line in _bad_lines(dataset)]
    if not findings:
        samples, findings = samples_of(source)
    if findings:
        return Reading(findings)
    reading = Reading(_check_folders(source))
    labels = [sample.get('gt_label') for sample in samples]
    numbers = [isinstance(label, Integral) for label in labels]
    if all(numbers):
        _check_labels(source, samples, labels, reading)
    elif any(numbers) or isinstance(labels[0], (float, str)):
        wrong = [repr(x) for x, is_one in zip(labels, numbers) if not is_one]
        reading.findings.append(
            f'{phase} data: {len(wrong)} of {len(labels)} labels are no whole '
            f'numbers ({few(wrong)}): correct {dataset.ann_file}.'
        )
    _check_images(source, samples, reading)
    return reading


def _bad_lines(dataset: Any) -> List[str]:
    """Lines of a list of images that are no path and label."""
    listed = isinstance(dataset, CustomDataset) and dataset.ann_file
    if not listed or '://' in dataset.ann_file:
        return []
    name = dataset.ann_file
    try:
        lines = Path(name).read_text('utf-8').splitlines()
    except OSError as error:
        return [f'{name} cannot be read ({error.strerror}).']
    except UnicodeDecodeError:
        return [f'{name} is no text in UTF-8: save it so.']
    bad = [
        f"{name}, line {number}: '{line[:80]}' is no path and label: write "
        '`path/of/image.jpg 3`.'
        for number, line in enumerate(lines, 1)
        if dataset.with_label and not _has_label(line)
    ] + [
        f'{name}, line {number} is empty: remove it.'
        for number, line in enumerate(lines, 1)
        if not dataset.with_label and not line.strip()
    ]
    return first_few(bad, f'{name} has {{}} more such lines.')


def _has_label(line: str) -> bool:
    path, _, label = line.strip().rpartition(' ')
    try:
        return bool(path) and isinstance(int(label), int)
    except ValueError:
        return False


def _check_folders(source: Source) -> List[str]:
    """Class names and folders are the same, in the same order.

    Folders are numbered by their names, whatever the order in the metainfo.
    Classes that are no folder's name (ImageNet's) say nothing about folders.
    """
    phase, dataset = source.phase, source.dataset
    folders = tuple(getattr(dataset, 'folder_to_idx', ()))
    classes = classes_of(dataset) or ()
    findings = []
    # Of a part of the data, by `indices`, classes may be missing on purpose.
    if phase == 'train' and source.config.get('indices') is None:
        full = {sample.get('gt_label') for sample in dataset.data_list}
        without = [name for at, name in enumerate(folders) if at not in full]
        if without:
            findings.append(
                f'train data: in {dataset.img_prefix} no image is in '
                f'{len(without)} of the {len(folders)} class folders '
                f'({few(without)}): put images there, or remove the '
                'folders.'
            )
    if folders == classes or not set(folders) & set(classes):
        return findings
    here = sorted(set(folders) - set(classes))
    there = sorted(set(classes) - set(folders))
    findings.append(
        f'the {phase} data has folders{shown(here or folders)} where the '
        f'classes in metainfo are{shown(there or classes)}: rename the '
        'folders, or list the classes in the order of the folders.'
    )
    return findings


def _check_labels(
    source: Source,
    samples: Sequence[Dict[str, Any]],
    labels: Sequence[int],
    reading: Reading,
) -> None:
    classes = classes_of(source.dataset)
    head = (source.cfg.get('model') or {}).get('head') or {}
    limit = head.get('num_classes') if classes is None else len(classes)
    if limit is not None:
        reading.findings += labels_beyond(source.phase, labels, limit)
    if source.phase == 'train' and classes is not None:
        there = set(labels)
        without = [c for at, c in enumerate(classes) if at not in there]
        if without and not reading.findings:
            reading.notes.append(
                f'{len(without)} of the {len(classes)} classes have no '
                f'image to train on ({few(without)}).'
            )
    label_of: Dict[str, int] = {}
    twice = [
        path
        for path, label in zip((s.get('img_path') for s in samples), labels)
        if path and label_of.setdefault(path, label) != label
    ]
    if twice:
        reading.findings.append(
            f'{source.phase} data: {few(twice)} have two labels: correct '
            f'{source.dataset.ann_file or "the annotations"}.'
        )


def _check_images(
    source: Source, samples: Sequence[Dict[str, Any]], reading: Reading
) -> None:
    phase = source.phase
    paths = [sample.get('img_path') for sample in samples]
    reading.images = paths = [
        path for path in paths if isinstance(path, str) and '://' not in path
    ]
    remembered = Remembered(*source.settings)
    if not paths or remembered.knows(paths):
        return
    changed: List[str] = []

    def judge(image: Any) -> Optional[str]:
        if image.mode in DEEP_MODES or getattr(image, 'is_animated', False):
            changed.append(image.filename)
        return None

    bad = find_bad_images(paths, f'checking images: {phase}', judge)
    reading.findings += first_few(
        [
            f'{phase} data: {problem}: replace it, or remove it from the set.'
            for problem in bad
        ],
        f'{phase} data: {{}} more images are missing or damaged.',
    )
    if changed:
        reading.notes.append(
            f'{phase} data: {len(changed)} images have more than 8 bits a '
            f'channel or more than one frame ({few(changed)}): the upper 8 '
            'bits and the first frame are used.'
        )
    elif not bad:
        remembered.keep(paths)
