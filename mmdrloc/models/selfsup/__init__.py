"""Self-supervised pre-training."""
