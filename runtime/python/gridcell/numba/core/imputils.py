# SPDX-License-Identifier: MIT
"""numba.core.imputils: what implements calls, for generators of code."""
import enum
import functools

from numba.core import types
from numba.core.extension.calls import (lower_builtin, lower_getattr, lower_getattr_generic, lower_setattr,
                                         lower_setattr_generic)
from numba.core.extension.constants import lower_constant
from numba.core.extension.conversions import lower_cast


def impl_ret_borrowed(ctx, builder, retty, ret):
    """The value, with a reference of its own: it is, or holds, what others own."""
    ctx.nrt.incref(builder, retty, ret)
    return ret


def impl_ret_new_ref(ctx, builder, retty, ret):
    """The value, which has its references."""
    return ret


impl_ret_untracked = impl_ret_new_ref


class RefType(enum.Enum):
    """Whose the references of an item are."""

    BORROWED, NEW, UNTRACKED = range(3)


class _Item:
    """What iternext's code says of an item: a pair, in memory."""

    def __init__(self, context, builder, pair):
        self._context, self._builder, self._pair = context, builder, pair

    def set_valid(self, is_valid=True):
        """Says whether there is an item; a bit of llvmlite's, or a bool."""
        bit = self._context.get_constant(types.boolean, is_valid) if is_valid in (True, False) else is_valid
        self._pair.second = bit

    def set_exhausted(self):
        """Says that there is none."""
        self.set_valid(False)

    def is_valid(self):
        """Whether it was said that there is one."""
        return self._pair.second

    def yield_(self, value):
        """Says which it is."""
        self._pair.first = value


def iternext_impl(ref_type=RefType.UNTRACKED):
    """Makes the code of "iternext" of a function of (context, builder, signature, args, result); result says what
    the item is, and whether there is one."""
    def wrap(function):
        @functools.wraps(function)
        def write(context, builder, sig, args):
            pair = context.make_helper(builder, sig.return_type)
            function(context, builder, sig, args, _Item(context, builder, pair))
            value = pair._getvalue()
            if ref_type is RefType.BORROWED:
                return impl_ret_borrowed(context, builder, sig.return_type, value)
            return value
        return write
    return wrap


class Registry:
    """Implementations of calls; they are known at once, whoever asks."""

    def __init__(self, name="unspecified"):
        self.name = name

    def lower(self, func, *argtys):
        """What lower_builtin does."""
        return lower_builtin(func, *argtys)

    def lower_constant(self, *kinds):
        """What lower_constant does."""
        return lower_constant(*kinds)

    def lower_getattr(self, ty, attr):
        """What lower_getattr does."""
        return lower_getattr(ty, attr)

    def lower_getattr_generic(self, ty):
        """What lower_getattr_generic does."""
        return lower_getattr_generic(ty)

    def lower_setattr(self, ty, attr):
        """What lower_setattr does."""
        return lower_setattr(ty, attr)

    def lower_setattr_generic(self, ty):
        """What lower_setattr_generic does."""
        return lower_setattr_generic(ty)

    def lower_cast(self, fromty, toty):
        """What lower_cast does."""
        return lower_cast(fromty, toty)


builtin_registry = Registry("builtin_registry")


def __getattr__(name):
    from gridcell import absent
    absent.refuse_name(__name__, name)
