"""Networks of others, and ours that are to compute the same."""

import timm
import torchvision
from timm.models.deit import VisionTransformerDistilled
from timm.models.swin_transformer import SwinTransformer
from timm.models.tiny_vit import TinyVit
from timm.models.vision_transformer import VisionTransformer


def head(kind, channels, classes):
    return dict(type=kind, in_channels=channels, num_classes=classes)


def pooled(backbone, channels, classes):
    """A classifier over the mean of a grid."""
    return dict(
        type='ImageClassifier',
        backbone=backbone,
        neck=dict(type='GlobalAveragePooling'),
        head=head('LinearClsHead', channels, classes),
    )


def of_tokens(backbone, channels, classes, kind='VisionTransformerClsHead'):
    """A classifier over a class token."""
    return dict(
        type='ImageClassifier',
        backbone=backbone,
        head=head(kind, channels, classes),
    )


def swin(width, depths, heads, classes, size=224):
    arch = dict(embed_dims=width, depths=depths, num_heads=heads)
    backbone = dict(type='SwinTransformer', arch=arch, img_size=size)
    return pooled(backbone, 8 * width, classes)


VIT_ARCH = dict(
    embed_dims=30, num_layers=2, num_heads=5, feedforward_channels=60
)


def vit(kind, size=32, **more):
    heads = dict(DistilledVisionTransformer='DeiTClsHead')
    backbone = dict(type=kind, arch=VIT_ARCH, img_size=size, patch_size=8)
    kind = heads.get(kind, 'VisionTransformerClsHead')
    return of_tokens(dict(backbone, **more), 30, 7, kind)


def timm_vit(network=VisionTransformer, mlp_ratio=2, **more):
    return network(
        img_size=32,
        patch_size=8,
        embed_dim=30,
        depth=2,
        num_heads=5,
        mlp_ratio=mlp_ratio,
        num_classes=7,
        **more,
    )


TINYVIT = dict(
    type='TinyViT',
    arch=dict(channels=[8] * 4, num_heads=[2] * 4, depths=[1] * 4),
    img_size=(64, 64),
    window_size=[2] * 4,
)


# Another library's network, and ours that is to compute the same.
THEIRS = {
    'swin-timm': (
        lambda: SwinTransformer(
            img_size=224,
            embed_dim=16,
            depths=(2, 1, 1, 2),
            num_heads=(2, 2, 4, 8),
            window_size=7,
            num_classes=6,
        ),
        swin(16, [2, 1, 1, 2], [2, 2, 4, 8], 6),
        224,
    ),
    'vit-timm': (
        lambda: timm_vit(init_values=0.1),
        vit('VisionTransformer', layer_scale_init_value=0.1),
        32,
    ),
    'deit-distilled-timm': (
        lambda: timm_vit(VisionTransformerDistilled),
        vit('DistilledVisionTransformer'),
        32,
    ),
    'tinyvit-timm': (
        lambda: TinyVit(
            embed_dims=(8,) * 4,
            depths=(1,) * 4,
            num_heads=(2,) * 4,
            window_sizes=(2,) * 4,
            num_classes=6,
        ),
        of_tokens(TINYVIT, 8, 6, 'LinearClsHead'),
        64,
    ),
    'pvtv2-timm': (
        lambda: timm.create_model('pvt_v2_b0', num_classes=6),
        pooled(dict(type='TIMMBackbone', model_name='pvt_v2_b0'), 256, 6),
        64,
    ),
    'resnet-torchvision': (
        lambda: torchvision.models.resnet50(num_classes=6),
        pooled(dict(type='ResNet', depth=50), 2048, 6),
        64,
    ),
}


def golden_swin(arch, classes):
    return swin(arch['embed_dims'], arch['depths'], arch['num_heads'], classes)


def golden_t2t(arch, classes):
    width = arch['embed_dim']
    backbone = dict(
        type='mmdrloc.PerformerT2TViT',
        img_size=arch['img_size'],
        embed_dims=width,
        num_layers=arch['depth'],
        t2t_cfg=dict(token_dims=arch['token_dim']),
        layer_cfgs=dict(
            num_heads=arch['num_heads'],
            feedforward_channels=int(arch['mlp_ratio'] * width),
        ),
    )
    return of_tokens(backbone, width, classes)


def golden_cvt_drloc(arch, classes):
    widths, depths, heads = (
        [arch[f's{stage}_{name}'] for stage in (1, 2, 3)]
        for name in ('emb_dim', 'depth', 'heads')
    )
    arch = dict(embed_dims=widths, depths=depths, num_heads=heads)
    return pooled(dict(type='mmdrloc.CvT', arch=arch), widths[-1], classes)


def golden_cvt_microsoft(arch, classes):
    widths = arch['DIM_EMBED']
    arch = dict(
        embed_dims=widths, depths=arch['DEPTH'], num_heads=arch['NUM_HEADS']
    )
    backbone = dict(
        type='mmdrloc.CvT',
        arch=arch,
        variant='microsoft',
        out_type='cls_token',
    )
    return of_tokens(backbone, widths[-1], classes, 'LinearClsHead')


def golden_vit_drloc(arch, classes):
    backbone = dict(
        type='mmdrloc.DRLocViT',
        arch=dict(
            embed_dims=arch['dim'],
            num_layers=arch['depth'],
            num_heads=arch['heads'],
            feedforward_channels=arch['mlp_dim'],
        ),
        img_size=arch['image_size'],
        patch_size=arch['patch_size'],
        qkv_bias=False,
        norm_cfg=dict(type='LN', eps=1e-5),
    )
    return of_tokens(backbone, arch['dim'], classes)


GOLDEN = {
    'swin-microsoft': ('swin_small_arch', golden_swin),
    't2t': ('t2t_performer_small', golden_t2t),
    'cvt-drloc': ('cvt_drloc_variant_small', golden_cvt_drloc),
    'cvt-microsoft': ('cvt_official_small', golden_cvt_microsoft),
    'vit-drloc': ('vit_drloc_small', golden_vit_drloc),
}
