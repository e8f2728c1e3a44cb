"""The datasets that have a name, as ``catalog.yml`` beside this file has them.

A description has the task, the title, the numbers of classes and images, and
``train_dataset`` and ``val_dataset``, or the ``recipe`` that has them.
"""

from pathlib import Path
from typing import Any, Dict, Mapping

import yaml

Description = Dict[str, Any]
# What a config keeps of a description, for records, reports and messages.
KEPT = (
    'dataset_name',
    'dataset_title',
    'dataset_path',
    'num_train',
    'num_val',
    'data_files',
    'data_made_by',
)
PREPARE = 'python tools/dataset_converters/prepare.py'


def _described(name: str, entry: Dict[str, Any]) -> Description:
    """A description from what the file says."""
    data = {'task': 'classification', **entry}
    names = ('num_classes', 'num_train', 'num_val')
    data.update(zip(names, data.pop('counts', ())))
    both = data.pop('both', {})
    for part in {'train', 'val'} & data.keys():
        dataset = data[f'{part}_dataset'] = {**both, **data.pop(part)}
        if 'indices' in dataset:
            number, of = (dataset['indices'][k] for k in ('number', 'of'))
            dataset['indices'] = [of * n // number for n in range(number)]
        data.setdefault('data_made_by', f'{PREPARE} {name}')
    return data


_FILE = Path(__file__).with_suffix('.yml')
CATALOG: Dict[str, Description] = {
    name: _described(name, entry)
    for name, entry in yaml.safe_load(_FILE.read_text()).items()
}


def described(cfg: Mapping[str, Any]) -> Description:
    """What is known of the data of a config.

    Args:
        cfg (Mapping): Any; ours name their data in ``dataset_name``.

    Returns:
        dict: Some of :data:`KEPT`; what the config says itself comes first.
    """
    # A folder of the user's may have the name of one.
    name = None if 'dataset_path' in cfg else cfg.get('dataset_name')
    known = CATALOG.get(name, {})
    return {
        key: cfg.get(key, known.get(key))
        for key in KEPT
        if key in cfg or key in known
    }
