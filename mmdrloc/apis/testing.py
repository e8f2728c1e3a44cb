"""Evaluate a checkpoint."""

import os
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from mmengine.config import Config
from mmengine.dist import is_main_process
from torch import Tensor

from mmdrloc.preflight import preflight
from mmdrloc.utils.errors import UsageError, one_sentence_errors
from .run import Run, config_and_checkpoint
from .running import build_runner, session
from .settings import load_config

Place = Union[str, Path]
CONFUSION = 'confusion_matrix/result'
# So many classes and confusions are printed.
MOST = 8
# Pixels of the shorter side of a drawn image: its text is readable.
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
    launcher: str = 'none',
    trust: bool = False,
) -> Dict[str, Any]:
    """Evaluate a checkpoint; what ``tools/test.py`` does.

    Args:
        recipe (str | Path | Run): A config, the name of a recipe, or a run
            or its folder.
        checkpoint (str | Path, optional): What to evaluate. Defaults to the
            last one of the run.
        dataset (str | Path, optional): A data set's name, a file that
            describes one, or a folder of images. Defaults to the config's.
        work_dir (str | Path, optional): Where logs go. Defaults to the
            config's own, or ``work_dirs/<recipe>_<data set>``.
        options (Mapping, optional): Settings of the config to change.
        out (str | Path, optional): Where to save the predictions: a .pkl
            file, or for segmentation a folder of label maps.
        show_dir (str | Path, optional): Where to save the drawn predictions.
        tta (bool): Whether to use the config's test-time augmentation.
            Defaults to False.
        partial (bool): Whether to take a checkpoint of which only a part
            fits. Defaults to False.
        launcher (str): How several processes are started. Defaults to
            'none'.
        trust (bool): Whether to let files run the code that they contain.
            Defaults to False.

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
            launcher=launcher,
            partial=partial,
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
                classes = runner.test_dataloader.dataset.metainfo['classes']
                counts = found[CONFUSION]
                found['accuracy/classwise'] = accuracies(counts, classes)
                if is_main_process():
                    print(confusions(counts, classes))
            return found


def accuracies(counts: Tensor, classes: Sequence[str]) -> Dict[str, float]:
    """Percentages of right predictions by class, the lowest first."""
    right, images = counts.diagonal().tolist(), counts.sum(1).tolist()
    rates = {n: 100 * r / i for n, r, i in zip(classes, right, images) if i}
    return dict(sorted(rates.items(), key=lambda item: item[1]))


def confusions(counts: Tensor, classes: Sequence[str]) -> str:
    """The classes that are told worst, and what they are taken for."""
    rates, images = accuracies(counts, classes), counts.sum(1).tolist()
    number = dict(zip(classes, images))
    lines = ['Accuracy by class, the lowest first:']
    lines += [
        f'  {rates[name]:6.2f} %  of {number[name]:<6}{name}'
        for name in [*rates][:MOST]
    ]
    pairs = (counts - counts.diag().diag()).nonzero().tolist()
    pairs.sort(key=lambda pair: -counts[tuple(pair)].item())
    lines += ['Most frequent confusions:'] if pairs else []
    lines += [
        f'  {int(counts[row, column]):6} x  {classes[row]} taken for '
        f'{classes[column]}'
        for row, column in pairs[:MOST]
    ]
    return '\n'.join(lines)


def metrics_of(cfg: Config) -> List[Dict[str, Any]]:
    """The metrics of a test, as a list of dicts."""
    metrics = cfg.test_evaluator
    return [metrics] if isinstance(metrics, dict) else list(metrics)


def set_tta(cfg: Config) -> None:
    """Test with the config's test-time augmentation."""
    missing = [k for k in ('tta_model', 'tta_pipeline') if cfg.get(k) is None]
    if missing:
        raise UsageError(
            f'--tta needs `{"` and `".join(missing)}` in the config.'
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
            ' VisualizationHook (mmpretrain), DetVisualizationHook '
            '(mmdet) or SegVisualizationHook (mmseg).'
        )
    show_dir = os.path.abspath(show_dir)
    kind = hook.type.split('.')[-1]
    if kind == 'VisualizationHook':
        hook.update(enable=True, interval=1, out_dir=show_dir)
        hook.setdefault('resize', SIDE)
        return
    hook.draw = True
    if kind == 'DetVisualizationHook':
        hook.test_out_dir = show_dir
    else:
        cfg.visualizer.save_dir = show_dir


def set_prediction_dump(cfg: Config, out: str) -> None:
    """Save label maps into a folder under mmseg, otherwise a pickle."""
    metrics = metrics_of(cfg)
    scope = cfg.get('default_scope')
    if scope == 'mmseg':
        for metric in metrics:
            metric['output_dir'] = out
    elif not out.endswith(('.pkl', '.pickle')):
        raise UsageError(f'--out {out} must end with .pkl.')
    else:
        if Path(out).resolve() == Path(str(cfg.get('load_from'))).resolve():
            raise UsageError(
                f'--out {out} is the checkpoint itself: name another file.'
            )
        with open(out, 'ab'):
            pass  # it can be written, which is better known now than later
        kind = 'DumpDetResults' if scope == 'mmdet' else 'DumpResults'
        metrics.append(dict(type=kind, out_file_path=out))
    cfg.test_evaluator = metrics
