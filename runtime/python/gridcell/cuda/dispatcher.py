# SPDX-License-Identifier: MIT
"""The object that @cuda.jit makes of a function."""
import inspect
import math
import operator
import sys
from types import SimpleNamespace

from gridcell import _gridcell

from .cudadrv.devices import get_context
from .cudadrv.modules import FuncAttr
from .errors import missing_launch_config_msg
from .foreign import links_of
from .sass import gpu_needs

_LaunchConfiguration = _gridcell._LaunchConfiguration


def _reduce_launch(launch):
    from numba.core.pickling import reduce_launch
    return reduce_launch(launch)


def _token_of_launch(launch):
    from numba.core import tokens
    return tokens.token(launch, None, launch.dispatcher, launch.griddim, launch.blockdim, launch.sharedmem, launch.stream,
                        list(launch.pre_launch_callbacks))


_LaunchConfiguration.__reduce__ = _reduce_launch
_LaunchConfiguration.__dask_tokenize__ = _token_of_launch


def _block_size(device):
    """Threads of a block where the user leaves the choice to us."""
    return 1024 if device.is_emulated else 256


def _launch_bounds(bounds):
    """(most threads of a block, least blocks, largest cluster); 0 where nothing is said."""
    given = () if bounds is None else tuple(bounds) if isinstance(bounds, (tuple, list)) else (bounds,)
    if len(given) > 3 or not all(isinstance(bound, int) and bound >= 0 for bound in given):
        raise ValueError(f"Got {len(given)} launch bounds: launch_bounds is the most threads of a block, or a tuple of up to three: "
                         f"threads, blocks, clusters; got {bounds!r}")
    return given + (0,) * (3 - len(given))


_CARVEOUTS = {"default": -1, "maxl1": 0, "maxshared": 100}


def _carveout(value):
    """The preferred share of shared memory in percent; -1: the driver's choice."""
    if value is None:
        return -1
    return _CARVEOUTS[value.lower()] if isinstance(value, str) else value


def _is_inlined(options):
    """Whether calls of the function always become its code; a cost model decides otherwise."""
    return options.get("inline") in ("always", True) or bool(options.get("forceinline"))


def check_kernel_signature(signature):
    if signature.return_type is not None and str(signature.return_type) != "none":
        raise TypeError("CUDA kernel must have void return type.")


class ForAll:
    """A kernel over so many tasks, in one dimension, with a block size of our choice."""

    def __init__(self, dispatcher, ntasks, tpb, stream, sharedmem):
        if ntasks < 0:
            raise ValueError("Can't create ForAll with negative task count: %s" % ntasks)
        self.dispatcher = dispatcher
        self.ntasks = ntasks
        self.thread_per_block = tpb
        self.stream = stream
        self.sharedmem = sharedmem

    def __call__(self, *args):
        if self.ntasks == 0:
            return
        threads = self.thread_per_block or _block_size(get_context().device)
        blocks = (self.ntasks + threads - 1) // threads
        self.dispatcher[blocks, threads, self.stream, self.sharedmem](*args)


class _OldFunction:
    """The function of a kernel in the driver, by the names of old releases."""

    def __init__(self, version):
        self._version = version

    def get(self):
        return self

    @property
    def attrs(self):
        """FuncAttr(regs, shared, local, const, maxthreads)."""
        version = self._version
        return FuncAttr(version.regs_per_thread, version.shared_mem_per_block,
                        version.local_mem_per_thread, version.const_mem_size,
                        version.max_threads_per_block)


