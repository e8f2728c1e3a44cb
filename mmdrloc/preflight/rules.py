"""Rules for settings that build and run in silence, and ruin a training."""

import inspect
import re
from numbers import Real
from typing import Dict, Iterable, Iterator, List, Sequence

from mmengine.config import Config
from mmengine.hooks import CheckpointHook
from mmengine.runner import Runner

from mmdrloc.checkpoints.reading import TRUST_IT, files_are_trusted
from mmdrloc.utils.config_walk import at, dicts_in
from mmdrloc.utils.errors import few, nearest

# How alike a key must be to a known one to be a typing error.
ALIKE = 0.85
# Variables of many configs, spelt nearly like keys of the Runner.
VARIABLES = ('train_pipeline', 'val_pipeline', 'test_pipeline')
TOP_LEVEL = (
    *inspect.signature(Runner.__init__).parameters,
    *('custom_imports', 'tta_model', 'tta_pipeline', 'runner_type'),
    *VARIABLES,
)
# What only this package, or MMEngine past its Runner's arguments, reads.
ALSO_READ = """
    activation_checkpointing compile dataset_name efficient_conv_bn_eval
    find_unused_parameters model_wrapper_cfg num_train num_val partial_weights
    sync_bn
""".split()
# Dicts whose unknown keys are ignored, or fail after the first update.
DICTS = (
    'default_hooks',
    'default_hooks.checkpoint',
    'auto_scale_lr',
    'optim_wrapper.clip_grad',
    'optim_wrapper.paramwise_cfg',
)
MULTIPLIERS = 'optim_wrapper.paramwise_cfg.custom_keys'
READ = (
    *inspect.signature(CheckpointHook.__init__).parameters,
    *inspect.signature(Runner.save_checkpoint).parameters,
    *"""
    enable base_batch_size max_norm clip_value lr_mult decay_mult custom_keys
    bias_decay_mult bias_lr_mult norm_decay_mult flat_decay_mult
    dwconv_decay_mult layer_decay_rate decay_rate num_layers
    timer logger sampler_seed runtime_info param_scheduler checkpoint
    """.split(),
)
POSITIVE = """
    train_cfg.max_epochs train_cfg.max_iters train_cfg.val_interval
    default_hooks.checkpoint.interval
    optim_wrapper.optimizer.lr optim_wrapper.clip_grad.max_norm
    optim_wrapper.clip_grad.clip_value env_cfg.dist_cfg.timeout
""".split()
# Settings in which any text would count as True.
NO_TEXT = """
    randomness.seed randomness.deterministic randomness.diff_rank_seed
    env_cfg.cudnn_benchmark auto_scale_lr.enable
""".split()


def broken_rules(cfg: Config, phases: Sequence[str]) -> List[str]:
    """Look for settings that build and run, but ruin a training."""
    problems = [*_missing(cfg, phases), *_misspelt(cfg), *_pickled(cfg)]
    problems += [*_topk(cfg, phases), *_endless(cfg, phases)]
    if 'train' in phases:
        problems += [*_numbers(cfg), *_without_effect(cfg)]
        problems += [*_checkpoints(cfg), *_other_engines(cfg)]
    return problems


def unread_options(cfg: Config, options: Iterable[str]) -> Dict[str, str]:
    """Find options at the top of a config that nothing reads.

    Returns:
        dict[str, str]: What to say of each, with places of that name.
    """
    read = {*TOP_LEVEL, *ALSO_READ} - {*VARIABLES}
    found = {}
    for option in options:
        first, last = option.partition('.')[0], option.rpartition('.')[2]
        if first not in read:
            places = [
                # As it is typed: a.0.b and not a[0].b.
                re.sub(r'\[(\d+)\]', r'.\1', f'{place}.{last}')
                for place, node in dicts_in(dict(cfg))
                if last in node and place.partition('.')[0] in read
            ]
            near = f': did you mean {few(places, 3)}?' if places else '.'
            found[option] = f'{option}: nothing reads `{first}` there{near}'
    return found


def _missing(cfg: Config, phases: Sequence[str]) -> Iterator[str]:
    """Find what a phase needs and the config lacks, and what is no dict."""
    needed = ['model']
    for phase in phases:
        last = 'optim_wrapper' if phase == 'train' else f'{phase}_evaluator'
        needed += [f'{phase}_cfg', f'{phase}_dataloader', last]
    for key in (*needed, 'default_hooks', 'visualizer', 'env_cfg'):
        value = cfg.get(key)
        if key in needed and value in (None, []):
            yield (
                f'the config has no `{key}`: inherit it from a file in _base_ '
                'or write it.'
            )
        elif value is not None and not isinstance(value, (dict, list)):
            yield f'{key} is {value!r}: it must be a dict.'


def _misspelt(cfg: Config) -> Iterator[str]:
    """Find keys spelt nearly like a known one; others may be variables."""
    nodes = {place: at(cfg, place) for place in ('', *DICTS)}
    nodes.update(dicts_in(at(cfg, MULTIPLIERS), MULTIPLIERS))
    nodes.pop(MULTIPLIERS, None)  # its keys are parts of the model
    for place, node in nodes.items():
        known = READ if place else TOP_LEVEL
        for key in node if hasattr(node, 'keys') else ():
            near = key not in known and nearest(str(key), known, ALIKE)
            is_variable = near in VARIABLES or str(key).startswith(f'{near}_')
            if near and not is_variable:
                name = f'{place}.{key}'.lstrip('.')
                yield f'{name}: nothing reads `{key}`: did you mean `{near}`?'


