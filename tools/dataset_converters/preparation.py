"""Check the data sets against what is published; fetch what is missing."""

import os
import shutil
from pathlib import Path
from typing import Dict, List, Sequence

from mmengine.config import Config
from mmengine.registry import DATASETS
from published_sets import PUBLISHED, Download, PublishedSet
from unpacking import is_archive, unpack

from mmdrloc.checkpoints.reading.download import fetch, one_at_a_time
from mmdrloc.utils.errors import UsageError, first_few
from mmdrloc.utils.images import find_bad_images


def prepare(
    dataset: Config, root: str, check_only: bool = False
) -> Dict[str, int]:
    """Have a data set ready for the configs.

    Args:
        dataset (Config): Of ``configs/_base_/datasets``, with a name in
            :data:`PUBLISHED`.
        root (str): Folder of all data sets, 'data' for the configs.
        check_only (bool): Whether to download nothing. Defaults to False.

    Returns:
        dict[str, int]: Images of each split, and 'classes'.

    Raises:
        UsageError: If the set is not there as published: with everything
            that was found, and where the set is officially obtained.
    """
    published = PUBLISHED[dataset.dataset_name]
    folder = folder_of(dataset, root)
    findings = []
    if not check_only:
        try:
            fetch_missing(published.downloads, folder)
        except UsageError as error:
            findings.append(str(error))
        except OSError as error:
            findings.append(
                f'{error.filename or folder} cannot be written '
                f'({error.strerror}): make room, or choose another folder.'
            )
    findings += differences(dataset, folder)
    if findings:
        what = f'{dataset.dataset_name} is not in {folder} as published:'
        remedy = _remedy(published, folder, check_only)
        raise UsageError('\n  - '.join([what, *findings]) + f'\n{remedy}')
    return {
        dataset.train_dataset.split: dataset.num_train,
        dataset.val_dataset.split: dataset.num_val,
        'classes': dataset.num_classes,
    }


def folder_of(dataset: Config, root: str) -> Path:
    """Where a data set of the configs is among all in ``root``, or should."""
    place = Path(dataset.train_dataset.data_root)
    return Path(root, place.relative_to('data'))


def differences(dataset: Config, folder: Path) -> List[str]:
    """A sentence for each difference of a data set to what is published."""
    findings = []
    for part, count in (
        (dataset.train_dataset, dataset.num_train),
        (dataset.val_dataset, dataset.num_val),
    ):
        try:
            images = DATASETS.build(
                dict(part, data_root=str(folder), serialize_data=False)
            ).data_list
        except Exception as error:  # damaged files fail in many ways
            findings.append(f'{part.split}: {error}')
            continue
        found = _compare(images, count, dataset.num_classes, part.split)
        findings += [f'{part.split}: {finding}' for finding in found]
    return list(dict.fromkeys(findings))


def _compare(
    samples: Sequence[dict], count: int, num_classes: int, split: str
) -> List[str]:
    findings = []
    if len(samples) != count:
        findings.append(f'{len(samples)} images, published are {count}')
    labels = {sample['gt_label'] for sample in samples}
    beyond = {label for label in labels if not 0 <= label < num_classes}
    if beyond:
        findings.append(
            f'labels {min(beyond)} to {max(beyond)}, there are '
            f'{num_classes} classes'
        )
    paths = [s['img_path'] for s in samples if 'img_path' in s]
    bad = find_bad_images(paths)
    return [*findings, *first_few(bad, 'such images')]


def _remedy(published: PublishedSet, folder: Path, check_only: bool) -> str:
    if not published.downloads:
        return (
            f'It is obtained by hand from {published.page}: unpack it there.'
        )
    if check_only:
        return (
            f'It is obtained from {published.page}: without --check-only '
            'what is missing is downloaded.'
        )
    made = ', '.join(part.makes for part in published.downloads)
    return (
        f'It is obtained from {published.page}: remove what is wrong of '
        f'{made} in {folder} and run this command again.'
    )


def fetch_missing(parts: Sequence[Download], folder: Path) -> None:
    """Download what is not there, then put all of it in place at once.

    Downloads wait in ``.downloads`` beside the folder. Archives are unpacked
    in a temporary folder there, so that a part is either absent or whole. Of
    several processes one does it, and the others find it done.

    Args:
        parts (Sequence[Download]): The files of a data set.
        folder (Path): The set's folder.

    Raises:
        UsageError: If a file cannot be fetched or unpacked.
    """
    if all((folder / part.makes).exists() for part in parts):
        return
    waiting = folder.parent / '.downloads'
    waiting.mkdir(parents=True, exist_ok=True)
    temporary = waiting / f'unpacking-{folder.name}'
    with one_at_a_time(temporary):
        missing = [p for p in parts if not (folder / p.makes).exists()]
        files = [waiting / part.url.rsplit('/', 1)[-1] for part in missing]
        for part, file in zip(missing, files):
            fetch(part.url, file, part.md5)
        # What a killed process left.
        shutil.rmtree(temporary, ignore_errors=True)
        try:
            ready = [
                _unpacked(part, file, temporary / str(number))
                for number, (part, file) in enumerate(zip(missing, files))
            ]
            for part, path in zip(missing, ready):
                (folder / part.makes).parent.mkdir(parents=True, exist_ok=True)
                os.replace(path, folder / part.makes)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
        for file in files:
            file.unlink(missing_ok=True)


def _unpacked(part: Download, file: Path, temporary: Path) -> Path:
    """Where the part is now: in an unpacked archive, or the file itself."""
    if not is_archive(file):
        return file
    unpack(file, temporary)
    if not (temporary / part.makes).exists():
        raise UsageError(
            f'{file} does not hold {part.makes}: {part.url} is no longer '
            'what it was.'
        )
    return temporary / part.makes
