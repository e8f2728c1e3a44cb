"""Read files as data: nothing that they contain runs without trust."""

import json
import os
import pickle
import tarfile
import zipfile
from contextlib import contextmanager, nullcontext
from functools import lru_cache
from pathlib import Path
from typing import IO, Any, ContextManager, Dict, Iterator, Union

import numpy as np
import torch
import yaml
from mmengine.fileio import register_handler
from mmengine.fileio.handlers import PickleHandler, YamlHandler
from mmengine.logging import HistoryBuffer
from mmengine.utils import digit_version
from torch import Tensor

from mmdrloc.utils.errors import UsageError, first_line

Place = Union[str, Path]

# Where training programs keep the weights. Averaged ones come first, being
# those that the authors evaluated; MMEngine's averaged ones are its
# ``state_dict``.
CONTAINERS = ('state_dict_ema', 'model_ema', 'state_dict', 'model')
# How torch.save began before it wrote zip archives: a number as a pickle.
OLD_TORCH = b'\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.'
# torch obeys these two, whichever library calls it, and child processes
# inherit them: '1' within `files_as_data`, one or the other.
ONLY_WEIGHTS = 'TORCH_FORCE_WEIGHTS_ONLY_LOAD'
ANYTHING = 'TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD'
TRUST_IT = 'repeat with --trust if you trust where it comes from.'


# ---- trust -----------------------------------------------------------------


@contextmanager
def files_as_data(trust: bool = False) -> Iterator[None]:
    """Have MMEngine and torch read files as data, whoever calls them.

    Pickles are refused, YAML makes plain values, ``torch.load`` reads weights
    and MMEngine's own types alone.

    Args:
        trust (bool): Whether files may run the code that they contain.
            Defaults to False.
    """
    names = (ONLY_WEIGHTS, ANYTHING)
    before = {name: os.environ.pop(name, None) for name in names}
    register_handler(['pkl', 'pickle'])(TrustedPickles)
    register_handler(['yaml', 'yml'])(PlainYaml)
    os.environ[ANYTHING if trust else ONLY_WEIGHTS] = '1'
    try:
        with _mmengine_types_allowed():
            yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value


def files_are_trusted() -> bool:
    """Whether files may run the code that they contain."""
    return os.environ.get(ANYTHING) == '1'


class TrustedPickles(PickleHandler):
    """MMEngine's reader of pickles; within `files_as_data` for trust only."""

    def load_from_fileobj(self, file: IO[bytes], **kwargs: Any) -> Any:
        """Read an open file, if files are trusted."""
        if ONLY_WEIGHTS in os.environ:
            name = getattr(file, 'name', 'a pickled file')
            raise UsageError(
                f'{name} is a pickle, and reading it could run code: '
                f'{TRUST_IT}'
            )
        return super().load_from_fileobj(file, **kwargs)


class PlainYaml(YamlHandler):
    """MMEngine's reader of YAML, whose own one runs what tags name."""

    def load_from_fileobj(self, file: IO[str], **kwargs: Any) -> Any:
        """Read an open file with PyYAML's safe loader."""
        # MMEngine reads a hundred files to find a config of `mmpretrain::`.
        loader = getattr(yaml, 'CSafeLoader', yaml.SafeLoader)
        try:
            return yaml.load(file, Loader=loader)
        except yaml.YAMLError as error:
            raise ValueError(f'no plain YAML: {error}') from error


# ---- checkpoints -----------------------------------------------------------


