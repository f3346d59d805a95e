# SPDX-License-Identifier: MIT
"""The names that mean something inside kernels only.

Each carries `__gridcell_builtin__`, by which the compiler knows it, and says so when it is called
on the host. The names and what they do are the compiler's, from compiler/types/intrinsics.def.
"""
import types as _types

from gridcell import _gridcell as _extension

_ROWS = {_name.removeprefix("cuda."): _doc for _name, _, _, _, _doc in _extension.intrinsics()}


class _Dim3Meta(type):
    def __repr__(cls):
        return f"<class 'numba.cuda.stubs.{cls.__name__}'>"


def _dim3(name):
    names = {"__gridcell_builtin__": f"cuda.{name}", "__doc__": _ROWS[name],
             "__module__": "numba.cuda.stubs"}

    def __new__(cls):
        raise NotImplementedError(f"{cls} is not instantiable")

    return _Dim3Meta(name, (), dict(names, __new__=__new__))


threadIdx, blockIdx, blockDim, gridDim = map(_dim3, ("threadIdx", "blockIdx", "blockDim", "gridDim"))


def _stub(path, doc, is_function=False):
    name = path.rpartition(".")[2]

    def call(*args, **kwargs):
        if is_function:
            raise NotImplementedError(f"{call!r} cannot be called from host code")
        raise NotImplementedError(f"<class 'numba.cuda.stubs.{path}'> is not instantiable")

    call.__name__ = name
    call.__qualname__ = path
    call.__module__ = "numba.cuda.stubs"
    call.__doc__ = doc
    call.__gridcell_builtin__ = f"cuda.{path}"
    return call


def _namespace(name, doc):
    """The functions whose names begin with the namespace's."""
    module = _types.ModuleType(f"cuda.{name}", doc)
    for path in _ROWS:
        if path.startswith(f"{name}."):
            setattr(module, path.removeprefix(f"{name}."), _stub(path, _ROWS[path], True))
    return module


def _mark(name, *args):
    raise TypeError(f"cuda.{name} can only be used inside a kernel or a device function")


def grid(ndim):
    _mark("grid")


def gridsize(ndim):
    _mark("gridsize")


grid.__gridcell_builtin__ = "cuda.grid"
gridsize.__gridcell_builtin__ = "cuda.gridsize"

laneid = _stub("laneid", _ROWS["laneid"])
warpsize = 32

shared = _namespace("shared", "Memory of a block.")
local = _namespace("local", "Memory of a thread.")
const = _namespace("const", "Constant memory.")
atomic = _namespace(
    "atomic", "Operations that no other thread can come in between. All give the old value.")
cg = _namespace("cg", "Cooperative groups.")
fp16 = _namespace("fp16", "Arithmetic on float16.")

_FUNCTIONS = [_path for _path in _ROWS if "." not in _path and _path not in globals()]
for _path in _FUNCTIONS:
    globals()[_path] = _stub(_path, _ROWS[_path])

__all__ = ["threadIdx", "blockIdx", "blockDim", "gridDim", "grid", "gridsize", "laneid",
           "warpsize", "shared", "local", "const", "atomic", "cg", "fp16", *_FUNCTIONS]
