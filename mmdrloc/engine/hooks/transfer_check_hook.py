"""The proof that a carried backbone has arrived."""

from pathlib import Path
from typing import Any, Dict, Optional, Sequence

from mmengine.hooks import Hook
from mmengine.model import is_model_wrapper
from mmengine.runner import Runner
from mmengine.runner.base_loop import BaseLoop
from torch import Tensor, nn

from mmdrloc.errors import UsageError
from mmdrloc.models.pretrained import pretrained_entries
from mmdrloc.reading import load_checkpoint, local_file
from mmdrloc.registry import HOOKS
from mmdrloc.transfer import Audit, audit_state_dict


@HOOKS.register_module()
class TransferCheckHook(Hook):
    """Refuse to train when the backbone's weights did not all arrive.

    The libraries' own loaders do not mind loading nothing. After the model
    is initialised, every tensor of ``model.backbone`` is compared with the
    checkpoint in its ``init_cfg``.

    Args:
        expected_missing (Sequence[str]): Beginnings of the names (without
            ``backbone.``) that the checkpoint cannot have, like ``norm0.``,
            the norms that detectors add. Defaults to ().
        made_by (str, optional): The command that makes the checkpoint, for
            the message when it is absent. Defaults to None.
    """

    def __init__(
        self,
        expected_missing: Sequence[str] = (),
        made_by: Optional[str] = None,
    ) -> None:
        self.expected_missing = tuple(expected_missing)
        self.made_by = made_by

    def before_run(self, runner: Runner) -> None:
        """Look into the checkpoint before the model is initialised from it.

        Args:
            runner (Runner): The runner; nothing is asked of a test.

        Raises:
            UsageError: If the backbone names no checkpoint, or it is absent
                or does not fit.
        """
        if not isinstance(runner._train_loop, BaseLoop):
            return
        backbone = _backbone(runner)
        init_cfg = _init_cfg(backbone)
        checkpoint = init_cfg['checkpoint']
        if '://' not in checkpoint and not Path(checkpoint).exists():
            cure = (
                f'make it with `{self.made_by}`'
                if self.made_by
                else 'correct the path in the config'
            )
            raise UsageError(
                f'model.backbone starts from {checkpoint}, which is not '
                f'there: {cure}.'
            )
        if getattr(backbone, 'convert_weights', False):
            raise UsageError(
                'model.backbone has convert_weights=True, which is for '
                "Microsoft's own files: set it to False, and carry those "
                'with tools/transfer.py.'
            )
        audit = audit_state_dict(
            backbone.state_dict(), _source(init_cfg), self.expected_missing
        )
        # Nothing is loaded yet: other values are as they should be.
        audit.different.clear()
        _refuse_faults(audit, init_cfg)

    def before_train(self, runner: Runner) -> None:
        """Compare every tensor of the backbone with the checkpoint.

        Args:
            runner (Runner): With the model initialised.

        Raises:
            UsageError: If a tensor did not arrive as it should.
        """
        if runner.iter > 0:
            runner.logger.info(
                'Resumed: the backbone has been trained since '
                'it was loaded, the transfer is not checked.'
            )
            return
        backbone = _backbone(runner)
        init_cfg = _init_cfg(backbone)
        audit = audit_state_dict(
            backbone.state_dict(), _source(init_cfg), self.expected_missing
        )
        _refuse_faults(audit, init_cfg)
        runner.logger.info(_confirmation(audit))


def _backbone(runner: Runner) -> nn.Module:
    model = runner.model
    model = model.module if is_model_wrapper(model) else model
    return model.backbone


def _init_cfg(backbone: nn.Module) -> Dict[str, Any]:
    """The backbone's Pretrained entry."""
    for entry in pretrained_entries(getattr(backbone, 'init_cfg', None)):
        return entry
    raise UsageError(
        'model.backbone has no pretrained weights to check: give it '
        "init_cfg=dict(type='Pretrained', checkpoint='...', "
        "prefix='backbone.'), or remove mmdrloc.TransferCheckHook."
    )


def _source(init_cfg: Dict[str, Any]) -> Dict[str, Tensor]:
    """The checkpoint's tensors under the backbone's names.

    Raises:
        UsageError: If the libraries' loaders would find none.
    """
    # mmdet's Swin takes no prefix and reads `backbone.` by itself.
    prefix = (init_cfg.get('prefix') or 'backbone.').rstrip('.') + '.'
    path = init_cfg['checkpoint']
    # As the loaders do, which look nowhere else and strip nothing.
    weights = load_checkpoint(local_file(path)).get('state_dict', {})
    source = {
        name[len(prefix) :]: tensor
        for name, tensor in weights.items()
        if name.startswith(prefix)
    }
    if not source:
        raise UsageError(
            f'{path} has no tensors named {prefix}*: carry it with '
            'tools/transfer.py, which knows the formats of checkpoints.'
        )
    return source


def _refuse_faults(audit: Audit, init_cfg: Dict[str, Any]) -> None:
    if not audit.faults:
        return
    cure = ''
    if audit.different and 'prefix' not in init_cfg:
        cure = " (init_cfg has no prefix: add prefix='backbone.')"
    raise UsageError(
        f'{init_cfg["checkpoint"]} does not arrive in model.backbone: '
        f'{audit.describe_faults()}{cure}.'
    )


def _confirmation(audit: Audit) -> str:
    total = sum(
        map(len, (audit.loaded, audit.computed, audit.expected_missing))
    )
    line = f'{len(audit.loaded)} of {total} tensors loaded and equal'
    if audit.computed:
        line += f'; {len(audit.computed)} computed by the network'
    if audit.expected_missing:
        modules = {name.rsplit('.', 1)[0] for name in audit.expected_missing}
        line += f'; expected to be missing: {", ".join(sorted(modules))}'
    return line
