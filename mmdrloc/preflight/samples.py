"""A look at what built data sets give: images, labels, label maps."""

from collections import Counter
from numbers import Integral
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Sequence, Set, Tuple

import numpy as np

from mmdrloc.utils.errors import cause, few, first_few, mention, shown
from mmdrloc.utils.images import evenly_spaced, find_bad_images, problem_with
from .data import unwrapped

# Images whose headers are read, and samples that are looked at, evenly
# spaced: all of a small data set.
MOST_IMAGES = 10_000
MOST_SAMPLES = 1_000
MOST_LABEL_MAPS = 200
# What mmseg ignores unless told otherwise.
IGNORED = 255


def classes_of(dataset: Any) -> Optional[Tuple[str, ...]]:
    """The class names of a data set; None if it has none."""
    classes = getattr(dataset, 'metainfo', {}).get('classes')
    return None if classes is None else tuple(classes)


def bad_samples(
    phase: str,
    dataset: Any,
    num_classes: Optional[int],
    ignored: Sequence[int],
) -> List[str]:
    """Look at a built data set, and at those that it wraps.

    Args:
        phase (str): 'train', 'val' or 'test'.
        dataset (Any): Of a loader.
        num_classes (int, optional): Of the model, where the data set has no
            class names.
        ignored (Sequence[int]): Labels that the losses and metrics ignore.

    Returns:
        list[str]: One sentence for each problem.
    """
    problems = []
    for leaf in {id(d): d for d in unwrapped(dataset)}.values():
        if not hasattr(leaf, 'get_data_info') or len(leaf) == 0:
            continue
        classes = classes_of(leaf)
        limit = num_classes and (
            num_classes if classes is None else len(classes)
        )
        found = _bad_images(leaf)
        # The libraries' base classes are told by what they alone have: one
        # that is not used need not be imported.
        if hasattr(leaf, 'get_gt_labels'):  # mmpretrain
            found += _bad_labels(phase, leaf, limit)
        elif hasattr(leaf, 'load_proposals'):  # mmdet
            found += _bad_instances(leaf)
        elif hasattr(leaf, 'get_label_map') and limit:  # mmseg
            found += _bad_label_maps(leaf, limit, {*ignored})
        problems += [f'{phase} data: {problem}.' for problem in found]
    return problems


def _some(dataset: Any, most: int) -> Iterator[Dict[str, Any]]:
    for index in evenly_spaced(range(len(dataset)), most):
        yield dataset.get_data_info(index)


def _bad_images(dataset: Any) -> List[str]:
    """Images that are missing, damaged or of another size than is said."""
    sizes = {}
    for info in _some(dataset, MOST_IMAGES):
        path = info.get('img_path')
        if isinstance(path, (str, Path)) and '://' not in str(path):
            sizes[str(path)] = info.get('width'), info.get('height')
    bad = find_bad_images(list(sizes), list(sizes.values()))
    return first_few(
        [
            f'{problem}: replace it, or remove it from the set'
            for problem in bad
        ],
        'images are missing, damaged or of another size',
    )


def _bad_labels(phase: str, dataset: Any, limit: Optional[int]) -> List[str]:
    """Labels of no class, classes without an image, folders of other names."""
    # Where nothing counts classes, labels are not read.
    if limit is None or 'gt_label' not in dataset.get_data_info(0):
        return []
    infos = list(_some(dataset, MOST_IMAGES))
    labels = [info.get('gt_label') for info in infos]
    if isinstance(labels[0], (list, np.ndarray)):  # several of an image
        return []
    wrong = [repr(n) for n in labels if not isinstance(n, Integral)]
    if wrong:
        return [
            f'{len(wrong)} of {len(labels)} labels are no whole numbers '
            f'({few(wrong)}): correct {dataset.ann_file}'
        ]
    labels = dataset.get_gt_labels()
    low, high = int(np.min(labels)), int(np.max(labels))
    if low < 0 or high >= limit:
        return [
            f'it has labels from {low} to {high}, expected are 0 to '
            f'{limit - 1}: correct the annotations, or the classes '
            'and num_classes'
        ]
    given = {(info.get('img_path'), info['gt_label']) for info in infos}
    paths = Counter(path for path, _ in given if path)
    twice = [path for path, count in paths.items() if count > 1]
    problems = _bad_folders(dataset, phase, {*labels})
    if twice:
        problems.append(
            f'{len(twice)} images have two labels ({few(twice)}): correct '
            f'{dataset.ann_file}'
        )
    return problems


