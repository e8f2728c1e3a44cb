"""What is published of the data sets: their counts and where they are.

The counts are those of Table 1 of Liu et al., Efficient Training of Visual
Transformers with Small Datasets, NeurIPS 2021, with one exception: of
ImageNet-1K it counts the 100,000 test images, whose labels are not public;
here the 50,000 validation images stand for them. IDMM's sets but
Flowers102 are not in the table: their counts are those of their official
lists.
"""

from dataclasses import dataclass, field
from typing import Any, Dict, Optional, Tuple

from torchvision import datasets as torchvision

from .domainnet import NUM_CLASSES as DOMAINNET_CLASSES


@dataclass(frozen=True)
class Download:
    """One file of a data set.

    Args:
        url (str): Where it officially is.
        makes (str): The file or folder, relative to the set's folder, that
            it is or, if an archive, holds.
        md5 (str, optional): The published checksum. Defaults to None: none
            is published.
    """

    url: str
    makes: str
    md5: Optional[str] = None


@dataclass(frozen=True)
class PublishedSet:
    """One data set of the experiments.

    Args:
        dataset (str): Type of the class that reads it.
        folder (str): Its folder below the root of all data sets.
        splits (tuple[str, str]): What is trained and what is tested on.
        num_train (int): Images to train on.
        num_test (int): Images to test on.
        num_classes (int): Classes.
        page (str): Where it is officially obtained.
        options (dict): Further arguments of the class.
        downloads (tuple[Download, ...]): Its files; none where the official
            page asks for a registration, or where the archive is not laid
            out as the class reads it: those are unpacked by hand.
    """

    dataset: str
    folder: str
    splits: Tuple[str, str]
    num_train: int
    num_test: int
    num_classes: int
    page: str
    options: Dict[str, Any] = field(default_factory=dict)
    downloads: Tuple[Download, ...] = ()


def _cifar(source: type, num_classes: int) -> PublishedSet:
    return PublishedSet(
        dataset=f'mmpretrain.{source.__name__}',
        folder=source.__name__.lower(),
        splits=('train', 'test'),
        num_train=50_000,
        num_test=10_000,
        num_classes=num_classes,
        page='https://www.cs.toronto.edu/~kriz/cifar.html',
        options=dict(download=False),
        downloads=(Download(source.url, source.base_folder, source.tgz_md5),),
    )


def _svhn() -> PublishedSet:
    files = torchvision.SVHN.split_list
    return PublishedSet(
        dataset='mmdrloc.SVHN',
        folder='svhn',
        splits=('train', 'test'),
        num_train=73_257,
        num_test=26_032,
        num_classes=10,
        page='http://ufldl.stanford.edu/housenumbers/',
        downloads=tuple(Download(*files[name]) for name in ('train', 'test')),
    )


def _flowers102() -> PublishedSet:
    page = torchvision.Flowers102._download_url_prefix
    makes = dict(image='jpg', label='imagelabels.mat', setid='setid.mat')
    return PublishedSet(
        dataset='mmpretrain.Flowers102',
        folder='flowers102',
        splits=('trainval', 'test'),
        num_train=2_040,
        num_test=6_149,
        num_classes=102,
        page=page,
        downloads=tuple(
            Download(page + name, makes[key], md5)
            for key, (name, md5) in torchvision.Flowers102._file_dict.items()
        ),
    )


def _imagenet(
    dataset: str, num_train: int, num_test: int, num_classes: int
) -> PublishedSet:
    return PublishedSet(
        dataset=dataset,
        folder='imagenet',
        splits=('train', 'val'),
        num_train=num_train,
        num_test=num_test,
        num_classes=num_classes,
        page='https://www.image-net.org/download.php',
    )


