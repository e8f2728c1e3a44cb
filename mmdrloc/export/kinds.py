"""The kinds of model that are published; how each is opened."""

from dataclasses import dataclass

from mmengine.config import Config
from torch import nn

from mmdrloc.utils.errors import UsageError


@dataclass(frozen=True)
class Kind:
    """A kind of model.

    Attributes:
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
from safetensors.torch import load_file

model = get_model('config.py')
model.load_state_dict(load_file('model.safetensors'))
model._dataset_meta = model._config.dataset_meta  # names of the classes
print(ImageClassificationInferencer(model)('photo.jpg')[0])
""",
    ),
    BaseDetector=Kind(
        'mmdet',
        'object-detection',
        'CocoDataset',
        'DetLocalVisualizer',
        """\
from mmdet.apis import inference_detector, init_detector
from safetensors.torch import load_file

model = init_detector('config.py', device='cpu')
model.load_state_dict(load_file('model.safetensors'))
model.dataset_meta.update(model.cfg.dataset_meta)  # names of the classes
print(inference_detector(model, 'photo.jpg').pred_instances)
""",
    ),
    BaseSegmentor=Kind(
        'mmseg',
        'image-segmentation',
        'BaseSegDataset',
        'SegLocalVisualizer',
        """\
from mmseg.apis import inference_model, init_model
from safetensors.torch import load_file

model = init_model('config.py', device='cpu')
model.load_state_dict(load_file('model.safetensors'))
model.dataset_meta = model.cfg.dataset_meta  # names of the classes
print(inference_model(model, 'photo.jpg').pred_sem_seg)
""",
    ),
)


def kind_of(model: nn.Module, cfg: Config) -> Kind:
    """Which kind a model is of.

    Args:
        model (nn.Module): The model.
        cfg (Config): Its config, for the message.

    Returns:
        Kind: By what it inherits from.

    Raises:
        UsageError: If it is of none.
    """
    names = (base.__name__ for base in type(model).__mro__)
    found = next((KINDS[name] for name in names if name in KINDS), None)
    if found is None:
        raise UsageError(
            f'{cfg.filename} is of a {type(model).__name__}, and published '
            'are classifiers, detectors and segmentors: take its backbone '
            'with tools/transfer.py.'
        )
    return found
