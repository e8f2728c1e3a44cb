"""Find before the first iteration what cannot work."""
