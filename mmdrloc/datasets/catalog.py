"""The datasets that have a name: classes, counts, and what reads them.

Paths are relative to the folder in which a command is given, as in
OpenMMLab's own bases.
"""

from typing import Any, Dict, Mapping, Tuple

Description = Dict[str, Any]

# What a config keeps of a description, for records, reports and messages.
KEPT = (
    'dataset_name',
    'dataset_title',
    'dataset_path',
    'num_train',
    'num_val',
    'data_made_by',
)
PREPARE = 'python tools/dataset_converters/prepare.py'
DIGITS = 'python tools/dataset_converters/digits.py'
DIGIT_CLASSES = [str(digit) for digit in range(10)]
PERSON = dict(classes=('person',), palette=[(220, 20, 60)])
CAMVID = dict(
    classes=[
        'sky',
        'building',
        'pole',
        'road',
        'pavement',
        'tree',
        'sign',
        'fence',
        'car',
        'pedestrian',
        'bicyclist',
    ],
    palette=[
        [128, 128, 128],
        [128, 0, 0],
        [192, 192, 128],
        [128, 64, 128],
        [60, 40, 222],
        [128, 128, 0],
        [192, 128, 128],
        [64, 64, 128],
        [64, 0, 128],
        [64, 64, 0],
        [0, 128, 192],
    ],
)
DIGITS_SEG = dict(
    classes=['background', *DIGIT_CLASSES],
    palette=[
        [0, 0, 0],
        [230, 25, 75],
        [60, 180, 75],
        [255, 225, 25],
        [0, 130, 200],
        [245, 130, 48],
        [145, 30, 180],
        [70, 240, 240],
        [240, 50, 230],
        [210, 245, 60],
        [250, 190, 212],
    ],
)


def _set(
    title: str,
    counts: Tuple[int, int, int],
    both: Mapping[str, Any],
    train: Mapping[str, Any],
    val: Mapping[str, Any],
    task: str = 'classification',
    **more: Any,
) -> Description:
    """Describe a dataset.

    Args:
        title (str): In tables.
        counts (tuple[int, int, int]): Classes, images to train on, images to
            validate on.
        both (Mapping): Arguments of the dataset of both parts.
        train (Mapping): Those of the part to train on.
        val (Mapping): Those of the part to validate on.
        task (str): Defaults to 'classification'.
        **more: ``data_made_by`` (a command), ``small_images`` (of some 32
            px), ``reduce_zero_label``, ``class_weight``.
    """
    num_classes, num_train, num_val = counts
    return dict(
        task=task,
        dataset_title=title,
        num_classes=num_classes,
        num_train=num_train,
        num_val=num_val,
        train_dataset={**both, **train},
        val_dataset={**both, **val},
        **more,
    )


def _splits(
    title: str,
    counts: Tuple[int, int, int],
    kind: str,
    folder: str,
    splits: Tuple[str, str] = ('train', 'test'),
    **more: Any,
) -> Description:
    """A published set whose class knows its splits."""
    train, val = (dict(split=split) for split in splits)
    both = dict(type=kind, data_root=f'data/{folder}')
    return _set(title, counts, both, train, val, **more)


def _cifar(number: int) -> Description:
    both = dict(
        type=f'mmpretrain.CIFAR{number}',
        data_root=f'data/cifar{number}',
        download=False,
    )
    return _set(
        f'CIFAR-{number}',
        (number, 50_000, 10_000),
        both,
        dict(split='train'),
        dict(split='test'),
        small_images=True,
    )


def _domainnet(domain: str, num_train: int, num_val: int) -> Description:
    both = dict(
        type='mmdrloc.DomainNet', data_root='data/domainnet', domain=domain
    )
    return _set(
        f'DomainNet {domain.capitalize()}',
        (345, num_train, num_val),
        both,
        dict(split='train'),
        dict(split='test'),
    )


def _cifar10_photos(title: str, num_train: int, **train: Any) -> Description:
    """CIFAR-10 as image files in class folders, or a part of them."""
    both = dict(
        type='mmpretrain.CustomDataset', data_root='data/cifar10_photos'
    )
    return _set(
        title,
        (10, num_train, 10_000),
        both,
        dict(data_prefix='train', **train),
        dict(data_prefix='test'),
        small_images=True,
    )


def _cifar10_sample(title: str, num_images: int) -> Description:
    """A part that is drawn by this seed, whatever the seed of the run."""
    return _cifar10_photos(
        f'{title} photos of CIFAR-10',
        num_images,
        type='mmdrloc.FolderSample',
        num_images=num_images,
        seed=0,
    )


def _digits(title: str, num_train: int, **train: Any) -> Description:
    both = dict(
        type='mmpretrain.CustomDataset',
        data_root='data/digits/classification',
        metainfo=dict(classes=DIGIT_CLASSES),
    )
    return _set(
        title,
        (10, num_train, 400),
        both,
        dict(data_prefix='train', **train),
        dict(data_prefix='val'),
        data_made_by=DIGITS,
    )


