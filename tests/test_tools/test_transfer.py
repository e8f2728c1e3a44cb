"""tools/transfer.py on checkpoints of others, good and bad."""

import json
import runpy

import pytest
import torch
import torchvision
from command_line import TOOLS, run

CONFIG = """
default_scope = 'mmpretrain'
model = dict(backbone=dict(type='ResNet', depth=18))
"""


@pytest.fixture
def resnet(tmp_path):
    """A checkpoint of torchvision's, as it is published."""
    weights = torchvision.models.resnet18(num_classes=3).state_dict()
    torch.save(weights, tmp_path / 'resnet.pth')
    (tmp_path / 'config.py').write_text(CONFIG)
    return weights


def test_a_backbone_for_a_config(resnet, tmp_path):
    outcome = run(
        'transfer.py',
        'resnet.pth',
        'b.pth',
        '--config',
        'config.py',
        '--audit-json',
        'audit.json',
        cwd=tmp_path,
    )
    assert outcome.returncode == 0, outcome.stderr
    assert 'of origin resnet-torchvision' in outcome.stdout
    assert '120 tensors written to b.pth' in outcome.stdout
    audit = json.loads((tmp_path / 'audit.json').read_text())
    assert len(audit['loaded']) == 120 and not audit['missing']
    assert audit['dropped'] == ['head.fc.weight', 'head.fc.bias']
    written = torch.load(tmp_path / 'b.pth', weights_only=True)['state_dict']
    assert written['backbone.conv1.weight'].equal(resnet['conv1.weight'])


def bad_files(resnet, folder):
    """Each kind of bad checkpoint with words of its refusal."""
    whole = (folder / 'resnet.pth').read_bytes()
    (folder / 'cut.pth').write_bytes(whole[: len(whole) // 2])
    broken = dict(resnet, **{'fc.bias': torch.full((3,), torch.nan)})
    torch.save(broken, folder / 'nan.pth')
    torch.save({'strange': torch.ones(1)}, folder / 'strange.pth')
    wide = torchvision.models.wide_resnet50_2(num_classes=3).state_dict()
    torch.save(wide, folder / 'wide.pth')
    return {
        'absent.pth': 'there is no checkpoint',
        'cut.pth': 'damaged, incomplete or no checkpoint',
        'nan.pth': 'NaN or infinity in fc.bias',
        'strange.pth': 'known are',
        'wide.pth': 'does not fit the ResNet of config.py',
        './b.pth': 'name another output file',
    }


def test_bad_files_are_refused_in_one_sentence(
    resnet, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    for name, words in bad_files(resnet, tmp_path).items():
        line = ['transfer.py', name, 'b.pth', '--config', 'config.py']
        monkeypatch.setattr('sys.argv', line)
        with pytest.raises(SystemExit) as exit_:
            runpy.run_path(str(TOOLS / 'transfer.py'), run_name='__main__')
        assert exit_.value.code not in (0, None)
        said = f'{capsys.readouterr().err}{exit_.value.code}'
        assert words in said and 'Traceback' not in said
        assert not (tmp_path / 'b.pth').exists()
