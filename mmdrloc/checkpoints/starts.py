"""Initial weights: ``--weights``, and the config's own files.

The libraries' loaders know one format each and are silent if nothing fits.
So the initialisation of a model reads no file, and afterwards each part is
loaded through :func:`mmdrloc.checkpoints.load.load`.
"""

from copy import deepcopy
from pathlib import Path
from typing import Any, Dict, List, Mapping, NamedTuple, Optional

import torch
from mmengine.config import Config
from mmengine.registry import init_default_scope
from torch import nn

from mmdrloc.models.building import building_from
from mmdrloc.models.pretrained import open_entries, pretrained_entries
from mmdrloc.registry import MODELS
from mmdrloc.utils.config_walk import dicts_in, kind_of
from mmdrloc.utils.errors import UsageError, first_line
from mmdrloc.utils.files import sha256_of
from .audit import Audit
from .load import load
from .origins import recognise
from .reading import load_weights
from .sources import find_checkpoint

HUB_FILE = 'model.safetensors'  # of timm's networks on the Hub


def start_from(
    cfg: Config, weights: Optional[str], begun: Optional[Mapping] = None
) -> None:
    """Have the backbone of a config start from a file, run or address.

    So does every other part whose ``init_cfg`` leaves the file open; what
    the config loads itself, ``load_from`` too, is not loaded.

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
    is_new = begun is None
    for _, node in dicts_in(cfg.get('model')):
        if kind_of(node).startswith('TIMM') and node.pop('pretrained', False):
            # Of the backbone they are given.
            if is_new and (weights is None or node is not backbone_of(cfg)):
                file = _timm_s_file(node)
                node['init_cfg'] = dict(type='Pretrained', checkpoint=file)
    if begun:  # the same weights, or it would be another run
        record, path = dict(begun), begun['file']
    elif weights is None:
        for place, _ in open_entries(cfg.get('model')) if is_new else ():
            raise _no_file(place)
        return
    else:
        path = find_checkpoint(weights)
        origin, _ = recognise(load_weights(path), path)
        record = dict(
            file=str(path) if Path(weights).exists() else weights,
            origin=origin and origin.name,
            sha256=sha256_of(path),
        )
    cfg.setdefault('run', {})
    cfg.run['weights'] = record
    cfg.load_from = None  # it would be loaded over them
    backbone = backbone_of(cfg)
    entry = dict(type='Pretrained', checkpoint=str(path))
    given = backbone.get('init_cfg') or []
    entries = [*given] if isinstance(given, (list, tuple)) else [given]
    own = list(pretrained_entries(entries))
    for one in own:
        one.pop('prefix', None)  # of the file that is not taken
        one.update(entry)
    if not own:
        backbone['init_cfg'] = [*entries, entry] if entries else entry
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


def _timm_s_file(backbone: Dict[str, Any]) -> str:
    """Fetch what timm loads for ``pretrained=True``, for our own audit."""
    name = backbone['model_name']
    file = (backbone.get('pretrained_cfg_overlay') or {}).get('file')
    if file:
        return file
    try:
        # They take seconds to import.
        from huggingface_hub import hf_hub_download
        from timm import get_pretrained_cfg

        settings = get_pretrained_cfg(name, allow_unregistered=False)
        return hf_hub_download(
            settings.hf_hub_id, settings.hf_hub_filename or HUB_FILE
        )
    except Exception as error:  # the hub raises many types
        raise UsageError(
            f'the weights of {name} cannot be fetched ({first_line(error)}): '
            'download them yourself and give --weights FILE.'
        ) from error


def _no_file(place: str) -> UsageError:
    return UsageError(
        f'{place} starts from weights, and the config does not say which: '
        'give --weights FILE, or the folder of a training.'
    )


class Start(NamedTuple):
    """A part of a model that starts from a file."""

    module: nn.Module
    place: str  # like 'model.backbone'
    source: str  # what `find_checkpoint` takes
    prefix: Optional[str]  # what the names of its tensors begin with


def take_starts(model: nn.Module) -> List[Start]:
    """Find the parts of a model that start from files; the outer ones first.

    Args:
        model (nn.Module): Built and not initialised; its initialisation will
            read no file.
    """
    starts: List[Start] = []
    for name, module in model.named_modules():
        # Some are initialised when they are built.
        if getattr(module, 'is_init', not hasattr(module, 'init_weights')):
            continue
        place = f'model.{name}'.rstrip('.')
        given = getattr(module, 'init_cfg', None)
        own = [*pretrained_entries(given)]
        for entry in own:
            source, prefix = entry.get('checkpoint'), entry.get('prefix')
            starts.append(Start(module, place, source, prefix))
        if own:
            entries = given if isinstance(given, (list, tuple)) else [given]
            module.init_cfg = [e for e in entries if e not in own] or None
    return starts


def load_starts(
    starts: List[Start], partial: bool = False
) -> Dict[str, Audit]:
    """Load all parts, of whose files something must fit.

    The outer ones, which come first in the list, have the last word. With
    ``partial`` what fits is enough. The audits are by the place of the part
    and its source.

    Raises:
        UsageError: If a file cannot be read, or does not fit.
    """
    audits = {}
    for module, place, source, prefix in reversed(starts):
        if not source:
            raise _no_file(place)
        part = dict(place=place, prefix=prefix, partial=partial)
        audit = load(module, source, 'train', **part)
        audits[f'{place} starts from {source}'] = audit
    return audits


def check_starts(cfg: Config) -> None:
    """Refuse weights that do not fit the model of a config.

    Args:
        cfg (Config): After :func:`start_from`; not changed.

    Raises:
        UsageError: If the model cannot be built, or as :func:`load_starts`.
    """
    with building_from(cfg), torch.random.fork_rng(devices=[]):
        init_default_scope(cfg.get('default_scope', 'mmengine'))
        model = deepcopy(cfg.model)
        model.setdefault('data_preprocessor', cfg.get('data_preprocessor'))
        starts = take_starts(MODELS.build(model))
    load_starts(starts, cfg.get('partial_weights', False))
