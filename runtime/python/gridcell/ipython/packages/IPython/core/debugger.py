"""The debugger of the notebook: pdb, imported, has it for its class."""
import pdb
import sys

from gridcell.ipython.paths import fall_through as _fall_through
from gridcell.ipython.prompt_debugger import Debugger, set_trace  # noqa: F401

__getattr__ = _fall_through(__name__)
Pdb = TerminalPdb = InterruptiblePdb = Debugger
OldPdb = Debugger.__base__
prompt = "ipdb> "
CHAIN_EXCEPTIONS = sys.version_info >= (3, 13)


def BdbQuit_excepthook(et, ev, tb, excepthook=None):
    """Says that the debugger was left; other exceptions go to the hook."""
    import bdb
    if et is bdb.BdbQuit:
        print("Exiting Debugger.")
    elif excepthook is not None:
        excepthook(et, ev, tb)
    else:
        sys.__excepthook__(et, ev, tb)
