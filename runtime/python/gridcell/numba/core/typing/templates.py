# SPDX-License-Identifier: MIT
"""numba.core.typing.templates: signatures."""
from gridcell import _gridcell as _extension

Signature = _extension.Signature


def signature(return_type, *args, **kws):
    """The Signature of a return type and argument types."""
    return Signature(return_type, args)


def __getattr__(name):
    from gridcell import absent
    absent.refuse_name(__name__, name)
