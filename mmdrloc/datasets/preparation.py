"""Check the data sets against what is published; fetch what is missing."""

import os
import shutil
from pathlib import Path
from typing import Dict, List, Sequence

from mmengine.registry import DATASETS

from mmdrloc.errors import UsageError
from .download import fetch, one_at_a_time
from .image_check import find_bad_images
from .published import PUBLISHED, Download, PublishedSet
from .unpacking import is_archive, unpack

# Bad images that are named one by one; of more, their number is told.
MOST_NAMED = 5


def prepare(name: str, root: str, check_only: bool = False) -> Dict[str, int]:
    """Have a data set ready for the configs.

    Args:
        name (str): A key of :data:`PUBLISHED`.
        root (str): Folder of all data sets, 'data' for the configs.
        check_only (bool): Whether to download nothing. Defaults to False.

    Returns:
        dict[str, int]: Images of each split, and 'classes'.

    Raises:
        UsageError: If the set is not there as published: with everything
            that was found, and where the set is officially obtained.
    """
    if name not in PUBLISHED:
        raise UsageError(
            f"there is no data set '{name}': choose from "
            f'{", ".join(PUBLISHED)}.'
        )
    published = PUBLISHED[name]
    folder = Path(root) / published.folder
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
    findings += differences(published, folder)
    if findings:
        raise UsageError(
            '\n  - '.join(
                [f'{name} is not in {folder} as published:', *findings]
            )
            + f'\n{_remedy(published, folder, check_only)}'
        )
    train, test = published.splits
    return {
        train: published.num_train,
        test: published.num_test,
        'classes': published.num_classes,
    }


def differences(published: PublishedSet, folder: Path) -> List[str]:
    """Compare a data set with what is published.

    Args:
        published (PublishedSet): What should be there.
        folder (Path): Where.

    Returns:
        List[str]: One sentence for each difference.
    """
    findings = []
    counts = (published.num_train, published.num_test)
    for split, count in zip(published.splits, counts):
        try:
            dataset = DATASETS.build(
                dict(
                    type=published.dataset,
                    data_root=str(folder),
                    split=split,
                    serialize_data=False,
                    **published.options,
                )
            )
        except Exception as error:  # damaged files fail in many ways
            findings.append(f'{split}: {error}')
            continue
        findings += [
            f'{split}: {found}'
            for found in _compare(dataset.data_list, count, published, split)
        ]
    return list(dict.fromkeys(findings))


def _compare(
    samples: Sequence[dict], count: int, published: PublishedSet, split: str
) -> List[str]:
    findings = []
    if len(samples) != count:
        findings.append(f'{len(samples)} images, published are {count}')
    beyond = {
        sample['gt_label']
        for sample in samples
        if not 0 <= sample['gt_label'] < published.num_classes
    }
    if beyond:
        findings.append(
            f'labels {min(beyond)} to {max(beyond)}, there are '
            f'{published.num_classes} classes'
        )
    paths = [s['img_path'] for s in samples if 'img_path' in s]
    bad = find_bad_images(paths, f'checking images: {split}')
    findings += bad[:MOST_NAMED]
    if len(bad) > MOST_NAMED:
        findings.append(f'and {len(bad) - MOST_NAMED} more such images')
    return findings


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
        _throw_away(temporary)  # what a killed process left
        try:
            ready = [
                _unpacked(part, file, temporary / str(number))
                for number, (part, file) in enumerate(zip(missing, files))
            ]
            for part, path in zip(missing, ready):
                (folder / part.makes).parent.mkdir(parents=True, exist_ok=True)
                os.replace(path, folder / part.makes)
        finally:
            _throw_away(temporary)
        for file in files:
            file.unlink(missing_ok=True)


def _throw_away(folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)


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
