"""The metrics of a validation, tried on a few predictions."""

import logging
from contextlib import contextmanager
from typing import Any, Iterator, List, Optional, Set

from mmengine.evaluator import DumpResults
from mmengine.hooks import CheckpointHook, EarlyStoppingHook
from mmengine.runner import Runner

from .faults import cause
from .findings import joined
from .names import nearest


def try_metrics(runner: Runner, batch: Any, outputs: List[Any]) -> List[str]:
    """Let each metric see a batch, and look for the names that hooks want.

    Args:
        runner (Runner): With its validation loop built.
        batch (Any): What the model was given.
        outputs (list): What it predicted.

    Returns:
        List[str]: One sentence for each finding.
    """
    samples = [
        sample.to_dict() if hasattr(sample, 'to_dict') else sample
        for sample in outputs
    ]
    findings: List[str] = []
    names: Optional[Set[str]] = set()
    for metric in runner.val_loop.evaluator.metrics:
        if _writes(metric):
            names = None
            continue
        kept, metric.results = metric.results, []
        try:
            metric.process(batch, samples)
            seen = metric.results
        except Exception as error:  # a metric may be anyone's
            findings.append(
                f'val_evaluator ({type(metric).__name__}) fails on the first '
                f'images of the val data: {cause(error)}.'
            )
            continue
        finally:
            metric.results = kept
        if names is not None and _wanted(runner):
            own = _names_of(metric, seen)
            names = None if own is None else names | own
    return findings or _unknown_names(runner, names)


def _writes(metric: Any) -> bool:
    """Whether seeing a batch leaves files behind."""
    return isinstance(metric, DumpResults) or any(
        getattr(metric, name, None)
        for name in ('format_only', 'output_dir', 'outfile_prefix')
    )


def _names_of(metric: Any, seen: List[Any]) -> Optional[Set[str]]:
    """The names of a metric's values; None if they cannot be told.

    Few images may not do for a value. COCO's take all the annotations.
    """
    if hasattr(metric, '_coco_api'):
        return None
    try:
        with _silent():
            values = metric.compute_metrics(seen)
    except Exception:  # a metric may be anyone's
        return None
    prefix = f'{metric.prefix}/' if metric.prefix else ''
    return {f'{prefix}{name}' for name in values} or None


@contextmanager
def _silent() -> Iterator[None]:
    """Nothing enters the log: these values say nothing."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)


def _wanted(runner: Runner) -> List[Any]:
    """What hooks look for among the metrics: (setting, name)."""
    wanted = []
    for hook in runner.hooks:
        if isinstance(hook, CheckpointHook):
            wanted += [('save_best', name) for name in hook.save_best or ()]
        elif isinstance(hook, EarlyStoppingHook):
            wanted.append(('monitor', hook.monitor))
    return [pair for pair in wanted if pair[1] != 'auto']


def _unknown_names(runner: Runner, names: Optional[Set[str]]) -> List[str]:
    if names is None:
        return []
    findings = []
    for setting, name in _wanted(runner):
        if name not in names:
            near = nearest(name, names, 0) or min(names)
            findings.append(
                f"{setting} is '{name}', the validation gives "
                f"{joined(sorted(names))}: write {setting}='{near}'."
            )
    return findings
