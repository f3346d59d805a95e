"""From a cell's text to Python."""
import _gridcell_kernel as _kernel
from gridcell.ipython.extras import TransformerManager as _TransformerManager
from gridcell.ipython.paths import fall_through

__getattr__ = fall_through(__name__)


class TransformerManager(_TransformerManager):
    """The one of the notebook."""

    def __init__(self):
        super().__init__(_kernel.get_ipython())
