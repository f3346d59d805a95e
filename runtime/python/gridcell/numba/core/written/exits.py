# SPDX-License-Identifier: MIT
"""How functions that a program writes with llvmlite's builder end: with a value, or by an exception, its own or
that of a compiled function that it calls.

A function that can fail gives a status before its value: 0, the number of an exception in `raised`, or, below 0,
what the failure of a call is known by."""
from llvmlite import ir

from gridcell import _gridcell as _extension
from numba.core import overloads, types
from numba.core.written import helpers, text

_PYTHON = helpers.int32_t(-2)  # STATUS_PYTHON of compiler/types/abi.h

class _Call:
    """A call of a compiled function: `function`, jitted, the FunctionType that it is passed as, and how much code
    there was before and after it."""

    def __init__(self, function, kind, args, before):
        self.function, self.kind, self.args, self.before = function, kind, args, before
        self.after = self.value = None


class Exits:
    """The ways out of a function; `args`: the values that its generator is given."""

    def __init__(self, function, args):
        self.raised = []  # (class of exceptions, arguments)
        self.calls = []
        self._function, self._args, self._params = function, args, list(function.args)
        self._begin = self._size()
        self._ways = []   # (block, status)

    def _size(self):
        return sum(len(block.instructions) for block in self._function.blocks)

    @property
    def can_fail(self):
        """Whether it gives a status."""
        return bool(self._ways)

    @property
    def passes_on(self):
        """Whether it fails otherwise than by exceptions of its own."""
        return len(self._ways) > len(self.raised)

    def leave(self, builder, status):
        """Ends the block: the function fails with a status."""
        block = self._function.append_basic_block("fail")
        builder.branch(block)
        self._ways.append((block, status))

    def leave_raising(self, builder, exc, args):
        """Ends the block: the function raises an exception."""
        self.raised.append((exc, args))
        self.leave(builder, helpers.int32_t(len(self.raised)))

    # --- Calls of compiled functions

    def call(self, builder, function, signature, args):
        """What a jitted function gives for values of the signature's types."""
        result = types.unliteral(signature.return_type)
        kinds = [overloads.shown(types.unliteral(kind)) for kind in signature.args]
        call = _Call(function, types.FunctionType(result(*kinds)), args, self._size())
        self.calls.append(call)
        callee = ir.Argument(self._function, helpers.voidptr_t, f"callee.{len(self.calls)}")
        self._params.append(callee)
        place = helpers.alloca_once(builder, ir.ArrayType(helpers.int64_t, 1 + text.size_of(result) // 8))
        place = builder.bitcast(place, helpers.voidptr_t)
        # of a function its type says all
        leaves = [leaf for kind, arg in zip(kinds, args, strict=True)
                  if not isinstance(kind, (types.Dispatcher, types.Function)) for leaf in text.leaves_of(builder, kind, arg)]
        self._check(builder, callee, self._invoke(builder, callee, [place, *leaves]))
        call.value = text.load(builder, result, place)
        call.after = self._size()
        return call.value

    def _invoke(self, builder, callee, args):
        kind = ir.FunctionType(helpers.int32_t, [arg.type for arg in args])
        at = builder.gep(callee, [helpers.intp_t(_extension.extension_addresses()["callable_code"])])
        code = builder.load(builder.bitcast(at, kind.as_pointer().as_pointer()))
        return builder.call(code, args)

    def _check(self, builder, callee, status):
        with builder.if_then(builder.icmp_unsigned("!=", status, helpers.int32_t(0)), likely=False):
            kind = ir.FunctionType(helpers.int32_t, [helpers.voidptr_t, helpers.int32_t])
            failed = helpers.get_or_insert_function(builder.module, kind, "gridcell_callable_failed")
            self.leave(builder, builder.call(failed, [callee, status]))

    def is_one_call(self, value):
        """Whether all that the function does is one call with its arguments, and gives the value of it."""
        if len(self.calls) != 1:
            return False
        call = self.calls[0]
        return (call.value is value and call.before == self._begin and call.after == self._size()
                and len(call.args) == len(self._args) and all(a is b for a, b in zip(call.args, self._args)))

    # --- The end

    def finish(self, builder, gives, leaves):
        """Has the function give the leaves, of the types `gives`, and a status where it can fail."""
        whole = [helpers.int32_t, *gives] if self.can_fail else gives
        returns = ir.VoidType() if not whole else whole[0] if len(whole) == 1 else ir.LiteralStructType(whole)
        function = self._function
        function.args = tuple(self._params)
        function.ftype = ir.FunctionType(returns, [param.type for param in self._params])
        function.return_value = ir.values.ReturnValue(function, returns)
        _give(builder, whole, [helpers.int32_t(0), *leaves] if self.can_fail else leaves)
        for block, status in self._ways:
            _give(ir.IRBuilder(block), whole, [status, *(leaf(None) for leaf in gives)])


def _give(builder, gives, leaves):
    if not gives:
        builder.ret_void()
    elif len(gives) == 1:
        builder.ret(leaves[0])
    else:
        made = ir.Constant(ir.LiteralStructType(gives), ir.Undefined)
        for place, leaf in enumerate(leaves):
            made = builder.insert_value(made, leaf, place)
        builder.ret(made)


class CallConv:
    """How code leaves the function: `context.call_conv`."""

    def __init__(self, exits):
        self._exits = exits

    def return_user_exc(self, builder, exc, exc_args=None, loc=None, func_name=None):
        """Raises an exception of a class, with arguments that are constants."""
        if not isinstance(exc, type) or not issubclass(exc, BaseException):
            raise TypeError(f"an exception is raised by its class, not by {exc!r}")
        self._exits.leave_raising(builder, exc, exc_args)

    def return_exc(self, builder):
        """Ends the function by the exception that Python's API has set; the code has to hold the GIL."""
        self._exits.leave(builder, _PYTHON)

    def return_status_propagate(self, builder, status):
        """Ends the function as a call did that failed."""
        self._exits.leave(builder, getattr(status, "code", status))

    def __getattr__(self, name):
        raise AttributeError(f"context.call_conv.{name} is of numba's own compiler, which gridcell does not have: "
                             "return_user_exc, return_exc and return_status_propagate are here")
