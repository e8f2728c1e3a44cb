"""Read files as data: nothing that they contain runs without trust."""

import json
import os
import pickle
import tarfile
import zipfile
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import IO, Any, ContextManager, Dict, Iterator

import numpy as np
import torch
import yaml
from mmengine.fileio.handlers import (
    PickleHandler,
    YamlHandler,
    file_handlers,
)
from mmengine.logging import HistoryBuffer
from mmengine.utils import digit_version
from torch import Tensor

from mmdrloc.utils.errors import UsageError, cause, few
from mmdrloc.utils.paths import Place

# Where training programs keep the weights. Averaged ones come first, being
# those that the authors evaluated; MMEngine's averaged ones are its
# ``state_dict``.
AVERAGED = ('state_dict_ema', 'model_ema', 'ema_model', 'ema')
CONTAINERS = (*AVERAGED, 'state_dict', 'model_state_dict', 'model', 'net')
# Or two networks, of which one is taught.
TEACHING = ('teacher', 'student')
# How torch.save began before it wrote zip archives: a number as a pickle.
OLD_TORCH = b'\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.'
# torch obeys these two, whichever library calls it, and child processes
# inherit them. Within `files_as_data` exactly one of them is '1'.
ONLY_WEIGHTS = 'TORCH_FORCE_WEIGHTS_ONLY_LOAD'
ANYTHING = 'TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD'
TRUST_IT = 'repeat with --trust if you trust where it comes from.'


# ---- trust -----------------------------------------------------------------


@contextmanager
def files_as_data(trust: bool = False) -> Iterator[None]:
    """Have MMEngine and torch read files as data, whoever calls them.

    Pickles are refused, YAML makes plain values, ``torch.load`` reads weights
    and MMEngine's own types alone; with ``trust``, files may run code.
    """
    names = (ONLY_WEIGHTS, ANYTHING)
    before = {name: os.environ.pop(name, None) for name in names}
    handlers = dict(file_handlers)
    file_handlers.update(dict.fromkeys(['pkl', 'pickle'], TrustedPickles()))
    file_handlers.update(dict.fromkeys(['yaml', 'yml'], PlainYaml()))
    os.environ[ANYTHING if trust else ONLY_WEIGHTS] = '1'
    try:
        with _mmengine_types_allowed():
            yield
    finally:
        file_handlers.update(handlers)
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
            said = f'{name} is a pickle, which could run code'
            raise UsageError(f'{said}: {TRUST_IT}')
        return super().load_from_fileobj(file, **kwargs)


class PlainYaml(YamlHandler):
    """MMEngine's reader of YAML, whose own one runs what tags name."""

    def load_from_fileobj(self, file: IO[str], **kwargs: Any) -> Any:
        """Read an open file with PyYAML's safe loader, within the same."""
        if ONLY_WEIGHTS in os.environ:
            # MMEngine reads a hundred files for a config of `mmpretrain::`.
            kwargs['Loader'] = getattr(yaml, 'CSafeLoader', yaml.SafeLoader)
        try:
            return super().load_from_fileobj(file, **kwargs)
        except yaml.YAMLError as error:
            raise ValueError(f'no plain YAML: {error}') from error


# ---- checkpoints -----------------------------------------------------------


def load_checkpoint(path: Place) -> Dict[str, Any]:
    """Read a checkpoint to the CPU, as data unless files are trusted.

    Its content tells the format, not its name: safetensors, which come as
    ``dict(state_dict=..., meta=...)``, or a file of ``torch.save``.

    Raises:
        UsageError: If the file is missing, damaged or no checkpoint, or
            holds other types and is not trusted.
    """
    path = Path(path).expanduser()
    if not path.is_file():  # a pipe would keep its reader waiting
        raise UsageError(f'there is no checkpoint {path}: name a file.')
    trust = files_are_trusted()
    try:
        with files_as_data(trust):
            checkpoint = _read(path, trust)
        # A program, which MMEngine would run when it resumes.
        meta = checkpoint.pop('meta', None)
        if isinstance(meta, dict):  # others write words there
            meta.pop('config', None)
            checkpoint['meta'] = meta
    except PermissionError:
        raise
    except Exception as error:  # damage shows anywhere in the unpickler
        said = (
            f'is damaged, incomplete or no checkpoint ({cause(error)}): make '
            'or download it again, or save the `state_dict()` of the model.'
        )
        if isinstance(error, pickle.UnpicklingError) and not trust:
            said = f'holds more than values, and could run code: {TRUST_IT}'
        raise UsageError(f'{path} {said}') from error
    return checkpoint


def load_weights(path: Place) -> Dict[str, Tensor]:
    """Read the tensors of a model, see :func:`weights_of`, from a file."""
    return weights_of(load_checkpoint(path), path)


