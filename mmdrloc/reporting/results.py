"""The files that tell of runs: those of other people as much as our own.

``result.json`` is of one run, a file of several has the same under ``runs``;
``scalars.json`` is MMEngine's log of a run's numbers.
"""

import json
import math
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.files import atomic_path

RECORD = 'result.json'
TRAIN = 'train the run again'
AGAIN = 'write it again, with tools/report.py'
# A command line may be long; nothing else that is recorded is.
LONGEST_TEXT = 20_000
GREATEST_NUMBER = 1e15

TEXT, NUMBER, FLAG = 'a text', 'a finite number', 'true or false'
COUNT = 'a whole number'
# A key that ends in `?` may be absent, a kind in a tuple may be null, the
# key `*` stands for any name.
MEASURED = {'value': NUMBER}
WEIGHTS: Dict[str, Any] = {
    'file': TEXT,
    'origin?': (TEXT,),
    'sha256?': (TEXT,),
}
RUN = {
    'recipe': TEXT,
    'dataset': (TEXT,),
    'weights': (WEIGHTS,),
    'baseline': (TEXT,),
    'options?': [TEXT],
}
# The run that made them, and what that started from.
WEIGHTS['run?'] = (RUN,)
RESULT = {
    'run?': RUN,
    'config': {'name': TEXT, 'path?': (TEXT,)},
    'seed': COUNT,
    'command': TEXT,
    'machine': TEXT,
    'git_revision': (TEXT,),
    'versions': {'*': (TEXT,)},
    'dataset': {
        'name': TEXT,
        'train_images': COUNT,
        'val_images': (COUNT,),
        'classes': (COUNT,),
    },
    'global_batch': COUNT,
    'length?': {'*': COUNT},
    'reference?': {'*': COUNT},
    'finished': FLAG,
    'updates': {'done': COUNT, 'planned': COUNT},
    'last': {'*': MEASURED},
    'best': {'*': MEASURED},
    'images_per_s': (NUMBER,),
    'wall_time_s': NUMBER,
    'drloc_skill?': NUMBER,
    'validations': [
        {
            'iter': COUNT,
            'epoch?': COUNT,
            'drloc_skill?': NUMBER,
            'metrics': {'*': NUMBER},
        }
    ],
}


def read_result(path: Path) -> Dict[str, Any]:
    """Read a ``result.json``.

    Args:
        path (Path): The file.

    Returns:
        dict: With all entries that :class:`~mmdrloc.engine.ResultHook`
        writes, of the types that it writes.

    Raises:
        UsageError: If it is damaged, or somebody wrote something else.
    """
    result = read_object(path)
    _check(result, str(path))
    return result


