"""Small datasets in the formats of the published ones."""

import pickle
from pathlib import Path
from typing import Tuple

import numpy as np
from mmpretrain.datasets import CIFAR10, CIFAR100
from PIL import Image
from scipy.io import savemat

from mmdrloc.datasets.catalog import CATALOG

IMAGENET100 = CATALOG['imagenet-100']['train_dataset']['metainfo']['classes']
# What is red in the file is red to the network.
RED = (220, 30, 10)


def write_image(path: Path, size: Tuple[int, int] = (40, 30)) -> None:
    """Write a red photo of that width and height, making its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new('RGB', size, RED).save(path, 'JPEG', quality=95)


def red_digits(count: int) -> np.ndarray:
    """Give (count, 32, 32, 3) RGB."""
    return np.broadcast_to(np.uint8(RED), (count, 32, 32, 3))


def write_svhn(root: Path) -> None:
    """Three digits a split: 1, 2 and 0, which is written as 10."""
    root.mkdir(parents=True)
    for split in ('train', 'test'):
        savemat(
            root / f'{split}_32x32.mat',
            dict(
                X=red_digits(3).transpose(1, 2, 3, 0),
                y=np.uint8([[1], [2], [10]]),
            ),
        )


def write_domainnet(root: Path, domain: str) -> None:
    """One test image a class, and three classes to train on."""
    for split, classes in (('train', range(3)), ('test', range(345))):
        lines = []
        for label in classes:
            name = f'{domain}_{split}_{label}.jpg'
            path = f'{domain}/class_{label:03}/{name}'
            write_image(root / path)
            lines.append(f'{path} {label}\n')
        (root / f'{domain}_{split}.txt').write_text(''.join(lines))


def write_imagenet100(root: Path) -> None:
    """One image a class, and a class that is none of the hundred."""
    for split in ('train', 'val'):
        for wnid in (*IMAGENET100, 'n99999999'):
            write_image(root / split / wnid / f'{wnid}_1.JPEG')


def write_imagenet(root: Path, train_list: str = 'train') -> None:
    """Two images a split, named in ``meta``."""
    for split, name in (('train', train_list), ('val', 'val')):
        lines = []
        for label in (0, 999):
            write_image(root / split / f'{label}.JPEG')
            lines.append(f'{label}.JPEG {label}\n')
        (root / 'meta').mkdir(exist_ok=True)
        (root / f'meta/{name}.txt').write_text(''.join(lines))


def write_indoor67(root: Path) -> None:
    """An image of each class, and lists of the first and the last one."""
    for number in range(67):
        write_image(root / f'Images/room_{number:02}/a.jpg')
    for split in ('Train', 'Test'):
        file = root / f'{split}Images.txt'
        file.write_text('room_00/a.jpg\nroom_66/a.jpg')


def write_flowers102(root: Path) -> None:
    """Two flowers each to train, validate and test: classes 1 and 102."""
    for number in range(1, 7):
        write_image(root / f'jpg/image_{number:05d}.jpg')
    savemat(root / 'imagelabels.mat', dict(labels=[[1, 102] * 3]))
    ids = dict(trnid=[[1, 2]], valid=[[3, 4]], tstid=[[5, 6]])
    savemat(root / 'setid.mat', ids)


def write_pets(root: Path) -> None:
    """Two images a split: the first and the last of 37 breeds."""
    (root / 'annotations').mkdir(parents=True)
    for split in ('trainval', 'test'):
        lines = []
        for name, label in (('Abyssinian', 1), ('yorkshire_terrier', 37)):
            write_image(root / f'images/{name}_{split}.jpg')
            # Class, species (cat or dog), breed within the species.
            lines.append(f'{name}_{split} {label} 1 1\n')
        (root / f'annotations/{split}.txt').write_text(''.join(lines))


def write_cifar(root: Path, source: type, monkeypatch) -> None:
    """Two images a file; their checksums are no longer asked for."""
    folder = root / source.base_folder
    folder.mkdir(parents=True)
    key = 'labels' if source.__name__ == 'CIFAR10' else 'fine_labels'
    images = red_digits(2).transpose(0, 3, 1, 2).reshape(2, -1)
    for kind in ('train_list', 'test_list'):
        names = [name for name, _ in getattr(source, kind)]
        monkeypatch.setattr(source, kind, [[name, None] for name in names])
        for name in names:
            content = pickle.dumps({'data': images, key: [0, 9]})
            (folder / name).write_bytes(content)


def write_set(name, root, monkeypatch):
    """Write a fake set, give the highest label to train on."""
    if name in ('cifar10', 'cifar100'):
        source = CIFAR10 if name == 'cifar10' else CIFAR100
        write_cifar(root, source, monkeypatch)
        return 9
    if name.startswith('domainnet-'):
        write_domainnet(root, name.split('-')[1])
        return 2
    writers = {
        'imagenet-1k': (write_imagenet, 999),
        'imagenet-100': (write_imagenet100, 99),
        'flowers102': (write_flowers102, 101),
        'svhn': (write_svhn, 2),
        'indoor67': (write_indoor67, 66),
        'pets': (write_pets, 36),
    }
    writer, highest = writers[name]
    writer(root)
    return highest
