"""Predictions of a trained model."""

import os
from collections import Counter
from contextlib import redirect_stdout
from copy import deepcopy
from io import StringIO
from itertools import count
from pathlib import Path
from typing import (
    Any,
    Callable,
    Dict,
    Iterable,
    List,
    Optional,
    Sequence,
    Tuple,
    Union,
)

import mmcv
import numpy as np
from mmengine.config import Config
from mmengine.device import get_device
from torch import nn

from mmdrloc.checkpoints.load import load_trained
from mmdrloc.datasets.folders.splits import files_in, images_in, is_image
from mmdrloc.datasets.recipes import read_config
from mmdrloc.export.plain import (
    in_memory,
    known_labels,
    steps_of_test,
    task_of,
)
from mmdrloc.utils.console import ProgressLine
from mmdrloc.utils.errors import UsageError, cause, counted, few, mention
from mmdrloc.utils.files import check_writable
from mmdrloc.utils.images import problem_with
from mmdrloc.utils.paths import Place
from .prediction_page import thumbnail, write_gallery, write_table
from .run import Run, config_and_checkpoint
from .running import session

Image = Union[str, Path, np.ndarray]
# An image and a folder for its drawing, if any; the library's result, and a
# picture: a path, or pixels.
Look = Callable[[Any, str], Tuple[Dict[str, Any], Any]]
# Detections below this score are left out, as in mmdet's pictures.
SCORE = 0.3
# How many classes are told of an image.
MOST = 5


class Prediction(dict):
    """What a library's inferencer returns, with some keys more.

    ``image`` is the file, or the pixels. ``classes`` maps names to fractions,
    the greatest first: probabilities of a classifier, areas of a segmentor,
    the best score of each class of a detector. ``truth`` is the class that
    the folder of a classified photo is named after, or None. ``found`` lists
    (class, fraction), and of a detector (class, score, left, top, right,
    bottom) in pixels.
    """

    def __str__(self) -> str:
        """One line, with percentages."""
        told = [
            f'{name} {100 * value:.1f} %'
            for name, value in [*self['classes'].items()][:MOST]
        ]
        return f'{self.name}: {", ".join(told) or "nothing found"}'

    @property
    def name(self) -> str:
        """The file."""
        image = self['image']
        return image if isinstance(image, str) else 'pixels'


def predict(
    model: Union[Place, Run],
    images: Union[Image, Sequence[Image]],
    checkpoint: Optional[Place] = None,
    *,
    device: Optional[str] = None,
    out: Optional[Place] = None,
    show_dir: Optional[Place] = None,
    trust: bool = False,
) -> List[Prediction]:
    """Predict images with the inferencer of mmpretrain, mmdet or mmseg.

    Files that cannot be read or predicted are named on the console and left
    out.

    Args:
        model (str | Path | Run): A run, a published folder, or the config of
            a ``checkpoint``.
        images (str | Path | np.ndarray | list): Files, folders of them, or
            pixels, uint8 of shape (height, width, 3), BGR.
        checkpoint (str | Path, optional): Defaults to None: that of the
            model.
        device (str, optional): Such as 'cuda:1'. Defaults to None: what is
            there.
        out (str | Path, optional): An .html page to write, or a .csv table
            of the classes, the boxes or the areas.
        show_dir (str | Path, optional): A folder for drawn pictures.
        trust (bool): Whether files may run code. Defaults to False.

    Returns:
        list[Prediction]: One an image, as the library's inferencer gives it:
        ``pred_class`` and ``pred_score`` of a classifier; ``bboxes``,
        ``labels`` and ``scores`` of a detector; of a segmentor ``map``, the
        classes of the pixels, of shape (height, width).

    Raises:
        UsageError: If there is no trained model, no image that can be read,
            no steps that prepare an image, the checkpoint does not fit, or
            the scores of its classes are not finite.
    """
    if out is not None and Path(out).suffix not in ('.html', '.csv'):
        raise UsageError(f'--out {out} must end with .html or .csv.')
    show_dir = show_dir and os.path.expanduser(show_dir)
    config, checkpoint = config_and_checkpoint(model, checkpoint)
    files, left_out = _found(images, show_dir)
    if out is not None:
        check_writable(out)
    with session(trust):
        cfg = read_config(config)
        trained = load_trained(cfg, checkpoint)
        library = task_of(trained.model, cfg).library
        inferencer = _classify if library == 'mmpretrain' else _find
        labels = labels_of(cfg, trained.meta)
        device = device or get_device()
        try:
            network = trained.model.to(device)
        except (AssertionError, RuntimeError) as error:
            raise UsageError(
                f'device {device} cannot be used ({cause(error)}): name '
                'another by --device, such as cpu.'
            ) from error
        network.dataset_meta = labels  # where mmdet and mmseg look
        with redirect_stdout(StringIO()):
            look = inferencer(cfg, network, labels)
        seen, pictures, line = [], [], ProgressLine()
        is_page = str(out).endswith('.html')
        for image, place in zip(files, _places(files, show_dir)):
            is_file = isinstance(image, str)
            problem = problem_with(image) if is_file else None
            try:
                if not problem:
                    # MMEngine prints progress bars.
                    with redirect_stdout(StringIO()):
                        result, picture = look(image, place)
            except Exception as error:  # as for a size that it cannot have
                if not is_file:
                    raise
                problem = f'{image} cannot be predicted ({cause(error)})'
            if problem:
                line.close()
                left_out.append(problem)
                mention(f'left out: {problem}.')
                continue
            seen.append(_prediction(result, image, labels['classes']))
            if is_page:
                pictures.append(thumbnail(picture))
            if line.is_due():
                line.show(f'{len(seen)} of {len(files)} images')
        line.close()
    if not seen:
        raise UsageError(f'nothing was predicted: {"; ".join(left_out[:5])}.')
    if out is not None and is_page:
        title = f'Predictions of {getattr(model, "folder", model)}'
        write_gallery(seen, pictures, left_out, Path(out), title)
    elif out is not None:
        write_table(seen, Path(out))
    return seen


