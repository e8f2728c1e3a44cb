# What the official code's DRLoc has in common on all networks: distances in
# cells, and a weight that rises for 20 epochs and then falls to 0 at the end
# of the 300 of which it runs the first 101.
official_head = dict(type='mmdrloc.DRLocHead', convention='official')
official_loss = dict(type='mmdrloc.DRLocL1Loss', normalize='none')
custom_hooks = [dict(type='mmdrloc.DRLocWeightHook', total_epochs=300)]
