# SPDX-License-Identifier: MIT
"""What programs write LLVM code with besides llvmlite's builder: numba.core.cgutils.

Types are those of llvmlite.ir, except where a parameter is called `kind`: a type of numba's.
"""
import contextlib
import functools

from llvmlite import ir

from gridcell import _gridcell as _extension

bool_t = ir.IntType(1)
int8_t = ir.IntType(8)
int32_t = ir.IntType(32)
int64_t = ir.IntType(64)
intp_t = ir.IntType(64)
voidptr_t = int8_t.as_pointer()

true_bit = bool_t(1)
false_bit = bool_t(0)
true_byte = int8_t(1)
false_byte = int8_t(0)


def get_or_insert_function(module, fnty, name):
    """The function of the module, declared where it is not there yet."""
    return module.globals.get(name) or ir.Function(module, fnty, name)


def insert_pure_function(module, fnty, name):
    """The same, for one that computes from its arguments alone."""
    function = get_or_insert_function(module, fnty, name)
    function.attributes.add("nounwind")
    return function


# --- Values

def get_null_value(type_):
    return type_(None)


def as_bool_bit(builder, value):
    return builder.icmp_unsigned("!=", value, value.type(0))


def as_bool_byte(builder, value):
    return builder.zext(value, int8_t)


def is_null(builder, value):
    return builder.icmp_unsigned("==", value.type(None), value)


def is_not_null(builder, value):
    return builder.icmp_unsigned("!=", value.type(None), value)


is_false, is_true = is_null, is_not_null


def is_pointer(type_):
    return isinstance(type_, ir.PointerType)


def is_struct(type_):
    return isinstance(type_, ir.BaseStructType)


def pack_struct(builder, values):
    """A struct of the values."""
    made = ir.Constant(ir.LiteralStructType([value.type for value in values]), ir.Undefined)
    return functools.reduce(lambda whole, pair: builder.insert_value(whole, pair[1], pair[0]),
                            enumerate(values), made)


def pack_array(builder, values, ty=None):
    """An array of the values, which have one type; `ty`: that, where there are no values."""
    made = ir.Constant(ir.ArrayType(ty or values[0].type, len(values)), ir.Undefined)
    return functools.reduce(lambda whole, pair: builder.insert_value(whole, pair[1], pair[0]),
                            enumerate(values), made)


def unpack_tuple(builder, tup, count=None):
    """The items of a struct or an array."""
    count = len(tup.type.elements) if count is None else count
    return [builder.extract_value(tup, place) for place in range(count)]


make_anonymous_struct = pack_struct


def as_data(builder, kind, value):
    """The value as it lies in memory: a truth value is a byte."""
    return builder.zext(value, int8_t) if value.type == bool_t else value


def from_data(builder, kind, place):
    """The value that lies at an address."""
    from numba.core import types
    data = builder.load(place)
    return builder.trunc(data, bool_t) if isinstance(types.unliteral(kind), types.Boolean) else data


# --- Memory

def alloca_once(builder, ty, size=None, name="", zfill=False):
    """Room on the stack for the whole function, wherever the builder is; zero if `zfill`."""
    if isinstance(size, int):
        size = intp_t(size)
    with builder.goto_entry_block():
        slot = builder.alloca(ty, size=size, name=name)
        builder.store(ty(None), slot)
    if zfill:
        builder.store(ty(None), slot)
    return slot


def alloca_once_value(builder, value, name="", zfill=False):
    """Room on the stack with a value in it."""
    slot = alloca_once(builder, value.type, name=name)
    builder.store(value, slot)
    return slot


def gep(builder, ptr, *indices, inbounds=False, name=""):
    """The address of an item; indices are numbers or values."""
    places = [int32_t(index) if isinstance(index, int) else index for index in indices]
    return builder.gep(ptr, places, inbounds=inbounds, name=name)


def gep_inbounds(builder, ptr, *indices, name=""):
    return gep(builder, ptr, *indices, inbounds=True, name=name)


def pointer_add(builder, ptr, offset, return_type=None):
    """The address so many bytes further on."""
    if isinstance(offset, int):
        offset = intp_t(offset)
    moved = builder.add(builder.ptrtoint(ptr, intp_t), offset)
    return builder.inttoptr(moved, return_type or ptr.type)


def memset(builder, ptr, size, value):
    """Sets bytes."""
    if isinstance(value, int):
        value = int8_t(value)
    size = size if isinstance(size, ir.Value) else intp_t(size)
    kind = ir.FunctionType(ir.VoidType(), (voidptr_t, int8_t, size.type, bool_t))
    function = get_or_insert_function(builder.module, kind, f"llvm.memset.p0.i{size.type.width}")
    builder.call(function, [builder.bitcast(ptr, voidptr_t), value, size, false_bit])


