"""A work folder belongs to one training: claimed, begun, started anew.

A ``folder`` is a work folder.
"""

import errno
import os
import socket
import time
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Dict, Iterator, List, Optional, Union

from mmengine.config import Config
from mmengine.dist import master_only
from mmengine.hooks import Hook
from mmengine.runner import Runner

from mmdrloc.checkpoints.saved import POINTER, checkpoints, last_checkpoint
from mmdrloc.reporting.results import RECORD, read_object
from mmdrloc.utils.distributed import process_rank
from mmdrloc.utils.errors import UsageError, cannot_write
from mmdrloc.utils.files import remove_leftovers

try:
    # Not filelock, whose locks a data loader's workers inherit and keep
    # after their parent was killed.
    import fcntl
except ImportError:  # on Windows
    fcntl = None

LOCK = '.lock'
# When a launcher began that may start the same training more than once, in
# seconds since the epoch.
LAUNCHED = 'MMDRLOC_LAUNCHED'
# What the curves of a report are joined from.
CURVES = '*/vis_data/scalars.json'


@contextmanager
def claimed(folder: Union[str, Path]) -> Iterator[None]:
    """Hold a work folder for this training, which may then write there.

    The first of several processes holds it. The claim ends with the process,
    however that ends. The folder is made if absent.

    Raises:
        UsageError: If another training holds it, or nothing can be written.
    """
    if process_rank() > 0:
        yield
        return
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = open(folder / LOCK, 'a+')
    except OSError as error:
        raise UsageError(
            f'the work folder cannot be written: {cannot_write(error)}'
        ) from error
    with file:
        _lock(file, folder)
        remove_leftovers(folder)
        try:
            yield
        finally:
            file.truncate(0)


def refuse_begun(
    folder: Union[str, Path],
    resume: Optional[str],
    run: Optional[Dict[str, Any]] = None,
) -> None:
    """See that a training replaces no other than the one it goes on with.

    Args:
        folder (str | Path): The work folder.
        resume (str, optional): What it goes on from: a checkpoint, a work
            folder, or 'auto' for this one.
        run (dict, optional): What this training is: ``cfg.run``. Defaults to
            None: nothing is known of it.

    Raises:
        UsageError: If the folder holds another run.
    """
    if resume == 'auto' or process_rank() > 0:
        return
    if resume:
        source = Path(resume).resolve()
        if Path(folder).resolve() in (source, source.parent):
            return
    names = [path.name for path in left_by_run(folder)]
    if not names:
        return
    more = f' and {len(names) - 3} more' if len(names) > 3 else ''
    other = _differs(folder, run or {})
    if other:
        raise UsageError(
            f'{folder} holds another run ({other}): give another --work-dir, '
            'or remove that run and start anew with --overwrite.'
        )
    raise UsageError(
        f'{folder} holds a run that was begun or finished '
        f'({", ".join(names[:3])}{more}): go on with it with --resume, '
        'remove it and start anew with --overwrite, or give another '
        '--work-dir.'
    )


def run_of(folder: Union[str, Path]) -> Dict[str, Any]:
    """What a run in a folder is, as its ``result.json`` says.

    Returns:
        dict: ``recipe``, ``dataset``, ``weights`` and ``baseline``; empty if
        it does not say.
    """
    try:
        run = read_object(Path(folder, RECORD)).get('run')
    except UsageError:
        return {}  # none, or not one of ours
    return run if isinstance(run, dict) else {}


def refuse_other_run(cfg: Config, weights: Optional[str], resume: str) -> None:
    """See that a run goes on with the data and weights it was begun with.

    Args:
        cfg (Config): With ``work_dir`` and ``run``.
        weights (str, optional): The checksum of those of the command line;
            None if it names none.
        resume (str): 'auto', a checkpoint, or the folder of a run.

    Raises:
        UsageError: If they are others.
    """
    folder = Path(cfg.work_dir if resume == 'auto' else resume)
    folder = folder if folder.is_dir() else folder.parent
    run = run_of(folder)
    now = cfg.get('run') or {}
    others = 'or begin a new run in another --work-dir'
    then = run.get('dataset')
    if run and then != now.get('dataset'):
        raise UsageError(
            f'the run in {folder} was begun with the data set {then}, not '
            f'with {now.get("dataset")}: repeat its --dataset, {others}.'
        )
    then = run.get('weights') or {}
    if run and weights and weights != then.get('sha256'):
        begun = f'with the weights {then["file"]}' if then else 'without any'
        raise UsageError(
            f'the run in {folder} was begun {begun}, not with those of '
            f'--weights: leave --weights out, {others}.'
        )


