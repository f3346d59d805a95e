# SPDX-License-Identifier: MIT
"""Functions that a program writes with llvmlite's builder, as text for the compiler.

A code generator sees its arguments as numba lays values out: a tuple is a struct, or an array where its
items have one type, a complex number a struct of its parts, an array a struct that says where it is. The
compiler passes values as rows of scalars, their leaves. The text is a function from leaves to leaves, with
the generator's code between. Values of types that the program adds are structs of their members; members of
types that numba lays out otherwise (strings, lists) are passed on as they are.
"""
import functools
import hashlib

from numba.core import types
from numba.core.extension import registry

NUMBERS = types.Integer, types.Float, types.Boolean, types.Complex
_TIMES = types.NPDatetime, types.NPTimedelta  # 64 bits each
_POINTERS = types.CPointer, types.RawPointer
_TEXTS = types.UnicodeType, types.Bytes
# What the compiler knows and passes nothing of
_HANDLES = types.List, types.ListType, types.Set, types.SetType, types.DictType, types.ClassInstanceType  # one address
_SILENT = types.NoneType, types.NumberClass, types.Function, types.Dispatcher, types.Module, types.EllipsisType


def _ir():
    from llvmlite import ir
    return ir


def is_bridged(kind, is_passed=False):
    """Whether values of the type reach a program's own code; is_passed: as members of others, which such code
    only passes on."""
    if isinstance(kind, types.Array) or _comes_back(kind):
        return True
    if is_passed and isinstance(kind, (types._TUPLES, types.Optional)):
        return all(is_bridged(part, True) for part in _parts(kind))
    return is_passed and isinstance(kind, (*_HANDLES, types.Record, *_TEXTS, types.SliceType, types.FunctionType))


def passed(kind):
    """The compiler's type for values of a type: a record is an array of no dimensions."""
    return types.Array(kind, 0, "C", aligned=kind.aligned) if isinstance(kind, types.Record) else kind


def _comes_back(kind):
    """Whether such code gives values of the type, too."""
    if isinstance(kind, types._TUPLES):
        return all(map(_comes_back, kind))
    return (isinstance(kind, (*NUMBERS, *_TIMES, *_POINTERS, types.MemInfoPointer, types.NoneType))
            or registry.is_extension(kind))


def _plain(kind):
    """The type whose values look like those of this one: of a model that is one value, that."""
    kind = types.unliteral(kind)
    if registry.is_extension(kind):
        layout = registry.layout_of(kind)
        return layout.kinds[0] if layout.whole is not None else kind
    return kind


def is_bytes(kind):
    """Whether values are bytes, which code sees as an array of them."""
    return isinstance(kind, types.Bytes)


def _is_array(kind):
    """Whether values are arrays, and not of a type of the program's that derives from theirs."""
    return isinstance(kind, types.Array) and not registry.is_extension(kind)


def part_of(kind):
    """The type of a complex number's parts."""
    return types.float32 if kind.bitwidth == 64 else types.float64


