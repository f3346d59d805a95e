"""gridcell's stand-in for ipykernel: its names lead to the running notebook."""
from gridcell.ipython.paths import extend_path as _extend_path, fall_through as _fall_through
from gridcell.versions import parts_of as _parts_of, version_of as _version_of

__path__[:] = _extend_path(__path__, __name__)
__getattr__ = _fall_through(__name__, is_package=True)
__version__ = _version_of("ipykernel", "7.4.0")
version_info = tuple(part for part in _parts_of(__version__) if part != "")
kernel_protocol_version_info = (5, 4)
kernel_protocol_version = "5.4"
