"""Predictions of a trained model."""

import tempfile
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np
from mmengine.config import Config
from PIL import Image as Pictures
from PIL import ImageOps

from mmdrloc.checkpoints.starts import SCHEME
from mmdrloc.datasets.folders.parts import is_image
from mmdrloc.datasets.recipes import read_config
from mmdrloc.reporting.html import write_page
from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.paths import Place
from .run import Run, config_and_checkpoint
from .running import session

Image = Union[str, Path, np.ndarray]
# Results, class names, and pictures: paths, or pixels that may be drawn on.
Seen = Tuple[List[Dict[str, Any]], Sequence[str], List[Any]]
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

    ``model`` is a run, a published folder or a config; images are files,
    folders of them, or pixels of shape (height, width, 3), 0 to 255, BGR.
    ``out`` is an .html page to write; drawn pictures go to ``out_dir``.

    Returns:
        list[Prediction]: One an image, as the library's inferencer gives it:
        ``pred_class`` and ``pred_score`` of a classifier; ``bboxes``,
        ``labels`` and ``scores`` of a detector; of a segmentor ``map``, the
        classes of the pixels, of shape (height, width). Added are ``image``
        and ``classes``.

    Raises:
        UsageError: If there is no trained model, no such image, or no
            inferencer for its task.
    """
    if out is not None and Path(out).suffix != '.html':
        raise UsageError(f'--out {out} must end with .html.')
    config, checkpoint = config_and_checkpoint(model, checkpoint)
    if isinstance(images, (str, Path, np.ndarray)):
        images = [images]
    found = [file for image in images for file in _files(image)]
    with session(trust):
        cfg = read_config(config)
        # Only the checkpoint gives weights.
        cfg.load_from = None
        backbone = cfg.model.get('backbone')
        if isinstance(backbone, dict):
            backbone.pop('init_cfg', None)
        look = INFERENCERS.get(cfg.get('default_scope'))
        if look is None:
            raise UsageError(
                f'{config} has no default_scope of {", ".join(INFERENCERS)}: '
                'there is no inferencer for it.'
            )
        drawn = '' if out_dir is None else str(out_dir)
        with redirect_stdout(StringIO()):  # MMEngine prints what it loads
            results, names, pictures = look(
                cfg, f'{SCHEME}{checkpoint}', found, device, drawn
            )
        seen = [
            Prediction(result, image=image, classes=_classes(result, names))
            for image, result in zip(found, results)
        ]
        if out is not None:
            _write_page(seen, pictures, Path(out), f'What {model} sees')
    return seen


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


def _classify(
    cfg: Config, weights: str, images: List[Any], device: str, out_dir: str
) -> Seen:
    from mmpretrain import ImageClassificationInferencer

    inferencer = ImageClassificationInferencer(cfg, weights, device)
    results = inferencer(images, show_dir=out_dir or None)
    pictures = [  # pixels are BGR
        image[..., ::-1] if isinstance(image, np.ndarray) else image
        for image in images
    ]
    return results, inferencer.classes or (), pictures


def _detect(
    cfg: Config, weights: str, images: List[Any], device: str, out_dir: str
) -> Seen:
    from mmdet.apis import DetInferencer

    # The config's own would also write files of curves.
    cfg.visualizer = dict(type='DetLocalVisualizer')
    inferencer = DetInferencer(cfg, weights, device, show_progress=False)
    found = inferencer(
        images, out_dir=out_dir, no_save_pred=True, return_vis=True
    )
    classes = inferencer.model.dataset_meta['classes']
    return found['predictions'], classes, found['visualization']


def _segment(
    cfg: Config, weights: str, images: List[Any], device: str, out_dir: str
) -> Seen:
    from mmseg.apis import MMSegInferencer

    cfg.visualizer = dict(type='SegLocalVisualizer')
    inferencer = MMSegInferencer(cfg, weights, device=device)
    inferencer.show_progress = False
    found = inferencer(images, out_dir=out_dir, return_vis=True)
    maps, drawn = found['predictions'], found['visualization']
    # One image alone comes without a list.
    if len(images) == 1:
        maps, drawn = [maps], [drawn]
    classes = inferencer.model.dataset_meta['classes']
    return [dict(map=np.asarray(one)) for one in maps], classes, drawn


INFERENCERS = dict(mmpretrain=_classify, mmdet=_detect, mmseg=_segment)
