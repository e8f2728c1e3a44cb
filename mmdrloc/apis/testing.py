"""Evaluate a checkpoint."""

import os
from collections import Counter
from math import isnan
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

import mmcv
import numpy as np
from mmengine.config import Config
from mmengine.dist import is_main_process
from mmengine.hooks import Hook
from mmengine.registry import VISUALIZERS
from mmengine.runner import Runner
from torch import Tensor

from mmdrloc.checkpoints.reading import load_checkpoint
from mmdrloc.checkpoints.saved import PUBLISHED
from mmdrloc.checkpoints.sources import find_checkpoint
from mmdrloc.datasets.choice import choose
from mmdrloc.datasets.use_dataset import is_pretraining
from mmdrloc.engine.run_folder.folder import RunFolder
from mmdrloc.engine.run_folder.record import Record
from mmdrloc.export.plain import Kind, task_of
from mmdrloc.preflight.building import preflight
from mmdrloc.preflight.data import leaf_datasets
from mmdrloc.preflight.runner import classes_of
from mmdrloc.reporting.figures import draw_confusion
from mmdrloc.reporting.runs import RESULT
from mmdrloc.utils.config_walk import at, kind_of
from mmdrloc.utils.console import quiet
from mmdrloc.utils.distributed import process_rank
from mmdrloc.utils.errors import (
    UsageError,
    counted,
    few,
    mention,
    one_sentence_errors,
)
from mmdrloc.utils.files import check_writable
from mmdrloc.utils.paths import Place
from .prediction import distinct, labels_of
from .run import Run, config_and_checkpoint
from .running import build_runner, load_config, session

CONFUSION = 'confusion_matrix/result'
# Whether a folder's images are tested, or those that are held out.
SPLIT = 'test_dataloader.dataset.split'
# How many classes are printed.
MOST = 100
# Drawn images have this shorter side, so that their text is readable.
SIDE = 384
# Bytes of a name, to which a number is added; file systems take 255.
LONGEST = 200


def test(
    model: Union[Place, Run],
    checkpoint: Optional[Place] = None,
    dataset: Optional[Place] = None,
    work_dir: Optional[Place] = None,
    options: Optional[Mapping[str, Any]] = None,
    *,
    out: Optional[Place] = None,
    show_dir: Optional[Place] = None,
    tta: bool = False,
    trust: bool = False,
    launcher: str = 'none',
) -> Dict[str, Any]:
    """Evaluate a checkpoint.

    Args:
        model (str | Path | Run): A run, or the config of a checkpoint.
        checkpoint (str | Path, optional): Of any known origin. Defaults to
            None: that of the model.
        dataset (str | Path, optional): Other data: a name, a file that
            describes them, or a folder. For a classifier images of some of
            the classes are enough.
        work_dir (str | Path, optional): Where the log goes. Defaults to the
            folder of the run.
        options (Mapping, optional): Settings of the config to change, like
            ``{'test_dataloader.batch_size': 8}``.
        out (str | Path, optional): Where predictions are saved: a .pkl file,
            or for segmentation a folder of label maps.
        show_dir (str | Path, optional): A folder for drawn predictions: of a
            classifier one folder a class, wrong ones first, and the
            confusion matrix. In one process only.
        tta (bool): Whether to use the config's test-time augmentation.
            Defaults to False.
        trust (bool): Whether files may run code. Defaults to False.
        launcher (str): What started the processes: 'none', 'pytorch',
            'slurm' or 'mpi'. Defaults to 'none'.

    Returns:
        dict[str, Any]: The metrics, by the evaluators' names; of a
        classifier also ``confusion_matrix/result``, images of a class (rows)
        by predicted class, and ``accuracy/classwise``, percentages by name.

    Raises:
        UsageError: With all that keeps it from being evaluated.
        Interrupted: By a signal; a ``KeyboardInterrupt``.
    """
    if show_dir and launcher != 'none':  # MMEngine draws in the first alone
        raise UsageError(
            '--show-dir draws in one process: leave --launcher out.'
        )
    out = out and os.path.expanduser(out)
    show_dir = show_dir and os.path.expanduser(show_dir)
    config, checkpoint = config_and_checkpoint(model, checkpoint)
    place = Path(config).parent
    if (place / PUBLISHED).is_file():
        raise UsageError(
            f'{place} is a published model, which names no test data: give a '
            f'recipe that does, and {place / PUBLISHED} as its checkpoint.'
        )
    if work_dir is None and (place / RESULT).is_file():
        work_dir = place  # of the run, which may have been moved
    with session(trust):
        cfg = load_config(
            config,
            dataset,
            options,
            work_dir,
            launcher=launcher,
            classes=_classes_of(checkpoint) if dataset else (),
        )
        cfg.load_from, cfg.resume = str(checkpoint), False
        with one_sentence_errors(cfg.work_dir, process_rank(launcher)):
            if cfg.get('test_cfg') is None and is_pretraining(cfg):
                raise UsageError(
                    f'{config} is of a pre-training ({kind_of(cfg.model)}), '
                    'of which nothing is tested: fine-tune its backbone, '
                    'mmdrloc train RECIPE --weights RUN, and test that.'
                )
            preflight(cfg, ['test'])
            if at(cfg, SPLIT) == 'val' and process_rank(launcher) == 0:
                mention(*_of_held_out(cfg, dataset, RunFolder(place).record))
            if out:
                set_prediction_dump(cfg, str(out))
            if tta:
                set_tta(cfg)
            metrics = evaluators_of(cfg)
            kinds = [kind_of(metric) for metric in metrics]
            for kind, metric in zip(kinds, metrics):
                if kind == 'CocoMetric':
                    metric.setdefault('classwise', True)
            if 'Accuracy' in kinds and 'ConfusionMatrix' not in kinds:
                metrics.append(dict(type='mmpretrain.ConfusionMatrix'))
            cfg.test_evaluator = metrics
            runner = build_runner(cfg)
            if out and cfg.get('default_scope') == 'mmseg':
                check_label_maps(runner.test_dataloader.dataset, out)
            quiet(runner.logger, tables=True)
            if show_dir:
                # Of test-time augmentation the model is within.
                model = getattr(runner.model, 'module', runner.model)
                task = task_of(model, cfg)
                pictures = PicturesHook(cfg, Path(show_dir), task)
                runner.register_hook(pictures)
            found = runner.test()
            if CONFUSION in found:
                counts = found[CONFUSION]
                known = classes_of(runner.test_dataloader.dataset)
                classes = distinct(known or [*map(str, range(len(counts)))])
                found['accuracy/classwise'] = accuracies(counts, classes)
                if is_main_process():
                    print(by_class(counts, classes))
                    if show_dir:
                        rows = dict(zip(classes, counts.numpy()))
                        picture = Path(show_dir, 'confusion_matrix.png')
                        draw_confusion(rows, 'test', picture)
            return found


