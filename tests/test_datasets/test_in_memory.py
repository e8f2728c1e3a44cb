import os
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from mmengine.registry import DATASETS, init_default_scope
from PIL import Image
from tiny_run import write_config

from mmdrloc.datasets import packed_images
from mmdrloc.datasets.packed_images import PackedImages
from mmdrloc.errors import UsageError


def build(
    folder,
    kind='mmdrloc.InMemoryDataset',
    load=dict(type='mmdrloc.LoadImage'),
    **options,
):
    init_default_scope('mmpretrain')
    if kind == 'mmdrloc.InMemoryDataset':
        options['cache_dir'] = str(folder / 'cache')
    return DATASETS.build(
        dict(
            type=kind,
            data_root=str(folder / 'data'),
            data_prefix='train',
            pipeline=[load, dict(type='PackInputs')],
            **options,
        )
    )


def some_image(folder):
    return min((folder / 'data/train').rglob('*.png'))


def test_samples_are_those_of_the_files(tmp_path):
    write_config(tmp_path)
    odd = np.random.default_rng(0).integers(256, size=(9, 7, 3), dtype='uint8')
    Image.fromarray(odd).save(some_image(tmp_path))
    stock = build(tmp_path, 'CustomDataset', dict(type='LoadImageFromFile'))
    expected = [stock[index] for index in range(len(stock))]
    ours = build(tmp_path)
    for path in (tmp_path / 'data').rglob('*.png'):
        path.unlink()
    assert len(ours) == len(stock) == 12
    for index, sample in enumerate(expected):
        found = ours[index]
        assert np.array_equal(found['inputs'], sample['inputs'])
        label = sample['data_samples'].gt_label
        assert found['data_samples'].gt_label == label
        assert found['data_samples'].ori_shape == sample['inputs'].shape[1:]


def test_a_subset_keeps_its_images(tmp_path):
    write_config(tmp_path)
    whole = build(tmp_path)
    subset = whole.get_subset([7, 2])
    for sample, index in zip(subset, (7, 2)):
        assert np.array_equal(sample['inputs'], whole[index]['inputs'])


def test_decoded_once(tmp_path):
    write_config(tmp_path)
    first = build(tmp_path)[3]['inputs']
    # Same path and size, and the time it had: taken for the same file.
    path = some_image(tmp_path)
    status = path.stat()
    path.write_bytes(b'x' * status.st_size)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert np.array_equal(build(tmp_path)[3]['inputs'], first)


def test_a_changed_file_is_decoded_again(tmp_path):
    write_config(tmp_path)
    build(tmp_path)
    Image.new('RGB', (5, 4), (1, 2, 3)).save(some_image(tmp_path))
    assert build(tmp_path)[0]['inputs'].shape == (3, 4, 5)


def decoder(decoded):
    def decode(path):
        decoded.append(path)
        return np.full((2, 3, 3), int(path), dtype=np.uint8)

    return decode


def test_of_several_processes_one_decodes(tmp_path):
    decoded = []
    paths = [str(number) for number in range(20)]
    with ThreadPoolExecutor(4) as pool:
        packs = [
            pool.submit(PackedImages.pack, tmp_path, paths, decoder(decoded))
            for _ in range(4)
        ]
        for pack in packs:
            pack.result()
    assert decoded == paths
    images = PackedImages(tmp_path)
    assert [int(images[number].max()) for number in range(20)] == list(
        range(20)
    )


def test_an_interrupted_packing_is_done_again(tmp_path):
    def interrupted(path):
        if path == '1':
            raise KeyboardInterrupt
        return np.zeros((2, 3, 3), dtype=np.uint8)

    with pytest.raises(KeyboardInterrupt):
        PackedImages.pack(tmp_path, ['0', '1'], interrupted)
    PackedImages.pack(tmp_path, ['0', '1'], decoder([]))
    assert PackedImages(tmp_path)[1].tolist() == [[[1] * 3] * 3] * 2


def test_a_spawned_worker_maps_the_file_instead_of_copying_it(tmp_path):
    PackedImages.pack(
        tmp_path, ['0'], lambda path: np.ones((900, 900, 3), dtype=np.uint8)
    )
    pickled = pickle.dumps(PackedImages(tmp_path))
    assert len(pickled) < 1000
    assert pickle.loads(pickled)[0].sum() == 900 * 900 * 3


