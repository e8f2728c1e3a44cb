"""The datasets that have a name: classes, counts, and what reads them.

Paths are relative to the folder in which a command is given, as in
OpenMMLab's own bases.
"""

from typing import Any, Dict, Mapping, Tuple, Union

from .imagenet100 import IMAGENET100

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
CONVERTERS = 'python tools/dataset_converters'
DIGITS = f'{CONVERTERS}/digits.py'


def _described(
    task: str, title: str, counts: Tuple[int, int, int], **more: Any
) -> Description:
    """Counts are classes, images to train on, and images to validate on."""
    num_classes, num_train, num_val = counts
    return dict(
        task=task,
        dataset_title=title,
        num_classes=num_classes,
        num_train=num_train,
        num_val=num_val,
        **more,
    )


def _classes(
    title: str,
    counts: Tuple[int, int, int],
    folder: str,
    kind: str,
    train: Union[str, Mapping[str, Any]] = 'train',
    val: Union[str, Mapping[str, Any]] = 'test',
    both: Mapping[str, Any] = {},
    **more: Any,
) -> Description:
    """Describe images and their classes.

    A part is its ``split``, or arguments of its own; ``more`` may be
    ``data_made_by``, a command, and ``small_images``, of some 32 px.
    """
    both = dict(type=kind, data_root=f'data/{folder}', **both)
    train, val = (
        dict(both, **(dict(split=part) if isinstance(part, str) else part))
        for part in (train, val)
    )
    return _described(
        'classification',
        title,
        counts,
        train_dataset=train,
        val_dataset=val,
        **more,
    )


def _cifar10_photos(title: str, num_train: int, **train: Any) -> Description:
    """CIFAR-10 as image files in class folders, or a part of them."""
    kind = train.pop('type', 'mmpretrain.CustomDataset')
    return _classes(
        title,
        (10, num_train, 10_000),
        'cifar10_photos',
        'mmpretrain.CustomDataset',
        dict(train, type=kind, data_prefix='train'),
        dict(data_prefix='test'),
        small_images=True,
    )


def _digits(title: str, num_train: int, **train: Any) -> Description:
    return _classes(
        title,
        (10, num_train, 400),
        'digits/classification',
        'mmpretrain.CustomDataset',
        dict(data_prefix='train', **train),
        dict(data_prefix='val'),
        dict(metainfo=dict(classes=[*'0123456789'])),
        data_made_by=DIGITS,
    )


def _of_imagenet(title: str, name: str) -> Description:
    """A part of ImageNet-1K's training images, listed in a file."""
    return _classes(
        title,
        (1000, 10_000, 50_000),
        'imagenet',
        'mmpretrain.ImageNet',
        dict(data_prefix='train', ann_file=f'meta/{name}.txt'),
        'val',
        data_made_by=f'{CONVERTERS}/imagenet_subset.py {name}',
    )


# Those that prepare.py downloads, or checks where they come by hand.
PUBLISHED: Dict[str, Description] = {
    'aircraft': _classes(
        'FGVC-Aircraft',
        (100, 6667, 3333),
        'fgvc-aircraft-2013b',
        'mmpretrain.FGVCAircraft',
        'trainval',
    ),
    'cars': _classes(
        'Stanford Cars',
        (196, 8144, 8041),
        'stanford_cars',
        'mmpretrain.StanfordCars',
    ),
    **{
        f'cifar{number}': _classes(
            f'CIFAR-{number}',
            (number, 50_000, 10_000),
            f'cifar{number}',
            f'mmpretrain.CIFAR{number}',
            both=dict(download=False),
            small_images=True,
        )
        for number in (10, 100)
    },
    'cub': _classes(
        'CUB-200-2011', (200, 5994, 5794), 'CUB_200_2011', 'mmpretrain.CUB'
    ),
    **{
        f'domainnet-{domain}': _classes(
            f'DomainNet {domain.capitalize()}',
            (345, num_train, num_val),
            'domainnet',
            'mmdrloc.ClassFolders',
            dict(ann_file=f'{domain}_train.txt'),
            dict(ann_file=f'{domain}_test.txt'),
            dict(data_prefix=domain),
        )
        for domain, num_train, num_val in (
            ('clipart', 33_525, 14_604),
            ('infograph', 36_023, 15_582),
            ('painting', 50_416, 21_850),
            ('quickdraw', 120_750, 51_750),
            ('real', 120_906, 52_041),
            ('sketch', 48_212, 20_916),
        )
    },
    'dtd': _classes(
        'DTD', (47, 3760, 1880), 'dtd', 'mmpretrain.DTD', 'trainval'
    ),
    'flowers102': _classes(
        'Flowers102',
        (102, 2040, 6149),
        'flowers102',
        'mmpretrain.Flowers102',
        'trainval',
    ),
    'imagenet-100': _classes(
        'ImageNet-100',
        (100, 126_689, 5000),
        'imagenet',
        'mmdrloc.ClassFolders',
        dict(data_prefix='train'),
        dict(data_prefix='val'),
        dict(metainfo=dict(classes=IMAGENET100)),
    ),
    # The validation images stand for the test images, whose labels are not
    # public.
    'imagenet-1k': _classes(
        'ImageNet-1K',
        (1000, 1_281_167, 50_000),
        'imagenet',
        'mmpretrain.ImageNet',
        'train',
        'val',
    ),
    # Quattoni and Torralba, Recognizing Indoor Scenes: the official lists
    # name 6,700 of its 15,620 images.
    'indoor67': _classes(
        'Indoor67',
        (67, 5360, 1340),
        'indoor67',
        'mmdrloc.ClassFolders',
        dict(ann_file='TrainImages.txt'),
        dict(ann_file='TestImages.txt'),
        dict(data_prefix='Images'),
    ),
    'pets': _classes(
        'Oxford-IIIT Pets',
        (37, 3680, 3669),
        'pets',
        'mmpretrain.OxfordIIITPet',
        'trainval',
    ),
    'svhn': _classes(
        'SVHN',
        (10, 73_257, 26_032),
        'svhn',
        'mmdrloc.SVHN',
        small_images=True,
    ),
}
for _name, _data in PUBLISHED.items():
    _data['data_made_by'] = f'{CONVERTERS}/prepare.py {_name}'

