# SPDX-License-Identifier: MIT
"""Code of others in kernels: what cuda.jit(link=...) takes, and functions that are declared only.

A GPU links PTX, cubins, fatbins, objects, archives, LTO-IR and CUDA C (compiled by NVRTC). The
emulated device runs the functions of CUDA C: it has the machine's C++ compiler compile them for the
CPU, where there is one. The other kinds are a GPU's machine code, or close to it.
"""
import ctypes
import hashlib
import os
import pathlib
import shutil
import subprocess
import tempfile

from numba.core import config

from .generated import define, identifier

# enum foreign_kind
KIND_PTX, KIND_CUBIN, KIND_FATBIN, KIND_OBJECT, KIND_ARCHIVE, KIND_LTOIR, KIND_CUDA_C = range(7)
_SEARCH_PATHS = "CUDA_NVRTC_EXTRA_SEARCH_PATHS"
AS_IN_C, SYNCS_GRID = 1, 2  # enum foreign_call_flag


class LinkableCode:
    """LinkableCode(data, name=None, setup_callback=None, teardown_callback=None, nrt=False)

Code to link a kernel with, from memory; its kinds are PTXSource, CUSource, Cubin, Fatbin, Object,
Archive and LTOIR.

data: str, bytes or a stream. name: for messages. setup_callback, teardown_callback: functions that
are called with the module of each kernel that is linked with the code: after it was loaded, and before
it is unloaded. module.handle is the driver's, module.get_global_symbol(name) gives (MemoryPointer, size)
of a variable. Raises TypeError for what cannot be called.

Example:
    code = cuda.PTXSource(".version 6.0", name="nothing.ptx")
    assert isinstance(code, cuda.LinkableCode) and code.name == "nothing.ptx"
"""

    kind = None

    def __init__(self, data, name=None, setup_callback=None, teardown_callback=None, nrt=False):
        for callback in (setup_callback, teardown_callback):
            if callback is not None and not callable(callback):
                raise TypeError("setup_callback and teardown_callback must be callable")
        self.setup_callback, self.teardown_callback = setup_callback, teardown_callback
        self.name = name or self.default_name
        self._data = data
        self.nrt = nrt

    @property
    def data(self):
        data = self._data
        if hasattr(data, "getvalue"):
            data = data.getvalue()
        elif hasattr(data, "read"):
            data = self._data = data.read()
        return data.encode() if isinstance(data, str) else bytes(data)


def _linkable(name, kind, what):
    doc = f"""{name}(data, name=None, setup_callback=None, teardown_callback=None, nrt=False)

{what} in memory, for cuda.jit(link=...) and cuda.declare_device(link=...).

data: str, bytes or a stream. name: for messages. The callbacks are those of LinkableCode.

Example:
    code = cuda.{name}(b"", name="mine")
    assert code.name == "mine"
"""
    return type(name, (LinkableCode,), {"kind": kind, "default_name": f"<unnamed-{name.lower()}>",
                                        "__doc__": doc, "__module__": "numba.cuda"})


PTXSource = _linkable("PTXSource", KIND_PTX, "PTX")
CUSource = _linkable("CUSource", KIND_CUDA_C, "CUDA C, which NVRTC compiles,")
Cubin = _linkable("Cubin", KIND_CUBIN, "A cubin")
Fatbin = _linkable("Fatbin", KIND_FATBIN, "A fatbin")
Archive = _linkable("Archive", KIND_ARCHIVE, "An archive of objects")
Object = _linkable("Object", KIND_OBJECT, "An object file")
LTOIR = _linkable("LTOIR", KIND_LTOIR, "LTO-IR, optimised with the kernel when it is linked,")

__all__ = ["Archive", "CUSource", "Cubin", "Fatbin", "LTOIR", "LinkableCode", "Object", "PTXSource",
           "declare_device"]

