"""Figures, under an older name."""
