"""``--weights``: what a training starts from, whoever wrote it.

The file is converted to what the network of the config needs, and the copy
laid into the work folder, from where a resumed run takes it again.
"""

import time
from pathlib import Path
from typing import Any, Dict, NamedTuple, Optional, Tuple
from zlib import crc32

from mmengine.config import Config

from mmdrloc.checkpoints.reading import (
    keep_checkpoint,
    load_checkpoint,
    load_checkpoint_once,
    local_file,
)
from mmdrloc.checkpoints.saved import last_checkpoint
from mmdrloc.models.pretrained import open_entries, pretrained_entries
from mmdrloc.preflight.makers import how_to_get
from mmdrloc.preflight.sources import kind_of
from mmdrloc.preflight.weights import no_file
from mmdrloc.registry import MODELS
from mmdrloc.utils.distributed import process_rank
from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.files import sha256_of
from .audit import Audit
from .backbone import (
    PREFIX,
    convert_checkpoint,
    extract_backbone,
    write_checkpoint,
)
from .fit import backbone_of, fit_to_config

COPY = 'starting_weights.pth'
CHECKED = '.checked_weights.pth'
# For how long other processes wait for the first one to convert.
PATIENCE_S = 1800.0


class Start(NamedTuple):
    """What a training starts from.

    Args:
        copy (Path): Converted to what its network needs.
        said (dict): ``file``, ``origin`` and ``sha256`` of what it is from.
    """

    copy: Path
    said: Dict[str, Any]


def require_weights(
    cfg: Config, weights: Optional[str], resume: Optional[str] = None
) -> None:
    """See that a recipe that starts from weights is given some.

    Args:
        cfg (Config): The whole config.
        weights (str, optional): Of the command line.
        resume (str, optional): What is resumed, which has a copy.

    Raises:
        UsageError: If there are none, or they are not there.
    """
    begun = _begun_from(cfg, resume)
    if weights:
        if begun is None or begun.said['file'] != weights:
            _find_weights(weights)
        return
    for place, _ in open_entries(cfg.get('model')):
        if begun is None:
            raise UsageError(no_file(place))


def set_weights(
    cfg: Config,
    weights: Optional[str],
    resume: Optional[str] = None,
    partial: bool = False,
    copy: Optional[Path] = None,
    anyway: bool = False,
) -> Optional[Audit]:
    """Have a training start from a file of weights.

    Args:
        cfg (Config): Changed in place: what starts from a file that is not
            named starts from this one, and so does the backbone. ``run``
            says the file, its origin and its checksum.
        weights (str, optional): A checkpoint of any known origin, its
            address, or the work folder of a training, for its last one. By
            default what the run that is resumed was begun with, if any.
        resume (str, optional): What is resumed: 'auto', a checkpoint, or a
            folder.
        partial (bool): Whether a part is enough. Defaults to False.
        copy (Path, optional): Where to write the converted copy. Defaults to
            None: in the work folder.
        anyway (bool): Whether a run may go on from other weights or with
            other data than it was begun with. Defaults to False.

    Returns:
        Audit, optional: What came of it; None where nothing was converted.

    Raises:
        UsageError: If it is not there, not understood, or does not fit,
            or the resumed run was begun otherwise.
    """
    copy = copy or Path(cfg.work_dir, COPY)
    begun = _begun_from(cfg, resume)
    path = checksum = None
    if weights and not (begun and _is_gone(begun, weights)):
        path = _find_weights(weights)
        # A pass of its own, a part at a time: torch reads here and there.
        checksum = sha256_of(path)
    is_begun = begun is not None and checksum in (None, begun.said['sha256'])
    if is_begun:
        if begun.copy.resolve() != copy.resolve() and process_rank() == 0:
            write_checkpoint(load_checkpoint_once(begun.copy), copy)
        _fill(cfg, begun)
        return None
    if path is None:
        return None
    said = dict(
        file=weights if '://' in weights else str(path),
        origin=None,
        sha256=checksum,
    )
    purpose = _purpose(cfg)
    audit = None
    if process_rank() == 0:
        checkpoint, audit = _converted(path, cfg, partial)
        said['origin'] = checkpoint['meta']['origin']
        checkpoint['meta'].update(run=said, purpose=purpose)
        write_checkpoint(checkpoint, copy)
        keep_checkpoint(checkpoint, copy)
        print(f'{said["file"]} is of origin {said["origin"]}')
        print(audit.table(), flush=True)
    else:
        said = _awaited(copy, said['sha256'], purpose)
    _fill(cfg, Start(copy, said))
    return audit


