"""gridcell's stand-in for ipykernel: its names lead to the running notebook."""
from gridcell.ipython.paths import extend_path

__path__[:] = extend_path(__path__, __name__)
version_info = (6, 30, 0)
__version__ = ".".join(map(str, version_info))
