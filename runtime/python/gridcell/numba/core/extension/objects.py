# SPDX-License-Identifier: MIT
"""What generators of code call of Python's C API besides the commonest: operators, sets, iterators, the indicator of
errors, the GIL, buffers. PythonAPI derives from it."""
import collections
import contextlib

from llvmlite import ir

from numba.core.written import helpers

_COMPARISONS = "<", "<=", "==", "!=", ">", ">="  # in the order of Py_LT to Py_GE
_BUFFER_BYTES = 80  # of a Py_buffer
_BUFFER_FLAGS = 0x1C  # PyBUF_RECORDS_RO: strides and format


def _unary(name):
    def write(self, obj):
        return self._object(name, obj)
    write.__doc__ = f"What C's {name} gives."
    return write


def _binary(name):
    def write(self, lhs, rhs, inplace=False):
        return self._object(f"PyNumber_{'InPlace' * inplace}{name}", lhs, rhs)
    write.__doc__ = f"What C's PyNumber_{name} gives; inplace: PyNumber_InPlace{name}."
    return write

ObjectLoop = collections.namedtuple("ObjectLoop", "value do_break")


class ObjectOperations:
    """Calls of Python's C API; an object that is null says that an exception is set."""

    number_add, number_subtract, number_multiply = _binary("Add"), _binary("Subtract"), _binary("Multiply")
    number_truedivide, number_floordivide = _binary("TrueDivide"), _binary("FloorDivide")
    number_remainder, number_matrix_multiply = _binary("Remainder"), _binary("MatrixMultiply")
    number_lshift, number_rshift = _binary("Lshift"), _binary("Rshift")
    number_and, number_or, number_xor = _binary("And"), _binary("Or"), _binary("Xor")
    number_negative, number_positive = _unary("PyNumber_Negative"), _unary("PyNumber_Positive")
    number_invert = _unary("PyNumber_Invert")
    object_getiter, iter_next = _unary("PyObject_GetIter"), _unary("PyIter_Next")
    sequence_tuple = _unary("PySequence_Tuple")
    long_from_ulong = _unary("PyLong_FromUnsignedLong")

    def number_power(self, lhs, rhs, inplace=False):
        return self._object("PyNumber_InPlacePower" if inplace else "PyNumber_Power", lhs, rhs, self.borrow_none())

    # --- Comparisons, attributes, items

    def object_richcompare(self, lhs, rhs, opstr):
        """lhs op rhs, of an operator as text; "is", "is not", "in", "not in", too."""
        if opstr in _COMPARISONS:
            return self._object("PyObject_RichCompare", lhs, rhs, helpers.int32_t(_COMPARISONS.index(opstr)))
        if opstr in ("is", "is not"):
            bit = self.builder.icmp_unsigned("==" if opstr == "is" else "!=", lhs, rhs)
            return self.bool_from_bool(bit)
        if opstr not in ("in", "not in"):
            raise NotImplementedError(f"a comparison of objects by {opstr!r}")
        status = self._call("PySequence_Contains", helpers.int32_t, rhs, lhs)
        made = helpers.alloca_once(self.builder, self.pyobj)
        with self.builder.if_then(self.builder.icmp_signed(">=", status, status.type(0))):
            is_in = self.builder.icmp_signed("!=" if opstr == "in" else "==", status, status.type(0))
            self.builder.store(self.bool_from_bool(is_in), made)
        return self.builder.load(made)

    def object_delattr_string(self, obj, attr):
        return self._call("PyObject_SetAttrString", helpers.int32_t, obj, self._text(attr), self.get_null_object())

    def object_delattr(self, obj, attr):
        return self._call("PyObject_SetAttr", helpers.int32_t, obj, attr, self.get_null_object())

    def object_delitem(self, obj, key):
        return self._call("PyObject_DelItem", helpers.int32_t, obj, key)

    def sequence_getslice(self, obj, start, stop):
        return self._object("PySequence_GetSlice", obj, start, stop)

    def sequence_concat(self, obj1, obj2):
        return self._object("PySequence_Concat", obj1, obj2)

    def list_setslice(self, lst, start, stop, obj):
        return self._call("PyList_SetSlice", helpers.int32_t, lst, self._index(start), self._index(stop),
                          self.get_null_object() if obj is None else obj)

    def slice_as_ints(self, obj):
        """Whether the members of a slice are integers, and these: start, stop, step."""
        members = []
        for name in ("start", "stop", "step"):
            member = self.object_getattr_string(obj, name)
            members.append(self.number_as_ssize_t(member))
            self.decref(member)
        is_whole = helpers.is_null(self.builder, self.err_occurred())
        return is_whole, *members

    # --- Sets

    def set_new(self, iterable=None):
        return self._object("PySet_New", self.get_null_object() if iterable is None else iterable)

    def set_add(self, set, value):
        return self._call("PySet_Add", helpers.int32_t, set, value)

    def set_clear(self, set):
        return self._call("PySet_Clear", helpers.int32_t, set)

    def set_size(self, set):
        return self._call("PySet_Size", self.py_ssize_t, set)

    def set_update(self, set, iterable):
        """set.update(iterable): the object None, or null."""
        return self.call_method(set, "update", (iterable,))

    @contextlib.contextmanager
    def set_iterate(self, set):
        """Code for each item within `with`, which gives a Loop: `value`, an object that the set keeps, and what ends it."""
        builder = self.builder
        head, body, done, end = (builder.append_basic_block(f"items.{part}") for part in ("head", "body", "done", "end"))
        iterator = self.object_getiter(set)
        builder.cbranch(helpers.is_null(builder, iterator), end, head)
        builder.position_at_end(head)
        item = self.iter_next(iterator)
        builder.cbranch(helpers.is_null(builder, item), done, body)
        builder.position_at_end(body)
        self.decref(item)
        yield ObjectLoop(item, lambda: builder.branch(done))
        if not builder.basic_block.is_terminated:
            builder.branch(head)
        builder.position_at_end(done)
        self.decref(iterator)
        builder.branch(end)
        builder.position_at_end(end)

    # --- Exceptions

    def err_fetch(self, pty, pval, ptb):
        """Puts the exception that is set, which is set no longer, to three addresses of objects."""
        return self._call("PyErr_Fetch", ir.VoidType(), pty, pval, ptb)

    def err_restore(self, ty, val, tb):
        return self._call("PyErr_Restore", ir.VoidType(), ty, val, tb)

    def err_write_unraisable(self, obj):
        return self._call("PyErr_WriteUnraisable", ir.VoidType(), obj)

    @contextlib.contextmanager
    def err_push(self, keep_new=False):
        """Sets the exception aside while the code within `with` runs; keep_new: one that this sets goes before."""
        places = [helpers.alloca_once(self.builder, self.pyobj) for _ in range(3)]
        self.err_fetch(*places)
        yield
        old = [self.builder.load(place) for place in places]
        if not keep_new:
            self.err_restore(*old)
            return
        with self.builder.if_else(self.c_api_error()) as (is_new, is_not):
            with is_new:
                for obj in old:
                    self._call("Py_DecRef", ir.VoidType(), obj)
            with is_not:
                self.err_restore(*old)

    def raise_missing_global_error(self, name):
        self.err_set_string("PyExc_NameError", f"global name '{name}' is not defined")

    def raise_missing_name_error(self, name):
        self.err_set_string("PyExc_NameError", f"name '{name}' is not defined")

    @contextlib.contextmanager
    def if_object_ok(self, obj):
        """Code for where an object is not null."""
        with helpers.if_likely(self.builder, helpers.is_not_null(self.builder, obj)):
            yield

    # --- Arguments of functions of C

    def parse_tuple(self, args, fmt, *objs):
        return self._call("PyArg_ParseTuple", helpers.int32_t, args, self._text(fmt), *objs, is_variadic=True)

    def parse_tuple_and_keywords(self, args, kws, fmt, keywords, *objs):
        return self._call("PyArg_ParseTupleAndKeywords", helpers.int32_t, args, kws, self._text(fmt), keywords, *objs,
                          is_variadic=True)

    def unpack_tuple(self, args, name, n_min, n_max, *objs):
        return self._call("PyArg_UnpackTuple", helpers.int32_t, args, self._text(name), helpers.intp_t(n_min),
                          helpers.intp_t(n_max), *objs, is_variadic=True)

    # --- The GIL

    def gil_ensure(self):
        """Takes the GIL; gives what gil_release takes."""
        return self._call("PyGILState_Ensure", helpers.int32_t)

    def gil_release(self, gil):
        return self._call("PyGILState_Release", ir.VoidType(), gil)

    def save_thread(self):
        """Gives the GIL up; gives what restore_thread takes."""
        return self._call("PyEval_SaveThread", self.voidptr)

    def restore_thread(self, thread_state):
        return self._call("PyEval_RestoreThread", ir.VoidType(), thread_state)

    # --- Texts and bytes

    def string_as_string_and_size(self, strobj):
        """Whether it is text, its bytes in UTF-8, which the object keeps, and how many these are."""
        place = helpers.alloca_once(self.builder, self.py_ssize_t)
        data = self._call("PyUnicode_AsUTF8AndSize", self.cstring, strobj, place)
        return helpers.is_not_null(self.builder, data), data, self.builder.load(place)

    def string_from_kind_and_data(self, kind, string, size):
        return self._object("PyUnicode_FromKindAndData", kind, string, size)

    def bytes_as_string_and_size(self, obj, p_buffer, p_length):
        """Puts the address of an object's bytes, and how many these are, to two addresses; gives whether it has some."""
        status = self._call("PyBytes_AsStringAndSize", helpers.int32_t, obj, p_buffer, p_length)
        return self.builder.icmp_signed("!=", status, status.type(-1))

    def alloca_buffer(self):
        """The address of a Py_buffer on the stack, of zeros."""
        room = helpers.alloca_once(self.builder, ir.ArrayType(helpers.int8_t, _BUFFER_BYTES))
        return self.builder.bitcast(room, self.voidptr)

    def get_buffer(self, obj, pbuf):
        """Fills a Py_buffer; not 0 where the object has none."""
        return self._call("PyObject_GetBuffer", helpers.int32_t, obj, pbuf, helpers.int32_t(_BUFFER_FLAGS))

    def release_buffer(self, pbuf):
        return self._call("PyBuffer_Release", ir.VoidType(), pbuf)

    # --- Output

    def sys_write_stdout(self, fmt, *args):
        """Writes text to sys.stdout by a format of PySys_FormatStdout."""
        return self._call("PySys_FormatStdout", ir.VoidType(), self._text(fmt), *args, is_variadic=True)

    def print_object(self, obj):
        text = self.object_str(obj)
        self.sys_write_stdout("%U", text)
        self.decref(text)

    def print_string(self, text):
        self.sys_write_stdout("%s", self._text(text))

    def object_dump(self, obj):
        """Writes what an object is to C's stderr."""
        self._call("_PyObject_Dump", ir.VoidType(), obj)

    def fatal_error(self, msg):
        """Ends the process."""
        self._call("Py_FatalError", ir.VoidType(), self._text(msg))

    # --- Numbers of several parts

    def complex_adaptor(self, cobj, cmplx):
        """Puts a complex number to the address of one; gives whether the object is one."""
        parts = self.complex_real_as_double(cobj), self.complex_imag_as_double(cobj)
        for place, part in enumerate(parts):
            self.builder.store(part, helpers.gep_inbounds(self.builder, cmplx, 0, place))
        return helpers.is_null(self.builder, self.err_occurred())

