"""How long things take here, always beside what they are compared with."""