def _bad_folders(dataset: Any, phase: str, labels: Set[int]) -> List[str]:
    """Folders are numbered by their names, whatever the metainfo says."""
    folders = tuple(getattr(dataset, 'folder_to_idx', ()))
    classes = classes_of(dataset) or ()
    problems, empty = [], []
    # Classes that are no folder's name (ImageNet's) say nothing of folders.
    if folders != classes and set(folders) & set(classes):
        here = sorted(set(folders) - set(classes))
        there = sorted(set(classes) - set(folders))
        problems.append(
            f'it has folders{shown(here or folders)} where the classes in '
            f'metainfo are{shown(there or classes)}: rename the folders, or '
            'list the classes in the order of the folders'
        )
    for name in folders:
        files = list(Path(dataset.img_prefix, name).rglob('*'))
        gone = [str(f) for f in files if f.is_symlink() and not f.exists()]
        if gone:  # listing the folders passes over them
            problems.append(
                f'{len(gone)} links lead to nothing ({few(gone)}): correct '
                'or remove them'
            )
        if not any(f.name.lower().endswith(dataset.extensions) for f in files):
            empty.append(name)
    if phase != 'train':
        return problems
    without = [c for at, c in enumerate(classes) if at not in labels]
    if empty:
        problems.append(
            f'no image is in {len(empty)} of the {len(classes)} class '
            f'folders ({few(empty)}): put images there, or remove the folders'
        )
    elif without and not problems:
        mention(
            [
                f'{len(without)} of the {len(classes)} classes have no '
                f'image to train on ({few(without)}).'
            ]
        )
    if len(classes) == 1:
        problems.append(
            f'there is one class alone ({classes[0]}): at least 2 are needed'
        )
    return problems


def _bad_instances(dataset: Any) -> List[str]:
    """Objects: at least one to learn, and boxes that are boxes."""
    count, bad = 0, []
    samples = list(_some(dataset, MOST_SAMPLES))
    for info in samples:
        for instance in info.get('instances') or ():
            box = np.asarray(instance.get('bbox', ()), float)
            count += not instance.get('ignore_flag')
            if box.shape == (4,) and not (
                np.isfinite(box).all() and (box[2:] > box[:2]).all()
            ):
                bad.append(info.get('img_path'))
    if bad:
        return [
            f'{len(bad)} objects have a box that is none (in {few(bad)}): '
            'correct or remove them'
        ]
    if (
        count
        or dataset.test_mode
        and not any('instances' in info for info in samples)
    ):
        return []
    return [
        f'{dataset.ann_file} has no object of the classes in metainfo'
        f'{shown(classes_of(dataset) or ())}: correct the names'
    ]


def _bad_label_maps(dataset: Any, limit: int, ignored: set) -> List[str]:
    """Label maps that are none, or have values of no class."""
    steps = getattr(dataset.pipeline, 'transforms', ())
    loads = [s for s in steps if type(s).__name__ == 'LoadAnnotations']
    if not loads:
        return []
    bad, has_class, reduced = [], False, ''
    if getattr(dataset, 'reduce_zero_label', False):
        reduced = ' (reduce_zero_label=True: 0 is none, 1 the first class)'
    samples = list(_some(dataset, MOST_LABEL_MAPS))
    for info in samples:
        path = info.get('seg_map_path')
        try:
            labels = np.asarray(loads[0](dict(info))['gt_seg_map'])
        except Exception as error:  # damaged files fail in many ways
            bad.append(f'{path} cannot be read ({cause(error)})')
            continue
        if labels.ndim != 2:
            bad.append(
                f'{path} is a picture with colors, and a label map has the '
                'number of the class as the one value of each pixel'
            )
            continue
        values = set(np.unique(labels).tolist())
        wrong = sorted(v for v in values - ignored if not 0 <= v < limit)
        has_class |= bool(values - ignored)
        size = problem_with(info['img_path'], labels.shape[::-1])
        if wrong:
            bad.append(
                f'{path} has the labels {few(wrong)}, expected are 0 to '
                f'{limit - 1} and {few(sorted(ignored))} for what is ignored'
                f'{reduced}: correct it, the classes (classes.txt '
                'or metainfo) or ignore_index'
            )
        elif size and 'pixels' in size:
            bad.append(size.replace('the annotations say', f'{path} has'))
    if samples and not bad and not has_class:
        return [
            f'in none of {len(samples)} label maps is a pixel of any class, '
            'all are ignored: look at the label maps, reduce_zero_label and '
            'ignore_index'
        ]
    return first_few(bad, 'label maps are damaged or have such labels')
