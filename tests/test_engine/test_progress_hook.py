"""Progress is shown from the first iteration on, where it is due so early."""

from toy_run import toy_runner

from mmdrloc.engine.hooks import ProgressHook
from mmdrloc.utils.console import ProgressLine


def test_a_slow_first_iteration_shows_no_loss_yet(tmp_path, monkeypatch):
    shown = []
    monkeypatch.setattr(ProgressLine, 'is_due', lambda line: True)
    monkeypatch.setattr(
        ProgressLine, 'show', lambda line, text: shown.append(text)
    )
    runner = toy_runner(tmp_path, epochs=2)
    runner.register_hook(ProgressHook(), priority='HIGHEST')
    runner.train()
    assert any('loss' in text for text in shown)
