"""DomainNet: the same 345 classes in six kinds of pictures."""

from pathlib import PurePosixPath
from typing import Any, Dict, Iterator, List, Tuple

from mmengine.fileio import join_path
from mmpretrain.datasets import BaseDataset

from mmdrloc.registry import DATASETS
from mmdrloc.utils.errors import UsageError
from .lists import check_split, read_list

DOMAINS = ('clipart', 'infograph', 'painting', 'quickdraw', 'real', 'sketch')
SPLITS = ('train', 'test')
NUM_CLASSES = 345


@DATASETS.register_module()
class DomainNet(BaseDataset):
    """One domain of DomainNet, divided as its official lists say.

    Peng et al., Moment Matching for Multi-Source Domain Adaptation, ICCV
    2019. ::

        data_root
        ├── clipart_train.txt      clipart/<class>/<image>.jpg <label>
        ├── clipart_test.txt
        └── clipart/<class>/<image>.jpg

    Both lists of the domain are read, since only together do they name all
    classes: ``painting_train.txt`` has no t-shirt.

    Args:
        data_root (str): The directory above.
        domain (str): One of 'clipart', 'infograph', 'painting', 'quickdraw',
            'real' and 'sketch'.
        split (str): 'train' or 'test'. Defaults to 'train'.
        **kwargs: Of :class:`mmpretrain.datasets.BaseDataset`.

    Raises:
        UsageError: If a list is missing, is not of this form, has labels
            beyond the classes, or gives one label to two folders.
    """

    def __init__(
        self, data_root: str, domain: str, split: str = 'train', **kwargs: Any
    ):
        if domain not in DOMAINS:
            raise UsageError(
                f"DomainNet has no domain '{domain}': choose one of "
                f'{", ".join(DOMAINS)}'
            )
        check_split(split, list(SPLITS))
        self.domain = domain
        self.split = split
        super().__init__(
            ann_file=f'{domain}_{split}.txt',
            data_root=data_root,
            test_mode=split == 'test',
            **kwargs,
        )

    def load_data_list(self) -> List[dict]:
        """Read both lists; name the classes after their folders."""
        samples = {split: list(self._samples(split)) for split in SPLITS}
        self._metainfo['classes'] = self._name_classes(
            samples['train'] + samples['test']
        )
        return [
            dict(img_path=join_path(self.img_prefix, path), gt_label=label)
            for path, label in samples[self.split]
        ]

    def _samples(self, split: str) -> Iterator[Tuple[str, int]]:
        """The paths and labels of one list."""
        name = join_path(self.data_root, f'{self.domain}_{split}.txt')
        for number, line in enumerate(read_list(name), 1):
            path, _, label = line.rpartition(' ')
            if not path or not label.isdecimal():
                raise UsageError(
                    f"{name}, line {number}: '{line}' is no path and label"
                )
            if int(label) >= NUM_CLASSES:
                raise UsageError(
                    f'{name}, line {number}: label {label} is beyond the '
                    f'classes, expected are 0 to {NUM_CLASSES - 1}'
                )
            yield path, int(label)

    def _name_classes(self, samples: List[Tuple[str, int]]) -> Tuple[str, ...]:
        """The folder of each label."""
        names: Dict[int, str] = {}
        for path, label in samples:
            folder = PurePosixPath(path).parent.name
            if names.setdefault(label, folder) != folder:
                raise UsageError(
                    f'the lists of {self.domain} give label {label} to the '
                    f'folders {names[label]} and {folder}'
                )
        if len(names) != NUM_CLASSES:
            raise UsageError(
                f'the lists of {self.domain} name {len(names)} of the '
                f'{NUM_CLASSES} classes'
            )
        return tuple(names[label] for label in range(NUM_CLASSES))
