"""What may be in a label map, and what a segmentor makes of it."""

from typing import Any, Dict, Iterator, Optional, Set

import numpy as np
from PIL import Image

from .findings import few
from .labels import classes_of
from .sources import Source

# mmseg takes the values of a palette's numbers, and the lower 8 bits.
ONE_CHANNEL = ('1', 'L', 'P', 'I', 'I;16', 'I;16B', 'I;16L')
# What mmseg ignores unless told otherwise, and what becomes of label 0 with
# reduce_zero_label.
IGNORED = 255


def check_form(image: Image.Image) -> Optional[str]:
    """Say why a picture is no label map.

    Args:
        image (PIL.Image.Image): Its header has been read.

    Returns:
        str, optional: What follows its path in a sentence.
    """
    if image.mode not in ONE_CHANNEL:
        return (
            f'is a picture with colors ({image.mode}), and a label map has '
            'the number of the class as the one value of each pixel'
        )
    if image.format == 'JPEG':
        return 'is a JPEG, which does not keep the exact numbers: use PNG'
    return None


class LabelValues:
    """Which values of a label map mean something.

    Args:
        num_classes (int, optional): Number of classes; None leaves the
            values alone.
        ignored (set[int]): What is ignored.
        reduce_zero_label (bool): Whether 0 is ignored and 1 the first class.
        label_map (dict, optional): New labels of the old ones.
    """

    def __init__(
        self,
        num_classes: Optional[int],
        ignored: Set[int],
        reduce_zero_label: bool,
        label_map: Optional[Dict[int, int]],
    ) -> None:
        self.num_classes = num_classes
        self.ignored = ignored
        self.reduce_zero_label = reduce_zero_label
        self.meaning = np.arange(256)
        if reduce_zero_label:
            self.meaning = np.array([IGNORED, *range(254), IGNORED])
        before = self.meaning.copy()
        for old, new in (label_map or {}).items():
            self.meaning[before == old] = new
        #: Whether a pixel of a class has been met.
        self.seen = False

    @classmethod
    def of(cls, source: Source) -> 'LabelValues':
        """Those of a data set in its phase.

        Returns:
            LabelValues: As the loss, or the metric, takes them.
        """
        dataset = source.dataset
        heads = list(_heads(source.cfg.get('model')))
        classes = classes_of(dataset)
        counts = [h['num_classes'] for h in heads if 'num_classes' in h]
        number = min(counts, default=None) if classes is None else len(classes)
        judges = heads if source.phase == 'train' else source.evaluators
        ignored = {judge.get('ignore_index', IGNORED) for judge in judges}
        return cls(
            number,
            ignored or {IGNORED},
            dataset.reduce_zero_label,
            dataset.label_map,
        )

    def __repr__(self) -> str:
        return (
            f'{self.num_classes} {sorted(self.ignored)} {list(self.meaning)}'
        )

    def problem_with(self, path: str) -> Optional[str]:
        """Say which values of a label map mean nothing.

        Args:
            path (str): A PNG file, whose header is good.

        Returns:
            str, optional: It names the file and the remedy.
        """
        try:
            with Image.open(path) as image:
                values = np.unique(np.asarray(image).astype(np.int64))
        except Exception as error:  # damaged files fail in many ways
            return f'{path} is damaged ({error}): replace it'
        if self.num_classes is None:
            self.seen = True
            return None
        wrong = []
        for value in values.tolist():
            label = self.meaning[value] if 0 <= value < 256 else value
            if 0 <= label < self.num_classes:
                self.seen = True
            elif label not in self.ignored or not 0 <= value < 256:
                wrong.append(value)
        if not wrong:
            return None
        first = int(self.reduce_zero_label)
        return (
            f'{path} has the values {few(wrong)}, expected are {first} to '
            f'{first + self.num_classes - 1} and '
            f'{few(sorted(self.ignored))} for what is ignored'
            f'{" (reduce_zero_label=True: also 0)" if first else ""}: '
            'correct the label map, the classes in metainfo or ignore_index'
        )


def _heads(model: Any) -> Iterator[Dict[str, Any]]:
    """The configs of the heads that have a loss on label maps."""
    model = model or {}
    for name in ('decode_head', 'auxiliary_head'):
        heads = model.get(name) or []
        yield from [heads] if isinstance(heads, dict) else heads
