"""Pictures of distances and reconstructions."""
