from pathlib import Path

import command_line

CONFIGS = Path(__file__).parents[2] / 'configs/mae'


def count(*line, cwd):
    return command_line.run('analysis_tools/count.py', *line, cwd=cwd)


def test_a_row_for_each_config(tmp_path):
    names = ['vit-light', 'vit-light-32px-p4']
    outcome = count(*(CONFIGS / f'{n}.py' for n in names), cwd=tmp_path)
    assert outcome.returncode == 0, outcome.stderr
    rows = [
        [cell.strip() for cell in line.split('|')[2:-1]]
        for line in outcome.stdout.splitlines()
        if line.startswith('| `')
    ]
    assert rows == [
        ['3.600', '0.611', '0.514', '0.257'],
        ['3.589', '0.250', '0.231', '0.116'],
    ]


def test_a_model_without_an_image_size_is_refused(tmp_path):
    config = tmp_path / 'other.py'
    config.write_text(
        "model = dict(backbone=dict(type='ResNet'), "
        'head=dict(num_classes=2))\n'
    )
    outcome = count(config, cwd=tmp_path)
    command_line.assert_refused(outcome, 'other.py', 'img_size')
