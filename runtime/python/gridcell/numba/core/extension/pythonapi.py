# SPDX-License-Identifier: MIT
"""What code that boxes and unboxes values calls of Python's C API: `c.pyapi`."""
from llvmlite import ir

from gridcell import _gridcell as _extension
from numba.core import types
from numba.core.extension.objects import ObjectOperations
from numba.core.written import helpers, text

_kept = []  # objects whose addresses are in code, which is never unloaded


class NativeValue:
    """What unbox's functions give: `value`, whether it failed (`is_error`, a bit, with an exception set), and
    `cleanup`, which writes code for after the call."""

    def __init__(self, value, is_error=None, cleanup=None):
        self.value, self.cleanup = value, cleanup
        self.is_error = helpers.false_bit if is_error is None else is_error

    def __repr__(self):
        return f"NativeValue({self.value}, is_error={self.is_error})"


def _as_object_of(cls, array):
    return array if isinstance(array, cls) else array.view(cls)


class PythonAPI(ObjectOperations):
    """Functions of Python's C API; `pyobj` is llvmlite's type of an object. The GIL is held."""

    def __init__(self, context, builder):
        self.context, self.builder, self.module = context, builder, builder.module
        self.pyobj = self.voidptr = self.cstring = helpers.voidptr_t
        self.long = self.longlong = self.ulonglong = self.py_ssize_t = self.py_hash_t = helpers.int64_t
        self.double = ir.DoubleType()

    def _call(self, name, returns, *args, is_variadic=False):
        kind = ir.FunctionType(returns, [] if is_variadic else [arg.type for arg in args], var_arg=is_variadic)
        function = helpers.get_or_insert_function(self.module, kind, name)
        return self.builder.call(function, args)

    def _object(self, name, *args):
        return self._call(name, self.pyobj, *args)

    def _text(self, string):
        return self.context.insert_const_string(self.module, string)

    def _address(self, number):
        return helpers.intp_t(number).inttoptr(helpers.voidptr_t)

    # --- References and exceptions

    def incref(self, obj):
        self._call("Py_IncRef", ir.VoidType(), obj)

    def decref(self, obj):
        self._call("Py_DecRef", ir.VoidType(), obj)

    def get_null_object(self):
        return self.pyobj(None)

    def err_occurred(self):
        return self._object("PyErr_Occurred")

    def err_clear(self):
        self._call("PyErr_Clear", ir.VoidType())

    def err_set_none(self, exctype):
        self._call("PyErr_SetNone", ir.VoidType(), self._exception(exctype))

    def err_set_string(self, exctype, msg):
        message = self._text(msg) if isinstance(msg, str) else msg
        self._call("PyErr_SetString", ir.VoidType(), self._exception(exctype), message)

    def err_format(self, exctype, msg, *format_args):
        self._call("PyErr_Format", self.pyobj, self._exception(exctype), self._text(msg), *format_args, is_variadic=True)

    def err_set_object(self, exctype, excval):
        self._call("PyErr_SetObject", ir.VoidType(), self._exception(exctype), excval)

    def _exception(self, which):
        if isinstance(which, str):  # such as "PyExc_TypeError"
            import builtins
            which = getattr(builtins, which.removeprefix("PyExc_"))
        return which if isinstance(which, ir.Value) else self._borrowed(which)

    def c_api_error(self):
        return helpers.is_not_null(self.builder, self.err_occurred())

    def raise_object(self, exc):
        self.err_set_object(self.get_type(exc), exc)

    def get_type(self, obj):
        return self._object("PyObject_Type", obj)

    # --- Objects that the code knows

    def _borrowed(self, obj):
        _kept.append(obj)
        return self._address(id(obj))

    def add_const(self, obj):
        return self._borrowed(obj)

    def serialize_object(self, obj):
        """The object, for unserialize: the code runs in this process alone."""
        return self._borrowed(obj)

    def unserialize(self, structptr):
        """The object of serialize_object, as a new reference."""
        self.incref(structptr)
        return structptr

    serialize_uncached = serialize_object

    def borrow_none(self):
        return self._borrowed(None)

    def make_none(self):
        return self.unserialize(self.borrow_none())

    def get_c_object(self, name):
        """What C calls the object: PyExc_TypeError, _Py_NoneStruct."""
        return self._exception(name)

    def import_module(self, modname):
        return self._object("PyImport_ImportModule", self._text(modname))

    import_module_noblock = import_module_no_block = import_module

    # --- Attributes, calls, items

    def object_getattr_string(self, obj, attr):
        return self._object("PyObject_GetAttrString", obj, self._text(attr))

    def object_getattr(self, obj, attr):
        return self._object("PyObject_GetAttr", obj, attr)

    def object_setattr_string(self, obj, attr, val):
        return self._call("PyObject_SetAttrString", helpers.int32_t, obj, self._text(attr), val)

    def object_setattr(self, obj, attr, val):
        return self._call("PyObject_SetAttr", helpers.int32_t, obj, attr, val)

    def object_getitem(self, obj, key):
        return self._object("PyObject_GetItem", obj, key)

    def object_setitem(self, obj, key, val):
        return self._call("PyObject_SetItem", helpers.int32_t, obj, key, val)

    def object_type(self, obj):
        return self.get_type(obj)

    def object_str(self, obj):
        return self._object("PyObject_Str", obj)

    def object_istrue(self, obj):
        return self._call("PyObject_IsTrue", helpers.int32_t, obj)

    def object_not(self, obj):
        return self._call("PyObject_Not", helpers.int32_t, obj)

    def object_hash(self, obj):
        return self._call("PyObject_Hash", self.py_hash_t, obj)

    def call(self, callee, args=None, kws=None):
        made = self.tuple_pack(()) if args is None else args
        result = self._object("PyObject_Call", callee, made, self.get_null_object() if kws is None else kws)
        if args is None:
            self.decref(made)
        return result

    def call_function_objargs(self, callee, objargs):
        """Calls an object; null with an exception set where that fails."""
        return self._call("PyObject_CallFunctionObjArgs", self.pyobj, callee, *objargs, self.get_null_object(),
                          is_variadic=True)

    def call_jit_code(self, func, sig, args):
        """Calls a Python function that is compiled: whether it failed, with an exception set, and what it gives."""
        from numba.core.decorators import always_jit
        builder, returns = self.builder, sig.return_type
        room = helpers.alloca_once(builder, text.value_type(returns))
        failed = helpers.alloca_once_value(builder, helpers.true_bit)
        given = [self.from_native_value(kind, value) for kind, value in zip(sig.args, args)]
        made = self.call_function_objargs(self._borrowed(always_jit(func)), given)
        for obj in given:
            self.decref(obj)
        with builder.if_then(helpers.is_not_null(builder, made)):
            native = self.to_native_value(returns, made)
            builder.store(native.value, room)
            builder.store(native.is_error, failed)
            self.decref(made)
        return builder.load(failed), builder.load(room)

    def call_method(self, callee, method, objargs=()):
        function = self.object_getattr_string(callee, method)
        result = self.call_function_objargs(function, objargs)
        self.decref(function)
        return result

    # --- Tuples, lists, dicts

    def tuple_pack(self, items):
        """A tuple of the objects, which keep their references."""
        return self._call("PyTuple_Pack", self.pyobj, helpers.intp_t(len(items)), *items, is_variadic=True)

    def tuple_getitem(self, tup, idx):
        return self._object("PyTuple_GetItem", tup, self._index(idx))

    def tuple_new(self, count):
        return self._object("PyTuple_New", self._index(count))

    def tuple_setitem(self, tup, index, item):
        self._call("PyTuple_SetItem", helpers.int32_t, tup, self._index(index), item)

    def tuple_size(self, tup):
        return self._call("PyTuple_Size", self.py_ssize_t, tup)

    def list_new(self, size):
        return self._object("PyList_New", self._index(size))

    def list_append(self, lst, item):
        return self._call("PyList_Append", helpers.int32_t, lst, item)

    def list_getitem(self, lst, index):
        return self._object("PyList_GetItem", lst, self._index(index))

    def list_setitem(self, lst, index, item):
        return self._call("PyList_SetItem", helpers.int32_t, lst, self._index(index), item)

    def list_size(self, lst):
        return self._call("PyList_Size", self.py_ssize_t, lst)

    def list_pack(self, items):
        made = self.list_new(len(items))
        for place, item in enumerate(items):
            self.incref(item)
            self.list_setitem(made, place, item)
        return made

    def dict_new(self, presize=0):
        return self._object("PyDict_New")

    def dict_setitem(self, dictobj, name, valobj):
        return self._call("PyDict_SetItem", helpers.int32_t, dictobj, name, valobj)

    def dict_setitem_string(self, dictobj, name, valobj):
        return self._call("PyDict_SetItemString", helpers.int32_t, dictobj, self._text(name), valobj)

    def dict_getitem(self, dictobj, nameobj):
        return self._object("PyDict_GetItem", dictobj, nameobj)

    def dict_getitem_string(self, dictobj, name):
        return self._object("PyDict_GetItemString", dictobj, self._text(name))

    def dict_pack(self, keyvalues):
        made = self.dict_new()
        for name, value in keyvalues:
            self.dict_setitem_string(made, name, value)
        return made

    def _index(self, number):
        return helpers.intp_t(number) if isinstance(number, int) else number

    # --- Numbers and texts

    def float_from_double(self, fval):
        return self._object("PyFloat_FromDouble", fval)

    def float_as_double(self, fobj):
        return self._call("PyFloat_AsDouble", self.double, fobj)

    def number_float(self, val):
        return self._object("PyNumber_Float", val)

    def number_long(self, numobj):
        return self._object("PyNumber_Long", numobj)

    def number_as_ssize_t(self, numobj):
        return self._call("PyNumber_AsSsize_t", self.py_ssize_t, numobj, self._exception("PyExc_OverflowError"))

    def long_from_long(self, ival):
        return self._object("PyLong_FromLong", ival)

    def long_from_longlong(self, ival):
        return self._object("PyLong_FromLongLong", ival)

    def long_from_ulonglong(self, ival):
        return self._object("PyLong_FromUnsignedLongLong", ival)

    def long_from_ssize_t(self, ival):
        return self._object("PyLong_FromSsize_t", ival)

    def long_from_signed_int(self, ival):
        return self.long_from_longlong(self._widened(ival, self.builder.sext))

    def long_from_unsigned_int(self, ival):
        return self.long_from_ulonglong(self._widened(ival, self.builder.zext))

    def _widened(self, value, extend):
        return value if value.type.width == 64 else extend(value, helpers.int64_t)

    def long_as_longlong(self, numobj):
        return self._call("PyLong_AsLongLong", self.longlong, numobj)

    def long_as_ulonglong(self, numobj):
        return self._call("PyLong_AsUnsignedLongLong", self.ulonglong, numobj)

    def long_as_voidptr(self, numobj):
        return self._call("PyLong_AsVoidPtr", self.voidptr, numobj)

    def long_from_voidptr(self, ptr):
        return self._object("PyLong_FromVoidPtr", ptr)

    def bool_from_bool(self, bval):
        return self._object("PyBool_FromLong", self.builder.zext(bval, self.long))

    def bool_from_long(self, ival):
        return self._object("PyBool_FromLong", ival)

    def complex_from_doubles(self, realval, imagval):
        return self._object("PyComplex_FromDoubles", realval, imagval)

    def complex_real_as_double(self, cobj):
        return self._call("PyComplex_RealAsDouble", self.double, cobj)

    def complex_imag_as_double(self, cobj):
        return self._call("PyComplex_ImagAsDouble", self.double, cobj)

    def string_as_string(self, strobj):
        return self._call("PyUnicode_AsUTF8", self.cstring, strobj)

    def string_from_constant_string(self, string):
        return self._object("PyUnicode_FromString", self._text(string))

    def string_from_string(self, string):
        return self._object("PyUnicode_FromString", string)

    def string_from_string_and_size(self, string, size):
        return self._object("PyUnicode_FromStringAndSize", string, size)

    def bytes_from_string_and_size(self, string, size):
        return self._object("PyBytes_FromStringAndSize", string, size)

    def bytes_as_string(self, obj):
        return self._call("PyBytes_AsString", self.cstring, obj)

    # --- Values of any type, as the runtime makes objects of them

    def _room(self, kind):
        """Memory for a value of the type, as an address of bytes."""
        words = max(1, -(-text.size_of(kind) // 8))
        room = helpers.alloca_once(self.builder, ir.ArrayType(helpers.int64_t, words))
        return self.builder.bitcast(room, helpers.voidptr_t)

    def _runtime(self, name, returns, *args):
        kind = ir.FunctionType(returns, [arg.type for arg in args])
        address = helpers.intp_t(_extension.extension_addresses()[name])
        return self.builder.call(self.builder.inttoptr(address, kind.as_pointer()), args)

    def nrt_adapt_ndarray_to_python(self, aryty, ary, dtypeptr):
        """The object for an array, also one of a type of the program's that derives from arrays: of its box_type."""
        from numba.core.extension import arrays
        if arrays.is_own(aryty):
            ary, kind = arrays.as_plain(self.context, self.builder, aryty, ary), arrays.plain_of(aryty)
        else:
            kind = aryty
        self.context.nrt.incref(self.builder, kind, ary)
        made = self.from_native_value(kind, ary)
        import numpy as np
        if aryty.box_type is np.ndarray:
            return made
        shown = self.call_function_objargs(self._borrowed(_as_object_of), (self._borrowed(aryty.box_type), made))
        self.decref(made)
        return shown

    def from_native_value(self, typ, val, env_manager=None):
        """The object for a value, whose references it takes over; null with an exception set where that fails."""
        typ = types.unliteral(typ)
        wanted = text.value_type(typ)
        if val.type != wanted:
            raise TypeError(f"box is given a value of {val.type}, where {typ} is {wanted}")
        if isinstance(typ, types.PyObject):
            return val
        room = self._room(typ)
        text.store(self.builder, typ, val, room)
        return self._runtime("box", self.pyobj, self._address(_extension.type_address(typ)), room)

    def to_native_value(self, typ, obj):
        """The NativeValue for an object."""
        typ = types.unliteral(typ)
        if isinstance(typ, types.PyObject):
            return NativeValue(obj)
        room = self._room(typ)
        done = self._runtime("unbox", helpers.int8_t, self._address(_extension.type_address(typ)), obj, room)
        bit = self.builder.trunc(done, helpers.bool_t)
        return NativeValue(text.load(self.builder, typ, room), is_error=self.builder.not_(bit))

    from_native_return = from_native_value

    def reflect_native_value(self, typ, val, env_manager=None):
        """Does to the object of a value what @reflect registered for its type; gives whether it failed."""
        from numba.core.extension.boxing import ReflectContext
        is_error = helpers.alloca_once_value(self.builder, helpers.false_bit)
        ReflectContext(self.context, self.builder, is_error).reflect(typ, val)
        return self.builder.load(is_error)


class EnvironmentManager:
    """Objects that code of a function has by numbers: `c.env_manager`."""

    def __init__(self, pyapi):
        self.pyapi, self._objects = pyapi, []

    def add_const(self, const):
        """The number of an object, which is kept."""
        self._objects.append(const)
        return len(self._objects) - 1

    def read_const(self, index):
        """The object of a number, lent."""
        return self.pyapi.add_const(self._objects[index])
