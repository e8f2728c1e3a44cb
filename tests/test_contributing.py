"""What contributors and their forge read says what holds."""

import re
from pathlib import Path

import yaml

from mmdrloc.utils import installation
from mmdrloc.version import __version__

ROOT = Path(__file__).resolve().parents[1]
WORKFLOW = ROOT / '.github/workflows/ci.yml'


def steps():
    for job in yaml.safe_load(WORKFLOW.read_text())['jobs'].values():
        yield from job['steps']


def test_citation_is_of_the_newest_release():
    cited = yaml.safe_load((ROOT / 'CITATION.cff').read_text())
    changes = (ROOT / 'CHANGELOG.md').read_text()
    version, date = re.search(
        r'^## (\d\S*) \((\d{4}-\d\d-\d\d)\)$', changes, re.MULTILINE
    ).groups()
    assert (cited['version'], cited['date-released']) == (version, date)
    assert __version__ == version


def test_actions_are_pinned_and_may_do_little():
    workflow = WORKFLOW.read_text()
    used = re.findall(r'uses: (.*)', workflow)
    assert used
    for action in used:
        assert re.fullmatch(r'[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+', action)
    settings = yaml.safe_load(workflow)
    assert settings['permissions'] == {'contents': 'read'}
    assert not [
        job for job in settings['jobs'].values() if 'permissions' in job
    ]
    for step in steps():
        if 'checkout' in step.get('uses', ''):
            assert step['with']['persist-credentials'] is False


def test_workflow_tests_all_lines_on_pythons_that_fit(monkeypatch):
    settings = yaml.safe_load(WORKFLOW.read_text())
    cells = settings['jobs']['tests']['strategy']['matrix']['include']
    assert {cell['stack'] for cell in cells} == set(installation.LINES)
    for cell in cells:
        version = tuple(map(int, cell['python'].split('.')))
        monkeypatch.setattr(installation.sys, 'version_info', version)
        assert not installation.unfit_python(cell['stack'])


def test_workflow_calls_targets_that_exist():
    makefile = (ROOT / 'Makefile').read_text()
    called = [
        re.match(r'make (\S+)', step['run'])
        for step in steps()
        if step.get('run', '').startswith('make ')
    ]
    assert called
    for match in called:
        assert f'\n{match.group(1)}: ' in makefile
