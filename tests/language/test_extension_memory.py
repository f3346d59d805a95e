# SPDX-License-Identifier: MIT
"""Counted memory under the names of numba's runtime: what code that programs write makes and counts (context.nrt), and
what libraries of C are handed (NRT_get_api)."""
import ctypes
import gc
import pickle
import shutil
import subprocess

import numpy as np
import pytest
from conftest import function_of
from extension_values import kept_in_memory
from llvmlite import binding, ir

from numba import cuda, njit, types
from numba.core import cgutils, errors
from numba.core.registry import cpu_target
from numba.core.runtime import _nrt_python, nrt, rtsys
from numba.core.typing import signature
from numba.core.unsafe.bytes import grab_uint64_t
from numba.core.unsafe.nrt import NRT_get_api
from numba.core.unsafe.refcount import get_refcount
from numba.experimental import structref
from numba.extending import include_path, intrinsic, overload_method

counted = types.MemInfoPointer(types.voidptr)
ended = []  # what destructors were called with


@ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)
def note_end(data, size, info):
    ended.append((ctypes.string_at(data, size), info))


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def note_managed(data):
    ended.append(data)


NOTE_END, NOTE_MANAGED = (ctypes.cast(note, ctypes.c_void_p).value for note in (note_end, note_managed))


def made_by(generator):
    """A function of compiled code that gives counted memory, which a generator of (context, builder) writes."""
    @intrinsic
    def make(typingctx):
        return counted(), lambda context, builder, sig, args: generator(context, builder)
    return make


def filled(context, builder, memory, text=b"counted!"):
    value = ir.IntType(64)(int.from_bytes(text, "little"))
    builder.store(value, builder.bitcast(context.nrt.meminfo_data(builder, memory), value.type.as_pointer()))
    return memory


def a_function(context, builder):
    return context.add_dynamic_addr(builder, NOTE_END, info="note_end")


WAYS = {
    "plain": (lambda c, b: c.nrt.meminfo_alloc(b, cgutils.intp_t(8)), False),
    "unchecked": (lambda c, b: c.nrt.meminfo_alloc_unchecked(b, cgutils.intp_t(8)), False),
    "aligned": (lambda c, b: c.nrt.meminfo_alloc_aligned(b, cgutils.intp_t(8), 4096), False),
    "aligned by a value": (lambda c, b: c.nrt.meminfo_alloc_aligned(
        b, cgutils.intp_t(8), c.get_constant(types.uint32, 256)), False),
    "dtor": (lambda c, b: c.nrt.meminfo_alloc_dtor(b, cgutils.intp_t(8), a_function(c, b)), True),
    "varsize": (lambda c, b: c.nrt.meminfo_new_varsize(b, cgutils.intp_t(8)), False),
    "varsize_dtor": (lambda c, b: c.nrt.meminfo_new_varsize_dtor(b, cgutils.intp_t(8), a_function(c, b)), True),
}


@pytest.mark.parametrize("way", WAYS)
def test_memory_of_each_kind_is_counted_and_freed(way):
    make, has_end = WAYS[way]
    made = made_by(lambda context, builder: filled(context, builder, make(context, builder)))
    f = njit(function_of("def f():\n    return made()\n", "f", made=made))
    ended.clear()
    memory = f()
    assert isinstance(memory, nrt.MemInfo) and memory.refcount == 1 and memory.size == 8
    assert ctypes.string_at(memory.data, 8) == b"counted!" and bytes(memory) == b"counted!"
    assert memory.data % {"aligned": 4096, "aligned by a value": 256}.get(way, 1) == 0
    njit(lambda given: get_refcount(given))(memory)
    assert memory.refcount == 1 and not ended
    del memory
    assert ended == ([(b"counted!", None)] if has_end else [])
    assert kept_in_memory(f) == 0


def test_memory_that_grows():
    @intrinsic
    def grown(typingctx):
        def write(context, builder, sig, args):
            memory = filled(context, builder, context.nrt.meminfo_new_varsize(builder, cgutils.intp_t(8)))
            context.nrt.meminfo_varsize_realloc(builder, memory, cgutils.intp_t(1 << 16))
            old = context.nrt.meminfo_data(builder, memory)
            new = context.nrt.meminfo_varsize_alloc(builder, memory, cgutils.intp_t(16))
            cgutils.raw_memcpy(builder, new, old, 8, 1)
            context.nrt.meminfo_varsize_free(builder, memory, old)
            return memory
        return counted(), write
    f = njit(lambda: grown())
    memory = f()
    assert memory.size == 16 and bytes(memory)[:8] == b"counted!"
    del memory
    assert kept_in_memory(f) == 0


