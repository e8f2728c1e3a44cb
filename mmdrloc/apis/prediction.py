"""Predictions of a trained model."""

import tempfile
from collections import Counter
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple, Union

import numpy as np
from mmengine.config import Config
from PIL import Image as Pictures
from PIL import ImageOps

from mmdrloc.checkpoints.starts import SCHEME
from mmdrloc.datasets.folders.parts import is_image
from mmdrloc.datasets.recipes import read_config
from mmdrloc.reporting.html import embedded, write_page
from mmdrloc.utils.errors import UsageError
from .run import Run, config_and_checkpoint
from .running import session

Place = Union[str, Path]
Image = Union[str, Path, np.ndarray]
# Results, the classes' names, and pictures with what was detected in them.
Seen = Tuple[List[Dict[str, Any]], Sequence[str], Optional[List[np.ndarray]]]
# Below this score a detection is not told; mmdet draws it from here on.
SCORE = 0.3
# What a line and a page say of one photo, and pixels on the page.
MOST, SIDE = 5, 320


class Prediction(dict):
    """What a library's inferencer gives, and what it means.

    ``image`` is the file; ``classes`` has names and fractions, the greatest
    first: probabilities of a classifier, areas of a segmentor, the best score
    of each class of a detector.
    """

    def __str__(self) -> str:
        """One line, with percentages."""
        told = [f'{name} {percent}' for name, percent in self.percentages()]
        return f'{self["image"]}: {", ".join(told) or "nothing found"}'

    def percentages(self) -> Iterator[Tuple[str, str]]:
        """The first classes, as people read them."""
        for name, value in [*self['classes'].items()][:MOST]:
            count = self['counts'].get(name, 1) if 'counts' in self else 1
            times = f' ({count} times)' if count > 1 else ''
            yield f'{name}{times}', f'{100 * value:.1f} %'


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
    """Predict images with a trained model.

    The inferencer of mmpretrain, mmdet or mmseg looks at them.

    Args:
        model (str | Path | Run): A run, its folder, a published folder, or a
            config.
        images (str | Path | ndarray | Sequence): Photos, or folders of
            them; in Python also pixels of shape (height, width, 3), 0 to
            255, BGR.
        checkpoint (str | Path, optional): Defaults to the run's last one.
        device (str, optional): Such as 'cuda:1'. Defaults to what is there.
        out (str | Path, optional): An .html page to write, of the photos and
            what is seen on them.
        out_dir (str | Path, optional): Where to save drawn predictions.
        trust (bool): Whether to let files run the code that they contain.
            Defaults to False.

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
        # The weights come from the checkpoint alone.
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
        with redirect_stdout(StringIO()):  # MMEngine says what it reads
            results, classes, pictures = look(
                cfg, f'{SCHEME}{checkpoint}', found, device, drawn
            )
        seen = [
            Prediction(result, image=image, **_classes(result, classes))
            for image, result in zip(found, results)
        ]
        if out is not None:
            _write_page(seen, pictures, Path(out), str(model))
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


def _classes(result: Dict[str, Any], names: Sequence[str]) -> Dict[str, Any]:
    """Names and fractions, the greatest first, of any inferencer's result."""
    if 'map' in result:
        pixels = result['map']
        labels, areas = np.unique(pixels, return_counts=True)
        found = dict(zip(labels.tolist(), (areas / pixels.size).tolist()))
    elif 'pred_scores' in result:
        found = dict(enumerate(result['pred_scores'].tolist()))
    else:
        pairs = [*zip(result['labels'], result['scores'])]
        kept = [(label, score) for label, score in pairs if score >= SCORE]
        # They come with the highest score first.
        found = dict(reversed(kept))
        counts = Counter(names[label] for label, _ in kept)
        return dict(classes=_sorted(found, names), counts=counts)
    return dict(classes=_sorted(found, names))


def _sorted(found: Dict[int, float], names: Sequence[str]) -> Dict[str, float]:
    order = sorted(found, key=lambda label: -found[label])
    return {names[i] if i < len(names) else str(i): found[i] for i in order}


def _write_page(
    seen: List[Prediction],
    pictures: Optional[List[np.ndarray]],
    out: Path,
    model: str,
) -> None:
    text = [f'# What `{model}` sees']
    with tempfile.TemporaryDirectory() as folder:
        for number, one in enumerate(seen):
            source = pictures[number] if pictures else one['image']
            file = Path(folder, f'{number}.png')
            _save(source, file)
            rows = [f'| {n} | {p} |' for n, p in one.percentages()]
            name = one['image'] if isinstance(one['image'], str) else number
            text += [
                f'![photo]({embedded(file)})',
                f'`{name}`',
                '\n'.join(['| class | |', '|---|--:|', *rows]),
            ]
    write_page('\n\n'.join(text), out, f'What {model} sees')


def _save(source: Image, file: Path) -> None:
    """Save a photo upright and of a size that shows something."""
    if isinstance(source, np.ndarray):
        picture = Pictures.fromarray(source)
    else:
        with Pictures.open(source) as opened:
            picture = ImageOps.exif_transpose(opened).convert('RGB')
    ImageOps.contain(picture, (2 * SIDE, SIDE)).save(file)


def _classify(
    cfg: Config, weights: str, images: List[Any], device: str, out_dir: str
) -> Seen:
    from mmpretrain import ImageClassificationInferencer

    inferencer = ImageClassificationInferencer(cfg, weights, device)
    results = inferencer(images, show_dir=out_dir or None)
    return results, inferencer.classes or (), None


def _detect(
    cfg: Config, weights: str, images: List[Any], device: str, out_dir: str
) -> Seen:
    from mmdet.apis import DetInferencer

    # The training's would also write where its curves are.
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
