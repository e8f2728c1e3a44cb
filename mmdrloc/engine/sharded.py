"""Models of which each process holds a part (FSDP)."""

from contextlib import contextmanager
from typing import Any, Dict, Iterator

from mmengine._strategy import FSDPStrategy as MMEngineFSDPStrategy
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel

from mmdrloc.registry import STRATEGIES

# As one process writes them. MMEngine's 'full' moves them to the processors
# first, which crashes where they are already.
WHOLE = dict(
    state_dict_type='FULL_STATE_DICT',
    state_dict_config=dict(type='FullStateDictConfig'),
    optim_state_dict_config=dict(
        type='FullOptimStateDictConfig', offload_to_cpu=False
    ),
)


@STRATEGIES.register_module()
class FSDPStrategy(MMEngineFSDPStrategy):
    """MMEngine's strategy, with whole checkpoints from which it goes on.

    Args:
        state_dict_cfg (dict): What a checkpoint holds; see MMEngine. Defaults
            to what one process would write.
        **kwargs: As in MMEngine's.
    """

    def __init__(
        self, *, state_dict_cfg: Dict[str, Any] = WHOLE, **kwargs: Any
    ) -> None:
        super().__init__(state_dict_cfg=state_dict_cfg, **kwargs)

    def load_optim_state_dict(self, state_dict: Dict[str, Any]) -> None:
        """Load in the order of arguments that PyTorch has since 2.1.

        Args:
            state_dict (dict): Of the whole optimizer.
        """
        state = FullyShardedDataParallel.optim_state_dict_to_load(
            model=self.model,
            optim=self.optim_wrapper.optimizer,
            optim_state_dict=state_dict,
        )
        self.optim_wrapper.load_state_dict(state)


def is_sharded(model: nn.Module) -> bool:
    """Whether a process holds only a part of a model.

    Args:
        model (nn.Module): A runner's.

    Returns:
        bool: Whether FSDP wraps it.
    """
    return isinstance(model, FullyShardedDataParallel)


@contextmanager
def whole(model: nn.Module) -> Iterator[None]:
    """Have all of a model in each process, to look at.

    Args:
        model (nn.Module): A runner's; all processes come here together.
    """
    if not is_sharded(model):
        yield
        return
    with FullyShardedDataParallel.summon_full_params(model, writeback=False):
        yield
