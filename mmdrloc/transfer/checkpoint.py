"""Read a checkpoint without running anything that it may contain."""

import pickle
import re
from pathlib import Path
from typing import Any, Dict, List, Union

import numpy as np
import torch
from mmengine.logging import HistoryBuffer
from mmengine.utils import digit_version
from torch import Tensor

from mmdrloc.errors import UsageError

# Where training programs keep the weights. Averaged ones come first, being
# those that the authors evaluated; MMEngine's averaged ones are its
# ``state_dict``.
CONTAINERS = ('state_dict_ema', 'model_ema', 'state_dict', 'model')


def load_checkpoint(path: Union[str, Path], trust: bool = False) -> dict:
    """Read a checkpoint to the CPU, as data and not as a program.

    Besides tensors and plain values, only the types that MMEngine's own
    checkpoints hold are let through. MMEngine's loader falls back to
    executing the pickle when it meets anything else; this one refuses.

    Args:
        path (str | Path): A ``.safetensors`` file or one of ``torch.save``.
        trust (bool): Whether the file may be unpickled, which runs any code
            that it contains. Defaults to False.

    Returns:
        dict: The checkpoint as it was saved; a safetensors file comes as
        ``dict(state_dict=...)``.

    Raises:
        UsageError: If the file is missing, damaged, holds other types and
            ``trust`` is False, or is no dictionary.
    """
    path = Path(path)
    if not path.is_file():
        raise UsageError(f'there is no checkpoint {path}.')
    if path.suffix == '.safetensors':
        return dict(state_dict=_read_safetensors(path))
    checkpoint = _read_pickle(path, trust)
    if not isinstance(checkpoint, dict):
        raise UsageError(
            f'{path} holds a {type(checkpoint).__name__}, not a checkpoint.'
        )
    return checkpoint


def load_weights(
    path: Union[str, Path], trust: bool = False
) -> Dict[str, Tensor]:
    """Read the model weights of a checkpoint.

    They are those that a model is tested with: averaged ones where there
    are any.

    Args:
        path (str | Path): The checkpoint.
        trust (bool): See :func:`load_checkpoint`. Defaults to False.

    Returns:
        Dict[str, Tensor]: Tensors by name, without the ``module.`` prefix of
        distributed wrappers.

    Raises:
        UsageError: As :func:`load_checkpoint`, and if there are no tensors
            or one of them holds NaN or infinity.
    """
    checkpoint = load_checkpoint(path, trust)
    return weights_of(checkpoint, path)


def weights_of(checkpoint: dict, path: Union[str, Path]) -> Dict[str, Tensor]:
    """Take the model weights out of a checkpoint already read.

    Args:
        checkpoint (dict): What :func:`load_checkpoint` returned.
        path (str | Path): Where it came from, for the messages.

    Returns:
        Dict[str, Tensor]: See :func:`load_weights`.

    Raises:
        UsageError: If there are no tensors or one of them is not finite.
    """
    state_dict = next(
        (checkpoint[key] for key in CONTAINERS if key in checkpoint),
        checkpoint,
    )
    weights = {
        re.sub(r'^module\.', '', name): value
        for name, value in state_dict.items()
        if isinstance(value, Tensor)
    }
    if not weights:
        raise UsageError(f'{path} holds no model weights.')
    broken = [
        name
        for name, value in weights.items()
        if value.is_floating_point() and not value.isfinite().all()
    ]
    if broken:
        raise UsageError(
            f'{path} holds NaN or infinity in {", ".join(broken[:5])} '
            f'({len(broken)} of {len(weights)} tensors): the training that '
            'wrote it diverged, use an earlier checkpoint.'
        )
    return weights


def _read_safetensors(path: Path) -> Dict[str, Tensor]:
    try:
        from safetensors import SafetensorError
        from safetensors.torch import load_file
    except ImportError as error:
        raise UsageError(f'{path} needs `pip install safetensors`.') from error
    try:
        return load_file(path)
    except SafetensorError as error:
        raise UsageError(_damaged(path)) from error


def _read_pickle(path: Path, trust: bool) -> Any:
    try:
        if trust:
            return torch.load(path, map_location='cpu', weights_only=False)
        return _load_data_only(path)
    except pickle.UnpicklingError as error:
        # torch reports a damaged file and a forbidden type the same way; the
        # signature tells an old-style pickle from something else altogether.
        if trust or not _is_torch_file(path):
            raise UsageError(_damaged(path)) from error
        raise UsageError(
            f'{path} holds more than tensors and plain values, and reading '
            'it could run code: repeat with --trust if you trust where it '
            'comes from.'
        ) from error
    except Exception as error:  # damage shows anywhere in the unpickler
        raise UsageError(_damaged(path)) from error


def _load_data_only(path: Path) -> Any:
    load = dict(map_location='cpu', weights_only=True)
    # torch before 2.6 cannot let further types through: there, a training
    # checkpoint of MMEngine needs the user's word.
    if digit_version(torch.__version__) < digit_version('2.6.0'):
        return torch.load(path, **load)
    with torch.serialization.safe_globals(_mmengine_types()):
        return torch.load(path, **load)


def _mmengine_types() -> List[Any]:
    """What the message hub in MMEngine's checkpoints is made of."""
    reconstruct = np.empty(0).__reduce__()[0]
    scalar = np.float64(0).__reduce__()[0]
    # NumPy 2 moved them; checkpoints name the place that they knew.
    places = ('numpy.core.multiarray', 'numpy._core.multiarray')
    return [
        HistoryBuffer,
        np.ndarray,
        np.dtype,
        *(type(np.dtype(kind)) for kind in '?bBhHiIlLqQefd'),
        *((reconstruct, f'{place}._reconstruct') for place in places),
        *((scalar, f'{place}.scalar') for place in places),
        (_history_buffer_method, 'builtins.getattr'),
    ]


def _history_buffer_method(owner: Any, name: str) -> Any:
    """Stand in for ``getattr``, which pickled buffers use on themselves.

    The real one, given to a hostile file, would hand out anything.
    """
    if owner is not HistoryBuffer or name.startswith('_'):
        raise pickle.UnpicklingError(f'getattr of {name} is not allowed')
    return getattr(HistoryBuffer, name)


def _is_torch_file(path: Path) -> bool:
    """Whether the file begins like a zip archive or a binary pickle."""
    with open(path, 'rb') as file:
        return file.read(2) in (b'PK', b'\x80\x02')


def _damaged(path: Path) -> str:
    return (
        f'{path} is damaged, incomplete or no checkpoint: make or '
        'download it again.'
    )
