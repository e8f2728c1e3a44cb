"""From a command line to a Runner: what tools/train.py and test.py share."""

import argparse
import os
import time
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Dict, Iterator, Optional

import torch
from mmengine.config import Config, DictAction
from mmengine.device import get_device
from mmengine.registry import RUNNERS
from mmengine.runner import Runner

from mmdrloc.console.console import add_verbose
from mmdrloc.errors import (
    UsageError,
    first_line,
    usage_errors_in_one_sentence,
)
from mmdrloc.files import require_writable
from mmdrloc.ranks import check_environment, process_rank
from mmdrloc.reading import trust_files
from mmdrloc.recipes import read_recipe, work_dir_of
from mmdrloc.records import option_text
from mmdrloc.saved import last_checkpoint
from .cpu_amp import cpu_has_bfloat16
from .run_record import COMPARED
from .runner import DataCheckingRunner

# A name with one of these scopes, or with none, is MMEngine's.
LIBRARIES = ('mmengine', 'mmpretrain', 'mmdet', 'mmseg')
# For how long another rank leaves the word to the first one.
PATIENCE_S = 10.0


class OptionsAction(DictAction):
    """``KEY=VALUE`` pairs; anything else is a usage error of the parser."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: Optional[str] = None,
    ) -> None:
        """Read the pairs into a dict; see :class:`argparse.Action`."""
        try:
            super().__call__(parser, namespace, values, option_string)
        except (ValueError, AssertionError) as error:
            raise argparse.ArgumentError(
                self,
                f'{" ".join(values)} is not of the form KEY=VALUE '
                '(lists: KEY="[a,b]", without spaces)',
            ) from error


def add_shared_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the flags that training and testing have in common.

    Args:
        parser (argparse.ArgumentParser): The parser of a tool.
    """
    parser.add_argument(
        '--work-dir',
        metavar='DIR',
        help="where logs and results go (default: the config's work_dir, or "
        'work_dirs/<recipe>_<data set>)',
    )
    parser.add_argument(
        '--dataset',
        metavar='NAME|FILE|FOLDER',
        help='the data: a data set of configs/_base_/datasets, a config that '
        'describes one as they do, or a folder of images '
        "(default: the config's own)",
    )
    parser.add_argument(
        '--cfg-options',
        nargs='+',
        action=OptionsAction,
        metavar='KEY=VALUE',
        help='change settings of the config: '
        'optim_wrapper.optimizer.lr=0.001 key="[a,b]"',
    )
    parser.add_argument(
        '--trust',
        action='store_true',
        help='read checkpoints and annotations even if they hold more than '
        'tensors and plain values; this runs any code that they contain',
    )
    parser.add_argument(
        '--partial',
        action='store_true',
        help='start from a checkpoint of which only a part fits; what does '
        'not come is listed',
    )
    parser.add_argument(
        '--skip-data-check',
        action='store_true',
        help='do not read annotations, images and label maps beforehand; '
        'whether they are there is looked at all the same',
    )
    parser.add_argument(
        '--launcher',
        choices=['none', 'pytorch', 'slurm', 'mpi'],
        default='none',
        help='how the processes of a distributed run are started '
        '(default: none; dist_train.sh and dist_test.sh use pytorch)',
    )
    add_verbose(parser)
    # Launchers pass one or the other; torchrun sets the environment instead.
    parser.add_argument(
        '--local_rank',
        '--local-rank',
        type=int,
        help='set by launchers, not by you',
    )


def add_weights_argument(parser: argparse.ArgumentParser) -> None:
    """Add the flag that says what a training starts from.

    Args:
        parser (argparse.ArgumentParser): The parser of a tool.
    """
    parser.add_argument(
        '--weights',
        metavar='FILE|RUN',
        help='start from these weights: a checkpoint (.pth, .tar, '
        '.safetensors) of any known origin, its address, or the work folder '
        'of a training, for its last checkpoint; they are converted and '
        'audited, and their copy lies in the work folder',
    )


