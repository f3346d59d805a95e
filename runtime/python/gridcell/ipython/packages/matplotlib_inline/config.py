"""%config InlineBackend.*"""
import _gridcell_kernel as _kernel


class InlineBackend:
    """The settings, as one object."""

    @classmethod
    def instance(cls, **kwargs):
        return _kernel.get_ipython().settings_of("InlineBackend")
