# SPDX-License-Identifier: MIT
"""numba.cuda.cudadrv.driver: devices, contexts, streams and events as classes."""
import contextlib
import queue
import threading
import warnings

from gridcell import _gridcell

from .enums import DEVICE_ATTRIBUTES
from .error import CudaDriverError, CudaSupportError
from .ipc import IpcHandle
from .log import logger as _logger
from .modules import FuncAttr, Function, Module, launch_kernel
from .memory import (BaseCUDAMemoryManager, GetIpcHandleMixin, HostOnlyCUDAMemoryManager,
                     ManagedMemory, MappedMemory, MemoryInfo, MemoryPointer,
                     NumbaCUDAMemoryManager, PinnedMemory, manager_class, set_memory_manager)

from .occupancy import Occupancy

class CudaAPIError(CudaDriverError):
    """A call of the driver failed: its code and text."""
    __module__ = "numba.cuda.cudadrv.driver"

    def __init__(self, code, msg):
        self.code = code
        self.msg = msg
        super().__init__(code, msg)
        _logger.error("%s", str(msg).partition("\n")[0])

    def __str__(self):
        return "[%s] %s" % (self.code, self.msg)


class LinkerError(RuntimeError):
    pass


class DeadMemoryError(RuntimeError):
    pass


class DeviceName(str):
    """A device's name. Prints as the bytes that it was in older releases, and decodes as they do.

    Tutorials were written when it was bytes, and show b'...' in their outputs; `f"{name}"` is the name itself.
    """

    def __str__(self):
        return repr(self.encode())

    def __format__(self, spec):
        return format(self.decode(), spec)

    def decode(self, *args):
        return "".join(self)


class Stream(_gridcell.RawStream):
    """Work of a device in order."""
    __module__ = "numba.cuda.cudadrv.driver"

    @property
    def handle(self):
        return int(self)

    def __cuda_stream__(self):
        """(version, handle), by which other libraries use the stream."""
        return 0, int(self)

    @contextlib.contextmanager
    def auto_synchronize(self):
        """Waits for the stream when the block ends."""
        yield self
        self.synchronize()

    def add_callback(self, callback, arg=None):
        """Calls callback(stream, status, arg) once the work queued so far is done, on another
        thread; the callbacks of a stream in their order."""
        marker = Event(timing=False)
        marker.record(self)
        _callbacks_of(self).put((marker, callback, arg))

    def async_done(self):
        """An awaitable that is done with the work queued so far."""
        import asyncio
        loop = asyncio.get_running_loop()
        future = loop.create_future()

        def resolve(stream, status, _):
            def finish():
                if future.done():
                    return
                if status == 0:
                    future.set_result(stream)
                else:
                    future.set_exception(CudaAPIError(status, "the stream's work failed"))
            loop.call_soon_threadsafe(finish)

        self.add_callback(resolve)
        return future


def adopt_stream(foreign):
    """A stream of another library as one of ours, which keeps it."""
    protocol = getattr(foreign, "__cuda_stream__", None)
    if protocol is None:
        raise TypeError(f"stream must be a CUDA stream or 0, got {foreign!r}")
    version, handle = protocol() if callable(protocol) else protocol
    if version != 0:
        raise TypeError(f"__cuda_stream__ of version {version} is not known, only 0")
    stream = Stream("external", int(handle))
    stream._owner = foreign
    return stream


_callback_lock = threading.Lock()


def _callbacks_of(stream):
    """The queue that the stream's callbacks wait in; a thread of its own serves it."""
    with _callback_lock:
        waiting = getattr(stream, "_callbacks", None)
        if waiting is None:
            waiting = stream._callbacks = _CallbackQueue(stream)
    return waiting


