"""A training that was begun or finished, as its work folder tells it."""

from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple, Union

from mmdrloc.checkpoints.saved import last_checkpoint
from mmdrloc.reporting import runs as records
from mmdrloc.reporting.report import report
from mmdrloc.reporting.runs import RECORD, read_result
from mmdrloc.reporting.tables import task_table
from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.paths import Place, find_recipe


class Run:
    """A training; in a notebook it shows itself as a table.

    Its folder is read anew each time: a training that goes on is followed.
    What was never validated raises :class:`UsageError`.

    Args:
        folder (str | Path): The work folder.
    """

    def __init__(self, folder: Place) -> None:
        self.folder = Path(folder)

    @property
    def result(self) -> Dict[str, Any]:
        """All that its ``result.json`` says."""
        return read_result(self.folder / RECORD)

    def record(self) -> records.Run:
        """What tables, curves and reports are made of."""
        [record] = records.load_runs([self.folder])
        return record

    @property
    def metrics(self) -> Dict[str, float]:
        """Each metric after the last iteration, by the evaluators' names."""
        last = self.record().result['last']
        return {name: one['value'] for name, one in last.items()}

    @property
    def checkpoint(self) -> Optional[Path]:
        """The last complete checkpoint; None if there is none."""
        return last_checkpoint(self.folder)

    @property
    def config_file(self) -> Path:
        """Where the whole config lies, data and weights settled."""
        return self.folder / Path(self.result['config']['path'] or '').name

    def curve(self, name: str = 'loss') -> Tuple[List[int], List[float]]:
        """Iterations and values of a scalar, such as 'loss_cls'."""
        points = records.curves_in(self.folder).get(name, [])
        return [step for step, _ in points], [value for _, value in points]

    def report(self, out: Optional[Place] = None) -> Path:
        """Write tables and curves, by default ``report.md`` in its folder."""
        return report([self], out or self.folder / 'report.md')

    def __repr__(self) -> str:
        """A table, once there is something to be shown in it."""
        try:
            return task_table([self.record()], {})
        except UsageError as error:
            return str(error)

    _repr_markdown_ = __repr__


def config_and_checkpoint(
    source: Union[Place, Run], checkpoint: Optional[Place] = None
) -> Tuple[Path, Path]:
    """What a trained model is built from."""
    place = source.folder if isinstance(source, Run) else source
    folder = Path(place)
    if not folder.is_dir():
        if checkpoint is None:
            raise UsageError(
                f'{source} is no folder of a run: give one, or a checkpoint '
                'beside the config.'
            )
        return find_recipe(place), Path(checkpoint)
    if (folder / RECORD).is_file():
        config, found = Run(folder).config_file, last_checkpoint(folder)
    else:
        from mmdrloc.export import published_files  # takes long to import

        config, found = published_files(folder)
    if checkpoint is not None:
        found = Path(checkpoint)
    if found is None:
        raise UsageError(f'{folder} holds no complete checkpoint.')
    return config, found
