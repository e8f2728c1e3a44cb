"""Promise 9 in Python: calls one after another, as cells of a notebook."""

import os
from base64 import b64decode
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from mmdrloc import apis
from mmdrloc.utils.errors import UsageError


def is_ours(variable):
    """Not one that scikit-learn or torch sets as it is imported."""
    return not variable.startswith(('KMP_', 'TORCHINDUCTOR_'))


def test_cell_after_cell(folder):
    """Two tasks in one process, and what each of them is asked."""
    os.environ.pop('TOKENIZERS_PARALLELISM', None)
    environment = {k: v for k, v in os.environ.items() if is_ours(k)}
    run = apis.train('classifier.py', seed=3)
    maps = apis.train('segmentor.py', work_dir='maps_run')

    assert run.result['seed'] == 3 and run.result['finished']
    assert run.metrics.keys() == {'accuracy/top1'}
    assert run.checkpoint == run.folder / 'epoch_1.pth'
    steps, losses = run.curve('loss')
    assert steps == [1, 2, 3] and min(losses) > 0
    # A call has no command line; this one trains the same config again.
    assert run.result['command'] == (
        'mmdrloc train work_dirs/classifier/classifier.py --work-dir '
        'work_dirs/classifier-again'
    )
    tested = apis.test(run)
    assert tested['accuracy/top1'] == pytest.approx(
        run.metrics['accuracy/top1']
    )
    # Four images of each of three classes.
    assert tested['confusion_matrix/result'].sum() == 12
    assert len(tested['accuracy/classwise']) == 3
    Path('insects/list.txt').write_text(
        'ant/0.png 0\nbee/0.png 1\ncow/0.png 2\n'
    )
    listed = {'test_dataloader.dataset.ann_file': 'list.txt'}
    nameless = apis.test(run, options=listed)
    assert nameless['accuracy/classwise'].keys() == {'0', '1', '2'}
    assert 'mIoU' in maps.metrics and apis.test(maps).keys() >= {'mIoU'}
    swapped = {'test_dataloader.dataset.metainfo.classes': ['dog', 'cat']}
    with pytest.raises(UsageError, match='another order'):
        apis.test(maps, options=swapped)
    # Their numbers agree, and the class that both have is another number.
    other = {'test_dataloader.dataset.metainfo.classes': ['dog', 'owl']}
    with pytest.raises(UsageError, match='other classes'):
        apis.test(maps, options=other)

    with pytest.raises(UsageError, match='other settings'):
        apis.train('classifier.py')
    again = apis.train('classifier.py', seed=3, epochs=2, overwrite=True)
    assert again.result['length'] == dict(epochs=2)

    images = sorted(Path('insects/val').glob('*/*.png'))[:3]
    said = apis.predict(run, images)
    assert {one['pred_class'] for one in said} <= {'ant', 'bee', 'cow'}
    for one in said:
        values = [*one['classes'].values()]
        assert values == sorted(values, reverse=True)
        assert next(iter(one['classes'])) == one['pred_class']
    blue = np.zeros((24, 24, 3), np.uint8)
    blue[..., 0] = 255
    [one] = apis.predict(run.folder, blue, out='blue.html')
    assert one['pred_scores'].sum() == pytest.approx(1)
    shown = Path('blue.html').read_text().partition('data:image/jpeg;base64,')
    pixels = Image.open(BytesIO(b64decode(shown[2].partition('"')[0])))
    assert pixels.getpixel((0, 0)) == pytest.approx((0, 0, 255), abs=9)
    for name in ('a.png', 'a.bmp', 'a.b.png'):
        Image.fromarray(blue[..., ::-1]).save(name)
    mixed = ['a.png', 'a.bmp', blue, 'a.b.png', blue]
    apis.predict(run, mixed, show_dir='classified')
    drawn = sorted(Path('classified').iterdir())
    names = ['0.png', '1.png', 'a.b.png.png', 'a.bmp.png', 'a.png.png']
    assert [path.name for path in drawn] == names
    for path in drawn:
        with Image.open(path) as picture:
            corner = picture.convert('RGB').getpixel((picture.width - 1, 0))
        assert corner[:2] == (0, 0) and corner[2] > 50, path  # below words
    for number, photos in (
        (1, 'maps/images/val/0.jpg'),
        (4, 'maps/images/val'),
    ):
        seen = apis.predict(maps, photos, show_dir='drawn', out='maps.html')
        assert [one['map'].shape for one in seen] == [(30, 40)] * number
        assert Path('maps.html').read_text().count('src="data:') == number
        assert sum(seen[0]['classes'].values()) == pytest.approx(1)
        assert seen[0]['classes'].keys() <= {'cat', 'dog'}
    # No numbered label maps, which a second call would write over.
    assert {path.parent.name for path in Path('drawn').rglob('*.*')} == {'vis'}
    assert len(list(Path('drawn/vis').iterdir())) == 4
    with pytest.raises(UsageError, match='there is no image none.png'):
        apis.predict(run, 'none.png')

    with pytest.raises(UsageError, match='the checkpoint itself'):
        apis.transfer(run.folder, run.checkpoint)
    carried = apis.transfer(run.checkpoint, 'backbone.pth')
    assert carried.origin == 'openmmlab' and carried.out.is_file()
    assert f'{carried.tensors} tensors written' in str(carried)
    # What mmpretrain sets when it is imported stays.
    os.environ.pop('TOKENIZERS_PARALLELISM', None)
    left = {k: v for k, v in os.environ.items() if is_ours(k)}
    assert left == environment
    with pytest.raises(UsageError, match='must end with .onnx'):
        apis.export(run.folder, None, run.checkpoint)
