"""The Runner that the command lines train and test with."""

from contextlib import contextmanager
from typing import Any, Dict, Iterator, Optional, Union

from mmengine.config import Config
from mmengine.optim import OptimWrapper
from mmengine.runner import Runner
from torch import nn
from torch.utils.data import DataLoader

from mmdrloc.budget import accumulative_counts
from mmdrloc.checks import building_explained
from mmdrloc.checks.findings import first_line
from mmdrloc.errors import UsageError, unforeseen_in_one_sentence


class DataCheckingRunner(Runner):
    """A Runner to whom what cannot be built or read is the user's matter."""

    #: What has been called: building ends with the first, preparing with the
    #: first iteration.
    is_built = False
    is_prepared = False

    @classmethod
    def from_cfg(cls, cfg: Config) -> 'DataCheckingRunner':
        """Build a runner; see :meth:`Runner.from_cfg`.

        Raises:
            UsageError: With all that cannot be built.
        """
        with building_explained(cfg):
            return super().from_cfg(cfg)

    def train(self) -> nn.Module:
        """Train; see :meth:`Runner.train`.

        Raises:
            UsageError: With all that cannot be built, or with what else
                comes up before the first update.
        """
        with self._prepared():
            return super().train()

    def test(self) -> Dict[str, float]:
        """Test; see :meth:`Runner.test`.

        Raises:
            UsageError: With all that cannot be built, or with what else
                comes up before the first batch is done.
        """
        with self._prepared():
            return super().test()

    def call_hook(self, fn_name: str, **kwargs: Any) -> None:
        """Call all hooks; see :meth:`Runner.call_hook`."""
        if fn_name == 'before_run':
            self.is_built = True
        elif fn_name in ('after_train_iter', 'after_test_iter'):
            self.is_prepared = True
        super().call_hook(fn_name, **kwargs)

    @contextmanager
    def _prepared(self) -> Iterator[None]:
        with (
            unforeseen_in_one_sentence(
                self.work_dir, lambda: self.is_prepared
            ),
            building_explained(self.cfg, lambda: self.is_built),
        ):
            yield

    @staticmethod
    def build_dataloader(
        dataloader: Union[DataLoader, dict], *args: Any, **kwargs: Any
    ) -> DataLoader:
        """Build a loader; see :meth:`Runner.build_dataloader`.

        Raises:
            UsageError: With the first line of what the data set found.
        """
        try:
            return Runner.build_dataloader(dataloader, *args, **kwargs)
        except (AssertionError, OSError, RuntimeError, ValueError) as error:
            reason = first_line(error)
            if 'at least one array' in reason:  # MMEngine packs an empty list
                reason = (
                    'it holds no image after filtering, compare the '
                    'class names in its metainfo with the annotations'
                )
            kind = dataloader['dataset']['type']
            raise UsageError(
                f'the data set ({kind}) cannot be built: {reason}'
            ) from error

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
