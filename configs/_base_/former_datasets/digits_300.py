# 300 of the digits in digits_cls.py to train on, one drawing each and all
# classes alike; the same 400 to validate.
_base_ = './digits_cls.py'

dataset_name = 'digits-300'

# The 5,588 drawings are sorted by class and digit: about every 19th.
train_dataloader = dict(
    dataset=dict(indices=[5588 * number // 300 for number in range(300)])
)
