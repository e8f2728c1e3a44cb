"""A work_dir: what run it holds, who works in it, and where that goes on."""

import fcntl  # a filelock would be inherited by a loader's workers
import json
import os
import shutil
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Dict, Iterator, List, NamedTuple, Optional

from mmengine.dist import master_only
from mmengine.hooks import Hook
from mmengine.runner import Runner

from mmdrloc.checkpoints.saved import (
    WRITTEN,
    last_checkpoint,
    read_json,
    written_checkpoints,
)
from mmdrloc.checkpoints.sources import find_checkpoint
from mmdrloc.reporting.runs import RESULT
from mmdrloc.utils.distributed import process_rank
from mmdrloc.utils.errors import UsageError, counted, mention
from mmdrloc.utils.files import atomic_path, remove_leftovers
from mmdrloc.utils.paths import Place
from .record import RESUMED, WEIGHTS, Record, first_difference, is_longer

RUN_RECORD = 'run_record.json'
LOCK = '.lock'
# MMEngine's: its pointer, a folder for each start, and in those the curves
# that a report joins.
POINTER = 'last_checkpoint'
LOGS = '[0-9]*_[0-9]*'
CURVES = f'{LOGS}/vis_data/scalars.json'
AUTO = 'auto'


class Previous(NamedTuple):
    """What a work_dir holds of the run that is asked for.

    ``checkpoint`` is where it goes on, in this folder if ``is_own``;
    ``start`` is ``run['weights']`` of its result, what it was begun with.
    """

    checkpoint: Optional[Path] = None
    finished: bool = False
    is_own: bool = False
    start: Dict[str, Any] = {}


class RunFolder:
    """The work_dir of a run.

    Args:
        path (str | Path): The folder; it need not be there.
        launcher (str): How the processes were started. Defaults to 'none'.
        remedy (str): How to train all the same where it has another run.
    """

    def __init__(
        self,
        path: Place,
        launcher: str = 'none',
        remedy: str = 'Use another --work-dir, or --overwrite.',
    ) -> None:
        self.path = Path(path)
        self.remedy = remedy
        self.is_first = process_rank(launcher) == 0
        self.has_begun = False
        #: What was there before.
        self.found: List[Path] = []

    @property
    def record(self) -> Record:
        """What its run was begun with; empty if there is none."""
        return read_json(self.path / RUN_RECORD)

    @property
    def start(self) -> Dict[str, Any]:
        """``run['weights']`` of its result; empty if there are none."""
        run = read_json(self.path / RESULT).get('run') or {}
        return run.get('weights') or {}

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Keep others out, in the first process; leave nothing if refused.

        The lock ends with the process, however that ends.
        """
        if not self.is_first:
            yield
            return
        parents = (self.path, *self.path.parents)
        made = [folder for folder in parents if not folder.exists()]
        self.found = [] if made else [*self.path.iterdir()]
        with locked(self.path / LOCK):
            remove_leftovers(self.path)
            try:
                yield
            finally:
                if not self.has_begun:
                    self._remove_start(made)

    def _remove_start(self, made: List[Path]) -> None:
        for path in {*self.path.glob(LOGS)} - {*self.found}:
            shutil.rmtree(path, ignore_errors=True)
        if self.path / LOCK not in self.found:
            (self.path / LOCK).unlink(missing_ok=True)
        with suppress(OSError):  # somebody has put something there
            for folder in made:
                folder.rmdir()

    def previous(
        self,
        record: Record,
        resume: Optional[Place] = None,
        overwrite: bool = False,
    ) -> Previous:
        """Find what the folder holds of a run; refuse another run's.

        Args:
            record (Record): The run that is asked for.
            resume (str | Path, optional): A checkpoint to begin with, or the
                folder of a run; 'auto' if there must be one here.
            overwrite (bool): Whether to begin anew. Defaults to False.

        Raises:
            UsageError: If there is another run, or nothing to resume.
        """
        then = self.record
        finished = read_json(self.path / RESULT).get('finished', False)
        own = None if overwrite else last_checkpoint(self.path)
        if overwrite or not (own or finished):
            return self._begun_with(record, resume)
        is_chosen = resume not in (None, AUTO)
        is_here = False
        if is_chosen:
            place = _real(resume)
            is_here = _real(self.path) in (place, place.parent)
        if then or not (is_here or resume == AUTO):
            self._refuse_other(then, record)
        if finished and not (own and is_longer(then, record)):
            return Previous(own, True, True, self.start)
        if is_chosen and record[RESUMED] != then.get(RESUMED):
            if _real(find_checkpoint(resume)) != _real(own):
                raise UsageError(
                    f'{self.path} holds a run that goes on from {own.name}, '
                    f'not from {resume}: leave --resume out. {self.remedy}'
                )
        return Previous(own, False, True, self.start)

    def begin(self, record: Record, previous: Previous) -> None:
        """Take the folder over at the last moment, for a run or its rest.

        What an earlier run has written goes, unless this one goes on with it.
        """
        self.has_begun = True
        if previous.is_own:
            record = {**record, RESUMED: self.record.get(RESUMED)}
            result = read_json(self.path / RESULT)
            if result and is_longer(self.record, record):
                # Its learning rate has followed the schedule it had.
                had = counted(result['updates']['planned'], 'update')
                how = result['run'].setdefault('how', [])
                how.append(f'extended from {had}')
                mention(
                    f'{self.path} goes on after {had}: schedules in its '
                    'checkpoint keep their ends. For a longer schedule '
                    'train anew, with --epochs or --iters.'
                )
                with atomic_path(self.path / RESULT) as temporary:
                    temporary.write_text(
                        json.dumps({**result, 'finished': False})
                    )
        else:
            self._remove_run(previous.checkpoint)
        with atomic_path(self.path / RUN_RECORD) as temporary:
            temporary.write_text(json.dumps(record, indent=1) + '\n')

    def _remove_run(self, start: Optional[Path]) -> None:
        """Remove what a run has written, but for where the next one starts."""
        own = written_checkpoints(self.path)
        goes_back = start and _real(start) in map(_real, own)
        if not goes_back and (self.record or own):
            # Its curves too: a report would join them with the new ones.
            curves = self.path.glob(CURVES)
            own += [c for c in curves if c.parents[1] in self.found]
            names = (POINTER, RESULT, RUN_RECORD, WRITTEN)
            own += [self.path / name for name in names]
        for path in own:
            if not (start and _real(path) == _real(start)):
                path.unlink(missing_ok=True)

    def _begun_with(self, record: Record, resume: Optional[Place]) -> Previous:
        """Begin, with a checkpoint of the user's choice or without."""
        if resume is None:
            return Previous()
        source = self.path if resume == AUTO else resume
        checkpoint, place = find_checkpoint(source), Path(source)
        run = RunFolder(
            place if place.is_dir() else place.parent,
            remedy='Leave --resume out, and give its weights by --weights.',
        )
        if run.record:
            run._refuse_other(run.record, record)
        return Previous(checkpoint, start=run.start)

    def _refuse_other(self, then: Record, now: Record) -> None:
        other = first_difference(then, now) if then else 'without a run record'
        if other:
            raise UsageError(
                f'{self.path} already contains a run with other settings '
                f'({other}). {self.remedy}'
            )


