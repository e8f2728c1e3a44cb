"""Read a checkpoint without running anything that it may contain."""

import copy
import json
import os
import pickle
import re
from pathlib import Path
from typing import Any, Dict, Hashable, List, Optional, Union

import numpy as np
import torch
from mmengine.logging import HistoryBuffer
from mmengine.utils import digit_version
from torch import Tensor

from mmdrloc.utils.errors import UsageError
from .formats import Format, check_archive, damaged, format_of
from .kept import KEPT
from .pickles import (
    CHECKPOINT_PICKLES,
    NUMPY_PLACES,
    history_buffer_method,
    plain_dtype,
)
from .trust import files_are_trusted, torch_obeys_arguments

# Where training programs keep the weights. Averaged ones come first, being
# those that the authors evaluated; MMEngine's averaged ones are its
# ``state_dict``.
CONTAINERS = ('state_dict_ema', 'model_ema', 'state_dict', 'model')

# What MMEngine keeps beside them, and reads as dictionaries.
DICTIONARIES = ('state_dict', 'ema_state_dict', 'meta', 'message_hub')


def load_checkpoint(path: Union[str, Path]) -> dict:
    """Read a checkpoint to the CPU, as data unless files are trusted.

    Its content tells the format, not its name, and each format has one
    reader. Besides tensors and plain values, only the types that MMEngine's
    own checkpoints hold are let through.

    Args:
        path (str | Path): A safetensors file or one of ``torch.save``. The
            latter is unpickled, which runs any code that it contains, if
            that was decided (:func:`trust_files`).

    Returns:
        dict: The checkpoint as it was saved; a safetensors file comes as
        ``dict(state_dict=...)``, one of ours with the names of the classes
        in ``meta`` as MMEngine keeps them.

    Raises:
        UsageError: If the file is missing, damaged, holds other types and
            is not trusted, or is not laid out as a checkpoint.
    """
    path = Path(path).expanduser()
    kind = format_of(path)
    if kind is Format.SAFETENSORS:
        return _read_safetensors(path)
    if kind is Format.ZIP:
        check_archive(path)
    checkpoint = _read_torch(path)
    if not isinstance(checkpoint, dict):
        raise UsageError(
            f'{path} holds a {type(checkpoint).__name__}, not a checkpoint.'
        )
    for name in DICTIONARIES:
        part = checkpoint.get(name, {})
        if not isinstance(part, dict):
            raise UsageError(
                f'{path} is no checkpoint: its `{name}` is a '
                f'{type(part).__name__} and not a dictionary.'
            )
    return checkpoint


def load_checkpoint_once(path: Union[str, Path]) -> dict:
    """Read a checkpoint that others ask for before a training begins.

    The checks, and each part of a model that starts from it: while things
    are kept (:class:`Kept`), one of them reads it.

    Args:
        path (str | Path): The checkpoint.

    Returns:
        dict: As of :func:`load_checkpoint`. Its dictionaries are the
        caller's, the tensors in them are not.

    Raises:
        UsageError: As of :func:`load_checkpoint`.
    """
    path = Path(path).expanduser()
    key = _identity(path)
    checkpoint = KEPT.get(key)
    if checkpoint is None:
        checkpoint = load_checkpoint(path)
        KEPT.put(key, checkpoint)
    return {
        name: copy.copy(part) if isinstance(part, dict) else part
        for name, part in checkpoint.items()
    }


def keep_checkpoint(checkpoint: dict, path: Union[str, Path]) -> None:
    """Have a checkpoint that was just written given out without reading.

    Args:
        checkpoint (dict): Tensors and plain values.
        path (str | Path): The file that holds them.
    """
    KEPT.put(_identity(Path(path)), checkpoint)


def load_weights(path: Union[str, Path]) -> Dict[str, Tensor]:
    """Read the model weights of a checkpoint.

    They are those that a model is tested with: averaged ones where there
    are any.

    Args:
        path (str | Path): The checkpoint.

    Returns:
        Dict[str, Tensor]: Tensors by name, without the ``module.`` prefix of
        distributed wrappers.

    Raises:
        UsageError: As :func:`load_checkpoint` and :func:`weights_of`.
    """
    return weights_of(load_checkpoint(path), path)


def weights_of(checkpoint: dict, path: Union[str, Path]) -> Dict[str, Tensor]:
    """Take the model weights out of a checkpoint already read.

    Args:
        checkpoint (dict): What :func:`load_checkpoint` returned.
        path (str | Path): Where it came from, for the messages.

    Returns:
        Dict[str, Tensor]: See :func:`load_weights`.

    Raises:
        UsageError: If there are no tensors, or one of them is no ordinary
            one or not finite.
    """
    state_dict = next(
        (checkpoint[key] for key in CONTAINERS if key in checkpoint),
        checkpoint,
    )
    if not isinstance(state_dict, dict):
        raise UsageError(
            f'{path} holds a {type(state_dict).__name__} where its weights '
            'should be by name: save the `state_dict()` of the model.'
        )
    tensors = {
        name: value
        for name, value in state_dict.items()
        if isinstance(value, Tensor)
    }
    if not tensors:
        raise UsageError(f'{path} holds no model weights.')
    odd = [name for name in tensors if not isinstance(name, str)]
    if odd:
        raise UsageError(
            f'{path} has a tensor named {odd[0]!r}, where names are texts: '
            'save the `state_dict()` of the model.'
        )
    refuse_bad_tensors(tensors, path)
    bare = {
        re.sub(r'^module\.', '', name): value
        for name, value in tensors.items()
    }
    if len(bare) < len(tensors):
        raise UsageError(
            f'{path} has tensors of one name with and without `module.`: '
            'remove those that are not meant.'
        )
    return bare


