"""A whole training step, with and without the loss: the supplement's Table 14.

From bytes on the host to updated weights: copy, normalisation, mixing,
forward and backward pass, clipping, optimizer.
"""

from copy import deepcopy
from typing import Dict, NamedTuple, Optional, Sequence, Tuple

import torch
from mmengine.config import Config
from mmengine.optim import build_optim_wrapper
from mmengine.registry import init_default_scope
from mmpretrain.registry import MODELS
from mmpretrain.structures import DataSample

from mmdrloc.apis.settings import set_amp
from mmdrloc.errors import UsageError
from .outcome import Outcome, Table
from .timing import Spread, ratios, spread, time_interleaved

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
        batch_size (int): Images.
        device (torch.device): Where to compute.
        amp (bool): As ``--amp`` of tools/train.py. Defaults to False.

    Raises:
        UsageError: If the config is of no classifier, or ``amp`` cannot be.
    """

    def __init__(
        self,
        cfg: Config,
        batch_size: int,
        device: torch.device,
        amp: bool = False,
    ) -> None:
        if cfg.get('default_scope') != 'mmpretrain':
            raise UsageError(
                f'{cfg.filename} is no classifier: give a config with '
                "default_scope = 'mmpretrain'"
            )
        cfg = deepcopy(cfg)
        if amp:
            set_amp(cfg)
        init_default_scope('mmpretrain')
        self.batch_size = batch_size
        self.device = device
        model = dict(data_preprocessor=cfg.data_preprocessor, **cfg.model)
        self._model = MODELS.build(model).to(device)
        self._model.train()
        self._optim_wrapper = build_optim_wrapper(
            self._model, cfg.optim_wrapper
        )
        # As MMEngine's runner does.
        if cfg.get('compile'):
            self._model.train_step = torch.compile(self._model.train_step)
        self._images = torch.randint(
            256,
            (batch_size, 3, IMAGE_SIZE, IMAGE_SIZE),
            dtype=torch.uint8,
            pin_memory=device.type == 'cuda',
        )

    def __call__(self) -> Dict[str, torch.Tensor]:
        """Take the step.

        Returns:
            dict[str, Tensor]: What training logs.
        """
        # New samples: mixing writes into them.
        samples = [
            DataSample().set_gt_label(0) for _ in range(self.batch_size)
        ]
        return self._model.train_step(
            dict(inputs=self._images, data_samples=samples),
            self._optim_wrapper,
        )


def compare_steps(
    twins: Sequence[Tuple[str, Config, Config]],
    batch_size: int,
    rounds: int,
    device: torch.device,
    amp: bool = False,
) -> Outcome:
    """Time twins, one pair of them at a time.

    Args:
        twins (Sequence[tuple[str, Config, Config]]): Name, baseline, and
            the same with the loss.
        batch_size (int): Images a step.
        rounds (int): Steps of each that count.
        device (torch.device): Where to compute.
        amp (bool): As ``--amp`` of tools/train.py. Defaults to False.

    Returns:
        Outcome: With one table, in the shape of Table 14.
    """
    rows, all_seconds = [], {}
    for name, *configs in twins:
        steps = {
            title: TrainingStep(cfg, batch_size, device, amp)
            for title, cfg in zip(('without', 'with'), configs)
        }
        seconds = time_interleaved(steps, rounds, device, name)
        without, with_loss = seconds['without'], seconds['with']
        extra = Spread(*(r - 1 for r in ratios(with_loss, without)))
        rows.append(
            [
                name,
                spread(without).text(digits=3),
                spread(with_loss).text(digits=3),
                extra.text(100),
                _published(TABLE_14.get(name)),
            ]
        )
        all_seconds.update({f'{name}, {k}': v for k, v in seconds.items()})
    return Outcome(
        'A training step with and without the loss',
        dict(
            batch_size=batch_size,
            image_size=IMAGE_SIZE,
            amp=amp,
            rounds=rounds,
            device=str(device),
        ),
        [
            Table(
                'Seconds a batch',
                [
                    'config',
                    'without',
                    'with',
                    'extra (%)',
                    'published (supplement, Table 14)',
                ],
                rows,
                all_seconds,
            )
        ],
    )


def _published(row: Optional[Published]) -> str:
    if row is None:
        return ''
    return (
        f'{row.without_s:.4f} and {row.with_s:.4f} s, '
        f'{row.extra_percent():+.2f} %'
    )
