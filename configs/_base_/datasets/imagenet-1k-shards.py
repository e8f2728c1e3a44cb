# ImageNet-1K in tar files, for disks that are slow with many small ones:
# 1,281,167 images to train on, 50,000 to validate on.
task = 'classification'
dataset_name = 'imagenet-1k-shards'
dataset_title = 'ImageNet-1K'
data_made_by = (
    'python tools/dataset_converters/folders_to_shards.py data/imagenet '
    'data/imagenet-shards'
)
num_classes = 1000
num_train = 1281167
num_val = 50000

train_dataset = dict(
    type='mmdrloc.TarShards',
    data_root='data/imagenet-shards',
    data_prefix='train',
    num_images=num_train,
)
val_dataset = dict(
    type='mmdrloc.TarShards',
    data_root='data/imagenet-shards',
    data_prefix='val',
    num_images=num_val,
)
# Few shards at a time.
train_sampler = dict(type='mmdrloc.ShardSampler')
