"""A trained model and its validation data, for looking at."""

from typing import NamedTuple

from mmengine.config import Config
from mmengine.registry import MODELS, VISUALIZERS, init_default_scope
from mmengine.runner import Runner
from mmengine.visualization import Visualizer
from torch import nn
from torch.utils.data import DataLoader

from mmdrloc.checkpoints.load import load_model
from mmdrloc.checkpoints.reading import load_weights
from mmdrloc.models.building import building_from


class Trained(NamedTuple):
    """What a config and a checkpoint make.

    Args:
        model (nn.Module): In evaluation mode, on the CPU.
        loader (DataLoader): Of the validation data.
        cfg (Config): The config.
    """

    model: nn.Module
    loader: DataLoader
    cfg: Config

    def visualizer(self) -> Visualizer:
        """The config's visualizer, which writes nothing by itself.

        Raises:
            UsageError: If it has none, or it cannot be built.
        """
        with building_from(self.cfg):
            visualizer = VISUALIZERS.build(
                dict(self.cfg.visualizer, vis_backends=None)
            )
        visualizer.dataset_meta = self.loader.dataset.metainfo
        return visualizer


def load_trained(cfg: Config, checkpoint: str) -> Trained:
    """Build the model and the validation data of a config.

    Args:
        cfg (Config): The config that the checkpoint was trained with.
        checkpoint (str): A checkpoint of that training.

    Returns:
        Trained: Model and data.

    Raises:
        UsageError: If the config cannot be built, or the checkpoint cannot be
            read or is another model's.
    """
    with building_from(cfg):
        init_default_scope(cfg.default_scope)
        # As the Runner completes it.
        own = {key: cfg[key] for key in ('data_preprocessor',) if key in cfg}
        model = MODELS.build({**own, **cfg.model})
        loader = Runner.build_dataloader(cfg.val_dataloader)
    weights = load_weights(checkpoint)
    load_model(model, weights, checkpoint, is_training=False)
    return Trained(model.eval(), loader, cfg)