class _CallbackQueue:
    """Runs callbacks in order. Its thread ends when nothing waits."""

    def __init__(self, stream):
        self._device = stream._device_id
        self._stream = stream
        self._waiting = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._is_running = False

    def put(self, item):
        with self._lock:
            self._waiting.put((self._stream, *item))
            if not self._is_running:
                self._is_running = True
                threading.Thread(target=self._run, daemon=True).start()

    def _run(self):
        _gridcell.cuda_select_device(self._device)
        while True:
            with self._lock:
                if self._waiting.empty():
                    self._is_running = False
                    return
                item = self._waiting.get()
            self._call(*item)

    @staticmethod
    def _call(stream, marker, callback, arg):
        status = 0
        try:
            marker.synchronize()
        except CudaAPIError as error:
            status = error.code
        try:
            callback(stream, status, arg)
        except Exception as error:
            warnings.warn(f"Exception in stream callback: {error}")


class Event(_gridcell.RawEvent):
    """A point in a stream's work."""
    __module__ = "numba.cuda.cudadrv.driver"

    @property
    def handle(self):
        return int(self)


def event_elapsed_time(evtstart, evtend):
    """Milliseconds between two recorded events."""
    return evtstart.elapsed_time(evtend)


class Device:
    """A CUDA device; any CU_DEVICE_ATTRIBUTE_* is an attribute without that prefix."""

    @classmethod
    def from_identity(cls, identity):
        """The device with what get_device_identity gave."""
        for device in all_devices():
            if device.get_device_identity() == identity:
                return device
        raise RuntimeError(f"no such device: {identity}; CUDA_VISIBLE_DEVICES may hide it")

    def __init__(self, raw):
        self._raw = raw
        self.id = raw.id
        self.name = DeviceName(raw.name)
        self.uuid = raw.uuid
        self.compute_capability = raw.compute_capability

    def __getattr__(self, name):
        number = DEVICE_ATTRIBUTES.get(name)
        if number is None:
            raise AttributeError(name)
        return self._raw.attribute(number)

    def __dir__(self):
        return [*super().__dir__(), *DEVICE_ATTRIBUTES]

    def __repr__(self):
        return "<CUDA device %d '%s'>" % (self.id, format(self.name))

    def __eq__(self, other):
        return isinstance(other, Device) and self.id == other.id

    def __hash__(self):
        return hash((Device, self.id))

    @property
    def is_emulated(self):
        return self._raw.is_emulated

    @property
    def supports_float16(self):
        return self.compute_capability >= (5, 3)

    @property
    def supports_bfloat16(self):
        return self.compute_capability >= (8, 0)

    def get_device_identity(self):
        """Where the device is on the PCI bus."""
        return {"pci_domain_id": self.PCI_DOMAIN_ID, "pci_bus_id": self.PCI_BUS_ID,
                "pci_device_id": self.PCI_DEVICE_ID}

    def get_primary_context(self):
        return context_of(self.id)

    def release_primary_context(self):
        """Ends the context, with all that it holds."""
        self.get_primary_context()._end(True)

    def reset(self):
        """Ends the context, with all that it holds. The next use of the device makes another."""
        self.get_primary_context()._end(False)


