"""Describe a folder of images as a dataset."""
