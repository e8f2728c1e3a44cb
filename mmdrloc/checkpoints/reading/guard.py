"""MMEngine and the libraries above it read files as this project does."""

import os
from contextlib import contextmanager
from typing import IO, Any, Dict, Iterator, Optional

import numpy as np
import yaml
from mmengine.fileio import register_handler
from mmengine.fileio.handlers import PickleHandler, YamlHandler
from mmengine.fileio.handlers.registry_utils import file_handlers
from mmengine.runner.checkpoint import CheckpointLoader

from .addresses import local_file
from .checkpoint import CONTAINERS, load_checkpoint_once, weights_of
from .pickles import load_pickle
from .trust import files_are_trusted, trust_files

_load_array = np.load


def guard_files() -> None:
    """Put this project's readers where MMEngine has its own.

    Every kind of address that :class:`CheckpointLoader` knows, pickles and
    YAML of ``mmengine.load``, arrays of ``numpy.load``; ``torch.load``,
    called by whichever library, obeys its environment. They follow what
    :func:`trust_files` says and last as long as the process:
    command lines call this, importing the package does nothing.
    """
    trust_files(files_are_trusted())
    CheckpointLoader.register_scheme(
        prefixes=list(CheckpointLoader._schemes),
        loader=load_from_mmdrloc,
        force=True,
    )
    register_handler(['pkl', 'pickle'])(GuardedPickles)
    register_handler(['yaml', 'yml'])(GuardedYaml)
    np.load = _load_plain_array


@contextmanager
def files_guarded(trust: bool = False) -> Iterator[None]:
    """Guard files for a while, and give back the readers that there were.

    So is the environment, which keeps whether files are trusted, and what
    is set in it meanwhile.

    Args:
        trust (bool): Whether files may run the code that they contain.
            Defaults to False.
    """
    environment = dict(os.environ)
    schemes, handlers = CheckpointLoader._schemes, dict(file_handlers)
    read_array = np.load
    CheckpointLoader._schemes = dict(schemes)
    try:
        trust_files(trust)
        guard_files()
        yield
    finally:
        CheckpointLoader._schemes = schemes
        os.environ.clear()
        os.environ.update(environment)
        file_handlers.clear()
        file_handlers.update(handlers)
        np.load = read_array


# MMEngine logs the name of its loader from the tenth letter on.
def load_from_mmdrloc(
    filename: str, map_location: Optional[Any] = None
) -> Dict[str, Any]:
    """Read a checkpoint for MMEngine.

    Args:
        filename (str): A path or an address.
        map_location (Any, optional): Not followed: tensors come to the CPU,
            and whoever takes them copies them to where its own are.

    Returns:
        dict: With the weights as ``state_dict``, unless another program has
        them elsewhere. Without ``meta['config']``, which MMEngine would run.

    Raises:
        UsageError: If the file cannot be read, or holds no weights that a
            model could have.
    """
    checkpoint = load_checkpoint_once(local_file(filename))
    if not any(key in checkpoint for key in CONTAINERS):
        # Some look for them there, some take what they are given.
        checkpoint = dict(checkpoint, state_dict=dict(checkpoint))
    # MMEngine looks nowhere else where there is this one.
    seen = checkpoint.get('state_dict')
    weights_of(checkpoint if seen is None else {'state_dict': seen}, filename)
    if 'config' in checkpoint.get('meta', {}):
        checkpoint['meta'] = dict(checkpoint['meta'])
        del checkpoint['meta']['config']
    if filename.startswith('mmcls://'):
        backbone = {
            name[len('backbone.') :]: tensor
            for name, tensor in checkpoint['state_dict'].items()
            if name.startswith('backbone.')
        }
        return dict(state_dict=backbone)
    return checkpoint


class GuardedPickles(PickleHandler):
    """Pickles as data, unless files are trusted."""

    def load_from_fileobj(self, file: IO[bytes], **kwargs: Any) -> Any:
        """Read an open file; see :func:`load_pickle`."""
        return load_pickle(file, **kwargs)


class GuardedYaml(YamlHandler):
    """YAML whose tags make plain values only."""

    def load_from_fileobj(self, file: IO[str], **kwargs: Any) -> Any:
        """Read an open file with PyYAML's safe loader, the fast one."""
        # MMEngine reads a hundred files to find a config of `mmpretrain::`.
        loader = getattr(yaml, 'CSafeLoader', yaml.SafeLoader)
        try:
            return yaml.load(file, Loader=loader)
        except yaml.YAMLError as error:
            raise ValueError(f'no plain YAML: {error}') from error


def _load_plain_array(
    file: Any,
    mmap_mode: Any = None,
    allow_pickle: bool = False,
    *args: Any,
    **kwargs: Any,
) -> Any:
    """``numpy.load``, which unpickles objects of trusted files only."""
    allowed = allow_pickle and files_are_trusted()
    return _load_array(file, mmap_mode, allowed, *args, **kwargs)
