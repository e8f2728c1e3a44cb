"""The checkpoints that a run has written, and the last one to go on from.

A run keeps a list of them in its work_dir: whatever they are called, and
wherever ``CheckpointHook.out_dir`` puts them, no other file counts as one.
"""

import json
import os
import re
from pathlib import Path
from typing import Any, Dict, List, Optional

from mmdrloc.utils.errors import few, mention
from mmdrloc.utils.files import atomic_path
from mmdrloc.utils.paths import Place
from .reading import is_complete

# Paths from the work_dir, the last one last, and whether it has the state of
# the training beside the weights.
WRITTEN = 'checkpoints.json'
# Where MMEngine's tools have trained, there are names like these.
NUMBERED = re.compile(r'(?:epoch|iter)_(\d+)\.pth')
INTERRUPTED = 'interrupted_iter_{}.pth'
# In a folder that `mmdrloc publish` has made.
PUBLISHED = 'model.safetensors'


def last_checkpoint(folder: Place) -> Optional[Path]:
    """Find the checkpoint to go on from, if there is one.

    It is the last one of the run that is complete. Damaged ones are named on
    the console.
    """
    paths = _to_go_on_from(Path(folder))
    found = next(filter(is_complete, paths), None)
    damaged = paths[: paths.index(found)] if found else paths
    if damaged:
        rest = f'{found.name} is the last' if found else 'there is no'
        mention(f'ignoring {few(damaged)}, damaged: {rest} complete one.')
    return found


def written_checkpoints(folder: Place) -> List[Path]:
    """The checkpoints in and of a work_dir that the run has written itself."""
    folder = Path(folder)
    return [p for name in _listed(folder) if (p := folder / name).is_file()]


def note_checkpoint(folder: Place, path: Place, resumable: bool) -> None:
    """Note in a work_dir that a checkpoint is about to be written.

    Args:
        folder (str | Path): The work_dir.
        path (str | Path): The checkpoint.
        resumable (bool): Whether it has the state of the training.
    """
    # Where folders are links, the system goes up from what they point to.
    folder, own = Path(folder), Path(folder).resolve()
    path = Path(path).parent.resolve() / Path(path).name
    kept = {n: k for n, k in _listed(folder).items() if (folder / n).exists()}
    # A folder of its own on another disk does not move with the run.
    is_near = any(path.is_relative_to(p) for p in (own, Path.cwd().resolve()))
    name = os.path.relpath(path, own) if is_near else str(path)
    kept.pop(name, None)
    with atomic_path(folder / WRITTEN) as temporary:
        temporary.write_text(json.dumps({**kept, name: resumable}, indent=1))


def remove_interrupted(folder: Place, but: str = '') -> None:
    """Remove what signals left, once a newer checkpoint stands."""
    for path in written_checkpoints(folder):
        if path.match(INTERRUPTED.format('*')) and path.name != but:
            path.unlink(missing_ok=True)


def read_json(path: Path) -> Dict[str, Any]:
    """Read a JSON file; nothing of a missing or damaged one."""
    try:
        content = json.loads(path.read_text())
    except (OSError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


def _listed(folder: Path) -> Dict[str, bool]:
    return read_json(folder / WRITTEN)


def _to_go_on_from(folder: Path) -> List[Path]:
    """All with the state of the training, the last one first."""
    if listed := _listed(folder):
        names = [name for name, resumable in listed.items() if resumable]
        return [p for n in reversed(names) if (p := folder / n).is_file()]
    matches = [(NUMBERED.fullmatch(p.name), p) for p in folder.glob('*.pth')]
    numbered = [(int(match[1]), path) for match, path in matches if match]
    return [path for _, path in sorted(numbered, reverse=True)]
