"""A classifier or segmentor as an ONNX file."""

import json
import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import torch
from mmengine.config import Config
from mmengine.utils import digit_version
from torch import Tensor, nn

from mmdrloc.checkpoints.reading import load_checkpoint, weights_of
from mmdrloc.utils.errors import UsageError, first_line
from mmdrloc.utils.files import atomic_path
from .kinds import kind_of
from .plain import load_plain
from .pooling import fix_pooling
from .steps import Step, size_of, steps_of

INPUT, OUTPUT = 'images', 'logits'
# Of float32 arithmetic in another order.
TOLERANCE = dict(rtol=1e-3, atol=1e-4)


class NormalizedModel(nn.Module):
    """From pixels to logits: what the ONNX file computes.

    Args:
        model (nn.Module): mmpretrain's classifier or mmseg's segmentor, in
            evaluation mode.
    """

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, images: Tensor) -> Tensor:
        """Normalise as the preprocessor does, then classify.

        Args:
            images (Tensor): (B, 3, height, width), 0 to 255, in RGB if the
                config's preprocessor turns images into it.

        Returns:
            Tensor: Logits, (B, K) of a classifier, (B, K, height, width) of
            a segmentor.
        """
        preprocessor = self.model.data_preprocessor
        if hasattr(preprocessor, 'mean'):  # not every config normalises
            images = (images - preprocessor.mean) / preprocessor.std
        if hasattr(self.model, 'encode_decode'):
            whole = dict(img_shape=tuple(map(int, images.shape[2:])))
            return self.model.encode_decode(images, [whole])
        return self.model(images, mode='tensor')


def export_onnx(
    cfg: Config,
    checkpoint: Union[str, Path],
    path: Union[str, Path],
    size: Optional[Tuple[int, int]] = None,
    batch_size: int = 1,
) -> float:
    """Write a classifier or segmentor as an ONNX file, for one shape.

    The file says how an image is prepared and what its classes are called,
    see :func:`told`.

    Args:
        cfg (Config): The config of the training.
        checkpoint (str | Path): A checkpoint of that training; its DRLoc
            head stays behind.
        path (str | Path): The file to be written.
        size (tuple[int, int], optional): Height and width of the images, to
            which a segmentor's are resized. Defaults to None: what the steps
            of the test give.
        batch_size (int): Images an input. Defaults to 1.

    Returns:
        float: Greatest difference between the logits of both for random
        images.

    Raises:
        UsageError: If onnx or onnxruntime is missing, the checkpoint is
            another model's, that is a detector or has a part that ONNX has no
            word for, the size is not known, or the outputs differ.
    """
    if not (find_spec('onnx') and find_spec('onnxruntime')):
        raise UsageError(
            'the export needs two more packages: `pip install onnx '
            'onnxruntime`.'
        )
    import onnx

    loaded = load_checkpoint(checkpoint)
    weights = weights_of(loaded, checkpoint)
    plain, trained = load_plain(cfg, weights, checkpoint)
    library = kind_of(trained, cfg).library
    if library == 'mmdet':
        raise UsageError(
            f'{cfg.filename} is of a {type(trained).__name__}, and the export '
            'is for classifiers and segmentors: that of detectors is '
            "MMDeploy's part. mmdet 3 asks for `mmdet.core.export`, which is "
            'gone, and mmcv writes RoIAlign as ONNX no longer reads it.'
        )
    steps = steps_of(cfg)
    size = size or size_of(steps)
    if size is None:
        raise UsageError(
            f'the test of {cfg.filename} does not bring images to one size, '
            'which an ONNX file has: give --size HEIGHT WIDTH.'
        )
    model = NormalizedModel(trained).eval()
    images = torch.rand(
        (batch_size, 3, *size), generator=torch.Generator().manual_seed(0)
    ).mul(255)
    with torch.no_grad():
        expected = model(images)
    if library == 'mmseg':
        steps = [('resize', size[::-1], 'cv2', 'bilinear')]
        fix_pooling(trained)
    with atomic_path(path) as temporary:
        _write(model, images, temporary)
        written = onnx.load(temporary)
        meta = loaded.get('meta', {}).get('dataset_meta') or {}
        onnx.helper.set_model_props(
            written, told(steps, plain, meta.get('classes'))
        )
        onnx.save(written, temporary)
        return compare(temporary, images, expected)


def _write(model: NormalizedModel, images: Tensor, path: Path) -> None:
    # Tracing is what all supported versions of torch have; the newer exporter
    # needs further libraries.
    tracing = digit_version(torch.__version__) >= digit_version('2.5.0')
    try:
        with warnings.catch_warnings():
            # Of what depends on the shape, which is one here.
            warnings.simplefilter('ignore', torch.jit.TracerWarning)
            torch.onnx.export(
                model,
                (images,),
                str(path),
                input_names=[INPUT],
                output_names=[OUTPUT],
                opset_version=17,
                **(dict(dynamo=False) if tracing else {}),
            )
    except torch.onnx.errors.OnnxExporterError as error:
        raise UsageError(
            f'a part of this {type(model.model).__name__} has no word in '
            f'ONNX: {first_line(error)}. MMDeploy rewrites such models.'
        ) from error


def told(
    steps: Optional[List[Step]],
    model: Dict[str, Any],
    classes: Optional[Sequence[str]],
) -> Dict[str, str]:
    """What an ONNX file says besides the network, for onnxruntime alone.

    Args:
        steps (list[tuple], optional): How an image is prepared; None if
            they cannot be told.
        model (dict): The config of the model.
        classes (Sequence[str], optional): Their names.

    Returns:
        dict[str, str]: ``classes`` as JSON, the order of the ``channels``,
        'RGB' or 'BGR', and ``steps`` as JSON if they are known.
    """
    said = model.get('data_preprocessor') or {}
    is_rgb = said.get('to_rgb') or said.get('bgr_to_rgb')  # mmseg's
    properties = dict(
        classes=json.dumps(list(classes or ())),
        channels='RGB' if is_rgb else 'BGR',
    )
    if steps is not None:
        properties['steps'] = json.dumps(steps)
    return properties


def compare(path: Path, images: Tensor, expected: Tensor) -> float:
    """Run an ONNX file on the same images.

    Args:
        path (Path): The file.
        images (Tensor): (B, 3, height, width) pixels.
        expected (Tensor): The model's logits.

    Returns:
        float: Greatest difference.

    Raises:
        UsageError: If the logits differ by more than arithmetic explains.
    """
    import onnxruntime

    session = onnxruntime.InferenceSession(
        str(path), providers=['CPUExecutionProvider']
    )
    (logits,) = session.run([OUTPUT], {INPUT: images.numpy()})
    logits = torch.from_numpy(logits)
    difference = float((logits - expected).abs().max())
    if not torch.allclose(logits, expected, **TOLERANCE):
        raise UsageError(
            f'the ONNX file gives other logits, by up to {difference:g}: it '
            'was not written.'
        )
    return difference
