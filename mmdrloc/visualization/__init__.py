"""What a model does and costs: pictures and counts."""
