#!/usr/bin/env python
"""Convert parquet files of an image dataset to photos in class folders.

The files are those of Hugging Face's `datasets` and Hub: `train-*.parquet`,
`validation-*.parquet` or `test-*.parquet`, with a column of images and one of
labels. Needs `pip install pyarrow`.
"""

import io
import json
import re
from pathlib import Path
from typing import Any, Dict, List, Tuple

from PIL import Image, ImageOps

from mmdrloc.apis.cli import Parser
from mmdrloc.datasets.folders.splits import is_image
from mmdrloc.utils.errors import UsageError, usage_errors_in_one_sentence
from mmdrloc.utils.files import atomic_folder

EXAMPLES = """examples:
  hf download cifar10 --repo-type dataset --local-dir downloads/cifar10
  python tools/dataset_converters/parquet_to_folders.py downloads/cifar10 \\
      data/my_cifar10 --image img
"""
# Beginnings of the names of files, and the folders that `--dataset` looks for.
PARTS = ('train', 'val', 'test')


def parquet_to_folders(
    folder: Path, out: Path, image: str = 'image', label: str = 'label'
) -> Dict[str, int]:
    """Write ``<part>/<class>/<number>.<suffix>``.

    Args:
        folder (Path): Has the parquet files, at any depth.
        out (Path): The folder to make.
        image (str): Column of the images. Defaults to 'image'.
        label (str): Column of the labels: names, or numbers with the names
            that `datasets` writes beside them. Defaults to 'label'.

    Returns:
        dict[str, int]: Number of images in 'train', 'val' and 'test'.

    Raises:
        UsageError: If pyarrow is missing, a file is wrong or ``out`` exists.
    """
    files = sorted(folder.rglob('*.parquet'))
    places = {(_part_of(path), path.parent) for path in files}
    if len({part for part, _ in places}) < len(places):
        found = ', '.join(sorted(str(place) for _, place in places))
        raise UsageError(
            f'{folder} holds several datasets ({found}): give the folder of '
            'one.'
        )
    opened = [(_part_of(path), _open(path, image, label)) for path in files]
    counts = dict.fromkeys((part for part, _ in opened), 0)
    if 'train' not in counts:
        raise UsageError(f'{folder} has no file train*.parquet.')
    names = _folder_names([file for _, file in opened], label)
    with atomic_folder(out) as new:
        for part, file in opened:
            for batch in file.iter_batches(100, columns=[image, label]):
                for row in batch.to_pylist():
                    counts[part] += 1
                    what = f'{part}, image {counts[part]},'
                    if row[label] not in names:
                        raise UsageError(
                            f'{what} has the label {row[label]}, which has no '
                            'name: leave out the files of parts without '
                            'labels.'
                        )
                    place = new / part / names[row[label]]
                    place.mkdir(parents=True, exist_ok=True)
                    content, suffix = _content(row[image], what)
                    file_name = f'{counts[part]:07}.{suffix}'
                    (place / file_name).write_bytes(content)
    return counts


def _part_of(path: Path) -> str:
    for part in PARTS:
        if path.name.lower().startswith(part):
            return part
    raise UsageError(
        f'{path} does not say what it is for: its name should begin with one '
        f'of {", ".join(PARTS)}.'
    )


def _open(path: Path, image: str, label: str) -> Any:
    try:
        from pyarrow import parquet

        file = parquet.ParquetFile(path)
    except ImportError as error:
        raise UsageError(f'{path} needs `pip install pyarrow`.') from error
    except (OSError, ValueError) as error:  # pyarrow's are ValueErrors
        raise UsageError(
            f'{path} is damaged or no parquet file: download it again.'
        ) from error
    columns = file.schema_arrow.names
    if not {image, label} <= {*columns}:
        raise UsageError(
            f'{path} has the columns {", ".join(columns)}, and not {image} '
            f'and {label}: choose with --image and --label.'
        )
    return file


def _folder_names(files: List[Any], label: str) -> Dict[Any, str]:
    """The name of each label as a plain name of a folder."""
    try:  # the names that `datasets` keeps beside numbers
        metas = {file.schema_arrow.metadata[b'huggingface'] for file in files}
        features = [json.loads(meta)['info']['features'] for meta in metas]
        said = [tuple(one[label]['names']) for one in features]
        names = dict(enumerate(said[0]))
    except (TypeError, ValueError, KeyError):
        columns = [file.read(columns=[label])[label] for file in files]
        found = [v for column in columns for v in column.to_pylist()]
        if any(isinstance(value, (list, dict)) for value in found):
            raise UsageError(
                f'the column {label} has several values for each image: '
                'choose one of labels with --label.'
            ) from None
        names = {v: v for v in found if v is not None}
        said = []
    if len({*said}) > 1:
        raise UsageError(
            f'the files number the names of {label} differently: write them '
            'again with the same classes.'
        )
    plain = {
        value: re.sub(r'[^\w .,()&+-]', '_', str(name)).strip(' .') or '_'
        for value, name in names.items()
    }
    if len({name.lower() for name in plain.values()}) < len(plain):
        raise UsageError(
            'two classes would have one folder: their names differ in signs '
            'alone that no folder may have, or in capitals.'
        )
    return plain


def _content(image: Any, what: str) -> Tuple[bytes, str]:
    """The bytes of an image, and the suffix of their format.

    Formats that a training does not read, such as GIF, become PNG.
    """
    content = image.get('bytes') if isinstance(image, dict) else image
    try:
        with Image.open(io.BytesIO(content)) as opened:
            kind = opened.format.lower()
            kind = dict(jpeg='jpg', mpo='jpg').get(kind, kind)
            if not is_image(f'.{kind}'):  # none that `--dataset` reads
                again, kind = io.BytesIO(), 'png'
                upright = ImageOps.exif_transpose(opened)  # as it is shown
                upright.convert('RGB').save(again, 'PNG')
                content = again.getvalue()
            return content, kind
    except (OSError, TypeError) as error:
        raise UsageError(
            f'{what} holds no image that Pillow knows, or only where it lay '
            'when it was written: choose with --image, or write the dataset '
            'again with its images.'
        ) from error


def main() -> None:
    """Run the command line."""
    parser = Parser(description=__doc__, epilog=EXAMPLES)
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