def value_type(kind):
    """llvmlite's type for values of the type."""
    ir = _ir()
    if registry.is_extension(kind) and (whole := registry.layout_of(kind).whole) is not None:
        return whole
    kind = types.unliteral(kind)
    if registry.is_extension(kind):
        return ir.LiteralStructType(list(map(value_type, registry.layout_of(kind).kinds)))
    if isinstance(kind, types.Record):
        return ir.ArrayType(ir.IntType(8), kind.size).as_pointer()
    if isinstance(kind, types.Boolean):
        return ir.IntType(1)
    if isinstance(kind, types.Integer):
        return ir.IntType(kind.bitwidth)
    if isinstance(kind, _TIMES):
        return ir.IntType(64)
    if isinstance(kind, types.Float):
        return {16: ir.HalfType, 32: ir.FloatType, 64: ir.DoubleType}[kind.bitwidth]()
    if isinstance(kind, types.Complex):
        return ir.LiteralStructType([value_type(part_of(kind))] * 2)
    if isinstance(kind, types.Array) or is_bytes(kind):
        return ir.LiteralStructType([part for _, part in array_parts(kind)])
    if isinstance(kind, types._TUPLES):
        items = [value_type(item) for item in kind]
        is_uniform = len(items) > 0 and len(set(kind)) == 1
        return ir.ArrayType(items[0], len(items)) if is_uniform else ir.LiteralStructType(items)
    is_random = isinstance(kind, types.NumPyRandomGeneratorType)  # a pointer to what no code sees
    if isinstance(kind, types.CPointer) and not is_random and _comes_back(kind.dtype):
        return data_type(kind.dtype).as_pointer()
    if isinstance(kind, types.Optional):
        return ir.LiteralStructType([value_type(kind.type), ir.IntType(1)])
    if isinstance(kind, (*_TEXTS, types.SliceType)):
        return ir.LiteralStructType(_leaves(kind))
    if isinstance(kind, types.FunctionType):
        return ir.LiteralStructType([ir.IntType(8).as_pointer()] * len(FUNCTION_PARTS))
    if isinstance(kind, (*_POINTERS, *_SILENT, *_HANDLES, types.MemInfoPointer, types.PyObject)):
        return ir.IntType(8).as_pointer()
    raise NotImplementedError(f"values of {kind} do not reach code that a program writes; numbers, addresses, "
                              "None, tuples of these and arrays do")


FUNCTION_PARTS = "c_addr", "py_addr", "jit_addr"  # numba's; of ours the last is the value, the first one of C's


def array_parts(kind):
    """Pairs of name and llvmlite's type: what numba's struct of an array, or of bytes, holds."""
    ir = _ir()
    kind = types.Array(types.uint8, 1, "C") if is_bytes(kind) else kind
    address, number = ir.IntType(8).as_pointer(), ir.IntType(64)
    item = data_type(kind.dtype).as_pointer() if _comes_back(kind.dtype) else address
    axes = ir.ArrayType(number, kind.ndim)
    return [("meminfo", address), ("parent", address), ("nitems", number), ("itemsize", number), ("data", item),
            ("shape", axes), ("strides", axes)]


def data_type(kind):
    """llvmlite's type for values of the type in memory: a truth value is a byte."""
    if isinstance(kind, types.Record):
        return value_type(kind).pointee
    return _ir().IntType(8) if isinstance(types.unliteral(kind), types.Boolean) else value_type(kind)


def _leaves(kind):
    """llvmlite's types of a value's leaves."""
    kind = passed(_plain(kind))
    if isinstance(kind, _TEXTS):
        address = _ir().IntType(8).as_pointer()
        return [address, address, _ir().IntType(64)]
    if (parts := _parts(kind)) is not None:
        return [leaf for part in parts for leaf in _leaves(part)]
    if isinstance(kind, types.Array):
        parts = dict(array_parts(kind))
        return [parts["meminfo"], parts["parent"], parts["data"], *[_ir().IntType(64)] * (2 * kind.ndim)]
    if isinstance(kind, types.FunctionType):
        return [_ir().IntType(8).as_pointer()]
    return [] if isinstance(kind, types.NoneType) else [value_type(kind)]


def _gather(builder, kind, leaves):
    """The value that an iterator gives the leaves of."""
    if isinstance(kind, registry.EphemeralPointer):
        from numba.core.written import helpers
        return helpers.alloca_once_value(builder, helpers.as_data(builder, kind.dtype, next(leaves)))
    kind = _plain(kind)
    if is_bytes(kind):
        raise NotImplementedError("bytes do not reach code that a program writes: it can give some; pass an array of uint8")
    if isinstance(kind, _TEXTS):
        return pack(builder, value_type(kind), [next(leaves) for _ in _leaves(kind)])
    if isinstance(kind, types.NoneType):
        return value_type(kind)(None)
    if isinstance(kind, types.Record):
        _, _, data = (next(leaves) for _ in range(3))
        return builder.bitcast(data, value_type(kind))
    if _is_array(kind):
        return _gather_array(builder, kind, leaves)
    if isinstance(kind, types.FunctionType):
        return builder.insert_value(value_type(kind)(None), next(leaves), FUNCTION_PARTS.index("jit_addr"))
    parts = _parts(kind)
    if parts is None:
        return next(leaves)
    return pack(builder, value_type(kind), [_gather(builder, part, leaves) for part in parts])


