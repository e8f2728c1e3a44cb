"""A classifier as an ONNX file."""

import json
import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Dict, Optional, Tuple, Union

import torch
from mmengine.config import Config
from mmengine.utils import digit_version
from torch import Tensor, nn

from mmdrloc.checkpoints.reading import load_checkpoint, weights_of
from mmdrloc.utils.errors import UsageError, first_line
from mmdrloc.utils.files import atomic_path
from .plain import kind_of, load_plain, size_of, steps_of

INPUT, OUTPUT = 'images', 'logits'
# Of float32 arithmetic in another order.
TOLERANCE = dict(rtol=1e-3, atol=1e-4)


class NormalizedModel(nn.Module):
    """From pixels to logits: what the ONNX file computes.

    Args:
        model (nn.Module): mmpretrain's classifier in evaluation mode.
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
            Tensor: (B, K) logits.
        """
        preprocessor = self.model.data_preprocessor
        if hasattr(preprocessor, 'mean'):  # not every config normalises
            images = (images - preprocessor.mean) / preprocessor.std
        return self.model(images, mode='tensor')


def export_onnx(
    cfg: Config,
    checkpoint: Union[str, Path],
    path: Union[str, Path],
    size: Optional[Tuple[int, int]] = None,
) -> float:
    """Write a classifier as an ONNX file, for one shape.

    The file's metadata say how an image is prepared (``steps``), the order
    of the ``channels`` and the names of the ``classes``.

    Args:
        cfg (Config): The config of the training.
        checkpoint (str | Path): A checkpoint of that training; its DRLoc
            head stays behind.
        path (str | Path): The file to be written.
        size (tuple[int, int], optional): Height and width of the images.
            Defaults to None: what the steps of the test give.

    Returns:
        float: Greatest difference between the logits of both for random
        images.

    Raises:
        UsageError: If onnx or onnxruntime is missing, the checkpoint is
            another model's, that is no classifier or has a part that ONNX
            does not have, the size is not known, or the outputs differ.
    """
    if not (find_spec('onnx') and find_spec('onnxruntime')):
        raise UsageError(
            'the export needs two more packages: `pip install onnx '
            'onnxruntime`.'
        )
    import onnx

    loaded = load_checkpoint(checkpoint)
    weights = weights_of(loaded, checkpoint)
    plain, classifier = load_plain(cfg, weights, checkpoint)
    if kind_of(classifier, cfg).library != 'mmpretrain':
        raise UsageError(
            f'{cfg.filename} is of a {type(classifier).__name__}, and the '
            'export is for classifiers: MMDeploy exports other models, which '
            'tools/publish.py writes for it.'
        )
    steps = steps_of(cfg)
    size = size or size_of(steps)
    if size is None:
        raise UsageError(
            f'the test of {cfg.filename} does not bring images to one size, '
            'which an ONNX file has: give --size HEIGHT WIDTH.'
        )
    model = NormalizedModel(classifier).eval()
    generator = torch.Generator().manual_seed(0)
    images = torch.rand((1, 3, *size), generator=generator) * 255
    meta = loaded.get('meta', {}).get('dataset_meta') or {}
    is_rgb = (plain.get('data_preprocessor') or {}).get('to_rgb')
    said = dict(
        classes=json.dumps(list(meta.get('classes') or ())),
        channels='RGB' if is_rgb else 'BGR',
    )
    if steps is not None:
        said['steps'] = json.dumps(steps)
    with atomic_path(path) as temporary:
        _write(model, images, temporary)
        written = onnx.load(temporary)
        onnx.helper.set_model_props(written, said)
        onnx.save(written, temporary)
        with torch.no_grad():
            return _compare(temporary, images, model(images))


def _write(model: NormalizedModel, images: Tensor, path: Path) -> None:
    # All supported versions of torch can trace; the newer exporter needs
    # further libraries.
    options: Dict[str, Any] = dict(
        input_names=[INPUT], output_names=[OUTPUT], opset_version=17
    )
    if digit_version(torch.__version__) >= digit_version('2.5.0'):
        options['dynamo'] = False
    try:
        with warnings.catch_warnings():
            # Of what depends on the shape, which is one here.
            warnings.simplefilter('ignore', torch.jit.TracerWarning)
            torch.onnx.export(model, (images,), str(path), **options)
    except torch.onnx.errors.OnnxExporterError as error:
        raise UsageError(
            f'ONNX lacks a part of this {type(model.model).__name__}: '
            f'{first_line(error)}. MMDeploy rewrites such models.'
        ) from error


def _compare(path: Path, images: Tensor, expected: Tensor) -> float:
    """Run an ONNX file on the same images; how far the logits differ."""
    import onnxruntime

    session = onnxruntime.InferenceSession(
        str(path), providers=['CPUExecutionProvider']
    )
    (logits,) = map(
        torch.from_numpy, session.run(None, {INPUT: images.numpy()})
    )
    difference = float((logits - expected).abs().max())
    if not torch.allclose(logits, expected, **TOLERANCE):
        raise UsageError(
            f'the ONNX file gives other logits, by up to {difference:g}: it '
            'was not written.'
        )
    return difference
