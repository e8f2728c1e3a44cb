"""A classifier as an ONNX file."""

import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import Tuple, Union

import torch
from mmengine.config import Config
from mmengine.utils import digit_version
from torch import Tensor, nn

from mmdrloc.errors import UsageError
from mmdrloc.files import atomic_path
from mmdrloc.reading import load_weights
from .plain import load_plain

INPUT, OUTPUT = 'images', 'logits'
# Of float32 arithmetic in another order.
TOLERANCE = dict(rtol=1e-3, atol=1e-4)


class NormalizedClassifier(nn.Module):
    """From pixels to logits: what the ONNX file computes.

    Args:
        classifier (nn.Module): mmpretrain's, in evaluation mode.
    """

    def __init__(self, classifier: nn.Module) -> None:
        super().__init__()
        self.classifier = classifier

    def forward(self, images: Tensor) -> Tensor:
        """Normalise as the preprocessor does, then classify.

        Args:
            images (Tensor): (B, 3, height, width), 0 to 255, in RGB if the
                config's preprocessor has ``to_rgb``.

        Returns:
            Tensor: (B, K) logits.
        """
        preprocessor = self.classifier.data_preprocessor
        if hasattr(preprocessor, 'mean'):  # not every config normalises
            images = (images - preprocessor.mean) / preprocessor.std
        return self.classifier(images, mode='tensor')


def export_onnx(
    cfg: Config,
    checkpoint: Union[str, Path],
    path: Union[str, Path],
    size: Tuple[int, int],
    batch_size: int = 1,
) -> float:
    """Write a classifier as an ONNX file for inputs of one shape.

    Args:
        cfg (Config): The config of the training.
        checkpoint (str | Path): A checkpoint of that training; its DRLoc
            head stays behind.
        path (str | Path): The file to be written.
        size (tuple[int, int]): Height and width of the images.
        batch_size (int): Images an input. Defaults to 1.

    Returns:
        float: Greatest difference between the logits of both for random
        images.

    Raises:
        UsageError: If onnx or onnxruntime is missing, the checkpoint is
            another model's, or the outputs differ.
    """
    if not (find_spec('onnx') and find_spec('onnxruntime')):
        raise UsageError(
            'the export needs two more packages: `pip install onnx '
            'onnxruntime`.'
        )
    weights = load_weights(checkpoint)
    _, classifier = load_plain(cfg, weights, checkpoint)
    model = NormalizedClassifier(classifier).eval()
    images = torch.rand(
        (batch_size, 3, *size), generator=torch.Generator().manual_seed(0)
    ).mul(255)
    with torch.no_grad():
        expected = model(images)
    # Tracing is what all supported versions of torch have; the newer exporter
    # needs further libraries.
    tracing = digit_version(torch.__version__) >= digit_version('2.5.0')
    with atomic_path(path) as temporary, warnings.catch_warnings():
        # Of what depends on the shape, which is one here.
        warnings.simplefilter('ignore', torch.jit.TracerWarning)
        torch.onnx.export(
            model,
            (images,),
            str(temporary),
            input_names=[INPUT],
            output_names=[OUTPUT],
            opset_version=17,
            **(dict(dynamo=False) if tracing else {}),
        )
        return compare(temporary, images, expected)


def compare(path: Path, images: Tensor, expected: Tensor) -> float:
    """Run an ONNX file on the same images.

    Args:
        path (Path): The file.
        images (Tensor): (B, 3, height, width) pixels.
        expected (Tensor): (B, K) logits of the classifier.

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
