"""Evaluate a checkpoint."""

import os
from math import isnan
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from mmengine.config import Config
from mmengine.dist import is_main_process
from torch import Tensor

from mmdrloc.preflight.building import preflight
from mmdrloc.utils.errors import UsageError, one_sentence_errors
from mmdrloc.utils.paths import Place
from .run import Run, config_and_checkpoint
from .running import build_runner, load_config, session

CONFUSION = 'confusion_matrix/result'
# How many classes are printed.
MOST = 8
# Drawn images have this shorter side, so that their text is readable.
SIDE = 384


def test(
    recipe: Union[Place, Run],
    checkpoint: Optional[Place] = None,
    dataset: Optional[Place] = None,
    work_dir: Optional[Place] = None,
    options: Optional[Mapping[str, Any]] = None,
    *,
    out: Optional[Place] = None,
    show_dir: Optional[Place] = None,
    tta: bool = False,
    partial: bool = False,
    trust: bool = False,
    launcher: str = 'none',
) -> Dict[str, Any]:
    """Evaluate a checkpoint.

    Args:
        recipe (str | Path | Run): A run, a config, or a recipe's name.
        checkpoint (str | Path, optional): Of any known origin. Defaults to
            None: the last one of the run.
        dataset (str | Path, optional): Other data: a name, a file that
            describes them, or a folder.
        work_dir (str | Path, optional): Where the log goes.
        options (Mapping, optional): Settings of the config to change, like
            ``{'test_dataloader.batch_size': 8}``.
        out (str | Path, optional): Where predictions are saved: a .pkl file,
            or for segmentation a folder of label maps.
        show_dir (str | Path, optional): A folder for drawn predictions.
        tta (bool): Whether to use the config's test-time augmentation.
            Defaults to False.
        partial (bool): Whether to take weights of which only a part fits.
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
    config, checkpoint = config_and_checkpoint(recipe, checkpoint)
    with session(trust, tables=True):
        cfg = load_config(
            config,
            dataset,
            options,
            work_dir,
            partial=partial,
            launcher=launcher,
        )
        cfg.load_from, cfg.resume = str(checkpoint), False
        with one_sentence_errors(cfg.work_dir):
            preflight(cfg, ['test'])
            if show_dir:
                set_visualization(cfg, show_dir)
            if out:
                set_prediction_dump(cfg, str(out))
            if tta:
                set_tta(cfg)
            metrics = metrics_of(cfg)
            if any(str(m.get('type')).endswith('Accuracy') for m in metrics):
                metrics.append(dict(type='mmpretrain.ConfusionMatrix'))
            cfg.test_evaluator = metrics
            runner = build_runner(cfg)
            found = runner.test()
            if CONFUSION in found:
                counts = found[CONFUSION]
                known = runner.test_dataloader.dataset.metainfo.get('classes')
                classes = known or [*map(str, range(len(counts)))]
                found['accuracy/classwise'] = accuracies(counts, classes)
                if is_main_process():
                    print(worst_classes(counts, classes))
            return found


def accuracies(counts: Tensor, classes: Sequence[str]) -> Dict[str, float]:
    """Percentages of right predictions by class, the lowest first."""
    rates = (100 * counts.diagonal() / counts.sum(1)).tolist()
    pairs = [pair for pair in zip(classes, rates) if not isnan(pair[1])]
    return dict(sorted(pairs, key=lambda pair: pair[1]))


def worst_classes(counts: Tensor, classes: Sequence[str]) -> str:
    """The classes with the lowest accuracy, and what they are taken for."""
    lines = ['Accuracy by class, the lowest first:']
    for name, rate in [*accuracies(counts, classes).items()][:MOST]:
        row = counts[classes.index(name)].clone()
        line = f'  {rate:6.2f} %  of {row.sum():<6}{name}'
        row[classes.index(name)] = 0
        if row.any():
            other = classes[int(row.argmax())]
            line += f', taken for {other} {row.max()} times'
        lines.append(line)
    return '\n'.join(lines)


def metrics_of(cfg: Config) -> List[Dict[str, Any]]:
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
    dataset = cfg.test_dataloader.dataset
    while 'dataset' in dataset:
        dataset = dataset.dataset
    dataset.pipeline = cfg.tta_pipeline
    cfg.model = dict(**cfg.tta_model, module=cfg.model)


def set_visualization(cfg: Config, show_dir: Place) -> None:
    """Draw the predictions of a test into a folder."""
    hook = cfg.get('default_hooks', {}).get('visualization')
    if hook is None:
        raise UsageError(
            '--show-dir needs default_hooks.visualization in the config: '
            'VisualizationHook (mmpretrain), DetVisualizationHook '
            '(mmdet) or SegVisualizationHook (mmseg).'
        )
    show_dir = os.path.abspath(show_dir)
    kind = hook.type.split('.')[-1]
    if kind == 'VisualizationHook':
        hook.update(enable=True, interval=1, out_dir=show_dir)
        hook.setdefault('resize', SIDE)
    elif kind == 'DetVisualizationHook':
        hook.update(draw=True, test_out_dir=show_dir)
    else:
        hook.draw = True
        usual = dict(
            type='mmseg.SegLocalVisualizer',
            vis_backends=[dict(type='LocalVisBackend')],
        )
        given = cfg.get('visualizer') or {}
        cfg.visualizer = {**usual, **given, 'save_dir': show_dir}


def set_prediction_dump(cfg: Config, out: str) -> None:
    """Save label maps into a folder under mmseg, otherwise a pickle."""
    metrics, scope = metrics_of(cfg), cfg.get('default_scope')
    if scope == 'mmseg':
        cfg.test_evaluator = [dict(m, output_dir=out) for m in metrics]
        return
    if not out.endswith(('.pkl', '.pickle')):
        raise UsageError(f'--out {out} must end with .pkl.')
    with open(out, 'ab'):
        pass  # fail now, not after the test, if it cannot be written
    kind = 'DumpDetResults' if scope == 'mmdet' else 'DumpResults'
    cfg.test_evaluator = [*metrics, dict(type=kind, out_file_path=out)]
