"""The parts of IPython.core.magics that libraries import."""
from gridcell.ipython.paths import extend_path

__path__[:] = extend_path(__path__, __name__)