def read_results(path: Path) -> List[Dict[str, Any]]:
    """Read a file of several runs.

    Args:
        path (Path): From :func:`write_results`.

    Returns:
        list[dict]: As of :func:`read_result`, at least one.

    Raises:
        UsageError: If it is another file, or a damaged one.
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
    """Write runs into one small file, a line each.

    Args:
        results (Sequence[dict]): From :func:`read_result`. Numbers keep six
            digits; what is not known to it is left out.
        path (Path): JSON to be written.

    Raises:
        UsageError: If it has the name of the record of one run.
    """
    if path.name == RECORD:
        raise UsageError(
            f'{path}: {RECORD} is the record of one run; give another name'
        )
    names = [name.rstrip('?') for name in RESULT]
    lines = []
    for result in results:
        known = json.dumps({n: result[n] for n in names if n in result})
        lines.append(json.dumps(json.loads(known, parse_float=_rounded)))
    with atomic_path(path) as temporary:
        temporary.write_text('{"runs": [\n' + ',\n'.join(lines) + '\n]}\n')


def _rounded(number: str) -> float:
    return float(f'{float(number):.6g}')


def _check(result: Any, where: str, remedy: str = TRAIN) -> None:
    """Refuse what is not the record of a run."""
    try:
        problem = _mismatch(result, RESULT, '')
    except RecursionError:
        problem = 'its weights come from too many runs'
    if not problem and not set(result['last']) <= set(result['best']):
        problem = 'last has metrics that best has not'
    if problem:
        raise UsageError(
            f'{where} is not as tools/train.py writes it ({problem}): {remedy}'
        )


def run_that_made(file: Union[str, Path]) -> Optional[Dict[str, Any]]:
    """What is known of the run that wrote a checkpoint.

    Args:
        file (str | Path): The checkpoint.

    Returns:
        dict, optional: ``run`` of the ``result.json`` beside it; None if
        there is none, or it does not say.
    """
    path = Path(file).parent / RECORD
    if not path.is_file():
        return None
    try:
        return read_result(path).get('run')
    except UsageError:
        return None


def option_text(key: str, value: Any) -> str:
    """An option as it is recorded, equal ones in equal words.

    Args:
        key (str): Such as 'model.auxiliary_head.num_pairs'.
        value (Any): What it is set to.

    Returns:
        str: Such as 'model.auxiliary_head.num_pairs=32'.
    """
    is_float = isinstance(value, float)
    return f'{key}={value:g}' if is_float else f'{key}={value}'


def read_object(path: Path, remedy: str = TRAIN) -> Dict[str, Any]:
    """Read a JSON file that holds one object.

    Args:
        path (Path): The file.
        remedy (str): What helps if it is damaged. Defaults to ``TRAIN``.

    Returns:
        dict: The object, whatever is in it.

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
    """Read a ``scalars.json``, a line of JSON for each entry.

    mmpretrain's ``load_json_log`` stumbles over a last line that was cut off,
    as a killed training leaves it.

    Args:
        path (Path): The file.

    Returns:
        list[dict]: The entries of the training, each with its ``step``, the
        iteration. Those of validations count epochs, and are left out.

    Raises:
        UsageError: If another line is no entry.
    """
    entries = []
    try:
        lines = path.read_text(encoding='utf-8', errors='replace').split('\n')
    except OSError as error:
        raise UsageError(f'{path} cannot be read: {error}') from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError) as error:
            if number == len(lines):
                break
            raise UsageError(
                f'{path} is damaged in line {number} ({error}): remove that '
                'line'
            ) from error
        if not isinstance(entry, dict):
            raise UsageError(
                f'{path} is damaged in line {number}, which is no entry: '
                'remove that line'
            )
        # Those of validations have no learning rate.
        if 'lr' in entry and is_number(entry.get('step')):
            entries.append(entry)
    return entries


def is_number(value: Any) -> bool:
    """Whether something is a finite number of a size that can be shown.

    Args:
        value (Any): From a file.

    Returns:
        bool: False for true and false too.
    """
    return (
        isinstance(value, (int, float))
        and not isinstance(value, bool)
        and abs(value) <= GREATEST_NUMBER
        and math.isfinite(value)
    )


def is_text(value: Any) -> bool:
    """Whether something is a text that can be written to a file.

    Args:
        value (Any): From a file.

    Returns:
        bool: False for halves of a character too, which JSON can hold.
    """
    return isinstance(value, str) and not any(
        '\ud800' <= letter <= '\udfff' for letter in value
    )


def _mismatch(value: Any, shape: Any, where: str) -> Optional[str]:
    """The first place where a value is not as it should be."""
    if isinstance(shape, tuple):
        return None if value is None else _mismatch(value, shape[0], where)
    if isinstance(shape, str):
        return None if _is(value, shape) else f'{where} is not {shape}'
    if not isinstance(value, type(shape)):
        kind = 'a list' if isinstance(shape, list) else 'an object'
        return f'{where or "the whole"} is not {kind}'
    if isinstance(value, dict) and not all(map(is_text, value)):
        return f'{where or "the whole"} has a name that is no text'
    for inside, item, kind in _parts(value, shape):
        place = f'{where}.{inside}'.lstrip('.')
        if kind is None:
            return f'{place} is missing'
        problem = _mismatch(item, kind, place)
        if problem:
            return problem
    return None


def _parts(value: Any, shape: Any) -> List[Tuple[Any, Any, Any]]:
    """Name, value and kind of what is inside; of what is missing no kind."""
    if isinstance(shape, list):
        return [(i, item, shape[0]) for i, item in enumerate(value)]
    if '*' in shape:
        return [(name[:50], item, shape['*']) for name, item in value.items()]
    parts = []
    for key, kind in shape.items():
        name = key.rstrip('?')
        if name in value:
            parts.append((name, value[name], kind))
        elif name == key:
            parts.append((name, None, None))
    return parts


def _is(value: Any, kind: str) -> bool:
    if kind is TEXT:
        return is_text(value) and len(value) <= LONGEST_TEXT
    if kind is FLAG:
        return isinstance(value, bool)
    return is_number(value) and (kind is NUMBER or isinstance(value, int))
