"""COCO's average precision, of files with any numbering."""

from typing import Any, Dict, List

from mmdet.evaluation import CocoMetric as Parent

from mmdrloc.registry import METRICS


@METRICS.register_module()
class CocoMetric(Parent):
    """mmdet's metric; its file may number objects from 0 and omit crowds.

    pycocotools takes the id 0 for "no match", and fails without ``iscrowd``.
    It sorts the categories by their ids, and mmdet names their precisions in
    the order of the file: where ids do not ascend, categories are numbered
    anew, in ``outfile_prefix`` too. Objects of images that the dataset leaves
    out, as by ``indices``, do not count. A detector that finds nothing has a
    precision of 0. With ``classwise`` boxes and masks each have their values,
    as in ``bbox_cat_precision``. Arguments are those of
    :class:`mmdet.evaluation.CocoMetric`.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self._coco_api is None:  # there is no file
            return
        # Those of a test have none.
        objects = self._coco_api.dataset.get('annotations', ())
        for number, one in enumerate(objects, start=1):
            one.update(id=number, iscrowd=int(one.get('iscrowd') or 0))
        kinds = self._coco_api.dataset['categories']
        ids = [kind['id'] for kind in kinds]
        if ids != sorted(ids):
            known = {kind: number for number, kind in enumerate(ids, start=1)}
            for kind in kinds:
                kind['id'] = known[kind['id']]
            for one in objects:
                one['category_id'] = known.get(one['category_id'], 0)
        self._coco_api.createIndex()

    def compute_metrics(self, results: List[Any]) -> Dict[str, float]:
        """As mmdet's, which gives no value where nothing is found."""
        self.img_ids = [truth['img_id'] for truth, _ in results]
        names = self.metrics
        found: Dict[str, float] = {}
        for name in names:
            self.metrics = [name]  # they write classes to the same keys
            for key, value in super().compute_metrics(results).items():
                is_shared = key.endswith('_precision')
                found[f'{name}_{key}' if is_shared else key] = value
        self.metrics = names
        if found or self.format_only:
            return found
        items = self.metric_items or ('mAP', 'mAP_50', 'mAP_75')
        names = [name for name in names if name in ('bbox', 'segm')]
        return {f'{name}_{item}': 0.0 for name in names for item in items}