def test_bytes_of_the_programs_own():
    @intrinsic
    def there_and_back(typingctx, value):
        def write(context, builder, sig, args):
            room = context.nrt.allocate(builder, cgutils.intp_t(8))
            typed = builder.bitcast(room, args[0].type.as_pointer())
            builder.store(args[0], typed)
            value = builder.load(typed)
            context.nrt.free(builder, room)
            return value
        return value(value), write
    f = njit(lambda x: there_and_back(x))
    assert f(2.5) == 2.5 and kept_in_memory(lambda: f(1)) == 0


@pytest.mark.parametrize("call", ["allocate", "meminfo_alloc", "meminfo_new_varsize"])
def test_no_memory_is_an_error(call):
    @intrinsic
    def made(typingctx, size):
        def write(context, builder, sig, args):
            where = getattr(context.nrt, call)(builder, args[0])
            return builder.ptrtoint(where, cgutils.intp_t)
        return types.int64(types.int64), write
    with pytest.raises(MemoryError):
        njit(lambda n: made(n))(1 << 62)


def test_a_destructor_that_the_generator_writes():
    """It outlives the function that made the memory."""
    def make(context, builder):
        kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, cgutils.intp_t, cgutils.voidptr_t])
        end = cgutils.get_or_insert_function(builder.module, kind, "_my_dtor")
        if end.is_declaration:
            end.linkage = "linkonce_odr"
            inner = ir.IRBuilder(end.append_basic_block())
            note = inner.inttoptr(cgutils.intp_t(NOTE_END), kind.as_pointer())
            inner.call(note, end.args)
            inner.ret_void()
        return filled(context, builder, context.nrt.meminfo_alloc_dtor(builder, cgutils.intp_t(8), end))
    made = made_by(make)
    f = njit(lambda: made())
    memory = f()
    del f
    gc.collect()
    ended.clear()
    del memory
    assert ended == [(b"counted!", None)]


def test_references_of_values_with_members():
    @intrinsic
    def counts(typingctx, value):
        def write(context, builder, sig, args):
            kinds = [kind for kind, _ in context.nrt.get_meminfos(builder, value, args[0])]
            assert kinds == [types.float64[::1], counted], kinds
            context.nrt.incref(builder, value, args[0])
            context.nrt.decref(builder, value, args[0])
            return context.get_constant(types.int64, len(kinds))
        return types.int64(value), write
    memory = rtsys.meminfo_alloc(16)
    assert njit(lambda x: counts(x))((np.ones(3), 1, memory)) == 2 and memory.refcount == 1


# --- What libraries of C are handed

