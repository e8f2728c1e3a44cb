"""The last look before training, and what is about to be computed."""

from mmengine.hooks import Hook
from mmengine.runner import Runner

from mmdrloc.preflight import check_runner
from mmdrloc.registry import HOOKS
from mmdrloc.utils.batch_size import (
    accumulative_counts,
    batch_size,
    global_batch,
    iterations_per_epoch,
    updates,
)


@HOOKS.register_module()
class PreflightHook(Hook):
    """Refuse what cannot work; say what will be computed.

    Before anything runs, the data sets and the model are checked against
    each other, and every finding is an error. Before training, the batch
    that enters an update, the learning rate and the number of updates are
    logged, with a warning if the config's learning rate was meant for
    another batch.
    """

    # Before hooks that would trip over the same faults.
    priority = 'VERY_HIGH'

    def before_run(self, runner: Runner) -> None:
        """Check the data sets, the model, the batches and the disk.

        Raises:
            UsageError: With all findings.
        """
        check_runner(runner)

    def before_train(self, runner: Runner) -> None:
        """Log batch, learning rate and updates."""
        batch = global_batch(runner)
        runner.logger.info(
            f'Global batch: {batch} images an update '
            f'({runner.world_size} process(es) x '
            f'{batch_size(runner.train_dataloader)} images x '
            f'{accumulative_counts(runner)} accumulated); '
            f'learning rate {_learning_rate(runner):g}.'
        )
        per_epoch = updates(runner, iterations_per_epoch(runner))
        runner.logger.info(
            f'Updates: {per_epoch} an epoch, '
            f'{updates(runner, runner.max_iters)} in all.'
        )
        self._compare_with_reference(runner, batch)

    def _compare_with_reference(self, runner: Runner, batch: int) -> None:
        scaling = runner.cfg.get('auto_scale_lr') or {}
        reference = scaling.get('base_batch_size')
        if reference in (None, batch) or scaling.get('enable'):
            return
        runner.logger.warning(
            f'The learning rate of this config was chosen for {reference} '
            f'images an update, this run takes {batch}: scale it with '
            '--auto-scale-lr, or set optim_wrapper.optimizer.lr.'
        )


def _learning_rate(runner: Runner) -> float:
    """The highest one of all parameter groups, before any schedule."""
    groups = runner.optim_wrapper.param_groups
    return max(group.get('initial_lr', group['lr']) for group in groups)
