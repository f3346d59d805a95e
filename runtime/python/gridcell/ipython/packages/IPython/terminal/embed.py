"""Prompts inside of functions."""
from gridcell.ipython.embedding import InteractiveShellEmbed, KillEmbedded, embed  # noqa: F401
from gridcell.ipython.paths import fall_through as _fall_through

__getattr__ = _fall_through(__name__)
