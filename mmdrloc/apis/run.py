"""A training that was begun or finished, as its work folder tells it."""

from html import escape
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import markdown
from mmengine.config import Config

from mmdrloc.checkpoints.reading import files_are_trusted, files_as_data
from mmdrloc.checkpoints.saved import last_checkpoint
from mmdrloc.datasets.recipes import find_recipe, read_config
from mmdrloc.export import published_files
from mmdrloc.reporting import runs as records
from mmdrloc.reporting.published import read_published
from mmdrloc.reporting.report import write_report
from mmdrloc.reporting.results import read_result
from mmdrloc.reporting.tables import task_table
from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.paths import shipped

Place = Union[str, Path]


class Run:
    """A training; in a notebook it shows itself as a table.

    Its folder is read anew each time: a training that goes on is followed.

    Args:
        folder (str | Path): The work folder.
        kept (records.Run, optional): What a file of several runs says of it,
            whose folder is gone.
    """

    def __init__(
        self, folder: Place, kept: Optional[records.Run] = None
    ) -> None:
        self.folder = Path(folder)
        self._kept = kept

    @property
    def result(self) -> Dict[str, Any]:
        """All that its ``result.json`` says.

        Raises:
            UsageError: If there is none, or it is damaged.
        """
        if self._kept:
            return dict(self._kept.result)
        return read_result(self.folder / 'result.json')

    def record(self) -> records.Run:
        """What tables, curves and reports are made of.

        Raises:
            UsageError: If it was never validated.
        """
        if self._kept:
            return self._kept
        [record] = records.load_runs([self.folder])
        return record

    @property
    def metrics(self) -> Dict[str, float]:
        """Each metric after the last update, by the evaluators' names."""
        return self._values('last')

    @property
    def best(self) -> Dict[str, float]:
        """Each metric's best value of all validations."""
        return self._values('best')

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
        name = Path(self.result['config']['path'] or '').name
        return self.folder / name

    def curve(self, name: str = 'loss') -> Tuple[List[int], List[float]]:
        """What was logged in the course of training.

        Args:
            name (str): A scalar, such as 'loss_cls'. Defaults to 'loss'.

        Returns:
            tuple[list[int], list[float]]: Iterations and values.
        """
        curves = (
            self._kept.curves if self._kept else records.curves_in(self.folder)
        )
        points = curves.get(name, [])
        return [step for step, _ in points], [value for _, value in points]

    def report(self, out: Optional[Place] = None) -> Path:
        """Write tables and curves.

        Args:
            out (str | Path, optional): A .md or .html file. Defaults to
                ``report.md`` in its folder.

        Returns:
            Path: The file.

        Raises:
            UsageError: If it was never validated.
        """
        return report([self], out or self.folder / 'report.md')

    def _values(self, which: str) -> Dict[str, float]:
        return {
            name: entry['value'] for name, entry in self.result[which].items()
        }

    def __repr__(self) -> str:
        """A table, once there is something to be shown in it."""
        try:
            result = self.result
            if not result['validations']:
                updates = result['updates']
                return (
                    f'{self.folder}: {updates["done"]:,} of '
                    f'{updates["planned"]:,} iterations, not validated yet'
                )
            return task_table([self.record()], {})
        except UsageError as error:
            return str(error)

    def _repr_html_(self) -> str:
        """A table in a notebook."""
        text = repr(self)
        return as_html(text) if text.startswith('|') else escape(text)


def as_html(text: str) -> str:
    """A table in Markdown as a notebook shows it, in HTML."""
    return markdown.markdown(text, extensions=['tables'])


def load_runs(folders: Sequence[Place]) -> List[Run]:
    """Read work folders.

    Args:
        folders (Sequence[str | Path]): Of trainings that were validated, and
            files of several runs.

    Returns:
        list[Run]: By config and seed.

    Raises:
        UsageError: If one of them is no such folder.
    """
    return [
        Run(record.place, None if record.place.is_dir() else record)
        for record in records.load_runs(folders)
    ]


def report(
    runs: Sequence[Union[Place, Run]],
    out: Place,
    title: str = 'Results',
    pictures: Sequence[Place] = (),
    baseline: Optional[str] = None,
) -> Path:
    """Write tables, curves and pictures, with the published values.

    Args:
        runs (Sequence[str | Path | Run]): Runs, their folders, or files of
            several runs.
        out (str | Path): An .html file that holds its pictures, a .md file
            with the curves beside it, a .png file of the gain, or a
            .json file that keeps the runs.
        title (str): Its heading. Defaults to 'Results'.
        pictures (Sequence[str | Path]): PNG files to be shown in it.
        baseline (str, optional): The config that the others are compared
            with, as tables name it.

    Returns:
        Path: The file.

    Raises:
        UsageError: If a run, a picture or the name does not fit.
    """
    own = [run.record() for run in runs if isinstance(run, Run)]
    places = [run for run in runs if not isinstance(run, Run)]
    found = [*own, *records.load_runs(places)]
    write_report(
        sorted(found, key=lambda run: (run.config, run.seed)),
        Path(out),
        title,
        [Path(picture) for picture in pictures],
        read_published(shipped('configs') / 'published.yml'),
        baseline,
    )
    return Path(out)


def config_and_checkpoint(
    source: Union[Place, Run], checkpoint: Optional[Place] = None
) -> Tuple[Path, Path]:
    """What a trained model is built from.

    Args:
        source (str | Path | Run): A run, its folder, a published folder, a
            config, or the name of a recipe.
        checkpoint (str | Path, optional): Defaults to the run's last one, or
            that of the folder.

    Returns:
        tuple[Path, Path]: Files of the config and of the weights.

    Raises:
        UsageError: If one of them is missing.
    """
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
        config, found = published_files(folder)
    if checkpoint is not None:
        found = Path(checkpoint)
    if found is None:
        raise UsageError(f'{folder} holds no complete checkpoint.')
    return config, found
