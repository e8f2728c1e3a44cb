"""A picture of what a masked auto-encoder makes of held-out images."""

from typing import Any

from mmengine.dist import master_only
from mmengine.hooks import Hook
from mmengine.runner import Runner
from mmpretrain.utils import get_ori_model

from mmdrloc.registry import HOOKS
from mmdrloc.utils.batch_size import is_iter_based
from mmdrloc.visualization.reconstructions import reconstruction_picture


@HOOKS.register_module()
class ReconstructionHook(Hook):
    """Show input, mask and reconstruction at each validation.

    The picture goes to the visualizer: with its ``LocalVisBackend`` it is
    ``vis_data/vis_image/reconstruction_<epoch>.png`` in the work folder of
    the run.

    Args:
        num_images (int): Images to show. Defaults to 8.
    """

    def __init__(self, num_images: int = 8) -> None:
        self.num_images = num_images

    @master_only
    def after_val_epoch(self, runner: Runner, **_: Any) -> None:
        """Draw."""
        model = get_ori_model(runner.model)
        runner.visualizer.add_image(
            'reconstruction',
            reconstruction_picture(
                model, runner.val_dataloader, self.num_images
            ),
            runner.iter if is_iter_based(runner) else runner.epoch,
        )