@contextmanager
def usage_errors_reported_once() -> Iterator[None]:
    """Like :func:`usage_errors_in_one_sentence`, for several processes.

    Most errors are found by all ranks at once. The first one speaks, and its
    launcher then ends the others; a rank that is left alone has an error of
    its own to report.
    """
    try:
        with usage_errors_in_one_sentence():
            yield
    except SystemExit as end:
        if process_rank() > 0 and isinstance(end.code, str):
            time.sleep(PATIENCE_S)
        raise


def load_config(args: argparse.Namespace) -> Config:
    """Read a config and merge the shared flags into it.

    Args:
        args (argparse.Namespace): ``config`` and the flags of
            :func:`add_shared_arguments`.

    Returns:
        Config: With ``run`` (and in it the options that change what is
        trained), ``launcher`` and ``work_dir`` set.

    Raises:
        UsageError: If the config cannot be read or the options do not fit.
    """
    trust_files(args.trust)
    cfg = read_recipe(args.config, args.dataset)
    try:
        cfg.merge_from_dict(args.cfg_options or {})
    except (KeyError, TypeError) as error:
        raise UsageError(
            f'--cfg-options do not fit the config: {first_line(error)}'
        ) from error
    cfg.run.options = [
        option_text(key, value)
        for key, value in (args.cfg_options or {}).items()
        if key.split('.')[0] in COMPARED
    ]
    cfg.launcher = args.launcher
    cfg.work_dir = (
        args.work_dir or cfg.get('work_dir') or work_dir_of(args.config, cfg)
    )
    if args.local_rank is not None:
        os.environ.setdefault('LOCAL_RANK', str(args.local_rank))
    _add_hook(cfg, 'preflight', 'mmdrloc.PreflightHook')
    _add_hook(
        cfg, 'weights_check', 'mmdrloc.WeightsCheckHook', partial=args.partial
    )
    _add_hook(cfg, 'dry_run', 'mmdrloc.DryRunHook')
    _add_hook(cfg, 'console', 'mmdrloc.ConsoleHook')
    return cfg


def record_results(cfg: Config) -> None:
    """Have ``result.json`` written into the work directory.

    Args:
        cfg (Config): The config of a training, changed in place.
    """
    _add_hook(cfg, 'result', 'mmdrloc.ResultHook')


def stop_if_not_finite(cfg: Config, skip: int) -> None:
    """Have a training end whose losses or gradients are not finite.

    Args:
        cfg (Config): Changed in place.
        skip (int): Such steps to leave out before.

    Raises:
        UsageError: If the number is negative.
    """
    if skip < 0:
        raise UsageError(f'--skip-bad-steps {skip} is below 0.')
    _add_hook(cfg, 'non_finite', 'mmdrloc.NonFiniteHook', skip=skip)


def keep_checkpoints(cfg: Config) -> None:
    """Have a complete checkpoint at every moment, and one when it ends.

    Args:
        cfg (Config): The config of a training, changed in place. A hook of
            the user's own that saves checkpoints stays.
    """
    hooks = _default_hooks(cfg)
    hooks.setdefault('checkpoint', {})
    usual = hooks['checkpoint']
    if isinstance(usual, dict):  # it is None where nothing is to be saved
        usual.setdefault('type', 'mmdrloc.CheckpointHook')
        usual.setdefault('interval', 1)
    more = cfg.get('custom_hooks')
    for hook in [usual, *(more if isinstance(more, (list, tuple)) else [])]:
        kind = hook.get('type') if isinstance(hook, dict) else None
        if _is_stock_checkpoint_hook(kind):
            hook['type'] = 'mmdrloc.CheckpointHook'
    # After the others, which see the last step first.
    _add_hook(cfg, 'interrupt', 'mmdrloc.InterruptHook')


def skip_validation(cfg: Config) -> None:
    """Train without evaluating.

    Args:
        cfg (Config): Changed in place.
    """
    cfg.val_cfg = cfg.val_dataloader = cfg.val_evaluator = None


