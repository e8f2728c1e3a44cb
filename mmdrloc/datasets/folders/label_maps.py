"""A folder of images and label maps, described as one for segmentation."""

from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np
from PIL import Image

from mmdrloc.datasets.catalog import Description
from mmdrloc.utils.errors import UsageError, few
from mmdrloc.utils.images import evenly_spaced
from .parts import (
    IMAGES,
    MAPS,
    TRAIN,
    VAL,
    images_in,
    palette,
    subfolder,
)

LAYOUT = (
    'images/train, images/val, annotations/train and annotations/val (or '
    'labels, masks), and classes.txt with a class a line'
)
CLASSES = 'classes.txt'
# Stands in classes.txt for a value that is no class.
NO_CLASS = '(ignored)'
IGNORED = 255
# Label maps whose values are looked at; the preflight looks at more.
SAMPLE = 20


class Part(NamedTuple):
    """What there is to train or to validate on.

    Args:
        images (str): Their folder, from the user's.
        maps (str): That of the label maps.
        image_suffix (str): How all images end.
        map_suffix (str): How the label map of an image ends instead.
        names (list[str]): The images without their ends.
    """

    images: str
    maps: str
    image_suffix: str
    map_suffix: str
    names: List[str]


def describe(folder: Path) -> Tuple[Description, List[str]]:
    """Describe label maps; see :func:`mmdrloc.datasets.folders.describe`."""
    parts = [_part(folder, TRAIN), _part(folder, VAL)]
    lines = _read_classes(folder / CLASSES)
    _check_values(folder, parts, lines)
    classes = [line for line in lines if line != NO_CLASS]
    both: Dict[str, Any] = dict(
        type='mmseg.BaseSegDataset',
        data_root=str(folder),
        metainfo=dict(classes=classes, palette=palette(len(classes))),
    )
    if classes != lines:
        both.update(
            type='mmdrloc.RenumberedSegDataset',
            labels=[
                classes.index(line) if line != NO_CLASS else IGNORED
                for line in lines
            ],
        )
    train, val = (
        dict(
            both,
            data_prefix=dict(img_path=part.images, seg_map_path=part.maps),
            img_suffix=part.image_suffix,
            seg_map_suffix=part.map_suffix,
        )
        for part in parts
    )
    data = dict(
        num_classes=len(classes),
        num_train=len(parts[0].names),
        num_val=len(parts[1].names),
        reduce_zero_label=False,
        train_dataset=train,
        val_dataset=val,
    )
    return data, []


def _part(folder: Path, names: Sequence[str]) -> Part:
    images, maps = _place(folder, IMAGES, names), _place(folder, MAPS, names)
    if images is None or maps is None:
        what = 'images' if images is None else 'label maps'
        raise UsageError(
            f'{folder} is not laid out for segmentation, it has no {what} '
            f'for {names[0]}: looked for {LAYOUT}.'
        )
    files = images_in(folder / images)
    suffixes = sorted({Path(file).suffix for file in files})
    if len(suffixes) != 1:
        raise UsageError(
            f'{folder / images} holds images that end in '
            f'{few(suffixes) or "none of the known suffixes"}: mmseg reads '
            'one kind, convert the others.'
        )
    stems = [file[: -len(suffixes[0])] for file in files]
    suffix = _map_suffix(folder / images, folder / maps, stems)
    return Part(images, maps, suffixes[0], suffix, stems)


def _place(
    folder: Path, kinds: Sequence[str], parts: Sequence[str]
) -> Optional[str]:
    """Find images/train, or train/images."""
    for outer, inner in ((kinds, parts), (parts, kinds)):
        first = subfolder(folder, outer)
        second = first and subfolder(folder / first, inner)
        if second:
            return f'{first}/{second}'
    return None


def _map_suffix(images: Path, maps: Path, stems: List[str]) -> str:
    """How label maps end where their images' names have ended."""
    files = {
        path.relative_to(maps).as_posix()
        for path in maps.rglob('*')
        if path.is_file()
    }
    ends = [f[len(stems[0]) :] for f in files if f.startswith(stems[0])]
    counts = {end: sum(stem + end in files for stem in stems) for end in ends}
    best = [end for end in ends if counts[end] == max(counts.values())]
    if not best:
        raise UsageError(
            f'{images / stems[0]}.* has no label map in {maps}: its name '
            'should begin as that of its image does.'
        )
    if len(best) > 1:
        raise UsageError(
            f'{maps} has several files for an image, which end in '
            f'{few(sorted(best))}: leave the label maps there alone.'
        )
    return best[0]


def _read_classes(file: Path) -> List[str]:
    try:
        lines = file.read_text('utf-8-sig').rstrip().splitlines()
    except FileNotFoundError:
        raise UsageError(
            f'there is no {file}: write the names of the classes there, one '
            'a line, in the order of their values from 0.'
        ) from None
    except UnicodeDecodeError:
        raise UsageError(f'{file} is no text in UTF-8: save it so.') from None
    lines = [line.strip() for line in lines]
    named = [line for line in lines if line != NO_CLASS]
    twice = sorted({line for line in named if named.count(line) > 1})
    if '' in lines or twice or len(named) < 2:
        fault = f'the same name twice ({few(twice)})' if twice else ''
        if '' in lines:
            fault = f'nothing on line {lines.index("") + 1}'
        raise UsageError(
            f'{file} has {fault or f"{len(named)} names"}: write the names '
            'of two classes or more, one a line, in the order of their '
            f'values from 0; {NO_CLASS} stands for a value that is no class.'
        )
    return lines


def _check_values(
    folder: Path, parts: Sequence[Part], lines: List[str]
) -> None:
    """Look whether the values of some label maps are in classes.txt."""
    for part in parts:
        for name in evenly_spaced(part.names, SAMPLE):
            file = folder / part.maps / f'{name}{part.map_suffix}'
            try:
                with Image.open(file) as image:
                    values = np.unique(np.asarray(image))
                    is_map = image.mode in ('L', 'P', '1')
            except (OSError, ValueError):  # the preflight names it
                continue
            beyond = values[(values >= len(lines)) & (values != IGNORED)]
            if is_map and len(beyond):
                raise UsageError(
                    f'{folder / CLASSES} has {len(lines)} lines, for the '
                    f'values 0 to {len(lines) - 1}, and {file} has '
                    f'{few(beyond.tolist())}: add the names, or a line '
                    f'{NO_CLASS} for each value that is no class; {IGNORED} '
                    'is always ignored.'
                )
