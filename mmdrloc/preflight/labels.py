"""Labels and class names of data sets that are built."""

from functools import partial
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

import numpy as np

from .findings import few, shown


def classes_of(dataset: Any) -> Optional[Tuple[str, ...]]:
    """The class names of a data set; None if it has none."""
    classes = getattr(dataset, 'metainfo', {}).get('classes')
    return None if classes is None else tuple(classes)


def empty(phase: str, dataset: Any) -> str:
    """The finding about a data set without images."""
    return (
        f'the {phase} data set ({type(dataset).__name__}) holds no image '
        'after filtering: compare the class names in its metainfo and '
        'its paths with the annotations, and look at its `indices`.'
    )


def repeated_classes(phase: str, dataset: Any) -> List[str]:
    """Two classes of one name cannot be told apart in a result.

    A note and no finding: ImageNet has two of them.
    """
    classes = classes_of(dataset) or ()
    twice = sorted({name for name in classes if classes.count(name) > 1})
    if not twice:
        return []
    return [
        f'the {phase} data has classes of the same name ({few(twice)}): '
        'a table of results cannot tell them apart.'
    ]


def labels_beyond(phase: str, labels: Sequence[int], limit: int) -> List[str]:
    """Labels that no class of a model belongs to."""
    low, high = int(np.min(labels)), int(np.max(labels))
    if low >= 0 and high < limit:
        return []
    return [
        f'the {phase} data has labels from {low} to {high}, expected are 0 '
        f'to {limit - 1}: correct the annotations, or the classes and '
        'num_classes.'
    ]


def check_same_classes(datasets: Dict[str, Any]) -> List[str]:
    """Training and validation mean the same by a label."""
    train = classes_of(datasets.get('train'))
    val = classes_of(datasets.get('val'))
    if train is None or val is None or train == val:
        return []
    return [
        f'the training data has the classes{shown(train)}, the validation '
        f'data{shown(val)}: labels would mean different things, give both '
        'the same metainfo.'
    ]


def unwrapped(dataset: Any) -> Iterator[Any]:
    """The data sets inside the wrappers (concatenation, repetition, ...).

    Args:
        dataset (Any): Of a loader: built, or its config.

    Yields:
        Any: What wraps nothing; the data set itself if it does not.
    """
    is_config = isinstance(dataset, dict)
    get = dataset.get if is_config else partial(getattr, dataset)
    inner = get('datasets', None) or get('dataset', None)
    if inner is None:
        yield dataset
        return
    for item in inner if isinstance(inner, (list, tuple)) else [inner]:
        yield from unwrapped(item)