def set_resume(cfg: Config, resume: str, anyway: bool = False) -> None:
    """Continue a training.

    Args:
        cfg (Config): Changed in place.
        resume (str): A checkpoint, the work directory of a run, or 'auto'
            for this run's: then the last one in it.
        anyway (bool): Whether to go on although the run was begun with other
            settings. Defaults to False.

    Raises:
        UsageError: If there is nothing to resume from.
    """
    path: Optional[str] = resume
    folder = cfg.work_dir if resume == 'auto' else resume
    if resume == 'auto' or Path(resume).is_dir():
        last = last_checkpoint(folder)
        if last is None:
            raise UsageError(
                f'there is nothing to resume in {folder}: start '
                'without --resume (with --overwrite if a run was begun '
                'there), or give --work-dir or a checkpoint.'
            )
        path = str(last)
    if not Path(path).is_file():
        raise UsageError(f'cannot resume: there is no checkpoint {path}.')
    cfg.resume = True
    cfg.load_from = path
    _add_hook(cfg, 'resume', 'mmdrloc.ResumeHook', anyway=anyway)


def set_amp(cfg: Config) -> None:
    """Train in mixed precision: on a GPU, or in bfloat16 on the CPU.

    Args:
        cfg (Config): Changed in place.

    Raises:
        UsageError: If the config has a wrapper of its own kind, or the
            machine would gain nothing.
    """
    wrapper = cfg.optim_wrapper
    kind = wrapper.get('type', 'OptimWrapper')
    if kind.split('.')[-1] not in ('OptimWrapper', 'AmpOptimWrapper'):
        raise UsageError(
            f'--amp cannot replace optim_wrapper.type={kind}: '
            'set it to OptimWrapper.'
        )
    if torch.cuda.is_available():
        wrapper.type = 'AmpOptimWrapper'
        wrapper.setdefault('loss_scale', 'dynamic')
        return
    if get_device() != 'cpu' or not cpu_has_bfloat16():
        raise UsageError(
            'mixed precision needs an NVIDIA GPU or a processor with '
            'bfloat16 instructions (avx512_bf16 or amx_bf16), and this '
            'machine shows neither: train without --amp.'
        )
    wrapper.type = 'mmdrloc.CPUAmpOptimWrapper'
    for key in ('loss_scale', 'dtype'):
        wrapper.pop(key, None)


def set_auto_scale_lr(cfg: Config) -> None:
    """Scale the learning rate with the batch that enters an update.

    Args:
        cfg (Config): Changed in place.

    Raises:
        UsageError: If the config does not name its reference batch, or
            accumulates gradients under a runner that does not count them.
    """
    if cfg.get('auto_scale_lr', {}).get('base_batch_size') is None:
        raise UsageError(
            '--auto-scale-lr needs auto_scale_lr=dict(base_batch_size=...) '
            'in the config: the images an update that its learning rate was '
            'chosen for.'
        )
    accumulates = cfg.optim_wrapper.get('accumulative_counts', 1) > 1
    if accumulates and 'runner_type' in cfg:
        raise UsageError(
            f'--auto-scale-lr does not count accumulated gradients under '
            f'runner_type={cfg.runner_type!r}: set '
            'optim_wrapper.optimizer.lr instead.'
        )
    cfg.auto_scale_lr.enable = True


def set_tta(cfg: Config) -> None:
    """Test with the config's test-time augmentation.

    Args:
        cfg (Config): Changed in place.

    Raises:
        UsageError: If the config has none, or predicts instance masks.
    """
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


def set_visualization(
    cfg: Config, show: bool, show_dir: Optional[str], wait_time: float
) -> None:
    """Draw the predictions of a test.

    Args:
        cfg (Config): Changed in place.
        show (bool): Whether to open a window for each image.
        show_dir (str, optional): Where to save the pictures.
        wait_time (float): Seconds that a window stays.

    Raises:
        UsageError: If the config has no visualization hook, or there is no
            display for a window.
    """
    hook = cfg.get('default_hooks', {}).get('visualization')
    if hook is None:
        raise UsageError(
            '--show and --show-dir need default_hooks.visualization in the '
            'config: VisualizationHook (mmpretrain), DetVisualizationHook '
            '(mmdet) or SegVisualizationHook (mmseg).'
        )
    if show:
        hook.update(show=True, wait_time=wait_time)
    if show_dir:
        show_dir = os.path.abspath(show_dir)
    kind = hook.type.split('.')[-1]
    if kind == 'VisualizationHook':
        hook.update(enable=True, interval=1, out_dir=show_dir)
        return
    hook.draw = True
    if show_dir and kind == 'DetVisualizationHook':
        hook.test_out_dir = show_dir
    elif show_dir:
        cfg.visualizer.save_dir = show_dir


