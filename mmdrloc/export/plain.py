"""A trained model without what training alone needs."""

from copy import deepcopy
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from mmengine.config import Config
from mmengine.model import revert_sync_batchnorm
from mmengine.registry import MODELS, init_default_scope
from torch import Tensor, nn

from mmdrloc.checkpoints.load import load_model
from mmdrloc.models.building import building_from
from mmdrloc.models.host import DRLocHost
from mmdrloc.utils.errors import UsageError


class Kind(NamedTuple):
    """A kind of model that is published.

    Args:
        library (str): Its library, by the name of the import.
        task (str): As the Hub names it.
        dataset (str): The library's class of such data.
        visualizer (str): The library's class for pictures.
        code (str): How its users open what was published.
    """

    library: str
    task: str
    dataset: str
    visualizer: str
    code: str


# By the class that the library's models inherit from.
KINDS = dict(
    BaseClassifier=Kind(
        'mmpretrain',
        'image-classification',
        'CustomDataset',
        'UniversalVisualizer',
        """\
from mmpretrain import ImageClassificationInferencer, get_model

model = get_model('config.py', 'model.pth')
print(ImageClassificationInferencer(model)('photo.jpg')[0])""",
    ),
    BaseDetector=Kind(
        'mmdet',
        'object-detection',
        'CocoDataset',
        'DetLocalVisualizer',
        """\
from mmdet.apis import inference_detector, init_detector

model = init_detector('config.py', 'model.pth', device='cpu')
print(inference_detector(model, 'photo.jpg').pred_instances)""",
    ),
    BaseSegmentor=Kind(
        'mmseg',
        'image-segmentation',
        'BaseSegDataset',
        'SegLocalVisualizer',
        """\
from mmseg.apis import inference_model, init_model

model = init_model('config.py', 'model.pth', device='cpu')
print(inference_model(model, 'photo.jpg').pred_sem_seg)""",
    ),
)


def kind_of(model: nn.Module, cfg: Config) -> Kind:
    """Which kind a model is of, by what it inherits from.

    Raises:
        UsageError: If it is of none.
    """
    for base in type(model).__mro__:
        if base.__name__ in KINDS:
            return KINDS[base.__name__]
    raise UsageError(
        f'{cfg.filename} is of a {type(model).__name__}, and published '
        'are classifiers, detectors and segmentors: take its backbone '
        'with tools/transfer.py.'
    )


def plain_model(cfg: Config) -> Tuple[Dict[str, Any], Optional[str]]:
    """The model of a config without its DRLoc head.

    Args:
        cfg (Config): The config of a training.

    Returns:
        tuple[dict, str | None]: With the library's own class as ``type``,
        without what is for training alone; and the key that the head had,
        if there was one.
    """
    init_default_scope(cfg.get('default_scope', 'mmengine'))
    model = deepcopy(cfg.model)
    if 'data_preprocessor' in cfg:
        model.setdefault('data_preprocessor', deepcopy(cfg.data_preprocessor))
    preprocessor = model.get('data_preprocessor') or {}
    if preprocessor.pop('steps', None) is not None:
        preprocessor.pop('type')  # mmdrloc's own, for its parent's
    # As it is built: a name without a scope is the library's.
    with MODELS.switch_scope_and_registry(model.get('_scope_')) as registry:
        model_class = registry.get(model.type)
    head_name = None
    if issubclass(model_class, DRLocHost):
        head_name = model_class.head_name
        model.pop(head_name)
        library_class = model_class.__bases__[-1]
        library = library_class.__module__.partition('.')[0]
        model.type = f'{library}.{library_class.__name__}'
    for part in (model, *model.values()):
        if isinstance(part, dict):
            part.pop('init_cfg', None)
    return model, head_name


def load_plain(
    cfg: Config, weights: Dict[str, Tensor], source: Union[str, Path]
) -> Tuple[Dict[str, Any], nn.Module]:
    """Build a model without its DRLoc head, and load it.

    Args:
        cfg (Config): The config of the training.
        weights (dict[str, Tensor]): Of that training.
        source (str | Path): Where they come from, for the message.

    Returns:
        tuple[dict, nn.Module]: The config of the model, and the model in
        evaluation mode.

    Raises:
        UsageError: If the model cannot be built, or the weights are
            another's.
    """
    with building_from(cfg):
        plain, head_name = plain_model(cfg)
        # As mmengine does it for one process: SyncBN needs several.
        model = revert_sync_batchnorm(MODELS.build(deepcopy(plain)))
    kept = {
        name: tensor
        for name, tensor in weights.items()
        if head_name is None or not name.startswith(f'{head_name}.')
    }
    load_model(model, kept, source, is_training=False)
    return plain, model.eval()


# ('resize', short side or (width, height), backend, interpolation)
# ('crop', (width, height))
Step = Tuple[Any, ...]


def steps_of(cfg: Config) -> Optional[List[Step]]:
    """How a test prepares an image for a classifier, as plain values.

    Args:
        cfg (Config): Of a training, or a published one.

    Returns:
        list[tuple], optional: ('resize', the length of the short side or
        (width, height), 'cv2' or 'pillow', interpolation) and ('crop',
        (width, height)), from the middle. None if there are other steps.
    """
    dataset = (cfg.get('test_dataloader') or {}).get('dataset') or {}
    steps: List[Step] = []
    for step in dataset.get('pipeline', ()):
        options = {k: v for k, v in step.items() if k != '_scope_'}
        kind = options.pop('type').rpartition('.')[2]
        if kind in ('LoadImage', 'LoadImageFromFile', 'PackInputs'):
            continue
        size = options.pop('crop_size' if kind == 'CenterCrop' else 'scale', 0)
        if isinstance(size, int) and kind != 'ResizeEdge':
            size = (size, size)
        backend = options.pop('backend', 'cv2')
        how = options.pop('interpolation', 'bilinear')
        # The script of docs/deploy.md computes these by itself.
        is_known = backend == 'pillow' or how in ('bilinear', 'bicubic')
        if options.pop('edge', 'short') != 'short' or options:
            return None
        if kind == 'CenterCrop':
            steps.append(('crop', tuple(size)))
        elif kind in ('Resize', 'ResizeEdge') and is_known:
            steps.append(('resize', size, backend, how))
        else:
            return None
    return steps


def size_of(steps: Optional[List[Step]]) -> Optional[Tuple[int, int]]:
    """Height and width after the steps; None if they depend on the image."""
    if not steps or isinstance(steps[-1][1], int):
        return None
    width, height = steps[-1][1]
    return height, width
