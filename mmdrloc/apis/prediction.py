"""Predictions of a trained model."""

import tempfile
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np
from mmengine.config import Config
from mmengine.device import get_device
from mmengine.registry import DATASETS
from PIL import Image as Pictures
from PIL import ImageOps
from torch import nn

from mmdrloc.checkpoints.load import load_trained
from mmdrloc.datasets.folders.parts import is_image
from mmdrloc.datasets.recipes import read_config
from mmdrloc.reporting.html import write_page
from mmdrloc.utils.config_walk import at, class_of
from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.paths import Place
from .run import Run, config_and_checkpoint
from .running import session

Image = Union[str, Path, np.ndarray]
# Results, and pictures: paths, or pixels that may be drawn on.
Seen = Tuple[List[Dict[str, Any]], List[Any]]
# Detections below this score are left out, as in mmdet's pictures.
SCORE = 0.3
# Classes that are told of an image, and its height in pixels on a page.
MOST, SIDE = 5, 320


class Prediction(dict):
    """What a library's inferencer returns, with ``image`` and ``classes``.

    ``image`` is the file. ``classes`` maps names to fractions, the greatest
    first: probabilities of a classifier, areas of a segmentor, the best score
    of each class of a detector.
    """

    def __str__(self) -> str:
        """One line, with percentages."""
        told = [
            f'{name} {100 * value:.1f} %'
            for name, value in [*self['classes'].items()][:MOST]
        ]
        return f'{self["image"]}: {", ".join(told) or "nothing found"}'


def predict(
    model: Union[Place, Run],
    images: Union[Image, Sequence[Image]],
    checkpoint: Optional[Place] = None,
    *,
    device: Optional[str] = None,
    out: Optional[Place] = None,
    out_dir: Optional[Place] = None,
    trust: bool = False,
) -> List[Prediction]:
    """Predict images with the inferencer of mmpretrain, mmdet or mmseg.

    Args:
        model (str | Path | Run): A run, a published folder, or the config of
            a ``checkpoint``.
        images (str | Path | np.ndarray | list): Files, folders of them, or
            pixels of shape (height, width, 3), 0 to 255, BGR.
        checkpoint (str | Path, optional): Defaults to None: the last one of
            the run.
        device (str, optional): Such as 'cuda:1'. Defaults to None: what is
            there.
        out (str | Path, optional): An .html page to write, of images and
            classes.
        out_dir (str | Path, optional): A folder for drawn pictures.
        trust (bool): Whether files may run code. Defaults to False.

    Returns:
        list[Prediction]: One an image, as the library's inferencer gives it:
        ``pred_class`` and ``pred_score`` of a classifier; ``bboxes``,
        ``labels`` and ``scores`` of a detector; of a segmentor ``map``, the
        classes of the pixels, of shape (height, width). Added are ``image``
        and ``classes``.

    Raises:
        UsageError: If there is no trained model, no such image, no
            inferencer for its task, or the checkpoint does not fit.
    """
    if out is not None and Path(out).suffix != '.html':
        raise UsageError(f'--out {out} must end with .html.')
    config, checkpoint = config_and_checkpoint(model, checkpoint)
    if isinstance(images, (str, Path, np.ndarray)):
        images = [images]
    found = [file for image in images for file in _files(image)]
    with session(trust):
        cfg = read_config(config)
        look = INFERENCERS.get(cfg.get('default_scope'))
        if look is None:
            raise UsageError(
                f'{config} has no default_scope of {", ".join(INFERENCERS)}: '
                'there is no inferencer for it.'
            )
        trained = load_trained(cfg, checkpoint)
        labels = _labels(cfg, trained.meta)
        network = trained.model.to(device or get_device())
        network.dataset_meta = labels  # where mmdet and mmseg look
        drawn = '' if out_dir is None else str(out_dir)
        with redirect_stdout(StringIO()):  # MMEngine's progress bars
            results, pictures = look(cfg, network, labels, found, drawn)
        seen = [
            Prediction(
                result,
                image=image,
                classes=_classes(result, labels['classes']),
            )
            for image, result in zip(found, results)
        ]
        if out is not None:
            _write_page(seen, pictures, Path(out), f'What {model} sees')
    return seen


def _labels(cfg: Config, meta: Dict[str, Any]) -> Dict[str, Any]:
    """Classes and palette, of the checkpoint or of the data of the config.

    Without a palette, each class gets a colour of its own.
    """
    known = meta.get('dataset_meta') or {}
    if not known.get('classes'):
        dataset = at(cfg, 'test_dataloader.dataset') or {}
        kind = class_of(dataset, DATASETS, cfg.get('default_scope'))
        own = dataset.get('metainfo') or {}
        known = {**getattr(kind, 'METAINFO', {}), **own}
    classes = tuple(known.get('classes') or ())
    colours = np.random.default_rng(0).integers(0, 256, (len(classes), 3))
    palette = known.get('palette') or colours.tolist()
    return dict(classes=classes, palette=palette)


