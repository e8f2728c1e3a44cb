"""Lock and reuse of a work_dir."""

import json
import os
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Union

from mmengine.config import Config
from mmengine.dist import master_only
from mmengine.hooks import Hook
from mmengine.runner import Runner

from mmdrloc.checkpoints.saved import POINTER, checkpoints, last_checkpoint
from mmdrloc.preflight.run_record import Record, difference, is_longer
from mmdrloc.reporting.runs import RECORD as RESULT
from mmdrloc.utils.distributed import process_rank
from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.files import atomic_path, remove_leftovers

try:
    # Not filelock: forked workers of a data loader inherit its locks, and
    # keep them for a while after their parent was killed.
    import fcntl
except ImportError:  # on Windows
    fcntl = None

LOCK = '.lock'
RECORD = 'run_record.json'
# The files from which a report joins its curves.
CURVES = '*/vis_data/scalars.json'
# Above 0 where a launcher starts the same command again.
STARTED_AGAIN = ('TORCHELASTIC_RESTART_COUNT', 'SLURM_RESTART_COUNT')
REMEDY = 'Use another --work-dir, or --overwrite.'


class Previous(NamedTuple):
    """What a work_dir holds of the run that is asked for.

    ``checkpoint`` is where it goes on; ``weights`` is ``run['weights']`` of
    its result, what it was begun with.
    """

    checkpoint: Optional[Path] = None
    finished: bool = False
    weights: Dict[str, Any] = {}


@contextmanager
def lock(work_dir: Union[str, Path]) -> Iterator[None]:
    """Lock a work_dir for this training, in the first of its processes.

    The lock ends with the process, however that ends.
    """
    if process_rank() > 0:
        yield
        return
    folder = Path(work_dir)
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / LOCK, 'a') as file:
        try:
            if fcntl is not None:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            raise UsageError(
                f'{folder} is in use by another training: wait for its end, '
                'or use another --work-dir.'
            ) from None
        except OSError:  # a file system without locks
            pass
        remove_leftovers(folder)
        yield


def previous_run(
    cfg: Config,
    record: Record,
    resume: Union[None, str, Path] = None,
    overwrite: bool = False,
) -> Previous:
    """Find what a work_dir holds of the run; refuse another run's.

    Raises:
        UsageError: If there is another run, or nothing that can be resumed.
    """
    folder = Path(cfg.work_dir)
    if cfg.get('resume'):
        resume = resume or cfg.get('load_from') or 'auto'
    if any(os.environ.get(name, '0') != '0' for name in STARTED_AGAIN):
        overwrite = False
        resume = None if last_checkpoint(folder) else resume
    if resume and str(resume) != 'auto':
        return _chosen(Path(resume), folder, record)
    result = read_json(folder / RESULT)
    checkpoint = last_checkpoint(folder)
    if resume and checkpoint is None:
        raise UsageError(
            f'there is nothing to resume in {folder}: start without --resume, '
            'or give another --work-dir or a checkpoint.'
        )
    is_finished = result.get('finished', False)
    is_begun = checkpoints(folder) or result.get('validations') or is_finished
    if overwrite or not is_begun:
        return Previous()
    then = read_json(folder / RECORD)
    if then or not resume:
        _refuse_other(folder, then, record)
    goes_on = checkpoint is not None and is_longer(then, record)
    return Previous(checkpoint, is_finished and not goes_on, _weights(result))


class BeginHook(Hook):
    """Takes over a work_dir at the last moment, when all checks have passed.

    It removes what an earlier run left, unless this one goes on with it, and
    writes the run record. It is not registered, as no config names it.
    """

    # After hooks that may refuse the training, before those that write.
    priority = 95

    def __init__(self, record: Record, goes_on: bool) -> None:
        self.record = record
        self.goes_on = goes_on

    @master_only
    def before_train(self, runner: Runner) -> None:
        """Begin the run."""
        folder = Path(runner.work_dir)
        if not self.goes_on:
            # Its curves too: a report would join them with the new ones.
            for path in [*_left_by_run(folder), *folder.glob(CURVES)]:
                if path.parent.parent != Path(runner.log_dir):
                    path.unlink()
        Runner.dump_config(runner)  # ResumableRunner has put it off
        with atomic_path(folder / RECORD) as temporary:
            temporary.write_text(json.dumps(self.record, indent=1) + '\n')


def read_json(path: Path) -> Dict[str, Any]:
    """Read a JSON file; nothing of a missing or damaged one."""
    try:
        content = json.loads(path.read_text())
    except (OSError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


def _chosen(resume: Path, folder: Path, record: Record) -> Previous:
    """Go on from a checkpoint of the user's choice."""
    checkpoint = last_checkpoint(resume) if resume.is_dir() else resume
    if checkpoint is None or not checkpoint.is_file():
        raise UsageError(f'cannot resume: there is no checkpoint in {resume}.')
    source = checkpoint.parent
    if source.resolve() != folder.resolve() and _left_by_run(folder):
        raise UsageError(f'{folder} holds another run. {REMEDY}')
    then = read_json(source / RECORD)
    if then:
        _refuse_other(source, then, record)
    return Previous(checkpoint, False, _weights(read_json(source / RESULT)))


def _weights(result: Dict[str, Any]) -> Dict[str, Any]:
    return (result.get('run') or {}).get('weights') or {}


def _refuse_other(folder: Path, then: Record, now: Record) -> None:
    """Refuse a folder that holds another run than this one."""
    other = difference(then, now) if then else 'without a run record'
    if other:
        raise UsageError(f'{folder} holds another run ({other}). {REMEDY}')


def _left_by_run(folder: Path) -> List[Path]:
    """List pointer, result, record and checkpoints, to remove in order."""
    files = [folder / name for name in (POINTER, RESULT, RECORD)]
    return [path for path in files if path.is_file()] + checkpoints(folder)
