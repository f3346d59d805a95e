"""gridcell's stand-in for ipykernel: its names lead to the running notebook."""
from gridcell.ipython.paths import extend_path, fall_through

__path__[:] = extend_path(__path__, __name__)
__getattr__ = fall_through(__name__, is_package=True)
version_info = (6, 30, 0)
__version__ = ".".join(map(str, version_info))
kernel_protocol_version_info = (5, 4)
kernel_protocol_version = "5.4"
