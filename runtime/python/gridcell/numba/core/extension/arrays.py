# SPDX-License-Identifier: MIT
"""Arrays of a program's own: types of classes below types.Array, whose models have an array's parts and others.

Compiled code takes their values for arrays where it has no other code: a call gives on the array that lies in one. What
ufuncs and operators give, a type's __array_ufunc__ says, whose memory the class method _allocate makes; what indices give,
its copy()."""
import functools
import inspect
import sys

import numpy as np

from gridcell import _gridcell as _extension
from numba.core import overloads, types
from numba.core.decorators import always_jit as njit
from numba.core.errors import TypingError
from numba.core.extension import boxing, registry
from numba.core.made import make_function
from numba.core.typing.context import Context
from numba.core.written import text
from numba.extending import intrinsic

ALIGNMENT = 32  # of new memory, as numba asks for it
_PARTS = "meminfo", "parent", "nitems", "itemsize", "data", "shape", "strides"
_MEMINFO, _PARENT = 0, 1


def is_own(kind):
    """Whether a type is of a class below types.Array that a program derived, and has a model."""
    return isinstance(kind, types.Array) and registry.is_extension(kind) and not isinstance(kind, types.NestedArray)


def plain_of(kind):
    """The type of the array that lies in values of such a type; TypingError where its model has none."""
    missing = [name for name in _PARTS if name not in registry.layout_of(kind).names]
    if missing:
        raise TypingError(f"the model of {kind} (class {type(kind).__name__}, {registry.place_of(type(kind))}) has no "
                          f"{', '.join(missing)}: values of a class below types.Array have all parts of an array")
    return types.Array(kind.dtype, kind.ndim, kind.layout, not kind.mutable, aligned=kind.aligned)


def _put(context, builder, source, target):
    for name in _PARTS:
        value, place = getattr(source, name), target._get_ptr_by_name(name)
        if value.type != place.type.pointee:
            value = builder.bitcast(value, place.type.pointee)
        builder.store(value, place)
    return target._getvalue()


def as_plain(context, builder, kind, value):
    """The array within a value, without references of its own."""
    plain = plain_of(kind)
    return _put(context, builder, context.make_array(kind)(context, builder, value), context.make_array(plain)(context, builder))


def as_own(context, builder, kind, value):
    """A value of the type over an array; its other parts are zero."""
    plain = plain_of(kind)
    return _put(context, builder, context.make_array(plain)(context, builder, value), context.make_array(kind)(context, builder))


def _no_object(builder, value):
    """The parent of an array within a value, which is no object of Python's. Without memory of its own it is copied."""
    from numba.core import cgutils
    memory, parent = (builder.extract_value(value, place) for place in (_MEMINFO, _PARENT))
    null = parent.type(None)
    is_copied = builder.and_(cgutils.is_null(builder, memory), cgutils.is_not_null(builder, parent))
    return builder.select(is_copied, cgutils.intp_t(text.CONSTANT).inttoptr(parent.type), null)


@intrinsic
def _plain(typingctx, array):
    def write(context, builder, signature, args):
        value = as_plain(context, builder, array, args[0])
        context.nrt.incref(builder, plain_of(array), value)
        return builder.insert_value(value, _no_object(builder, value), _PARENT)
    return plain_of(array)(array), write


@functools.lru_cache(maxsize=None)
def _wrapper(kind):
    """A function of compiled code that makes a value of the type of an array."""
    plain = plain_of(kind)

    @intrinsic
    def wrap(typingctx, array):
        def write(context, builder, signature, args):
            value = as_own(context, builder, kind, args[0])
            context.nrt.incref(builder, kind, value)
            return value
        return kind(plain), write
    return wrap


# --- New ones

@functools.lru_cache(maxsize=None)
def _maker(kind):
    """A function of compiled code that makes a value of the type by its memory and shape."""
    from numba.np.arrayobj import populate_array
    shape_type = types.UniTuple(types.int64, kind.ndim)

    @intrinsic
    def make(typingctx, memory, shape):
        def write(context, builder, signature, args):
            from numba.core import cgutils
            lengths = cgutils.unpack_tuple(builder, args[1], kind.ndim)
            size = cgutils.intp_t(_extension.as_dtype(kind.dtype).itemsize)
            steps, total = [], size
            for length in lengths if kind.layout == "F" else reversed(lengths):
                steps.append(total)
                total = builder.mul(total, length)
            array = context.make_array(kind)(context, builder)
            populate_array(array, context.nrt.meminfo_data(builder, args[0]), lengths,
                           steps if kind.layout == "F" else steps[::-1], size, args[0])
            value = array._getvalue()
            context.nrt.incref(builder, kind, value)
            return value
        return kind(memory, shape_type), write
    return make