def _pickled(cfg: Config) -> Iterator[str]:
    """Find pickles that datasets read past MMEngine's readers."""
    # mmseg's images, and the class hierarchy of mmdet's OpenImages.
    for place, node in () if files_are_trusted() else dicts_in(dict(cfg)):
        key = 'hierarchy_file'
        if node.get('decode_backend') == 'pickle':
            key = 'decode_backend'
        if node.get(key):
            yield f'{place}.{key} would run what files contain: {TRUST_IT}'


def _checkpoints(cfg: Config) -> Iterator[str]:
    """Find what keeps a killed training from going on."""
    place = 'default_hooks.checkpoint'
    for name in ('save_optimizer', 'save_param_scheduler'):
        if at(cfg, f'{place}.{name}') is False:
            yield (
                f'{place}.{name}=False: from such checkpoints no training '
                'goes on. Leave it out; `mmdrloc publish` writes weights '
                'alone.'
            )
    if '://' in str(at(cfg, f'{place}.out_dir')):
        yield f'{place}.out_dir must be a folder of this machine.'


def _topk(cfg: Config, phases: Sequence[str]) -> Iterator[str]:
    """Find a top-k of more classes than there are: validation would fail."""
    classes = at(cfg, 'model.head.num_classes')
    for key in (f'{phase}_evaluator' for phase in phases if phase != 'train'):
        for place, node in dicts_in(at(cfg, key), key):
            topk = node.get('topk', 1)
            most = max(topk) if isinstance(topk, (list, tuple)) else topk
            if type(classes) is type(most) is int and most > classes > 0:
                yield (
                    f'{place}.topk has {most}, model.head has '
                    f'num_classes={classes}: leave {most} out.'
                )


def _endless(cfg: Config, phases: Sequence[str]) -> Iterator[str]:
    """Find epochs, as each validation and test is one, that never end."""
    for phase in phases:
        sampler = str(at(cfg, f'{phase}_dataloader.sampler.type'))
        in_epochs = at(cfg, 'train_cfg.max_epochs') is not None
        if 'InfiniteSampler' in sampler and (phase != 'train' or in_epochs):
            yield (
                f'{phase}_dataloader.sampler is an InfiniteSampler, whose '
                'epochs never end: take a DefaultSampler, or count a training '
                'in iterations.'
            )


def _numbers(cfg: Config) -> Iterator[str]:
    """Find numbers with which a training does nothing or goes wrong."""
    for key in (*POSITIVE, *NO_TEXT):
        value = at(cfg, key)
        # -1 is the hook's word for never; loops would validate each time.
        is_never = value == -1 and key.endswith('checkpoint.interval')
        if isinstance(value, str):
            yield f'{key} is {value!r}: write a number, True or False.'
        elif isinstance(value, Real) and key in POSITIVE and value <= 0:
            if not is_never:
                yield f'{key} is {value!r}: it must be above 0.'


def _without_effect(cfg: Config) -> Iterator[str]:
    """Find schedules and settings that would do nothing."""
    in_iterations = at(cfg, 'train_cfg.max_iters') is not None
    for place, node in dicts_in(cfg.get('param_scheduler'), 'param_scheduler'):
        in_epochs = node.get('by_epoch', True)
        unit = 'epochs' if in_epochs else 'iters'
        length = at(cfg, f'train_cfg.max_{unit}')
        begin = node.get('begin', 0)
        are_numbers = isinstance(begin, Real) and isinstance(length, Real)
        if node.get('end') is None and are_numbers and begin >= length:
            yield (
                f'{place} begins at {begin}, and the training ends at '
                f'{length}: set its length by --{unit}, which scales the '
                'schedule.'
            )
        in_epochs = in_epochs and not node.get('convert_to_iter_based')
        if in_iterations and in_epochs:
            yield (
                f'{place} counts epochs, the training iterations: write '
                'by_epoch=False, and its `end` in iterations.'
            )
    begin = at(cfg, 'train_cfg.val_begin')
    length = at(cfg, f'train_cfg.max_{"iters" if in_iterations else "epochs"}')
    are_numbers = isinstance(begin, Real) and isinstance(length, Real)
    if cfg.get('val_cfg') is not None and are_numbers and begin > length:
        yield (
            f'train_cfg.val_begin is {begin}, and the training ends at '
            f'{length}: nothing would be validated; give a smaller one.'
        )
    for key, node in (at(cfg, MULTIPLIERS) or {}).items():
        for part, value in node.items() if hasattr(node, 'items') else ():
            if isinstance(value, dict):  # an option is cut at its dots
                yield (
                    f'{MULTIPLIERS}.{key}.{part} has no effect: write '
                    f'{MULTIPLIERS}="{{\'{key}.{part}\': {value}}}".'
                )
    rate = at(cfg, 'optim_wrapper.paramwise_cfg.layer_decay_rate')
    if rate is not None and not at(cfg, 'optim_wrapper.constructor'):
        yield (
            'optim_wrapper.paramwise_cfg.layer_decay_rate needs '
            "constructor='LearningRateDecayOptimWrapperConstructor'."
        )


def _other_engines(cfg: Config) -> Iterator[str]:
    """Find ways of training in which no run could go on exactly."""
    kinds = {'runner_type': '', 'model_wrapper_cfg.type': 'FullySharded'}
    for key, refused in kinds.items():
        kind = at(cfg, key)
        if kind is not None and refused in str(kind):
            yield (
                f'{key}={kind} is not supported: other runners, FSDP and '
                'DeepSpeed keep checkpoints of their own. Leave it out; '
                'several GPUs train by `bash tools/dist_train.sh`.'
            )
