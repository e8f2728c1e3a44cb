"""Metafile, headers and READMEs are as records and recipes say."""

import re
import runpy

from modelindex.load_model_index import load
from recipe_configs import CONFIGS, RECORDS, ROOT, recipes

from mmdrloc.datasets.recipe_list import bases_of
from mmdrloc.reporting.published import load_published


def command_of(name):
    """What a header says, in one line."""
    text = (CONFIGS / f'{name}.py').read_text()
    [command] = re.findall(
        r'^# Train: mmdrloc train (.*)$', text.replace(' \\\n#', ''), re.M
    )
    return command.split()


def test_each_header_has_the_command_of_its_recipe():
    for name in recipes():
        recipe, *options = command_of(name)
        assert recipe == name
        known = '--dataset', '--weights', '--iters', '--amp'
        assert {o for o in options if o.startswith('-')} <= {*known}, name
        if 'drloc' in name:  # from the weights of the training without
            [base] = bases_of(CONFIGS / f'{name}.py')
            _, *others = command_of(base.relative_to(CONFIGS).with_suffix(''))
            assert options[-2:] == others[-2:] or '--weights' not in others


def test_openmmlab_reads_what_is_published():
    index = load(str(ROOT / 'model-index.yml'))
    index.build_models_with_collections()
    collections = {item.name for item in index.collections}
    known = {(r['recipe'], r['value']) for r in RECORDS}
    for model in index.models:
        assert (ROOT / model.config).is_file()
        assert model.in_collection in collections
        assert model.results
        for result in model.results:
            assert result.task and result.dataset and result.metrics
            assert {(model.name, v) for v in result.metrics.values()} <= known
    names = [model.name for model in index.models]
    assert names == sorted({record['recipe'] for record in RECORDS})


def test_metafile_and_page_are_those_of_the_records():
    """``python tools/misc/write_cards.py`` would change nothing."""
    made = runpy.run_path(str(ROOT / 'tools/misc/write_cards.py'))
    content = load_published(CONFIGS / 'published.yml')
    text = (CONFIGS / 'metafile.yml').read_text()
    assert made['metafile'](content) == text
    text = (ROOT / 'docs/published.md').read_text()
    assert made['page'](text, content) == text
    for record in RECORDS:
        assert re.search(rf'\| {record["value"]}\b', text), record


def test_what_was_measured_is_in_the_results():
    """Each mean with its deviation that a header or README says."""
    pages = ROOT.glob('docs/results/*.md')
    mean_of = re.compile(r'[\d.]+ (?:±|\+-) [\d.]*\d')
    known = {m for page in pages for m in mean_of.findall(page.read_text())}
    for path in [*CONFIGS.rglob('*.py'), *CONFIGS.rglob('README.md')]:
        text = re.sub(r'\s+#?\s*', ' ', path.read_text())
        for mean in mean_of.findall(text):
            assert mean.replace('+-', '±') in known, (path, mean)
