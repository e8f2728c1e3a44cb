#!/usr/bin/env python
"""Download what is missing of the datasets of the experiments and check them.

Downloaded is where the authors allow it; checked are the published counts.
"""

import argparse
import os
import shutil
import tempfile
from pathlib import Path
from typing import Dict, List, Sequence

from published_sets import PUBLISHED, Download

from mmdrloc.datasets.catalog import CATALOG
from mmdrloc.utils.errors import UsageError, usage_errors_in_one_sentence

EXAMPLES = """examples:
  python tools/dataset_converters/prepare.py svhn flowers102
  python tools/dataset_converters/prepare.py imagenet-1k --check-only
"""
ARCHIVES = ('.zip', '.tar', '.tgz', '.gz')
# Images of a part that are opened.
SAMPLE = 200


def prepare(name: str, root: str, check_only: bool = False) -> Dict[str, int]:
    """Have a dataset ready for the configs.

    Args:
        name (str): A key of :data:`PUBLISHED`.
        root (str): Folder of all datasets, 'data' for the configs.
        check_only (bool): Whether to download nothing. Defaults to False.

    Returns:
        dict[str, int]: Images of each split, and 'classes'.

    Raises:
        UsageError: If the set is not there as published: with what was found
            and where it is officially obtained.
    """
    data, published = CATALOG[name], PUBLISHED[name]
    folder = folder_of(name, root)
    findings = []
    if not check_only:
        try:
            fetch_missing(published.downloads, folder)
        # torchvision raises RuntimeError where a checksum is another one.
        except (UsageError, OSError, RuntimeError) as error:
            findings.append(str(error))
    parts = (
        (data['train_dataset'], data['num_train']),
        (data['val_dataset'], data['num_val']),
    )
    for part, count in parts:
        found = differences(part, count, data['num_classes'], folder)
        findings += [f'{part["split"]}: {finding}' for finding in found]
    if findings:
        what = f'{name} is not in {folder} as published:'
        where = f'It is obtained from {published.page}'
        remedy = 'unpack it there by hand.'
        if published.downloads:
            made = ', '.join(part.makes for part in published.downloads)
            remedy = f'remove what is wrong of {made} and run this again.'
            if check_only:
                remedy = 'without --check-only it is downloaded.'
        raise UsageError(
            '\n  - '.join([what, *findings, f'{where}: {remedy}'])
        )
    counts = {part['split']: count for part, count in parts}
    return {**counts, 'classes': data['num_classes']}


def folder_of(name: str, root: str) -> Path:
    """Where a dataset is among all in ``root``, or should be."""
    place = Path(CATALOG[name]['train_dataset']['data_root'])
    return Path(root, place.relative_to('data'))


def differences(
    part: dict, count: int, num_classes: int, folder: Path
) -> List[str]:
    """A sentence for each difference of a part to what is published."""
    from mmengine.registry import DATASETS
    from PIL import Image

    try:
        samples = DATASETS.build(
            dict(part, data_root=str(folder), serialize_data=False)
        ).data_list
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
    for path in paths[:: max(1, len(paths) // SAMPLE)]:
        try:
            with Image.open(path) as image:
                image.load()
        except (OSError, SyntaxError) as error:
            return [*findings, f'{path} is missing or damaged ({error})']
    return findings


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
            if new.suffix in ARCHIVES:
                unpack(new, Path(temporary, 'unpacked'))
                new = Path(temporary, 'unpacked', part.makes)
            if not new.exists():
                raise UsageError(f'{part.url} does not hold {part.makes}.')
            os.replace(new, folder / part.makes)


def unpack(file: Path, folder: Path) -> None:
    """Unpack an archive; nothing is written outside of the folder.

    Args:
        file (Path): A zip or tar file.
        folder (Path): To be made.

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
        choices=PUBLISHED,
        metavar='NAME',
        help=f'one or several of {", ".join(PUBLISHED)}',
    )
    parser.add_argument(
        '--root', default='data', help='folder of all datasets (%(default)s)'
    )
    parser.add_argument(
        '--check-only', action='store_true', help='download nothing'
    )
    args = parser.parse_args()
    with usage_errors_in_one_sentence():
        for name in args.names:
            counts = prepare(name, args.root, args.check_only)
            said = ', '.join(f'{count} {key}' for key, count in counts.items())
            print(f'{name} is complete: {said}')


if __name__ == '__main__':
    main()
