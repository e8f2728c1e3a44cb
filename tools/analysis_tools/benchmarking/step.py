"""A whole training step, with and without the loss: the supplement's Table 14.

From bytes on the host to updated weights: copy, normalisation, mixing,
forward and backward pass, clipping, optimizer.
"""

from copy import deepcopy
from typing import Dict, NamedTuple, Sequence, Tuple

import torch
from mmengine.config import Config
from mmengine.optim import build_optim_wrapper
from mmengine.registry import init_default_scope
from mmpretrain.registry import MODELS
from mmpretrain.structures import DataSample

from mmdrloc.apis.settings import set_amp
from mmdrloc.utils.errors import UsageError
from .outcome import Outcome, Table
from .timing import Setting, Spread, ratios, spread, time_interleaved

IMAGE_SIZE = 224


class Published(NamedTuple):
    """A row of Table 14.

    Args:
        without_s (float): Seconds a batch without the loss.
        with_s (float): Seconds a batch with it.
    """

    without_s: float
    with_s: float

    def extra_percent(self) -> float:
        """What the loss adds."""
        return 100 * (self.with_s / self.without_s - 1)

    def text(self) -> str:
        """As a cell of a table."""
        seconds = f'{self.without_s:.4f} and {self.with_s:.4f} s'
        return f'{seconds}, {self.extra_percent():+.2f} %'


# Liu et al. (NeurIPS 2021), supplement, Table 14, CIFAR-100 on their GPUs.
TABLE_14: Dict[str, Published] = {
    'scratch_100e/cvt-13_drloc': Published(0.6037, 0.6184),
    'scratch_100e/swin-tiny_drloc': Published(0.6684, 0.6842),
    'scratch_100e/t2t-vit-14_drloc': Published(0.5941, 0.6046),
}


class TrainingStep:
    """Updates the model of a config on one batch of noise, again and again.

    Args:
        cfg (Config): Of a classifier; not changed.
        setting (Setting): Images, device and precision.

    Raises:
        UsageError: If the config is of no classifier, or mixed precision
            cannot be.
    """

    def __init__(self, cfg: Config, setting: Setting) -> None:
        if cfg.get('default_scope') != 'mmpretrain':
            raise UsageError(
                f'{cfg.filename} is no classifier: give a config with '
                "default_scope = 'mmpretrain'"
            )
        cfg = deepcopy(cfg)
        if setting.amp:
            set_amp(cfg)
        init_default_scope('mmpretrain')
        self.setting = setting
        model = dict(data_preprocessor=cfg.data_preprocessor, **cfg.model)
        self._model = MODELS.build(model).to(setting.device)
        self._model.train()
        self._optim_wrapper = build_optim_wrapper(
            self._model, cfg.optim_wrapper
        )
        # As MMEngine's runner does.
        wanted = cfg.get('compile')
        if wanted:
            options = wanted if isinstance(wanted, dict) else {}
            step = torch.compile(self._model.train_step, **options)
            self._model.train_step = step
        self._images = torch.randint(
            256,
            (setting.batch_size, 3, IMAGE_SIZE, IMAGE_SIZE),
            dtype=torch.uint8,
            pin_memory=setting.device.type == 'cuda',
        )

    def __call__(self) -> Dict[str, torch.Tensor]:
        """Take the step, and return what training logs."""
        # New samples: mixing writes into them.
        samples = [DataSample().set_gt_label(0) for _ in self._images]
        batch = dict(inputs=self._images, data_samples=samples)
        return self._model.train_step(batch, self._optim_wrapper)


def compare_steps(
    twins: Sequence[Tuple[str, Config, Config]], setting: Setting
) -> Outcome:
    """Time twins, one pair of them at a time.

    Args:
        twins (Sequence[tuple[str, Config, Config]]): Name, baseline, and
            the same with the loss.
        setting (Setting): Of all.

    Returns:
        Outcome: With one table, in the shape of Table 14.
    """
    rows, all_seconds = [], {}
    for name, *configs in twins:
        steps = {
            title: TrainingStep(cfg, setting)
            for title, cfg in zip(('without', 'with'), configs)
        }
        seconds = time_interleaved(steps, setting.rounds, setting.device, name)
        without, with_loss = seconds['without'], seconds['with']
        extra = Spread(*(r - 1 for r in ratios(with_loss, without)))
        rows.append(
            [
                name,
                spread(without).text(digits=3),
                spread(with_loss).text(digits=3),
                extra.text(100),
                TABLE_14[name].text() if name in TABLE_14 else '',
            ]
        )
        all_seconds.update({f'{name}, {k}': v for k, v in seconds.items()})
    header = ['config', 'without', 'with', 'extra (%)']
    header.append('published (supplement, Table 14)')
    return Outcome(
        'A training step with and without the loss',
        dict(setting.told(), image_size=IMAGE_SIZE),
        [Table('Seconds a batch', header, rows, all_seconds)],
    )