class Context(Occupancy):
    """What a device holds for this process: memory, streams, events and loaded kernels.

    There is one for each device. When it is reset, or lost by a kernel's fault, what it held is
    gone; the next use of the device opens it anew.
    """

    def __init__(self, device):
        self.device = device
        self.extras = {}
        self._manager = None
        self._managed_generation = None
        self._previous = []
        self.modules = {}  # by their handles

    @property
    def id(self):
        return self.device.id

    @property
    def memory_manager(self):
        """The manager of the context's memory, made anew with the context."""
        generation = self.device._raw.generation
        cls = manager_class()
        if self._managed_generation != generation or type(self._manager) is not cls:
            self._manager = cls(context=self)
            self._managed_generation = generation
            self._manager.initialize()
        return self._manager

    @property
    def allocations(self):
        return self.memory_manager.allocations

    @property
    def deallocations(self):
        return self.memory_manager.deallocations

    def get_memory_info(self):
        """MemoryInfo(free, total): bytes; what pools keep for later counts as free."""
        return self.memory_manager.get_memory_info()

    def trim_memory(self, keep_bytes=0):
        """Gives memory that pools keep back to the system, but for so many bytes."""
        self.device._raw.trim(keep_bytes)

    def synchronize(self):
        self.device._raw.synchronize()

    def create_stream(self):
        return Stream()

    def create_external_stream(self, ptr):
        if not isinstance(ptr, int) or isinstance(ptr, bool):
            raise TypeError("ptr for external stream must be an int")
        if ptr < 0:
            raise ValueError("the pointer of a stream cannot be negative")
        return Stream("external", ptr)

    def create_event(self, timing=True):
        return Event(timing=timing)

    def get_default_stream(self):
        return Stream("default")

    def get_legacy_default_stream(self):
        return Stream("legacy")

    def get_per_thread_default_stream(self):
        return Stream("per-thread")

    def memalloc(self, bytesize):
        return self.memory_manager.memalloc(bytesize)

    def memallocmanaged(self, bytesize, attach_global=True):
        return self.memory_manager.memallocmanaged(bytesize, attach_global)

    def memhostalloc(self, bytesize, mapped=False, portable=False, wc=False):
        return self.memory_manager.memhostalloc(bytesize, mapped, portable, wc)

    def mempin(self, owner, pointer, size, mapped=False):
        return self.memory_manager.mempin(owner, pointer, size, mapped)

    def get_ipc_handle(self, memory):
        """The IpcHandle of a MemoryPointer or a device array."""
        return self.memory_manager.get_ipc_handle(memory)

    def open_ipc_handle(self, handle, size):
        """Memory of another process."""
        return IpcHandle(None, handle, size).open(self)

    def can_access_peer(self, peer_context):
        """Whether kernels of this device can use the memory of another."""
        return self.device._raw.can_access_peer(_device_id(peer_context))

    def enable_peer_access(self, peer_context, flags=0):
        """Lets kernels of this device use the memory of another."""
        if flags:
            raise ValueError("there are no flags for peer access: it has to be 0")
        self.device._raw.enable_peer(_device_id(peer_context))

    @contextlib.contextmanager
    def defer_cleanup(self):
        """Within it no memory is freed; at its end, what has been given up is."""
        with self.memory_manager.defer_cleanup():
            yield

    def create_module_ptx(self, ptx):
        """Loads PTX, as str or bytes."""
        return self.create_module_image(ptx)

    def create_module_image(self, image, setup_callbacks=None, teardown_callbacks=None):
        """Loads a cubin, fatbin or PTX; the callbacks are called with the Module."""
        data = image.encode() if isinstance(image, str) else bytes(image)
        with self:
            handle = _gridcell.cuda_module_load(data)
        return Module(self, handle, setup_callbacks=setup_callbacks, teardown_callbacks=teardown_callbacks)

    def unload_module(self, module):
        """Unloads a module that was loaded by create_module_image."""
        if module._is_ours:
            raise ValueError("the module of a kernel is unloaded with the kernel")
        module._call_teardown()
        self.modules.pop(module.handle, None)
        with self:
            _gridcell.cuda_module_unload(module.handle)

    def _end(self, is_closed):
        for module in list(self.modules.values()):
            if module.is_live:
                module._call_teardown()
        self.modules.clear()
        if self._manager is not None:
            manager, self._manager = self._manager, None
            manager.reset()
        self.extras.clear()
        self.device._raw.reset(is_closed)

    def reset(self):
        """Ends the context, with all that it holds. The next use of the device makes another."""
        self._end(False)

    def push(self):
        self._previous.append(_gridcell.cuda_current_device())
        _gridcell.cuda_select_device(self.device.id)

    def pop(self):
        if not self._previous:
            raise RuntimeError("the context was not pushed")
        _gridcell.cuda_select_device(self._previous.pop())

    def __enter__(self):
        self.push()
        return self

    def __exit__(self, *unused):
        self.pop()

    def __repr__(self):
        return f"<CUDA context of device {self.device.id}>"

    def __eq__(self, other):
        return isinstance(other, Context) and self.device.id == other.device.id

    def __hash__(self):
        return hash((Context, self.device.id))


def _device_id(context):
    return context if isinstance(context, int) else context.device.id


_contexts = {}


def context_of(device_id):
    """The context of a device, one object for each."""
    if device_id not in _contexts:
        _contexts.setdefault(device_id, Context(all_devices()[device_id]))
    return _contexts[device_id]