class _Kernel:
    """One compiled version of a kernel."""

    def __init__(self, dispatcher, index, argtypes):
        self._dispatcher = dispatcher
        self._index = index
        self.argument_types = argtypes
        self.py_func = dispatcher.py_func

    @property
    def signature(self):
        from numba.core import types
        return types.none(*self.argument_types)

    @property
    def entry_name(self):
        return self._dispatcher._inspect(self._index, "name")

    def _attribute(self, code):
        return self._dispatcher._attribute(self._index, code)

    def _resource(self, what, code):
        """An attribute that the emulated device counts in its own way: there what a GPU would have to give."""
        if get_context().device.is_emulated:
            needs = gpu_needs(*self.device_code())
            return (needs["stack"] or needs["local"]) if what == "local" else needs[what] or 0
        return self._attribute(code)

    @property
    def cooperative(self):
        """Whether blocks wait for each other: all of them have to run at once."""
        return self._dispatcher._inspect(self._index, "cooperative")

    @property
    def _func(self):
        """What old programs ask for resources: kernel._func.get().attrs.regs."""
        return _OldFunction(self)

    @property
    def max_threads_per_block(self):
        """Most threads that a block of this kernel can have."""
        return self._attribute(0)

    @property
    def shared_mem_per_block(self):
        """Static shared memory in bytes."""
        return self._resource("shared", 1)

    @property
    def const_mem_size(self):
        """Constant memory in bytes."""
        return self._resource("const", 2)

    @property
    def local_mem_per_thread(self):
        """Local memory of a thread in bytes; on the emulated device with spills where an assembler tells them."""
        return self._resource("local", 3)

    @property
    def regs_per_thread(self):
        """Registers of a thread. On the emulated device those that ptxas or nvJitLink takes, 0 without them."""
        return self._resource("regs", 4)

    def max_cooperative_grid_blocks(self, blockdim, dynsmemsize=0):
        """The most blocks of the grid of a launch in which all of them wait for each other."""
        threads = blockdim if isinstance(blockdim, int) else math.prod(blockdim)
        blocks = self._dispatcher._blocks_at_once(self._index, threads, dynsmemsize)
        return blocks * get_context().device.MULTIPROCESSOR_COUNT

    def inspect_llvm(self, host=False):
        """The LLVM IR that the PTX is made of; host=True: see inspect_asm."""
        return self._host_code("llvm") if host else self._gpu_code(self._device_cc())[1]

    def inspect_asm(self, cc=None, host=False):
        """PTX: for the device in use, or for a plain GPU where that is the emulated one.

        cc: another compute capability. host=True: the CPU's assembly that the emulated device runs;
        RuntimeError on a GPU.
        """
        return self._host_code("asm") if host else self._gpu_code(cc or self._device_cc())[0]

    @property
    def ptx(self):
        return self.inspect_asm()

    def device_code(self):
        """(PTX, compute capability), of inspect_asm."""
        cc = self._device_cc()
        return self.inspect_asm(cc), cc

    def _host_code(self, what):
        if not get_context().device.is_emulated:
            raise RuntimeError("only the emulated device runs kernels on the CPU; this one runs PTX")
        return self._dispatcher._inspect(self._index, what)

    def _gpu_code(self, cc):
        """(PTX, LLVM IR), kept with the dispatcher: each magic and method asks anew."""
        texts = self._dispatcher._gpu_texts
        if (self._index, cc) not in texts:
            texts[self._index, cc] = self._dispatcher._gpu_code(self._index, *cc)
        return texts[self._index, cc]

    @staticmethod
    def _device_cc():
        from .compiler import _default_cc
        device = get_context().device
        return _default_cc() if device.is_emulated else device.compute_capability

    def inspect_lto_ptx(self, cc=None):
        """PTX for a GPU after optimisation at link time; CudaSupportError without nvJitLink."""
        return self._dispatcher._lto_ptx(self.argument_types, *(cc or self._device_cc()))

    def inspect_sass(self):
        """The machine code of a GPU as text; RuntimeError without the CUDA toolkit's tools."""
        from .sass import disassemble
        return disassemble(*self.device_code(), "-c")[0]

    def inspect_sass_cfg(self):
        """The control-flow graph of the machine code as text in DOT; RuntimeError likewise."""
        from .sass import disassemble
        return disassemble(*self.device_code(), "-cfg")[0]

    def inspect_cfg(self):
        """The control-flow graph of inspect_llvm()."""
        from numba.core.codegen import _CFG
        return _CFG(*self._dispatcher._gpu_graph(self._index, *self._device_cc()))

    def inspect_types(self, file=None):
        file = file or sys.stdout
        print("%s %s" % (self.entry_name, self.argument_types), file=file)
        print("-" * 80, file=file)
        print(self._annotated(), file=file)
        print("=" * 80, file=file)

    def _annotated(self):
        try:
            lines = inspect.getsourcelines(self.py_func)[0]
        except (OSError, TypeError):
            lines = []
        return self._dispatcher._inspect(
            self._index, "types", [line.rstrip("\n") for line in lines]).rstrip("\n")


