# SPDX-License-Identifier: MIT
"""Memory managers: who gives device arrays their memory, and host memory that the device knows."""
import abc
import collections
import contextlib
import importlib
import os

from gridcell import _gridcell
from numba.core import config

MemoryPointer = _gridcell.MemoryPointer
MemoryInfo = collections.namedtuple("MemoryInfo", "free total")
SUPPORTED_INTERFACE_VERSION = 1


class _HostMemory(_gridcell.HostMemory):
    """Memory of the host that the device knows; NumPy arrays lie over it as over a buffer."""
    __module__ = "numba.cuda.cudadrv.driver"

    @property
    def device_pointer(self):
        import ctypes
        return ctypes.c_uint64(self.device_pointer_value)

    def own(self):
        return self


class PinnedMemory(_HostMemory):
    """Host memory that stays in place."""

    def __new__(cls, size, wc=False):
        return super().__new__(cls, "pinned", size, wc)


class MappedMemory(_HostMemory):
    """Pinned host memory that kernels use where it lies."""

    def __new__(cls, size, wc=False):
        return super().__new__(cls, "mapped", size, wc)


class ManagedMemory(_HostMemory):
    """Memory that moves between host and device by itself."""

    def __new__(cls, size, attach_global=True):
        return super().__new__(cls, "managed", size, False, attach_global)


class RegisteredMemory(_HostMemory):
    """Memory of someone else's, pinned and mapped until it is closed."""

    def __new__(cls, buffer):
        return super().__new__(cls, "registered", buffer)


class PendingDeallocations:
    """What is to be freed later: at the end of a block of defer_cleanup, and as many items as
    NUMBA_CUDA_MAX_PENDING_DEALLOCS_COUNT says, up to a share of the memory of
    NUMBA_CUDA_MAX_PENDING_DEALLOCS_RATIO. Where neither is set, nothing waits without need.

    Device arrays of our own are no such items: they are freed at once, in stream order.
    """

    def __init__(self, measure=lambda: 0):
        self._waiting = []
        self._waiting_bytes = 0
        self._measure = measure
        self.memory_capacity = None  # bytes of the device, measured when it matters

    def _may_wait(self):
        names = ("NUMBA_CUDA_MAX_PENDING_DEALLOCS_COUNT", "NUMBA_CUDA_MAX_PENDING_DEALLOCS_RATIO")
        if not any(name in os.environ for name in names):
            return False
        if self.memory_capacity is None:
            self.memory_capacity = self._measure()
        limit = self.memory_capacity * config.CUDA_DEALLOCS_RATIO
        return (len(self._waiting) <= config.CUDA_DEALLOCS_COUNT
                and self._waiting_bytes <= limit)

    def add_item(self, dtor, handle, size=0):
        """Calls dtor(handle), at once or when nobody defers it any more."""
        self._waiting.append((dtor, handle))
        self._waiting_bytes += int(size)
        if not self._may_wait():
            self.clear()

    def clear(self):
        """Frees what waits, unless a block of defer_cleanup is open."""
        while self._waiting and not self.is_locked:
            dtor, handle = self._waiting.pop(0)
            dtor(handle)
        if not self._waiting:
            self._waiting_bytes = 0

    @property
    def is_locked(self):
        return _gridcell.cuda_deferred_frees()[0] > 0

    @contextlib.contextmanager
    def disable(self):
        _gridcell.cuda_defer_frees(True)
        try:
            yield
        finally:
            _gridcell.cuda_defer_frees(False)
            self.clear()

    def __len__(self):
        return len(self._waiting) + _gridcell.cuda_deferred_frees()[1]


