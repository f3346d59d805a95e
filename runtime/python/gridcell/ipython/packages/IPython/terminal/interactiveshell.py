"""The terminal's shell: get_ipython() is not one of these."""
from IPython.core.interactiveshell import InteractiveShell
from gridcell.ipython.paths import fall_through as _fall_through

__getattr__ = _fall_through(__name__)


class TerminalInteractiveShell(InteractiveShell):
    """A class to tell a terminal by."""