_BY_SUFFIX = {".ptx": PTXSource, ".cu": CUSource, ".cubin": Cubin, ".fatbin": Fatbin,
              ".a": Archive, ".o": Object, ".ltoir": LTOIR}


def _from_path(path):
    path = pathlib.Path(path)
    maker = _BY_SUFFIX.get(path.suffix)
    if not path.suffix:
        raise RuntimeError(f"Don't know how to link file with no extension: {path}")
    if maker is None:
        raise RuntimeError(f"Don't know how to link file with extension {path.suffix}: {path}")
    try:
        return maker(path.read_bytes(), str(path))
    except FileNotFoundError:
        raise _not_found(path) from None


def _not_found(path):
    """What numba raises, and what Python does."""
    from .cudadrv.driver import LinkerError
    return type("LinkerError", (LinkerError, FileNotFoundError), {})(f"{path} not found")


def links_of(link):
    """What the compiler takes of a `link` option: a list of (kind, name, bytes, whose callbacks)."""
    if link is None:
        return []
    _publish_folders()
    items = [link] if isinstance(link, (str, os.PathLike, LinkableCode)) else list(link)
    codes = [item if isinstance(item, LinkableCode) else _from_path(item) for item in items]
    return [(code.kind, code.name, code.data, code if code.setup_callback or code.teardown_callback else None)
            for code in codes]


def declare_device(name, sig, link=None, use_cooperative=False, abi="numba"):
    """declare_device(name, sig, link=None, use_cooperative=False, abi="numba")

A device function that others compiled, for use in kernels.

name: str. sig: its signature, with the return type; arrays are passed as CPointer(element), made by
ffi.from_buffer(array) or of the array itself. link: the code that holds it (a path, LinkableCode or
a list of them), unless the kernel's own `link` does. abi: by numba's convention it is
`extern "C" __device__ int name(T *result, ...)` and returns 0; "c": it is called as C calls.
Raises TypeError without a return type, FileNotFoundError for a path that is none.

Example:
    code = cuda.CUSource('extern "C" __device__ int twice(int x) { return 2 * x; }')
    twice = cuda.declare_device("twice", "int32(int32)", link=code, abi="c")

    @cuda.jit
    def double(a):
        a[cuda.grid(1)] = twice(a[cuda.grid(1)])
"""
    from numba.core.decorators import parse_signature

    from .dispatcher import CUDADispatcher
    if abi not in ("numba", "c"):
        raise NotImplementedError(f"Unsupported ABI: {abi}")
    if not isinstance(name, str):
        raise TypeError("the name of a device function is a str")
    signature = parse_signature(sig)
    if signature.return_type is None:
        raise TypeError("Return type must be provided for device declarations")
    flags = (AS_IN_C if abi == "c" else 0) | (SYNCS_GRID if use_cooperative else 0)
    namespace = {"foreign": _foreign, "result": signature.return_type}
    namespace.update((f"type_{i}", type) for i, type in enumerate(signature.args))
    params = ", ".join(f"a{i}" for i in range(len(signature.args)))
    pairs = "".join(f", type_{i}, a{i}" for i in range(len(signature.args)))
    function = identifier(name)
    text = (f"def {function}({params}):\n"
            f"    return foreign({name!r}, {flags}, result{pairs})\n")
    dispatcher = CUDADispatcher(define(function, text, namespace), {"device": True, "link": link})
    dispatcher.name, dispatcher.sig = name, signature
    return dispatcher


def _foreign(*args):
    raise TypeError("a foreign device function can only be called in a kernel")


_foreign.__gridcell_builtin__ = "library.foreign"


# --- the emulated device -------------------------------------------------------------------------

