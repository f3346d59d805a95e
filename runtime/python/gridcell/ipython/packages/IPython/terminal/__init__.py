"""The parts of IPython.terminal that libraries look for: a notebook is no terminal."""
from gridcell.ipython.paths import extend_path as _extend_path, fall_through as _fall_through

__path__[:] = _extend_path(__path__, __name__)
__getattr__ = _fall_through(__name__, is_package=True)
