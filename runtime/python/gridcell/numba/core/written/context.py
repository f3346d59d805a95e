# SPDX-License-Identifier: MIT
"""What code generators of a program's know of the target: the `context` that they are called with."""
import functools

from llvmlite import ir

from numba.core import types
from numba.core.typing.context import Context
from numba.core.typing.templates import signature
from numba.core.written import counting, exits, helpers, printing, text


def _is_signed(kind):
    return isinstance(kind, types.Integer) and kind.signed


def _is_whole(kind):
    return isinstance(kind, (types.Integer, types.Boolean))


class GeneratorContext:
    """The types and conversions of values, for code that llvmlite's builder writes.

    What numba's context offers beyond these works on numba's own compiler, and raises AttributeError.
    """

    get_value_type = staticmethod(text.value_type)
    get_argument_type = get_return_type = get_data_type = staticmethod(text.data_type)
    get_abi_sizeof = staticmethod(helpers.sizeof)
    get_abi_alignment = staticmethod(helpers.alignment_of)
    address_size = 64
    nonconst_module_attrs = frozenset()
    strict_alignment = False
    enable_debuginfo = enable_boundscheck = False
    enable_nrt = True

    def __init__(self, ways):
        self._ways, self.call_conv, self.nrt = ways, exits.CallConv(ways), counting.Counting(ways)
        self.typing_context = Context()

    def refresh(self):
        """Nothing is to be done: what programs register is known at once."""

    # --- Calls

    def compile_internal(self, builder, impl, sig, args, locals={}):
        """What a Python function gives for the arguments, which are values of the signature's types."""
        return self._ways.call(builder, _jitted(impl), sig, args)

    def call_internal(self, builder, fndesc, sig, args):
        """The same for what compile_subroutine made."""
        return self._ways.call(builder, fndesc, sig, args)

    def compile_subroutine(self, builder, impl, sig, locals={}, flags=None, caching=True):
        """The Python function, for call_internal."""
        return _jitted(impl)

    def get_function(self, fn, sig):
        """A function of (builder, args) that writes a call of what compiled code calls by `fn`."""
        from numba.core.extension import calls
        if not callable(fn):
            raise TypeError(f"context.get_function is given {fn!r}, which is no function")
        generator = calls.lowered_or_none(fn, sig.args)
        if generator is not None:
            return lambda builder, args: generator(self, builder, sig, args)
        return functools.partial(self._call_known, fn, sig)

    def _call_known(self, fn, sig, builder, args):
        if isinstance(fn, types.Type):  # of a function that is an argument: the type says which
            by_type = signature(sig.return_type, fn, *sig.args)
            return self.compile_internal(builder, _caller_by_type(len(args)), by_type, (self.get_dummy_value(), *args))
        return self.compile_internal(builder, _caller_of(fn, len(args)), sig, args)

    def get_getattr(self, typ, attr):
        """A function of (context, builder, type, value, name) that writes what reads an attribute."""
        from numba.core.errors import TypingError
        result = self.typing_context.resolve_getattr(typ, attr)
        if result is None:
            raise TypingError(f"values of {typ} have no attribute {attr!r}")
        return lambda context, builder, typ, val, attr: self.compile_internal(
            builder, _member_function(f"return value.{attr}", "value"), signature(result, typ), (val,))

    def get_setattr(self, attr, sig):
        """A function of (builder, args) that writes what sets an attribute; the signature's arguments are the types of the
        two values."""
        write = _member_function(f"value.{attr} = item", "value, item")
        return lambda builder, args: self.compile_internal(builder, write, signature(types.none, *sig.args), args)

    def generic_compare(self, builder, key, argtypes, args):
        """What an operator gives for two values of types that a third holds both of."""
        common = self.typing_context.unify_types(*argtypes)
        if common is None:
            raise TypeError(f"no type holds values of both {argtypes[0]} and {argtypes[1]}")
        sides = [self.cast(builder, value, kind, common) for value, kind in zip(args, argtypes)]
        return self.get_function(key, self.typing_context.resolve_function_type(key, (common, common), {}))(builder, sides)

    def call_external_function(self, builder, callee, argtys, args):
        """What a function of the module gives for values of numba's types."""
        return builder.call(callee, [self.get_value_as_argument(builder, *each) for each in zip(argtys, args)])

    def get_c_value(self, builder, typ, name, dllimport=False):
        """The address of a variable of C's by its name, of llvmlite's type."""
        return builder.module.globals.get(name) or helpers.add_global_variable(builder.module, typ, name)

    def get_python_api(self, builder):
        """Python's C API, for code that holds the GIL."""
        from numba.core.extension.pythonapi import PythonAPI
        return PythonAPI(self, builder)

    @property
    def data_model_manager(self):
        """Of what values of types consist."""
        from numba.core.datamodel import default_manager
        return default_manager

    @property
    def error_model(self):
        """What code does where a float is divided by zero."""
        from numba.core.callconv import create_error_model
        return create_error_model("python", self)

    def install_registry(self, registry):
        """Nothing is to be done: what registries are told is known at once."""

    def add_linking_libs(self, libs):
        """Nothing is to be done: functions that code calls are compiled with it."""

    def get_function_pointer_type(self, kind):
        """llvmlite's type for the address of a function of C."""
        signature = kind.signature if hasattr(kind, "signature") else kind.sig
        returns = signature.return_type
        result = ir.VoidType() if isinstance(returns, types.NoneType) else text.data_type(returns)
        return ir.FunctionType(result, [text.data_type(arg) for arg in signature.args]).as_pointer()

    def call_function_pointer(self, builder, funcptr, args, cconv=None):
        """What the function of C at an address gives."""
        return builder.call(funcptr, list(args), cconv=cconv)

    def add_dynamic_addr(self, builder, intaddr, info):
        """An address of this process, of what the program keeps."""
        return helpers.intp_t(intaddr).inttoptr(helpers.voidptr_t)

    def __getattr__(self, name):
        raise AttributeError(f"context.{name} is of numba's own compiler, which gridcell does not have")

    # --- Constants

    def get_constant(self, kind, value):
        """The value as one of the type."""
        kind = types.unliteral(kind)
        if isinstance(kind, types.Complex):
            part = text.part_of(kind)
            return ir.Constant.literal_struct([self.get_constant(part, each) for each in (value.real, value.imag)])
        if isinstance(kind, types.NoneType):
            return self.get_dummy_value()
        made = self.get_value_type(kind)
        if isinstance(kind, types.CPointer) or helpers.is_pointer(made):
            return helpers.intp_t(value).inttoptr(made)
        if isinstance(kind, types._TUPLES):
            items = [self.get_constant(item, part) for item, part in zip(kind, value)]
            return ir.Constant(made, items)
        return made(int(value) if _is_whole(kind) else float(value))

    def get_constant_generic(self, builder, kind, value):
        """The value as one of the type, by what lower_constant registered for types of the program's own."""
        from numba.core.extension import constants, registry
        if registry.is_extension(kind):
            return constants.generator_of(kind)(self, builder, kind, value)
        if isinstance(kind, types.Array):
            return self.make_constant_array(builder, kind, value)
        return self.get_constant(kind, value)

    def make_constant_array(self, builder, kind, array):
        """An array as a constant: what it holds now."""
        import numpy as np
        held = np.array(array, order="F" if kind.layout == "F" else "C")
        data = helpers.global_constant(builder.module, ".const.array", helpers.make_bytearray(held.tobytes("A")))
        data.align = 16
        made = self.make_array(kind)(self, builder)
        made.data, made.parent = builder.bitcast(data, made.data.type), helpers.intp_t(text.CONSTANT).inttoptr(made.parent.type)
        made.nitems, made.itemsize = helpers.intp_t(held.size), helpers.intp_t(held.itemsize)
        made.shape, made.strides = (helpers.pack_array(builder, list(map(helpers.intp_t, axes)), helpers.intp_t)
                                    for axes in (held.shape, held.strides))
        return made._getvalue()

    def get_constant_null(self, kind):
        return self.get_value_type(kind)(None)

    def get_constant_undef(self, kind):
        return ir.Constant(self.get_value_type(kind), ir.Undefined)

    def get_dummy_value(self):
        return helpers.voidptr_t(None)

    def get_dummy_type(self):
        return helpers.voidptr_t

    def insert_const_string(self, module, string):
        """The address of the text, which ends with a zero."""
        return self.insert_const_bytes(module, string.encode() + b"\0", ".const.text")

    def insert_const_bytes(self, mod, bytes, name=None):
        """The address of the bytes."""
        data = helpers.make_bytearray(bytes)
        return helpers.global_constant(mod, name or ".const.bytes", data).bitcast(helpers.voidptr_t)

    def insert_unique_const(self, mod, name, val):
        """The constant of the name, made of a value where it is not there."""
        return mod.globals.get(name) or helpers.global_constant(mod, name, val)

    # --- Values

    def get_preferred_array_alignment(self, ty):
        """What addresses of new arrays are multiples of."""
        return 32

    def make_complex(self, builder, kind, value=None):
        """A complex number by its parts `real` and `imag`."""
        return helpers.create_struct_proxy(kind)(self, builder, value)

    def make_array(self, kind):
        """What gives an array by its parts: data, shape, strides, nitems, itemsize."""
        return helpers.create_struct_proxy(kind)

    def populate_array(self, array, **parts):
        """Says where an array by its parts lies."""
        from numba.np import arrayobj
        return arrayobj.populate_array(array, **parts)

    def make_helper(self, builder, kind, value=None):
        """A value by its parts."""
        return helpers.create_struct_proxy(kind)(self, builder, value)

    def get_struct_type(self, struct):
        """llvmlite's type of a class below Structure."""
        return struct.type_of(self)

    def pair_first(self, builder, val, ty):
        return builder.extract_value(val, 0)

    def pair_second(self, builder, val, ty):
        return builder.extract_value(val, 1)

    def build_list(self, builder, list_type, items):
        """A list of the values, which are of its type of items."""
        names = ", ".join(f"item{number}" for number in range(len(items)))
        make = _member_function(f"return [{names}]", names)
        return self.compile_internal(builder, make, signature(list_type, *[list_type.dtype] * len(items)), items)

    def make_tuple(self, builder, kind, values):
        """A tuple of the values."""
        made = self.get_constant_undef(kind)
        for place, value in enumerate(values):
            made = builder.insert_value(made, value, place)
        return made

    # --- Values that may be None

    def make_optional_none(self, builder, kind):
        """No value of the type."""
        made = helpers.create_struct_proxy(types.Optional(kind))(self, builder)
        return made._getvalue()

    def make_optional_value(self, builder, kind, value):
        """The value, as one that might be None."""
        made = helpers.create_struct_proxy(types.Optional(kind))(self, builder)
        made.data, made.valid = value, helpers.true_bit
        return made._getvalue()

    def get_value_as_data(self, builder, kind, value):
        """The value as it lies in memory."""
        return builder.zext(value, helpers.int8_t) if isinstance(kind, types.Boolean) else value

    get_value_as_argument = get_return_value = get_value_as_data

    def get_argument_value(self, builder, kind, value):
        """The value of what lies in memory."""
        is_byte = isinstance(types.unliteral(kind), types.Boolean) and value.type == helpers.int8_t
        return builder.trunc(value, helpers.bool_t) if is_byte else value

    get_returned_value = get_argument_value

    def get_data_as_value(self, builder, kind, ptr):
        return self.unpack_value(builder, kind, ptr)

    def pack_value(self, builder, kind, value, ptr, align=None):
        """Writes a value to memory."""
        builder.store(self.get_value_as_data(builder, kind, value), ptr, align=align)

    def unpack_value(self, builder, kind, ptr, align=None):
        """Reads a value from memory."""
        data = builder.load(ptr, align=align)
        return builder.trunc(data, helpers.bool_t) if isinstance(kind, types.Boolean) else data

    def is_true(self, builder, kind, value):
        """Whether a number is not zero."""
        return self.cast(builder, value, kind, types.boolean)

    # --- Printing

    def printf(self, builder, format_string, *args):
        """Prints values by a format of C's printf."""
        return printing.printf(builder, format_string, *args)

    def print_string(self, builder, text):
        """Prints the text at an address, and a line's end."""
        return printing.printf(builder, "%s\n", text)

    def debug_print(self, builder, text):
        """Prints a text, and a line's end."""
        self.print_string(builder, self.insert_const_string(builder.module, str(text)))

    # --- Conversions

    def cast(self, builder, value, fromty, toty):
        """A value of one type as one of another."""
        have, want = types.unliteral(fromty), types.unliteral(toty)
        if have == want:
            return value
        generator = _cast_of(have, want)
        if generator is not None:
            return generator(self, builder, have, want, value)
        if isinstance(want, types.Optional) and not isinstance(have, types.Optional):
            if isinstance(have, types.NoneType):
                return self.make_optional_none(builder, want.type)
            return self.make_optional_value(builder, want.type, self.cast(builder, value, have, want.type))
        if isinstance(have, types._TUPLES) and isinstance(want, types._TUPLES) and len(have) == len(want):
            items = helpers.unpack_tuple(builder, value, len(have))
            return self.make_tuple(builder, want, [self.cast(builder, *each) for each in zip(items, have, want)])
        if helpers.is_pointer(value.type) and helpers.is_pointer(self.get_value_type(want)):
            return builder.bitcast(value, self.get_value_type(want))
        if isinstance(want, types.Complex):
            return self._to_complex(builder, value, have, want)
        if _is_whole(have) and isinstance(want, text.NUMBERS):
            return self._from_whole(builder, value, have, want)
        if isinstance(have, types.Float) and isinstance(want, text.NUMBERS):
            return self._from_float(builder, value, have, want)
        raise NotImplementedError(f"context.cast from {have} to {want}")

    def _to_complex(self, builder, value, have, want):
        made, part = self.make_complex(builder, want), text.part_of(want)
        if isinstance(have, types.Complex):
            given, old = self.make_complex(builder, have, value), text.part_of(have)
            made.real, made.imag = (self.cast(builder, each, old, part) for each in (given.real, given.imag))
        else:
            made.real, made.imag = self.cast(builder, value, have, part), self.get_constant(part, 0)
        return made._getvalue()

    def _from_whole(self, builder, value, have, want):
        made = self.get_value_type(want)
        if isinstance(want, types.Boolean):
            return helpers.as_bool_bit(builder, value)
        if isinstance(want, types.Float):
            return (builder.sitofp if _is_signed(have) else builder.uitofp)(value, made)
        if made.width < value.type.width:
            return builder.trunc(value, made)
        if made.width == value.type.width:
            return value
        return (builder.sext if _is_signed(have) else builder.zext)(value, made)

    def _from_float(self, builder, value, have, want):
        made = self.get_value_type(want)
        if isinstance(want, types.Boolean):
            return builder.fcmp_unordered("!=", value, value.type(0))
        if isinstance(want, types.Integer):
            return (builder.fptosi if _is_signed(want) else builder.fptoui)(value, made)
        return (builder.fpext if want.bitwidth > have.bitwidth else builder.fptrunc)(value, made)


