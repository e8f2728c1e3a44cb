"""Metric: how well held-out images are reconstructed."""

from statistics import fmean
from typing import Any, Dict, List, Sequence

from mmengine.evaluator import BaseMetric

from mmdrloc.registry import METRICS

PARTS = ('loss_masked', 'loss_visible')


@METRICS.register_module()
class ReconstructionLoss(BaseMetric):
    """Averages the losses that :meth:`LightMAE.predict` gives of each image.

    ``reconstruction/loss`` is the sum of the two parts, as in training.
    """

    default_prefix = 'reconstruction'

    def process(self, _: Any, data_samples: Sequence[Dict[str, Any]]) -> None:
        """Note the losses of a batch."""
        self.results += [
            {part: sample[part] for part in PARTS} for sample in data_samples
        ]

    def compute_metrics(
        self, results: List[Dict[str, float]]
    ) -> Dict[str, float]:
        """Average ``loss_masked`` and ``loss_visible``; add them up."""
        means = {part: fmean(one[part] for one in results) for part in PARTS}
        return dict(means, loss=sum(means.values()))