def _of_held_out(
    cfg: Config, dataset: Optional[Place], record: Record
) -> List[str]:
    """What to know of the part of a folder that is held out."""
    trained, images = record.get('dataset') or '', cfg.run.images
    if dataset and cfg.run.dataset != trained:
        return [f'to test on all of its images: --cfg-options {SPLIT}=all']
    inside = Path(cfg.test_dataloader.dataset.data_root).is_relative_to
    if not (trained and inside(trained)):  # moved, or no run
        return []
    if not dataset:
        data, _ = choose(trained, 'classification')
        images = data['num_train'], data['num_val'], data['data_files']
    if [*images] == record.get('images'):
        return []
    return [
        f'{trained} has other images, or other names of them, than in the '
        'training: which ones are held out depends on the names, so it may '
        'have been trained on some of these.'
    ]


def _classes_of(checkpoint: Place) -> Sequence[str]:
    """The classes that a checkpoint says it was trained with."""
    meta = load_checkpoint(find_checkpoint(checkpoint)).get('meta') or {}
    return (meta.get('dataset_meta') or {}).get('classes') or ()


def accuracies(counts: Tensor, classes: Sequence[str]) -> Dict[str, float]:
    """Percentages of right predictions by class, the lowest first."""
    rates = (100 * counts.diagonal() / counts.sum(1)).tolist()
    pairs = [pair for pair in zip(classes, rates) if not isnan(pair[1])]
    return dict(sorted(pairs, key=lambda pair: pair[1]))


def by_class(counts: Tensor, classes: Sequence[str]) -> str:
    """Accuracy of each class, and what it is most confused with."""
    lines = ['Accuracy by class, the lowest first:']
    rates = accuracies(counts, classes)
    for name, rate in [*rates.items()][:MOST]:
        row = counts[classes.index(name)].clone()
        line = f'  {rate:6.2f} %  of {row.sum():<6}{name}'
        row[classes.index(name)] = 0
        if row.any():
            other = classes[int(row.argmax())]
            times = counted(int(row.max()), 'time')
            line += f', confused with {other} {times}'
        lines.append(line)
    absent = [name for name in classes if name not in rates]
    if absent:
        lines.append(f'  no image of {few(absent)}')
    if len(rates) > MOST:
        more = counted(len(rates) - MOST, 'class')
        lines.append(f'  and {more} with higher accuracy')
    return '\n'.join(lines)


