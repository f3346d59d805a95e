# SPDX-License-Identifier: MIT
"""numba.cuda.cudadrv.driver: devices, contexts, streams and events as classes."""
import collections
import contextlib

from gridcell import _gridcell

from .enums import DEVICE_ATTRIBUTES
from .error import CudaDriverError, CudaSupportError

MemoryPointer = _gridcell.MemoryPointer
MemoryInfo = collections.namedtuple("MemoryInfo", "free total")


class CudaAPIError(CudaDriverError):
    """A call of the driver failed: its code and text."""
    __module__ = "numba.cuda.cudadrv.driver"

    def __init__(self, code, msg):
        self.code = code
        self.msg = msg
        super().__init__(code, msg)

    def __str__(self):
        return "[%s] %s" % (self.code, self.msg)


class LinkerError(RuntimeError):
    pass


class DeviceName(str):
    """A device's name. Prints as the bytes that it was in older releases, and decodes as they do."""

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

    @contextlib.contextmanager
    def auto_synchronize(self):
        """Waits for the stream when the block ends."""
        yield self
        self.synchronize()

    def add_callback(self, callback, arg=None):
        """Calls callback(stream, status, arg) once the work queued so far is done."""
        import threading
        marker = Event(timing=False)
        marker.record(self)

        def wait():
            try:
                marker.synchronize()
                callback(self, 0, arg)
            except Exception as error:
                import warnings
                warnings.warn(f"Exception in stream callback: {error}")

        if self.query():
            wait()
        else:
            threading.Thread(target=wait, daemon=True).start()

    def async_done(self):
        """An awaitable that is done with the work queued so far."""
        import asyncio
        loop = asyncio.get_running_loop()
        future = loop.create_future()

        def resolve(stream, status, _):
            loop.call_soon_threadsafe(
                lambda: future.done() or future.set_result(stream))

        self.add_callback(resolve)
        return future


class Event(_gridcell.RawEvent):
    """A point in a stream's work."""
    __module__ = "numba.cuda.cudadrv.driver"

    @property
    def handle(self):
        return id(self)


def event_elapsed_time(evtstart, evtend):
    """Milliseconds between two recorded events."""
    return evtstart.elapsed_time(evtend)


class Device:
    """A CUDA device; any CU_DEVICE_ATTRIBUTE_* is an attribute without that prefix."""

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

    def get_primary_context(self):
        return Context(self)

    def release_primary_context(self):
        self._raw.synchronize()

    def reset(self):
        self._raw.synchronize()


class Context:
    """What a device holds for this process."""

    def __init__(self, device):
        self.device = device

    @property
    def id(self):
        return self.device.id

    def get_memory_info(self):
        return MemoryInfo(*self.device._raw.memory_info())

    def synchronize(self):
        self.device._raw.synchronize()

    def create_stream(self):
        return Stream()

    def create_event(self, timing=True):
        return Event(timing=timing)

    def get_default_stream(self):
        return Stream(is_default=True)

    def reset(self):
        self.synchronize()

    def push(self):
        self._previous = _gridcell.cuda_current_device()
        _gridcell.cuda_select_device(self.device.id)

    def pop(self):
        _gridcell.cuda_select_device(self._previous)

    def memhostalloc(self, bytesize, *args, **kwargs):
        return bytearray(bytesize)

    def __enter__(self):
        self.push()
        return self

    def __exit__(self, *unused):
        self.pop()

    def __repr__(self):
        return f"<CUDA context of device {self.device.id}>"


def all_devices():
    return [Device(raw) for raw in _gridcell.cuda_devices()]


class Driver:
    """The driver as a whole."""

    def get_device(self, devnum=0):
        return all_devices()[devnum]

    def get_device_count(self):
        return len(_gridcell.cuda_devices())

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
    return obj.device_pointer_value


def is_device_memory(obj):
    return hasattr(obj, "__cuda_array_interface__")


def device_memory_size(obj):
    return obj.alloc_size


def host_pointer(obj):
    import numpy
    return numpy.asarray(obj).ctypes.data