def pack(builder, made, values):
    """A struct of llvmlite's type, of the values."""
    whole = _ir().Constant(made, _ir().Undefined)
    for place, value in enumerate(values):
        whole = builder.insert_value(whole, value, place)
    return whole


def _gather_array(builder, kind, leaves):
    from numba.core.written.helpers import create_struct_proxy, intp_t, pack_array
    made = create_struct_proxy(kind)(None, builder)
    made.meminfo, parent, made.data = next(leaves), next(leaves), next(leaves)
    made.parent = _other_view(builder, made.meminfo, parent)
    shape, strides = ([next(leaves) for _ in range(kind.ndim)] for _ in range(2))
    made.shape, made.strides = (pack_array(builder, axes, intp_t) for axes in (shape, strides))
    made.nitems = functools.reduce(builder.mul, shape, intp_t(1))
    made.itemsize = intp_t(_size_of_items(kind))
    return made._getvalue()


def _size_of_items(kind):
    from gridcell import _gridcell as _extension
    return _extension.as_dtype(kind.dtype).itemsize


def _scatter(builder, kind, value):
    """The leaves of a value."""
    if isinstance(kind, registry.EphemeralPointer):  # what it points to now
        from numba.core.written import helpers
        return [helpers.from_data(builder, kind.dtype, value)]
    kind = _plain(kind)
    if isinstance(kind, types.NoneType):
        return []
    if isinstance(kind, _TEXTS):
        return [builder.extract_value(value, place) for place in range(3)]
    if isinstance(kind, types.Record):
        address = _ir().IntType(8).as_pointer()
        return [address(None), address(None), builder.bitcast(value, address)]
    if _is_array(kind):
        return _scatter_array(builder, kind, value)
    if isinstance(kind, types.FunctionType):
        return [_function_value(builder, value)]
    parts = _parts(kind)
    if parts is None:
        return [value]
    return [leaf for place, part in enumerate(parts)
            for leaf in _scatter(builder, part, builder.extract_value(value, place))]


def _scatter_array(builder, kind, value):
    names = [name for name, _ in array_parts(kind)]
    meminfo, parent, data, shape, strides = (
        builder.extract_value(value, names.index(name)) for name in ("meminfo", "parent", "data", "shape", "strides"))
    axes = [builder.extract_value(axes, axis) for axes in (shape, strides) for axis in range(kind.ndim)]
    return [meminfo, _other_view(builder, meminfo, parent), data, *axes]


CONSTANT = 1  # ABI_NOBODY of compiler/types/abi.h


def _other_view(builder, meminfo, parent):
    """An array's parent, from the compiler's view to that of such code, or back. To both, memory without an owner may be
    nobody's, which is seen from Python where it lies, or a constant, which is copied. Such code says nothing where it is
    nobody's, the compiler where it is a constant: what one has as null is CONSTANT to the other."""
    number = _ir().IntType(64)
    place, one = builder.ptrtoint(parent, number), number(CONSTANT)
    is_told = builder.and_(builder.icmp_unsigned("==", meminfo, meminfo.type(None)), builder.icmp_unsigned("<=", place, one))
    return builder.select(is_told, builder.inttoptr(builder.xor(place, one), parent.type), parent)