CATALOG: Dict[str, Description] = {
    **PUBLISHED,
    'cifar10_photos': _cifar10_photos('CIFAR-10 in folders', 50_000),
    # Sorted by class: every hundredth.
    'cifar10-500': _cifar10_photos(
        '500 photos of CIFAR-10', 500, indices=list(range(0, 50_000, 100))
    ),
    # Drawn by this seed, whatever the seed of the run.
    **{
        f'cifar10-{thousands}k': _cifar10_photos(
            f'{thousands},000 photos of CIFAR-10',
            1000 * thousands,
            type='mmdrloc.FolderSample',
            num_images=1000 * thousands,
            seed=0,
        )
        for thousands in (2, 5, 20)
    },
    'digits': _digits('handwritten digits', 11_176),
    # Sorted by class and digit: about every 37th.
    'digits-300': _digits(
        '300 handwritten digits',
        300,
        indices=[11_176 * number // 300 for number in range(300)],
    ),
    # Ten training images of each class.
    'sin-10k': _of_imagenet('SIN-10k', 'sin-10k'),
    # IDMM's poster does not define it. Our reading: 10,000 training images in
    # all, whatever their classes.
    'sin-total-10k': _of_imagenet('SIN-total 10k', 'sin-total-10k'),
    # Images of the user, in class folders.
    'photos': dict(
        task='classification',
        dataset_title='your photos',
        folder='data/photos',
    ),
    # Those of the other tasks are described by a recipe that trains on them.
    'coco': _described(
        'detection',
        'COCO 2017',
        (80, 118_287, 5000),
        recipe='coco/mask-rcnn_swin-tiny_1x',
    ),
    'coco_mini': _described(
        'detection',
        'people on a few photos',
        (1, 180, 120),
        recipe='coco_mini/mask-rcnn_swin-mini',
    ),
    # 150 of the 1,000 scenes: few labels, as where a backbone is carried.
    'digits_coco': _described(
        'detection',
        'scenes of handwritten digits',
        (10, 150, 100),
        recipe='quickstart/mask-rcnn_swin-2stage',
        data_made_by=DIGITS,
    ),
    # A part of BBBC038v1.
    'nuclei': _described(
        'detection',
        'nuclei of cells',
        (1, 300, 100),
        recipe='nuclei/mask-rcnn_cvt-mini',
    ),
    'ade20k': _described(
        'segmentation',
        'ADE20K',
        (150, 20_210, 2000),
        recipe='ade20k/upernet_swin-tiny_160k',
    ),
    'camvid': _described(
        'segmentation',
        'CamVid',
        (11, 367, 101),
        recipe='camvid/upernet_cvt-mini',
    ),
    # People cover 7 % of the pixels: unweighted, all became background.
    'coco_mini_seg': _described(
        'segmentation',
        'people on a few photos, as label maps',
        (2, 180, 120),
        recipe='coco_mini/upernet_swin-mini',
        class_weight=[1.0, 7.0],
        data_made_by=(
            f'{CONVERTERS}/coco_to_label_maps.py '
            'data/coco_mini/annotations/instances_SPLIT.json '
            'data/coco_mini/SPLIT data/coco_mini/people/SPLIT '
            '--categories person'
        ),
    ),
    'digits_seg': _described(
        'segmentation',
        'label maps of handwritten digits',
        (11, 1000, 100),
        recipe='quickstart/upernet_swin-2stage',
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
