# SPDX-License-Identifier: MIT
"""Docstrings of arrays, memory and memory managers; see documentation.py."""

TEXT = '''
=== to_device
to_device(obj, stream=0, copy=True, to=None)

Copies a host array to the device.

obj: an array, a number, or what np.asarray takes; contiguous arrays are copied as they lie.
stream: a stream in whose order to copy; 0 for the default stream, which is waited for.
copy: False allocates without copying.
to: a DeviceNDArray of the same shape and dtype to fill instead of a new one.
Gives a DeviceNDArray. Raises MemoryError or CudaAPIError when the device has no room,
ValueError when `to` does not fit.

Example:
    a = cuda.to_device(np.arange(10))
    b = a.copy_to_host()
=== device_array
device_array(shape, dtype=np.float64, strides=None, order='C', stream=0)

A new array on the device; its elements are not set.

shape: an int or a tuple of ints. dtype: a NumPy dtype.
strides: a tuple of bytes for each axis; None for none but the order, 'C' or 'F'.
stream: a stream in whose order the memory is used.
Gives a DeviceNDArray. Raises MemoryError or CudaAPIError when the device has no room,
ValueError for a negative shape.

Example:
    a = cuda.device_array((3, 4), np.float32)
=== device_array_like
device_array_like(ary, stream=0)

A new array on the device with the shape, dtype and order of another; its elements are not set.

ary: an array of the host or of the device. stream: a stream in whose order it is used.
Gives a DeviceNDArray. Raises MemoryError or CudaAPIError when the device has no room.

Example:
    a = cuda.device_array_like(np.zeros((3, 4), order="F"))
=== from_dlpack
from_dlpack(obj, *, copy=None)

A device array over the memory of an object with DLPack: an array of another library on a CUDA device.

obj: an object with __dlpack__ and __dlpack_device__, or a capsule that nobody has taken. copy: True
for an array of its own.
Gives a DeviceNDArray, read-only where the object says so; the object's memory lives on with it. Other
libraries take device arrays likewise; np.from_dlpack(array, device="cpu") makes a copy on the host.
Kernels take such objects as they are. Raises TypeError for an object without the protocol, BufferError
for one of the host.

Example:
    a = cuda.to_device(np.arange(10))
    b = cuda.from_dlpack(a.__dlpack__())
    assert b.device_pointer_value == a.device_pointer_value
=== pinned_array
pinned_array(shape, dtype=np.float64, strides=None, order='C')

A host array in page-locked memory, from which transfers are fastest, and need not be waited for
when they are given a stream.

shape: an int or a tuple of ints. dtype: a NumPy dtype. strides, order: as in np.ndarray.
Gives a NumPy array whose elements are not set; its memory goes with the last array over it.
Raises CudaAPIError when there is no room, ValueError for negative lengths.

Example:
    a = cuda.pinned_array(1000, np.float32)
    b = cuda.to_device(a)
=== pinned_array_like
pinned_array_like(ary)

A pinned_array with the shape, dtype and order of another array.

ary: an array. Gives a NumPy array whose elements are not set. Raises MemoryError when there
is no room.

Example:
    a = cuda.pinned_array_like(np.zeros(10))
=== mapped_array
mapped_array(shape, dtype=np.float64, strides=None, order='C', stream=0, portable=False, wc=False)

A host array that kernels use where it lies: nothing is copied. Wait for a kernel before you look
at what it wrote.

shape: an int or a tuple of ints. dtype: a NumPy dtype. strides, order: as in np.ndarray.
stream: what copy_to_host() waits for. portable: taken; all devices can use the memory in any case.
wc: memory that the host writes fast and reads slowly (write-combined).
Gives a MappedNDArray, a NumPy array whose elements are not set; views of it are mapped, too.
After its context has ended it is a host array like any other, except with wc=True: then its
memory has gone with the context. Raises CudaAPIError when there is no room.

Example:
    a = cuda.mapped_array(10, np.float32)
    a[:] = 1
=== mapped_array_like
mapped_array_like(ary, stream=0, portable=False, wc=False)

A mapped_array with the shape, dtype and order of another array.

ary: an array. Gives an array whose elements are not set. Raises MemoryError when there is
no room.

Example:
    a = cuda.mapped_array_like(np.zeros(10))
=== managed_array
managed_array(shape, dtype=np.float64, strides=None, order='C', stream=0, attach_global=True)

An array that host and device both use; its memory moves to where it is needed. Wait for a kernel
before you look at what it wrote.

shape: an int or a tuple of ints. dtype: a NumPy dtype. strides, order: as in np.ndarray.
attach_global: False keeps other streams' kernels from using it at first.
Gives a ManagedNDArray, a NumPy array whose elements are not set. On a GPU its memory goes with
the context. Raises CudaAPIError when there is no room.

Example:
    a = cuda.managed_array(10, np.float32)
    a[:] = 1
=== pinned
pinned(*arylist)

A with-block in which the memory of host arrays stays in place, for fast transfers.

arylist: NumPy arrays, of any layout; memory that is pinned already stays so. Raises CudaAPIError
when memory cannot be locked, TypeError for what is no NumPy array.

Example:
    a = np.zeros(1000)
    with cuda.pinned(a):
        b = cuda.to_device(a)
=== mapped
mapped(*arylist, stream=0)

A with-block in which kernels use host arrays where they lie, through device arrays. At its end
the work of the device is waited for, and the device arrays cannot be used any more.

arylist: contiguous NumPy arrays. stream: what the device arrays are bound to.
Gives a device array for one array, and a list for several. Raises ValueError for an array with
gaps, CudaAPIError when memory cannot be locked or is locked already.

Example:
    a = np.zeros(4)
    with cuda.mapped(a) as b:
        b[0] = 1.0
=== is_cuda_array
is_cuda_array(obj)

Whether an object has the CUDA array interface, as arrays of CuPy and PyTorch have.

Gives a bool, and never raises.

Example:
    assert cuda.is_cuda_array(cuda.device_array(3))
=== as_cuda_array
as_cuda_array(obj, sync=True)

A device array over the memory of an object with the CUDA array interface, or else DLPack; nothing is
copied.

obj: an array of CuPy, PyTorch and others. sync: whether to wait for the stream it names, unless
NUMBA_CUDA_ARRAY_INTERFACE_SYNC is 0; the array is bound to that stream.
Gives a DeviceNDArray. Raises TypeError for an object without the interface.

Example:
    a = cuda.as_cuda_array(cuda.device_array(3))
=== from_cuda_array_interface
from_cuda_array_interface(desc, owner=None, sync=True)

A device array over the memory that a dict of the CUDA array interface describes.

desc: the dict, with shape, typestr, data and version. owner: what keeps the memory alive.
Gives a DeviceNDArray. Raises KeyError, TypeError or ValueError for a dict that is not right.

Example:
    a = cuda.device_array(3)
    b = cuda.from_cuda_array_interface(a.__cuda_array_interface__, owner=a)
=== open_ipc_array
open_ipc_array(handle, shape, dtype, strides=None, offset=0)

A with-block in which device memory of another process is a device array here. For whole arrays,
get_ipc_handle() of a device array is simpler: what it gives is pickled, and opened by `with`.

handle: the 64 bytes of the handle. shape, dtype, strides: of the array. offset: where it begins,
in bytes. Raises CudaAPIError for a handle that cannot be opened; a process cannot open its own.

Example:
    handle = cuda.device_array(10).get_ipc_handle()
    # in another process that got `handle`:
    # with handle as a:
    #     kernel[1, 10](a)
=== IpcHandle
IpcHandle(base, handle, size, source_info=None, offset=0)

Device memory as another process opens it. get_ipc_handle() makes it; it can be pickled.

open(context) gives a MemoryPointer, open_array(context, shape, dtype, strides) a device array,
close() ends their use. The memory stays only as long as the process that owns it keeps it.

Example:
    handle = cuda.current_context().get_ipc_handle(cuda.device_array(10).gpu_data)
=== set_memory_manager
set_memory_manager(mm_plugin)

Has the memory of device arrays given by a class of your own, in this process and from now on. The
environment variable NUMBA_CUDA_MEMORY_MANAGER does so with the attribute _numba_memory_manager of
the module that it names.

mm_plugin: a class with the interface of BaseCUDAMemoryManager, made once for each context. Raises
RuntimeError when its interface_version is not 1.

Example:
    from numba.cuda.cudadrv import driver

    class Counting(cuda.GetIpcHandleMixin, cuda.HostOnlyCUDAMemoryManager):
        interface_version = 1
        allocated = 0

        def initialize(self):
            pass

        def memalloc(self, size):
            Counting.allocated += size
            memory = driver.NumbaCUDAMemoryManager(context=self.context).memalloc(size)
            return cuda.MemoryPointer(self.context, memory.device_pointer, size, owner=memory)

        def get_memory_info(self):
            return cuda.MemoryInfo(*self.context.device._raw.memory_info())

    cuda.set_memory_manager(Counting)
    a = cuda.device_array(100)
    cuda.set_memory_manager(driver.NumbaCUDAMemoryManager)
    assert Counting.allocated == 800
=== BaseCUDAMemoryManager
BaseCUDAMemoryManager(*args, context)

What a memory manager has to have: memalloc, memhostalloc, mempin, initialize, get_ipc_handle,
get_memory_info, reset, defer_cleanup and interface_version. Most derive from
HostOnlyCUDAMemoryManager, which has all that concerns host memory.

Example:
    assert issubclass(cuda.HostOnlyCUDAMemoryManager, cuda.BaseCUDAMemoryManager)
=== HostOnlyCUDAMemoryManager
HostOnlyCUDAMemoryManager(*args, context)

What managers of device memory derive from: host memory and deferred frees are dealt with here.
What is left is initialize, memalloc, get_ipc_handle (GetIpcHandleMixin has it), get_memory_info
and interface_version; cuda.set_memory_manager shows one.

Example:
    assert issubclass(cuda.HostOnlyCUDAMemoryManager, cuda.BaseCUDAMemoryManager)
=== GetIpcHandleMixin
GetIpcHandleMixin()

get_ipc_handle for memory managers whose memory the driver itself can export.

Example:
    assert hasattr(cuda.GetIpcHandleMixin, "get_ipc_handle")
=== MemoryPointer
MemoryPointer(context, pointer, size, owner=None, finalizer=None)

Device memory, as the gpu_data of a device array and as memory managers give it.

context: of the device. pointer: an address, as an int or a ctypes object. size: bytes.
owner: what keeps the memory. finalizer: called without arguments when nobody uses it any more.
Has device_pointer, device_pointer_value, size, view(start, stop), memset(byte, count, stream) and
free(). Raises CudaAPIError when it is used after its context has ended.

Example:
    a = cuda.to_device(np.zeros(4))
    a.gpu_data.memset(255, 8)
    assert np.isnan(a[0])
=== PinnedMemory
PinnedMemory(size, wc=False)

Page-locked host memory. NumPy arrays lie over it as over any buffer; cuda.pinned_array makes both.

size: bytes. wc: write-combined. Raises CudaAPIError when there is no room.

Example:
    a = np.frombuffer(cuda.PinnedMemory(80), np.float64)
=== MappedMemory
MappedMemory(size, wc=False)

Page-locked host memory that kernels use where it lies; cuda.mapped_array makes an array over it.

size: bytes. wc: write-combined. Raises CudaAPIError when there is no room.

Example:
    a = np.frombuffer(cuda.MappedMemory(80), np.float64)
=== MemoryInfo
MemoryInfo(free, total)

Bytes of device memory: what a memory manager's get_memory_info gives.

Example:
    free, total = cuda.current_context().get_memory_info()
'''
