"""Read files as data: nothing that they contain runs without trust."""

import json
import os
import pickle
import re
import stat
import tarfile
import zipfile
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from pathlib import Path
from typing import IO, Any, Dict, Iterator, List, Tuple, Union

import numpy as np
import torch
import yaml
from mmengine.fileio import register_handler
from mmengine.fileio.handlers import PickleHandler, YamlHandler
from mmengine.logging import HistoryBuffer
from mmengine.utils import digit_version
from torch import Tensor

from mmdrloc.utils.errors import UsageError

Place = Union[str, Path]

# Where training programs keep the weights. Averaged ones come first, being
# those that the authors evaluated; MMEngine's averaged ones are its
# ``state_dict``.
CONTAINERS = ('state_dict_ema', 'model_ema', 'state_dict', 'model')
# What MMEngine keeps beside them, and reads as dictionaries.
DICTIONARIES = ('state_dict', 'ema_state_dict', 'meta', 'message_hub')
# How torch.save began before it wrote zip archives: a number as a pickle.
OLD_TORCH = b'\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.'
LONGEST_HEADER = 100_000_000  # what safetensors itself accepts
# In the environment, which child processes inherit: '1' or '0' within
# `files_as_data`, absent outside.
TRUSTED = 'MMDRLOC_TRUST_FILES'
# torch obeys these two, whichever library calls it.
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
    names = (TRUSTED, ONLY_WEIGHTS, ANYTHING)
    before = {name: os.environ.pop(name, None) for name in names}
    register_handler(['pkl', 'pickle'])(TrustedPickles)
    register_handler(['yaml', 'yml'])(PlainYaml)
    os.environ[TRUSTED] = str(int(trust))
    os.environ[ANYTHING if trust else ONLY_WEIGHTS] = '1'
    try:
        with ExitStack() as stack:
            if _knows_safe_globals():
                types = torch.serialization.safe_globals(_mmengine_types())
                stack.enter_context(types)
            yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value


def files_are_trusted() -> bool:
    """Whether files may run the code that they contain."""
    return os.environ.get(TRUSTED) == '1'


class TrustedPickles(PickleHandler):
    """MMEngine's reader of pickles; within `files_as_data` for trust only."""

    def load_from_fileobj(self, file: IO[bytes], **kwargs: Any) -> Any:
        """Read an open file.

        Raises:
            UsageError: If files are not trusted.
        """
        if os.environ.get(TRUSTED) == '0':
            name = getattr(file, 'name', 'a pickled file')
            raise UsageError(
                f'{name} is a pickle, and reading it could run code: '
                f'{TRUST_IT}'
            )
        return super().load_from_fileobj(file, **kwargs)


class PlainYaml(YamlHandler):
    """MMEngine's reader of YAML, whose own one runs what tags name."""

    def load_from_fileobj(self, file: IO[str], **kwargs: Any) -> Any:
        """Read an open file with PyYAML's safe loader.

        Raises:
            ValueError: If it is no plain YAML.
        """
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
    if _format_of(path) == 'safetensors':
        return _read_safetensors(path)
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
    # A program, which MMEngine would run when it resumes.
    checkpoint.get('meta', {}).pop('config', None)
    return checkpoint


def load_weights(path: Place) -> Dict[str, Tensor]:
    """Read the model weights of a checkpoint; averaged ones where there are.

    Args:
        path (str | Path): The checkpoint.

    Returns:
        dict[str, Tensor]: As of :func:`weights_of`.

    Raises:
        UsageError: As :func:`load_checkpoint` and :func:`weights_of`.
    """
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


