# SPDX-License-Identifier: MIT
"""Modules of a context: what kernels were loaded as, for the callbacks of linked code, and modules of
PTX or machine code that the user loads."""
import atexit
import collections
import ctypes
import weakref

from gridcell import _gridcell

from .memory import MemoryPointer

class FuncAttr(collections.namedtuple("FuncAttr", "regs shared local const maxthreads")):
    """Resources of a kernel."""
    __slots__ = ()
    NUMBERS = 4, 1, 3, 2, 0  # CU_FUNC_ATTRIBUTE_* of these


EQUAL, CACHE, SHARED = 50, 0, 100  # percent of the memory for shared memory

_live = weakref.WeakSet()  # modules with teardown callbacks


def _checked(callbacks, name):
    callbacks = [] if callbacks is None else callbacks
    if not isinstance(callbacks, list) or not all(map(callable, callbacks)):
        raise TypeError(f"{name} must be a list of callables")
    return callbacks


class Module:
    """Device code in a context, with its functions and variables.

    The callbacks of what it was linked of are called with it: for setup before anything of it runs,
    for teardown before it is unloaded, also when its context is reset."""
    __module__ = "numba.cuda.cudadrv.driver"

    def __init__(self, context, handle, info_log="", setup_callbacks=None, teardown_callbacks=None, links=()):
        self.context, self.handle, self.info_log = context, handle, info_log
        self._links = links
        self._is_ours = bool(links)  # the kernel unloads it
        self._teardown = []
        self._generation = context.device._raw.generation
        _register(self)
        for callback in _checked(setup_callbacks, "setup_callbacks"):
            callback(self)
        self._teardown = _checked(teardown_callbacks, "teardown_callbacks")

    @property
    def is_live(self):
        """Whether it is still loaded."""
        return self.handle in self.context.modules and self._generation == self.context.device._raw.generation

    def _check(self):
        if not self.is_live:
            raise RuntimeError("the module is not loaded any more")

    def _call_teardown(self):
        callbacks, self._teardown = self._teardown, []
        for callback in callbacks:
            callback(self)

    def _ending(self, is_live):
        """Called when the kernel it belongs to gives it up."""
        try:
            if is_live:
                self._call_teardown()
        finally:
            self.context.modules.pop(self.handle, None)

    def get_function(self, name):
        """A kernel of the module, by its name."""
        self._check()
        with self.context:
            return Function(self, _gridcell.cuda_module_function(self.handle, name), name)

    def get_global_symbol(self, name):
        """A variable of the module: (MemoryPointer, its size in bytes)."""
        self._check()
        if self.context.device.is_emulated:
            address, size = _host_symbol(self._links, name)
        else:
            with self.context:
                address, size = _gridcell.cuda_module_variable(self.handle, name)
        return MemoryPointer(self.context, ctypes.c_uint64(address), size, owner=self), size

    def unload(self):
        """Unloads it from its context."""
        self._check()
        self.context.unload_module(self)


def _register(module):
    if not _live:
        atexit.register(_end_all)
    _live.add(module)
    module.context.modules[module.handle] = module


def _end_all():
    for module in list(_live):
        if module.is_live:
            module._call_teardown()


class Function:
    """A kernel of a module; driver.launch_kernel launches its handle."""
    __module__ = "numba.cuda.cudadrv.driver"

    def __init__(self, module, handle, name):
        self.module, self.handle, self.name = module, handle, name

    def __repr__(self):
        return f"<CUDA function {self.name}>"

    @property
    def device(self):
        return self.module.context.device

    def read_func_attr(self, attrid):
        """A CU_FUNC_ATTRIBUTE_* by its number."""
        self.module._check()
        with self.module.context:
            return _gridcell.cuda_function_attribute(self.handle, attrid)

    @property
    def attrs(self):
        """FuncAttr(regs, shared, local, const, maxthreads)."""
        return FuncAttr(*map(self.read_func_attr, FuncAttr.NUMBERS))

    def cache_config(self, prefer_equal=False, prefer_cache=False, prefer_shared=False):
        """Whether it would rather have more of the first cache or of shared memory."""
        self.module._check()
        percent = EQUAL if prefer_equal or (prefer_cache and prefer_shared) else \
            CACHE if prefer_cache else SHARED if prefer_shared else -1
        with self.module.context:
            _gridcell.cuda_function_prefer_shared(self.handle, percent)


def launch_kernel(cufunc_handle, gx, gy, gz, bx, by, bz, sharedmem, hstream, args, cooperative=False):
    """Launches a kernel of a module; `args` are ctypes objects, as the kernel takes them, or addresses."""
    held = [arg if isinstance(arg, (ctypes._SimpleCData, ctypes.Structure, ctypes.Array, ctypes._Pointer))
            else ctypes.c_uint64(int(arg)) for arg in args]
    _gridcell.cuda_function_launch(
        int(cufunc_handle), (gx, gy, gz), (bx, by, bz), sharedmem, int(hstream or 0),
        tuple(map(ctypes.addressof, held)), cooperative)


# --- what the extension calls --------------------------------------------------------------------

def loaded(device_id, handle, codes, links):
    """The Module of a kernel that was loaded, once the setup callbacks of its codes have been called.

    links: all that it was linked of, as (kind, name, bytes)."""
    from .driver import context_of
    return Module(context_of(device_id), handle,
                  setup_callbacks=[code.setup_callback for code in codes if code.setup_callback],
                  teardown_callbacks=[code.teardown_callback for code in codes if code.teardown_callback],
                  links=links)


# --- the emulated device -------------------------------------------------------------------------

class _Symbol(ctypes.Structure):
    """Elf64_Sym."""
    _fields_ = [("name", ctypes.c_uint32), ("info", ctypes.c_uint8), ("other", ctypes.c_uint8),
                ("section", ctypes.c_uint16), ("value", ctypes.c_uint64), ("size", ctypes.c_uint64)]


def _size_at(address):
    """Bytes of the variable of a shared library at an address."""
    symbol, info = ctypes.POINTER(_Symbol)(), (ctypes.c_void_p * 4)()
    found = ctypes.CDLL(None).dladdr1(ctypes.c_void_p(address), info, ctypes.byref(symbol), 1)
    return symbol.contents.size if found and symbol else 0


def _host_symbol(links, name):
    from gridcell.cuda.foreign import host_library
    library = host_library(links)
    try:
        variable = ctypes.c_char.in_dll(library, name) if library else None
    except ValueError:
        variable = None
    if variable is None:
        from .driver import CudaAPIError
        raise CudaAPIError(500, "Call to cuModuleGetGlobal results in CUDA_ERROR_NOT_FOUND")
    address = ctypes.addressof(variable)
    return address, _size_at(address)
