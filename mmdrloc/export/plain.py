"""Load a trained model as its library's own class, without DRLoc head."""

from copy import deepcopy
from pathlib import Path
from typing import (
    Any,
    Callable,
    Dict,
    List,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
)

import numpy as np
import torch
from mmengine.config import Config
from mmengine.dataset import Compose
from mmengine.registry import DATASETS
from torch import Tensor, nn

from mmdrloc.checkpoints.load import load_trained
from mmdrloc.models.building import model_config
from mmdrloc.utils.config_walk import at, class_of, kind_of
from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.paths import Place


class Kind(NamedTuple):
    """A task: library, tag on the Hub, classes of dataset and visualizer."""

    library: str
    task: str
    dataset: str
    visualizer: str


# By the class that the library's models inherit from.
KINDS = dict(
    BaseClassifier=Kind(
        'mmpretrain',
        'image-classification',
        'CustomDataset',
        'UniversalVisualizer',
    ),
    BaseDetector=Kind(
        'mmdet', 'object-detection', 'CocoDataset', 'DetLocalVisualizer'
    ),
    BaseSegmentor=Kind(
        'mmseg', 'image-segmentation', 'BaseSegDataset', 'SegLocalVisualizer'
    ),
)


class Plain(NamedTuple):
    """A model of its library's own class, in evaluation mode.

    ``cfg`` has what the library needs to predict an image, and no path of
    this machine; ``meta`` is that of the checkpoint, a file at ``path``.
    """

    model: nn.Module
    cfg: Config
    kind: Kind
    meta: Dict[str, Any]
    path: Path


def load_plain(cfg: Config, checkpoint: Place) -> Plain:
    """Build and load a trained model without its DRLoc head.

    Raises:
        UsageError: If it cannot be built, the checkpoint cannot be read or
            is another model's, or it is of no task that others open.
    """
    model, meta, path = load_trained(cfg, checkpoint, plain=True)
    kind = task_of(model, cfg)
    return Plain(model, _plain_config(cfg, kind, meta), kind, meta, path)


def task_of(model: nn.Module, cfg: Config) -> Kind:
    """Find the task of a model.

    Raises:
        UsageError: If it has none, as in a pre-training.
    """
    names = [base.__name__ for base in type(model).__mro__]
    kind = next((KINDS[name] for name in names if name in KINDS), None)
    if kind is None:
        raise UsageError(
            f'The model of {cfg.filename} is {names[0]}, and only '
            'classifiers, detectors and segmentors predict: fine-tune its '
            'backbone, mmdrloc train RECIPE --weights RUN.'
        )
    return kind


def _plain_config(cfg: Config, kind: Kind, meta: Dict[str, Any]) -> Config:
    model = model_config(cfg, plain=True)
    steps = deepcopy(steps_of_test(cfg))
    if in_memory(steps):
        steps.insert(0, dict(type='LoadImageFromFile'))
        settings = model.setdefault('data_preprocessor', {})
        settings['to_rgb'] = not settings.get('to_rgb', False)
    elif kind_of(steps[0]) == 'LoadImage':
        steps[0]['type'] = 'LoadImageFromFile'
    steps = [s for s in steps if 'Annotations' not in kind_of(s)]
    if kind.library == 'mmpretrain':
        model.pop('train_cfg', None)  # Mixup and its like
    known = known_labels(cfg, meta)
    names = {k: known[k] for k in ('classes', 'palette') if k in known}
    # The user's own types, some of which the training alone needs.
    own = {}
    if 'custom_imports' in cfg:
        imports = dict(cfg.custom_imports, allow_failed_imports=True)
        own = dict(custom_imports=imports)
    data = dict(type=kind.dataset, metainfo=names, pipeline=steps)
    return Config(
        dict(
            **own,
            default_scope=kind.library,
            dataset_meta=names,
            model=model,
            test_pipeline=steps,
            test_dataloader=dict(batch_size=1, dataset=data),
            visualizer=dict(type=kind.visualizer, name='visualizer'),
        )
    )


def steps_of_test(cfg: Config) -> List[Dict[str, Any]]:
    """The steps that prepare an image for the test.

    Raises:
        UsageError: If the config has none, or several sets have their own.
    """
    steps = at(cfg, 'test_dataloader.dataset.pipeline')
    if not steps:
        raise UsageError(
            f'{cfg.filename} has no test_dataloader.dataset.pipeline, '
            'which says how an image is prepared: give the config of the '
            'training.'
        )
    return steps


def in_memory(steps: Sequence[Dict[str, Any]]) -> bool:
    """Whether a classifier's images are arrays, RGB; of files they are BGR."""
    return 'Load' not in kind_of(steps[0])


def known_labels(cfg: Config, meta: Dict[str, Any]) -> Dict[str, Any]:
    """Classes and palette: of the checkpoint, or of the data of the config."""
    known = meta.get('dataset_meta') or {}
    if not known.get('classes'):
        dataset = at(cfg, 'test_dataloader.dataset') or {}
        kind = class_of(dataset, DATASETS, cfg.get('default_scope'))
        own = dataset.get('metainfo') or {}
        known = {**getattr(kind, 'METAINFO', {}), **own}
    return known


def size_after(steps: List[Dict[str, Any]]) -> Optional[Tuple[int, int]]:
    """Find the size (H, W) that steps give all images; None if it varies."""
    prepare = Compose([s for s in steps if 'Load' not in kind_of(s)])
    sizes = set()
    for shape in ((200, 300), (350, 250)):
        sample = dict(img=np.zeros((*shape, 3), np.uint8), img_shape=shape)
        sizes.add(tuple(prepare(sample)['inputs'].shape[1:]))
    return sizes.pop() if len(sizes) == 1 else None


@torch.no_grad()
def logit_difference(
    ours: Callable, theirs: Callable, images: Tensor, what: str
) -> float:
    """Compute the greatest difference of the logits that two networks give.

    Raises:
        UsageError: If it is more than another order of float32 arithmetic
            explains; ``what`` names ``theirs``.
    """
    logits, others = ours(images), theirs(images)
    greatest = float((logits - others).abs().max())
    if not torch.allclose(logits, others, rtol=1e-3, atol=1e-4):
        raise UsageError(
            f'{what} computes other logits with the same weights, by up to '
            f'{greatest:g}'
        )
    return greatest
