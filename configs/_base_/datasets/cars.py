# Stanford Cars: 196 classes, 8,144 images to train on, 8,041 to test.
task = 'classification'
dataset_name = 'cars'
dataset_title = 'Stanford Cars'
data_made_by = 'python tools/dataset_converters/prepare.py cars'
num_classes = 196
num_train = 8144
num_val = 8041

train_dataset = dict(
    type='mmpretrain.StanfordCars',
    data_root='data/stanford_cars',
    split='train',
)
val_dataset = dict(
    type='mmpretrain.StanfordCars',
    data_root='data/stanford_cars',
    split='test',
)
