"""What a work folder tells about the run that wrote it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

from mmdrloc.errors import UsageError
from mmdrloc.records import is_number, read_result, read_scalars
from .identity import Identity, baseline_of_run, of_run


@dataclass(frozen=True)
class Run:
    """One training run.

    Args:
        folder (Path): Its work folder.
        result (dict): Its ``result.json``.
    """

    folder: Path
    result: Dict[str, Any]

    @property
    def identity(self) -> Identity:
        """What tells it apart, its seed left out."""
        if 'run' in self.result:
            return of_run(self.result['run'])
        # Of an older version, which told by the config's name alone.
        dataset = self.result['dataset']['name']
        return Identity(self.result['config']['name'], dataset)

    @property
    def baseline(self) -> Optional[Identity]:
        """What it is to be compared with, if it is a twin."""
        run = self.result.get('run')
        return baseline_of_run(run) if run else None

    @property
    def config(self) -> str:
        """What it is called among runs on the same data."""
        return self.identity.title

    @property
    def seed(self) -> int:
        """Seed of the run."""
        return self.result['seed']

    def metric(self, name: str, which: str = 'last') -> float:
        """A metric's ``which`` ('last' or 'best') value."""
        return self.result[which][name]['value']

    def scalars(self, name: str) -> Tuple[List[int], List[float]]:
        """Training curve of a scalar, joined over resumed parts.

        Args:
            name (str): Such as 'loss_cls'.

        Returns:
            tuple[list[int], list[float]]: Iterations and values. Of an
            iteration that was run twice, around a resume, the later counts.
        """
        values = {}
        for path in sorted(self.folder.glob('*/vis_data/scalars.json')):
            if not path.is_file():
                continue
            for entry in read_scalars(path):
                # Validation lines count epochs and have no learning rate.
                is_training = 'lr' in entry and is_number(entry.get('step'))
                # A loss that was not a number is a gap in the curve.
                if is_training and is_number(entry.get(name)):
                    values[entry['step']] = entry[name]
        steps = sorted(values)
        return steps, [values[step] for step in steps]


def load_runs(folders: Sequence[Union[str, Path]]) -> List[Run]:
    """Read work folders.

    Args:
        folders (Sequence[str | Path]): Work folders, each with a
            ``result.json``.

    Returns:
        list[Run]: Sorted by config and seed.

    Raises:
        UsageError: If a folder has no readable ``result.json`` or its run
            was never validated.
    """
    runs = []
    # One that is given twice would count twice.
    for folder in {
        Path(name).resolve(): Path(name) for name in folders
    }.values():
        path = folder / 'result.json'
        if not path.is_file():
            raise UsageError(
                f'{folder} holds no result.json: give the work '
                'folders of runs made by tools/train.py'
            )
        result = read_result(path)
        if not (result['last'] and result['validations']):
            raise UsageError(f'{folder}: this run was never validated')
        runs.append(Run(folder, result))
    return sorted(runs, key=lambda run: (run.config, run.seed))
