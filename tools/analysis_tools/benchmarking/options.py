"""What makes a training step faster, option by option, beside timm's step.

An option is what a user would write into the config, and nothing else.
"""

from copy import deepcopy
from typing import Any, Dict, List, Sequence, Tuple

from mmengine.config import Config

from .outcome import Outcome, Table
from .step import IMAGE_SIZE, TrainingStep
from .timing import Setting, ratios, spread, time_interleaved

STOCK, ALL, TIMM = 'stock', 'all of them', 'timm'
TIMM_SWIN_TINY = 'swin_tiny_patch4_window7_224'


# Settings as for `--cfg-options`.
OPTIONS: Dict[str, Dict[str, Any]] = {
    'fused': {'optim_wrapper.optimizer.fused': True},
    'compile': {'compile': True},
    # CUDA graphs, for networks whose kernels take less time than their start.
    'graphs': {'compile': {'mode': 'reduce-overhead'}},
}


def with_options(cfg: Config, names: Sequence[str]) -> Config:
    """A copy of a config with several of ``OPTIONS``."""
    cfg = deepcopy(cfg)
    for name in names:
        cfg.merge_from_dict(OPTIONS[name])
    return cfg


def timm_swin_tiny(cfg: Config) -> Config:
    """A copy of a Swin-T's config with timm's network, the rest the same."""
    cfg = deepcopy(cfg)
    old = cfg.model
    cfg.model = dict(
        type='TimmClassifier',
        model_name=TIMM_SWIN_TINY,
        num_classes=old.head.num_classes,
        drop_path_rate=old.backbone.get('drop_path_rate', 0.1),
        loss=old.head.loss,
        train_cfg=old.get('train_cfg'),
    )
    return cfg


def compare_options(
    name: str, cfg: Config, options: Sequence[str], setting: Setting
) -> Outcome:
    """Time a training step with each option, with all, and timm's Swin-T.

    Args:
        name (str): Of the config.
        cfg (Config): Of a classifier.
        options (Sequence[str]): Names of ``OPTIONS``.
        setting (Setting): In mixed precision, the stock step is also measured
            without.

    Returns:
        Outcome: With one table; an option that this machine does not have is
        a row that says why.
    """
    steps, missing = _build_steps(cfg, options, setting)
    seconds = time_interleaved(steps, setting.rounds, setting.device, name)
    rows = [
        [
            title,
            _lines(title),
            spread(values).text(digits=3),
            ratios(values, seconds[STOCK]).text(digits=3),
        ]
        for title, values in seconds.items()
    ]
    header = ['step', 'in the config', 's', f'of {STOCK}']
    return Outcome(
        f'Options of a training step: {name}',
        dict(setting.told(), image_size=IMAGE_SIZE),
        [Table('Seconds a batch', header, rows + missing, seconds)],
    )


def _lines(title: str) -> str:
    settings = OPTIONS.get(title, {})
    return ', '.join(f'`{key}={value!r}`' for key, value in settings.items())


def _build_steps(
    cfg: Config, options: Sequence[str], setting: Setting
) -> Tuple[Dict[str, TrainingStep], List[List[str]]]:
    """The contenders, and a row for each option that cannot be had."""
    steps: Dict[str, TrainingStep] = {}
    missing: List[List[str]] = []
    if setting.amp:
        plain = setting._replace(amp=False)
        steps[f'{STOCK}, float32'] = TrainingStep(cfg, plain)
    steps[STOCK] = TrainingStep(cfg, setting)
    there: List[str] = []
    for option in options:
        try:
            step = TrainingStep(with_options(cfg, [option]), setting)
            step()  # compiles
        # Not all optimizers are fused, not all is compiled.
        except (TypeError, RuntimeError) as error:
            reason = str(error).strip().split('\n')[0]
            missing.append([option, _lines(option), f'not here: {reason}', ''])
        else:
            steps[option] = step
            there.append(option)
    if len(there) > 1:
        steps[ALL] = TrainingStep(with_options(cfg, there), setting)
    kind = cfg.model.backbone.type.rpartition('.')[2]
    if (kind, cfg.model.backbone.get('arch')) == ('SwinTransformer', 'tiny'):
        steps[TIMM] = TrainingStep(timm_swin_tiny(cfg), setting)
    return steps, missing