class BaseCUDAMemoryManager(metaclass=abc.ABCMeta):
    """The interface of a memory manager, of which there is one for each context."""

    def __init__(self, *args, **kwargs):
        if "context" not in kwargs:
            raise RuntimeError("Memory manager requires a context")
        self.context = kwargs.pop("context")

    @abc.abstractmethod
    def memalloc(self, size):
        """Device memory of `size` bytes: a MemoryPointer whose finalizer gives it back."""

    @abc.abstractmethod
    def memhostalloc(self, size, mapped, portable, wc):
        """Pinned host memory: MappedMemory or PinnedMemory."""

    @abc.abstractmethod
    def mempin(self, owner, pointer, size, mapped):
        """Pins the `size` bytes of `owner` at `pointer` until what is returned is closed."""

    @abc.abstractmethod
    def initialize(self):
        """Called before the context's first allocation; may be called again."""

    @abc.abstractmethod
    def get_ipc_handle(self, memory):
        """The IpcHandle of a MemoryPointer."""

    @abc.abstractmethod
    def get_memory_info(self):
        """MemoryInfo(free, total) in bytes."""

    @abc.abstractmethod
    def reset(self):
        """Called when the context is reset: all memory of it is gone."""

    @abc.abstractmethod
    def defer_cleanup(self):
        """A context manager within which nothing is freed."""

    @property
    @abc.abstractmethod
    def interface_version(self):
        """1."""


class HostOnlyCUDAMemoryManager(BaseCUDAMemoryManager):
    """What managers of device memory alone derive from: it has all that concerns host memory."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.allocations = {}
        self.deallocations = PendingDeallocations(lambda: self.get_memory_info().total)

    def memhostalloc(self, size, mapped=False, portable=False, wc=False):
        return MappedMemory(size, wc) if mapped else PinnedMemory(size, wc)

    def memallocmanaged(self, size, attach_global=True):
        return ManagedMemory(size, attach_global)

    def mempin(self, owner, pointer, size, mapped=False):
        import ctypes
        pinned = RegisteredMemory((ctypes.c_char * size).from_address(pointer))
        pinned.owner = owner
        return pinned

    def reset(self):
        self.allocations.clear()
        self.deallocations.clear()

    @contextlib.contextmanager
    def defer_cleanup(self):
        with self.deallocations.disable():
            yield


class GetIpcHandleMixin:
    """IPC handles of memory that the driver can export."""

    def get_ipc_handle(self, memory):
        from .ipc import IpcHandle
        return IpcHandle.of(memory)


class NumbaCUDAMemoryManager(GetIpcHandleMixin, HostOnlyCUDAMemoryManager):
    """The manager in place when no other is set: pools of the driver, in stream order."""

    def initialize(self):
        pass

    def memalloc(self, size):
        return _gridcell.cuda_allocate(self.context.device.id, size)

    def get_memory_info(self):
        return MemoryInfo(*self.context.device._raw.memory_info())

    @property
    def interface_version(self):
        return SUPPORTED_INTERFACE_VERSION


_manager = None  # the class of managers; None: not chosen yet


def _from_environment():
    name = os.environ.get("NUMBA_CUDA_MEMORY_MANAGER", "default")
    if name in ("", "default"):
        return NumbaCUDAMemoryManager
    module = importlib.import_module(name)
    try:
        return module._numba_memory_manager
    except AttributeError:
        raise RuntimeError(f"NUMBA_CUDA_MEMORY_MANAGER: the module {name} has no "
                           "_numba_memory_manager") from None


def manager_class():
    """The class of memory managers: the one that was set, or that the environment names."""
    if _manager is None:
        set_memory_manager(_from_environment())
    return _manager


def _allocate(device_id, size):
    from .devices import get_context
    manager = get_context(device_id).memory_manager
    if type(manager) is NumbaCUDAMemoryManager:
        return _gridcell.cuda_allocate(device_id, size)
    return manager.memalloc(size)


def set_memory_manager(mm_plugin):
    """Has the memory of device arrays managed by a class of this interface from now on."""
    global _manager
    version = mm_plugin(context=None).interface_version
    if version != SUPPORTED_INTERFACE_VERSION:
        raise RuntimeError("EMM Plugin interface has version %d - version %d required"
                           % (version, SUPPORTED_INTERFACE_VERSION))
    _manager = mm_plugin
    _gridcell.cuda_set_allocator(None if mm_plugin is NumbaCUDAMemoryManager else _allocate)


# the module that the environment names may import numba.cuda: it is asked for at the first use
if os.environ.get("NUMBA_CUDA_MEMORY_MANAGER", "default") not in ("", "default"):
    _gridcell.cuda_set_allocator(_allocate)
