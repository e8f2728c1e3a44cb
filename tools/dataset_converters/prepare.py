#!/usr/bin/env python
"""Download the datasets of the experiments and check their counts.

Those that need a registration are only checked. Of ImageNet-1K, sin-10k draws
ten images of each class, sin-total-10k 10,000 of all classes.
"""

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any, Dict, List, Sequence

import numpy as np
import yaml

from mmdrloc.apis.cli import Parser
from mmdrloc.datasets.catalog import CATALOG
from mmdrloc.datasets.folders.splits import images_in, subfolders
from mmdrloc.utils.errors import UsageError, usage_errors_in_one_sentence
from mmdrloc.utils.files import atomic_path
from mmdrloc.utils.images import evenly_spaced, find_bad_images

EXAMPLES = """examples:
  python tools/dataset_converters/prepare.py svhn flowers102
"""
SETS = yaml.safe_load(
    Path(__file__).with_name('published_sets.yml').read_text()
)
# Training images of ImageNet-1K in all and of each class. IDMM's poster does
# not define the second subset; this is our reading.
SUBSETS = {'sin-10k': (10_000, 10), 'sin-total-10k': (10_000, None)}
# Images of a part that are opened.
SAMPLE = 200


def prepare(name: str, root: str) -> None:
    """Have a dataset ready for the configs.

    Args:
        name (str): A key of :data:`SETS`.
        root (str): Folder of all datasets, 'data' for the configs.

    Raises:
        UsageError: If the dataset differs from the published one; it says
            how, and where to get it.
    """
    data, files = CATALOG[name], SETS[name].get('files', [])
    place = Path(data['train_dataset']['data_root'])
    folder = Path(root, place.relative_to('data'))
    findings = []
    try:
        fetch_missing(files, folder)
    # torchvision raises RuntimeError where a checksum is another one.
    except (UsageError, OSError, RuntimeError) as error:
        findings.append(str(error))
    for part in ('train', 'val'):
        config = dict(data[f'{part}_dataset'], data_root=str(folder))
        found = differences(config, data[f'num_{part}'])
        findings += [f'{part}: {finding}' for finding in found]
    if findings:
        remedy = 'unpack it there by hand.'
        if files:
            made = ', '.join(file['makes'] for file in files)
            remedy = f'remove what is wrong of {made} and run this again.'
        what = f'{name} is not in {folder} as published:'
        where = f'It is obtained from {SETS[name]["page"]}: {remedy}'
        raise UsageError('\n  - '.join([what, *findings, where]))


def differences(config: Dict[str, Any], count: int) -> List[str]:
    """A sentence for each difference of a part to what is published."""
    from mmengine.registry import DATASETS

    try:
        samples = DATASETS.build(dict(config, serialize_data=False)).data_list
    except Exception as error:  # damaged files fail in many ways
        return [str(error)]
    findings = []
    if len(samples) != count:
        findings.append(f'{len(samples)} images, published are {count}')
    paths = [s['img_path'] for s in samples if 'img_path' in s]
    return findings + find_bad_images(evenly_spaced(paths, SAMPLE))[:1]


def fetch_missing(files: Sequence[Dict[str, str]], folder: Path) -> None:
    """Download what is missing; each part appears when it is whole.

    Args:
        files (Sequence[dict]): Entries of :data:`SETS`.
        folder (Path): The folder of the dataset.

    Raises:
        UsageError: If an archive cannot or must not be unpacked.
        RuntimeError: If a file has another checksum.
        OSError: If one cannot be fetched or written.
    """
    from torchvision.datasets.utils import download_url

    for file in files:
        url, target = file['url'], folder / file['makes']
        if target.exists():
            continue
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(
            prefix='.download', dir=folder
        ) as temporary:
            new = Path(temporary, url.rsplit('/', 1)[-1])
            download_url(url, temporary, new.name, file.get('md5'))
            if new.suffix in ('.zip', '.tar', '.tgz', '.gz'):
                unpack(new, Path(temporary, 'unpacked'))
                new = Path(temporary, 'unpacked', target.name)
            if not new.exists():
                raise UsageError(f'{url} does not hold {target.name}.')
            os.replace(new, target)


def unpack(file: Path, folder: Path) -> None:
    """Unpack an archive, and write nothing outside of the folder.

    Raises:
        UsageError: If it is broken or has names that lead out.
    """
    # zipfile leaves out what leads out; tarfile is told to refuse it.
    options = {} if file.suffix == '.zip' else dict(filter='data')
    try:
        shutil.unpack_archive(file, folder, **options)
    except Exception as error:  # broken archives fail in many ways
        raise UsageError(
            f'{file.name} cannot be unpacked: {error}.'
        ) from error


def write_subset(name: str, root: str) -> Path:
    """Draw a subset of ImageNet-1K; write its list beside the images.

    Args:
        name (str): A key of :data:`SUBSETS`.
        root (str): Folder of all datasets, 'data' for the configs.

    Returns:
        Path: ``<root>/imagenet/meta/<name>.txt``, with a line '<class>/<image>
        <label>' for each image; the label is the number of the class's folder.

    Raises:
        UsageError: If there are too few images.
    """
    train = Path(root, 'imagenet/train')
    folders = subfolders(train) if train.is_dir() else []
    pools = [
        [(f'{name}/{image}', label) for image in images_in(train / name)]
        for label, name in enumerate(folders)
    ]
    total, per_class = SUBSETS[name]
    if per_class is None:
        pools = [[image for pool in pools for image in pool]]
    count = per_class or total
    generator = np.random.default_rng(0)
    if min(map(len, pools), default=0) < count or count * len(pools) != total:
        raise UsageError(
            f'{train} has {len(folders)} classes and too few images to draw '
            f'{total} from: complete ImageNet-1K, checked by `python '
            'tools/dataset_converters/prepare.py imagenet-1k`.'
        )
    drawn = [
        pool[index]
        for pool in pools
        for index in generator.choice(len(pool), count, False)
    ]
    out = train.with_name('meta') / f'{name}.txt'
    out.parent.mkdir(exist_ok=True)
    with atomic_path(out) as temporary:
        temporary.write_text(
            ''.join(f'{path} {label}\n' for path, label in sorted(drawn))
        )
    return out


def main() -> None:
    """Prepare one set after the other."""
    parser = Parser(description=__doc__, epilog=EXAMPLES)
    parser.add_argument(
        'names',
        nargs='+',
        choices=[*SETS, *SUBSETS],
        metavar='NAME',
        help=f'one or several of {", ".join([*SETS, *SUBSETS])}',
    )
    parser.add_argument(
        '--root', default='data', help='folder of all datasets (%(default)s)'
    )
    parser.add_argument(
        '--counts',
        action='store_true',
        help='print classes and images of each, as published, and stop',
    )
    args = parser.parse_args()
    if args.counts:
        keys = 'num_classes', 'num_train', 'num_val'
        print(f'{"":24}{"classes":>8}{"train":>10}{"test":>8}')
        for name in args.names:
            classes, train, val = (CATALOG[name][key] for key in keys)
            print(f'{name:24}{classes:>8,}{train:>10,}{val:>8,}')
        return
    with usage_errors_in_one_sentence():
        for name in args.names:
            make = write_subset if name in SUBSETS else prepare
            make(name, args.root)
            print(f'{name} is complete')


if __name__ == '__main__':
    main()
