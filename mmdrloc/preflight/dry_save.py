"""One checkpoint, written and removed before the first update."""

import os
from pathlib import Path
from typing import List

from mmengine.dist import is_main_process
from mmengine.hooks import CheckpointHook
from mmengine.runner import Runner

from mmdrloc.utils.errors import first_line
from .faults import UNEXPECTED, cause

PLACE = 'default_hooks.checkpoint'


def check_saving(runner: Runner) -> List[str]:
    """Try what each hook that saves will do.

    Args:
        runner (Runner): When its hooks have prepared for the training.

    Returns:
        List[str]: One sentence for each finding.
    """
    findings = []
    for hook in runner.hooks:
        if isinstance(hook, CheckpointHook):
            findings += _bad_template(hook)
            # Where all ranks prepare, one of them writes.
            if '://' not in str(hook.out_dir) and is_main_process():
                findings += _try_saving(runner, hook)
    return findings


def _bad_template(hook: CheckpointHook) -> List[str]:
    template = hook.filename_tmpl
    place = f'{PLACE}.filename_tmpl is {template!r}'
    try:
        one, other = template.format(1), template.format(2)
    except (AttributeError, IndexError, KeyError, ValueError) as error:
        return [
            f'{place}, into which no number can be put: {first_line(error)}: '
            "write 'epoch_{}.pth'."
        ]
    if one == other:
        return [
            f'{place}: each checkpoint would replace the one before, write '
            "'epoch_{}.pth'."
        ]
    if os.sep in template:
        return [f'{place}: give the folder as {PLACE}.out_dir.']
    return []


def _try_saving(runner: Runner, hook: CheckpointHook) -> List[str]:
    folder = Path(hook.out_dir)
    made = [f for f in (folder, *folder.parents) if not f.exists()]
    name = f'.try-{os.getpid()}.pth'
    try:
        folder.mkdir(parents=True, exist_ok=True)
        runner.save_checkpoint(
            str(folder),
            name,
            file_client_args=hook.file_client_args,
            save_optimizer=hook.save_optimizer,
            save_param_scheduler=hook.save_param_scheduler,
            by_epoch=hook.by_epoch,
            backend_args=hook.backend_args,
            **hook.args,
        )
    except OSError as error:
        return [
            f'no checkpoint can be written to {folder}: {first_line(error)}: '
            f'choose another --work-dir or {PLACE}.out_dir, or free space.'
        ]
    except Exception as error:  # what is saved may be anyone's
        unread = UNEXPECTED.search(str(error))
        if unread:
            key = unread.group(1)
            return [f'{PLACE}.{key}: nothing reads `{key}`: remove it.']
        return [f'no checkpoint can be saved: {cause(error)}.']
    finally:
        for file in folder.glob(f'{name}*'):
            file.unlink()
        for new in made:
            if new.is_dir() and not any(new.iterdir()):
                new.rmdir()
    return []
