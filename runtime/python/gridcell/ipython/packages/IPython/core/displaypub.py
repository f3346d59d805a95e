"""Publishing of displays."""
from gridcell.ipython.display import publish_display_data  # noqa: F401
from gridcell.ipython.shell import DisplayPublisher  # noqa: F401
from gridcell.ipython.paths import fall_through as _fall_through

__getattr__ = _fall_through(__name__)
