"""What cannot be drawn is said in a sentence."""

from command_line import ROOT, run

RECIPE = ROOT / 'configs/idmm/idmm_vit-narrow_16px.py'


def test_a_pre_training_without_validation_images(tmp_path):
    line = 'reconstructions', RECIPE, 'last.pth', '--out', 'a.png'
    ended = run('analysis_tools/draw.py', *line, cwd=tmp_path)
    assert ended.returncode == 1
    assert 'has no validation images' in ended.stderr