def _function_value(builder, value):
    """The value of ours for a function, of which only the address for C may be known."""
    from numba.core.written import helpers
    address, made = (builder.extract_value(value, FUNCTION_PARTS.index(name)) for name in ("c_addr", "jit_addr"))
    slot = helpers.alloca_once_value(builder, made)
    with builder.if_then(helpers.is_not_null(builder, address)):
        kind = _ir().FunctionType(helpers.voidptr_t, [helpers.voidptr_t])
        of_c = helpers.get_or_insert_function(builder.module, kind, "gridcell_callable_at")
        builder.store(builder.call(of_c, [address]), slot)
    return builder.load(slot)


def _parts(kind):
    if isinstance(kind, types._TUPLES):
        return list(kind)
    if registry.is_extension(kind):
        return list(registry.layout_of(kind).kinds)
    if isinstance(kind, types.Optional):
        return [kind.type, types.boolean]
    if isinstance(kind, types.Complex):
        return [part_of(kind)] * 2
    if isinstance(kind, types.SliceType):
        return [types.int64] * 3
    return None


leaves_of = _scatter


def is_counted(kind):
    """Whether values are memory whose references are counted, or have it at their beginning."""
    return not registry.is_extension(kind) and isinstance(
        types.unliteral(kind), (*_HANDLES, types.MemInfoPointer, *_TEXTS, types.Array))


def counted_parts(builder, kind, value):
    """Pairs of a type and the address of counted memory that a value of it, within the given one, holds."""
    if isinstance(kind, registry.EphemeralPointer):
        return []
    kind = _plain(kind)
    if isinstance(kind, (*_HANDLES, types.MemInfoPointer)):
        return [(kind, value)]
    if isinstance(kind, _TEXTS) or _is_array(kind):
        return [(kind, builder.extract_value(value, 0))]
    if isinstance(kind, types.FunctionType):
        return [(kind, builder.extract_value(value, FUNCTION_PARTS.index("jit_addr")))]
    return [pair for place, part in enumerate(_parts(kind) or ())
            for pair in counted_parts(builder, part, builder.extract_value(value, place))]


def counted(builder, kind, value):
    """The addresses of counted memory that a value holds."""
    return [memory for _, memory in counted_parts(builder, kind, value)]


# --- Values in memory, as the compiler's own code has them there

def size_of(kind):
    """How many bytes a value takes."""
    from gridcell import _gridcell as _extension
    return _extension.type_places(types.unliteral(kind))[0]


def _leaf_addresses(builder, kind, address):
    """Pairs of llvmlite's type and address of each leaf; `address`: of the value, as one of bytes."""
    from gridcell import _gridcell as _extension
    ir = _ir()
    _, places = _extension.type_places(types.unliteral(kind))
    for leaf, (offset, _) in zip(_leaves(kind), places, strict=True):
        held = ir.IntType(8) if leaf == ir.IntType(1) else leaf
        place = builder.gep(address, [ir.IntType(64)(offset)])
        yield leaf, builder.bitcast(place, held.as_pointer())


def load(builder, kind, address):
    """The value that lies at an address of bytes."""
    bit, leaves = _ir().IntType(1), []
    for leaf, place in _leaf_addresses(builder, kind, address):
        value = builder.load(place)
        leaves.append(builder.trunc(value, bit) if leaf == bit else value)
    return _gather(builder, types.unliteral(kind), iter(leaves))


def store(builder, kind, value, address):
    """Puts a value where compiled code and the runtime look for one."""
    ir = _ir()
    leaves = _scatter(builder, types.unliteral(kind), value)
    for leaf, (made, place) in zip(leaves, _leaf_addresses(builder, kind, address), strict=True):
        builder.store(builder.zext(leaf, ir.IntType(8)) if made == ir.IntType(1) else leaf, place)


def changeable(builder, kind, value, address):
    """The value, whose EphemeralPointers are addresses in a copy of it, which lies at an address of bytes."""
    from gridcell import _gridcell as _extension
    _, places = _extension.type_places(kind)
    return _point_into(builder, kind, value, address, iter(places))


