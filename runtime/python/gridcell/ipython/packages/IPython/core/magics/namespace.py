"""Magics about names, for extensions that look at variables."""
import _gridcell_kernel as _kernel
from gridcell.ipython.paths import fall_through

__getattr__ = fall_through(__name__)


class NamespaceMagics:
    """who_ls() as the variable inspector calls it."""

    def __init__(self, shell=None):
        self.shell = shell

    def who_ls(self, parameter_s=""):
        return _kernel.get_ipython().run_line_magic("who_ls", parameter_s)
