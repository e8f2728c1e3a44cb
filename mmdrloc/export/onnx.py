"""Export a classifier as an ONNX file."""

import json
import warnings
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, Dict, Optional, Sequence

import torch
from mmengine.config import Config
from mmengine.utils import digit_version
from torch import Tensor, nn
from torch.nn.functional import pad

from mmdrloc.utils.errors import UsageError, first_line
from mmdrloc.utils.files import atomic_path
from mmdrloc.utils.paths import Place
from .plain import load_plain, logit_difference, size_after

INPUT, OUTPUT = 'images', 'logits'


class NormalizedModel(nn.Module):
    """A classifier of mmpretrain that normalises and pads images itself."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, images: Tensor) -> Tensor:
        """Give (B, K) logits of images (B, 3, height, width), 0 to 255."""
        preprocessor = self.model.data_preprocessor
        if hasattr(preprocessor, 'mean'):  # not every config normalises
            images = (images - preprocessor.mean) / preprocessor.std
        divisor = getattr(preprocessor, 'pad_size_divisor', 1)
        if divisor > 1:
            height, width = images.shape[-2:]
            more = (0, -width % divisor, 0, -height % divisor)
            images = pad(images, more, value=preprocessor.pad_value)
        return self.model(images, mode='tensor')


def export_onnx(
    cfg: Config,
    checkpoint: Place,
    path: Place,
    size: Optional[Sequence[int]] = None,
) -> float:
    """Write a classifier as an ONNX file for one image of one size.

    The size is ``size``, (height, width), or that of the test's images. The
    metadata of the file are the ``steps`` that prepare an image, the order of
    the ``channels`` and the names of the ``classes``.

    Returns:
        float: Greatest difference of the logits, for a random image.

    Raises:
        UsageError: If a package is missing, the model is no classifier of
            three colours or cannot be exported, the size is unknown, or the
            logits differ.
    """
    try:
        import onnx
        import onnxruntime
    except ImportError as error:
        raise UsageError(
            'the export needs two more packages: `pip install onnx '
            'onnxruntime`.'
        ) from error
    plain = load_plain(cfg, checkpoint)
    if plain.kind.library != 'mmpretrain':
        raise UsageError(
            f'The model of {cfg.filename} is {type(plain.model).__name__}, '
            'and only classifiers are exported: MMDeploy exports what '
            '`mmdrloc publish` writes.'
        )
    steps = plain.cfg.test_pipeline
    colours = steps[0].get('color_type', 'color')
    if not colours.startswith('color'):
        raise UsageError(
            f'{cfg.filename} reads images with color_type={colours}, and only '
            'models of three colours are exported.'
        )
    size = size or size_after(steps)
    if size is None:
        raise UsageError(
            f'the test of {cfg.filename} does not bring images to one size, '
            'which an ONNX file has: give --size HEIGHT WIDTH.'
        )
    is_rgb = (plain.cfg.model.get('data_preprocessor') or {}).get('to_rgb')
    said = dict(
        classes=json.dumps(list(plain.cfg.dataset_meta.get('classes', ()))),
        channels='RGB' if is_rgb else 'BGR',
        steps=json.dumps(steps, default=str),
    )
    model = NormalizedModel(plain.model).eval()
    generator = torch.Generator().manual_seed(0)
    images = torch.rand((1, 3, *size), generator=generator) * 255
    with atomic_path(path) as temporary:
        _write(model, images, temporary)
        written = onnx.load(temporary)
        onnx.helper.set_model_props(written, said)
        onnx.save(written, temporary)
        session = onnxruntime.InferenceSession(
            str(temporary), providers=['CPUExecutionProvider']
        )

        def classify(images: Tensor) -> Tensor:
            # Of images in memory the config's own says something else.
            preprocessor = plain.model.data_preprocessor
            turns = getattr(preprocessor, 'to_rgb', False)
            given = images.flip(1) if turns else images
            data = preprocessor(dict(inputs=given))
            return plain.model(data['inputs'], mode='tensor')

        def run(images: Tensor) -> Tensor:
            [logits] = session.run(None, {INPUT: images.numpy()})
            return torch.from_numpy(logits)

        return logit_difference(classify, run, images, 'the ONNX file')


def _write(model: NormalizedModel, images: Tensor, path: Path) -> None:
    # The newer exporter needs more libraries than tracing does.
    options: Dict[str, Any] = dict(
        input_names=[INPUT], output_names=[OUTPUT], opset_version=17
    )
    if digit_version(torch.__version__) >= digit_version('2.5.0'):
        options['dynamo'] = False
    try:
        # Of an operator that it lacks torch prints a hundred lines.
        with warnings.catch_warnings(), redirect_stdout(StringIO()):
            # The tracer warns of what depends on the shape, fixed here.
            warnings.simplefilter('ignore', torch.jit.TracerWarning)
            torch.onnx.export(model, (images,), str(path), **options)
    except torch.onnx.errors.OnnxExporterError as error:
        raise UsageError(
            f'this {type(model.model).__name__} cannot be exported: '
            f'{first_line(error)}. MMDeploy rewrites such models.'
        ) from error