SOURCE = r"""
#include <numba/core/runtime/nrt_external.h>
NRT_MemInfo *make_by_nrt(const NRT_api_functions *nrt, long number, NRT_managed_dtor *end) {
    long *data = malloc(sizeof *data);
    *data = number;
    NRT_MemInfo *made = nrt->manage_memory(data, end);
    nrt->acquire(made);
    nrt->release(made);
    return made;
}
long read_by_nrt(const NRT_api_functions *nrt) {
    NRT_MemInfo *made = nrt->allocate(sizeof(long));
    *(long *)nrt->get_data(made) = 11;
    long found = *(long *)nrt->get_data(made);
    nrt->release(made);
    return found;
}
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    compiler = shutil.which("cc")
    if not compiler:
        pytest.skip("there is no C compiler")
    folder = tmp_path_factory.mktemp("nrt")
    (folder / "own.c").write_text(SOURCE)
    subprocess.run([compiler, "-shared", "-fPIC", f"-I{include_path()}", "-o", folder / "own.so", folder / "own.c"], check=True)
    binding.load_library_permanently(str(folder / "own.so"))


@intrinsic
def data_of(typingctx, memory):
    return types.voidptr(memory), lambda context, builder, sig, args: context.nrt.meminfo_data(builder, args[0])


def test_a_library_makes_counted_memory(library):
    make = types.ExternalFunction("make_by_nrt", counted(types.voidptr, types.int64, types.voidptr))
    read = types.ExternalFunction("read_by_nrt", types.int64(types.voidptr))

    @njit
    def f(x):
        memory = make(NRT_get_api(), x, NOTE_MANAGED)
        return memory, grab_uint64_t(data_of(memory), 0), read(NRT_get_api())
    ended.clear()
    memory, number, other = f(41)
    assert (number, other) == (41, 11) and memory.refcount == 1 and ctypes.c_long.from_address(memory.data).value == 41
    where = memory.data
    assert not ended
    del memory
    assert ended == [where]
    assert kept_in_memory(lambda: f(1)) == 0


def test_memory_in_a_struct_that_says_its_own_fields(library):
    make = types.ExternalFunction("make_by_nrt", counted(types.voidptr, types.int64, types.voidptr))

    @structref.register
    class HolderType(types.StructRef):
        def __init__(self, fields):
            super().__init__([("memory", counted), *fields])

    class Holder(structref.StructRefProxy):
        def __new__(cls, scale):
            return structref.StructRefProxy.__new__(cls, scale)

        def __reduce__(self):
            return scale_again, (read(self),)
    structref.define_proxy(Holder, HolderType, ["scale"])

    @overload_method(HolderType, "number")
    def number(self):
        def impl(self):
            self.memory = make(NRT_get_api(), 6, NOTE_MANAGED)
            return grab_uint64_t(data_of(self.memory), 0) * self.scale
        return impl

    @njit
    def read(holder):
        return holder.number()
    ended.clear()
    holder = Holder(7)
    assert read(holder) == 42 and read(holder) == 42 and len(ended) == 1
    assert pickle.loads(pickle.dumps(holder)) == ("again", 42)
    del holder
    assert len(ended) == 3


def scale_again(number):
    return "again", number


def test_memory_by_an_address():
    alloc = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_size_t)(_nrt_python.c_helpers["MemInfo_alloc_safe"])
    memory = nrt.MemInfo(alloc(32))
    assert bytes(memory) == b"\xcb" * 32 and memory.refcount == 1
    assert rtsys.library.get_pointer_to_function("NRT_get_api") == _nrt_python.c_helpers["get_api"] != 0
    for address in 0, 3, 8, -8, np.zeros(4).ctypes.data:
        with pytest.raises(ValueError, match="no counted memory"):
            nrt.MemInfo(address)
    with pytest.raises(TypeError, match="No matching definition"):
        njit(types.void(counted))(lambda m: None)(3)


# --- Functions of C by their names

def test_functions_by_name():
    labs = types.ExternalFunction("labs", types.int64(types.int64))
    assert njit(lambda x: labs(x))(-3) == 3
    assert labs.symbol == "labs" and labs.sig == types.int64(types.int64)
    assert labs == types.ExternalFunction("labs", types.int64(types.int64)) and len({labs, labs}) == 1
    assert isinstance(labs, types.ExternalFunction) and repr(labs) == "ExternalFunction(labs)"
    binding.add_symbol("a_name_of_ours", NOTE_MANAGED)
    noted = types.ExternalFunction("a_name_of_ours", types.void(types.voidptr))
    ended.clear()
    njit(lambda: noted(5))()
    assert ended == [5]
    missing = types.ExternalFunction("nothing_has_this_name", types.int64(types.int64))
    with pytest.raises(errors.NumbaError, match="nothing_has_this_name.*(?s:.)*add_symbol"):
        njit(lambda x: missing(x))(1)
    with pytest.raises(TypeError, match="signature"):
        types.ExternalFunction("labs", types.int64)


def noting():
    @intrinsic
    def noted(typingctx, x):
        def write(context, builder, sig, args):
            kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t])
            function = cgutils.get_or_insert_function(builder.module, kind, "a_moving_name")
            builder.call(function, [builder.inttoptr(args[0], cgutils.voidptr_t)])
            return context.get_dummy_value()
        return types.void(types.int64), write
    return njit(lambda x: noted(x))


def test_code_refers_to_what_llvmlite_was_told():
    with pytest.raises(errors.TypingError, match="no function 'a_moving_name'"):
        noting()(1)
    other = []
    second = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(other.append)
    binding.add_symbol("a_moving_name", NOTE_MANAGED)
    ended.clear()
    noting()(4)
    binding.add_symbol("a_moving_name", ctypes.cast(second, ctypes.c_void_p).value)
    noting()(5)
    assert (ended, other) == ([4], [5])


def test_devices_have_no_counted_memory():
    made = made_by(lambda context, builder: context.nrt.meminfo_alloc_aligned(builder, cgutils.intp_t(8), 16))

    @cuda.jit
    def kernel(out):
        made()
        out[0] = 1
    with pytest.raises(errors.NumbaError, match="not available in CUDA code"):
        kernel[1, 1](np.zeros(1))