@intrinsic
def _allocated(typingctx, size, align):
    def write(context, builder, signature, args):
        return context.nrt.meminfo_alloc_aligned(builder, args[0], args[1])
    return types.MemInfoPointer(types.voidptr)(types.intp, types.uint32), write


def _allocator_of(kind):
    """(how code calls what allocates, with which names): the class method _allocate, where there is one."""
    for base in type(kind).__mro__:
        if base in overloads.classes_with("_allocate"):
            return "cls._allocate", {"cls": base}
    return "allocated", {"allocated": _allocated}


@functools.lru_cache(maxsize=None)
def _creator(kind):
    """A jitted function that makes a new value of the type, of a shape."""
    allocate, names = _allocator_of(kind)
    names = {**names, "make": _maker(kind), "align": np.uint32(ALIGNMENT)}
    text = (f"def create(shape):\n    size = {_extension.as_dtype(kind.dtype).itemsize}\n"
            "    for length in shape:\n        size *= length\n"
            f"    return make({allocate}(size, align), shape)\n")
    return njit(make_function(text, "create", names, f"a new {kind}"))


# --- Calls

class _Call:
    """How a call with such arguments is written: the parameters of what implements it, and what they become."""

    def __init__(self, args, literals, keywords):
        split = len(args) - len(keywords)
        self.kinds = args
        self.names = [f"a{number}" for number in range(split)] + list(keywords)
        self._passed = [repr(literal) if _is_written(literal) else _unwrapped(name, kind)
                        for name, kind, literal in zip(self.names, args, literals)]
        self.positional, self.keywords = self._passed[:split], dict(zip(keywords, self._passed[split:]))

    def text(self, *more):
        """The arguments, as they are written."""
        return ", ".join([*self.positional, *more, *(f"{name}={value}" for name, value in self.keywords.items())])

    def plain_kinds(self, count):
        """The types of the first arguments, as arrays."""
        return tuple(plain_of(kind) if is_own(kind) else types.unliteral(kind) for kind in self.kinds[:count])


def _unwrapped(name, kind):
    """How the array in a value is written, or those in the items of a tuple."""
    if is_own(kind):
        return f"plain({name})"
    if holds_own(kind):
        return "(" + "".join(f"{_unwrapped(f'{name}[{place}]', item)}, " for place, item in enumerate(kind)) + ")"
    return name


def holds_own(kind):
    """Whether values are such arrays, or tuples in which there are some."""
    return is_own(kind) or isinstance(kind, types.BaseTuple) and any(map(holds_own, kind))


def _is_written(literal):
    return literal is not NotImplemented and type(literal) in (int, bool, str)


class _Unwrapping(overloads.Candidate):
    """Implements a function for arguments among which are such arrays: by itself, of the arrays within."""

    target, is_part_of_callers, prefer_literal = "generic", False, False

    def __init__(self, function, body=None):
        self._function, self._made, self._write = function, {}, body or _pass_on

    def choose(self, args, literals, keywords, prefers_literals=False):
        known = tuple(value if _is_written(value) else None for value in literals)
        key = args, known, keywords
        if key not in self._made:
            call = _Call(args, literals, keywords)
            found = self._write(self._function, call)
            if found is not None:
                lines, names = found
                found = njit(make_function(f"def call({', '.join(call.names)}):\n{lines}", "call", {"plain": _plain, **names},
                                           f"a call of {getattr(self._function, '__name__', self._function)}"))
            self._made[key] = found
        return self._made[key]


def _pass_on(function, call):
    return f"    return function({call.text()})\n", {"function": function}


def _index(function, call):
    """An item, or what copy() says of a part."""
    if isinstance(call.kinds[0], types.BaseTuple):
        return None  # a tuple of such arrays gives one
    part = f"{call.positional[0]}[{call.positional[1]}]"
    return _as_copy(call.kinds[0], part, lambda: Context().resolve_function_type(_item_of, call.plain_kinds(2), {}).return_type)


