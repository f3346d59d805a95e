"""The debugger of the notebook."""
import pdb

from gridcell.ipython.paths import fall_through

__getattr__ = fall_through(__name__)


class Pdb(pdb.Pdb):
    """Python's own, which speaks through the notebook."""

    def __init__(self, completekey=None, stdin=None, stdout=None, context=5, **kwargs):
        super().__init__(stdin=stdin, stdout=stdout)


TerminalPdb = InterruptiblePdb = Pdb


def set_trace(frame=None, header=None):
    """Stops in the caller."""
    import sys
    if header:
        print(header)
    Pdb().set_trace(frame or sys._getframe().f_back)