def _domainnet(domain: str, num_train: int, num_test: int) -> PublishedSet:
    files = 'http://csr.bu.edu/ftp/visda/2019/multi-source'
    # Of these two the first archives held duplicates. Table 1 counts the
    # cleaned ones.
    corrected = 'groundtruth/' if domain in ('clipart', 'painting') else ''
    lists = [f'{domain}_{split}.txt' for split in ('train', 'test')]
    return PublishedSet(
        dataset='mmdrloc.DomainNet',
        folder='domainnet',
        splits=('train', 'test'),
        num_train=num_train,
        num_test=num_test,
        num_classes=DOMAINNET_CLASSES,
        page='http://ai.bu.edu/M3SDA/',
        options=dict(domain=domain),
        downloads=(
            *(Download(f'{files}/domainnet/txt/{n}', n) for n in lists),
            Download(f'{files}/{corrected}{domain}.zip', domain),
        ),
    )


def _indoor67() -> PublishedSet:
    lists = ('TrainImages.txt', 'TestImages.txt')
    return PublishedSet(
        dataset='mmdrloc.Indoor67',
        folder='indoor67',
        splits=('train', 'test'),
        num_train=5_360,
        num_test=1_340,
        num_classes=67,
        page='https://web.mit.edu/torralba/www/indoor.html',
        downloads=(
            *(
                Download(f'http://web.mit.edu/torralba/www/{n}', n)
                for n in lists
            ),
            Download(
                'http://groups.csail.mit.edu/vision/LabelMe/NewImages/'
                'indoorCVPR_09.tar',
                'Images',
            ),
        ),
    )


def _pets() -> PublishedSet:
    return PublishedSet(
        dataset='mmpretrain.OxfordIIITPet',
        folder='pets',
        splits=('trainval', 'test'),
        num_train=3_680,
        num_test=3_669,
        num_classes=37,
        page='https://www.robots.ox.ac.uk/~vgg/data/pets/',
        downloads=tuple(
            Download(url, url.rpartition('/')[2][: -len('.tar.gz')], md5)
            for url, md5 in torchvision.OxfordIIITPet._RESOURCES
        ),
    )


PUBLISHED: Dict[str, PublishedSet] = {
    'imagenet-1k': _imagenet('mmpretrain.ImageNet', 1_281_167, 50_000, 1_000),
    'imagenet-100': _imagenet('mmdrloc.ImageNet100', 126_689, 5_000, 100),
    'cifar10': _cifar(torchvision.CIFAR10, 10),
    'cifar100': _cifar(torchvision.CIFAR100, 100),
    'flowers102': _flowers102(),
    'svhn': _svhn(),
    'domainnet-clipart': _domainnet('clipart', 33_525, 14_604),
    'domainnet-infograph': _domainnet('infograph', 36_023, 15_582),
    'domainnet-painting': _domainnet('painting', 50_416, 21_850),
    'domainnet-quickdraw': _domainnet('quickdraw', 120_750, 51_750),
    'domainnet-real': _domainnet('real', 120_906, 52_041),
    'domainnet-sketch': _domainnet('sketch', 48_212, 20_916),
    'indoor67': _indoor67(),
    'pets': _pets(),
    'dtd': PublishedSet(
        dataset='mmpretrain.DTD',
        folder='dtd',
        splits=('trainval', 'test'),
        num_train=3_760,
        num_test=1_880,
        num_classes=47,
        page='https://www.robots.ox.ac.uk/~vgg/data/dtd/',
    ),
    'cub': PublishedSet(
        dataset='mmpretrain.CUB',
        folder='CUB_200_2011',
        splits=('train', 'test'),
        num_train=5_994,
        num_test=5_794,
        num_classes=200,
        page='https://www.vision.caltech.edu/datasets/cub_200_2011/',
    ),
    'aircraft': PublishedSet(
        dataset='mmpretrain.FGVCAircraft',
        folder='fgvc-aircraft-2013b',
        splits=('trainval', 'test'),
        num_train=6_667,
        num_test=3_333,
        num_classes=100,
        page='https://www.robots.ox.ac.uk/~vgg/data/fgvc-aircraft/',
    ),
    'cars': PublishedSet(
        dataset='mmpretrain.StanfordCars',
        folder='stanford_cars',
        splits=('train', 'test'),
        num_train=8_144,
        num_test=8_041,
        num_classes=196,
        page='https://ai.stanford.edu/~jkrause/cars/car_dataset.html',
    ),
}
