"""Check the data files of a config; name the image on which a step fails."""

import json
import math
import os
from collections import Counter, defaultdict
from functools import partial
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Sequence

from mmengine.config import Config
from mmengine.dataset import Compose
from mmengine.registry import DATASETS

from mmdrloc.datasets.catalog import described
from mmdrloc.utils.config_walk import at, class_of, dicts_in, kind_of
from mmdrloc.utils.distributed import process_rank
from mmdrloc.utils.errors import (
    UnexpectedError,
    UsageError,
    cause,
    few,
    in_brackets,
)

# Datasets that mmpretrain downloads.
DOWNLOADED = ('CIFAR10', 'CIFAR100', 'MNIST', 'FashionMNIST')
# Faults for which mmdet leaves an object out; COCO's own files have some.
LEFT_OUT = (
    'have an image_id that no image has',
    'have a category_id that no category has',
    'have no area, or a box thinner than one pixel',
    'have a box outside their image',
    'have polygons of fewer than three points',
)
# mmdet cuts such boxes; where most are so, they are corners.
BEYOND = 'have a `bbox` [x, y, width, height] that reaches beyond their image'
TOLERATED_SHARE = {**dict.fromkeys(LEFT_OUT, 0.001), BEYOND: 0.5}
OUR_METRIC = 'mmdrloc.CocoMetric'
# How many sizes of the image away the point of a polygon may lie: pycocotools
# draws outlines of any length, until the memory ends and the process with it.
FARTHEST = 10


def bad_data(cfg: Config, phases: Sequence[str]) -> List[str]:
    """Look for missing files and folders, and for faults in COCO files."""
    problems = []
    command = described(cfg).get('data_made_by')
    cure = 'put the data there or correct `data_root` in the config.'
    if command:
        cure = f'make it with `{command}`.'
    for phase in phases:
        for config in leaf_datasets(at(cfg, f'{phase}_dataloader.dataset')):
            if (
                not isinstance(config, dict)
                or config.get('backend_args')  # elsewhere than on a disk
                or kind_of(config) in DOWNLOADED
                and config.get('download', True)
            ):
                continue
            found = [f'{what}; {cure}' for what in _missing(config)]
            # The first process reads for all.
            is_first = process_rank(cfg.get('launcher', 'none')) == 0
            if not found and _is_coco(cfg, config) and is_first:
                found = _coco_problems(cfg, phase, config)
            problems += [f'{phase} data: {problem}' for problem in found]
    return problems


def leaf_datasets(dataset: Any) -> Iterator[Any]:
    """Go through the datasets (or configs) that one wraps, or itself."""
    is_config = isinstance(dataset, dict)
    get = dataset.get if is_config else partial(getattr, dataset)
    # The last is MMEngine's, for `num_batch_per_epoch`.
    names = ('datasets', 'dataset', '_dataset')
    inner = next(filter(None, (get(name, None) for name in names)), None)
    if inner is None:
        yield dataset
        return
    for item in inner if isinstance(inner, (list, tuple)) else [inner]:
        yield from leaf_datasets(item)


def _missing(config: Dict[str, Any]) -> Iterator[str]:
    """Name the files and folders of a dataset that do not exist."""
    prefix = config.get('data_prefix') or {}
    prefixes = [prefix] if isinstance(prefix, str) else [*prefix.values()]
    folders = [p for p in prefixes if isinstance(p, str) and p] or ['']
    files = [config['ann_file']] if config.get('ann_file') else []
    found = dict(folder=(os.path.isdir, folders), file=(os.path.isfile, files))
    for kind, (there, paths) in found.items():
        for path in (_in_root(config, path) for path in paths):
            if path and '://' not in path and not there(path):
                yield f'there is no {kind} {path}'


def _in_root(config: Dict[str, Any], path: Any) -> str:
    root = str(config.get('data_root') or '')
    return os.path.expanduser(os.path.join(root, str(path)))


def _is_coco(cfg: Config, config: Dict[str, Any]) -> bool:
    """Whether mmdet's own reader of COCO files reads it, no subclass's."""
    file = str(config.get('ann_file') or '://')
    if 'Coco' not in str(config.get('type')) or '://' in file:
        return False
    kind = class_of(config, DATASETS, cfg.get('default_scope'))
    readers = [
        getattr(kind, name, None)  # the second is another for panoptic files
        for name in ('load_data_list', 'parse_data_info')
    ]
    modules = {getattr(reader, '__module__', '') for reader in readers}
    return modules == {'mmdet.datasets.coco'}


