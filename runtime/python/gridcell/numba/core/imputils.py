# SPDX-License-Identifier: MIT
"""numba.core.imputils: what implements calls, for generators of code."""
from numba.core.extension.calls import lower_builtin, lower_getattr, lower_getattr_generic


def impl_ret_borrowed(ctx, builder, retty, ret):
    """The value, with a reference of its own: it is, or holds, what others own."""
    ctx.nrt.incref(builder, retty, ret)
    return ret


def impl_ret_new_ref(ctx, builder, retty, ret):
    """The value, which has its references."""
    return ret


impl_ret_untracked = impl_ret_new_ref


class Registry:
    """Implementations of calls; they are known at once, whoever asks."""

    def __init__(self, name="unspecified"):
        self.name = name

    def lower(self, func, *argtys):
        """What lower_builtin does."""
        return lower_builtin(func, *argtys)

    def lower_getattr(self, ty, attr):
        """What lower_getattr does."""
        return lower_getattr(ty, attr)

    def lower_getattr_generic(self, ty):
        """What lower_getattr_generic does."""
        return lower_getattr_generic(ty)


builtin_registry = Registry("builtin_registry")


def __getattr__(name):
    from gridcell import absent
    absent.refuse_name(__name__, name)
