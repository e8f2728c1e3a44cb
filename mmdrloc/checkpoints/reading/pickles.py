"""Pickles as data: plain values and NumPy arrays, and nothing that runs."""

import builtins
import io
import pickle
from collections import OrderedDict, defaultdict
from types import SimpleNamespace
from typing import IO, Any, Callable, Dict

import numpy as np
import torch
from mmengine.logging import HistoryBuffer

from mmdrloc.utils.errors import UsageError
from .trust import files_are_trusted

# NumPy 2 moved its functions; files name the place that their writer knew.
NUMPY_PLACES = ('numpy.core', 'numpy._core')
# Numbers, dates, texts: no objects, and no records that could hide some.
PLAIN_KINDS = 'biufcmMSU'
BUILTINS = (
    'bytearray bytes complex dict float frozenset int list set slice str tuple'
).split()


class ForbiddenTypeError(pickle.UnpicklingError):
    """A pickle asks for more than values."""


class DataUnpickler(pickle.Unpickler):
    """Knows plain values and arrays; whatever else a pickle names is refused.

    An unpickler calls what :meth:`find_class` returns, with any arguments.
    Nothing in the tables can do more than make a value.
    """

    allowed: Dict[str, Any]

    def find_class(self, module: str, name: str) -> Any:
        """Look a name up in the table, import nothing.

        Args:
            module (str): Where the pickle says that it is.
            name (str): Its name.

        Returns:
            Any: What is in the table.

        Raises:
            ForbiddenTypeError: If it is not.
        """
        # Python 2 wrote of its own modules.
        module = {'__builtin__': 'builtins'}.get(module, module)
        try:
            return self.allowed[f'{module}.{name}']
        except KeyError:
            raise ForbiddenTypeError(f'{module}.{name}') from None


def load_pickle(file: IO[bytes], **kwargs: Any) -> Any:
    """Read a pickle, as data unless files are trusted.

    Args:
        file (IO[bytes]): The open file.
        **kwargs: As of :func:`pickle.load`.

    Returns:
        Any: Its content.

    Raises:
        UsageError: If it holds other types, or is no pickle.
    """
    if files_are_trusted():
        return pickle.load(file, **kwargs)
    name = getattr(file, 'name', 'a pickled file')
    try:
        return DataUnpickler(file, **kwargs).load()
    except ForbiddenTypeError as error:
        raise UsageError(
            f'{name} holds more than plain values and arrays ({error}), and '
            'reading it could run code: repeat with --trust if you trust '
            'where it comes from.'
        ) from error
    except Exception as error:  # damage shows anywhere in the unpickler
        raise UsageError(
            f'{name} is damaged or no pickle: make or download it again.'
        ) from error


def _encode(text: str, encoding: str) -> bytes:
    """How the protocols of Python 2 write bytes."""
    if encoding != 'latin1':
        raise ForbiddenTypeError(f'_codecs.encode to {encoding}')
    return text.encode('latin1')


def plain_dtype(code: Any, *args: Any) -> np.dtype:
    """``numpy.dtype`` for numbers, dates and texts.

    Args:
        code (Any): The kind, as NumPy writes it.
        *args: As of ``numpy.dtype``.

    Returns:
        np.dtype: Of that kind.

    Raises:
        ForbiddenTypeError: For objects and records.
    """
    dtype = np.dtype(code, *args)
    if dtype.kind not in PLAIN_KINDS:
        raise ForbiddenTypeError(f'numpy.dtype({code!r})')
    return dtype


def history_buffer_method(owner: Any, name: str) -> Any:
    """Stand in for ``getattr``, which pickled buffers use on themselves.

    The real one, given to a hostile file, would hand out anything.

    Args:
        owner (Any): The class.
        name (str): Of its method.

    Returns:
        Any: The method.

    Raises:
        ForbiddenTypeError: For anything but the methods of the buffers.
    """
    if owner is not HistoryBuffer or str(name).startswith('_'):
        raise ForbiddenTypeError(f'getattr of {name}')
    return getattr(HistoryBuffer, name)


def _numpy_functions() -> Dict[str, Callable]:
    reconstruct = np.empty(0).__reduce__()[0]
    scalar = np.float64(0).__reduce__()[0]
    from_buffer = np.empty(1).__reduce_ex__(5)[0]
    table: Dict[str, Any] = {}
    for place in NUMPY_PLACES:
        table[f'{place}.multiarray._reconstruct'] = reconstruct
        table[f'{place}.multiarray.scalar'] = scalar
        table[f'{place}.numeric._frombuffer'] = from_buffer
    return table


PLAIN_TYPES = {
    '_codecs.encode': _encode,
    'collections.OrderedDict': OrderedDict,
    'collections.defaultdict': defaultdict,
    'numpy.dtype': plain_dtype,
    'numpy.ndarray': np.ndarray,
    **_numpy_functions(),
    **{f'builtins.{name}': getattr(builtins, name) for name in BUILTINS},
}
DataUnpickler.allowed = PLAIN_TYPES


class CheckpointUnpickler(DataUnpickler):
    """Knows the tensors and the message hub of MMEngine's checkpoints too."""

    allowed = {
        **PLAIN_TYPES,
        'builtins.getattr': history_buffer_method,
        'mmengine.logging.history_buffer.HistoryBuffer': HistoryBuffer,
        'torch.Size': torch.Size,
        'torch.device': torch.device,
        **{
            f'torch._utils.{name}': getattr(torch._utils, name)
            for name in (
                '_rebuild_parameter',
                '_rebuild_tensor',
                '_rebuild_tensor_v2',
            )
        },
        **{
            f'torch.{name}': value
            for name, value in vars(torch).items()
            if isinstance(value, torch.dtype)
        },
    }


def _load(file: IO[bytes], **kwargs: Any) -> Any:
    return CheckpointUnpickler(file, **kwargs).load()


def _loads(content: bytes, **kwargs: Any) -> Any:
    return _load(io.BytesIO(content), **kwargs)


#: For ``torch.load(pickle_module=...)``, which brings the storages itself.
CHECKPOINT_PICKLES = SimpleNamespace(
    __name__=__name__, Unpickler=CheckpointUnpickler, load=_load, loads=_loads
)
