"""Write the results of a training into ``result.json``."""

import json
import math
import shlex
import sys
import time
from numbers import Real
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence

import numpy as np
from mmengine.config import Config
from mmengine.dist import collect_results, master_only
from mmengine.hooks import CheckpointHook, Hook
from mmengine.runner import Runner

from mmdrloc.checkpoints.saved import last_checkpoint
from mmdrloc.datasets.recipes import reference_of
from mmdrloc.engine.run_folder.record import PARTS, settings_of
from mmdrloc.preflight.data import leaf_datasets
from mmdrloc.preflight.runner import classes_of
from mmdrloc.registry import HOOKS
from mmdrloc.reporting.answers import Answer, encode
from mmdrloc.reporting.runs import RESULT, read_result
from mmdrloc.utils.batch_size import (
    batch_size,
    global_batch,
    is_iter_based,
    updates,
)
from mmdrloc.utils.config_walk import at
from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.files import atomic_path
from mmdrloc.utils.paths import Place
from mmdrloc.utils.provenance import git_revision, library_versions, machine

# Iterations over which the skill, which is of a batch, is averaged.
SKILL_WINDOW = 100
LOW_SKILL = 0.1  # hardly better than a guess


@HOOKS.register_module()
class ResultHook(Hook):
    """Writes ``<work_dir>/result.json``, for reports and other programs.

    It is rewritten after each validation; ``finished`` is true at the end.

    - ``last`` and ``best`` come from ``validations``, metric by metric;
      higher is better, except for metrics with 'loss' in their name, and
      where the CheckpointHook has ``save_best`` of it with ``rule='less'``.
    - ``length`` is that of the run, ``reference`` that of its config file,
      with the images that its dataset should have.
    - ``run`` identifies it: recipe, dataset, options, weights with the run
      that made them, and the baseline that it is a counterpart of.
    - ``drloc_skill``, with DRLoc only, is the mean of the last iterations.
    - a classifier's last validation has what it answered, as
      :func:`mmdrloc.reporting.answers.encode` writes it.
    """

    # After the hooks that change the metrics or the weights.
    priority = 'LOWEST'

    def __init__(self) -> None:
        self.path: Optional[Path] = None
        self.validations: List[Dict[str, Any]] = []
        self.answers: List[Answer] = []
        self.start = time.perf_counter()

    def before_train(self, runner: Runner) -> None:
        """Collect what stays the same, and the earlier part of the run."""
        self.path = Path(runner.work_dir, RESULT)
        begun: Dict[str, Any] = {}
        made_by = dict(machine=machine(), git_revision=git_revision())
        if runner.iter > 0 and self.path.exists():
            earlier = read_result(self.path)
            begun = earlier.get('run') or {}
            self.start -= earlier['wall_time_s']
            for key, now in made_by.items():
                made_by[key] = earlier[key]
                if f'{earlier[key]}'.split(', then ')[-1] != f'{now}':
                    made_by[key] = f'{earlier[key]}, then {now}'
            # What came after the checkpoint is repeated.
            self.validations = [
                e for e in earlier['validations'] if e['iter'] <= runner.iter
            ]
        name = Path(runner.cfg.filename or 'unnamed').stem
        is_iters = is_iter_based(runner)
        unit = 'iterations' if is_iters else 'epochs'
        self.constants = dict(
            **_run_of(runner.cfg),
            config=dict(name=name, path=runner.cfg.filename),
            seed=runner.seed,
            **made_by,
            versions=library_versions(),
            dataset=dataset_of(runner),
            global_batch=global_batch(runner),
            length={unit: runner.max_iters if is_iters else runner.max_epochs},
            reference=_reference_of(runner.cfg),
        )
        # Whatever its files are called now.
        if begun and 'run' in self.constants:
            asked = self.constants['run']
            length = {k: asked[k] for k in ('length',) if k in asked}
            self.constants['run'] = {**begun, **length}
        self._write(runner)

    def after_val_iter(
        self, runner: Runner, outputs: Sequence[Any] = (), **_: Any
    ) -> None:
        """Note true and predicted classes."""
        for sample in outputs:
            true = getattr(sample, 'gt_label', ())
            found = getattr(sample, 'pred_label', ())
            if len(true) == len(found) == 1:
                self.answers.append((int(true[0]), int(found[0])))

    def after_val_epoch(self, runner: Runner, metrics: Dict[str, Any]) -> None:
        """Note the metrics and rewrite the file."""
        if self.path is None:  # no training, a validation on its own
            return
        entry: Dict[str, Any] = dict(iter=runner.iter)
        if not is_iter_based(runner):
            entry['epoch'] = runner.epoch
        entry['metrics'] = {
            name: float(value)
            for name, value in metrics.items()
            if isinstance(value, Real) and math.isfinite(value)
        }
        entry.update(_skill_of(runner))
        dataset = runner.val_dataloader.dataset
        # All processes call it, also those without answers; None but in the
        # main process.
        answers = collect_results(self.answers, len(dataset))
        # Fewer where an image may have several labels.
        if answers and len(answers) == len(dataset):
            entry.update(encode(answers, classes_of(dataset)))
        for earlier in self.validations:
            for key in ('correct', 'confusion'):
                earlier.pop(key, None)
        self.answers = []
        # The validation at a checkpoint is repeated when a run is resumed.
        others = [v for v in self.validations if v['iter'] != runner.iter]
        self.validations = [*others, entry]
        self._write(runner)

    def before_save_checkpoint(
        self, runner: Runner, checkpoint: Dict[str, Any]
    ) -> None:
        """Keep the time until then; from there a killed run goes on."""
        if self.path is not None:
            # Within an epoch runner.iter does not count this iteration yet.
            self._write(runner, done=checkpoint['meta']['iter'])

    def after_train(self, runner: Runner) -> None:
        """Mark the run as finished."""
        self._write(runner, finished=True)
        skill = _skill_of(runner).get('drloc_skill', 1.0)
        if skill < LOW_SKILL:
            runner.logger.warning(
                f'DRLoc: drloc_skill is {skill:.2f} (0 = best constant, '
                '1 = perfect), so the loss probably had no effect; see "When '
                'the task is learned" in docs/loss.md.'
            )

    @master_only
    def _write(
        self,
        runner: Runner,
        *,
        done: Optional[int] = None,
        finished: bool = False,
    ) -> None:
        # IterTimerHook's, loading included and validations not.
        times = runner.message_hub.log_scalars.get('train/time')
        images = batch_size(runner.train_dataloader) * runner.world_size
        result = dict(
            self.constants,
            finished=finished,
            updates=dict(
                done=updates(runner, runner.iter if done is None else done),
                planned=updates(runner, runner.max_iters),
            ),
            last=_measured(self.validations[-1:]),
            best=_measured(self.validations, _lower_is_better(runner)),
            images_per_s=float(images / times.mean()) if times else None,
            wall_time_s=time.perf_counter() - self.start,
            **_skill_of(runner),
            validations=self.validations,
        )
        with atomic_path(self.path) as temporary:
            temporary.write_text(json.dumps(result, indent=2) + '\n')


