"""A folder of images and label maps, described as one for segmentation."""

from hashlib import sha256
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Tuple

from mmengine.fileio import list_dir_or_file

from mmdrloc.datasets.catalog import Description
from mmdrloc.utils.errors import UsageError, counted, few
from .splits import (
    IMAGES,
    MAPS,
    TRAIN,
    VAL,
    copies_in,
    files_in,
    images_in,
    subfolder,
)

LAYOUT = (
    'images/train, images/val, annotations/train and annotations/val (or '
    'labels, masks), and classes.txt with a class a line'
)
# Stands in classes.txt for a value that is no class.
NO_CLASS = '(ignored)'
IGNORED = 255


def describe(folder: Path) -> Tuple[Description, List[str]]:
    """Describe label maps; see :func:`mmdrloc.datasets.choice.choose`."""
    lines = _read_classes(folder / 'classes.txt')
    classes = [line for line in lines if line != NO_CLASS]
    both: Dict[str, Any] = dict(
        type='mmseg.BaseSegDataset',
        data_root=str(folder),
        metainfo=dict(classes=classes),
    )
    if classes != lines:
        numbers = {name: number for number, name in enumerate(classes)}
        both['type'] = 'mmdrloc.RenumberedSegDataset'
        both['labels'] = [numbers.get(line, IGNORED) for line in lines]
    data: Dict[str, Any] = dict(num_classes=len(classes))
    written: List[Tuple[str, int]] = []
    images = {}
    notes: List[str] = []
    for part, names in (('train', TRAIN), ('val', VAL)):
        place, images[part], alone = _part(folder, names)
        notes += alone
        data[f'num_{part}'] = len(images[part])
        data[f'{part}_dataset'] = {**both, **place}
        maps = folder / place['data_prefix']['seg_map_path']
        written += [
            (file, (maps / file).stat().st_size)
            for file in sorted(files_in(maps))
        ]
    # Corrected label maps make other data.
    data['data_files'] = sha256(repr(written).encode()).hexdigest()[:16]
    return data, notes + copies_in(images['train'], images['val'])


def _part(
    folder: Path, names: Sequence[str]
) -> Tuple[Dict[str, Any], List[Path], List[str]]:
    """Where both are and how they end; the images; maps without image."""
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
    read = list_dir_or_file(
        folder / images, list_dir=False, suffix=suffixes[0], recursive=True
    )
    hidden = sorted({*read} - {*files})
    if hidden:
        raise UsageError(
            f'{folder / images} has images in hidden folders, or in those of '
            f'programs, which mmseg would read: {few(hidden)}. Remove them.'
        )
    stems = [file.removesuffix(suffixes[0]) for file in files]
    there = {*files_in(folder / maps)}
    first = max(stems, key=len)  # 1 is how 10 and 100 begin
    ends = {f.removeprefix(first) for f in there if f.startswith(first)}
    counts = {end: sum(stem + end in there for stem in stems) for end in ends}
    best = [end for end in ends if counts[end] == max(counts.values())]
    if len(best) != 1:
        raise UsageError(
            f'{folder / maps} has {len(best)} label maps for '
            f'{first}{suffixes[0]}'
            f'{f" (which end in {few(sorted(best))})" * bool(best)}: an image '
            'has one, whose name begins as that of the image does.'
        )
    wanted = {stem + best[0]: file for stem, file in zip(stems, files)}
    missing = [file for name, file in wanted.items() if name not in there]
    if missing:
        raise UsageError(
            f'{folder / images} has {counted(len(missing), "image")} without '
            f'a label map in {folder / maps}: {few(missing)}.'
        )
    place = dict(
        data_prefix=dict(img_path=images, seg_map_path=maps),
        img_suffix=suffixes[0],
        seg_map_suffix=best[0],
    )
    others = there - wanted.keys()
    alone = sorted(name for name in others if name.endswith(best[0]))
    notes = [
        f'{counted(len(alone), "label map")} in {folder / maps} left out, '
        f'without an image: {few(alone)}.'
    ] * bool(alone)
    return place, [folder / images / file for file in files], notes


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


def _read_classes(file: Path) -> List[str]:
    """The names in the order of their values; two at least."""
    try:
        lines = file.read_text('utf-8-sig').rstrip().splitlines()
    except (OSError, UnicodeDecodeError):
        lines = []
    lines = [line.strip() for line in lines]
    named = [line for line in lines if line != NO_CLASS]
    if '' in lines or len({*named}) < max(2, len(named)):
        fault = f'names {counted(len({*named}), "class")}'
        if '' in lines or len({*named}) < len(named):
            fault += ', some twice or on empty lines'
        if not file.is_file():
            fault = 'is missing'
        raise UsageError(
            f'{file} {fault}: write the names of two classes or more, one a '
            'line, in the order of their values from 0, in UTF-8; '
            f'{NO_CLASS} stands for a value that is no class.'
        )
    return lines
