"""A data preprocessor that augments the batch on the model's device."""

from typing import Any, List

from mmpretrain.models.utils import ClsDataPreprocessor
from torch import Tensor

from mmdrloc.datasets.on_device import build_steps
from mmdrloc.registry import MODELS
from mmdrloc.utils.errors import UsageError


@MODELS.register_module()
class AugmentingPreprocessor(ClsDataPreprocessor):
    """Does in training what the loader's workers have drawn.

    The images cross as bytes, without the host waiting for it; then they are
    normalised, and mixed if that was asked for. Outside of training it is
    its parent.

    Args:
        steps (list[dict]): Those of the pipeline's ``mmdrloc.DrawSteps``.
        **options: As of mmpretrain's ``ClsDataPreprocessor``.

    Raises:
        UsageError: If a step has no twin on the device.
    """

    def __init__(self, steps: List[dict], **options: Any) -> None:
        super().__init__(**options)
        self.steps = build_steps(steps)

    def forward(self, data: dict, training: bool = False) -> dict:
        """Augment and normalise a batch.

        Args:
            data (dict): ``inputs`` (B, 3, H, W) uint8, ``data_samples``, and
                in training ``drawn``, a dict of batches a step.
            training (bool): Whether to augment. Defaults to False.

        Returns:
            dict: ``inputs`` (B, 3, H', W') float32 and ``data_samples``.

        Raises:
            UsageError: If nothing was drawn, or the images are not one batch
                of colour images.
        """
        if training:
            data = dict(data, inputs=self._augmented(data))
        return super().forward(data, training)

    def _augmented(self, data: dict) -> Tensor:
        images, drawn = data['inputs'], data.get('drawn')
        is_batch = isinstance(images, Tensor) and images.shape[1] == 3
        if drawn is None or not is_batch:
            raise UsageError(
                'mmdrloc.AugmentingPreprocessor needs batches of colour '
                'images of one size, for which mmdrloc.DrawSteps has drawn: '
                '--augment-on-device sets both; train other images without it'
            )
        images = images.to(self.device, non_blocking=True)
        for step, of_step in zip(self.steps, drawn, strict=True):
            images = step.apply(images, of_step)
        return images
