"""The last step of a pipeline whose augmentations the device computes."""

from typing import List

from mmcv.transforms import BaseTransform

from mmdrloc.registry import TRANSFORMS
from .on_device import build_steps


@TRANSFORMS.register_module()
class DrawSteps(BaseTransform):
    """Draw what is to be done to an image, and do not do it.

    It stands after what packs the image. The model's data preprocessor,
    :class:`mmdrloc.models.AugmentingPreprocessor`, has the same steps.

    Args:
        steps (list[dict]): Configs of the transforms, in their order.

    Raises:
        UsageError: If one of them has no twin on the device.
    """

    def __init__(self, steps: List[dict]) -> None:
        self.steps = build_steps(steps)

    def transform(self, results: dict) -> dict:
        """Draw.

        Args:
            results (dict): With ``inputs``, (3, H, W) uint8.

        Returns:
            dict: With ``drawn``, a dict of arrays a step.
        """
        size = results['inputs'].shape[-2:]
        results['drawn'] = []
        for step in self.steps:
            drawn, size = step.draw(*size)
            results['drawn'].append(drawn)
        return results

    def __repr__(self) -> str:
        names = ', '.join(type(step).__name__ for step in self.steps)
        return f'{type(self).__name__}({names})'
