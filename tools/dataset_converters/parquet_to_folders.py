#!/usr/bin/env python
"""Write a data set of parquet files as photos in class folders.

As Hugging Face's `datasets` and their Hub keep image classification: files
`train-*.parquet`, `validation-*.parquet` or `test-*.parquet`, with a column of
images and one of labels. The images are written as they are. Needs
`pip install pyarrow`.
"""

import io
import json
import re
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple

from PIL import Image, UnidentifiedImageError
from rich.progress import Progress

from mmdrloc.apis.cli import command_parser
from mmdrloc.utils.errors import UsageError, usage_errors_in_one_sentence
from mmdrloc.utils.files import atomic_folder

EXAMPLES = """examples:
  hf download cifar10 --repo-type dataset --local-dir downloads/cifar10
  python tools/dataset_converters/parquet_to_folders.py downloads/cifar10 \\
      data/my_cifar10 --image img

  # then
  python tools/train.py configs/photos/swin-mini_drloc.py \\
      --dataset data/my_cifar10
"""
# What a part is called there, and the folder that `--dataset` looks for.
PARTS = dict(
    train='train',
    training='train',
    validation='val',
    valid='val',
    val='val',
    test='test',
)
ROWS = 100


def parquet_to_folders(
    folder: Path, out: Path, image: str = 'image', label: str = 'label'
) -> Dict[str, int]:
    """Write ``<part>/<class>/<number>.<suffix>``.

    Args:
        folder (Path): Holds the parquet files, at any depth.
        out (Path): The folder to make.
        image (str): Column of the images. Defaults to 'image'.
        label (str): Column of the labels: names, or numbers with the names
            that `datasets` writes beside them. Defaults to 'label'.

    Returns:
        dict[str, int]: Images of each part, 'train', 'val' or 'test'.

    Raises:
        UsageError: If pyarrow is missing, the files are no such ones, or
            ``out`` is there already.
    """
    if out.exists():
        raise UsageError(
            f'{out} is there already: give another folder, or remove it.'
        )
    files = _parts_in(folder)
    opened = [
        (part, _open(path, image, label))
        for part, paths in files.items()
        for path in paths
    ]
    names = _folder_names(opened, label)
    counts = dict.fromkeys(files, 0)
    with atomic_folder(out) as temporary, Progress() as progress:
        rows = sum(file.metadata.num_rows for _, file in opened)
        task = progress.add_task(f'writing {out.name}', total=rows)
        for part, file in opened:
            for content, labelled in _rows(file, image, label):
                number = counts[part] = counts[part] + 1
                if labelled not in names:
                    raise UsageError(
                        f'{part}, image {number}, has the label {labelled}, '
                        'which has no name: leave out the files of parts '
                        'without labels.'
                    )
                place = temporary / part / names[labelled]
                place.mkdir(parents=True, exist_ok=True)
                suffix = _suffix(content, f'{part}, image {number}')
                (place / f'{number:07}.{suffix}').write_bytes(content)
                progress.advance(task)
    return counts


def _parts_in(folder: Path) -> Dict[str, List[Path]]:
    """The files of 'train', 'val' and 'test', at any depth of a folder."""
    parts: Dict[str, List[Path]] = {}
    for path in sorted(folder.rglob('*.parquet')):
        known = re.match(r'[a-z]+', path.stem.lower())
        part = PARTS.get(known[0] if known else '')
        if part is None:
            raise UsageError(
                f'{path} does not say what it is for: its name should begin '
                f'with one of {", ".join(PARTS)}.'
            )
        parts.setdefault(part, []).append(path)
    if 'train' not in parts:
        raise UsageError(f'{folder} has no file train*.parquet.')
    return parts


def _folder_names(opened: List[Tuple[str, Any]], label: str) -> Dict[Any, str]:
    """The name of each label as a plain name of a folder."""
    names = _declared_names(opened[0][1], label)
    if names is None:
        values = set()
        for _, file in opened:
            for row in range(file.num_row_groups):
                column = file.read_row_group(row, columns=[label])[label]
                values |= set(column.unique().to_pylist())
        names = {value: str(value) for value in values}
    plain = {
        value: re.sub(r'[^\w .,()&+-]', '_', name).strip(' .') or '_'
        for value, name in names.items()
    }
    if len({name.lower() for name in plain.values()}) < len(plain):
        raise UsageError(
            'two classes would have one folder: their names differ in signs '
            'alone that no folder may have, or in capitals.'
        )
    return plain


def _declared_names(file: Any, label: str) -> Optional[Dict[int, str]]:
    """The names that `datasets` keeps beside numbers."""
    said = (file.schema_arrow.metadata or {}).get(b'huggingface')
    try:
        feature = json.loads(said)['info']['features'][label]
        return dict(enumerate(map(str, feature['names'])))
    # There are none, or it is not what `datasets` writes.
    except (TypeError, ValueError, KeyError):
        return None


def _open(path: Path, image: str, label: str) -> Any:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError as error:
        raise UsageError(f'{path} needs `pip install pyarrow`.') from error
    try:
        file = parquet.ParquetFile(path)
    except (pa.ArrowException, OSError) as error:
        raise UsageError(
            f'{path} is damaged or no parquet file: download it again.'
        ) from error
    for column, option in ((image, '--image'), (label, '--label')):
        if column not in file.schema_arrow.names:
            raise UsageError(
                f'{path} has no column {column}, but '
                f'{", ".join(file.schema_arrow.names)}: choose with {option}.'
            )
    return file


def _rows(file: Any, image: str, label: str) -> Iterator[Tuple[bytes, Any]]:
    for batch in file.iter_batches(ROWS, columns=[image, label]):
        for row in batch.to_pylist():
            content = row[image]
            if isinstance(content, dict):
                content = content.get('bytes')
            if not isinstance(content, bytes):
                raise UsageError(
                    f'the column {image} holds no images, or only where they '
                    'lay when it was written: choose with --image, or write '
                    'the data set again with its images.'
                )
            yield content, row[label]


def _suffix(content: bytes, what: str) -> str:
    try:
        with Image.open(io.BytesIO(content)) as opened:
            return 'jpg' if opened.format == 'JPEG' else opened.format.lower()
    except (UnidentifiedImageError, OSError) as error:
        raise UsageError(f'{what}, is no image that Pillow knows.') from error


def main() -> None:
    """Run the command line."""
    parser = command_parser(__doc__, EXAMPLES)
    parser.add_argument('folder', type=Path, help='holds the parquet files')
    parser.add_argument('out', type=Path, help='folder to make')
    for column in ('image', 'label'):
        parser.add_argument(
            f'--{column}',
            default=column,
            metavar='COLUMN',
            help=f'column of the {column}s (default: %(default)s)',
        )
    args = parser.parse_args()
    with usage_errors_in_one_sentence():
        counts = parquet_to_folders(
            args.folder, args.out, args.image, args.label
        )
    for part, count in counts.items():
        print(f'{args.out / part}: {count:,} images')


if __name__ == '__main__':
    main()
