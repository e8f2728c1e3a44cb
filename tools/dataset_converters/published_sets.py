"""Where the data sets of the experiments are officially obtained.

How many images and classes they have stands in ``configs/_base_/datasets``.
The counts there are those of Table 1 of Liu et al., Efficient Training of
Visual Transformers with Small Datasets, NeurIPS 2021, with one exception: of
ImageNet-1K it counts the 100,000 test images, whose labels are not public;
here the 50,000 validation images stand for them. IDMM's sets but Flowers102
are not in the table: their counts are those of their official lists.
"""

from dataclasses import dataclass
from typing import Any, Dict, Optional, Tuple

from torchvision import datasets as torchvision


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
        page (str): Where it is officially obtained.
        downloads (tuple[Download, ...]): Its files; none where the official
            page asks for a registration, or where the archive is not laid
            out as the class reads it: those are unpacked by hand.
    """

    page: str
    downloads: Tuple[Download, ...] = ()


def _cifar(source: Any) -> PublishedSet:
    return PublishedSet(
        page='https://www.cs.toronto.edu/~kriz/cifar.html',
        downloads=(Download(source.url, source.base_folder, source.tgz_md5),),
    )


def _svhn() -> PublishedSet:
    files = torchvision.SVHN.split_list
    return PublishedSet(
        page='http://ufldl.stanford.edu/housenumbers/',
        downloads=tuple(Download(*files[name]) for name in ('train', 'test')),
    )


def _flowers102() -> PublishedSet:
    page = torchvision.Flowers102._download_url_prefix
    makes = dict(image='jpg', label='imagelabels.mat', setid='setid.mat')
    return PublishedSet(
        page=page,
        downloads=tuple(
            Download(page + name, makes[key], md5)
            for key, (name, md5) in torchvision.Flowers102._file_dict.items()
        ),
    )


def _domainnet(domain: str) -> PublishedSet:
    files = 'http://csr.bu.edu/ftp/visda/2019/multi-source'
    # Of these two the first archives held duplicates. Table 1 counts the
    # cleaned ones.
    corrected = 'groundtruth/' if domain in ('clipart', 'painting') else ''
    lists = [f'{domain}_{split}.txt' for split in ('train', 'test')]
    return PublishedSet(
        page='http://ai.bu.edu/M3SDA/',
        downloads=(
            *(Download(f'{files}/domainnet/txt/{n}', n) for n in lists),
            Download(f'{files}/{corrected}{domain}.zip', domain),
        ),
    )


def _indoor67() -> PublishedSet:
    page = 'http://web.mit.edu/torralba/www/'
    photos = 'http://groups.csail.mit.edu/vision/LabelMe/NewImages/'
    lists = ('TrainImages.txt', 'TestImages.txt')
    return PublishedSet(
        page='https://web.mit.edu/torralba/www/indoor.html',
        downloads=(
            *(Download(f'{page}{name}', name) for name in lists),
            Download(f'{photos}indoorCVPR_09.tar', 'Images'),
        ),
    )


def _pets() -> PublishedSet:
    return PublishedSet(
        page='https://www.robots.ox.ac.uk/~vgg/data/pets/',
        downloads=tuple(
            Download(url, url.rpartition('/')[2][: -len('.tar.gz')], md5)
            for url, md5 in torchvision.OxfordIIITPet._RESOURCES
        ),
    )


IMAGENET = PublishedSet('https://www.image-net.org/download.php')
PUBLISHED: Dict[str, PublishedSet] = {
    'imagenet-1k': IMAGENET,
    'imagenet-100': IMAGENET,
    'cifar10': _cifar(torchvision.CIFAR10),
    'cifar100': _cifar(torchvision.CIFAR100),
    'flowers102': _flowers102(),
    'svhn': _svhn(),
    'domainnet-clipart': _domainnet('clipart'),
    'domainnet-infograph': _domainnet('infograph'),
    'domainnet-painting': _domainnet('painting'),
    'domainnet-quickdraw': _domainnet('quickdraw'),
    'domainnet-real': _domainnet('real'),
    'domainnet-sketch': _domainnet('sketch'),
    'indoor67': _indoor67(),
    'pets': _pets(),
    'dtd': PublishedSet('https://www.robots.ox.ac.uk/~vgg/data/dtd/'),
    'cub': PublishedSet(
        'https://www.vision.caltech.edu/datasets/cub_200_2011/'
    ),
    'aircraft': PublishedSet(
        'https://www.robots.ox.ac.uk/~vgg/data/fgvc-aircraft/'
    ),
    'cars': PublishedSet(
        'https://ai.stanford.edu/~jkrause/cars/car_dataset.html'
    ),
}
