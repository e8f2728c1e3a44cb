"""Say which part of an installation does not work, and what mends it.

Imports one part after another, so that it runs where others do not.
"""

import sys
from functools import partial
from importlib import import_module, metadata
from typing import Callable, List, Tuple

SET_UP = '`make env` in a checkout sets up versions that fit each other'
OTHER_TORCH = (
    'install a torch for this GPU and its driver, or a newer driver; start a '
    'container with --gpus all'
)
OPERATORS = f'only classification works without compiled operators: {SET_UP}'
LINES = {'onedl-mmengine': 'mmengine', 'onedl-mmcv': 'mmcv'}


def _version(module: str) -> str:
    return getattr(import_module(module), '__version__', '')


def _line() -> str:
    names = {dist.metadata['Name'] for dist in metadata.distributions()}
    for ours, original in LINES.items():
        if {ours, original} <= names:
            raise ImportError(
                f'{ours} and {original} overwrite each other: uninstall both'
            )
    return 'OneDL' if names.intersection(LINES) else 'original'


def _gpus() -> str:
    torch = import_module('torch')
    torch.ones(1).numpy()  # NumPy and torch fit each other
    for index in range(torch.cuda.device_count()):
        torch.ones(1, device=f'cuda:{index}').add(1).cpu().numpy()
    return str(torch.cuda.device_count())


def _operators() -> str:
    torch = import_module('torch')
    device = 'cuda' if torch.cuda.device_count() else 'cpu'
    box = torch.ones(1, 4, device=device)
    import_module('mmcv.ops').nms(box, box[:, 0], 0.5)
    return f'work on {device}'


def doctor() -> None:
    """Check this installation.

    The exit status is 1 if classification does not work.
    """
    needed = 'numpy torch torchvision cv2 mmengine mmcv mmpretrain timm'
    parts: List[Tuple[str, Callable[[], str], str]] = [
        (name, partial(_version, name), SET_UP) for name in needed.split()
    ]
    parts += [
        ('OpenMMLab line', _line, SET_UP),
        ('mmdrloc', partial(_version, 'mmdrloc.models'), SET_UP),
        ('GPUs', _gpus, OTHER_TORCH),
        ('mmcv.ops', _operators, OPERATORS),
        ('mmdet', partial(_version, 'mmdet.apis'), OPERATORS),
        ('mmseg', partial(_version, 'mmseg.apis'), OPERATORS),
    ]
    remedies = []
    for name, trial, remedy in parts:
        try:
            print(f'ok     {name:<15} {trial()}', flush=True)
        except Exception as error:  # an assertion, a missing symbol, ...
            first = (str(error).splitlines() or [''])[0]
            print(f'WRONG  {name:<15} {type(error).__name__}: {first}')
            remedies.append(remedy)
    print(*dict.fromkeys(remedies), sep='\n')
    sys.exit(any(remedy != OPERATORS for remedy in remedies))
