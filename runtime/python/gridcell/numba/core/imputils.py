# SPDX-License-Identifier: MIT
"""numba.core.imputils: what implements calls, for generators of code."""
import collections
import contextlib
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

    def yielded_value(self):
        """The item."""
        return self._pair.first

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


def iterator_impl(iterable_type, iterator_type):
    """Has a class write the loops over iterators of a type: it is made with (context, builder, value), and its
    iternext(context, builder, result) says what the item is, and whether there is one."""
    def register(written):
        @lower_builtin("iternext", iterator_type)
        @iternext_impl(RefType.BORROWED)
        def write(context, builder, sig, args, result):
            return written(context, builder, args[0]).iternext(context, builder, result)
        return written
    return register


Loop = collections.namedtuple("Loop", "value do_break")


def call_getiter(context, builder, iterable_type, val):
    """The iterator of a value of a program's own type."""
    from numba.core.extension import iteration
    signature, write = iteration.getiter_of(iterable_type)
    return write(context, builder, signature, (val,))


def call_iternext(context, builder, iterator_type, val):
    """What comes next of an iterator of a program's own type: is_valid() is whether there is an item, yielded_value()
    which."""
    from numba.core.extension import iteration
    signature, write = iteration.iternext_of(iterator_type)
    pair = context.make_helper(builder, signature.return_type, write(context, builder, signature, (val,)))
    return _Item(context, builder, pair)


def call_len(context, builder, ty, val):
    """What len() gives for a value; None: it gives nothing."""
    from numba.core.errors import TypingError
    try:
        signature = context.typing_context.resolve_function_type(len, (ty,), {})
    except TypingError:
        return None
    return context.get_function(len, signature)(builder, (val,))


@contextlib.contextmanager
def for_iter(context, builder, iterable_type, val):
    """Code for each item of a value within `with`, which gives a Loop: `value`, and what ends it. The value is of a
    program's own type, or has a length and items by number."""
    from numba.core.extension import registry
    if not registry.is_extension(iterable_type):
        with _for_items(context, builder, iterable_type, val) as loop:
            yield loop
        return
    from numba.core.extension import iteration
    iterator_type = iteration.getiter_of(iterable_type)[0].return_type
    iterator = call_getiter(context, builder, iterable_type, val)
    head, body, end = (builder.append_basic_block(f"for_iter.{part}") for part in ("head", "body", "end"))
    builder.branch(head)
    builder.position_at_end(head)
    item = call_iternext(context, builder, iterator_type, iterator)
    builder.cbranch(item.is_valid(), body, end)
    builder.position_at_end(body)
    yield Loop(item.yielded_value(), lambda: builder.branch(end))
    if not builder.basic_block.is_terminated:
        builder.branch(head)
    builder.position_at_end(end)
    context.nrt.decref(builder, iterator_type, iterator)


@contextlib.contextmanager
def _for_items(context, builder, kind, val):
    import operator
    from numba.core.written import helpers
    count = call_len(context, builder, kind, val)
    if count is None:
        raise NotImplementedError(f"for_iter over {kind}: it has no length")
    item = context.typing_context.resolve_function_type(operator.getitem, (kind, types.intp), {})
    with helpers.for_range(builder, count) as loop:
        yield Loop(context.get_function(operator.getitem, item)(builder, (val, loop.index)), loop.do_break)


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
