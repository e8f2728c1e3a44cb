"""The data sets that a config names: where they are, how they are built."""

import os
from typing import (
    Any,
    Callable,
    Dict,
    Iterator,
    List,
    NamedTuple,
    Optional,
    Tuple,
)

from mmengine.config import Config
from mmengine.registry import DATASETS, Registry

from mmdrloc.utils.config_walk import dicts_in
from mmdrloc.utils.errors import first_line
from .labels import empty

DOWNLOADED = ('CIFAR10', 'CIFAR100', 'MNIST', 'FashionMNIST')


class Source(NamedTuple):
    """A data set of one phase, that has not read anything yet.

    Args:
        cfg (Config): The whole config.
        phase (str): 'train', 'val' or 'test'.
        config (dict): The data set's.
        dataset (Any): Built without its pipeline, and lazily.
    """

    cfg: Config
    phase: str
    config: Dict[str, Any]
    dataset: Any

    @property
    def settings(self) -> Tuple[str, ...]:
        """What the outcome of reading depends on, beside the files."""
        kind = type(self.dataset)
        return (
            os.getcwd(),
            self.phase,
            f'{kind.__module__}.{kind.__qualname__}',
            repr(self.config),
        )

    @property
    def is_evaluated(self) -> bool:
        """Whether answers are needed: not to write down predictions."""
        return self.phase == 'train' or not any(
            evaluator.get('format_only') for evaluator in self.evaluators
        )

    @property
    def evaluators(self) -> List[Dict[str, Any]]:
        """The configs of what measures this phase."""
        return evaluators_of(self.cfg, self.phase)

    def loads_annotations(self, **options: Any) -> bool:
        """Whether the pipeline has a LoadAnnotations with these options."""
        return any(
            all(step.get(key) == value for key, value in options.items())
            for _, step in dicts_in(self.config.get('pipeline'))
            if str(step.get('type')).split('.')[-1] == 'LoadAnnotations'
        )

    def some(self, samples: List[Any]) -> List[Any]:
        """Those samples that the data set's ``indices`` leave."""
        indices = self.config.get('indices')
        if indices is None:
            return samples
        if isinstance(indices, int):
            return samples[:indices] if indices >= 0 else samples[indices:]
        return [samples[index] for index in indices if index < len(samples)]


def evaluators_of(cfg: Config, phase: str) -> List[Dict[str, Any]]:
    """The configs of what measures a phase, one or several of them."""
    evaluators = cfg.get(f'{phase}_evaluator') or []
    return [evaluators] if isinstance(evaluators, dict) else evaluators


def downloads(dataset: Dict[str, Any]) -> bool:
    """Whether mmpretrain fetches the data set, as it does CIFAR and MNIST."""
    kind = str(dataset.get('type')).split('.')[-1]
    return kind in DOWNLOADED and dataset.get('download', True)


def missing_data(dataset: Dict[str, Any]) -> List[str]:
    """Annotation files and image folders that are not there."""
    problems = [_problem_with(*place) for place in _paths_of(dataset)]
    return [problem for problem in problems if problem]


def kind_of(
    cfg: Config, config: Dict[str, Any], registry: Registry = DATASETS
) -> Any:
    """The class of a data set, or of what else; None if no library has it."""
    kind = config.get('type')
    scope = config.get('_scope_', cfg.get('default_scope'))
    if isinstance(kind, str):
        with registry.switch_scope_and_registry(scope) as scoped:
            kind = scoped.get(kind)
    return kind


def build_lazily(
    kind: Any, config: Dict[str, Any]
) -> Tuple[Optional[Any], List[str]]:
    """Build a data set without its pipeline and without reading anything.

    Returns:
        tuple: The data set or None, and why that failed.
    """
    options = {
        key: value
        for key, value in config.items()
        if key not in ('type', '_scope_')
    }
    options.update(pipeline=[], serialize_data=False, lazy_init=True)
    try:
        return kind(**options), []
    except Exception as error:  # a data set may be anyone's
        return None, [unbuilt(kind, error)]


def unbuilt(kind: Any, error: Exception) -> str:
    """Say that a data set cannot be built.

    Args:
        kind (Any): Its class, or the name of it.
        error (Exception): What came out of it.
    """
    reason = first_line(error)
    if isinstance(error, (AttributeError, LookupError, TypeError)):
        reason = f'{type(error).__name__}: {reason}'
    if 'at least one array' in reason:  # MMEngine packs an empty list
        reason = (
            'it holds no image after filtering, compare the class names in '
            'its metainfo with the annotations, and look at its `indices`'
        )
    name = getattr(kind, '__name__', kind)
    return f'the data set ({name}) cannot be built: {reason}'


def attempt(source: Source, step: Callable[[], Any]) -> Tuple[Any, List[str]]:
    """Let a data set read its lists, or say why it cannot.

    Args:
        source (Source): The data set.
        step (Callable): Of it.

    Returns:
        tuple: What the step gave, and one sentence if it failed.
    """
    try:
        return step(), []
    except Exception as error:  # a data set may be anyone's
        problem = unbuilt(type(source.dataset), error)
        return None, [f'{source.phase} data: {problem}; {cure(source.cfg)}']


def samples_of(source: Source) -> Tuple[List[Dict[str, Any]], List[str]]:
    """All that a data set has, or why there is nothing.

    Returns:
        tuple: Its samples, and one sentence if there are none.
    """
    dataset = source.dataset
    _, findings = attempt(source, dataset.full_init)
    if not findings and not dataset.data_list:
        findings = [empty(source.phase, dataset)]
    return dataset.data_list, findings


def cure(cfg: Config) -> str:
    """How data that are missing are had.

    Returns:
        str: The end of a sentence.
    """
    command = cfg.get('data_made_by')
    if command:
        return f'make it with `{command}`.'
    return 'put the data there or correct `data_root` in the config.'


def _paths_of(dataset: Dict[str, Any]) -> Iterator[Tuple[str, str]]:
    """What a data set will read: pairs of 'file' or 'folder' and a path."""
    root = dataset.get('data_root') or ''
    prefix = dataset.get('data_prefix') or {}
    prefixes = [prefix] if isinstance(prefix, str) else list(prefix.values())
    folders = [p for p in prefixes if isinstance(p, str) and p] or [root]
    for folder in folders:
        yield 'folder', _joined(root, folder)
    if dataset.get('ann_file'):
        yield 'file', _joined(root, dataset['ann_file'])


def _joined(root: str, path: str) -> str:
    path = os.path.expanduser(path)
    return path if path == root else os.path.join(root, path)


def _problem_with(kind: str, path: str) -> Optional[str]:
    if not path or '://' in path:
        return None
    try:
        if kind == 'file':
            found = os.path.isfile(path)
            return None if found else f'there is no file {path}'
        if not os.path.isdir(path):
            return f'there is no folder {path}'
        found = any(os.scandir(path))
        return None if found else f'the folder {path} is empty'
    except OSError as error:
        return f'{path} cannot be read ({error.strerror})'
