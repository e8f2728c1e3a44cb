"""Check data and model before a run; try a training and a validation step."""

from mmengine.hooks import Hook
from mmengine.runner import Runner

from mmdrloc.preflight.dry_run import dry_run
from mmdrloc.preflight.runner import check_runner
from mmdrloc.registry import HOOKS
from mmdrloc.utils.batch_size import (
    accumulative_counts,
    global_batch,
    is_iter_based,
    iterations_per_epoch,
    updates,
)
from mmdrloc.utils.errors import counted


@HOOKS.register_module()
class PreflightHook(Hook):
    """Refuses what cannot work; logs batch size, learning rate and updates.

    It warns if the config's learning rate is meant for another global batch
    size.
    """

    # After CheckpointHook has found its folder; before ResultHook writes.
    priority = 'VERY_LOW'

    def before_run(self, runner: Runner) -> None:
        """Check datasets and model against each other."""
        check_runner(runner)

    def before_train(self, runner: Runner) -> None:
        """Try a step of each loop; log batch, learning rate and updates."""
        batch = global_batch(runner)
        rates = [
            group.get('initial_lr', group['lr'])  # before any schedule
            for group in runner.optim_wrapper.optimizer.param_groups
        ]
        rate = ' to '.join(f'{r:g}' for r in sorted({min(rates), max(rates)}))
        per_epoch = updates(runner, iterations_per_epoch(runner))
        runner.logger.info(
            f'Global batch size: {batch} images; learning rate {rate}; '
            f'{counted(per_epoch, "update")} an epoch, '
            f'{updates(runner, runner.max_iters)} in all.'
        )
        counts, iters = accumulative_counts(runner), runner.max_iters
        has_own_length = (runner.cfg.get('run') or {}).get('length')
        if counts > 1 and is_iter_based(runner) and not has_own_length:
            runner.logger.warning(
                f'accumulative_counts={counts}: {iters} iterations are '
                f'{updates(runner, iters)} updates. With --iters '
                f'{iters * counts} there are as many as without it.'
            )
        for number, scheduler in enumerate(runner.param_schedulers or ()):
            in_epochs = scheduler.by_epoch
            length = runner.max_epochs if in_epochs else runner.max_iters
            first = getattr(scheduler, 'start_factor', 1)
            is_rising = first < getattr(scheduler, 'end_factor', 1)
            if is_rising and scheduler.end > length:
                runner.logger.warning(
                    f'The warm-up ends at {scheduler.end}, the training at '
                    f'{length}: the learning rate never reaches {rate}. '
                    f'Shorten `end` of param_scheduler[{number}], or train '
                    'longer.'
                )
        scaling = runner.cfg.get('auto_scale_lr') or {}
        meant_for = scaling.get('base_batch_size', batch)
        if meant_for != batch and not scaling.get('enable'):
            runner.logger.warning(
                f'The learning rate is meant for a global batch of '
                f'{meant_for}, this run has {batch}: scale it with '
                '--cfg-options auto_scale_lr.enable=True.'
            )
        dry_run(runner)
