"""Errors of a step: where in the model, and widths that do not meet."""

import copy
import re
import tempfile
from pathlib import Path
from traceback import walk_tb
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

import numpy as np
import torch
from mmengine.dataset import pseudo_collate
from mmengine.model import revert_sync_batchnorm
from PIL import Image
from torch import nn

from mmdrloc.utils.errors import cause

# Two: BatchNorm over a 1x1 map cannot train on one, Mixup wants an even
# number.
IMAGES = 2
# Widths that do not meet, as torch says it: what comes in, what is expected.
WIDTHS = (
    re.compile(r'cannot be multiplied \(\d+x(?P<a>\d+) and (?P<b>\d+)x\d+\)'),
    re.compile(r'to have (?P<b>\d+) channels, but got (?P<a>\d+) channels'),
    re.compile(r'normalized_shape=\[(?P<b>\d+)\].*size\s?\[.*?(?P<a>\d+)\]'),
)
MOST_WIDTHS = 9
TRIED = 'dry run'
# Of larger made-up images a corner goes as far as the neck: a whole step of a
# detector takes a processor half a minute.
LARGE = IMAGES * 3 * 256 * 256
CORNER = 64


def bad_widths(
    model: nn.Module, dataset: Any, collate: Optional[Callable] = None
) -> List[str]:
    """Widths that do not meet, found without the data.

    Args:
        model (nn.Module): Built for this alone.
        dataset (BaseDataset): Built; its files need not be there.
        collate (Callable, optional): Of the loader.

    Returns:
        list[str]: The sentences of :func:`dry_run`.
    """
    try:
        with tempfile.TemporaryDirectory() as folder:
            made_up = [_made_up(Path(folder)) for _ in range(IMAGES)]
            items = [dataset.pipeline(info) for info in made_up]
        batch = (collate or pseudo_collate)(items)
    except Exception:  # data of another kind
        return []

    model = revert_sync_batchnorm(model)  # one process alone tries it

    def step() -> None:
        data = model.data_preprocessor(copy.deepcopy(batch), True)
        inputs = data['inputs']
        if torch.is_tensor(inputs) and inputs.numel() > LARGE:
            model.extract_feat(inputs[..., :CORNER, :CORNER])
        else:
            model(**data, mode='loss')

    with torch.no_grad():
        said = [
            where(error, model) for error in errors_of(model.train(), step)
        ]
    # What else fails may be the made-up images' fault.
    return [
        f'{TRIED} of training fails{text}.'
        for text in said
        if 'in_channels' in text
    ]


def _made_up(folder: Path) -> Dict[str, Any]:
    """What a data set of any task says of an image."""
    side, box = 256, [20.0, 20.0, 120.0, 120.0]
    image, labels = folder / 'image.png', folder / 'labels.png'
    pixels = np.random.default_rng(0).integers(0, 255, (side, side, 3))
    Image.fromarray(pixels.astype(np.uint8)).save(image)
    Image.new('L', (side, side)).save(labels)
    mask = [[20.0, 20.0, 120.0, 20.0, 120.0, 120.0]]
    return dict(
        img_path=str(image),
        img=pixels.astype(np.uint8),
        img_id=0,
        sample_idx=0,
        height=side,
        width=side,
        gt_label=0,
        seg_map_path=str(labels),
        label_map=None,
        reduce_zero_label=False,
        seg_fields=[],
        instances=[dict(bbox=box, bbox_label=0, ignore_flag=0, mask=mask)],
    )


def errors_of(
    model: nn.Module, step: Callable[[], None]
) -> Iterator[Exception]:
    """What a step raises; widths that do not meet are mended on the way."""
    for _ in range(MOST_WIDTHS):
        try:
            step()
            return
        except Exception as error:  # a class may be anyone's
            raised = error
        yield raised
        _, module = _module_of(raised, model)
        found = _widths(raised)
        is_plain = isinstance(module, (nn.Linear, nn.Conv2d))
        if not found or not is_plain or getattr(module, 'groups', 1) != 1:
            return
        weight = module.weight
        size = len(weight), int(found['a']), *weight.shape[2:]
        module.weight = nn.Parameter(weight.new_zeros(size))


def _module_of(
    error: Exception, model: nn.Module
) -> Tuple[str, Optional[nn.Module]]:
    """The innermost module of the model in which an error came up."""
    names = {id(module): name for name, module in model.named_modules()}
    found = '', None
    for frame, _ in walk_tb(error.__traceback__):
        module = frame.f_locals.get('self')
        if isinstance(module, nn.Module) and names.get(id(module)):
            found = names[id(module)], module
    return found


def _widths(error: Exception) -> Optional[Dict[str, str]]:
    found = (pattern.search(cause(error)) for pattern in WIDTHS)
    return next((match.groupdict() for match in found if match), None)


def where(error: Exception, model: nn.Module) -> str:
    """In which module of the model an error came up, and what it says."""
    name, module = _module_of(error, model)
    place = f' in model.{name} ({type(module).__name__})' if name else ''
    text, widths = cause(error), _widths(error)
    if widths:
        text = (
            f'{widths["a"]} channels come in where {widths["b"]} are '
            'expected: make `in_channels` the width of what is before it'
        )
    elif 'is invalid for input of size' in text:
        text += (
            '; sizes do not divide: compare the number of heads, the width '
            'and the size of the images'
        )
    return f'{place}: {text}'
