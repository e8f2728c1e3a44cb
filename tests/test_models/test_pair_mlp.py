import pytest
import torch

from mmdrloc.models.pair_mlp import PairMLP, linear_of_picked

BATCH, CHANNELS, WIDTH = 3, 5, 7


@pytest.mark.parametrize('distinct', [False, True])
@pytest.mark.parametrize('tokens,picks', [(6, 4), (6, 30), (1, 3)])
def test_a_layer_on_picked_tokens(distinct, tokens, picks):
    generator = torch.Generator().manual_seed(0)

    def leaf(*shape):
        values = torch.randn(*shape, generator=generator, dtype=torch.float64)
        return values.requires_grad_()

    leaves = [
        leaf(BATCH, tokens, CHANNELS),
        leaf(WIDTH, CHANNELS),
        leaf(WIDTH),
    ]
    grid, weight, bias = leaves
    index = torch.randint(tokens, (BATCH, picks), generator=generator)
    found = linear_of_picked(grid, index, weight, bias, distinct)
    expected = torch.stack(
        [
            torch.stack(
                [weight @ grid[image, number] + bias for number in row]
            )
            for image, row in enumerate(index.tolist())
        ]
    )
    torch.testing.assert_close(found, expected)
    cotangent = torch.randn_like(expected)
    for ours, theirs in zip(
        torch.autograd.grad(found, leaves, cotangent),
        torch.autograd.grad(expected, leaves, cotangent),
    ):
        torch.testing.assert_close(ours, theirs)


def test_a_cpu_meets_no_token_that_was_not_drawn():
    mlp = PairMLP(CHANNELS, WIDTH, [2])
    grid = torch.randn(BATCH, CHANNELS, 4, 4)
    grid[:, :, 1:] = torch.nan
    pairs = torch.randint(4, (BATCH, 9, 4))
    pairs[..., ::2] = 0
    assert mlp(grid, pairs).isfinite().all()
    mlp(grid, pairs).sum().backward()
    assert mlp.layers[0].weight.grad.isfinite().all()


@pytest.mark.parametrize('branches', [[2], [6, 6]])
def test_answers_in_mixed_precision_are_float32(branches):
    mlp = PairMLP(CHANNELS, WIDTH, branches)
    pairs = torch.randint(4, (BATCH, 9, 4))
    with torch.autocast('cpu', torch.bfloat16):
        answers = mlp(torch.randn(BATCH, CHANNELS, 4, 4), pairs)
    for answer in answers if len(branches) > 1 else [answers]:
        assert answer.dtype == torch.float32