def _cast_of(have, want):
    """What lower_cast registered for the types, one of which a program added; or None."""
    from numba.core.extension import conversions, registry
    is_own = registry.is_extension(have) or registry.is_extension(want)
    return conversions.generator_or_none(have, want) if is_own else None


def _jitted(function):
    from numba.core.decorators import always_jit
    from numba.extending import is_jitted
    return function if is_jitted(function) else always_jit(function)


@functools.lru_cache(maxsize=None)
def _operator_texts():
    """Operators, by what they are written as."""
    import operator
    pairs = (("add", "+"), ("sub", "-"), ("mul", "*"), ("truediv", "/"), ("floordiv", "//"), ("mod", "%"), ("pow", "**"),
             ("and_", "&"), ("or_", "|"), ("xor", "^"), ("lshift", "<<"), ("rshift", ">>"), ("matmul", "@"), ("eq", "=="),
             ("ne", "!="), ("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">="))
    return {getattr(operator, name): f"a0 {sign} a1" for name, sign in pairs}


@functools.lru_cache(maxsize=None)
def _member_function(line, parameters):
    """A Python function of one line."""
    from numba.core.made import make_function
    return make_function(f"def of_value({parameters}):\n    {line}\n", "of_value", {}, line)


@functools.lru_cache(maxsize=None)
def _caller_by_type(count):
    """A Python function that calls its first argument with so many others."""
    from numba.core.made import make_function
    names = ", ".join(f"a{number}" for number in range(count))
    return make_function(f"def call(function, {names}):\n    return function({names})\n", "call", {}, "a call of an argument")


@functools.lru_cache(maxsize=None)
def _caller_of(function, count):
    """A Python function of so many arguments that calls what compiled code knows."""
    from numba.core.made import make_function
    names = ", ".join(f"a{number}" for number in range(count))
    body = _operator_texts().get(function, f"function({names})")
    return make_function(f"def call({names}):\n    return {body}\n", "call", {"function": function},
                         f"a call of {getattr(function, '__name__', function)}")
