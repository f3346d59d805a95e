"""The parts of IPython.terminal that libraries look for: a notebook is no terminal."""
from gridcell.ipython.paths import extend_path, fall_through

__path__[:] = extend_path(__path__, __name__)
__getattr__ = fall_through(__name__, is_package=True)
