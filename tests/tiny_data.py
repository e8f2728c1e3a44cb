"""Detection and segmentation sets of four images, good until changed."""

import copy
import json
from pathlib import Path

import numpy as np
from mmengine.config import Config
from PIL import Image

WIDTH, HEIGHT = 40, 30
CLASSES = ['cat', 'dog']
LOAD = dict(type='LoadImageFromFile')


def write_photo(
    path: Path, size=(WIDTH, HEIGHT), color=(90, 90, 90), **options
) -> None:
    """Write a photo of one color."""
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new('RGB', size, color).save(path, **options)


def coco_content() -> dict:
    """Four images with two objects each."""
    images, annotations = [], []
    for number in range(4):
        images.append(
            dict(
                id=number,
                file_name=f'{number}.jpg',
                width=WIDTH,
                height=HEIGHT,
            )
        )
        for category in (1, 2):
            x, y, w, h = 2 * category, 3, 10, 8
            annotations.append(
                dict(
                    id=len(annotations) + 1,
                    image_id=number,
                    category_id=category,
                    bbox=[x, y, w, h],
                    area=w * h,
                    iscrowd=0,
                    segmentation=[[x, y, x + w, y, x + w, y + h]],
                )
            )
    categories = [
        dict(id=at, name=name) for at, name in enumerate(CLASSES, start=1)
    ]
    return dict(images=images, annotations=annotations, categories=categories)


def write_coco(folder: Path) -> Config:
    """Write a detection set, and give a config that reads it."""
    for split in ('train', 'val'):
        for number in range(4):
            write_photo(folder / f'{split}/{number}.jpg')
        (folder / f'{split}.json').write_text(json.dumps(coco_content()))

    def loader(split):
        dataset = dict(
            type='CocoDataset',
            data_root=str(folder),
            ann_file=f'{split}.json',
            data_prefix=dict(img=f'{split}/'),
            metainfo=dict(classes=list(CLASSES)),
            filter_cfg=dict(filter_empty_gt=True, min_size=8),
            test_mode=split == 'val',
            pipeline=[LOAD, dict(type='LoadAnnotations', with_mask=True)],
        )
        return dict(dataset=dataset)

    return _config('mmdet', loader)


def write_seg(folder: Path) -> Config:
    """Write a segmentation set, and give a config that reads it."""
    labels = np.zeros((HEIGHT, WIDTH), np.uint8)
    labels[:10], labels[10:12] = 1, 255
    for split in ('train', 'val'):
        (folder / f'ann/{split}').mkdir(parents=True)
        for number in range(4):
            write_photo(folder / f'img/{split}/{number}.jpg')
            write_labels(folder / f'ann/{split}/{number}.png', labels)

    def loader(split):
        dataset = dict(
            type='BaseSegDataset',
            data_root=str(folder),
            data_prefix=dict(
                img_path=f'img/{split}', seg_map_path=f'ann/{split}'
            ),
            metainfo=dict(
                classes=list(CLASSES), palette=[[0, 0, 0], [9, 9, 9]]
            ),
            pipeline=[LOAD, dict(type='LoadAnnotations')],
        )
        return dict(dataset=dataset)

    cfg = _config('mmseg', loader)
    cfg.model = dict(decode_head=dict(num_classes=2))
    cfg.val_evaluator = dict(type='IoUMetric')
    return cfg


def write_labels(path: Path, values: np.ndarray) -> None:
    """Write a label map."""
    if values.dtype == np.int64:
        values = values.astype(np.uint8)
    Image.fromarray(values).save(path)


def _config(scope, loader) -> Config:
    return Config(
        copy.deepcopy(
            dict(
                default_scope=scope,
                model=dict(),
                train_dataloader=loader('train'),
                val_dataloader=loader('val'),
            )
        )
    )
