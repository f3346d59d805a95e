"""The version that this stand-in is like."""
from gridcell.ipython.paths import fall_through as _fall_through
from IPython import __version__ as version  # noqa: F401
from IPython import version_info  # noqa: F401

__version__ = version
name, license = "ipython", "BSD-3-Clause"
description = "The running notebook, under IPython's names"
author = "The gridcell developers"
author_email = ""
__getattr__ = _fall_through(__name__)