def is_finished(cfg: Config) -> bool:
    """Whether the run in the work folder has done all that a config asks.

    It has not if its ``result.json`` says nothing.
    """
    asked = dict(
        epochs=cfg.train_cfg.get('max_epochs'),
        iterations=cfg.train_cfg.get('max_iters'),
    )
    try:
        result = read_object(Path(cfg.work_dir, RECORD))
        length = result['length'] if result['finished'] else {}
        return any(length.get(k, -1) >= n for k, n in asked.items() if n)
    except (UsageError, KeyError, TypeError, AttributeError):
        return False  # none, or not one of ours


def left_by_run(folder: Union[str, Path]) -> List[Path]:
    """What makes a work folder that of a begun run, as it is to go.

    Its pointer, result and checkpoints, in this order.
    """
    files = [Path(folder, name) for name in (POINTER, RECORD)]
    return [path for path in files if path.is_file()] + checkpoints(folder)


def remove_run(folder: Union[str, Path]) -> None:
    """Remove what an earlier run left, as far as a new one would mix with it.

    That is its pointer, result and checkpoints, and its logged curves, which
    a report would join with the new ones. Nothing else, and nothing outside
    of the folder, which this training holds.
    """
    for path in [*left_by_run(folder), *Path(folder).glob(CURVES)]:
        path.unlink()


class OverwriteHook(Hook):
    """Remove the earlier run once all checks have passed."""

    # After all that may still refuse, before what writes (ResultHook).
    priority = 95

    @master_only
    def before_train(self, runner: Runner) -> None:
        """Remove it."""
        remove_run(runner.work_dir)


def way_to_go_on(folder: Union[str, Path]) -> List[str]:
    """Flag of tools/train.py that goes on with whatever a folder holds.

    Returns:
        list[str]: None where nothing was begun; a run that ended before its
        first checkpoint starts anew.
    """
    if last_checkpoint(folder) is not None:
        return ['--resume']
    return ['--overwrite'] if left_by_run(folder) else []


def begun_by_launch(folder: Union[str, Path]) -> bool:
    """Whether the run in a folder was begun by the launcher of this process.

    A launcher that starts a training anew, after a failure or in a batch
    system's next turn, repeats the words it was begun with.

    Args:
        folder (str | Path): The work folder.

    Returns:
        bool: Whether something in it is younger than the launch.
    """
    launched = float(os.environ.get(LAUNCHED, 'inf'))
    return any(p.stat().st_mtime > launched for p in left_by_run(folder))


def _differs(folder: Union[str, Path], run: Dict[str, Any]) -> str:
    """What the run in a folder is, where it is another one than this."""
    there = run_of(folder)
    return ', '.join(
        f'{key} {there[key]}'
        for key in ('recipe', 'dataset')
        if run.get(key) and there.get(key) not in (None, run[key])
    )


def _lock(file: IO[str], folder: Path) -> None:
    try:
        if fcntl is not None:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EAGAIN):
            file.seek(0)
            raise UsageError(
                f'{folder} is in use by another training '
                f'({file.read().strip() or "just begun"}): wait for its end '
                'or give another --work-dir.'
            ) from None
        print(
            f'warning: {folder} is on a file system without locks '
            f'({error.strerror}): see that no other training uses it.'
        )
    since = time.strftime('%Y-%m-%d %H:%M:%S')
    file.truncate(0)
    file.write(
        f'process {os.getpid()} on {socket.gethostname()} since {since}\n'
    )
    file.flush()
