#!/usr/bin/env python
"""Download what is missing of the datasets of the experiments and check them.

Downloaded is where the authors allow it; checked are the published counts.
"""

import argparse
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any, Dict, List, Sequence

from published_sets import DOWNLOADS, PAGES, Download

from mmdrloc.datasets.catalog import CATALOG
from mmdrloc.utils.errors import UsageError, usage_errors_in_one_sentence

EXAMPLES = """examples:
  python tools/dataset_converters/prepare.py svhn flowers102
"""
# Images of a part that are opened.
SAMPLE = 200


def prepare(name: str, root: str) -> None:
    """Have a dataset ready for the configs.

    Args:
        name (str): A key of :data:`PAGES`.
        root (str): Folder of all datasets, 'data' for the configs.

    Raises:
        UsageError: If the set is not there as published: with what was found
            and where it is officially obtained.
    """
    data, downloads = CATALOG[name], DOWNLOADS.get(name, ())
    place = Path(data['train_dataset']['data_root'])
    folder = Path(root, place.relative_to('data'))
    findings = []
    try:
        fetch_missing(downloads, folder)
    # torchvision raises RuntimeError where a checksum is another one.
    except (UsageError, OSError, RuntimeError) as error:
        findings.append(str(error))
    for part in ('train', 'val'):
        config = dict(data[f'{part}_dataset'], data_root=str(folder))
        found = differences(config, data[f'num_{part}'], data['num_classes'])
        findings += [f'{part}: {finding}' for finding in found]
    if findings:
        remedy = 'unpack it there by hand.'
        if downloads:
            made = ', '.join(part.makes for part in downloads)
            remedy = f'remove what is wrong of {made} and run this again.'
        what = f'{name} is not in {folder} as published:'
        where = f'It is obtained from {PAGES[name]}: {remedy}'
        raise UsageError('\n  - '.join([what, *findings, where]))


def differences(
    config: Dict[str, Any], count: int, num_classes: int
) -> List[str]:
    """A sentence for each difference of a part to what is published."""
    from mmengine.registry import DATASETS

    from mmdrloc.utils.images import evenly_spaced, find_bad_images

    try:
        samples = DATASETS.build(dict(config, serialize_data=False)).data_list
    except Exception as error:  # damaged files fail in many ways
        return [str(error)]
    findings = []
    if len(samples) != count:
        findings.append(f'{len(samples)} images, published are {count}')
    labels = {sample['gt_label'] for sample in samples}
    if not labels <= set(range(num_classes)):
        findings.append(
            f'labels {min(labels)} to {max(labels)}, there are {num_classes} '
            'classes'
        )
    paths = [s['img_path'] for s in samples if 'img_path' in s]
    return findings + find_bad_images(evenly_spaced(paths, SAMPLE))[:1]


def fetch_missing(parts: Sequence[Download], folder: Path) -> None:
    """Download what is not there, and put each part in place when it is whole.

    Args:
        parts (Sequence[Download]): The files of a dataset.
        folder (Path): The set's folder.

    Raises:
        UsageError: If an archive cannot or must not be unpacked.
        RuntimeError: If a file has another checksum.
        OSError: If one cannot be fetched or written.
    """
    from torchvision.datasets.utils import download_url

    for part in parts:
        if (folder / part.makes).exists():
            continue
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(
            prefix='.download', dir=folder
        ) as temporary:
            name = part.url.rsplit('/', 1)[-1]
            download_url(part.url, temporary, name, part.md5)
            new = Path(temporary, name)
            if new.suffix in ('.zip', '.tar', '.tgz', '.gz'):
                unpack(new, Path(temporary, 'unpacked'))
                new = Path(temporary, 'unpacked', part.makes)
            if not new.exists():
                raise UsageError(f'{part.url} does not hold {part.makes}.')
            os.replace(new, folder / part.makes)


def unpack(file: Path, folder: Path) -> None:
    """Unpack an archive, of which nothing is written outside of the folder.

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


def main() -> None:
    """Prepare one set after the other."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        'names',
        nargs='+',
        choices=PAGES,
        metavar='NAME',
        help=f'one or several of {", ".join(PAGES)}',
    )
    parser.add_argument(
        '--root', default='data', help='folder of all datasets (%(default)s)'
    )
    args = parser.parse_args()
    with usage_errors_in_one_sentence():
        for name in args.names:
            prepare(name, args.root)
            print(f'{name} is complete')


if __name__ == '__main__':
    main()
