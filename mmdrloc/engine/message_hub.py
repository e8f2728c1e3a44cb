"""Messages that no training step waits for."""

from typing import Any, Dict, List, Tuple

import torch
from mmengine.logging import HistoryBuffer, MessageHub
from torch import Tensor


class DeferringMessageHub(MessageHub):
    """A message hub that takes numbers from the device when they are read.

    MMEngine's reads each logged loss at once, so that each iteration waits
    until the device has computed it. Here they stay where they are until
    somebody asks for one of them: at the logging interval, at a checkpoint.
    Then all come over in one piece, the same to the last digit.
    """

    def __init__(self, name: str, **kwargs: Any) -> None:
        super().__init__(name, **kwargs)
        #: Copies in float64, which holds the other types' values exactly.
        self._waiting: Dict[str, List[Tuple[Tensor, int, bool]]] = {}

    def update_scalar(
        self, key: str, value: Any, count: int = 1, resumed: bool = True
    ) -> None:
        """Add a value; see :meth:`MessageHub.update_scalar`."""
        if (
            isinstance(value, Tensor)
            and value.is_floating_point()
            and value.numel() == 1
        ):
            # What logged it may write over it.
            kept = value.detach().reshape(()).to(torch.float64, copy=True)
            self._waiting.setdefault(key, []).append((kept, count, resumed))
            return
        if key in self._waiting:
            self._read()
        super().update_scalar(key, value, count, resumed)

    @property
    def log_scalars(self) -> Dict[str, HistoryBuffer]:
        """All values; see :meth:`MessageHub.log_scalars`."""
        self._read()
        return super().log_scalars

    def get_scalar(self, key: str) -> HistoryBuffer:
        """The values of a name; see :meth:`MessageHub.get_scalar`."""
        # A timer asks for its own ones in each iteration.
        if key in self._log_scalars and key not in self._waiting:
            return self._log_scalars[key]
        return super().get_scalar(key)

    def state_dict(self) -> Dict[str, Any]:
        """What a checkpoint keeps; see :meth:`MessageHub.state_dict`."""
        self._read()
        return super().state_dict()

    def _read(self) -> None:
        """Bring over what waits; the only place that waits for the device."""
        waiting, self._waiting = self._waiting, {}
        updates = [
            (key, *update) for key, some in waiting.items() for update in some
        ]
        if not updates:
            return
        device = updates[0][1].device
        stacked = torch.stack([value.to(device) for _, value, *_ in updates])
        for (key, _, count, resumed), value in zip(updates, stacked.tolist()):
            super().update_scalar(key, value, count, resumed)


# Whoever asks MMEngine's class for the current hub gets ours.
DeferringMessageHub._instance_dict = MessageHub._instance_dict
