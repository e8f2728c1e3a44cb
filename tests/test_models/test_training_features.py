"""The classifier inside what trainings are made of."""

import old_torch
import pytest
import torch
from mmengine.logging import MessageHub
from mmengine.optim import OptimWrapper
from tiny_classifier import batch, build, fix_pairs
from toy_run import on_two_processes


@pytest.mark.parametrize('dtype', old_torch.MIXED)
def test_autocast(dtype):
    model = build()
    fix_pairs(model)
    exact = model.loss(*batch())
    with torch.autocast('cpu', dtype=dtype):
        losses = model.loss(*batch())
    assert losses['loss_drloc'].dtype == torch.float32
    for name, loss in losses.items():
        torch.testing.assert_close(
            loss.float(), exact[name], rtol=0.03, atol=1e-3
        )
    sum(losses[name] for name in ('loss_cls', 'loss_drloc')).backward()
    for parameter in model.auxiliary_head.parameters():
        assert parameter.grad.isfinite().all()


@old_torch.no_compile
def test_compiled_backbone():
    """One graph, compiled once, with the hook inside; equal numbers."""
    torch._dynamo.reset()
    model = build()
    fix_pairs(model)
    exact = model.loss(*batch())
    graphs = []

    def count_graphs(module, inputs):
        graphs.append(module)
        return module.forward

    model.backbone.forward = torch.compile(
        model.backbone.forward, backend=count_graphs, fullgraph=True
    )
    for _ in range(4):
        losses = model.loss(*batch())
        for name, loss in losses.items():
            torch.testing.assert_close(loss, exact[name])
    assert len(graphs) == 1
    losses['loss_drloc'].backward()
    assert model.backbone.patch_embed.projection.weight.grad.any()


@old_torch.no_compile
def test_compiled_step():
    """As MMEngine's ``compile=True`` has it: no new graphs step by step."""

    def train(compiled):
        model = build()
        wrapper = OptimWrapper(torch.optim.AdamW(model.parameters(), lr=1e-3))
        images, samples = batch()
        data = dict(inputs=images, data_samples=samples)
        log, counts = [], []
        for step in range(4):
            MessageHub.get_current_instance().update_info('iter', step)
            log.append(compiled(model.train_step)(data, wrapper)['loss'])
            counts.append(len(graphs))
        return torch.stack(log).detach(), counts

    def count_graphs(module, inputs):
        graphs.append(module)
        return module.forward

    torch._dynamo.reset()
    graphs = []
    expected, _ = train(lambda step: step)
    found, counts = train(
        lambda step: torch.compile(step, backend=count_graphs)
    )
    torch.testing.assert_close(found, expected)
    assert counts[0] > 0 and len(set(counts)) == 1


@pytest.mark.parametrize('weight', [0.5, 0.0])
def test_two_processes_equal_one(tmp_path, weight):
    model = build()
    model.auxiliary_head.base_weight = weight
    pairs = fix_pairs(model)
    images, samples = batch(8)
    total, _ = model.parse_losses(model.loss(images, samples))
    total.backward()

    def half_of_it(rank):
        torch.set_num_threads(1)
        model = build()
        model.auxiliary_head.base_weight = weight
        half = slice(4 * rank, 4 * rank + 4)
        data = dict(inputs=images[half], data_samples=samples[half])
        loss = model.auxiliary_head.loss
        model.auxiliary_head.loss = lambda grids: loss(grids, [pairs[half]])
        ddp = torch.nn.parallel.DistributedDataParallel(model)
        for _ in range(2):  # DDP finds unused parameters in the second pass
            model.zero_grad()
            total, _ = model.parse_losses(ddp(**data, mode='loss'))
            total.backward()
        gradients = {n: p.grad for n, p in model.named_parameters()}
        torch.save((total.detach(), gradients), tmp_path / f'{rank}.pt')
        return 'done'

    assert on_two_processes(tmp_path, half_of_it) == ['done', 'done']
    (loss_a, gradients), (loss_b, _) = (
        torch.load(tmp_path / f'{rank}.pt') for rank in range(2)
    )
    torch.testing.assert_close(
        (loss_a + loss_b) / 2, total.detach(), rtol=1e-6, atol=1e-6
    )
    for name, parameter in model.named_parameters():
        torch.testing.assert_close(
            gradients[name], parameter.grad, rtol=1e-6, atol=1e-6
        )