def _as_copy(kind, part, find):
    """The lines that give a part of an array, of the type that its copy() says; find: the type of the part."""
    if is_own(kind) and type(kind).copy is not types.Array.copy and isinstance(found := find(), types.Array):
        made = kind.copy(ndim=found.ndim, layout=found.layout, readonly=not found.mutable)
        if is_own(made):
            return f"    return wrap({part})\n", {"wrap": _wrapper(made)}
    return f"    return {part}\n", {}


@njit
def _item_of(array, index):
    return array[index]


def _set_index(function, call):
    return f"    {call.positional[0]}[{call.positional[1]}] = {call.positional[2]}\n", {}


def _result_of(ufunc, call):
    """The type of what a ufunc gives for the arguments; None: an array, or what else it gives without such types."""
    args = call.kinds
    chooser = next((kind for kind in args if hasattr(kind, "__array_ufunc__")), None)
    if chooser is None:
        return None
    made = chooser.__array_ufunc__(ufunc, "__call__", *args)
    if made is NotImplemented:
        raise TypingError(f"unsupported use of ufunc {ufunc} on {chooser}")
    if not (isinstance(made, type) and issubclass(made, types.Array)):
        raise TypingError(f"ufunc {ufunc} on {chooser} cannot return non-array {made}: {type(chooser).__name__}.__array_ufunc__ "
                          f"({registry.place_of(type(chooser).__array_ufunc__)}) gives a class below types.Array")
    found = Context().resolve_function_type(ufunc, call.plain_kinds(ufunc.nin), {}).return_type
    if made is types.Array or not isinstance(found, types.Array):
        return None
    return made(dtype=found.dtype, ndim=found.ndim, layout=found.layout)


def _by_ufunc(ufunc, call):
    """New memory of the result's own type, unless the call says where it goes."""
    if call.keywords or len(call.positional) != ufunc.nin or ufunc.nout != 1:
        return _pass_on(ufunc, call)
    kind = _result_of(ufunc, call)
    if kind is None:
        return _pass_on(ufunc, call)
    shapes = [f"{name}.shape" for name, given in zip(call.positional, call.kinds) if isinstance(given, types.Array)]
    shape = shapes[0] if len(shapes) == 1 else f"broadcast({', '.join(shapes)})"
    return (f"    out = create({shape})\n    function({call.text('plain(out)')})\n    return out\n",
            {"function": ufunc, "create": _creator(kind), "broadcast": np.broadcast_shapes})


def _method_of(ufunc, name):
    """What implements a method of a ufunc, such as reduce."""
    def write(ufunc, call):
        return f"    return ufunc.{name}({call.text()})\n", {"ufunc": ufunc}
    return _Unwrapping(ufunc, write) if isinstance(ufunc, np.ufunc) else None


def _of_operator(ufunc, operator, call):
    return _by_ufunc(ufunc, call)


def _in_place(ufunc, operator, call):
    first = call.positional[0]
    return f"    function({call.text(first)})\n    return a0\n", {"function": ufunc}


# --- Attributes, methods, loops

_VIEWS = "transpose", "reshape", "ravel"  # methods that give what copy() says


class _Attributes:
    """Attributes and methods of such values: those of the array within."""

    def __init__(self):
        self._made = {}

    def attribute(self, kind, name):
        """The jitted function that reads one; True: it is a method; None: arrays have none of the name."""
        if not is_own(kind):
            return None
        if (kind, name) not in self._made:
            self._made[kind, name] = self._reader(kind, name)
        return self._made[kind, name]

    @staticmethod
    def _reader(kind, name):
        if name == "__iter__":
            return njit(make_function("def items(value):\n    for item in plain(value):\n        yield item\n", "items",
                                      {"plain": _plain}, f"items of {kind}"))
        if name.startswith("__"):
            return None
        found = Context().resolve_getattr(plain_of(kind), name)
        if found is None:
            return True if callable(getattr(np.ndarray, name, None)) else None
        lines, names = _as_copy(kind, f"plain(value).{name}", lambda: found) if name == "T" else (
            f"    return plain(value).{name}\n", {})
        return njit(make_function(f"def get(value):\n{lines}", "get", {"plain": _plain, **names},
                                  f"attribute {name} of {kind}"))

    def method(self, given, name, keywords):
        """The jitted function for a call of a method."""
        if not is_own(given[0]) or name.startswith("__"):
            return None
        key = given, name, keywords
        if key not in self._made:
            call = _Call(given, [kind.literal_value if isinstance(kind, types.Literal) else NotImplemented for kind in given],
                         keywords)
            rest = ", ".join([*call.positional[1:], *(f"{word}={value}" for word, value in call.keywords.items())])
            whole = f"{call.positional[0]}.{name}({rest})"
            lines, names = f"    return {whole}\n", {"plain": _plain}
            if name in _VIEWS:
                plain = njit(make_function(f"def call({', '.join(call.names)}):\n    return {whole}\n", "call", names, name))
                lines, more = _as_copy(given[0], whole, lambda: overloads.signature_of(
                    plain, tuple(map(types.unliteral, given))).return_type)
                names |= more
            self._made[key] = njit(make_function(f"def call({', '.join(call.names)}):\n{lines}", "call", names,
                                                 f"method {name} of {given[0]}"))
        return self._made[key]