def raw_memcpy(builder, dst, src, count, itemsize, align=1):
    """Copies so many items of so many bytes."""
    count = count if isinstance(count, ir.Value) else intp_t(count)
    size = builder.mul(count, count.type(itemsize))
    kind = ir.FunctionType(ir.VoidType(), (voidptr_t, voidptr_t, size.type, bool_t))
    function = get_or_insert_function(builder.module, kind, f"llvm.memcpy.p0.p0.i{size.type.width}")
    builder.call(function, [builder.bitcast(dst, voidptr_t), builder.bitcast(src, voidptr_t), size, false_bit])


def memcpy(builder, dst, src, count):
    """Copies so many items of the pointers' type."""
    raw_memcpy(builder, dst, src, count, sizeof(dst.type.pointee))


def _align(offset, alignment):
    return -(-offset // alignment) * alignment


def alignment_of(type_):
    """What addresses of the type are multiples of."""
    if isinstance(type_, ir.ArrayType):
        return alignment_of(type_.element)
    if is_struct(type_):
        return max(map(alignment_of, type_.elements), default=1)
    return sizeof(type_)


def sizeof(type_):
    """How many bytes a value of the type takes in memory."""
    if is_pointer(type_):
        return 8
    if isinstance(type_, ir.IntType):
        return 1 << max(0, (type_.width - 1).bit_length() - 3)
    if isinstance(type_, ir.ArrayType):
        return type_.count * sizeof(type_.element)
    if is_struct(type_):
        offset = 0
        for member in type_.elements:
            offset = _align(offset, alignment_of(member)) + sizeof(member)
        return _align(offset, alignment_of(type_))
    sizes = {ir.HalfType: 2, ir.FloatType: 4, ir.DoubleType: 8}
    if type(type_) not in sizes:
        raise TypeError(f"values of {type_} have no size")
    return sizes[type(type_)]


def global_constant(builder_or_module, name, value, linkage="internal"):
    """A constant of the module."""
    module = getattr(builder_or_module, "module", builder_or_module)
    made = ir.GlobalVariable(module, value.type, module.get_unique_name(name))
    made.linkage, made.global_constant, made.initializer = linkage, True, value
    return made


def add_global_variable(module, ty, name, addrspace=0):
    """A variable of the module, of a name of its own."""
    return ir.GlobalVariable(module, ty, module.get_unique_name(name), addrspace)


def make_bytearray(buf):
    """A constant of bytes."""
    data = bytearray(buf)
    return ir.Constant(ir.ArrayType(int8_t, len(data)), data)


def get_item_pointer2(context, builder, data, shape, strides, layout, inds, wraparound=False, boundscheck=False):
    """The address of an item of an array that lies so."""
    place = builder.ptrtoint(data, intp_t)
    for index, length, stride in zip(inds, shape, strides, strict=True):
        if wraparound:
            is_negative = builder.icmp_signed("<", index, intp_t(0))
            index = builder.select(is_negative, builder.add(index, length), index)
        if boundscheck:
            with builder.if_then(builder.icmp_unsigned(">=", index, length), likely=False):
                context.call_conv.return_user_exc(builder, IndexError, ("index is out of bounds",))
        place = builder.add(place, builder.mul(index, stride))
    return builder.inttoptr(place, data.type)


def get_item_pointer(context, builder, aryty, ary, inds, wraparound=False, boundscheck=False):
    """The same of an array by its parts."""
    shape, strides = (unpack_tuple(builder, axes, aryty.ndim) for axes in (ary.shape, ary.strides))
    return get_item_pointer2(context, builder, ary.data, shape, strides, aryty.layout, inds, wraparound, boundscheck)


# --- Control flow

def if_likely(builder, pred):
    return builder.if_then(pred, likely=True)


def if_unlikely(builder, pred):
    return builder.if_then(pred, likely=False)


def ifnot(builder, pred):
    return builder.if_then(builder.not_(pred))


def if_zero(builder, value, likely=False):
    return builder.if_then(is_null(builder, value), likely=likely)


@contextlib.contextmanager
def early_exit_if(builder, stack, cond):
    """Code for where the condition holds, within `with`; what follows, up to the end of the stack (an ExitStack), is
    for where it does not."""
    then, otherwise = stack.enter_context(builder.if_else(cond, likely=False))
    with then:
        yield
    stack.enter_context(otherwise)


def early_exit_if_null(builder, stack, obj):
    """The same where an address is null."""
    return early_exit_if(builder, stack, is_null(builder, obj))


def increment_index(builder, value):
    return builder.add(value, value.type(1), flags=["nsw"])


class _Loop:
    """What for_range gives: the number of the turn, and what ends the loop."""

    def __init__(self, index, do_break):
        self.index, self.do_break = index, do_break


@contextlib.contextmanager
def for_range(builder, count, start=None, intp=None):
    """A loop from start (0) to before count; the body is written within `with`."""
    intp = intp or count.type
    start = intp(0) if start is None else start
    head, body, end = (builder.append_basic_block(f"for.{part}") for part in ("head", "body", "end"))
    before = builder.basic_block
    builder.branch(head)
    with builder.goto_block(head):
        index = builder.phi(intp, name="loop.index")
        builder.cbranch(builder.icmp_signed("<", index, count), body, end)
    index.add_incoming(start, before)
    builder.position_at_end(body)
    yield _Loop(index, lambda: builder.branch(end))
    index.add_incoming(increment_index(builder, index), builder.basic_block)
    builder.branch(head)
    builder.position_at_end(end)


# --- Values of numba's types with parts of their own

class _Parts:
    """A value by its parts, in memory: attributes are read and set, in whatever block the builder is;
    _getvalue() is the whole."""

    def __init__(self, kind, type_, names, builder, value, ref):
        slot = alloca_once(builder, type_) if ref is None else ref
        self.__dict__.update(_builder=builder, _names=names, _slot=slot, _kind=kind, _set=set())
        if value is not None:
            if value.type != type_:
                raise TypeError(f"a value of {kind} is {type_}, not {value.type}")
            builder.store(value, slot)

    def _getvalue(self):
        return self._builder.load(self._slot)

    def _getpointer(self):
        return self._slot

    def _setvalue(self, value):
        self._builder.store(value, self._slot)

    def _place(self, name):
        if name not in self._names:
            raise AttributeError(f"a value of {self._kind} has {', '.join(self._names)}, and no {name!r}")
        return gep_inbounds(self._builder, self._slot, 0, self._names.index(name))

    def _get_ptr_by_name(self, name):
        return self._place(name)

    def __getattr__(self, name):
        return self._builder.load(self._place(name))

    def __setattr__(self, name, value):
        place = self._place(name)
        if value.type != place.type.pointee:
            raise TypeError(f"{name!r} of a value of {self._kind} is {place.type.pointee}, not {value.type}")
        self._builder.store(value, place)

    def __getitem__(self, number):
        return getattr(self, self._names[number])

    def __setitem__(self, number, value):
        setattr(self, self._names[number], value)

    def __len__(self):
        return len(self._names)

    def __iter__(self):
        return iter([self[number] for number in range(len(self))])


class _ArrayParts(_Parts):
    """An array by its parts. Whose memory becomes another's takes with it what is known of it where it is not counted."""

    def __getattr__(self, name):
        parent = super().__getattr__("parent") if name == "meminfo" else None
        value = super().__getattr__(name)
        if parent is not None:
            value.parent_without_count = parent
        return value

    def __setattr__(self, name, value):
        super().__setattr__(name, value)
        parent = getattr(value, "parent_without_count", None) if name == "meminfo" else None
        if parent is not None:
            self.parent = self._builder.select(is_null(self._builder, value), parent, self.parent)


class _FunctionParts(_Parts):
    """A function by its addresses. That for C makes a value; whose value it is only ours tells."""

    def __getattr__(self, name):
        if name in ("c_addr", "py_addr") and name not in self.__dict__["_set"]:
            raise NotImplementedError(f"{name!r} of a value of {self._kind} is not open to code that a program writes: "
                                      "pass the address as an argument of its own")
        return super().__getattr__(name)

    def __setattr__(self, name, value):
        if name == "c_addr" and not _extension.is_function_of_c(self._kind):
            raise TypeError(f"no function of C is a value of {self._kind}: C takes and gives numbers and pointers")
        super().__setattr__(name, value)
        self.__dict__["_set"].add(name)


def create_struct_proxy(kind, kind_of="value"):
    """A function of (context, builder, value=None, ref=None), which gives a value of the type by its parts: a
    new one, one with that value, or the one at the address."""
    from numba.core import types
    from numba.core.extension import registry
    from numba.core.written import text
    kind, made = types.unliteral(kind), _Parts
    if isinstance(kind, types.Complex):
        names = "real", "imag"
    elif registry.is_extension(kind):
        layout = registry.layout_of(kind)
        if layout.whole is not None:
            raise TypeError(f"a value of {kind} is one of {layout.whole}, and has no members: its model is no StructModel")
        names = layout.names
        if "meminfo" in names and "parent" in names:
            made = _ArrayParts
    elif isinstance(kind, types.Optional):
        names = "data", "valid"
    elif isinstance(kind, types.UnicodeType):
        from numba.core.written.texts import TextParts
        return TextParts
    elif isinstance(kind, types.SliceType):
        names = "start", "stop", "step"
    elif isinstance(kind, types._TUPLES):
        names = ("first", "second") if len(kind) == 2 else tuple(f"f{number}" for number in range(len(kind)))
    elif isinstance(kind, types.Array) or text.is_bytes(kind):
        names, made = tuple(name for name, _ in text.array_parts(kind)), _ArrayParts
    elif isinstance(kind, types.FunctionType):
        names, made = text.FUNCTION_PARTS, _FunctionParts
    else:
        raise NotImplementedError(f"the parts of {kind} are not open to code that a program writes: pass them "
                                  "as arguments of their own")

    def make(context, builder, value=None, ref=None):
        return made(kind, text.value_type(kind), names, builder, value, ref)
    return make
