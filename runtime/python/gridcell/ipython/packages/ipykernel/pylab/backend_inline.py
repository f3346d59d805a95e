"""Figures, under an older name."""
from matplotlib_inline.backend_inline import *  # noqa: F401,F403
from matplotlib_inline.backend_inline import flush_figures, new_figure_manager, show  # noqa: F401