# --- Python's side

@boxing.box(types.Array)
def _box(typ, val, c):
    made = c.pyapi.nrt_adapt_ndarray_to_python(typ, val, None)
    c.context.nrt.decref(c.builder, typ, val)
    return made


@boxing.unbox(types.Array)
def _unbox(typ, obj, c):
    native = c.unbox(plain_of(typ), obj)
    return boxing.NativeValue(as_own(c.context, c.builder, typ, native.value), is_error=native.is_error)


# --- Everything that takes arrays

def _operators():
    """Operators of two arrays or one, with their ufuncs: (name, ufunc's name)."""
    pairs = (("add", "add"), ("sub", "subtract"), ("mul", "multiply"), ("truediv", "true_divide"),
             ("floordiv", "floor_divide"), ("mod", "remainder"), ("pow", "power"), ("lshift", "left_shift"),
             ("rshift", "right_shift"), ("and_", "bitwise_and"), ("or_", "bitwise_or"), ("xor", "bitwise_xor"))
    yield from pairs
    yield from (("eq", "equal"), ("gt", "greater"), ("ge", "greater_equal"), ("lt", "less"), ("le", "less_equal"),
                ("ne", "not_equal"), ("pos", "positive"), ("neg", "negative"), ("invert", "invert"), ("abs", "absolute"))


class _Implementing:
    """Which functions take such arrays, and by what."""

    def __init__(self):
        import operator
        self._candidates, self._named = {}, {}
        for name, ufunc in _operators():
            self._add(getattr(operator, name), functools.partial(_of_operator, getattr(np, ufunc)))
            in_place = getattr(operator, f"i{name.rstrip('_')}", None)
            if in_place is not None and name not in ("pos", "neg", "invert", "abs"):
                self._add(in_place, functools.partial(_in_place, getattr(np, ufunc)))
        for function, body in ((operator.getitem, _index), (operator.setitem, _set_index), (operator.matmul, None),
                               (operator.contains, None), (len, None), (abs, functools.partial(_of_operator, np.absolute)),
                               (sum, None), (min, None), (max, None)):
            self._add(function, body)
        for module in np, np.linalg, np.fft:
            for function in vars(module).values():
                if isinstance(function, np.ufunc):
                    self._add(function, _by_ufunc)
                elif inspect.isroutine(function) and not isinstance(function, type):
                    self._add(function, None)

    def _add(self, function, body):
        self._candidates[id(function)] = _Unwrapping(function, body)

    def candidates_for(self, function, args):
        """What implements a function for arguments of the types, if any of them is such an array."""
        return self._if_own(self._candidates.get(id(function)), args)

    @staticmethod
    def _if_own(candidate, args):
        return [candidate] if candidate and any(map(holds_own, args)) else []

    def candidates_named(self, name, args):
        """The same of what compiled code knows as "numpy.linalg.norm", "add" (operator.add) or "reduce:numpy.add"."""
        if name not in self._named:
            method, _, path = name.rpartition(":")
            module, _, last = path.rpartition(".")
            function = getattr(sys.modules.get(module or "operator"), last, None)
            self._named[name] = _method_of(function, method) if method else self._candidates.get(id(function))
        return self._if_own(self._named[name], args)


@functools.lru_cache(maxsize=None)
def install():
    """Has compiled code ask about such arrays; once, when the first type of them has a model."""
    from numba.core.extension import array_loops  # registers what loops over such arrays do
    overloads.add_own_arrays(_Implementing())
    overloads.add_resolver(_Attributes())