def _point_into(builder, kind, value, address, places):
    ir = _ir()
    if isinstance(kind, registry.EphemeralPointer):
        offset, *_ = [next(places)[0] for _ in _leaves(kind.dtype)]
        return builder.bitcast(builder.gep(address, [ir.IntType(64)(offset)]), value.type)
    if registry.is_extension(kind) and registry.layout_of(kind).whole is None or isinstance(kind, types._TUPLES):
        for number, part in enumerate(_parts(kind)):
            old = builder.extract_value(value, number)
            new = _point_into(builder, part, old, address, places)
            value = value if new is old else builder.insert_value(value, new, number)
        return value
    for _ in _leaves(kind):
        next(places)
    return value


def _is_own(place):
    """Whether an address is of the function's own memory on the stack."""
    ir = _ir()
    while isinstance(place, (ir.GEPInstr, ir.CastInstr)):
        place = place.operands[0]
    return isinstance(place, ir.AllocaInstr)


def _is_pure(function):
    """Whether it computes from its arguments, and does nothing else that others could see."""
    ir = _ir()
    for block in function.blocks:
        for instruction in block.instructions:
            if isinstance(instruction, ir.CallInstr):
                name = getattr(instruction.callee, "name", "")
                if name == "gridcell_callable_at":  # the same value for the same address
                    continue
                if not name.startswith("llvm.") or name.startswith("llvm.nvvm") or not instruction.args or any(
                        isinstance(arg.type, ir.PointerType) for arg in instruction.args):
                    return False
            elif instruction.opname in ("load", "store"):
                if not _is_own(instruction.operands[-1]):
                    return False
            elif instruction.opname in ("fence", "cmpxchg", "atomicrmw", "invoke"):
                return False
    return True


class WrittenFunction:
    """A function as text: `name`, `text`, `is_pure`, and by which Exits it fails."""

    def __init__(self, name, text, is_pure, exits):
        self.name, self.text, self.is_pure, self.exits = name, text, is_pure, exits


class _WholeFunction(Exception):
    """Says that all that a generator does is to call a Python function, with the generator's own arguments."""

    def __init__(self, function):
        super().__init__()
        self.function = function


def _generate(label, signature, generator, is_passed):
    """The function of llvmlite's with the generator's code, and its Exits."""
    from numba.core.written.context import GeneratorContext
    from numba.core.written.exits import Exits
    ir = _ir()
    module = ir.Module(label)
    kinds = [types.unliteral(kind) for kind in signature.args]
    result = types.unliteral(signature.return_type)
    if isinstance(result, types.Record) or not (is_bridged(result, True) if is_passed else _comes_back(result)):
        raise NotImplementedError(f"code that a program writes gives numbers, addresses, None and tuples of these, "
                                  f"not {result}")
    leaves = [leaf for kind in kinds if is_bridged(kind, is_passed) for leaf in _leaves(kind)]
    gives = _leaves(result)
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), leaves), label)
    function.attributes.add("alwaysinline")
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    given = iter(function.args)
    args = [_gather(builder, kind, given) if is_bridged(kind, is_passed) else _silent(kind) for kind in kinds]
    exits = Exits(function, args)
    context = GeneratorContext(exits)
    value = generator(context, builder, signature, args)
    if exits.is_one_call(value):
        raise _WholeFunction(exits.calls[0].function.py_func)
    wanted = value_type(result)
    if value is None and not isinstance(result, types.NoneType):
        raise TypeError(f"it gives no value, where its signature says {result}")
    if value is not None and not isinstance(result, types.NoneType) and value.type != wanted:
        raise TypeError(f"it gives a value of {value.type}, where {result} is {wanted}")
    if is_bytes(result):
        exits.finish(builder, gives, _widen(builder, context, value))
    else:
        exits.finish(builder, gives, _scatter(builder, result, value))
    return function, exits


