"""Read and write the records of runs.

``result.json`` is of one run, a file of several has the same under ``runs``;
``scalars.json`` is MMEngine's log of a run's numbers.
"""

import json
import math
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Union

from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.files import atomic_path
from .identity import baseline_of_run

RECORD = 'result.json'
TRAIN = 'train the run again'
AGAIN = 'write it again, with tools/report.py'
# Larger ones cannot be drawn.
GREATEST_NUMBER = 1e15

# What a record has at least; entries that end in `?` may be null.
FIELDS = {
    'config.name': str,
    'seed': int,
    'command': str,
    'machine': str,
    'git_revision?': str,
    'versions': dict,
    'dataset.name': str,
    'dataset.train_images': int,
    'dataset.val_images?': int,
    'dataset.classes?': int,
    'global_batch': int,
    'finished': bool,
    'updates.done': int,
    'updates.planned': int,
    'images_per_s?': float,
    'wall_time_s': float,
    'last': dict,
    'best': dict,
    'validations': list,
}
# Older records, or those of other trainings, lack these.
OPTIONAL = ('run', 'length', 'reference', 'drloc_skill')


def read_result(path: Path) -> Dict[str, Any]:
    """Read a ``result.json``, as :class:`~mmdrloc.engine.ResultHook` writes.

    Raises:
        UsageError: If it is damaged or something else.
    """
    result = read_object(path)
    _check(result, str(path))
    return result


def read_results(path: Path) -> List[Dict[str, Any]]:
    """Read a file of :func:`write_results`, of one run at least.

    Raises:
        UsageError: If it is damaged or another file.
    """
    results = read_object(path, AGAIN).get('runs')
    if not (isinstance(results, list) and results):
        raise UsageError(
            f'{path} holds no runs: give a file that tools/report.py wrote, '
            'or work folders'
        )
    for number, result in enumerate(results, 1):
        _check(result, f'run {number} in {path}', AGAIN)
    return results


def write_results(results: Sequence[Dict[str, Any]], path: Path) -> None:
    """Write what reports read of runs into one small file, a line each.

    Numbers keep six digits; where the config lay on that machine is left out.

    Raises:
        UsageError: If it has the name of the record of one run.
    """
    if path.name == RECORD:
        raise UsageError(
            f'{path}: {RECORD} is the record of one run; give another name'
        )
    tops = [field.rstrip('?').partition('.')[0] for field in FIELDS]
    names = list(dict.fromkeys([*tops, *OPTIONAL]))
    lines = []
    for result in results:
        known = {n: result[n] for n in names if n in result}
        known['config'] = {'name': result['config']['name']}
        rounded = json.loads(
            json.dumps(known), parse_float=lambda n: float(f'{float(n):.6g}')
        )
        lines.append(json.dumps(rounded))
    with atomic_path(path) as temporary:
        temporary.write_text('{"runs": [\n' + ',\n'.join(lines) + '\n]}\n')


def _check(result: Any, where: str, remedy: str = TRAIN) -> None:
    """Refuse what is not the record of a run."""
    try:
        for field, kind in FIELDS.items():
            value = result
            for name in field.rstrip('?').split('.'):
                value = value[name]
            is_right = is_number(value) if kind in (int, float) else True
            kinds = (int, float) if kind is float else kind
            is_right &= isinstance(value, kinds)
            if not is_right and not (field.endswith('?') and value is None):
                raise ValueError(f'{field.rstrip("?")}={value!r:.50}')
        numbers = [result.get('drloc_skill', 0)]
        for which in ('last', 'best'):
            numbers += [one['value'] for one in result[which].values()]
        for which in ('length', 'reference'):
            numbers += result.get(which, {}).values()
        for one in result['validations']:
            numbers += [one['iter'], one.get('epoch', 0)]
            numbers += [one.get('drloc_skill', 0), *one['metrics'].values()]
        if not all(map(is_number, numbers)):
            raise ValueError('a number is none, or not finite')
        if not set(result['last']) <= set(result['best']):
            raise ValueError('last has metrics that best has not')
        if 'run' in result:
            baseline_of_run(result['run'])
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        problem = f'{error} is missing' if type(error) is KeyError else error
        raise UsageError(
            f'{where} is not as tools/train.py writes it ({problem}): {remedy}'
        ) from error


def run_that_made(file: Union[str, Path]) -> Optional[Dict[str, Any]]:
    """``run`` of the ``result.json`` beside a checkpoint, if it says."""
    try:
        return read_result(Path(file).parent / RECORD).get('run')
    except UsageError:
        return None


def write_tested(run: Path, folder: Path) -> None:
    """Write the record of a run into the folder of a test, with its metrics.

    Raises:
        UsageError: If one of them holds no result.
    """
    result = read_result(run / RECORD)
    logs = sorted(folder.glob('*/[0-9]*.json'))
    if not logs:
        raise UsageError(f'{folder} holds no result of a test: {AGAIN}')
    tested = read_object(logs[-1])
    metrics = {k: v for k, v in tested.items() if k in result['last']}
    for which in ('last', 'best'):
        result[which] = {k: dict(value=v) for k, v in metrics.items()}
    result['validations'] = [dict(result['validations'][-1], metrics=metrics)]
    with atomic_path(folder / RECORD) as temporary:
        temporary.write_text(json.dumps(result))


def read_object(path: Path, remedy: str = TRAIN) -> Dict[str, Any]:
    """Read a JSON file that holds one object.

    Raises:
        UsageError: If the file is damaged or holds something else.
    """
    try:
        content = json.loads(path.read_text(encoding='utf-8'))
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f'{path} is damaged ({error}): {remedy}') from error
    if not isinstance(content, dict):
        raise UsageError(f'{path} is damaged (it holds no object): {remedy}')
    return content


def read_scalars(path: Path) -> List[Dict[str, Any]]:
    """Read MMEngine's ``scalars.json``: the entries of the training.

    Those of validations, which count epochs, are left out, and so are lines
    that are no entries, such as the last one of a killed training.

    Raises:
        UsageError: If the file cannot be read.
    """
    try:
        lines = path.read_text(encoding='utf-8', errors='replace').split('\n')
    except OSError as error:
        raise UsageError(f'{path} cannot be read: {error}') from error
    entries = []
    for line in lines:
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            continue
        # Those of validations have no learning rate.
        if isinstance(entry, dict) and 'lr' in entry:
            if is_number(entry.get('step')):
                entries.append(entry)
    return entries


def is_number(value: Any) -> bool:
    """Whether something is a finite number of a size that can be shown."""
    return (
        isinstance(value, (int, float))
        and not isinstance(value, bool)
        and abs(value) <= GREATEST_NUMBER
        and math.isfinite(value)
    )
