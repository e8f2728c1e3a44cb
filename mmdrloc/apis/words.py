"""The words of a command line that does what a call in Python does."""

from typing import Any, List, Mapping, Optional

from mmdrloc.utils.errors import UsageError


def words_of(
    recipe: Any,
    options: Optional[Mapping[str, Any]] = None,
    seed: Optional[int] = None,
    **flags: Any,
) -> List[str]:
    """Say a training in the words that follow ``tools/train.py``.

    Args:
        recipe (Any): Its file or name.
        options (Mapping, optional): Of the config.
        seed (int, optional): Of the run.
        **flags: The other arguments of :func:`mmdrloc.apis.train`, each the
            flag of its name; those that are left as they are say nothing.

    Returns:
        list[str]: In the order of the arguments.

    Raises:
        UsageError: If an option is a dict, which a command line has no word
            for.
    """
    words = [str(recipe)]
    for name, value in flags.items():
        flag = f'--{name.replace("_", "-")}'
        if value is True:
            words.append(flag)
        elif value not in (None, False, 0, 'none'):
            words += [flag, str(value)]
    pairs = dict(options or {})
    if seed is not None:
        pairs['randomness.seed'] = seed
    for key, value in pairs.items():
        if isinstance(value, Mapping):
            raise UsageError(
                f'the option {key} is a dict: give what is in it one by one, '
                f'such as {key}.{next(iter(value), "KEY")}.'
            )
    if pairs:
        words.append('--cfg-options')
    return [*words, *(f'{key}={value}' for key, value in pairs.items())]
