"""Checkpoints: read safely, recognise, convert, audit, write."""