def all_devices():
    return [Device(raw) for raw in _gridcell.cuda_devices()]


class Driver:
    """The driver as a whole."""

    def get_device(self, devnum=0):
        return all_devices()[devnum]

    def get_device_count(self):
        return len(_gridcell.cuda_devices())

    def launch_kernel(self, *args, **options):
        """See launch_kernel of this module."""
        launch_kernel(*args, **options)

    def get_version(self):
        """(major, minor) of the driver's CUDA version."""
        from .runtime import driver_version
        return driver_version()

    @property
    def is_available(self):
        try:
            return bool(_gridcell.cuda_devices())
        except Exception:
            return False


driver = Driver()


def device_pointer(obj):
    """The address of a device array or MemoryPointer."""
    return obj.device_pointer_value


def is_device_memory(obj):
    return getattr(obj, "__cuda_memory__", False) or _gridcell.cuda_has_interface(obj)


def require_device_memory(obj):
    if not is_device_memory(obj):
        raise Exception("Not a CUDA memory object.")


def device_memory_size(obj):
    """Bytes of a device array or MemoryPointer."""
    return obj.size if isinstance(obj, MemoryPointer) else obj.alloc_size


def device_extents(obj):
    """The addresses of its first byte and behind its last."""
    start = device_pointer(obj)
    return start, start + device_memory_size(obj)


def host_pointer(obj):
    import numpy
    return obj if isinstance(obj, int) else numpy.asarray(obj).ctypes.data


def host_memory_size(obj):
    import numpy
    return numpy.asarray(obj).nbytes


def host_memory_extents(obj):
    """The addresses of a host array's first byte and behind its last."""
    import numpy
    return numpy.lib.array_utils.byte_bounds(obj) if hasattr(numpy.lib, "array_utils") else numpy.byte_bounds(obj)


def device_ctypes_pointer(obj):
    """The address of a device array or MemoryPointer as ctypes passes it; None is no address."""
    import ctypes
    return ctypes.c_void_p(0) if obj is None else obj.device_ctypes_pointer


def get_version():
    """(major, minor) of the driver's CUDA version."""
    return driver.get_version()


def profile_start():
    from . import devices
    devices.get_context().device._raw.profile(True)


def profile_stop():
    from . import devices
    devices.get_context().device._raw.profile(False)


@contextlib.contextmanager
def profiling():
    """Has an attached profiler record what happens in the block."""
    profile_start()
    try:
        yield
    finally:
        profile_stop()


def _bytes_at(obj, size):
    """`size` bytes of device memory, as an array."""
    require_device_memory(obj)
    if not 0 <= size <= device_memory_size(obj):
        raise ValueError(f"{size} bytes are not within the {device_memory_size(obj)} of the memory")
    owner = getattr(obj, "gpu_data", obj)
    return _gridcell.cuda_from_interface(
        {"shape": (size,), "typestr": "|u1", "data": (device_pointer(obj), False), "version": 3}, owner)


def _host_bytes(obj, size):
    import ctypes
    import numpy
    return numpy.ctypeslib.as_array((ctypes.c_uint8 * size).from_address(host_pointer(obj)))


def host_to_device(dst, src, size, stream=0):
    """Copies bytes; `src` is a host array or an address."""
    _bytes_at(dst, size).copy_to_device(_host_bytes(src, size), stream=stream)


def device_to_host(dst, src, size, stream=0):
    """Copies bytes; `dst` is a host array or an address."""
    _bytes_at(src, size).copy_to_host(_host_bytes(dst, size), stream=stream)


def device_to_device(dst, src, size, stream=0):
    """Copies bytes of device memory."""
    _bytes_at(dst, size).copy_to_device(_bytes_at(src, size), stream=stream)


def device_memset(dst, val, size, stream=0):
    """Sets bytes of device memory."""
    require_device_memory(dst)
    getattr(dst, "gpu_data", dst).view(
        device_pointer(dst) - device_pointer(getattr(dst, "gpu_data", dst))).memset(val, size, stream)


def __getattr__(name):
    if name == "Linker":  # needs numba.cuda's classes of code
        from .linker import Linker
        return Linker
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
