"""Where the datasets of the experiments are officially obtained.

Their counts, in ``mmdrloc/datasets/catalog.yml``, are those of Table 1 of Liu
et al., Efficient Training of Visual Transformers with Small Datasets, NeurIPS
2021, with one exception: of ImageNet-1K it counts the 100,000 test images,
whose labels are not public; here the 50,000 validation images stand for them.
IDMM's sets but Flowers102 are not in the table: their counts are those of
their official lists.
"""

from typing import Dict, NamedTuple, Optional


class Download(NamedTuple):
    """One file of a dataset: its address, and what is made of it.

    Args:
        url (str): Where it officially is.
        makes (str): The file or folder, from the dataset's folder, that it is
            or, if an archive, holds.
        md5 (str, optional): The published checksum.
    """

    url: str
    makes: str
    md5: Optional[str] = None


KRIZHEVSKY = 'https://www.cs.toronto.edu/~kriz'
VGG = 'https://www.robots.ox.ac.uk/~vgg/data'
SVHN = 'http://ufldl.stanford.edu/housenumbers'
INDOOR67 = 'http://web.mit.edu/torralba/www'
DOMAINNET = 'http://csr.bu.edu/ftp/visda/2019/multi-source'
DOMAINS = ('clipart', 'infograph', 'painting', 'quickdraw', 'real', 'sketch')

PAGES: Dict[str, str] = {
    'imagenet-1k': 'https://www.image-net.org/download.php',
    'imagenet-100': 'https://www.image-net.org/download.php',
    'cifar10': f'{KRIZHEVSKY}/cifar.html',
    'cifar100': f'{KRIZHEVSKY}/cifar.html',
    'flowers102': f'{VGG}/flowers/102/',
    'svhn': SVHN,
    **{f'domainnet-{name}': 'http://ai.bu.edu/M3SDA/' for name in DOMAINS},
    'indoor67': f'{INDOOR67}/indoor.html',
    'pets': f'{VGG}/pets/',
    'dtd': f'{VGG}/dtd/',
    'cub': 'https://www.vision.caltech.edu/datasets/cub_200_2011/',
    'aircraft': f'{VGG}/fgvc-aircraft/',
    'cars': 'https://ai.stanford.edu/~jkrause/cars/car_dataset.html',
}
# None where the page asks for a registration, or where the archive is not laid
# out as the class reads it: those are unpacked by hand.
DOWNLOADS: Dict[str, tuple] = {
    'cifar10': (
        Download(
            f'{KRIZHEVSKY}/cifar-10-python.tar.gz',
            'cifar-10-batches-py',
            'c58f30108f718f92721af3b95e74349a',
        ),
    ),
    'cifar100': (
        Download(
            f'{KRIZHEVSKY}/cifar-100-python.tar.gz',
            'cifar-100-python',
            'eb9058c3a382ffc7106e4002c42a8d85',
        ),
    ),
    'flowers102': (
        Download(
            f'{VGG}/flowers/102/102flowers.tgz',
            'jpg',
            '52808999861908f626f3c1f4e79d11fa',
        ),
        Download(
            f'{VGG}/flowers/102/imagelabels.mat',
            'imagelabels.mat',
            'e0620be6f572b9609742df49c70aed4d',
        ),
        Download(
            f'{VGG}/flowers/102/setid.mat',
            'setid.mat',
            'a5357ecc9cb78c4bef273ce3793fc85c',
        ),
    ),
    'svhn': (
        Download(
            f'{SVHN}/train_32x32.mat',
            'train_32x32.mat',
            'e26dedcc434d2e4c54c9b2d4a06d8373',
        ),
        Download(
            f'{SVHN}/test_32x32.mat',
            'test_32x32.mat',
            'eb5a983be6a315427106f1b164d9cef3',
        ),
    ),
    'indoor67': (
        Download(f'{INDOOR67}/TrainImages.txt', 'TrainImages.txt'),
        Download(f'{INDOOR67}/TestImages.txt', 'TestImages.txt'),
        Download(
            'http://groups.csail.mit.edu/vision/LabelMe/NewImages/'
            'indoorCVPR_09.tar',
            'Images',
        ),
    ),
    'pets': (
        Download(
            f'{VGG}/pets/data/images.tar.gz',
            'images',
            '5c4f3ee8e5d25df40f4fd59a7f44e54c',
        ),
        Download(
            f'{VGG}/pets/data/annotations.tar.gz',
            'annotations',
            '95a8c909bbe2e81eed6a22bccdf3f68f',
        ),
    ),
}
for _name in DOMAINS:
    # Of these two the first archives held duplicates. Table 1 counts the
    # cleaned ones.
    _place = 'groundtruth/' if _name in ('clipart', 'painting') else ''
    _lists = (f'{_name}_train.txt', f'{_name}_test.txt')
    DOWNLOADS[f'domainnet-{_name}'] = (
        *(Download(f'{DOMAINNET}/domainnet/txt/{n}', n) for n in _lists),
        Download(f'{DOMAINNET}/{_place}{_name}.zip', _name),
    )