# What CUDA C has that C++ has not, as far as functions without threads go.
_SHIM = """
#include <cmath>
#include <cstdint>
#include <cstring>
#include <algorithm>
#define __device__
#define __host__
#define __global__
#define __constant__ static const
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
using std::min; using std::max;
// under names of ours: glibc 2.42 has functions of these names in <math.h>
static inline float gridcell_rsqrtf(float x) { return 1.0f / std::sqrt(x); }
static inline double gridcell_rsqrt(double x) { return 1.0 / std::sqrt(x); }
#define rsqrtf gridcell_rsqrtf
#define rsqrt gridcell_rsqrt
static inline float __saturatef(float x) { return x < 0 ? 0 : x > 1 ? 1 : x; }
static inline float __fdividef(float x, float y) { return x / y; }
#define __expf expf
#define __logf logf
#define __sinf sinf
#define __cosf cosf
#define __powf powf
static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static inline int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
static inline int __ffs(int x) { return __builtin_ffs(x); }
"""

_libraries = {}  # hash of the sources -> ctypes.CDLL


def include_folders():
    """Where CUDA C finds its headers, first those of the program."""
    texts = (os.environ.get("NUMBA_" + name, "") for name in (_SEARCH_PATHS, "CUDA_INCLUDE_PATH"))
    return [folder for text in texts for folder in text.split(":") if folder]


def _publish_folders():
    """What a program assigned to numba.config: the compilers read variables."""
    config.refresh()
    folders, name = getattr(config, _SEARCH_PATHS), "NUMBA_" + _SEARCH_PATHS
    if folders != os.environ.get(name, ""):
        os.environ[name] = folders


def _compile_for_host(sources):
    """The library of several (name, text), which may call each other's functions."""
    names = ", ".join(name for name, _ in sources)
    compiler = next(filter(None, map(shutil.which, ("c++", "g++", "clang++"))), None)
    if compiler is None:
        raise NotImplementedError(
            f"{names}: CUDA C, which a GPU runs, and the emulated device where there is a C++ "
            "compiler (c++, g++ or clang++), which was not found")
    with tempfile.TemporaryDirectory() as folder:
        base = pathlib.Path(folder)
        (base / "shim.h").write_text(_SHIM)
        texts = [base / f"code{number}.cpp" for number in range(len(sources))]
        for path, (name, text) in zip(texts, sources):
            path.write_bytes(b'#line 1 "%s"\n' % name.encode() + text)
        command = [compiler, "-std=c++17", "-O2", "-fPIC", "-shared", "-w", "-include",
                   base / "shim.h", *(f"-I{path}" for path in include_folders()),
                   *texts, "-o", base / "code.so"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise NotImplementedError(
                f"{names} cannot be compiled for the emulated device, which takes CUDA C functions "
                f"that use no threads, shared memory or PTX: {done.stderr.strip()[:2000]}")
        return ctypes.CDLL(str(base / "code.so"))


def host_library(links):
    """The CUDA C among (kind, name, bytes) as a library of this process; None where there is none."""
    sources = list(dict.fromkeys((name, data) for kind, name, data in links if kind == KIND_CUDA_C))
    if not sources:
        return None
    key = hashlib.sha256(b"\0".join(text for _, text in sources)).digest()
    if key not in _libraries:
        _libraries[key] = _compile_for_host(sources)
    return _libraries[key]


def host_address(links, function):
    """Where the function of the links lies in this process; the compiler asks."""
    found = getattr(host_library(links), function, None)
    if found is not None:
        return ctypes.cast(found, ctypes.c_void_p).value
    others = [name for kind, name, data in links if kind != KIND_CUDA_C]
    if others:
        raise NotImplementedError(
            f"the device function '{function}' is in {', '.join(others)}: code for a GPU, which the "
            "emulated device cannot run. As CUDA C (a .cu file or CUSource) it could")
    held = ", ".join(name for kind, name, data in links)
    raise NotImplementedError(
        f"the device function '{function}' is declared, and "
        + (f"not defined as extern \"C\" in {held}" if held else
           "nothing is linked that defines it: cuda.jit(link=[...]) or cuda.declare_device(link=...)"))