def _found(
    images: Any, show_dir: Optional[Place]
) -> Tuple[List[Any], List[str]]:
    """Images and those of folders; what else there is in folders."""
    is_one = isinstance(images, (str, Path, np.ndarray))
    if is_one or not isinstance(images, Iterable):
        images = [images]
    found: List[Any] = []
    left_out: List[str] = []
    for image in images:
        if isinstance(image, np.ndarray):
            fits = image.dtype == np.uint8 and image.shape[2:] == (3,)
            if not (fits and image.size):
                raise UsageError(
                    f'pixels are uint8 of shape (height, width, 3), BGR, not '
                    f'{image.dtype} of shape {image.shape}.'
                )
            found.append(image)
            continue
        if not isinstance(image, (str, Path)):
            raise UsageError(
                'an image is a file, a folder, or pixels in a numpy.ndarray, '
                f'BGR, not {type(image).__name__}.'
            )
        path = Path(image).expanduser()
        if path.is_file():
            found.append(str(path))
            continue
        drawn = os.path.relpath(show_dir or os.devnull, path)
        if drawn == os.curdir:
            raise UsageError(
                f'{path} has the images: draw into another folder.'
            )
        # Earlier drawings are no images of the folder around them.
        names = images_in(path)
        inside = [n for n in names if not n.startswith(f'{drawn}/')]
        told = f'in {path}' if path.is_dir() else str(path)
        others = [n for n in files_in(path) if not is_image(n)]
        if others:
            kinds = sorted({Path(n).suffix or n for n in others})
            number = counted(len(others), 'file')
            left_out.append(f'{number} of {few(kinds)} in {path}')
            mention(f'left out: {left_out[-1]}.')
            told += f', only {left_out[-1]}: convert them to .jpg'
        if not inside:
            raise UsageError(f'there is no image {told}.')
        found += [str(path / name) for name in inside]
    if not found:
        raise UsageError('no image was given: give a file or a folder.')
    return found, left_out


def _places(files: Sequence[Any], show_dir: Optional[Place]) -> List[str]:
    """Where each is drawn: files of one name in several folders are apart."""
    if show_dir is None:
        return [''] * len(files)
    parents = [*map(_parent, files)]
    root = os.path.commonpath(parents)
    places = [Path(show_dir, os.path.relpath(p, root)) for p in parents]
    for place in places:
        place.mkdir(parents=True, exist_ok=True)
    return [*map(str, places)]


def _parent(image: Any) -> str:
    """The folder of a file; pixels have none."""
    is_file = isinstance(image, str)
    return os.path.dirname(os.path.abspath(image)) if is_file else os.getcwd()


def labels_of(cfg: Config, meta: Dict[str, Any]) -> Dict[str, Any]:
    """Classes and palette, of the checkpoint or of the data of the config.

    Without a palette, each class gets a colour of its own.
    """
    known = known_labels(cfg, meta)
    classes = tuple(distinct(known.get('classes') or ()))
    colours = np.random.default_rng(0).integers(0, 256, (len(classes), 3))
    palette = known.get('palette') or colours.tolist()
    return dict(classes=classes, palette=palette)


