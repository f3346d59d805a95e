"""The parts of IPython.utils that libraries import."""
from gridcell.ipython.paths import extend_path, fall_through

__path__[:] = extend_path(__path__, __name__)
__getattr__ = fall_through(__name__, is_package=True)
