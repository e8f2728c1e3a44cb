"""DRLoc written out pair by pair in float64, straight from the equations.

Nothing here is shared with the package: explicit loops, the concatenated
embeddings of the paper, and the parameters taken by their order.
"""

import math

import torch


def mlp_answers(state_dict, grid, pairs, num_branches=1):
    """Answers of the MLP for each image and pair: list (B) of list (m)."""
    tensors = [tensor.double() for tensor in state_dict.values()]
    layers = list(zip(tensors[::2], tensors[1::2]))
    stack, branches = layers[:-num_branches], layers[-num_branches:]
    answers = []
    for image, image_pairs in zip(grid.double(), pairs.tolist()):
        answers.append([])
        for row_a, col_a, row_b, col_b in image_pairs:
            x = torch.cat((image[:, row_a, col_a], image[:, row_b, col_b]))
            for depth, (weight, bias) in enumerate(stack):
                x = weight @ x + bias
                if depth < 2:  # the official third layer has no ReLU
                    x = x.clamp(min=0)
            answers[-1].append(
                [weight @ x + bias for weight, bias in branches]
            )
    return answers


def offsets(pair):
    row_a, col_a, row_b, col_b = pair
    return row_a - row_b, col_a - col_b


def l1(answers, pairs, size, signed=False, divide=lambda k: k):
    """Mean over images, pairs and both axes of |answer - offset / k|."""
    total, count = 0.0, 0
    for image_answers, image_pairs in zip(answers, pairs.tolist()):
        for (answer,), pair in zip(image_answers, image_pairs):
            for axis, offset in enumerate(offsets(pair)):
                offset = offset if signed else abs(offset)
                target = offset / divide(size[axis])
                total += abs(float(answer[axis]) - target)
                count += 1
    return total / count


def _by_axis(term, answers, pairs, size):
    """Mean over images and pairs, sum over the axes, of ``term``."""
    total, count = 0.0, 0
    for image_answers, image_pairs in zip(answers, pairs.tolist()):
        for branches, pair in zip(image_answers, image_pairs):
            for axis, offset in enumerate(offsets(pair)):
                exponents = [math.exp(float(z)) for z in branches[axis]]
                probability = [e / sum(exponents) for e in exponents]
                classes = range(-size[axis], size[axis] + 1)
                total += term(dict(zip(classes, probability)), offset)
            count += 1
    return total / count


def cross_entropy(answers, pairs, size):

    def term(probability, offset):
        return -math.log(probability[offset])

    return _by_axis(term, answers, pairs, size)


def gaussian(answers, pairs, size, alpha=0.001):

    def term(probability, offset):
        mean = sum(p * c for c, p in probability.items())
        variance = sum(p * (c - mean) ** 2 for c, p in probability.items())
        return (offset - mean) ** 2 / variance + alpha * math.log(
            math.sqrt(variance)
        )

    return _by_axis(term, answers, pairs, size)
