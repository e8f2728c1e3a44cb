"""Label maps some of whose values are no classes."""

from typing import Any, Sequence

from mmseg.datasets import BaseSegDataset

from mmdrloc.registry import DATASETS


@DATASETS.register_module()
class RenumberedSegDataset(BaseSegDataset):
    """mmseg's data set, with a label of its own for each value of its maps.

    Args:
        labels (Sequence[int]): The label of each value from 0 on: a class's
            number, or 255 for what is ignored.
        **kwargs: Of :class:`mmseg.datasets.BaseSegDataset`.
    """

    def __init__(self, labels: Sequence[int], **kwargs: Any) -> None:
        self.labels = list(labels)
        lazy = kwargs.pop('lazy_init', False)
        super().__init__(**kwargs, lazy_init=True)
        self.label_map = dict(enumerate(self.labels))
        self._metainfo['label_map'] = self.label_map
        if not lazy:
            self.full_init()