def distinct(names: Sequence[str]) -> List[str]:
    """Names of classes; of equal ones, as ImageNet has, with the number."""
    times = Counter(names)
    return [
        f'{name} ({number})' if times[name] > 1 else name
        for number, name in enumerate(names)
    ]


def _prediction(
    result: Dict[str, Any], image: Any, names: Sequence[str]
) -> Prediction:
    """Add what any inferencer's result says, by the names of the classes."""
    truth, boxes = None, []
    if 'map' in result:
        labels, areas = np.unique(result['map'], return_counts=True)
        values = areas / areas.sum()
    elif 'pred_scores' in result:
        values = result['pred_scores']
        if not np.isfinite(values).all():
            raise UsageError(
                'the scores of the classes are not finite: the training went '
                'wrong. Train again with a lower learning rate.'
            )
        labels = np.arange(len(values))
        folder = os.path.basename(_parent(image))
        if isinstance(image, str) and folder in names:
            truth = folder
    else:
        values = np.array(result['scores'])
        labels = np.array(result['labels'], int)
        boxes = result['bboxes']
    found = []
    for index in np.argsort(-values, kind='stable'):
        if boxes and values[index] < SCORE:
            break
        label = int(labels[index])
        name = names[label] if label < len(names) else str(label)
        place = boxes[index] if boxes else ()
        found.append((name, float(values[index]), *place))
    classes: Dict[str, float] = {}
    for name, value, *_ in found:
        classes.setdefault(name, value)
    return Prediction(
        result, image=image, classes=classes, truth=truth, found=found
    )


def _classify(cfg: Config, network: nn.Module, labels: dict) -> Look:
    from mmpretrain import ImageClassificationInferencer
    from mmpretrain.registry import TRANSFORMS
    from mmpretrain.visualization import UniversalVisualizer

    numbers, visualizer = count(), UniversalVisualizer()
    network._config = cfg = deepcopy(cfg)  # where mmpretrain looks
    steps = steps_of_test(cfg)
    first = dict(type='LoadImageFromFile')
    if in_memory(steps):
        prepare = network.data_preprocessor
        prepare.to_rgb = not prepare.to_rgb
    else:
        first = steps.pop(0)  # `look` loads: the inferencer has one loader
    load = TRANSFORMS.build(first)
    inferencer = ImageClassificationInferencer(
        network, classes=labels['classes'] or None
    )

    def look(image: Any, place: str) -> Tuple[Dict[str, Any], Any]:
        is_file = isinstance(image, str)
        pixels = load(dict(img_path=image))['img'] if is_file else image
        [sample] = inferencer(pixels, return_datasamples=True)
        [result] = inferencer.postprocess([sample], [])
        name = os.path.basename(image) if is_file else str(next(numbers))
        picture = image if is_file else image[..., ::-1]  # RGB
        if place:  # mmpretrain's inferencer gives several images one name
            visualizer.visualize_cls(
                np.ascontiguousarray(mmcv.imread(image)[..., ::-1]),
                sample,
                classes=labels['classes'] or None,
                draw_gt=False,
                out_file=f'{place}/{name}.png',
            )
        return result, picture

    return look


def _find(cfg: Config, network: nn.Module, labels: dict) -> Look:
    """Of mmdet or mmseg, around a network that stands."""
    own: dict = {}
    task = task_of(network, cfg)
    steps_of_test(cfg)  # which the inferencers read
    if task.library == 'mmdet':
        from mmdet.apis import DetInferencer as Kind
    else:
        from mmseg.apis import MMSegInferencer as Kind

        own = labels

    class Ready(Kind):
        def _init_model(self, *_: Any) -> nn.Module:
            network.cfg = cfg
            return network

        def postprocess(self, *args: Any, **kwargs: Any) -> Any:
            # mmseg's label maps have numbers, and overwrite earlier ones.
            kwargs['pred_out_dir'] = ''
            return super().postprocess(*args, **kwargs)

    # MMEngine's inferencers read a name there, its Runner a dict.
    cfg.test_dataloader.pop('collate_fn', None)
    # The config's own would also write files of curves.
    cfg.visualizer = dict(type=f'{task.library}.{task.visualizer}')
    device = str(next(network.parameters()).device)
    inferencer = Ready(cfg, device=device, **own)
    inferencer.show_progress = False

    def look(image: Any, place: str) -> Tuple[Dict[str, Any], Any]:
        found = inferencer([image], out_dir=place, return_vis=True)
        result, picture = found['predictions'], found['visualization']
        if task.library == 'mmdet':
            [result], [picture] = result, picture
        else:  # one image alone comes without a list
            result = dict(map=np.asarray(result))
        is_file = isinstance(image, str)
        return result, picture if is_file else picture[..., ::-1]

    return look
