"""The Runner that the command lines train and test with."""

from typing import Any, Dict, Optional, Union

from mmengine.optim import OptimWrapper
from mmengine.runner import Runner
from torch.utils.data import DataLoader

from mmdrloc.budget import accumulative_counts
from mmdrloc.checks.findings import first_line, refuse
from mmdrloc.checks.resources import no_batches
from mmdrloc.errors import UsageError


class DataCheckingRunner(Runner):
    """A Runner to whom data that cannot be read is the user's matter."""

    @staticmethod
    def build_dataloader(
        dataloader: Union[DataLoader, dict], *args: Any, **kwargs: Any
    ) -> DataLoader:
        """Build a loader; see :meth:`Runner.build_dataloader`.

        Raises:
            UsageError: With the first line of what the data set found, or
                if there is not one batch.
        """
        try:
            loader = Runner.build_dataloader(dataloader, *args, **kwargs)
        except (
            AssertionError,
            LookupError,
            OSError,
            RuntimeError,
            TypeError,
            ValueError,
            ZeroDivisionError,
        ) as error:
            reason = first_line(error)
            if isinstance(error, (LookupError, TypeError)):
                reason = f'{type(error).__name__}: {reason}'
            if 'at least one array' in reason:  # MMEngine packs an empty list
                reason = (
                    'it holds no image after filtering, compare the '
                    'class names in its metainfo with the annotations, and '
                    'look at its `indices`'
                )
            kind = dataloader['dataset']['type']
            raise UsageError(
                f'the data set ({kind}) cannot be built: {reason}'
            ) from error
        refuse(no_batches(loader))
        return loader

    def scale_lr(
        self,
        optim_wrapper: OptimWrapper,
        auto_scale_lr: Optional[Dict[str, Any]] = None,
    ) -> None:
        """Count accumulated gradients too; see :meth:`Runner.scale_lr`.

        MMEngine compares the images of one iteration with the reference.
        With accumulation that is a part of an update, so it is to be
        compared with the same part of the reference.
        """
        if auto_scale_lr is not None and auto_scale_lr.get('enable'):
            parts = accumulative_counts(self)
            base = auto_scale_lr['base_batch_size'] / parts
            auto_scale_lr = dict(auto_scale_lr, base_batch_size=base)
        super().scale_lr(optim_wrapper, auto_scale_lr)
