"""Initial weights: ``--weights``, and the config's own files.

The libraries' loaders know one format each and are silent if nothing fits.
So each entry of an ``init_cfg`` that names a file is given an address of
ours: our loader reads the file, converts and loads it into the part, and
hands back what the part then holds. After the initialisation all files are
loaded once more, so that they have the last word.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional
from weakref import WeakValueDictionary

from mmengine.config import Config
from mmengine.runner import CheckpointLoader
from torch import nn

from mmdrloc.models.pretrained import open_entries, pretrained_entries
from mmdrloc.utils.config_walk import dicts_in
from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.files import sha256_of
from .audit import Audit
from .load import PREFIX, load_part
from .origins import detect_origin
from .reading import load_checkpoint, load_weights, weights_of
from .sources import find_checkpoint

SCHEME = 'mmdrloc://'
_STARTS: 'WeakValueDictionary[str, Start]' = WeakValueDictionary()


def start_from(
    cfg: Config, weights: Optional[str], begun: Optional[Mapping] = None
) -> None:
    """Have the backbone of a config start from a file, run or address.

    So does every other part whose ``init_cfg`` leaves the file open.

    Args:
        cfg (Config): Changed in place; ``cfg.run['weights']`` says file,
            origin (None if unknown) and checksum.
        weights (str, optional): What :func:`find_checkpoint` takes.
        begun (Mapping, optional): Of a run that goes on, its
            ``run['weights']``, {} where it says nothing.

    Raises:
        UsageError: If the file cannot be read, or none is given where the
            config leaves it open.
    """
    if begun:  # the same weights, or it would be another run
        said, path = dict(begun), begun['file']
    elif weights is None:
        for place, _ in open_entries(cfg.get('model')):
            if begun is None:
                raise _no_file(place)
        return
    else:
        path = find_checkpoint(weights)
        origin = detect_origin(load_weights(path))
        said = dict(
            file=str(path) if Path(weights).exists() else weights,
            origin=origin and origin.name,
            sha256=sha256_of(path),
        )
    cfg.setdefault('run', {})
    cfg.run['weights'] = said
    backbone = backbone_of(cfg)
    entry = dict(type='Pretrained', checkpoint=str(path), prefix=PREFIX)
    given = backbone.get('init_cfg') or []
    others = [*given] if isinstance(given, (list, tuple)) else [given]
    own = list(pretrained_entries(others))
    for one in own:
        one.update(entry)
    if not own:
        backbone['init_cfg'] = [*others, entry] if others else entry
    for _, one in open_entries(cfg.model):
        one.update(checkpoint=str(path))
    # The other way in which mmdet and mmseg say it.
    for node in (cfg.model, backbone):
        if node.get('pretrained'):
            node['pretrained'] = None


def backbone_of(cfg: Config) -> Dict[str, Any]:
    """Find the outermost ``backbone`` in the model of a config.

    Raises:
        UsageError: If there is none.
    """
    for _, node in dicts_in(cfg.get('model')):
        if isinstance(node.get('backbone'), dict):
            return node['backbone']
    raise UsageError(f'the model of {cfg.filename} has no backbone.')


def _no_file(place: str) -> UsageError:
    return UsageError(
        f'{place} starts from weights, and this config leaves open from '
        'which: give --weights FILE or --weights RUN, the folder of a '
        'training.'
    )


@dataclass(eq=False)
class Start:
    """A part of a model that starts from a file."""

    module: nn.Module
    place: str  # like 'model.backbone'
    source: str  # what `find_checkpoint` takes
    prefix: Optional[str]  # what the names of its tensors begin with
    partial: bool  # whether what fits is enough
    skipped: bool  # whether to load nothing: the training goes on

    def load(self) -> Audit:
        """Load the part, of whose file something must fit."""
        if not self.source:
            raise _no_file(self.place)
        return load_part(
            self.module,
            load_weights(find_checkpoint(self.source)),
            self.source,
            self.place,
            self.prefix,
            self.partial,
        )


def take_starts(
    model: nn.Module, partial: bool = False, skipped: bool = False
) -> List[Start]:
    """Have all parts of a model that start from files load them our way.

    The model is built and not initialised. Its entries for files are
    changed, and stay of that kind: many networks ask for it to know what
    else they initialise. With ``partial`` what fits is enough, and
    ``skipped`` loads nothing. The outer parts come first.
    """
    starts: List[Start] = []
    for name, module in model.named_modules():
        # Some are initialised when they are built.
        if getattr(module, 'is_init', not hasattr(module, 'init_weights')):
            continue
        place = f'model.{name}'.rstrip('.')
        entries = list(pretrained_entries(getattr(module, 'init_cfg', None)))
        for entry in entries:
            source, prefix = entry.get('checkpoint'), entry.pop('prefix', None)
            start = Start(module, place, source, prefix, partial, skipped)
            entry['checkpoint'] = f'{SCHEME}{id(start)}/{name}'
            _STARTS[entry['checkpoint']] = start
            starts.append(start)
        # What would rename our names once more.
        if entries and getattr(module, 'convert_weights', False):
            module.convert_weights = False
    return starts


def load_starts(starts: List[Start]) -> Dict[str, Audit]:
    """Load all parts, whatever the initialisation has made of them.

    The outer ones, which come first in the list, have the last word. The
    audits are by the place of the part and its source.
    """
    return {
        f'{start.place} starts from {start.source}': start.load()
        for start in reversed(starts)
    }


# MMEngine logs the name of its loader from the tenth letter on.
@CheckpointLoader.register_scheme(prefixes=SCHEME)
def load_from_mmdrloc(
    filename: str, map_location: Optional[Any] = None
) -> Dict[str, Any]:
    """Read what a :class:`Start` now holds, or ``mmdrloc://PATH``."""
    start = _STARTS.get(filename)
    if start is None:
        path = filename[len(SCHEME) :]
        checkpoint = load_checkpoint(path)
        return dict(checkpoint, state_dict=weights_of(checkpoint, path))
    if not start.skipped:
        start.load()
    own = start.module.state_dict()
    if type(start.module).__module__.startswith('mmdet.'):
        own.update({f'{PREFIX}{n}': t for n, t in list(own.items())})
    return dict(state_dict=own)