def set_prediction_dump(cfg: Config, out: str) -> None:
    """Save the predictions of a test, as the running library does.

    Args:
        cfg (Config): Changed in place.
        out (str): A folder for label maps under mmseg, otherwise a pickle.

    Raises:
        UsageError: If the suffix does not fit, or it is the checkpoint.
        OSError: If it cannot be written.
    """
    metrics = cfg.test_evaluator
    metrics = [metrics] if isinstance(metrics, dict) else list(metrics)
    scope = cfg.get('default_scope')
    if scope == 'mmseg':
        for metric in metrics:
            metric.output_dir = out
    elif not out.endswith(('.pkl', '.pickle')):
        raise UsageError(f'--out {out} must end with .pkl.')
    else:
        require_writable(out)
        if Path(out).resolve() == Path(str(cfg.get('load_from'))).resolve():
            raise UsageError(
                f'--out {out} is the checkpoint itself: name another file.'
            )
        kind = 'DumpDetResults' if scope == 'mmdet' else 'DumpResults'
        metrics.append(dict(type=kind, out_file_path=out))
    cfg.test_evaluator = metrics


def build_runner(cfg: Config) -> Runner:
    """Build the runner, on the CPU with gloo where there is no GPU.

    Args:
        cfg (Config): The whole config.

    Returns:
        Runner: Ready to train or test.
    """
    if cfg.launcher == 'pytorch':
        check_environment()
    if cfg.launcher != 'none':
        _add_hook(cfg, 'reduce_losses', 'mmdrloc.ReduceLossesHook')
        if get_device() == 'cpu':
            _distribute_on_cpu(cfg)
    _add_hook(cfg, 'resume', 'mmdrloc.ResumeHook')
    if 'runner_type' in cfg:
        return RUNNERS.build(cfg)
    return DataCheckingRunner.from_cfg(cfg)


def _add_hook(cfg: Config, name: str, kind: str, **options: Any) -> None:
    """Add a hook of ours, unless the config has it or leaves it out."""
    hooks = _default_hooks(cfg)
    if hooks.setdefault(name, dict(type=kind, **options)) is None:
        hooks.pop(name)  # MMEngine knows its own hooks to leave out


def _default_hooks(cfg: Config) -> Dict[str, Any]:
    """Those of a config; where they are no dict, the checks say so."""
    if cfg.get('default_hooks') is None:
        cfg.default_hooks = {}
    hooks = cfg.default_hooks
    return hooks if isinstance(hooks, dict) else {}


def _is_stock_checkpoint_hook(kind: Any) -> bool:
    """Whether a type is MMEngine's hook, as a class or in any spelling."""
    if isinstance(kind, type):
        kind = f'{kind.__module__}.{kind.__name__}'
    words = str(kind).split('.')
    return words[-1] == 'CheckpointHook' and (
        len(words) == 1 or words[0] in LIBRARIES
    )


def _distribute_on_cpu(cfg: Config) -> None:
    """Do what MMEngine would do with CUDA: join the group, wrap the model."""
    if cfg.launcher != 'pytorch':
        raise UsageError(
            f'--launcher {cfg.launcher} needs GPUs: on CPUs '
            'use --launcher pytorch.'
        )
    if 'SyncBN' in repr(cfg.model):
        raise UsageError(
            'several processes on CPUs cannot run SyncBN: set '
            "norm_cfg=dict(type='BN') in the config."
        )
    torch.distributed.init_process_group('gloo')
    cfg.model_wrapper_cfg = dict(
        dict(
            type='MMDistributedDataParallel',
            broadcast_buffers=False,
            find_unused_parameters=cfg.get('find_unused_parameters', False),
        ),
        **cfg.get('model_wrapper_cfg', {}),
    )
    cfg.model_wrapper_cfg.device_ids = None
