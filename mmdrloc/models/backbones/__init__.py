"""Backbones that mmpretrain lacks, or has in another form."""
