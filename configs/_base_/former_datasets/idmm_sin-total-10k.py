# The poster's "SIN-total 10k", which it does not define. Our reading: 10,000
# of ImageNet-1K's training images in all, whatever their classes.
_base_ = './idmm_sin-10k.py'

dataset_name = 'sin-total-10k'
data_made_by = (
    'python tools/dataset_converters/imagenet_subset.py sin-total-10k'
)

train_dataloader = dict(dataset=dict(ann_file='meta/sin-total-10k.txt'))
