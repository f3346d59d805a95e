# SPDX-License-Identifier: MIT
"""numba.cpython.unicode: the parts of strings that programs make and read character by character in compiled code."""
from gridcell.absent import refuse_all
from numba.core import types
from numba.core.decorators import always_jit as njit
from numba.extending import _call_of_written

unicode_type = types.unicode_type
_MAX_UNICODE = 0x10ffff
_WIDTH = 4  # bytes of a character, of every string


def _allocate(context, builder, signature, args):
    from numba.core.written import text
    size = builder.mul(args[0], args[0].type(_WIDTH))
    memory = context.nrt.meminfo_alloc(builder, size)
    return text.pack(builder, text.value_type(unicode_type), [memory, context.nrt.meminfo_data(builder, memory), args[0]])


def _place(builder, string, index):
    from numba.core.written import helpers
    data = builder.extract_value(string, 1)
    return builder.gep(builder.bitcast(data, helpers.int32_t.as_pointer()), [index])


def _store(context, builder, signature, args):
    string, index, code = args
    builder.store(code, _place(builder, string, index))
    return context.get_dummy_value()


_made = njit(_call_of_written("made", ["length"], unicode_type(types.int64), _allocate, is_passed=True))
_set = njit(_call_of_written("set", ["string", "index", "code"], types.none(unicode_type, types.int64, types.int32),
                             _store, is_passed=True))


@njit
def _empty_string(kind, length, is_ascii=0):
    """A new string of so many characters, which _set_code_point sets."""
    return _made(length)


@njit
def _set_code_point(a, i, ch):
    """Sets a character of a string that _empty_string made."""
    _set(a, i, ch)


@njit
def _get_code_point(a, i):
    """The number of a character."""
    return ord(a[i])


@njit
def _codepoint_to_kind(cp):
    """How wide characters up to this one are in CPython: 1, 2 or 4 bytes."""
    if cp < 256:
        return 1
    return 2 if cp < 65536 else 4


@njit
def _codepoint_is_ascii(ch):
    """Whether the character is one of ASCII."""
    return ch < 128


@njit
def _kind_to_byte_width(kind):
    """How wide characters of a kind are."""
    return kind


__getattr__ = refuse_all("numba.cpython.unicode", "is where numba implements strings for its compiler; gridcell has its "
                         "own implementation, under the names of Python alone.")
