"""Progress is shown from the first iteration on, where it is due so early."""

from toy_run import toy_runner

from mmdrloc.engine.hooks import ProgressHook


def test_a_slow_first_iteration_shows_no_loss_yet(tmp_path, capsys):
    hook = ProgressHook()
    hook.line.interval_s = 0.0  # each iteration takes that long
    runner = toy_runner(tmp_path, epochs=2)
    runner.register_hook(hook, priority='HIGHEST')
    runner.train()
    shown = [x for x in capsys.readouterr().out.splitlines() if 'left' in x]
    assert shown[0].startswith('epoch 1/2, iteration 1/4')
    assert 'loss' not in shown[0] and 'loss' in shown[1]
