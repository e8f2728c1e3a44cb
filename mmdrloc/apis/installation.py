"""Say which part of an installation does not work, and what mends it."""

import gc
import io
import sys
import warnings
from contextlib import redirect_stdout
from importlib import import_module, metadata

SET_UP = '`make env` in a checkout sets up versions that fit each other'
OTHER_TORCH = (
    'install a torch for this GPU and its driver, or a newer driver; start a '
    'container with --gpus all'
)
OPERATORS = f'only classification works without compiled operators: {SET_UP}'
NEEDED = 'numpy torch torchvision cv2 mmengine mmcv mmpretrain timm'
# What mends each part, in the order in which they are tried.
PARTS = {
    **dict.fromkeys([*NEEDED.split(), 'distributions'], SET_UP),
    'mmdrloc.models': SET_UP,
    'GPUs': OTHER_TORCH,
    **dict.fromkeys(['mmcv.ops', 'mmdet', 'mmseg'], OPERATORS),
}


def _try(part: str) -> str:
    """Import and use a part; its version, or how many there are."""
    if part == 'distributions':
        names = {dist.metadata['Name'] for dist in metadata.distributions()}
        twice = {'mmengine', 'onedl-mmengine'}, {'mmcv', 'onedl-mmcv'}
        for both in twice:
            if both <= names:
                told = ' and '.join(sorted(both))
                raise ImportError(f'{told} overwrite each other: remove both')
        return ', '.join(sorted({*twice[0], *twice[1]} & names))
    if part == 'GPUs':
        torch = import_module('torch')
        torch.ones(1).numpy()  # NumPy and torch fit each other
        for index in range(torch.cuda.device_count()):
            torch.ones(1, device=f'cuda:{index}').add(1).cpu().numpy()
        return str(torch.cuda.device_count())
    module = import_module(part)
    if part == 'mmcv.ops':
        torch = import_module('torch')
        device = 'cuda' if torch.cuda.device_count() else 'cpu'
        box = torch.ones(1, 4, device=device)
        module.nms(box, box[:, 0], 0.5)
    return getattr(module, '__version__', 'works')


def doctor() -> None:
    """Check this installation.

    The exit status is 1 if classification, or a GPU, does not work.
    """
    remedies = []
    gc.disable()  # a third of the time of imports
    for part, remedy in PARTS.items():
        try:
            # Libraries print what else they could use.
            with redirect_stdout(io.StringIO()), warnings.catch_warnings():
                warnings.simplefilter('ignore')
                found = _try(part)
            print(f'ok     {part:<15} {found}', flush=True)
        except Exception as error:  # an assertion, a missing symbol, ...
            first = (str(error).splitlines() or [''])[0]
            print(f'WRONG  {part:<15} {type(error).__name__}: {first}')
            remedies.append(remedy)
    gc.enable()
    print(*dict.fromkeys(remedies), sep='\n')
    if any(remedy != OPERATORS for remedy in remedies):
        sys.exit(1)
