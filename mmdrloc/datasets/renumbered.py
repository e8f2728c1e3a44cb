"""Label maps some of whose values are no classes."""

from typing import Any, Dict, Sequence

from mmseg.datasets import BaseSegDataset

from mmdrloc.registry import DATASETS


@DATASETS.register_module()
class RenumberedSegDataset(BaseSegDataset):
    """mmseg's dataset, with a label of its own for each value of its maps.

    Args:
        labels (Sequence[int]): The label of each value from 0 on: a class's
            number, or 255 for what is ignored.
        **kwargs: Of :class:`mmseg.datasets.BaseSegDataset`.
    """

    def __init__(self, labels: Sequence[int], **kwargs: Any) -> None:
        self.labels = list(labels)
        super().__init__(**kwargs)

    def get_label_map(self, new_classes: Any = None) -> Dict[int, int]:
        """The label of each value, as mmseg asks for it."""
        return dict(enumerate(self.labels))