class _DeviceVersion:
    """One version of a device function, as a GPU's code."""

    def __init__(self, dispatcher, argtypes, return_type):
        self._dispatcher = dispatcher
        self.argument_types, self._return_type = argtypes, return_type
        self._texts = {}

    def _code(self, cc):
        cc = tuple(cc or _Kernel._device_cc())
        if cc not in self._texts:
            self._texts[cc] = self._dispatcher._device_ptx(
                self.argument_types, self._return_type, *cc, self.fndesc.mangled_name, True, False)
        return self._texts[cc]

    @property
    def fndesc(self):
        """How the function is named: in Python, and in the texts."""
        from .compiler import _symbol
        function = self._dispatcher.py_func
        return SimpleNamespace(
            func_name=function.__name__, qualname=function.__qualname__, modname=function.__module__,
            mangled_name=_symbol(function, "numba", None, self.argument_types), argtypes=self.argument_types)

    @property
    def signature(self):
        return self._code(None)[1](*self.argument_types)

    def inspect_asm(self, cc=None, host=False):
        """PTX; by itself it is no code of the CPU."""
        self._refuse_host(host)
        return self._code(cc)[0]

    def inspect_llvm(self, host=False):
        """The LLVM IR that the PTX is made of."""
        self._refuse_host(host)
        return self._code(None)[2]

    @staticmethod
    def _refuse_host(host):
        if host:
            raise RuntimeError("a device function is code of the CPU within kernels only")


