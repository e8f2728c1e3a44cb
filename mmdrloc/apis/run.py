"""A training that was begun or finished, as its work folder tells it."""

from html import escape
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple, Union

import markdown
from mmengine.config import Config

from mmdrloc.checkpoints.reading import files_are_trusted, files_as_data
from mmdrloc.checkpoints.saved import last_checkpoint
from mmdrloc.datasets.recipes import find_recipe, read_config
from mmdrloc.reporting import runs as records
from mmdrloc.reporting.runs import read_result
from mmdrloc.reporting.tables import task_table
from mmdrloc.utils.errors import UsageError
from .reports import report

Place = Union[str, Path]


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
        return read_result(self.folder / 'result.json')

    def record(self) -> records.Run:
        """What tables, curves and reports are made of."""
        [record] = records.load_runs([self.folder])
        return record

    @property
    def metrics(self) -> Dict[str, float]:
        """Each metric after the last update, by the evaluators' names."""
        return {k: v['value'] for k, v in self.result['last'].items()}

    @property
    def best(self) -> Dict[str, float]:
        """Each metric's best value of all validations."""
        return {k: v['value'] for k, v in self.result['best'].items()}

    @property
    def checkpoint(self) -> Optional[Path]:
        """The last complete checkpoint; None if there is none."""
        return last_checkpoint(self.folder)

    @property
    def config(self) -> Config:
        """The whole config, data and weights settled."""
        with files_as_data(files_are_trusted()):
            return read_config(self.config_file)

    @property
    def config_file(self) -> Path:
        """Where the whole config lies."""
        return self.folder / Path(self.result['config']['path'] or '').name

    def curve(self, name: str = 'loss') -> Tuple[List[int], List[float]]:
        """What was logged in the course of training.

        Args:
            name (str): A scalar, such as 'loss_cls'. Defaults to 'loss'.

        Returns:
            tuple[list[int], list[float]]: Iterations and values.
        """
        points = records.curves_in(self.folder).get(name, [])
        return [step for step, _ in points], [value for _, value in points]

    def report(self, out: Optional[Place] = None) -> Path:
        """Write tables and curves.

        Args:
            out (str | Path, optional): A .md or .html file. Defaults to
                ``report.md`` in its folder.

        Returns:
            Path: The file.
        """
        return report([self], out or self.folder / 'report.md')

    def __repr__(self) -> str:
        """A table, once there is something to be shown in it."""
        try:
            result = self.result
            if result['validations']:
                return task_table([self.record()], {})
        except UsageError as error:
            return str(error)
        updates = result['updates']
        return (
            f'{self.folder}: {updates["done"]:,} of {updates["planned"]:,} '
            'iterations, not validated yet'
        )

    def _repr_html_(self) -> str:
        """A table in a notebook."""
        text = repr(self)
        return as_html(text) if text.startswith('|') else escape(text)


def as_html(text: str) -> str:
    """A table in Markdown as a notebook shows it, in HTML."""
    return markdown.markdown(text, extensions=['tables'])


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
    if (folder / 'result.json').is_file():
        config, found = Run(folder).config_file, last_checkpoint(folder)
    else:
        from mmdrloc.export import published_files  # takes long to import

        config, found = published_files(folder)
    if checkpoint is not None:
        found = Path(checkpoint)
    if found is None:
        raise UsageError(f'{folder} holds no complete checkpoint.')
    return config, found
