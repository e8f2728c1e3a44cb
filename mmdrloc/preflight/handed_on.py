"""A data set that the checks have read, for the runner that needs it next."""

import copy
from typing import Any, Dict
from weakref import WeakValueDictionary

from mmengine.dataset import BaseDataset
from mmengine.registry import DATASETS

from mmdrloc.checkpoints.reading import KEPT

LIBRARIES = ('mmpretrain', 'mmseg', 'mmdrloc')
# Where loaders and wrappers have their data sets.
INNER = ('dataset', 'datasets')
# By identity: data sets may be anyone's, and of no hash.
_READ: WeakValueDictionary = WeakValueDictionary()


def hand_on(config: Dict[str, Any], dataset: Any) -> None:
    """Keep a data set that was read without fault.

    Args:
        config (dict): What it was built from.
        dataset (BaseDataset): Built without its pipeline, with its samples
            in ``data_list``.
    """
    if _lists_files_only(dataset):
        KEPT.put(_key(config), dataset)


def read_already(config: Any) -> Any:
    """A config by which nothing is read that the checks have read.

    Args:
        config (Any): Of a loader, of a data set, or of wrappers around some.

    Returns:
        Any: The config, with what was handed on in the place of data sets.
    """
    if isinstance(config, (list, tuple)):
        return [read_already(item) for item in config]
    if not isinstance(config, dict) or not KEPT:
        return config
    dataset = KEPT.pop(_key(config), None)
    if dataset is not None:
        return dict(type=lambda: _completed(dataset, config))
    inner = {k: read_already(config[k]) for k in INNER if k in config}
    return dict(config, **inner)


def was_read(dataset: Any) -> bool:
    """Whether the checks have looked into a data set."""
    return _READ.get(id(dataset)) is dataset


def _completed(dataset: Any, config: Dict[str, Any]) -> Any:
    """The data set as its config says, which is built anew but not read."""
    whole = DATASETS.build(dict(copy.deepcopy(config), lazy_init=True))
    dataset.pipeline = whole.pipeline
    dataset.serialize_data = whole.serialize_data
    if dataset.serialize_data:
        dataset.data_bytes, dataset.data_address = dataset._serialize_data()
    _READ[id(dataset)] = dataset
    return dataset


def _lists_files_only(dataset: Any) -> bool:
    """Whether nothing that was read depends on a pipeline or on chance."""
    kind = type(dataset)
    return (
        kind.load_data_list.__module__.partition('.')[0] in LIBRARIES
        and kind.get_data_info is BaseDataset.get_data_info
    )


def _key(config: Dict[str, Any]) -> str:
    return f'data set {config!r}'