class CUDADispatcher(_gridcell.Kernel):
    """A kernel or device function; k[griddim, blockdim, stream, sharedmem](*args) launches it."""
    __module__ = "numba.cuda.dispatcher"

    def __new__(cls, py_func, targetoptions):
        self = super().__new__(
            cls, py_func, fastmath=bool(targetoptions.get("fastmath")),
            debug=bool(targetoptions.get("debug")), lineinfo=bool(targetoptions.get("lineinfo")),
            boundscheck=-1 if targetoptions.get("boundscheck") is None else 0,
            opt_level=3 if targetoptions.get("opt", True) else 0,
            max_registers=targetoptions.get("max_registers") or 0,
            lto=bool(targetoptions.get("lto")),
            launch_bounds=_launch_bounds(targetoptions.get("launch_bounds")),
            is_inlined=_is_inlined(targetoptions),
            carveout=_carveout(targetoptions.get("shared_memory_carveout")),
            cache=bool(targetoptions.get("cache")),
            **({"observed": targetoptions["observes"]} if "observes" in targetoptions else {}))
        return self

    def __init__(self, py_func, targetoptions):
        self.targetoptions = targetoptions
        if targetoptions.get("link"):
            self._links = links_of(targetoptions["link"])
        self._extensions = list(targetoptions.get("extensions") or ())
        self._specialized = False
        self._specializations = {}
        self._gpu_texts = {}
        self._device_versions = {}
        self._observed = None

    def __call__(self, *args, **kwargs):
        raise ValueError(missing_launch_config_msg)

    def configure(self, griddim, blockdim, stream=0, sharedmem=0):
        """The same as self[griddim, blockdim, stream, sharedmem]."""
        return self[griddim, blockdim, stream, sharedmem]

    def forall(self, ntasks, tpb=0, stream=0, sharedmem=0):
        """The kernel for a number of tasks, in one dimension."""
        return ForAll(self, ntasks, tpb=tpb, stream=stream, sharedmem=sharedmem)

    # --- versions ----------------------------------------------------------------------------

    def compile(self, sig):
        """Compiles for a signature, and gives that version."""
        from numba.core.decorators import parse_signature
        signature = parse_signature(sig)
        check_kernel_signature(signature)
        self._compile(signature.args)
        return self.overloads[tuple(signature.args)]

    def disable_compile(self, val=True):
        self._can_compile = not val

    def specialize(self, *args):
        """A kernel for the types of these arguments only."""
        if self.specialized:
            raise RuntimeError("Dispatcher already specialized")
        from numba import typeof
        argtypes = tuple(getattr(arg, "_numba_type_", None) or typeof(arg) for arg in args)
        known = self._specializations.get(argtypes)
        if known is None:
            known = CUDADispatcher(self.py_func, self.targetoptions)
            known.compile(argtypes)
            known.disable_compile()
            known._specialized = True
            self._specializations[argtypes] = known
        return known

    def observed(self):
        """The same kernel, of whose launches each access and branch is counted."""
        if self._observed is None or not self._can_compile and self._observed.signatures != self.signatures:
            twin = CUDADispatcher(self.py_func, {**self.targetoptions, "observes": self, "cache": False})
            for argtypes in () if self._can_compile else self.signatures:
                twin._compile(argtypes)
            twin._can_compile = self._can_compile
            self._observed = twin
        return self._observed

    def recompile(self):
        """Compiles each version again, so that changed globals are seen."""
        self._observed = None
        self._specializations.clear()
        self._gpu_texts.clear()
        self._device_versions.clear()
        self._recompile()

    @property
    def specialized(self):
        return self._specialized

    @property
    def signatures(self):
        return list(self._argument_types())

    @property
    def nopython_signatures(self):
        from numba.core import types
        return [types.none(*argtypes) for argtypes in self._argument_types()]

    @property
    def specializations(self):
        """What specialize made, by argument types."""
        return self._specializations

    @property
    def overloads(self):
        versions = {argtypes: _Kernel(self, index, argtypes)
                    for index, argtypes in enumerate(self._argument_types())}
        for signature in getattr(self, "_device_signatures", ()):
            self._device_version(tuple(signature.args), signature.return_type)
        return {**versions, **self._device_versions}

    definitions = overloads

    def _device_version(self, argtypes, return_type):
        return self._device_versions.setdefault(
            argtypes, _DeviceVersion(self, argtypes, return_type))

    def compile_device(self, args, return_type=None):
        """A device function's version for argument types, which inspect_asm and inspect_llvm show."""
        version = self._device_version(tuple(args), return_type)
        version.inspect_asm()
        return version

    def _version(self, index):
        return _Kernel(self, index, self._argument_types()[index])

    @property
    def stats(self):
        """How often the cache was hit and missed."""
        from numba.core.dispatcher import _stats
        return _stats(self)

    def _only(self):
        versions = list(self.overloads.values())
        if len(versions) != 1:
            raise ValueError("the kernel has %d compiled versions" % len(versions))
        return versions[0]

    @property
    def extensions(self):
        """What prepares arguments: prepare_args(type, value, stream, retr) -> (type, value)."""
        return self._extensions

    # --- inspection --------------------------------------------------------------------------

    def _inspect_each(self, method, signature):
        versions = self.overloads
        if signature is not None:
            argtypes = getattr(signature, "args", signature)
            return method(versions[tuple(argtypes)])
        return {argtypes: method(version) for argtypes, version in versions.items()}

    def inspect_llvm(self, signature=None, host=False):
        """The LLVM IR that the PTX is made of, of one version or of all by argument types.

        host=True: the optimised IR of what the emulated device runs; RuntimeError on a GPU.
        """
        return self._inspect_each(lambda version: version.inspect_llvm(host=host), signature)

    def inspect_asm(self, signature=None, host=False):
        """PTX of one version, or of all by argument types; on the emulated device for a plain GPU.

        host=True: the CPU's assembly that the emulated device runs; RuntimeError on a GPU.
        """
        return self._inspect_each(lambda version: version.inspect_asm(host=host), signature)

    def _refuse_device_function(self, what):
        if self.targetoptions.get("device"):
            raise RuntimeError(f"Cannot {what} of a device function")

    def inspect_sass(self, signature=None):
        """Machine code of a GPU, of one version or of all by argument types."""
        self._refuse_device_function("inspect SASS")
        return self._inspect_each(_Kernel.inspect_sass, signature)

    def inspect_sass_cfg(self, signature=None):
        """The control-flow graph of the machine code as DOT text, likewise."""
        self._refuse_device_function("get the CFG")
        return self._inspect_each(_Kernel.inspect_sass_cfg, signature)

    def inspect_cfg(self, signature=None):
        """The control-flow graph of the LLVM IR, which a notebook draws, likewise; numba has it of CPU functions alone."""
        self._refuse_device_function("get the CFG")
        return self._inspect_each(_Kernel.inspect_cfg, signature)

    def inspect_lto_ptx(self, signature=None):
        """PTX with all linked code, optimised as one, likewise."""
        self._refuse_device_function("get the LTO PTX")
        return self._inspect_each(_Kernel.inspect_lto_ptx, signature)

    def inspect_types(self, file=None):
        """Prints each version's source with its types."""
        for version in self.overloads.values():
            version.inspect_types(file)

    @property
    def ptx(self):
        """PTX of the only version, or of all by argument types."""
        return self._inspect_each(_Kernel.inspect_asm,
                                  self.signatures[0] if len(self.overloads) == 1 else None)

    @property
    def definition(self):
        """The only version, as old programs ask for it."""
        return self._only()

    @property
    def _func(self):
        return self._only()._func

    def _number_of_each(self, name, signature):
        read = operator.attrgetter(name)
        if signature is None and self.specialized:
            return read(self._only())
        return self._inspect_each(read, signature)

    def get_regs_per_thread(self, signature=None):
        """Registers of a thread: of one signature or the only version an int, else a dict."""
        return self._number_of_each("regs_per_thread", signature)

    def get_shared_mem_per_block(self, signature=None):
        """Static shared memory in bytes: an int, or a dict by argument types."""
        return self._number_of_each("shared_mem_per_block", signature)

    def get_const_mem_size(self, signature=None):
        """Constant memory in bytes: an int, or a dict by argument types."""
        return self._number_of_each("const_mem_size", signature)

    def get_local_mem_per_thread(self, signature=None):
        """Local memory of a thread in bytes: an int, or a dict by argument types."""
        return self._number_of_each("local_mem_per_thread", signature)

    def get_max_threads_per_block(self, signature=None):
        """The most threads of a block: an int, or a dict by argument types."""
        return self._number_of_each("max_threads_per_block", signature)

    _travels_whole = True

    def __reduce__(self):
        from numba.core.pickling import reduce_kernel
        return reduce_kernel(self)

    def __dask_tokenize__(self):
        from numba.core import tokens
        return tokens.token(self, self.py_func, self.targetoptions, self._declared())

    def _declared(self):
        return None if self._can_compile else self.signatures


def generated_kernel(function):
    """A kernel of our own: its indices are right, and it does not warn."""
    kernel = CUDADispatcher(function, {"boundscheck": False})
    kernel._is_quiet = True
    return kernel
