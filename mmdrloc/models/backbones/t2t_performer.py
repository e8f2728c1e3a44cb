"""T2T-ViT with Performer attention in its tokens-to-token module."""

import math
from typing import Any

import torch
from mmpretrain.models.backbones import T2T_ViT
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention

from mmdrloc.registry import MODELS


class TokenPerformer(nn.Module):
    """A transformer layer of one head whose attention is linear in N.

    Attention by the positive random features of "Rethinking Attention with
    Performers" (FAVOR+), as T2T-ViT's authors use it: keys, queries and
    values come from one layer, the residual is the value, and the hidden
    layer of the MLP is as wide as the token. The names of the parameters are
    those of the authors' checkpoints.

    ``token_dims`` is D, C of the tokens put out; the number of random
    features, m, is half of it.
    """

    # Keeps the division finite; the authors' value.
    eps = 1e-8

    def __init__(self, input_dims: int, token_dims: int) -> None:
        super().__init__()
        self.norm1 = nn.LayerNorm(input_dims)
        self.kqv = nn.Linear(input_dims, 3 * token_dims)
        self.proj = nn.Linear(token_dims, token_dims)
        self.drop = nn.Dropout(0.1)
        self.norm2 = nn.LayerNorm(token_dims)
        self.mlp = nn.Sequential(
            nn.Linear(token_dims, token_dims),
            nn.GELU(),
            nn.Linear(token_dims, token_dims),
            nn.Dropout(0.1),
        )
        num_features = token_dims // 2
        w = nn.init.orthogonal_(torch.empty(num_features, token_dims))
        # A parameter, though never trained: as such it is the same on all
        # processes even if their seeds differ; buffers need not be.
        self.w = nn.Parameter(w * math.sqrt(num_features), requires_grad=False)

    def forward(self, x: Tensor) -> Tensor:
        """(B, N, input_dims) to (B, N, token_dims)."""
        key, query, value = self.kqv(self.norm1(x)).chunk(3, dim=-1)
        attended = self.attention(query, key, value)
        x = value + self.drop(self.proj(attended))
        return x + self.mlp(self.norm2(x))

    def attention(self, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        """phi(q) (phi(k)^T v) / (phi(q) sum phi(k)), all (B, N, D)."""
        # The features span many orders of magnitude: in half precision the
        # small ones vanish, and with them the denominator.
        with torch.autocast(query.device.type, enabled=False):
            query, key, value = (
                tensor.to(self.w.dtype) for tensor in (query, key, value)
            )
            query, key = self.features(query), self.features(key)
            total = query @ key.sum(dim=1).unsqueeze(-1)
            return query @ (key.transpose(1, 2) @ value) / (total + self.eps)

    def features(self, x: Tensor) -> Tensor:
        """phi(x) = exp(w x - |x|^2 / 2) / sqrt(m), (B, N, D) to (B, N, m)."""
        half_square = x.square().sum(dim=-1, keepdim=True) / 2
        return (x @ self.w.t() - half_square).exp() / math.sqrt(len(self.w))


@MODELS.register_module()
class PerformerT2TViT(T2T_ViT):
    """mmpretrain's ``T2T_ViT`` with :class:`TokenPerformer` layers.

    This is the T2T-ViT-14 of the DRLoc experiments and T2T-ViT-7, -14, -19
    and -24 of "Tokens-to-Token ViT" (mmpretrain's own has the token module of
    their "t" variants). The published numbers of parameters count what is
    never trained too: the random features and the sinusoid positions.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        tokens = self.tokens_to_token
        for name in ('attention1', 'attention2'):
            replaced = getattr(tokens, name).attn
            dims = replaced.input_dims, replaced.embed_dims
            setattr(tokens, name, TokenPerformer(*dims))
        for layer in self.encoder:
            # mmpretrain's multiplies the scores by the root of the heads'
            # width, in place of dividing them by it.
            layer.attn.scaled_dot_product_attention = (
                scaled_dot_product_attention
            )
