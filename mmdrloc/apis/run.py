"""A run as its work_dir tells it, begun or finished."""

from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple, Union

from mmdrloc.checkpoints.saved import PUBLISHED, last_checkpoint
from mmdrloc.reporting.report import report
from mmdrloc.reporting.runs import (
    RESULT,
    RunResult,
    curves_in,
    load_runs,
    read_result,
)
from mmdrloc.reporting.tables import task_table
from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.paths import Place, find_recipe


class Run:
    """A training; in a notebook it shows itself as a table.

    Its folder is read at each access, so it follows a training that goes on.
    Metrics of what was never validated raise a :class:`UsageError`.

    Args:
        folder (str | Path): The work_dir.
    """

    def __init__(self, folder: Place) -> None:
        self.folder = Path(folder).expanduser()

    @property
    def result(self) -> Dict[str, Any]:
        """All that its ``result.json`` says."""
        return read_result(self.folder / RESULT)

    @property
    def metrics(self) -> Dict[str, float]:
        """Each metric after the last iteration, by the evaluators' names."""
        last = self._loaded().result['last']
        return {name: one['value'] for name, one in last.items()}

    @property
    def checkpoint(self) -> Optional[Path]:
        """The last complete checkpoint; None if there is none."""
        return last_checkpoint(self.folder)

    @property
    def config_file(self) -> Path:
        """The whole config of the run, with its data and weights."""
        return self.folder / Path(self.result['config']['path'] or '').name

    def curve(self, name: str = 'loss') -> Tuple[List[int], List[float]]:
        """Iterations and values of a scalar, such as 'loss_cls'."""
        points = curves_in(self.folder).get(name, [])
        return [step for step, _ in points], [value for _, value in points]

    def report(self, out: Optional[Place] = None) -> Path:
        """Write tables and curves, by default ``report.md`` in its folder."""
        return report([self], out or self.folder / 'report.md')

    def __repr__(self) -> str:
        """A table, once there is something to be shown in it."""
        try:
            return task_table([self._loaded()], {})
        except UsageError as error:
            return str(error)

    _repr_markdown_ = __repr__

    def _loaded(self) -> RunResult:
        """What tables, curves and reports are made of."""
        [loaded] = load_runs([self.folder])
        return loaded


def config_and_checkpoint(
    source: Union[Place, Run], checkpoint: Optional[Place] = None
) -> Tuple[Path, Place]:
    """Find config and checkpoint of a run, a published folder or a config."""
    place = source.folder if isinstance(source, Run) else source
    folder = Path(place).expanduser()
    if not folder.is_dir():
        if checkpoint is None:
            raise UsageError(
                f'{source} is no folder of a run: give one, or a checkpoint '
                'beside the config.'
            )
        return find_recipe(place), checkpoint
    if (folder / RESULT).is_file():
        config, found = Run(folder).config_file, last_checkpoint(folder)
    else:
        config, found = folder / 'config.py', folder / PUBLISHED
        if not (config.is_file() and found.is_file()):
            raise UsageError(
                f'{folder} is no run and no published model: it has neither '
                f'{RESULT} nor {config.name} and {found.name}.'
            )
    if checkpoint is None and found is None:
        raise UsageError(
            f'{folder} holds no complete checkpoint: give one, or train it '
            'again with --overwrite.'
        )
    return config, checkpoint or found
