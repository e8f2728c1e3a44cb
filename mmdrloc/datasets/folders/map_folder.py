"""A folder of images and label maps, as a data set to segment."""

from collections import Counter
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np
from PIL import Image

from mmdrloc.datasets.class_folders import images_in
from mmdrloc.utils.errors import UsageError, few
from mmdrloc.utils.images import evenly_spaced
from .folder import IMAGES, MAPS, TRAIN, VAL, FolderData, palette, subfolder

LAYOUT = (
    'images/train, images/val, annotations/train and annotations/val (or '
    'labels, masks), and classes.txt with a class a line'
)
CLASSES = 'classes.txt'
# Stands in classes.txt for a value that is no class.
NO_CLASS = '(ignored)'
# Label maps whose values are looked at; the checks look at more.
SAMPLE = 20

# What mmseg ignores unless told otherwise.
IGNORED = 255
# Modes of Pillow with one value a pixel.
ONE_CHANNEL = ('1', 'L', 'P', 'I', 'I;16', 'I;16B', 'I;16L')


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


def describe(folder: Path) -> FolderData:
    """Describe a folder as the file of a data set would.

    Args:
        folder (Path): The user's.

    Returns:
        FolderData: The variables of a data set.

    Raises:
        UsageError: If it is not laid out so, or its values are no classes.
    """
    parts = [_part(folder, TRAIN), _part(folder, VAL)]
    lines = _read_classes(folder)
    _check_values(folder, parts, lines)
    classes = [line for line in lines if line != NO_CLASS]
    metainfo = dict(classes=classes, palette=palette(len(classes)))
    kind: Dict[str, Any] = dict(type='mmseg.BaseSegDataset')
    if classes != lines:
        kind = dict(
            type='mmdrloc.RenumberedSegDataset',
            labels=[
                classes.index(line) if line != NO_CLASS else IGNORED
                for line in lines
            ],
        )
    train, val = (
        dict(
            kind,
            data_root=str(folder),
            data_prefix=dict(img_path=part.images, seg_map_path=part.maps),
            img_suffix=part.image_suffix,
            seg_map_suffix=part.map_suffix,
            metainfo=metainfo,
        )
        for part in parts
    )
    return FolderData(
        dict(
            num_classes=len(classes),
            num_train=len(parts[0].names),
            num_val=len(parts[1].names),
            metainfo=metainfo,
            reduce_zero_label=False,
            train_dataset=train,
            val_dataset=val,
        ),
        [],
    )


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
    there = {
        path.relative_to(maps).as_posix()
        for path in maps.rglob('*')
        if path.is_file()
    }
    ends = [
        file[len(stem) :]
        for stem in stems[:1]
        for file in there
        if file.startswith(stem)
    ]
    counts = Counter(
        {end: sum(stem + end in there for stem in stems) for end in ends}
    )
    best = counts.most_common(2)
    if not best:
        raise UsageError(
            f'{images / stems[0]}.* has no label map in {maps}: its name '
            'should begin as that of its image does.'
        )
    if len(best) > 1 and best[0][1] == best[1][1]:
        raise UsageError(
            f'{maps} has several files for an image, which end in '
            f'{few(sorted(counts))}: leave the label maps there alone.'
        )
    return best[0][0]


def _read_classes(folder: Path) -> List[str]:
    file = folder / CLASSES
    try:
        lines = file.read_text('utf-8-sig').rstrip().splitlines()
    except FileNotFoundError:
        raise UsageError(
            f'{folder} has no {CLASSES}: write the names of the classes '
            'there, one a line, in the order of their values from 0.'
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
    beyond = {}
    for part in parts:
        for name in evenly_spaced(part.names, SAMPLE):
            file = folder / part.maps / f'{name}{part.map_suffix}'
            for value in _values(file):
                if value >= len(lines) and value != IGNORED:
                    beyond.setdefault(value, file)
    if beyond:
        first = min(beyond)
        raise UsageError(
            f'{folder / CLASSES} has {len(lines)} lines, for the values 0 to '
            f'{len(lines) - 1}, and there are label maps with '
            f'{few(sorted(beyond))} ({first} in {beyond[first]}): add the '
            f'names, or a line {NO_CLASS} for each value that is no class; '
            f'{IGNORED} is always ignored.'
        )


def _values(file: Path) -> Tuple[int, ...]:
    """None of a file that is no label map: the checks say why."""
    try:
        with Image.open(file) as image:
            if image.mode not in ONE_CHANNEL or image.format == 'JPEG':
                return ()
            return tuple(np.unique(np.asarray(image).astype(int)).tolist())
    except (OSError, ValueError):
        return ()