def _coco_problems(cfg: Config, phase: str, config: dict) -> List[str]:
    """Look for faults of an annotation file that mmdet passes over."""
    path = _in_root(config, config['ann_file'])
    # The metric's file may hold several datasets together.
    is_alone = cfg[f'{phase}_dataloader'].dataset == config
    judges = [node for _, node in dicts_in(cfg.get(f'{phase}_evaluator'))]
    is_list = any(node.get('format_only') for node in judges)
    steps = dicts_in(config.get('pipeline'))
    needs_masks = any(node.get('with_mask') for _, node in steps)
    try:
        content = json.loads(Path(path).read_bytes())
        if is_list:  # of images without answers
            content.setdefault('annotations', [])
        if phase == 'train':  # mmdet reads no others
            objects = content['annotations']
            content['annotations'] = [
                o for o in objects if not o.get('ignore')
            ]
        problems = list(_of_annotations(content, needs_masks, not is_list))
        names = [str(entry['name']) for entry in content['categories']]
    except Exception as error:  # other files fail in many ways
        return [
            f'{path} is cut off or not in COCO format, a dict of lists '
            f'`images`, `annotations` and `categories`: {cause(error)}.'
        ]
    kind = class_of(config, DATASETS, cfg.get('default_scope'))
    classes = list(kind._load_metainfo(config.get('metainfo'))['classes'])
    missing = [name for name in classes if name not in names]
    if classes != [name for name in names if name in classes]:
        problems.append(
            f'its categories are{in_brackets(names)}, metainfo has the classes'
            f'{in_brackets(missing or classes)}: name those of the file in '
            'its order'
        )
    theirs = [node for node in judges if node.get('type') != OUR_METRIC]
    if config.get('indices') and any(node.get('ann_file') for node in theirs):
        problems.append(
            'its images are cut by `indices`, and the metric counts the '
            f'objects of all: give type={OUR_METRIC!r}'
        )
    for other in [str(node.get('ann_file')) for node in judges * is_alone]:
        if os.path.isfile(other) and not os.path.samefile(other, path):
            problems.append(f'the metric reads {other}: give the same file')
    return [f'{path}: {problem}.' for problem in problems]


def _of_annotations(
    content: Dict[str, Any], needs_masks: bool, needs_objects: bool
) -> Iterator[str]:
    for part in ('images', 'annotations', 'categories'):
        counts = Counter(entry['id'] for entry in content[part])
        twice = [value for value, number in counts.items() if number > 1]
        if twice:
            yield f'{part} share the id {few(twice)}: give each its own'
    images = {e['id']: (e['width'], e['height']) for e in content['images']}
    kinds = {entry['id'] for entry in content['categories']}
    objects = content['annotations']
    faults = defaultdict(list)
    for entry in objects:
        fault = _fault(entry, images, kinds, needs_masks)
        faults[fault].append(entry['id'])
    for fault, ids in faults.items():
        share = TOLERATED_SHARE.get(fault, 0)
        if fault and len(ids) > share * len(objects):
            yield (
                f'{len(ids)} of {len(objects)} objects {fault} (ids '
                f'{few(ids)}): correct or remove them'
            )
    if needs_objects and all(a.get('iscrowd') for a in objects):
        yield 'no object is annotated, apart from crowds: give another file'


def _fault(entry: dict, images: dict, kinds: set, needs_mask: bool) -> str:
    """Say what is wrong with an object; '' if nothing is."""
    size = images.get(entry['image_id'])
    no_image, no_category, thin, outside, short = LEFT_OUT
    if size is None:
        return no_image
    if entry['category_id'] not in kinds:
        return no_category
    numbers = [*(entry.get('bbox') or ()), entry.get('area')]
    if len(numbers) != 5 or not all(map(_is_number, numbers)):
        return 'have no `area`, or no `bbox` of four finite numbers'
    x, y, width, height, area = numbers
    if min(width, height) < 1 or area <= 0:
        return thin
    if not (-width < x < size[0] and -height < y < size[1]):
        return outside
    mask = entry.get('segmentation')
    if needs_mask and not _is_mask(mask, size):
        return (
            'have no `segmentation` that can be drawn: a list of polygons '
            '[x1, y1, x2, y2, ...] of three points or more near the image, or '
            "run lengths of the image's size"
        )
    if needs_mask and isinstance(mask, list):
        if any(len(polygon) < 6 or len(polygon) % 2 for polygon in mask):
            return short
    if x + width > size[0] + 1 or y + height > size[1] + 1:
        return BEYOND
    return ''


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and math.isfinite(value)


def _is_mask(mask: Any, size: Sequence[float]) -> bool:
    if isinstance(mask, dict):
        counts = mask.get('counts')
        if isinstance(counts, list) and sum(counts) != size[0] * size[1]:
            return False  # pycocotools leaves the rest as the memory was
        return mask.get('size') == [*size[::-1]] and bool(counts)
    limit = FARTHEST * max(size)
    return bool(mask) and all(
        isinstance(polygon, list)
        and all(_is_number(value) and abs(value) <= limit for value in polygon)
        for polygon in mask
    )


class ExplainedPipeline(Compose):
    """A pipeline whose errors are one sentence, in a loader's workers too."""

    def __call__(self, data: dict) -> Optional[dict]:
        """Transform a sample, or name the image that cannot be."""
        image = data.get('img_path')
        for index, transform in enumerate(self.transforms):
            try:
                data = transform(data)
            except UsageError:
                raise
            except Exception as error:  # a transform may be anyone's
                where = f' on the image {image}' if image else ''
                raise UnexpectedError(
                    f'pipeline[{index}] ({type(transform).__name__}) fails'
                    f'{where}: {cause(error)}.'
                ) from error
            if data is None:
                return None
        return data


def explain_pipelines(dataset: Any) -> None:
    """Let a dataset, and those inside, say on which image they fail."""
    for leaf in [dataset, *leaf_datasets(dataset)]:
        pipeline = getattr(leaf, 'pipeline', None)
        if type(pipeline) is Compose:
            leaf.pipeline = ExplainedPipeline(pipeline.transforms)
