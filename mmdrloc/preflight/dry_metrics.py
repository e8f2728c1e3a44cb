"""The metrics of a validation, tried on a few predictions."""

import logging
from contextlib import contextmanager
from typing import Any, Dict, Iterator, List, Optional, Set, Tuple

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
    """
    samples = [
        sample.to_dict() if hasattr(sample, 'to_dict') else sample
        for sample in outputs
    ]
    findings: List[str] = []
    names: Optional[Set[str]] = set()
    for metric in runner.val_loop.evaluator.metrics:
        own = None
        if not _writes(metric):
            own, problems = _try_metric(metric, batch, samples)
            findings += problems
        names = None if own is None or names is None else names | own
    return findings or _unknown_names(runner, names)


def _try_metric(
    metric: Any, batch: Any, samples: List[Any]
) -> Tuple[Optional[Set[str]], List[str]]:
    """The names of a metric's values, if they can be told, and findings.

    Few images may not do for a value, but what is none of their number's
    fault will not go away. COCO's metrics take all the annotations.
    """
    kept, metric.results = metric.results, []
    values: Dict[str, Any] = {}
    try:
        with _silent():
            metric.process(batch, samples)
            if not hasattr(metric, '_coco_api'):
                values = _values_of(metric)
    except Exception as error:  # a metric may be anyone's
        return None, [
            f'val_evaluator ({type(metric).__name__}) fails on the first '
            f'images of the val data: {cause(error)}.'
        ]
    finally:
        metric.results = kept
    prefix = f'{metric.prefix}/' if metric.prefix else ''
    return {f'{prefix}{name}' for name in values} or None, []


def _values_of(metric: Any) -> Dict[str, Any]:
    try:
        return metric.compute_metrics(metric.results)
    except (AttributeError, KeyError, NotImplementedError, TypeError):
        raise
    except Exception:  # too few images
        return {}


def _writes(metric: Any) -> bool:
    """Whether seeing a batch leaves files behind."""
    return isinstance(metric, DumpResults) or any(
        getattr(metric, name, None)
        for name in ('format_only', 'output_dir', 'outfile_prefix')
    )


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
