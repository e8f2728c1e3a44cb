"""Describe a folder of images as a dataset."""

from pathlib import Path
from typing import List, Tuple

from mmdrloc.datasets.catalog import Description
from . import classes, coco, label_maps

LAYOUTS = dict(
    classification=classes.describe,
    detection=coco.describe,
    segmentation=label_maps.describe,
)
# With fewer images, what comes out depends on which ones there are.
FEW_A_CLASS = 10
FEW_TO_VALIDATE = 50


def describe(folder: Path, task: str) -> Tuple[Description, List[str]]:
    """Describe class folders, COCO or label maps, and say what to know of it.

    Raises:
        UsageError: If the folder is not laid out for the task.
    """
    data, notes = LAYOUTS[task](folder)
    smallest, num_val = data.pop('smallest', FEW_A_CLASS), data['num_val']
    few = [f'{smallest} of the smallest class'] * (smallest < FEW_A_CLASS)
    few += [f'{num_val} to validate on'] * (num_val < FEW_TO_VALIDATE)
    if few:
        notes.append(
            f'few images in {folder} ({", ".join(few)}): results will vary '
            'much from seed to seed, compare several.'
        )
    return data, notes
