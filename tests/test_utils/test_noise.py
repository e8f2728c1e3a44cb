"""Who speaks, and what of it is noise."""

import logging

import mmengine.logging.logger
from mmengine.logging import print_log

from mmdrloc.utils.hush import KEPT, hushed
from mmdrloc.utils.noise import is_noise, speaker

WARNING = logging.WARNING


def test_the_speaker_is_who_calls_not_who_passes_on():
    heard = []

    class Handler(logging.Handler):
        def emit(self, record):
            heard.append(speaker())

    logger = logging.Logger('x')
    logger.addHandler(Handler())
    logger.info('directly')
    print_log('through MMEngine', logger=logger)
    assert heard == [__name__] * 2


def test_information_of_libraries_is_noise_and_of_others_is_not():
    assert is_noise('mmengine.runner.runner', logging.INFO, 'Config: ...')
    assert not is_noise('mmdrloc.engine.hooks', logging.INFO, 'Updates: 3')
    assert not is_noise('my_project.hooks', logging.INFO, 'hello')
    stop = 'mmengine.hooks.early_stopping_hook'
    assert not is_noise(stop, logging.INFO, 'stopped early')


def test_warnings_are_noise_only_if_they_are_known():
    speaks = 'mmengine.runner.runner'
    assert is_noise(speaks, WARNING, '"FileClient" will be deprecated in')
    assert is_noise('torch.x', WARNING, 'DeprecationWarning: use y')
    bar = 'install "ipywidgets" for Jupyter support'
    assert is_noise('rich.live', WARNING, bar)
    assert not is_noise(speaks, WARNING, 'the data set has no metainfo')
    assert not is_noise('mine', WARNING, 'DeprecationWarning: use y')


def test_tables_are_shown_where_they_are_wanted():
    speaks = 'mmseg.evaluation.metrics.iou_metric'
    assert is_noise(speaks, logging.INFO, '| class |')
    assert not is_noise(speaks, logging.INFO, '| class |', tables=True)


def test_what_libraries_print_is_kept(capsys, monkeypatch):
    monkeypatch.setattr(KEPT, 'buffer', [])
    code = compile("print('loud', 'library')", 'x', 'exec')
    with hushed():
        exec(code, {'__name__': 'pycocotools.coco'})
        # As mmpretrain does where a package of OneDL is absent.
        exec(
            compile("say('no OneDL')", 'x', 'exec'),
            {'__name__': 'mmpretrain.datasets', 'say': print_log},
        )
        exec(code, {'__name__': 'my_project'})
        print('ours')
    exec(code, {'__name__': 'pycocotools.coco'})
    assert capsys.readouterr().out == 'loud library\nours\nloud library\n'
    kept = [(record.name, record.getMessage()) for record in KEPT.buffer]
    assert kept == [
        ('pycocotools', 'loud library'),
        ('mmpretrain', 'no OneDL'),
    ]


def test_what_is_called_here_is_still_there():
    # speaker() passes over this module of MMEngine by its name.
    assert print_log.__module__ == mmengine.logging.logger.__name__
