"""Reports of runs; nothing here imports torch."""

from pathlib import Path
from typing import TYPE_CHECKING, Optional, Sequence, Union

from mmdrloc.reporting.published import read_published
from mmdrloc.reporting.report import write_report
from mmdrloc.reporting.runs import load_runs
from mmdrloc.utils.paths import Place, shipped

if TYPE_CHECKING:
    from .run import Run


def report(
    runs: Sequence[Union[Place, 'Run']],
    out: Place,
    title: str = 'Results',
    pictures: Sequence[Place] = (),
    baseline: Optional[str] = None,
) -> Path:
    """Write tables, curves and pictures, with the published values.

    ``out`` is an .html file that holds its pictures, a .md file with the
    curves beside it, a .png file of the gain, or a .json file that keeps the
    runs; ``baseline`` the config that the others are compared with, as
    tables name it.

    Raises:
        UsageError: If a run, a picture or the name does not fit.
    """
    # Not isinstance: Run imports torch.
    places = [Path(getattr(run, 'folder', str(run))) for run in runs]
    write_report(
        load_runs(places),
        Path(out),
        title,
        [Path(picture) for picture in pictures],
        read_published(shipped('configs') / 'published.yml'),
        baseline,
    )
    return Path(out)
