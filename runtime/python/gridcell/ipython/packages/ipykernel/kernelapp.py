"""The application around the kernel."""
import _gridcell_kernel as _kernel
from gridcell.ipython.paths import fall_through as _fall_through


__getattr__ = _fall_through(__name__)


class IPKernelApp:
    """Says that a kernel runs, and where."""

    connection_file = property(lambda self: _kernel.connection_file())
    kernel = property(lambda self: _kernel.get_ipython().kernel)
    shell = property(lambda self: _kernel.get_ipython())

    @classmethod
    def initialized(cls):
        return True

    @classmethod
    def instance(cls, *args, **kwargs):
        return cls()


def launch_new_instance(*args, **kwargs):
    """A notebook is a kernel already."""
    raise RuntimeError("a kernel cannot be started inside a notebook")