def try_weights(
    cfg: Config, weights: Optional[str], partial: bool = False
) -> None:
    """See that a training can start from weights, and write nothing.

    Args:
        cfg (Config): Changed in place: it starts from the file as it is.
        weights (str, optional): See :func:`set_weights`.
        partial (bool): Whether a part is enough. Defaults to False.

    Raises:
        UsageError: As of :func:`require_weights` and :func:`set_weights`.
    """
    require_weights(cfg, weights)
    if weights:
        path = _find_weights(weights)
        _converted(path, cfg, partial)
        _fill(cfg, Start(path, dict(file=str(path))))


def _find_weights(weights: str) -> Path:
    """The file that is meant, or a refusal with the command that makes it."""
    path = Path(weights).expanduser()
    if path.is_dir():
        last = last_checkpoint(path)
        if last is None:
            raise UsageError(
                f'--weights {weights} is a folder without a checkpoint'
                f'{how_to_get(path)}.'
            )
        return last
    path = local_file(weights)
    if not path.is_file():
        raise UsageError(
            f'--weights {weights} is not there{how_to_get(path)}.'
        )
    return path


def _begun_from(cfg: Config, resume: Optional[str]) -> Optional[Start]:
    """What a run was begun with that is to go on, if there is a copy."""
    if not resume:
        return None
    folder = Path(cfg.work_dir if resume == 'auto' else resume)
    copy = Path(folder if folder.is_dir() else folder.parent, COPY)
    try:
        said = load_checkpoint_once(copy)['meta']['run']
        return Start(copy, dict(said))
    except (UsageError, KeyError, TypeError, ValueError):
        return None


def _is_gone(begun: Start, weights: str) -> bool:
    """Whether weights are named of which nothing but the copy is left."""
    file = begun.said['file']
    return weights == file and not Path(file).is_file()


def _converted(
    path: Path, cfg: Config, partial: bool
) -> Tuple[Dict[str, Any], Audit]:
    """A checkpoint with all that the config's open entries ask for."""
    whole, audit = convert_checkpoint(path)
    checkpoint, audit = extract_backbone(whole, audit)
    checkpoint, audit = fit_to_config(checkpoint, audit, cfg, partial)
    weights = checkpoint['state_dict']
    if _takes_bare_names(cfg):
        weights.update({n[len(PREFIX) :]: t for n, t in weights.items()})
    for place, entry in open_entries(cfg.model):
        prefix = (entry.get('prefix') or PREFIX).rstrip('.') + '.'
        if prefix == PREFIX:
            continue
        part = {
            name: tensor
            for name, tensor in whole['state_dict'].items()
            if name.startswith(prefix)
        }
        if not part:
            raise UsageError(
                f'{path} has no tensors named {prefix}*, which {place} '
                'starts from: give the checkpoint of a whole classifier.'
            )
        weights.update(part)
        audit.dropped = [name for name in audit.dropped if name not in part]
        audit.loaded += part
    return checkpoint, audit


def _takes_bare_names(cfg: Config) -> bool:
    """Whether a network reads files in a way of its own, without prefix."""
    kind = kind_of(cfg, backbone_of(cfg), MODELS)
    library = kind.__module__.split('.')[0]
    return library in ('mmdet', 'mmseg') and 'init_weights' in vars(kind)


def _fill(cfg: Config, start: Start) -> None:
    """Name the copy wherever the config starts from a file left open."""
    entry = dict(type='Pretrained', checkpoint=str(start.copy), prefix=PREFIX)
    backbone = backbone_of(cfg)
    given = backbone.get('init_cfg')
    if any(pretrained_entries(given)):
        for own in pretrained_entries(given):
            own.update(entry)
    elif given:
        others = given if isinstance(given, (list, tuple)) else [given]
        backbone['init_cfg'] = [*others, entry]
    else:
        backbone['init_cfg'] = entry
    for _, own in open_entries(cfg.model):
        own.update(checkpoint=str(start.copy))
    # The other ways in which mmdet and mmseg say it.
    for node in (cfg.model, backbone):
        if node.get('pretrained'):
            node['pretrained'] = None
    if backbone.get('convert_weights'):
        backbone['convert_weights'] = False
    cfg.setdefault('run', {})
    cfg.run['weights'] = start.said


def _purpose(cfg: Config) -> int:
    """A number that says for what network a copy was made."""
    backbone = {k: v for k, v in backbone_of(cfg).items() if k != 'init_cfg'}
    return crc32(repr(sorted(backbone.items(), key=str)).encode())


def _awaited(copy: Path, sha256: str, purpose: int) -> Dict[str, Any]:
    """Wait for the copy of the first process."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        try:
            meta = load_checkpoint(copy)['meta']
            if meta['purpose'] == purpose and meta['run']['sha256'] == sha256:
                return dict(meta['run'])
        except (UsageError, KeyError, TypeError):
            pass
        time.sleep(0.5)
    raise UsageError(
        f'the first process has not written {copy}: is the work folder one '
        'that all processes see?'
    )
