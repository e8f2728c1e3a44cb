"""Pictures of predictions, distances and reconstructions."""