def test_an_image_cannot_be_written_into(tmp_path):
    PackedImages.pack(tmp_path, ['0'], decoder([]))
    with pytest.raises(ValueError, match='read-only'):
        PackedImages(tmp_path)[0][:] = 1


def test_a_pipeline_that_reads_files_is_refused(tmp_path):
    write_config(tmp_path)
    with pytest.raises(UsageError, match='needs mmdrloc.LoadImage'):
        build(tmp_path, load=dict(type='LoadImageFromFile'))


def test_a_missing_image_is_named(tmp_path):
    write_config(tmp_path)
    (tmp_path / 'data/list.txt').write_text('gone.png 0\n')
    with pytest.raises(UsageError, match='gone.png cannot be read .* put it'):
        build(tmp_path, ann_file='list.txt')


def test_only_colors_of_one_byte_are_kept(tmp_path):
    write_config(tmp_path)
    load = dict(type='mmdrloc.LoadImage', to_float32=True)
    with pytest.raises(UsageError, match='gives float32'):
        build(tmp_path, load=load)


# ---- files that were changed ---------------------------------------------


def spoil(path, how):
    content = path.read_bytes()
    status = path.stat()
    if how == 'cut':
        content = content[:-1]
    elif how == 'longer':
        content += b'0'
    else:
        content = bytes(len(content))
    path.write_bytes(content)
    if how == 'in secret':
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


@pytest.mark.parametrize('name', ['pixels', 'shapes.npy', 'seal.json'])
@pytest.mark.parametrize('how', ['cut', 'longer', 'replaced', 'in secret'])
def test_changed_files_are_made_again(tmp_path, capfd, name, how):
    decoded = []
    PackedImages.pack(tmp_path, ['7'], decoder(decoded))
    spoil(tmp_path / name, how)
    PackedImages.pack(tmp_path, ['7'], decoder(decoded))
    assert decoded == ['7', '7']
    assert PackedImages(tmp_path)[0].tolist() == [[[7] * 3] * 3] * 2
    shown = capfd.readouterr()
    assert 'decoding them again' in shown.out + shown.err
    PackedImages.pack(tmp_path, ['7'], decoder(decoded))
    assert len(decoded) == 2


def test_the_content_is_read_only_after_a_touch(tmp_path, monkeypatch):
    PackedImages.pack(tmp_path, ['7'], decoder([]))
    read = []
    original = packed_images.sha256_of

    def sha256_of(path):
        read.append(path.name)
        return original(path)

    monkeypatch.setattr(packed_images, 'sha256_of', sha256_of)
    PackedImages.pack(tmp_path, ['7'], None)
    assert read == []
    os.utime(tmp_path / 'pixels')
    PackedImages.pack(tmp_path, ['7'], None)
    assert read == ['pixels', 'shapes.npy']
    PackedImages.pack(tmp_path, ['7'], None)
    assert len(read) == 2


def test_what_a_killed_process_left_is_removed(tmp_path):
    (tmp_path / '.pixels.1.tmp').write_bytes(b'half')
    PackedImages.pack(tmp_path, ['7'], decoder([]))
    assert not (tmp_path / '.pixels.1.tmp').exists()


def test_files_of_an_earlier_version_are_made_again(tmp_path):
    PackedImages.pack(tmp_path, ['7'], decoder([]))
    (tmp_path / 'seal.json').unlink()
    decoded = []
    PackedImages.pack(tmp_path, ['7'], decoder(decoded))
    assert decoded == ['7']


def test_without_a_pipeline_nothing_is_decoded(tmp_path):
    write_config(tmp_path)
    init_default_scope('mmpretrain')
    dataset = DATASETS.build(
        dict(
            type='mmdrloc.InMemoryDataset',
            data_root=str(tmp_path / 'data'),
            data_prefix='train',
            cache_dir=str(tmp_path / 'cache'),
        )
    )
    assert 'img' not in dataset[0] and dataset[0]['gt_label'] == 0
    assert not (tmp_path / 'cache').exists()
