"""The kinds of model that are published; how each is opened."""

from typing import NamedTuple

from mmengine.config import Config
from torch import nn

from mmdrloc.utils.errors import UsageError


class Kind(NamedTuple):
    """A kind of model.

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

    Args:
        model (nn.Module): The model.
        cfg (Config): Its config, for the message.

    Returns:
        Kind: Of the model.

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
