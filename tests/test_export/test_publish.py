"""Published models: small, plain, and opened by the libraries alone."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from huggingface_hub import ModelCard, snapshot_download
from little_hub import little_hub
from made_up_run import write_run
from mmengine.config import Config
from mmpretrain import ImageClassificationInferencer
from PIL import Image
from published_models import HEAD, leave_checkpoint, picture, tiny_classifier
from safetensors.torch import load_file
from tiny_dense import cut_down, library_config

from mmdrloc.apis import predict
from mmdrloc.checkpoints.reading import load_weights
from mmdrloc.export import publish, published_files
from mmdrloc.export.kinds import KINDS
from mmdrloc.export.plain import plain_model
from mmdrloc.utils.errors import UsageError

CHECKOUT = Path(__file__).resolve().parents[2]

DENSE = dict(
    mmdet=(
        'swin/mask-rcnn_swin-t-p4-w7_fpn_1x_coco.py',
        'mmdrloc.DRLocMaskRCNN',
    ),
    mmseg=(
        'swin/swin-tiny-patch4-window7-in1k-pre_upernet_8xb2-160k_'
        'ade20k-512x512.py',
        'mmdrloc.DRLocEncoderDecoder',
    ),
)
META = dict(classes=('a', 'b'), palette=[(9, 9, 9), (99, 99, 99)])


@pytest.fixture
def trained(tmp_path):
    return tiny_classifier(tmp_path)


def tiny_dense(library, folder):
    """A detector or segmentor with DRLoc: its config, and a checkpoint."""
    name, model_type = DENSE[library]
    cfg = library_config(library, name)
    cut_down(cfg.model)
    cfg.model.type = model_type
    cfg.model.drloc_head = dict(HEAD, source='stages.2', in_channels=32)
    cfg.dump(folder / 'dense.py')
    cfg = Config.fromfile(folder / 'dense.py')
    return cfg, leave_checkpoint(cfg, folder, META)


def code_of(folder):
    """The first block of Python on the page of a published model."""
    page = (folder / 'README.md').read_text()
    return re.search(r'```python\n(.*?)```', page, re.S)[1]


def in_that_folder(folder, monkeypatch):
    """Do what the page says, and give what it made."""
    Image.fromarray(picture((64, 96))).save(folder / 'photo.jpg')
    monkeypatch.chdir(folder)
    made = {}
    exec(code_of(folder), made)
    return made


def with_records(checkpoint, *accuracies):
    """Put a record beside a checkpoint; make runs of the other seeds."""
    runs = [
        write_run(checkpoint.parent / 'runs', 'tiny', seed, [50.0, accuracy])
        for seed, accuracy in enumerate(accuracies)
    ]
    shutil.copy(runs[0] / 'result.json', checkpoint.parent)
    return runs[1:]


def test_a_published_classifier(trained, tmp_path, monkeypatch):
    folder = tmp_path / 'out/tiny'
    files = publish(*trained, folder)
    names = ['README.md', 'config.py', 'model.pth', 'model.safetensors']
    assert [path.name for path in files] == names
    assert sorted(path.name for path in folder.iterdir()) == names
    assert [path.name for path in folder.parent.iterdir()] == ['tiny']

    cfg = Config.fromfile(folder / 'config.py')
    assert cfg.model.type == 'mmpretrain.ImageClassifier'
    assert 'mmdrloc' not in cfg.pretty_text
    assert str(tmp_path) not in cfg.pretty_text
    weights = load_file(folder / 'model.safetensors')
    assert not [name for name in weights if 'auxiliary' in name]

    model = in_that_folder(folder, monkeypatch)['model']
    theirs = ImageClassificationInferencer(model)
    ours = ImageClassificationInferencer(
        str(trained[0].filename), str(trained[1]), device='cpu'
    )
    by_path = ImageClassificationInferencer('config.py', 'model.pth')
    assert by_path('photo.jpg')[0]['pred_class'] in 'abc'
    scores = [model(picture())[0] for model in (ours, theirs)]
    assert (scores[0]['pred_scores'] == scores[1]['pred_scores']).all()
    assert scores[1]['pred_class'] in 'abc'
    assert trained[0].model.type == 'mmdrloc.DRLocClassifier'


@pytest.mark.parametrize('library', DENSE)
def test_published_detector_and_segmentor(library, tmp_path, monkeypatch):
    cfg, checkpoint = tiny_dense(library, tmp_path)
    folder = tmp_path / 'out'
    publish(cfg, checkpoint, folder)
    weights = load_file(folder / 'model.safetensors')
    trained = load_weights(checkpoint)
    left = {name for name in trained if name.startswith('drloc_head.')}
    assert left and set(weights) == set(trained) - left
    assert all(weights[name].equal(trained[name]) for name in weights)
    page = (folder / 'README.md').read_text()
    assert f'With mmpretrain, {library}:' in page
    model = in_that_folder(folder, monkeypatch)['model']
    assert list(model.dataset_meta['classes']) == ['a', 'b']


@pytest.mark.parametrize('kind', KINDS.values(), ids=lambda k: k.library)
def test_the_documentation_has_the_same_lines(kind):
    assert kind.code in (CHECKOUT / 'docs/deploy.md').read_text()


def test_opened_by_us(trained, tmp_path):
    publish(*trained, tmp_path / 'out')
    Image.fromarray(picture()).save(tmp_path / 'photo.png')
    [answer] = predict(tmp_path / 'out', tmp_path / 'photo.png', device='cpu')
    # Our reader brings the names of the classes.
    assert answer['pred_class'] in 'abc'
    (tmp_path / 'out/model.safetensors').unlink()
    with pytest.raises(UsageError, match='model.safetensors should be in it'):
        published_files(tmp_path / 'out')


def test_to_a_hub_and_back(trained, tmp_path):
    """The documented lines, with a hub on this machine."""
    local = tmp_path / 'published/digits'
    names = {path.name for path in publish(*trained, local)}
    page = (CHECKOUT / 'docs/deploy.md').read_text()
    push, pull = re.findall(r'^hf .*', page, re.MULTILINE)
    with little_hub() as (address, files):
        env = dict(
            os.environ,
            HF_ENDPOINT=address,
            HF_TOKEN='hf_none',
            HF_HOME=str(tmp_path / 'home'),
        )
        client = Path(sys.executable).with_name('hf')

        def run(line):
            words = [client, *line.split()[1:]]
            subprocess.run(words, cwd=tmp_path, env=env, check=True)

        run(push)
        assert set(files) == names
        shutil.rmtree(local)
        run(pull)
        cached = snapshot_download(
            'NAME/digits', cache_dir=tmp_path / 'cache', endpoint=address
        )
    Image.fromarray(picture()).save(tmp_path / 'photo.png')
    for folder in (local, cached):
        [answer] = predict(folder, tmp_path / 'photo.png', device='cpu')
        assert answer['pred_class'] in 'abc'


def test_the_page_says_what_was_measured(trained, tmp_path):
    others = with_records(trained[1], 80.0, 82.0, 84.0)
    publish(*trained, tmp_path / 'm', runs=others, license='mit')
    card = ModelCard.load(tmp_path / 'm/README.md')
    assert card.data.license == 'mit'
    assert card.data.library_name == 'mmpretrain'
    assert card.data.pipeline_tag == 'image-classification'
    [result] = card.data.eval_results
    assert result.metric_type == 'accuracy'
    assert result.metric_value == 80.0
    # 82 ± t(0.975, 2) * 2 / sqrt(3)
    assert '82.00 ± 2.00 [77.03, 86.97]' in card.text
    assert 'seeds 0, 1, 2' in card.text
    assert '20 validation images' in card.text
    assert 'tools/train.py tiny.py' in card.text
    assert 'torch 2' in card.text


def test_nothing_is_claimed_that_was_not_measured(trained, tmp_path):
    publish(*trained, tmp_path / 'a')
    page = (tmp_path / 'a/README.md').read_text()
    assert 'Nothing is known' in page
    assert 'No licence is given' in page
    assert 'model-index' not in page
    # Of another update than the one that was validated.
    with_records(trained[1], 80.0)
    checkpoint = leave_checkpoint(trained[0], tmp_path, {}, iteration=15)
    publish(trained[0], checkpoint, tmp_path / 'b')
    page = (tmp_path / 'b/README.md').read_text()
    assert 'was not validated' in page
    assert '80' not in page


def test_runs_of_another_training(trained, tmp_path):
    [other] = with_records(trained[1], 80.0, 82.0)
    odd = write_run(tmp_path / 'odd', 'another', 3, [70.0])
    with pytest.raises(UsageError, match='is a run of another on digits'):
        publish(*trained, tmp_path / 'm', runs=[other, odd])
    again = write_run(tmp_path / 'again', 'tiny', 0, [70.0])
    with pytest.raises(UsageError, match='have the same seed'):
        publish(*trained, tmp_path / 'm', runs=[again])
    (tmp_path / 'result.json').unlink()
    with pytest.raises(UsageError, match='there is no .*result.json'):
        publish(*trained, tmp_path / 'm', runs=[other])
    assert not (tmp_path / 'm').exists()


def test_types_of_one_s_own_are_found_again(trained, tmp_path):
    trained[0].custom_imports = dict(imports=['json'])
    publish(*trained, tmp_path / 'out')
    cfg = Config.fromfile(tmp_path / 'out/config.py')
    assert cfg.custom_imports.imports == ['json']


def test_a_baseline_by_the_library_s_own_name():
    cfg = Config.fromfile(CHECKOUT / 'configs/scratch_100e/resnet-50.py')
    plain, head_name = plain_model(cfg)
    assert (plain.type, head_name) == ('ImageClassifier', None)


def test_a_checkpoint_of_another_model(trained, tmp_path):
    cfg, checkpoint = trained
    cfg.model.head.num_classes = 7
    with pytest.raises(UsageError, match='epoch_1.pth does not fit the model'):
        publish(cfg, checkpoint, tmp_path / 'out/tiny')
    assert not (tmp_path / 'out').exists()


def test_a_pre_training_is_no_model_to_show(tmp_path):
    cfg = Config.fromfile(CHECKOUT / 'configs/mae/mae_vit-light-narrow.py')
    checkpoint = leave_checkpoint(cfg, tmp_path, {})
    with pytest.raises(UsageError, match='tools/transfer.py'):
        publish(cfg, checkpoint, tmp_path / 'out')