def _imagenet(title: str, name: str) -> Description:
    """A part of ImageNet-1K's training images, listed in a file."""
    made_by = f'python tools/dataset_converters/imagenet_subset.py {name}'
    return _set(
        title,
        (1000, 10_000, 50_000),
        dict(type='mmpretrain.ImageNet', data_root='data/imagenet'),
        dict(data_prefix='train', ann_file=f'meta/{name}.txt'),
        dict(split='val'),
        data_made_by=made_by,
    )


def _coco(
    title: str,
    counts: Tuple[int, int, int],
    folder: str,
    train: Mapping[str, Any],
    year: str = '',
    **both: Any,
) -> Description:
    """Boxes and masks in COCO's layout; the class names in ``metainfo``."""

    def part(split: str, **options: Any) -> Dict[str, Any]:
        return dict(
            ann_file=f'annotations/instances_{split}{year}.json',
            data_prefix=dict(img=f'{split}{year}/'),
            **options,
        )

    return _set(
        title,
        counts,
        dict(type='mmdet.CocoDataset', data_root=f'data/{folder}/', **both),
        part('train', **train),
        part('val', test_mode=True),
        task='detection',
    )


def _label_maps(
    title: str,
    counts: Tuple[int, int, int],
    both: Mapping[str, Any],
    splits: Tuple[str, str],
    layout: Tuple[str, str] = ('images/{}', 'annotations/{}'),
    **more: Any,
) -> Description:
    train, val = (
        dict(
            data_prefix=dict(
                img_path=layout[0].format(split),
                seg_map_path=layout[1].format(split),
            )
        )
        for split in splits
    )
    more.setdefault('reduce_zero_label', False)
    return _set(title, counts, both, train, val, task='segmentation', **more)


# COCO leaves out images without objects, and those with a side below 32 px.
FILTER = dict(filter_cfg=dict(filter_empty_gt=True, min_size=32))
TRAINVAL = ('trainval', 'test')

