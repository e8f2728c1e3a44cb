"""The Runner that the command lines train and test with."""

from pathlib import Path
from typing import Any, Dict, Optional, Union

from mmengine.dist import is_main_process
from mmengine.fileio import LocalBackend, get_file_backend
from mmengine.optim import OptimWrapper
from mmengine.runner import Runner
from torch.utils.data import DataLoader

from mmdrloc.budget import accumulative_counts
from mmdrloc.checks.findings import first_line
from mmdrloc.errors import UsageError, cannot_write
from mmdrloc.files import atomic_path, require_space
from mmdrloc.saved import checkpoints
from .signals import shield_workers


class DataCheckingRunner(Runner):
    """A Runner that loses nothing.

    Data that cannot be read and checkpoints that cannot be written are the
    user's matter. A checkpoint has its name once it is complete and on the
    disk, and workers outlast the signals that end a training.
    """

    @staticmethod
    def build_dataloader(
        dataloader: Union[DataLoader, dict], *args: Any, **kwargs: Any
    ) -> DataLoader:
        """Build a loader; see :meth:`Runner.build_dataloader`.

        Raises:
            UsageError: With the first line of what the data set found.
        """
        try:
            loader = Runner.build_dataloader(dataloader, *args, **kwargs)
            return shield_workers(loader)
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

    def save_checkpoint(
        self,
        out_dir: str,
        filename: str,
        file_client_args: Optional[dict] = None,
        **kwargs: Any,
    ) -> None:
        """Write a checkpoint or none; see :meth:`Runner.save_checkpoint`.

        Raises:
            UsageError: If the disk is full or closed to writing.
        """
        if not is_main_process():
            return
        save = super().save_checkpoint
        backend_args = kwargs.get('backend_args')
        backend = get_file_backend(str(out_dir), backend_args=backend_args)
        if file_client_args or not isinstance(backend, LocalBackend):
            save(out_dir, filename, file_client_args, **kwargs)
            return
        path = Path(out_dir, filename)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            sizes = [old.stat().st_size for old in checkpoints(path.parent)]
            require_space(path.parent, max(sizes, default=0))
            with atomic_path(path) as temporary:
                save(out_dir, temporary.name, **kwargs)
        except OSError as error:
            raise UsageError(
                f'{path} could not be written: {cannot_write(error)} '
                'The training goes on with --resume.'
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
