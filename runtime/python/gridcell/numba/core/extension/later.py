# SPDX-License-Identifier: MIT
"""Code of @unbox that runs when the call ends whose argument it made: what @reflect registered, and a NativeValue's
cleanup.

The runtime calls a function with its state, bytes that live until then. A cleanup is written as if it were at the end
of the unboxer, with its values: those that it uses are put into the state, and read again."""
from llvmlite import ir

from gridcell import _gridcell as _extension
from numba.core.written import helpers, text

_FUNCTION = ir.FunctionType(helpers.int8_t, [helpers.voidptr_t])


def _register(builder, done, function, size):
    """Has the end of the call run a function; gives where its state is. Where that fails so does the unboxer."""
    kind = ir.FunctionType(helpers.voidptr_t, [helpers.voidptr_t, helpers.intp_t])
    register = builder.inttoptr(helpers.intp_t(_extension.extension_addresses()["after"]), kind.as_pointer())
    state = builder.call(register, [function, helpers.intp_t(size)])
    builder.store(helpers.is_not_null(builder, state), done)
    return state


def register_reflect(context, builder, done, kind, value, address):
    """`address`: of the function that does it; `done`: where the unboxer has whether it succeeds."""
    function = helpers.intp_t(address).inttoptr(helpers.voidptr_t)
    state = _register(builder, done, function, text.size_of(kind))
    with builder.if_then(builder.load(done)):
        text.store(builder, kind, value, state)
        context.nrt.incref(builder, kind, value)


def register_cleanup(context, builder, done, cleanup):
    """`cleanup`: writes code where the builder is."""
    unboxer = builder.function
    function = ir.Function(builder.module, _FUNCTION, builder.module.get_unique_name("gridcell.cleanup"))
    before = builder.basic_block
    entry = function.append_basic_block("entry")
    builder.position_at_end(function.append_basic_block("cleanup"))
    cleanup()
    builder.ret(helpers.true_byte)
    builder.position_at_end(before)
    moved = _Moved(unboxer, function, ir.IRBuilder(entry))
    moved.replace_all()
    state = _register(builder, done, builder.bitcast(function, helpers.voidptr_t), moved.size)
    with builder.if_then(builder.load(done)):
        for value, offset in moved.places:
            held = builder.load(value) if isinstance(value, ir.AllocaInstr) else value
            builder.store(held, _place(builder, state, offset, held.type))


def _place(builder, state, offset, kind):
    return builder.bitcast(builder.gep(state, [helpers.intp_t(offset)]), kind.as_pointer())


class _Moved:
    """The values of one function that another uses: `places`, pairs of value and offset in the state of `size` bytes;
    of memory on the stack what lies there moves."""

    def __init__(self, source, target, builder):
        self.places, self.size = [], 0
        self._source, self._target, self._builder, self._known = source, target, builder, {}

    def replace_all(self):
        """Has the function use its own values, read from the state."""
        for block in self._target.blocks[1:]:
            for instruction in block.instructions:
                for value in list(instruction.operands):
                    if self._is_foreign(value):
                        instruction.replace_usage(value, self._own(value))
        self._builder.branch(self._target.blocks[1])

    def _is_foreign(self, value):
        if isinstance(value, ir.Instruction):
            return value.parent.parent is self._source
        return isinstance(value, ir.Argument) and value.parent is self._source

    def _own(self, value):
        if value not in self._known:
            self._known[value] = self._make(value)
        return self._known[value]

    def _make(self, value):
        if isinstance(value, ir.CastInstr) and isinstance(value.type, ir.PointerType):
            return self._builder.bitcast(self._moved(value.operands[0]), value.type)
        if isinstance(value, ir.GEPInstr):
            base, *indices = map(self._moved, value.operands)
            return self._builder.gep(base, indices, inbounds=value.inbounds)
        held = value.type.pointee if isinstance(value, ir.AllocaInstr) else value.type
        offset = -(-self.size // 16) * 16
        self.places.append((value, offset))
        self.size = offset + helpers.sizeof(held)
        data = self._builder.load(_place(self._builder, self._target.args[0], offset, held))
        if not isinstance(value, ir.AllocaInstr):
            return data
        slot = self._builder.alloca(held)
        self._builder.store(data, slot)
        return slot

    def _moved(self, value):
        return self._own(value) if self._is_foreign(value) else value
