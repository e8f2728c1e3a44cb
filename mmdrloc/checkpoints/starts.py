"""Initial weights: ``--weights``, and the config's own files.

The libraries' loaders know one format each and do not mind loading nothing.
So each entry of an ``init_cfg`` that names a file is given an address of
ours: our loader reads the file, converts and loads it into the part, and
hands back what the part then holds.
"""

from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional
from weakref import WeakValueDictionary

from mmengine.config import Config
from mmengine.runner import CheckpointLoader
from torch import Tensor, nn

from mmdrloc.models.pretrained import open_entries, pretrained_entries
from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.files import sha256_of
from .audit import Audit
from .backbone import backbone_of
from .load import PREFIX, load_part, origin_of
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
        cfg (Config): Changed in place. ``cfg.run['weights']`` says the file,
            its origin (None if unknown) and its checksum.
        weights (str, optional): A checkpoint of any known origin, the folder
            of a run, or an address. Defaults to the config's own start.
        begun (Mapping, optional): Of a run that goes on, the
            ``run['weights']`` that it was begun with, {} where it says
            nothing. Defaults to None: a new training.

    Raises:
        UsageError: If the file cannot be read, or none is given where the
            config leaves it open.
    """
    if begun:  # the same weights, or it would be another run
        said, path = dict(begun), Path(begun['file'])
    elif weights is None:
        for place, _ in open_entries(cfg.get('model')):
            if begun is None:
                raise UsageError(no_file(place))
        return
    else:
        path = find_checkpoint(weights)
        said = dict(
            file=weights if '://' in weights else str(path),
            origin=origin_of(load_weights(path)),
            sha256=sha256_of(path),
        )
    cfg.setdefault('run', {})
    cfg.run['weights'] = said
    backbone = backbone_of(cfg)
    entry = dict(type='Pretrained', checkpoint=str(path), prefix=PREFIX)
    given = backbone.get('init_cfg')
    own = list(pretrained_entries(given))
    for one in own:
        one.update(entry)
    if not own:
        others = given if isinstance(given, (list, tuple)) else [given]
        others = [other for other in others if other]
        backbone['init_cfg'] = [*others, entry] if others else entry
    for _, one in open_entries(cfg.model):
        one.update(checkpoint=str(path))
    # The other way in which mmdet and mmseg say it.
    for node in (cfg.model, backbone):
        if node.get('pretrained'):
            node['pretrained'] = None


def no_file(place: str) -> str:
    """Say that a part starts from weights that nobody has named."""
    return (
        f'{place} starts from weights, and this config leaves open from '
        'which: give --weights FILE or --weights RUN, the folder of a '
        'training.'
    )


class Start:
    """A part of a model that starts from a file.

    Args:
        module (nn.Module): Before its initialisation.
        place (str): Where it is, like ``backbone``; '' for a whole model.
        source (str): The file, run or address.
        prefix (str, optional): What the names of its tensors begin with.
        partial (bool): Whether what fits is enough.
        skipped (bool): Whether to load nothing: the training goes on.
    """

    def __init__(
        self,
        module: nn.Module,
        place: str,
        source: str,
        prefix: Optional[str],
        partial: bool,
        skipped: bool,
    ) -> None:
        self.module = module
        self.place = f'model.{place}'.rstrip('.')
        self.source = source
        self.prefix = prefix
        self.partial = partial
        self.skipped = skipped
        self.audit: Optional[Audit] = None
        self.values: Dict[str, Tensor] = {}
        self.address = f'{SCHEME}{id(self)}/{place}'
        _STARTS[self.address] = self

    def load(self) -> Audit:
        """Load the part, once.

        Raises:
            UsageError: If no file is named, or it does not fit.
        """
        if self.audit is None:
            if not self.source:
                raise UsageError(no_file(self.place))
            weights = load_weights(find_checkpoint(self.source))
            self.audit = load_part(
                self.module,
                weights,
                self.source,
                self.place,
                self.prefix,
                self.partial,
            )
            own = self.module.state_dict()
            self.values = {n: own[n].clone() for n in self.audit.loaded}
        return self.audit

    def verify(self, replaced: Dict[str, Any]) -> Audit:
        """See that the part still holds what was loaded.

        Args:
            replaced (dict): Names of the model that an outer part has loaded
                anew since.

        Returns:
            Audit: What became of the tensors.

        Raises:
            UsageError: If something has overwritten them.
        """
        audit = self.load()
        inside = self.place.partition('.')[2]
        own = self.module.state_dict()
        audit.different = [
            name
            for name, value in self.values.items()
            if f'{inside}.{name}'.lstrip('.') not in replaced
            and not own[name].equal(value)
        ]
        if audit.different and not self.partial:
            raise UsageError(
                f'{self.source} does not arrive in {self.place}, which '
                f'changes what it has loaded: {audit.describe_faults()}.'
            )
        return audit


def take_starts(
    model: nn.Module, partial: bool = False, skipped: bool = False
) -> List[Start]:
    """Have all parts of a model that start from files load them our way.

    Args:
        model (nn.Module): Built and not initialised. Its entries for files
            are changed, and stay of that kind: many networks ask for it to
            know what else they initialise.
        partial (bool): Whether what fits is enough. Defaults to False.
        skipped (bool): Whether to load nothing. Defaults to False.

    Returns:
        list[Start]: The outer parts first.
    """
    starts = []
    for name, module in model.named_modules():
        # Some are initialised when they are built.
        if getattr(module, 'is_init', not hasattr(module, 'init_weights')):
            continue
        entries = list(pretrained_entries(getattr(module, 'init_cfg', None)))
        for entry in entries:
            source, prefix = entry.get('checkpoint'), entry.pop('prefix', None)
            start = Start(module, name, source, prefix, partial, skipped)
            entry['checkpoint'] = start.address
            starts.append(start)
        file = getattr(module, 'pretrained', None)
        if not entries and isinstance(file, str):
            starts.append(Start(module, name, file, None, partial, skipped))
            module.pretrained = starts[-1].address
        if starts and starts[-1].module is module:
            # What would rename our names once more.
            if getattr(module, 'convert_weights', False):
                module.convert_weights = False
    return starts


def verify_starts(starts: List[Start]) -> Dict[str, Audit]:
    """See that parts hold what they start from, after the initialisation.

    Returns:
        dict[str, Audit]: By the place of the part and its source.

    Raises:
        UsageError: If one does not.
    """
    audits, replaced = {}, {}
    for start in starts:
        audit = start.verify(replaced)
        inside = start.place.partition('.')[2]
        replaced.update(
            (f'{inside}.{name}'.lstrip('.'), start) for name in start.values
        )
        start.values = {}
        audits[f'{start.place} starts from {start.source}'] = audit
    return audits


# MMEngine logs the name of its loader from the tenth letter on.
@CheckpointLoader.register_scheme(prefixes=SCHEME)
def load_from_mmdrloc(
    filename: str, map_location: Optional[Any] = None
) -> Dict[str, Any]:
    """Read for MMEngine, which knows this by its address alone.

    Args:
        filename (str): The address of a :class:`Start`, or ``mmdrloc://``
            and the path of a file.
        map_location (Any, optional): Not followed: tensors come to the CPU.

    Returns:
        dict: With ``state_dict``: what the part now holds, or the file.
    """
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
