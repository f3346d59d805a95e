"""gridcell's stand-in for IPython: its names lead to the running notebook.

What is not here comes from an installed IPython, through the package path and __getattr__.
"""
from gridcell.ipython.paths import extend_path as _extend_path, fall_through as _fall_through
from gridcell.versions import parts_of as _parts_of, version_of as _version_of

__path__[:] = _extend_path(__path__, __name__)
__version__ = _version_of("ipython", "9.18.1")
version_info = _parts_of(__version__)
__author__, __license__ = "The gridcell developers", "MIT"

from _gridcell_kernel import get_ipython  # noqa: E402
from IPython.core.interactiveshell import InteractiveShell  # noqa: E402
import IPython.core.display  # noqa: E402
import IPython.display  # noqa: E402

__getattr__ = _fall_through(__name__, is_package=True)


def embed(**settings):
    """Asks for code in the middle of a function, with its names. `exit` goes on."""
    from gridcell.ipython.embedding import embed as ask
    ask(**settings, stack_depth=3)


def embed_kernel(module=None, local_ns=None, **kwargs):
    """A notebook is a kernel already."""
    raise RuntimeError("IPython.embed_kernel() has no meaning inside a notebook")


def start_ipython(argv=None, **kwargs):
    """A notebook is a shell already."""
    raise RuntimeError("start_ipython() has no meaning inside a notebook")


start_kernel = embed_kernel


def extract_module_locals(depth=0):
    """Module and local names of a caller."""
    import sys
    frame = sys._getframe(depth + 1)
    return sys.modules[frame.f_globals["__name__"]], frame.f_locals


def sys_info():
    """A text about this Python and this machine."""
    from IPython.utils.sysinfo import sys_info as describe
    return describe()
