"""What a classifier answered at its last validation, image by image."""

from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np

from mmdrloc.utils.images import evenly_spaced

# Wrong answers that are kept, and of how many classes a confusion matrix is.
EXAMPLES, MOST_CLASSES = 9, 100
# True class, predicted class, and the image's file if it has one.
Answer = Tuple[int, int, Optional[str]]


def encode(
    answers: Sequence[Answer], classes: Optional[Sequence[str]]
) -> Dict[str, Any]:
    """Encode the answers of a validation as short JSON.

    Returns:
        dict[str, Any]: ``correct`` has a bit for each image, 1 where its
        class was predicted: eight in two hexadecimal digits, the first image
        in the highest bit. Where the classes have names, ``confusion`` has a
        row for each, counts of images by predicted class, and ``wrong`` some
        wrong answers: file, true and predicted class.
    """
    true, predicted, files = zip(*answers)
    right = np.equal(true, predicted)
    entry: Dict[str, Any] = dict(correct=np.packbits(right).tobytes().hex())
    # Bytes that are no UTF-8, as in names of old archives, cannot be drawn.
    classes = [
        name.encode(errors='replace').decode() for name in classes or ()
    ]
    if classes and len(classes) <= MOST_CLASSES:
        counts = np.zeros((len(classes), len(classes)), int)
        np.add.at(counts, (true, predicted), 1)
        rows = (' '.join(map(str, row)) for row in counts)
        entry['confusion'] = dict(zip(classes, rows))
    if classes:
        wrong = [
            (files[n], classes[true[n]], classes[predicted[n]])
            for n in np.flatnonzero(~right)
            if files[n]
        ]
        # Images are often sorted by class.
        entry['wrong'] = [*evenly_spaced(wrong, EXAMPLES)]
    return entry


def correct(result: Dict[str, Any]) -> Optional[np.ndarray]:
    """Which images the run of a record had right, (N,) of 0 and 1."""
    digits = result['validations'][-1].get('correct')
    if digits is None:
        return None
    eights = np.frombuffer(bytes.fromhex(digits), np.uint8)
    return np.unpackbits(eights, count=result['dataset']['val_images'])


def confusion(results: Sequence[Dict[str, Any]]) -> Dict[str, np.ndarray]:
    """Add up the confusion matrices of some runs; a row for each class."""
    total: Dict[str, Any] = {}
    for result in results:
        rows = result['validations'][-1].get('confusion', {})
        for name, row in rows.items():
            total[name] = total.get(name, 0) + np.array(row.split(), int)
    return total


def examples(results: Sequence[Dict[str, Any]]) -> List[Sequence[str]]:
    """Wrong answers of the first run whose images are still there."""
    for result in results:
        wrong = result['validations'][-1].get('wrong', ())
        found = [one for one in wrong if Path(one[0]).is_file()]
        if found:
            return found
    return []