class BeginHook(Hook):
    """Begins a run in its folder, when all checks have passed.

    It is not registered, as no config names it.
    """

    # After hooks that may refuse the training, before those that write.
    priority = 95

    def __init__(
        self, folder: RunFolder, record: Record, previous: Previous
    ) -> None:
        self.folder, self.record, self.previous = folder, record, previous

    @master_only
    def before_train(self, runner: Runner) -> None:
        """Begin the run, and write its config."""
        file, folder = Path(runner.cfg.filename or ''), self.folder.path
        config = folder / file.name
        # Beside checkpoints it is the config of an earlier run.
        is_theirs = not last_checkpoint(folder) or _real(file) == _real(config)
        if config.is_file() and is_theirs and not self.folder.record:
            raise UsageError(
                f'{config} would be replaced by the config of the run: use '
                'another --work-dir.'
            )
        self.folder.begin(self.record, self.previous)
        # What is resumed is loaded by now; the config may be trained again.
        runner.cfg.resume = False
        own = self.record.get('load_from')
        # What --weights has replaced does not come back.
        runner.cfg.load_from = None if self.record[WEIGHTS] else own
        Runner.dump_config(runner)  # ResumableRunner has put it off


def locked(path: Path) -> IO:
    """Lock a file, and make it with its folder if it is not there."""
    while True:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = open(path, 'a')
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            file.close()
            raise UsageError(
                f'{path.parent} is in use by another training: wait for its '
                'end, or use another --work-dir.'
            ) from None
        except OSError:  # a file system without locks
            return file
        # Who was refused may have removed it meanwhile.
        with suppress(FileNotFoundError):
            if os.path.samestat(os.stat(path), os.fstat(file.fileno())):
                return file
        file.close()


def _real(path: Place) -> Path:
    return Path(path).resolve()