def refuse_bad_tensors(tensors: Dict[str, Tensor], path: Place) -> None:
    """Stop at tensors that no training could go on with.

    Args:
        tensors (dict[str, Tensor]): By name.
        path (str | Path): Where they came from, for the messages.

    Raises:
        UsageError: If one is sparse or quantized, claims more values than
            the file holds, or is not finite.
    """
    for name, tensor in tensors.items():
        problem = _oddness(tensor)
        if problem:
            raise UsageError(
                f'{path} cannot be used: its tensor {name} {problem}.'
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
        raise UsageError(
            f'{path} holds zeros alone: it is of no training, give another '
            'one.'
        )


def check_archive(path: Path) -> None:
    """Compare a zip archive of ``torch.save`` with its own checksums.

    torch does not look at them. What was seen once is not read again.

    Args:
        path (Path): The archive.

    Raises:
        UsageError: If it is damaged, unpacks to more than it is, or is a
            program for TorchScript.
    """
    status = os.stat(path)
    _check_archive(path, (status.st_ino, status.st_size, status.st_mtime_ns))


def _format_of(path: Path) -> str:
    """'safetensors' or 'torch'; a file with another content is refused."""
    try:
        status = os.stat(path)
    except (OSError, ValueError) as error:
        raise UsageError(f'there is no checkpoint {path}.') from error
    if stat.S_ISDIR(status.st_mode):
        raise UsageError(
            f'{path} is a folder, not a checkpoint: name the file in it.'
        )
    if not stat.S_ISREG(status.st_mode):  # it would keep its reader waiting
        raise UsageError(
            f'{path} is a pipe or a device, not a checkpoint: name a file.'
        )
    try:
        with open(path, 'rb') as file:
            start = file.read(len(OLD_TORCH))
    except OSError as error:
        raise UsageError(
            f'{path} cannot be read: {error.strerror}.'
        ) from error
    header = int.from_bytes(start[:8], 'little')
    longest = min(status.st_size - 8, LONGEST_HEADER)
    if start[8:9] == b'{' and header <= longest:
        return 'safetensors'
    if start.startswith(b'PK\x03\x04'):
        check_archive(path)
    # Of the oldest format, a tar archive, only its poor reader is left.
    elif start != OLD_TORCH or tarfile.is_tarfile(path):
        raise UsageError(_damaged(path))
    return 'torch'


@lru_cache(maxsize=16)
def _check_archive(path: Path, identity: Tuple[int, ...]) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            _check_records(path, archive.infolist(), identity[1])
            broken = archive.testzip()
    except UsageError:
        raise
    except Exception as error:  # damage shows anywhere in the directory
        raise UsageError(_damaged(path)) from error
    if broken is not None:
        raise UsageError(
            f'{path} is damaged: its record {broken!r} does not have the '
            'checksum that was written with it, make or download the file '
            'again.'
        )


def _check_records(
    path: Path, records: List[zipfile.ZipInfo], size: int
) -> None:
    """Torch stores its records uncompressed, one after another."""
    names = [Path(record.filename).name for record in records]
    # Of these, weights_only runs some before torch 2.6 (CVE-2025-32434).
    if 'constants.pkl' in names:
        raise UsageError(
            f'{path} is a program for TorchScript: give the checkpoint with '
            'its weights.'
        )
    if 'data.pkl' not in names:
        raise UsageError(
            f'{path} is a zip archive that torch.save did not write: give '
            'the checkpoint that is inside.'
        )
    total = sum(record.file_size for record in records)
    if total > size or any(record.compress_type for record in records):
        raise UsageError(
            f'{path} is compressed or unpacks to more than it is ({total:,} '
            f'of {size:,} bytes): torch.save writes no such file, unpack it '
            'and give the checkpoint that is inside.'
        )


def _damaged(path: Path) -> str:
    return (
        f'{path} is damaged, incomplete or no checkpoint: make or '
        'download it again.'
    )


def _oddness(tensor: Tensor) -> str:
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
    return ''


def _read_safetensors(path: Path) -> Dict[str, Any]:
    from safetensors import SafetensorError, safe_open
    from safetensors.torch import load_file

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
        AttributeError,  # a kind of number that this torch does not have
        KeyError,
        TypeError,  # what the names of the classes may be instead
        ValueError,
        RecursionError,
    ) as error:
        raise UsageError(_damaged(path)) from error


def _read_torch(path: Path) -> Any:
    trust = files_are_trusted()
    try:
        with files_as_data(trust):
            return torch.load(path, map_location='cpu', weights_only=not trust)
    except pickle.UnpicklingError as error:
        if trust:
            raise UsageError(_damaged(path)) from error
        raise UsageError(
            f'{path} holds more than tensors and plain values, and reading '
            f'it could run code: {TRUST_IT}'
        ) from error
    except (ImportError, AttributeError) as error:
        if not trust:
            raise UsageError(_damaged(path)) from error
        raise UsageError(
            f'{path} needs what its writer had ({error}): install it, or '
            'save the weights alone.'
        ) from error
    except Exception as error:  # damage shows anywhere in the unpickler
        raise UsageError(_damaged(path)) from error


def _knows_safe_globals() -> bool:
    """Whether this torch lets further types through by name, as 2.6 does."""
    return digit_version(torch.__version__) >= digit_version('2.6.0')


def _mmengine_types() -> List[Any]:
    """What the message hub in MMEngine's checkpoints is made of."""
    reconstruct = np.empty(0).__reduce__()[0]
    scalar = np.float64(0).__reduce__()[0]
    # NumPy 2 moved its functions; files name the place their writer knew.
    places = ('numpy.core.multiarray', 'numpy._core.multiarray')
    return [
        HistoryBuffer,
        np.ndarray,
        (_plain_dtype, 'numpy.dtype'),
        *{type(np.dtype(kind)) for kind in '?bBhHiIlLqQefd'},
        *((reconstruct, f'{place}._reconstruct') for place in places),
        *((scalar, f'{place}.scalar') for place in places),
        (_history_buffer_method, 'builtins.getattr'),
    ]


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