def load_checkpoint(path: Place) -> Dict[str, Any]:
    """Read a checkpoint to the CPU, as data unless files are trusted.

    Its content tells the format, not its name.

    Args:
        path (str | Path): A safetensors file or one of ``torch.save``.

    Returns:
        dict: As it was saved; a safetensors file comes as
        ``dict(state_dict=...)``, one of ours with the names of the classes
        in ``meta`` as MMEngine keeps them.

    Raises:
        UsageError: If the file is missing, damaged, not laid out as a
            checkpoint, or holds other types and is not trusted.
    """
    path = Path(path).expanduser()
    if not path.is_file():  # a pipe would keep its reader waiting
        raise UsageError(f'there is no checkpoint {path}: name a file.')
    try:
        with open(path, 'rb') as file:
            start = file.read(len(OLD_TORCH))
    except OSError as error:
        raise UsageError(
            f'{path} cannot be read: {error.strerror}.'
        ) from error
    if start[8:9] == b'{':
        return _read_safetensors(path)
    if start.startswith(b'PK\x03\x04'):
        check_archive(path)
    # Of the oldest format, a tar archive, only its poor reader is left.
    elif start != OLD_TORCH or tarfile.is_tarfile(path):
        raise UsageError(_damaged(path))
    checkpoint = _read_torch(path)
    if not isinstance(checkpoint, dict):
        raise UsageError(
            f'{path} holds a {type(checkpoint).__name__}, not a checkpoint: '
            'save the `state_dict()` of the model.'
        )
    # What MMEngine reads as dictionaries.
    for name in ('state_dict', 'ema_state_dict', 'meta', 'message_hub'):
        kind = type(checkpoint.get(name, {}))
        if not issubclass(kind, dict):
            raise UsageError(
                f'{path} is no checkpoint: its `{name}` is a {kind.__name__} '
                'and not a dictionary.'
            )
    # A program, which MMEngine would run when it resumes.
    checkpoint.get('meta', {}).pop('config', None)
    return checkpoint


def load_weights(path: Place) -> Dict[str, Tensor]:
    """Read the tensors of a model, see :func:`weights_of`, from a file."""
    return weights_of(load_checkpoint(path), path)


def weights_of(checkpoint: Dict[str, Any], path: Place) -> Dict[str, Tensor]:
    """Take the model weights out of a checkpoint already read.

    Args:
        checkpoint (dict): What :func:`load_checkpoint` returned.
        path (str | Path): Where it came from, for the messages.

    Returns:
        dict[str, Tensor]: Tensors by name, without the ``module.`` prefix of
        distributed wrappers.

    Raises:
        UsageError: If there are no tensors, or they are of no use: sparse,
            not finite, zeros alone.
    """
    containers = (checkpoint.get(key) for key in CONTAINERS)
    held = next((c for c in containers if isinstance(c, dict)), checkpoint)
    tensors = {
        name: value
        for name, value in held.items()
        if isinstance(value, Tensor) and isinstance(name, str)
    }
    if not tensors:
        raise UsageError(
            f'{path} holds no model weights by name: save the '
            '`state_dict()` of the model.'
        )
    for name, tensor in tensors.items():
        if not _is_ordinary(tensor):
            raise UsageError(
                f'{path} cannot be used: its tensor {name} is sparse, '
                'quantized, of fewer than 16 bits, or has no values of its '
                'own: save it dense, as torch.float32.'
            )
    numbers = {n: t for n, t in tensors.items() if t.is_floating_point()}
    broken = [n for n, t in numbers.items() if not t.isfinite().all()]
    if broken:
        raise UsageError(
            f'{path} holds NaN or infinity in {", ".join(broken[:5])} '
            f'({len(broken)} of {len(tensors)} tensors): the training that '
            'wrote it diverged, use an earlier checkpoint.'
        )
    if numbers and not any(tensor.any() for tensor in numbers.values()):
        raise UsageError(f'{path} holds zeros alone: give another checkpoint.')
    if all(name.startswith('module.') for name in tensors):
        return {name[len('module.') :]: t for name, t in tensors.items()}
    return tensors


def check_archive(path: Path) -> None:
    """Compare a zip archive of ``torch.save`` with its own checksums.

    torch does not look at them. What was seen once is not read again.

    Raises:
        UsageError: If it is damaged, or torch.save wrote no such file.
    """
    status = os.stat(path)
    _check_archive(path, status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=16)