CATALOG: Dict[str, Description] = {
    'aircraft': _splits(
        'FGVC-Aircraft',
        (100, 6667, 3333),
        'mmpretrain.FGVCAircraft',
        'fgvc-aircraft-2013b',
        TRAINVAL,
    ),
    'cars': _splits(
        'Stanford Cars',
        (196, 8144, 8041),
        'mmpretrain.StanfordCars',
        'stanford_cars',
    ),
    'cifar10': _cifar(10),
    'cifar100': _cifar(100),
    'cifar10_photos': _cifar10_photos('CIFAR-10 in folders', 50_000),
    # Sorted by class: every hundredth.
    'cifar10-500': _cifar10_photos(
        '500 photos of CIFAR-10', 500, indices=list(range(0, 50_000, 100))
    ),
    'cifar10-2k': _cifar10_sample('2,000', 2000),
    'cifar10-5k': _cifar10_sample('5,000', 5000),
    'cifar10-20k': _cifar10_sample('20,000', 20_000),
    'cub': _splits(
        'CUB-200-2011', (200, 5994, 5794), 'mmpretrain.CUB', 'CUB_200_2011'
    ),
    'digits': _digits('handwritten digits', 11_176),
    # Sorted by class and digit: about every 37th.
    'digits-300': _digits(
        '300 handwritten digits',
        300,
        indices=[11_176 * number // 300 for number in range(300)],
    ),
    'domainnet-clipart': _domainnet('clipart', 33_525, 14_604),
    'domainnet-infograph': _domainnet('infograph', 36_023, 15_582),
    'domainnet-painting': _domainnet('painting', 50_416, 21_850),
    'domainnet-quickdraw': _domainnet('quickdraw', 120_750, 51_750),
    'domainnet-real': _domainnet('real', 120_906, 52_041),
    'domainnet-sketch': _domainnet('sketch', 48_212, 20_916),
    'dtd': _splits('DTD', (47, 3760, 1880), 'mmpretrain.DTD', 'dtd', TRAINVAL),
    'flowers102': _splits(
        'Flowers102',
        (102, 2040, 6149),
        'mmpretrain.Flowers102',
        'flowers102',
        TRAINVAL,
    ),
    'imagenet-100': _splits(
        'ImageNet-100',
        (100, 126_689, 5000),
        'mmdrloc.ImageNet100',
        'imagenet',
        ('train', 'val'),
    ),
    # The validation images stand for the test images, whose labels are not
    # public.
    'imagenet-1k': _splits(
        'ImageNet-1K',
        (1000, 1_281_167, 50_000),
        'mmpretrain.ImageNet',
        'imagenet',
        ('train', 'val'),
    ),
    'indoor67': _splits(
        'Indoor67', (67, 5360, 1340), 'mmdrloc.Indoor67', 'indoor67'
    ),
    'pets': _splits(
        'Oxford-IIIT Pets',
        (37, 3680, 3669),
        'mmpretrain.OxfordIIITPet',
        'pets',
        TRAINVAL,
    ),
    # Ten training images of each class.
    'sin-10k': _imagenet('SIN-10k', 'sin-10k'),
    # IDMM's poster does not define it. Our reading: 10,000 training images in
    # all, whatever their classes.
    'sin-total-10k': _imagenet('SIN-total 10k', 'sin-total-10k'),
    # Images of the user, in class folders.
    'photos': dict(
        task='classification',
        dataset_title='your photos',
        folder='data/photos',
    ),
    'svhn': _splits(
        'SVHN', (10, 73_257, 26_032), 'mmdrloc.SVHN', 'svhn', small_images=True
    ),
    'coco': _coco(
        'COCO 2017',
        (80, 118_287, 5000),
        'coco',
        FILTER,
        year='2017',
        backend_args=None,
    ),
    'coco_mini': _coco(
        'people on a few photos',
        (1, 180, 120),
        'coco_mini',
        FILTER,
        metainfo=PERSON,
        backend_args=None,
    ),
    # 150 of the 1,000 scenes: few labels, as where a backbone is carried.
    'digits_coco': dict(
        _coco(
            'scenes of handwritten digits',
            (10, 150, 100),
            'digits/detection',
            dict(indices=150),
            metainfo=dict(classes=DIGIT_CLASSES),
        ),
        data_made_by=DIGITS,
    ),
    # A part of BBBC038v1.
    'nuclei': _coco(
        'nuclei of cells',
        (1, 300, 100),
        'nuclei',
        {},
        metainfo=dict(PERSON, classes=('nucleus',)),
    ),
    # The label maps count from 1; 0 is what no class covers.
    'ade20k': _label_maps(
        'ADE20K',
        (150, 20_210, 2000),
        dict(
            type='mmseg.ADE20KDataset',
            data_root='data/ade/ADEChallengeData2016',
        ),
        ('training', 'validation'),
        reduce_zero_label=True,
    ),
    # SegNet's version, at 240x180. 11 in the label maps is what has no class.
    'camvid': _label_maps(
        'CamVid',
        (11, 367, 101),
        dict(
            type='mmdrloc.RenumberedSegDataset',
            labels=[*range(11), 255],
            data_root='data/camvid240',
            metainfo=CAMVID,
        ),
        ('train', 'val'),
        ('img/{}', 'ann/{}'),
    ),
    # People cover 7 % of the pixels: unweighted, all became background.
    'coco_mini_seg': _label_maps(
        'people on a few photos, as label maps',
        (2, 180, 120),
        dict(
            type='mmseg.BaseSegDataset',
            data_root='data/coco_mini/people',
            metainfo=dict(
                classes=['background', 'person'],
                palette=[[0, 0, 0], [220, 20, 60]],
            ),
        ),
        ('train', 'val'),
        ('{}/images', '{}/annotations'),
        class_weight=[1.0, 7.0],
        data_made_by=(
            'python tools/dataset_converters/coco_to_label_maps.py '
            'data/coco_mini/annotations/instances_SPLIT.json '
            'data/coco_mini/SPLIT data/coco_mini/people/SPLIT '
            '--categories person'
        ),
    ),
    'digits_seg': _label_maps(
        'label maps of handwritten digits',
        (11, 1000, 100),
        dict(
            type='mmseg.BaseSegDataset',
            data_root='data/digits/segmentation',
            img_suffix='.png',
            metainfo=DIGITS_SEG,
        ),
        ('training', 'validation'),
        class_weight=[0.4] + [1.0] * 10,
        data_made_by=DIGITS,
    ),
}
# To choose settings: the photos of cifar10-5k, judged by 2,000 others of the
# 50,000 to train on. The test photos are not looked at.
CATALOG['cifar10-5k-heldout'] = dict(
    CATALOG['cifar10-5k'],
    dataset_title='5,000 photos of CIFAR-10, 2,000 held out',
    num_val=2000,
    val_dataset=dict(
        CATALOG['cifar10-5k']['train_dataset'], num_images=2000, skip=5000
    ),
)
# Those that prepare.py downloads, or checks where they come by hand.
PREPARED = tuple(
    name
    for name, described in CATALOG.items()
    if described['task'] == 'classification'
    and not {'data_made_by', 'folder'} & {*described}
    and not name.startswith(('cifar10_', 'cifar10-'))
)
for _name in PREPARED:
    CATALOG[_name]['data_made_by'] = f'{PREPARE} {_name}'


def described(cfg: Mapping[str, Any]) -> Description:
    """What is known of the data of a config.

    Args:
        cfg (Mapping): Any; ours name their data in ``dataset_name``.

    Returns:
        dict: Some of :data:`KEPT`; what the config says itself comes first.
    """
    known = CATALOG.get(cfg.get('dataset_name'), {})
    return {
        key: cfg.get(key, known.get(key))
        for key in KEPT
        if key in cfg or key in known
    }