def _files(image: Image) -> List[Any]:
    """An image, or those of a folder."""
    if isinstance(image, np.ndarray):
        return [image]
    path = Path(image).expanduser()
    files = [path]
    if path.is_dir():
        inside = sorted(path.rglob('*'))
        files = [file for file in inside if is_image(file.name)]
    if not files or not files[0].is_file():
        raise UsageError(f'there is no image {image}.')
    return [str(file) for file in files]


def _classes(result: Dict[str, Any], names: Sequence[str]) -> Dict[str, float]:
    """Turn any inferencer's result into names and fractions, sorted."""
    if 'map' in result:
        labels, areas = np.unique(result['map'], return_counts=True)
        pairs = [*zip(labels.tolist(), (areas / areas.sum()).tolist())]
    elif 'pred_scores' in result:
        pairs = [*enumerate(result['pred_scores'].tolist())]
    else:
        pairs = [
            (label, score)
            for label, score in zip(result['labels'], result['scores'])
            if score >= SCORE
        ]
    found: Dict[str, float] = {}
    for label, value in sorted(pairs, key=lambda pair: -pair[1]):
        name = names[label] if label < len(names) else str(label)
        found.setdefault(name, value)
    return found


def _write_page(
    seen: List[Prediction], pictures: List[Any], out: Path, title: str
) -> None:
    """Write a page of small pictures with the prediction below each."""
    text, small = [f'# {title}'], {}
    with tempfile.TemporaryDirectory() as folder:
        for number, (one, source) in enumerate(zip(seen, pictures)):
            if isinstance(source, np.ndarray):
                picture = Pictures.fromarray(source)
            else:
                opened = Pictures.open(source)
                picture = ImageOps.exif_transpose(opened).convert('RGB')
            file = Path(folder, f'{number}.png')
            ImageOps.contain(picture, (2 * SIDE, SIDE)).save(file)
            small[str(number)] = file
            text += [f'![image]({number})', f'`{one}`']
        write_page('\n\n'.join(text), out, title, small)


def _around(kind: Any, cfg: Config, network: nn.Module, **options: Any) -> Any:
    """An inferencer of MMEngine's kind around a network that stands."""

    class Ready(kind):
        def _init_model(self, *_: Any) -> nn.Module:
            network.cfg = cfg
            return network

    # MMEngine's inferencers read a name there, its Runner a dict.
    cfg.test_dataloader.pop('collate_fn', None)
    return Ready(cfg, device=str(next(network.parameters()).device), **options)


def _classify(
    cfg: Config, network: nn.Module, labels: dict, images: List[Any], out: str
) -> Seen:
    from mmpretrain import ImageClassificationInferencer

    network._config = cfg  # where mmpretrain's `get_model` puts it
    inferencer = ImageClassificationInferencer(
        network, classes=labels['classes'] or None
    )
    results = inferencer(images, show_dir=out or None)
    pictures = [  # pixels are BGR
        image[..., ::-1] if isinstance(image, np.ndarray) else image
        for image in images
    ]
    return results, pictures


def _detect(
    cfg: Config, network: nn.Module, labels: dict, images: List[Any], out: str
) -> Seen:
    from mmdet.apis import DetInferencer

    # The config's own would also write files of curves.
    cfg.visualizer = dict(type='DetLocalVisualizer')
    inferencer = _around(DetInferencer, cfg, network, show_progress=False)
    found = inferencer(images, out_dir=out, no_save_pred=True, return_vis=True)
    return found['predictions'], found['visualization']


def _segment(
    cfg: Config, network: nn.Module, labels: dict, images: List[Any], out: str
) -> Seen:
    from mmseg.apis import MMSegInferencer

    cfg.visualizer = dict(type='SegLocalVisualizer')
    inferencer = _around(MMSegInferencer, cfg, network, **labels)
    inferencer.show_progress = False
    found = inferencer(images, out_dir=out, return_vis=True)
    maps, drawn = found['predictions'], found['visualization']
    # One image alone comes without a list.
    if len(images) == 1:
        maps, drawn = [maps], [drawn]
    return [dict(map=np.asarray(one)) for one in maps], drawn


INFERENCERS = dict(mmpretrain=_classify, mmdet=_detect, mmseg=_segment)