class PicturesHook(Hook):
    """Draws what is predicted in a test into files of their own.

    A classified image goes to the folder of its class, under a name that
    begins with ``0-wrong`` or ``1-right``. Others have folder and name of the
    image, below ``data_root``.
    """

    def __init__(self, cfg: Config, folder: Path, task: Kind) -> None:
        self.cfg, self.folder = cfg, folder
        drawer = f'{task.library}.{task.visualizer}'
        self.visualizer = VISUALIZERS.build(dict(type=drawer, name='pictures'))
        self.drawn = 0

    def before_test(self, runner: Runner) -> None:
        """Take names and colours of the classes."""
        meta = dict(dataset_meta=runner.test_dataloader.dataset.metainfo)
        self.visualizer.dataset_meta = labels_of(self.cfg, meta)
        self.folder.mkdir(parents=True, exist_ok=True)
        if any(self.folder.iterdir()):
            mention(
                f'{self.folder} is not empty: earlier pictures stay beside '
                'the new ones.'
            )

    def after_test_iter(
        self,
        runner: Runner,
        batch_idx: int,
        data_batch: Any = None,
        outputs: Any = None,
    ) -> None:
        """Draw the images of a batch."""
        for number, sample in enumerate(outputs):
            path = sample.get('img_path')
            if path:
                image = mmcv.imread(path, channel_order='rgb')
            else:  # small images are in memory
                image = data_batch['inputs'][number].permute(1, 2, 0).numpy()
                model = getattr(runner.model, 'module', runner.model)
                if model.data_preprocessor.to_rgb:
                    image = np.ascontiguousarray(image[..., ::-1])
            self.drawn += 1
            if 'gt_label' in sample:
                file = self.folder / self._place(sample, path)
                self.visualizer.visualize_cls(
                    image, sample, resize=SIDE, out_file=str(file)
                )
                continue
            # One of several datasets together has none.
            root = getattr(runner.test_dataloader.dataset, 'data_root', '')
            parts = Path(os.path.relpath(path, root or '.')).parts
            inside = [part for part in parts if part != os.pardir]
            file = self.folder.joinpath(*inside)
            self.visualizer.add_datasample(
                path, image, sample, out_file=f'{file}.png'
            )

    def _place(self, sample: Any, path: Optional[str]) -> str:
        """Folder and name of a classified image."""
        names = self.visualizer.dataset_meta['classes']
        labels = sample.gt_label.tolist(), sample.pred_label.tolist()
        folder, answer = (
            ' '.join(names[n] if names else str(n) for n in each).replace(
                os.sep, '_'
            )
            for each in labels
        )
        kind = '1-right' if labels[0] == labels[1] else f'0-wrong_{answer}'
        number = sample.get('sample_idx', self.drawn)
        name = os.fsencode(f'{kind}_{Path(path or "").stem}')[:LONGEST]
        return f'{folder}/{name.decode(errors="ignore")}_{number}.png'


def evaluators_of(cfg: Config) -> List[Dict[str, Any]]:
    """The metrics of a test, as a list of dicts."""
    metrics = cfg.test_evaluator
    return [metrics] if isinstance(metrics, dict) else list(metrics)


def set_tta(cfg: Config) -> None:
    """Test with the config's test-time augmentation."""
    if None in (cfg.get('tta_model'), cfg.get('tta_pipeline')):
        raise UsageError(
            '--tta needs `tta_model` and `tta_pipeline` in the config.'
        )
    if cfg.model.get('roi_head', {}).get('mask_head') is not None:
        raise UsageError(
            'mmdet merges boxes and no masks in --tta: add --cfg-options '
            'model.roi_head.mask_head=None test_evaluator.metric=bbox.'
        )
    for dataset in leaf_datasets(cfg.test_dataloader.dataset):
        dataset.pipeline = cfg.tta_pipeline
    cfg.model = dict(**cfg.tta_model, module=cfg.model)


def check_label_maps(dataset: Any, out: Place) -> None:
    """Refuse images of one name: mmseg's label maps are called like them.

    Where classes.txt leaves values out, their values are told.
    """
    paths = [
        dataset.get_data_info(number)['img_path']
        for number in range(len(dataset))
    ]
    [[name, times]] = Counter(Path(path).stem for path in paths).most_common(1)
    if times > 1:
        raise UsageError(
            f'--out: {times} images are called {name}, and their label maps '
            'would be one file: leave --out away, or rename them.'
        )
    # A RenumberedSegDataset has them.
    if hasattr(dataset, 'labels') and is_main_process():
        names = few(dataset.metainfo['classes'], 12)
        mention(
            f'the label maps in {out} have the numbers of the classes {names} '
            'from 0, without values that classes.txt ignores.'
        )


def set_prediction_dump(cfg: Config, out: str) -> None:
    """Save label maps into a folder under mmseg, otherwise a pickle."""
    metrics, scope = evaluators_of(cfg), cfg.get('default_scope')
    is_file = out.endswith(('.pkl', '.pickle'))
    if scope == 'mmseg':
        if is_file:
            raise UsageError(f'--out {out}: of label maps it is a folder.')
        cfg.test_evaluator = [dict(m, output_dir=out) for m in metrics]
        return
    if not is_file:
        raise UsageError(f'--out {out} must end with .pkl.')
    check_writable(out)
    kind = 'DumpDetResults' if scope == 'mmdet' else 'DumpResults'
    cfg.test_evaluator = [*metrics, dict(type=kind, out_file_path=out)]