def refuse_bad_tensors(
    tensors: Dict[str, Tensor], path: Union[str, Path]
) -> None:
    """Stop at tensors that no training could go on with.

    Args:
        tensors (Dict[str, Tensor]): By name.
        path (str | Path): Where they came from, for the messages.

    Raises:
        UsageError: If one is sparse or quantized, claims more values than
            the file can hold, or is not finite.
    """
    for name, tensor in tensors.items():
        problem = _oddness(tensor)
        if problem:
            raise UsageError(
                f'{path} cannot be used: its tensor {name} {problem}.'
            )
    broken = [
        name
        for name, value in tensors.items()
        if value.is_floating_point() and not value.isfinite().all()
    ]
    if broken:
        raise UsageError(
            f'{path} holds NaN or infinity in {", ".join(broken[:5])} '
            f'({len(broken)} of {len(tensors)} tensors): the training that '
            'wrote it diverged, use an earlier checkpoint.'
        )
    numbers = [t for t in tensors.values() if t.is_floating_point()]
    if numbers and not any(tensor.any() for tensor in numbers):
        raise UsageError(
            f'{path} holds zeros alone: it is of no training, give another '
            'one.'
        )


def _identity(path: Path) -> Hashable:
    try:
        status = os.stat(path)
    except (OSError, ValueError):  # who reads it says so
        return None
    state = status.st_ino, status.st_size, status.st_mtime_ns
    return path.absolute(), state, files_are_trusted()


def _oddness(tensor: Tensor) -> Optional[str]:
    if tensor.layout is not torch.strided:
        return 'is sparse, make it dense'
    if tensor.is_quantized:
        return 'is quantized, dequantize it'
    if tensor.is_meta:
        return 'has no values'
    if tensor.is_floating_point() and tensor.element_size() < 2:
        # It means something with its scales alone.
        return f'is of {tensor.dtype}, make it torch.float32'
    held = tensor.untyped_storage().nbytes()
    # Views that repeat a few values are rare and small.
    if tensor.numel() * tensor.element_size() > max(held, 1 << 24):
        return f'claims {tensor.numel():,} values and holds {held:,} bytes'
    return None


def _read_safetensors(path: Path) -> Dict[str, Any]:
    try:
        from safetensors import SafetensorError, safe_open
        from safetensors.torch import load_file
    except ImportError as error:
        raise UsageError(f'{path} needs `pip install safetensors`.') from error
    try:
        checkpoint: Dict[str, Any] = dict(state_dict=load_file(path))
        with safe_open(path, 'pt') as opened:
            said = (opened.metadata() or {}).get('dataset_meta')
        if said is not None:
            checkpoint['meta'] = dict(dataset_meta=dict(json.loads(said)))
        return checkpoint
    except (
        SafetensorError,
        OSError,
        # A kind of number that this torch does not have.
        AttributeError,
        KeyError,
        # What the names of the classes may be instead.
        TypeError,
        ValueError,
        RecursionError,
    ) as error:
        raise UsageError(damaged(path)) from error


def _read_torch(path: Path) -> Any:
    trust = files_are_trusted()
    try:
        with torch_obeys_arguments():
            if trust:
                return torch.load(path, map_location='cpu', weights_only=False)
            return _read_data_only(path)
    except pickle.UnpicklingError as error:
        if trust:
            raise UsageError(damaged(path)) from error
        raise UsageError(
            f'{path} holds more than tensors and plain values, and reading '
            'it could run code: repeat with --trust if you trust where it '
            'comes from.'
        ) from error
    except (ImportError, AttributeError) as error:
        if not trust:
            raise UsageError(damaged(path)) from error
        raise UsageError(
            f'{path} needs what its writer had ({error}): install it, or '
            'save the weights alone.'
        ) from error
    except Exception as error:  # damage shows anywhere in the unpickler
        raise UsageError(damaged(path)) from error


def _read_data_only(path: Path) -> Any:
    if digit_version(torch.__version__) < digit_version('2.6.0'):
        return _read_with_own_table(path)
    with torch.serialization.safe_globals(_mmengine_types()):
        return torch.load(path, map_location='cpu', weights_only=True)


def _read_with_own_table(path: Path) -> Any:
    """For torch before 2.6, which cannot let further types through.

    Its ``weights_only`` also runs what some archives contain
    (CVE-2025-32434); those are refused by their format.
    """
    return torch.load(
        path,
        map_location='cpu',
        pickle_module=CHECKPOINT_PICKLES,
        weights_only=False,
    )


def _mmengine_types() -> List[Any]:
    """What the message hub in MMEngine's checkpoints is made of."""
    reconstruct = np.empty(0).__reduce__()[0]
    scalar = np.float64(0).__reduce__()[0]
    places = [f'{place}.multiarray' for place in NUMPY_PLACES]
    return [
        HistoryBuffer,
        np.ndarray,
        (plain_dtype, 'numpy.dtype'),
        *{type(np.dtype(kind)) for kind in '?bBhHiIlLqQefd'},
        *((reconstruct, f'{place}._reconstruct') for place in places),
        *((scalar, f'{place}.scalar') for place in places),
        (history_buffer_method, 'builtins.getattr'),
    ]
