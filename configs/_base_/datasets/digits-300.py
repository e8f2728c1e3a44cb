# 300 of the 11,176 drawings of digits.py to train on, of 300 digits and all
# classes alike; the same 400 to validate.
_base_ = './digits.py'

dataset_name = 'digits-300'
dataset_title = '300 handwritten digits'
num_train = 300

# Sorted by class and digit: about every 37th.
train_dataset = dict(indices=[11176 * number // 300 for number in range(300)])
