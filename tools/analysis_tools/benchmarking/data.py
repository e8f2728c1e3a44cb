"""The from-scratch pipeline: stock mmpretrain's, ours, and its two halves."""

import tempfile
from pathlib import Path
from typing import Any, Dict, List, Sequence

import cv2
import numpy as np
import torch
from mmengine.config import Config
from mmengine.dataset import default_collate
from mmengine.registry import init_default_scope
from mmpretrain.registry import MODELS, TRANSFORMS

from mmdrloc.apis.moved_steps import parted
from mmdrloc.datasets.faster_augment import FASTER_STEPS
from .outcome import Outcome, Table
from .timing import ratios, spread, time_interleaved

STOCK, OURS = 'stock', 'ours'
# With --augment-on-device: what is left to the loader, and the rest.
LOADER_HALF = 'loader half'
SMALL = 32
MEMORY_SIZE, PHOTO_SIZE = (32, 32), (375, 500)
Sample = Dict[str, Any]


class Pass:
    """Sends samples through a pipeline.

    Args:
        steps (list[dict]): Configs of the transforms.
        samples (list[dict]): What a data set would give.
    """

    def __init__(self, steps: List[dict], samples: List[Sample]) -> None:
        self._transforms = [TRANSFORMS.build(dict(step)) for step in steps]
        self._samples = samples
        self._calls = 0

    def __call__(self) -> List[Sample]:
        """Send each sample once; as often called, as far in the dice."""
        packed = []
        for number, sample in enumerate(self._samples):
            np.random.seed(self._calls * len(self._samples) + number)
            results = dict(sample)
            for transform in self._transforms:
                results = transform(results)
            packed.append(results)
        self._calls += 1
        return packed


class Halves:
    """The pipeline that augments on the device, for the same samples.

    Args:
        steps (list[dict]): Of our pipeline.
        samples (list[dict]): What a data set would give.
        has_one_size (bool): Whether they all have.
        device (torch.device): Of the model.
    """

    def __init__(
        self,
        steps: List[dict],
        samples: List[Sample],
        has_one_size: bool,
        device: torch.device,
    ) -> None:
        *before, pack = steps
        here, there = parted(before, has_one_size)
        draw = dict(type='mmdrloc.DrawSteps', steps=there)
        self.loader = Pass([*here, pack, draw], samples)
        augmenting = dict(type='mmdrloc.AugmentingPreprocessor', steps=there)
        self._preprocessor = MODELS.build(augmenting).to(device)
        batch = default_collate(self.loader())
        self._batch = dict(inputs=batch['inputs'], drawn=batch['drawn'])

    def device(self) -> None:
        """Augment a batch of all samples that the loader has drawn for."""
        self._preprocessor(self._batch, training=True)


def pipeline_of(steps: Sequence[dict], name: str) -> List[dict]:
    """A train pipeline with the ``STOCK`` types where ``OURS`` differ."""
    scope = 'mmpretrain' if name == STOCK else 'mmdrloc'
    pipeline = []
    for step in steps:
        kind = step['type'].rpartition('.')[2]
        if kind in FASTER_STEPS:
            step = dict(step, type=f'{scope}.{kind}')
        pipeline.append(step)
    return pipeline


def compare_pipelines(cfg: Config, num_images: int, rounds: int) -> Outcome:
    """Images a second and core of both pipelines.

    Args:
        cfg (Config): With the ``train_pipeline`` of our classifiers, that
            loads images by ``mmdrloc.LoadImage``.
        num_images (int): In a round, different ones.
        rounds (int): Passes of each that count.

    Returns:
        Outcome: For small images in memory, enlarged and not, and for photos
        in JPEG files.
    """
    init_default_scope('mmpretrain')
    cv2.setNumThreads(0)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    outcome = Outcome(
        'The data pipeline of training from scratch, on one core',
        dict(images_a_round=num_images, rounds=rounds),
    )
    device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
    with tempfile.TemporaryDirectory() as folder:
        small = _in_memory(num_images)
        photos = _as_files(num_images, Path(folder))
        sources = {
            '32 px in memory': (small, cfg.train_pipeline),
            f'32 px in memory, trained at {SMALL} px': (
                small,
                _cropped_to(SMALL, cfg.train_pipeline),
            ),
            '500 x 375 px JPEG': (photos, cfg.train_pipeline),
        }
        for title, (samples, steps) in sources.items():
            ours = pipeline_of(steps, OURS)
            halves = Halves(ours, samples, samples is small, device)
            contenders = {
                STOCK: Pass(pipeline_of(steps, STOCK), samples),
                OURS: Pass(ours, samples),
                LOADER_HALF: halves.loader,
                f'device half ({device})': halves.device,
            }
            seconds = time_interleaved(contenders, rounds, device, title)
            outcome.tables.append(_table(title, seconds, num_images))
    torch.set_num_threads(threads)
    return outcome


def _cropped_to(size: int, steps: Sequence[dict]) -> List[dict]:
    """A pipeline whose crops have another size."""
    return [
        dict(step, scale=size) if 'scale' in step else step for step in steps
    ]


def _table(title: str, seconds: Dict[str, List[float]], count: int) -> Table:
    rows = [
        [
            name,
            spread([count / s for s in values]).text(digits=0),
            ratios(seconds[STOCK], values).text(),
        ]
        for name, values in seconds.items()
    ]
    header = ['pipeline', 'images/s', f'times {STOCK}']
    return Table(title, header, rows, seconds)


def _picture(number: int, height: int, width: int) -> np.ndarray:
    """Soft blobs, which compress about as photos do."""
    noise = np.random.default_rng(number).integers(0, 256, (12, 16, 3))
    pixels, size = noise.astype(np.uint8), (width, height)
    return cv2.resize(pixels, size, interpolation=cv2.INTER_CUBIC)


def _in_memory(count: int) -> List[Sample]:
    pictures = (_picture(number, *MEMORY_SIZE) for number in range(count))
    return [dict(img=picture, gt_label=0) for picture in pictures]


def _as_files(count: int, folder: Path) -> List[Sample]:
    paths = [folder / f'{number}.jpg' for number in range(count)]
    for number, path in enumerate(paths):
        cv2.imwrite(str(path), _picture(number, *PHOTO_SIZE))
    return [dict(img_path=str(path), gt_label=0) for path in paths]