def _check_archive(path: Path, size: int, changed: int) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            records = archive.infolist()
            names = {Path(record.filename).name for record in records}
            saved = (
                'data.pkl' in names
                # A program for TorchScript, some of which torch runs before
                # 2.6 in spite of weights_only (CVE-2025-32434).
                and 'constants.pkl' not in names
                # torch.save compresses nothing: a bomb would not fit.
                and sum(record.file_size for record in records) <= size
            )
            broken = saved and archive.testzip()
    except Exception as error:  # damage shows anywhere in the directory
        raise UsageError(_damaged(path)) from error
    if not saved:
        raise UsageError(
            f'{path} is an archive of another kind than torch.save writes: '
            'give the checkpoint that is inside, or that of its weights.'
        )
    if broken:
        raise UsageError(_damaged(path))


def _damaged(path: Path) -> str:
    return (
        f'{path} is damaged, incomplete or no checkpoint: make or '
        'download it again.'
    )


def _is_ordinary(tensor: Tensor) -> bool:
    """Whether a tensor is dense, of a usual type, and has its values."""
    size = tensor.element_size()
    if tensor.layout is not torch.strided or tensor.is_quantized:
        return False
    if tensor.is_meta or (tensor.is_floating_point() and size < 2):
        return False
    # Views that repeat a few values are rare and small.
    held = max(tensor.untyped_storage().nbytes(), 1 << 24)
    return tensor.numel() * size <= held


def _read_safetensors(path: Path) -> Dict[str, Any]:
    from safetensors import safe_open
    from safetensors.torch import load_file

    try:
        checkpoint: Dict[str, Any] = dict(state_dict=load_file(path))
        with safe_open(path, 'pt') as opened:
            said = (opened.metadata() or {}).get('dataset_meta')
        if said is not None:
            checkpoint['meta'] = dict(dataset_meta=dict(json.loads(said)))
    except Exception as error:  # a type that this torch does not have, ...
        raise UsageError(_damaged(path)) from error
    return checkpoint


def _read_torch(path: Path) -> Any:
    trust = files_are_trusted()
    try:
        with files_as_data(trust):
            return torch.load(path, map_location='cpu', weights_only=not trust)
    except Exception as error:  # damage shows anywhere in the unpickler
        message = _damaged(path)
        if trust and isinstance(error, (ImportError, AttributeError)):
            message = (
                f'{path} needs what its writer had ({first_line(error)}): '
                'install it, or save the weights alone.'
            )
        elif not trust and isinstance(error, pickle.UnpicklingError):
            message = (
                f'{path} holds more than tensors and plain values, and '
                f'reading it could run code: {TRUST_IT}'
            )
        raise UsageError(message) from error


def _mmengine_types_allowed() -> ContextManager:
    """Let torch read what the message hub in checkpoints is made of."""
    # Earlier ones let no further types through by name.
    if digit_version(torch.__version__) < digit_version('2.6.0'):
        return nullcontext()
    reconstruct = np.empty(0).__reduce__()[0]
    scalar = np.float64(0).__reduce__()[0]
    # NumPy 2 moved its functions; files name the place their writer knew.
    places = ('numpy.core.multiarray', 'numpy._core.multiarray')
    return torch.serialization.safe_globals(
        [
            HistoryBuffer,
            np.ndarray,
            (_plain_dtype, 'numpy.dtype'),
            *{type(np.dtype(kind)) for kind in '?bBhHiIlLqQefd'},
            *((reconstruct, f'{place}._reconstruct') for place in places),
            *((scalar, f'{place}.scalar') for place in places),
            (_history_buffer_method, 'builtins.getattr'),
        ]
    )


def _plain_dtype(code: Any, *args: Any) -> np.dtype:
    """``numpy.dtype`` for numbers, dates and texts: no objects or records."""
    dtype = np.dtype(code, *args)
    if dtype.kind not in 'biufcmMSU':
        raise pickle.UnpicklingError(f'numpy.dtype({code!r})')
    return dtype


def _history_buffer_method(owner: Any, name: str) -> Any:
    """Stand in for ``getattr``, which pickled buffers use on themselves."""
    if owner is not HistoryBuffer or str(name).startswith('_'):
        raise pickle.UnpicklingError(f'getattr of {name}')
    return getattr(HistoryBuffer, name)
