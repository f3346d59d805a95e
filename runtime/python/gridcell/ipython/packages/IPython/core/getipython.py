"""get_ipython() under its full name."""
from _gridcell_kernel import get_ipython  # noqa: F401
