"""gridcell's stand-in for IPython: its names lead to the running notebook.

What is not here comes from an installed IPython, through the package path.
"""
from gridcell.ipython.paths import extend_path

__path__[:] = extend_path(__path__, __name__)
version_info = (8, 37, 0)
__version__ = ".".join(map(str, version_info))

from _gridcell_kernel import get_ipython  # noqa: E402
from IPython.core.interactiveshell import InteractiveShell  # noqa: E402
import IPython.core.display  # noqa: E402
import IPython.display  # noqa: E402


def embed(**kwargs):
    """A notebook is a shell already."""
    raise RuntimeError("IPython.embed() has no meaning inside a notebook")


def start_ipython(argv=None, **kwargs):
    """A notebook is a shell already."""
    raise RuntimeError("start_ipython() has no meaning inside a notebook")