def _has_tensors(content: Dict[str, Any]) -> bool:
    """Whether there are more than numbers, such as the count of updates."""
    tensors = [one for one in content.values() if isinstance(one, Tensor)]
    return any(tensor.ndim for tensor in tensors)


def held_under(key: str, checkpoint: Dict[str, Any]) -> Dict[str, Any]:
    """The tensors under a key, or within the one dict there that has some."""
    content = checkpoint.get(key)
    if not isinstance(content, dict):
        return {}
    if _has_tensors(content):
        return content
    inner = [one for one in content.values() if isinstance(one, dict)]
    found = [one for one in inner if _has_tensors(one)]
    return found[0] if len(found) == 1 else {}


def weights_of(checkpoint: Dict[str, Any], path: Place) -> Dict[str, Tensor]:
    """Take the model weights out of a checkpoint already read.

    Those of a teacher and its student have these words before their names;
    ``path`` is for the messages.

    Raises:
        UsageError: If there are none, or they are no finite numbers.
    """
    containers = [held_under(key, checkpoint) for key in CONTAINERS]
    taught = {
        f'{role}.{name}': value
        for role in TEACHING
        if isinstance(checkpoint.get(role), dict)
        for name, value in checkpoint[role].items()
    }
    containers += [taught or checkpoint]
    held = next(filter(_has_tensors, containers), containers[-1])
    tensors = {
        name: value
        for name, value in held.items()
        if isinstance(value, Tensor) and isinstance(name, str)
    }
    numbers = {n: t for n, t in tensors.items() if t.is_floating_point()}
    try:
        broken = [n for n, t in numbers.items() if not t.isfinite().all()]
        is_empty = not any(t.any() for t in (numbers or tensors).values())
    except RuntimeError as error:  # sparse, without values, of 8 bits, ...
        raise UsageError(
            f'{path} holds tensors of a kind that cannot be used: save them '
            'dense, as torch.float32.'
        ) from error
    if is_empty:
        raise UsageError(
            f'{path} holds no model weights by name, or zeros alone, under '
            f'{few(list(map(str, checkpoint)))}: save the `state_dict()` of '
            'the model.'
        )
    if broken:
        raise UsageError(
            f'{path} holds NaN or infinity in {few(broken)}: the training '
            'diverged, use an earlier checkpoint.'
        )
    return tensors


def is_complete(path: Path) -> bool:
    """Whether a zip archive of ``torch.save`` fits its own checksums.

    torch does not look at them.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            records = archive.infolist()
            names = {Path(record.filename).name for record in records}
            # A program for TorchScript, some of which torch runs before 2.6
            # in spite of weights_only (CVE-2025-32434).
            is_saved = 'data.pkl' in names and 'constants.pkl' not in names
            # torch.save compresses nothing.
            sizes = sum(record.file_size for record in records)
            fits = sizes <= path.stat().st_size
            return is_saved and fits and archive.testzip() is None
    except Exception:  # damage shows anywhere in the directory
        return False


def _read(path: Path, trust: bool) -> Any:
    """Read a file of any format; damage may raise anything."""
    with open(path, 'rb') as file:
        start = file.read(len(OLD_TORCH))
    if start[8:9] == b'{':
        return _read_safetensors(path)
    # Of the oldest format, a tar archive, torch has a poor reader only.
    is_old = start == OLD_TORCH and not tarfile.is_tarfile(path)
    if not (is_old or is_complete(path)):
        raise ValueError('not of torch.save')
    return torch.load(path, map_location='cpu', weights_only=not trust)


def _read_safetensors(path: Path) -> Dict[str, Any]:
    from safetensors import safe_open
    from safetensors.torch import load_file

    checkpoint: Dict[str, Any] = dict(state_dict=load_file(path))
    with safe_open(path, 'pt') as opened:
        said = (opened.metadata() or {}).get('dataset_meta')
    if said is not None:
        checkpoint['meta'] = dict(dataset_meta=dict(json.loads(said)))
    return checkpoint


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
            np.dtype,
            *{type(np.dtype(kind)) for kind in '?bBhHiIlLqQefd'},
            *((reconstruct, f'{place}._reconstruct') for place in places),
            *((scalar, f'{place}.scalar') for place in places),
            (_history_buffer_method, 'builtins.getattr'),
        ]
    )


def _history_buffer_method(owner: Any, name: str) -> Any:
    """Stand in for ``getattr``, which pickled buffers use on themselves."""
    if owner is not HistoryBuffer or str(name).startswith('_'):
        raise pickle.UnpicklingError(f'getattr of {name}')
    return getattr(HistoryBuffer, name)
