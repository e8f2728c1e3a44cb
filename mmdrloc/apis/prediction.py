"""Predictions of a trained model."""

from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Union

import numpy as np
from mmengine.config import Config

from mmdrloc.checkpoints.starts import SCHEME
from mmdrloc.datasets.recipes import read_config
from mmdrloc.utils.errors import UsageError
from .run import Run, config_and_checkpoint
from .session import session

Place = Union[str, Path]
Image = Union[str, Path, np.ndarray]


def predict(
    model: Union[Place, Run],
    images: Union[Image, Sequence[Image]],
    checkpoint: Optional[Place] = None,
    *,
    device: Optional[str] = None,
    out_dir: Optional[Place] = None,
    trust: bool = False,
) -> List[Dict[str, Any]]:
    """Let the inferencer of mmpretrain, mmdet or mmseg look at images.

    Args:
        model (str | Path | Run): A run, its folder, a published folder, or a
            config.
        images (str | Path | ndarray | Sequence): One or several, files or
            pixels of shape (height, width, 3), 0 to 255, BGR.
        checkpoint (str | Path, optional): Defaults to the run's last one.
        device (str, optional): Such as 'cuda:1'. Defaults to what is there.
        out_dir (str | Path, optional): Where to save drawn predictions.
        trust (bool): Whether files may run the code that they contain.
            Defaults to False.

    Returns:
        list[dict]: One an image, as the library's inferencer gives it:
        ``pred_class`` and ``pred_score`` of a classifier; ``bboxes``,
        ``labels`` and ``scores`` of a detector; of a segmentor ``map``, the
        classes of the pixels, of shape (height, width).

    Raises:
        UsageError: If there is no trained model, no such image, or no
            inferencer for its task.
    """
    config, checkpoint = config_and_checkpoint(model, checkpoint)
    if isinstance(images, (str, Path, np.ndarray)):
        images = [images]
    images = [str(i) if isinstance(i, Path) else i for i in images]
    for image in images:
        if isinstance(image, str) and not Path(image).is_file():
            raise UsageError(f'there is no image {image}.')
    with session(trust):
        cfg = read_config(config)
        # The weights come from the checkpoint alone.
        cfg.load_from = None
        backbone = cfg.model.get('backbone')
        if isinstance(backbone, dict):
            backbone.pop('init_cfg', None)
        look = INFERENCERS.get(cfg.get('default_scope'))
        if look is None:
            raise UsageError(
                f'{config} has no default_scope of {", ".join(INFERENCERS)}: '
                'there is no inferencer for it.'
            )
        drawn = '' if out_dir is None else str(out_dir)
        weights = f'{SCHEME}{checkpoint}'
        return look(cfg, weights, images, device, drawn)


def _classify(
    cfg: Config, weights: str, images: List[Any], device: str, out_dir: str
) -> List[Dict[str, Any]]:
    from mmpretrain import ImageClassificationInferencer

    inferencer = ImageClassificationInferencer(cfg, weights, device)
    return inferencer(images, show_dir=out_dir or None)


def _detect(
    cfg: Config, weights: str, images: List[Any], device: str, out_dir: str
) -> List[Dict[str, Any]]:
    from mmdet.apis import DetInferencer

    # The training's would also write where its curves are.
    cfg.visualizer = dict(type='DetLocalVisualizer')
    inferencer = DetInferencer(cfg, weights, device, show_progress=False)
    options = dict(out_dir=out_dir, no_save_pred=True)
    return inferencer(images, **options)['predictions']


def _segment(
    cfg: Config, weights: str, images: List[Any], device: str, out_dir: str
) -> List[Dict[str, Any]]:
    from mmseg.apis import MMSegInferencer

    cfg.visualizer = dict(type='SegLocalVisualizer')
    inferencer = MMSegInferencer(cfg, weights, device=device)
    inferencer.show_progress = False
    maps = inferencer(images, out_dir=out_dir)['predictions']
    # One image alone comes without a list.
    maps = [maps] if len(images) == 1 else maps
    return [dict(map=np.asarray(one)) for one in maps]


INFERENCERS = dict(mmpretrain=_classify, mmdet=_detect, mmseg=_segment)