def _skill_of(runner: Runner) -> Dict[str, float]:
    """Average the skill over iterations, and IDMM's groups of crops."""
    scalars = runner.message_hub.log_scalars
    names = [n for n in scalars if n.startswith('train/drloc_skill')]
    skills = np.mean([scalars[n].data[0] for n in names] or [[]], axis=0)
    skills = skills[np.isfinite(skills)][-SKILL_WINDOW:]
    return dict(drloc_skill=float(skills.mean())) if len(skills) else {}


def _lower_is_better(runner: Runner) -> List[str]:
    """The metrics by which CheckpointHook saves the best, where it is less."""
    return [
        name
        for hook in runner.hooks
        if isinstance(hook, CheckpointHook) and hook.save_best is not None
        for name, rule in zip(hook.key_indicators, hook.rules)
        if rule == 'less'
    ]


def _measured(
    validations: List[dict], lower: Sequence[str] = ()
) -> Dict[str, dict]:
    """Find each metric's best value and its time; the earliest of equals."""
    best: Dict[str, dict] = {}
    for entry in validations:
        when = {k: entry[k] for k in ('epoch', 'iter') if k in entry}
        for name, value in entry['metrics'].items():
            sign = -1 if 'loss' in name or name in lower else 1
            if name not in best or sign * value > sign * best[name]['value']:
                best[name] = dict(value=value, **when)
    return best


def _run_of(cfg: Config) -> Dict[str, Any]:
    """Say what the config tells of the run, and what it starts from."""
    if 'run' not in cfg:  # a runner of MMEngine's own tools
        return dict(command=shlex.join(sys.argv))
    run = cfg.run.to_dict()
    for key in ('images', 'reference'):
        run.pop(key, None)
    command = run.pop('command', shlex.join(sys.argv))
    start = None
    if run['weights'] is not None:
        file = run['weights']['file']
        made_by = run['weights']['run'] = run_that_made(file)
        start = file if made_by else None
    run['settings'] = settings_of(cfg, start)
    return dict(run=run, command=command)


def run_that_made(file: Place) -> Optional[Dict[str, Any]]:
    """``run`` of the ``result.json`` beside a checkpoint, if it says.

    Among its options is the name of a checkpoint that is not the last one.
    """
    file = Path(file)
    try:
        run = read_result(file.parent / RESULT).get('run')
    except UsageError:
        return None
    last = last_checkpoint(file.parent)
    if run and last and last.name != file.name:
        run['options'] = [*run.get('options', ()), f'checkpoint={file.name}']
    return run


def _reference_of(cfg: Config) -> Dict[str, int]:
    """Length, batch and images as the config file has them."""
    file = at(cfg, 'run.reference')
    if file is None:  # a runner of MMEngine's own tools
        path = Path(cfg.filename or '')
        file = reference_of(Config.fromfile(path) if path.is_file() else cfg)
    images = at(cfg, 'run.images') or (None, None)
    train = at(cfg, 'train_dataloader.dataset') or {}
    # Detectors are not trained on images without objects.
    are_all = not any('filter_cfg' in leaf for leaf in leaf_datasets(train))
    # As many updates, of which each may take several iterations.
    iters = file['iterations']
    if iters is not None:
        parts = file['accumulative_counts'] or 1
        iters = iters * (at(cfg, PARTS) or 1) // parts
    reference = dict(
        epochs=file['epochs'],
        iterations=iters,
        global_batch=file['global_batch'],
        train_images=cfg.get('num_train', images[0]) if are_all else None,
        val_images=cfg.get('num_val', images[1]),
    )
    return {key: n for key, n in reference.items() if n is not None}


def dataset_of(runner: Runner) -> Dict[str, Any]:
    """Tell name, numbers of images and classes of the training's data."""
    train = runner.train_dataloader.dataset
    inner = next(leaf_datasets(train))
    val = runner.val_loop and runner.val_dataloader.dataset
    classes = classes_of(train)
    images = at(runner.cfg, 'run.images') or ()
    files = dict(files=images[2]) if len(images) > 2 else {}  # a checksum
    return dict(
        name=runner.cfg.get('dataset_name', type(inner).__name__),
        train_images=len(train),
        val_images=None if val is None else len(val),
        classes=len(classes) if classes else None,
        **files,
    )
