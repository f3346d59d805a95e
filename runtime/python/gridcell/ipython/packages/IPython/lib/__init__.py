"""The parts of IPython.lib that libraries import."""
from gridcell.ipython.paths import extend_path

__path__[:] = extend_path(__path__, __name__)