def _widen(builder, context, value):
    """The leaves of bytes, which compiled code holds as characters of four bytes, of what holds them as they are."""
    from numba.core.written import helpers
    _, _, count, _, data, _, _ = (builder.extract_value(value, place) for place in range(7))
    made = context.nrt.meminfo_alloc(builder, builder.mul(count, helpers.intp_t(4)))
    start = builder.bitcast(context.nrt.meminfo_data(builder, made), helpers.int32_t.as_pointer())
    with helpers.for_range(builder, count) as loop:
        character = builder.zext(builder.load(builder.gep(data, [loop.index])), helpers.int32_t)
        builder.store(character, builder.gep(start, [loop.index]))
    context.nrt.decref(builder, types.Array(types.uint8, 1, "C"), value)
    return [made, builder.bitcast(start, helpers.voidptr_t), count]


def _silent(kind):
    """What stands for a value that the compiler knows, and passes nothing of."""
    if not isinstance(kind, _SILENT):
        raise NotImplementedError(f"values of {kind} do not reach code that a program writes; numbers, addresses, "
                                  "None, tuples of these, arrays and types that programs add do")
    return value_type(kind)(None)


def _declared(module):
    """Names of what the module refers to elsewhere."""
    for thing in module.globals.values():
        if getattr(thing, "is_declaration", getattr(thing, "initializer", None) is None) and not thing.name.startswith("llvm."):
            yield thing.name


def _with_places(module):
    """The module's text; what llvmlite was told the addresses of has names that say them, as they may change."""
    from gridcell import _gridcell as _extension
    from numba.core.foreign import told_address
    text = str(module)
    for name in _declared(module):
        address = told_address(name)
        if address is not None:
            placed = f"{name}.{address:x}"
            _extension.llvm_symbol(placed, address)
            text = text.replace(f'@"{name}"', f'@"{placed}"')
    return text


def _with_records(signature):
    """The signature, its arguments records where they are arrays of no dimensions over one."""
    from numba.core.extension.calls import KnownSignature
    from numba.core.overloads import shown
    args = tuple(map(shown, signature.args))
    return signature if args == tuple(signature.args) else KnownSignature(
        signature.return_type, args, signature.recvr)


def _hide_others(module, function):
    """What else the module defines is its own."""
    for thing in module.globals.values():
        is_defined = getattr(thing, "initializer", None) is not None or not getattr(thing, "is_declaration", True)
        if thing is not function and is_defined:
            thing.linkage = "internal"


def write(what, generator, signature, code=None, is_passed=False):
    """The WrittenFunction of a generator (context, builder, signature, args) for a signature.

    is_passed: whether it is given, and may give, values that it can only pass on.
    what: whose it is, for messages; code: where that is written, if not where the generator is. Raises TypingError where the generator fails, or writes what LLVM
    does not take.
    """
    from gridcell import _gridcell as _extension
    from numba.core.overloads import CodeError
    signature = _with_records(signature)
    code = code or generator.__code__
    place = f"{what}, whose code is generated at {code.co_filename}:{code.co_firstlineno},"
    label = f"gridcell.written.{generator.__name__}"
    try:
        function, exits = _generate(label, signature, generator, is_passed)
    except _WholeFunction as whole:
        return whole
    except Exception as error:  # whatever is wrong with a program's own code
        raise CodeError(f"{place} cannot be compiled for {signature}: {str(error) or repr(error)}") from error
    _hide_others(function.module, function)
    text = _with_places(function.module)
    refused = _extension.llvm_text_refused(text)
    if refused:
        raise CodeError(f"{place} writes what LLVM does not take for {signature}: {refused}")
    name = f"{label}.{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    return WrittenFunction(name, text.replace(f'@"{label}"', f'@"{name}"'), _is_pure(function), exits)
