"""What a classifier answered at its last validation, image by image."""

from typing import Any, Dict, Optional, Sequence, Tuple

import numpy as np

# Of how many classes a confusion matrix is kept.
MOST_CLASSES = 100
# True and predicted class of an image.
Answer = Tuple[int, int]


def encode(
    answers: Sequence[Answer], classes: Optional[Sequence[str]]
) -> Dict[str, Any]:
    """Encode the answers of a validation as short JSON.

    Returns:
        dict[str, Any]: ``correct`` has a bit for each image, 1 where its
        class was predicted: eight in two hexadecimal digits, the first image
        in the highest bit. Where all predicted classes have names,
        ``confusion`` has a row for each, counts of images by predicted class.
    """
    true, predicted = zip(*answers)
    right = np.equal(true, predicted)
    entry: Dict[str, Any] = dict(correct=np.packbits(right).tobytes().hex())
    # Bytes that are no UTF-8, as in names of old archives, cannot be drawn.
    classes = [
        name.encode(errors='backslashreplace').decode()
        for name in classes or ()
    ]
    if max(predicted) < len(classes) <= MOST_CLASSES:
        counts = np.zeros((len(classes), len(classes)), int)
        np.add.at(counts, (true, predicted), 1)
        rows = (' '.join(map(str, row)) for row in counts)
        entry['confusion'] = dict(zip(classes, rows))
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
