"""COCO's average precision, of files with any numbering."""

from typing import Any

from mmdet.evaluation import CocoMetric as Parent

from mmdrloc.registry import METRICS


@METRICS.register_module()
class CocoMetric(Parent):
    """mmdet's metric; its file may number objects from 0 and omit crowds.

    pycocotools takes the id 0 for "no match", and fails without ``iscrowd``.
    Arguments are those of :class:`mmdet.evaluation.CocoMetric`.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self._coco_api is None:  # there is no file
            return
        objects = self._coco_api.dataset['annotations']
        for number, one in enumerate(objects, start=1):
            one.update(id=number, iscrowd=int(one.get('iscrowd') or 0))
        self._coco_api.createIndex()
