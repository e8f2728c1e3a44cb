#!/usr/bin/env python
"""Write the images of CIFAR-10 as files, in a folder for each class.

torchvision downloads what is missing. The small trainings read
data/cifar10_photos/{train,test}/<class>.
"""

from pathlib import Path

from mmdrloc.apis.cli import Parser
from mmdrloc.utils.errors import UsageError, usage_errors_in_one_sentence
from mmdrloc.utils.files import atomic_folder

EXAMPLES = """examples:
  python tools/dataset_converters/cifar10_photos.py
"""


def write_photos(source: Path, out: Path) -> None:
    """Write ``<out>/{train,test}/<class>/<number>.png``.

    Args:
        source (Path): The folder of torchvision's CIFAR-10.
        out (Path): The folder to make.

    Raises:
        UsageError: If ``out`` exists, or the images cannot be had.
    """
    from torchvision.datasets import CIFAR10

    with atomic_folder(out) as new:
        try:
            parts = {
                part: CIFAR10(source, train=part == 'train', download=True)
                for part in ('train', 'test')
            }
        # torchvision raises RuntimeError where a checksum is another one.
        except (OSError, RuntimeError) as error:
            raise UsageError(
                f'CIFAR-10 is not in {source}: {error}'
            ) from error
        for part, photos in parts.items():
            for name in photos.classes:
                (new / part / name).mkdir(parents=True)
            for index, (photo, label) in enumerate(photos):
                folder = new / part / photos.classes[label]
                photo.save(folder / f'{index:05d}.png')


def main() -> None:
    """Run the command line."""
    Parser(description=__doc__, epilog=EXAMPLES).parse_args()
    out = Path('data/cifar10_photos')
    with usage_errors_in_one_sentence():
        write_photos(Path('data/cifar10'), out)
    print(f'{out} is complete')


if __name__ == '__main__':
    main()
