# SPDX-License-Identifier: MIT
"""The docstrings of numba.cuda: arguments, types, errors, one example each.

An entry begins with `=== name`; its first line is the signature. The examples are run by
tests/cuda/test_docstrings.py.
"""

_TEXT = '''
=== threadIdx
threadIdx

The thread's indices in its block: .x, .y and .z, each int32, from 0 to blockDim - 1.
Only inside kernels and device functions; on the host it has no value.

Example:
    @cuda.jit
    def number(a):
        a[cuda.threadIdx.x] = cuda.threadIdx.x

    number[1, 32](np.zeros(32))
=== blockIdx
blockIdx

The block's indices in the grid: .x, .y and .z, each int32, from 0 to gridDim - 1.
Only inside kernels and device functions; on the host it has no value.

Example:
    @cuda.jit
    def number(a):
        a[cuda.blockIdx.x] = cuda.blockIdx.x

    number[8, 1](np.zeros(8))
=== blockDim
blockDim

How many threads a block has along .x, .y and .z, each int32: the launch's second setting.
Only inside kernels and device functions; on the host it has no value.

Example:
    @cuda.jit
    def number(a):
        i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
        a[i] = i

    number[2, 16](np.zeros(32))
=== gridDim
gridDim

How many blocks the grid has along .x, .y and .z, each int32: the launch's first setting.
Only inside kernels and device functions; on the host it has no value.

Example:
    @cuda.jit
    def blocks(a):
        a[0] = cuda.gridDim.x

    blocks[4, 1](np.zeros(1))
=== grid
grid(ndim)

The thread's index in the whole grid.

ndim: 1, 2 or 3, a constant.
Gives an int64 for 1, and a tuple of 2 or 3 int64, (x, y) or (x, y, z), for more.
Raises TypingError for another ndim, and TypeError when it is called on the host.
The grid may be larger than the array: compare before use.

Example:
    @cuda.jit
    def double(a):
        i = cuda.grid(1)
        if i < a.size:
            a[i] *= 2

    double[4, 32](np.ones(100))
=== gridsize
gridsize(ndim)

How many threads the whole grid has.

ndim: 1, 2 or 3, a constant.
Gives an int64 for 1, and a tuple of 2 or 3 int64, (x, y) or (x, y, z), for more.
Raises TypingError for another ndim, and TypeError when it is called on the host.

Example:
    @cuda.jit
    def double(a):
        for i in range(cuda.grid(1), a.size, cuda.gridsize(1)):
            a[i] *= 2

    double[2, 32](np.ones(1000))
=== laneid
laneid

The thread's number in its warp, int32 from 0 to 31. Only inside kernels.

Example:
    @cuda.jit
    def lanes(a):
        a[cuda.threadIdx.x] = cuda.laneid

    lanes[1, 64](np.zeros(64))
=== shared.array
array(shape, dtype)

An array that all threads of a block use together. Its elements are not set.

shape: an int or a tuple of ints, constants; 0 for memory whose size the launch gives as its
    fourth setting, kernel[blocks, threads, stream, bytes].
dtype: a type of numba, a NumPy dtype or scalar class.
Gives a C-contiguous array in shared memory (48 KiB a block, unless the launch asks for more).
Raises TypingError when shape or dtype is not known while compiling.

Example:
    @cuda.jit
    def reverse(a):
        buffer = cuda.shared.array(32, np.float64)
        i = cuda.threadIdx.x
        buffer[i] = a[i]
        cuda.syncthreads()
        a[i] = buffer[31 - i]

    reverse[1, 32](np.arange(32.0))
=== local.array
array(shape, dtype)

An array of the thread's own. Its elements are not set.

shape: an int or a tuple of ints, constants.
dtype: a type of numba, a NumPy dtype or scalar class.
Gives a C-contiguous array, in registers where the compiler can keep it there.
Raises TypingError when shape or dtype is not known while compiling.

Example:
    @cuda.jit
    def middle(a):
        part = cuda.local.array(3, np.float64)
        for k in range(3):
            part[k] = a[k]
        a[0] = part[1]

    middle[1, 1](np.arange(3.0))
=== const.array_like
array_like(ary)

A copy of a host array in constant memory, made when the kernel is compiled.

ary: a global or closure array of the host.
Gives an array that cannot be written, of the same shape, dtype and order.
Raises TypingError when ary is not known while compiling.

Example:
    table = np.arange(4.0)

    @cuda.jit
    def look(a):
        weights = cuda.const.array_like(table)
        a[cuda.threadIdx.x] = weights[cuda.threadIdx.x]

    look[1, 4](np.zeros(4))
=== cg.this_grid
this_grid()

The group of all threads of the grid. Its method sync() waits for all of them; a kernel that
calls it is launched cooperatively, so that all its blocks run at once.

Raises an error at launch when there are more blocks than the device can hold at once.

Example:
    @cuda.jit
    def two_steps(a):
        grid = cuda.cg.this_grid()
        i = cuda.grid(1)
        a[i] = i
        grid.sync()

    two_steps[2, 32](np.zeros(64))
=== syncthreads
syncthreads()

Waits until all threads of the block are here; what they wrote to shared and global memory is
then visible to the others. Every thread of the block has to come, or none.

Raises TypeError when it is called on the host. On the emulated device, a barrier that some
threads never reach is an error.

Example:
    @cuda.jit
    def shift(a):
        buffer = cuda.shared.array(32, np.float64)
        i = cuda.threadIdx.x
        buffer[i] = a[i]
        cuda.syncthreads()
        a[i] = buffer[(i + 1) % 32]

    shift[1, 32](np.arange(32.0))
=== syncthreads_count
syncthreads_count(predicate)

Waits as syncthreads() does, and gives the number of threads whose predicate is not 0.

predicate: an integer or a bool. Gives an int32, the same in all threads.
Raises TypingError for another type.

Example:
    @cuda.jit
    def count(a, n):
        n[0] = cuda.syncthreads_count(a[cuda.threadIdx.x] > 3)

    count[1, 8](np.arange(8), np.zeros(1, np.int32))
=== syncthreads_and
syncthreads_and(predicate)

Waits as syncthreads() does, and gives 1 where the predicate is not 0 in all threads, else 0.

predicate: an integer or a bool. Gives an int32, the same in all threads.
Raises TypingError for another type.

Example:
    @cuda.jit
    def every(a, n):
        n[0] = cuda.syncthreads_and(a[cuda.threadIdx.x] > 3)

    every[1, 8](np.arange(8), np.zeros(1, np.int32))
=== syncthreads_or
syncthreads_or(predicate)

Waits as syncthreads() does, and gives 1 where the predicate is not 0 in some thread, else 0.

predicate: an integer or a bool. Gives an int32, the same in all threads.
Raises TypingError for another type.

Example:
    @cuda.jit
    def some(a, n):
        n[0] = cuda.syncthreads_or(a[cuda.threadIdx.x] > 3)

    some[1, 8](np.arange(8), np.zeros(1, np.int32))
=== syncwarp
syncwarp(mask=0xFFFFFFFF)

Waits until the lanes of the warp that mask names are here.

mask: an integer, one bit for each lane; all lanes without it.
Raises TypingError for another type.

Example:
    @cuda.jit
    def pairs(a):
        buffer = cuda.shared.array(32, np.float64)
        i = cuda.laneid
        buffer[i] = a[i]
        cuda.syncwarp()
        a[i] = buffer[i ^ 1]

    pairs[1, 32](np.arange(32.0))
=== nanosleep
nanosleep(ns)

Lets the thread sleep for about so many nanoseconds.

ns: an integer, at most 1000000. Raises TypingError for another type.

Example:
    @cuda.jit
    def wait(a):
        cuda.nanosleep(100)
        a[0] = 1

    wait[1, 1](np.zeros(1))
=== selp
selp(predicate, a, b)

a where the predicate is true, else b, without a branch.

predicate: a bool or an integer; a, b: numbers of one type, which is the result's.
Raises TypingError for other types.

Example:
    @cuda.jit
    def clip(a):
        i = cuda.grid(1)
        a[i] = cuda.selp(a[i] > 3, 3, a[i])

    clip[1, 8](np.arange(8))
=== fma
fma(a, b, c)

a * b + c, rounded once.

a, b, c: float32 or float64; the result has their type. Raises TypingError for other types.

Example:
    @cuda.jit
    def scale(a):
        i = cuda.grid(1)
        a[i] = cuda.fma(a[i], 2.0, 1.0)

    scale[1, 8](np.arange(8.0))
=== cbrt
cbrt(x)

The cube root.

x: float32 or float64; the result has its type. Raises TypingError for other types.

Example:
    @cuda.jit
    def edge(a):
        i = cuda.grid(1)
        a[i] = cuda.cbrt(a[i])

    edge[1, 8](np.arange(8.0))
=== popc
popc(x)

How many bits of an integer are set.

x: an integer of 32 or 64 bits. Gives an integer. Raises TypingError for other types.

Example:
    @cuda.jit
    def bits(a):
        i = cuda.grid(1)
        a[i] = cuda.popc(a[i])

    bits[1, 8](np.arange(8))
=== clz
clz(x)

How many zero bits an integer begins with, from its most significant bit.

x: an integer of 32 or 64 bits. Gives an integer. Raises TypingError for other types.

Example:
    @cuda.jit
    def zeros(a):
        i = cuda.grid(1)
        a[i] = cuda.clz(a[i])

    zeros[1, 8](np.arange(8))
=== ffs
ffs(x)

The number of the least significant bit that is set, counted from 1; 0 where none is.

x: an integer of 32 or 64 bits. Gives an integer. Raises TypingError for other types.

Example:
    @cuda.jit
    def first(a):
        i = cuda.grid(1)
        a[i] = cuda.ffs(a[i])

    first[1, 8](np.arange(8))
=== brev
brev(x)

The bits of an integer in reverse.

x: an integer of 32 or 64 bits; the result has its width. Raises TypingError for other types.

Example:
    @cuda.jit
    def mirror(a):
        i = cuda.grid(1)
        a[i] = cuda.brev(a[i])

    mirror[1, 8](np.arange(8))
=== activemask
activemask()

The lanes of the warp that run this very instruction, one bit each, as a uint32.

Example:
    @cuda.jit
    def lanes(a):
        a[0] = cuda.activemask()

    lanes[1, 1](np.zeros(1, np.uint32))
=== lanemask_lt
lanemask_lt()

The lanes of the warp below this one, one bit each, as a uint32.

Example:
    @cuda.jit
    def below(a):
        a[cuda.laneid] = cuda.lanemask_lt()

    below[1, 32](np.zeros(32, np.uint32))
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
=== pinned_array
pinned_array(shape, dtype=np.float64, strides=None, order='C')

A host array in page-locked memory, from which transfers are fastest.

shape: an int or a tuple of ints. dtype: a NumPy dtype. strides, order: as in np.ndarray.
Gives a NumPy array whose elements are not set. Raises MemoryError when there is no room.

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

A host array that kernels can use without a copy of it.

shape: an int or a tuple of ints. dtype: a NumPy dtype. strides, order: as in np.ndarray.
portable, wc: as in the CUDA driver; taken, and not needed.
Gives an array whose elements are not set. Raises MemoryError when there is no room.

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

An array that host and device both use; its memory moves to where it is needed.

shape: an int or a tuple of ints. dtype: a NumPy dtype. strides, order: as in np.ndarray.
Gives an array whose elements are not set. Raises MemoryError when there is no room.

Example:
    a = cuda.managed_array(10, np.float32)
    a[:] = 1
=== pinned
pinned(*arylist)

A with-block in which the memory of host arrays stays in place, for fast transfers.

arylist: NumPy arrays. Raises an error of the driver when memory cannot be locked.

Example:
    a = np.zeros(1000)
    with cuda.pinned(a):
        b = cuda.to_device(a)
=== mapped
mapped(*arylist, stream=0)

A with-block in which host arrays have device arrays; those are written back at its end.

arylist: NumPy arrays. stream: a stream in whose order to copy.
Gives a device array for one array, and a list for several.

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

A device array over the memory of an object with the CUDA array interface; nothing is copied.

obj: an array of CuPy, PyTorch and others. sync: whether to wait for the stream it names.
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
=== stream
stream()

A new stream: work given to it is done in order, beside that of other streams.

Gives a Stream, which launches, copies and events take; it has synchronize() and
auto_synchronize(). Raises CudaAPIError when the driver refuses.

Example:
    s = cuda.stream()
    a = cuda.to_device(np.zeros(3), stream=s)
    s.synchronize()
=== default_stream
default_stream()

The stream that is used where none is named. Gives a Stream.

Example:
    cuda.default_stream().synchronize()
=== legacy_default_stream
legacy_default_stream()

The default stream that waits for all others. Gives a Stream.

Example:
    cuda.legacy_default_stream().synchronize()
=== per_thread_default_stream
per_thread_default_stream()

The default stream of the calling thread. Gives a Stream.

Example:
    cuda.per_thread_default_stream().synchronize()
=== external_stream
external_stream(ptr)

A stream that another library made.

ptr: its address, an int; 0 is the default stream.
Gives a Stream. Raises TypeError when ptr is no int, NotImplementedError for a stream that
cannot be taken over.

Example:
    s = cuda.external_stream(0)
=== event
event(timing=True)

A new event: a mark in a stream, to wait for or to take the time between two.

timing: whether times are taken. Gives an Event with record(stream), wait(stream), query(),
synchronize() and elapsed_time(other). Raises CudaAPIError when the driver refuses.

Example:
    start, end = cuda.event(), cuda.event()
    start.record()
    end.record()
    end.synchronize()
    milliseconds = start.elapsed_time(end)
=== event_elapsed_time
event_elapsed_time(evtstart, evtend)

The time between two events that were recorded and reached, in milliseconds.

Gives a float. Raises CudaAPIError when one was not recorded or has no timing.

Example:
    start, end = cuda.event(), cuda.event()
    start.record()
    end.record()
    end.synchronize()
    milliseconds = cuda.event_elapsed_time(start, end)
=== synchronize
synchronize()

Waits until the current device has done all work that was given to it.

Raises what a kernel has raised meanwhile, and CudaAPIError when the device failed.

Example:
    cuda.synchronize()
=== list_devices
list_devices()

All devices, as a list. Raises CudaSupportError where CUDA cannot be used.

Example:
    names = [device.name for device in cuda.list_devices()]
=== get_current_device
get_current_device()

The device that this thread uses: with name, compute_capability and attributes such as
WARP_SIZE and MULTIPROCESSOR_COUNT. Raises CudaSupportError where CUDA cannot be used.

Example:
    device = cuda.get_current_device()
    warp = device.WARP_SIZE
=== current_context
current_context(devnum=None)

The context of a device.

devnum: its number; None for the current one. Gives a Context, with get_memory_info() and
synchronize(). Raises CudaSupportError where CUDA cannot be used.

Example:
    free, total = cuda.current_context().get_memory_info()
=== select_device
select_device(device_id)

Makes a device the current one of this thread.

device_id: its number, from 0. Gives the device. Raises an error for a number that no device has.

Example:
    device = cuda.select_device(0)
=== close
close()

Waits for the current device and forgets that it was selected.

Example:
    cuda.close()
=== detect
detect()

Prints which CUDA devices there are and what they can do.

Gives True when one can be used. Raises CudaSupportError where CUDA cannot be used.

Example:
    cuda.detect()
=== is_available
is_available()

Whether there is a device: a GPU, or the emulated one. Gives a bool, and never raises.

Example:
    if not cuda.is_available():
        print(cuda.cuda_error())
=== cuda_error
cuda_error()

What kept CUDA from starting: an exception, or None where nothing did.

Example:
    assert cuda.cuda_error() is None
=== is_supported_version
is_supported_version()

Whether this version of CUDA is supported. Gives True: the driver decides.

Example:
    assert cuda.is_supported_version()
=== is_float16_supported
is_float16_supported()

Whether kernels can compute with float16. Gives a bool.

Example:
    assert cuda.is_float16_supported()
=== is_bfloat16_supported
is_bfloat16_supported()

Whether the current device computes with bfloat16. Gives a bool.

Example:
    supported = cuda.is_bfloat16_supported()
=== defer_cleanup
defer_cleanup()

A with-block in which no memory of the device is given back that would make it wait.

Example:
    with cuda.defer_cleanup():
        a = cuda.device_array(3)
=== profile_start
profile_start()

Where a profiler begins to watch. Without one it does nothing.

Example:
    cuda.profile_start()
=== profile_stop
profile_stop()

Where a profiler stops to watch. Without one it does nothing.

Example:
    cuda.profile_stop()
=== profiling
profiling()

A with-block that a profiler watches. Without one it does nothing.

Example:
    with cuda.profiling():
        cuda.synchronize()
=== jit
jit(func_or_sig=None, device=False, inline='never', link=[], debug=None, opt=None, cache=False, **kws)

Compiles a function for CUDA devices: a kernel, or with device=True a function for kernels.

func_or_sig: the function; or a signature, or a list of them, to compile at once: as text
    'void(float32[:], int32)' or as types. Without one, a launch compiles for its arguments.
device: for functions that kernels call. inline: 'always' or 'never', of device functions.
debug: raise exceptions in threads, and check indices. opt: False for no optimisation.
cache: keep machine code on disk. lineinfo, fastmath, max_registers, launch_bounds: as in CUDA.
Gives a dispatcher; kernel[blocks, threads, stream, shared_bytes](arguments) launches it.
Raises TypingError when the function has no meaning for the types, UnsupportedError for what
cannot be compiled, NotImplementedError for an unknown option.

Example:
    @cuda.jit
    def add(a, b, out):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = a[i] + b[i]

    out = np.zeros(100)
    add[4, 32](np.ones(100), np.ones(100), out)
=== compile_ptx
compile_ptx(pyfunc, sig, debug=None, lineinfo=False, device=False, fastmath=False, cc=None, opt=None)

The PTX of a kernel, without a device.

pyfunc: the function. sig: its signature. cc: the compute capability, such as (8, 0).
Gives (PTX, return type). Raises TypingError as jit does.

Example:
    def fill(a):
        a[cuda.grid(1)] = 1

    ptx, returns = cuda.compile_ptx(fill, "void(float64[:])", cc=(8, 0))
'''


_ATOMIC = {
    "add": "Adds val", "sub": "Subtracts val", "max": "Keeps the larger; where one is NaN, nothing is stored",
    "min": "Keeps the smaller; where one is NaN, nothing is stored",
    "nanmax": "Keeps the larger; NaN counts as missing",
    "nanmin": "Keeps the smaller; NaN counts as missing", "and_": "Bitwise and with val",
    "or_": "Bitwise or with val", "xor": "Bitwise exclusive or with val", "exch": "Stores val",
    "inc": "Adds 1 up to val, and goes on from 0", "dec": "Subtracts 1 down to 0, and goes on from val"}

_ATOMIC_TYPES = {"add": "(u)int32, (u)int64, float32 or float64", "sub": "(u)int32, (u)int64, float32 or float64",
                 "max": "(u)int32, (u)int64, float32 or float64", "min": "(u)int32, (u)int64, float32 or float64",
                 "nanmax": "(u)int32, (u)int64, float32 or float64",
                 "nanmin": "(u)int32, (u)int64, float32 or float64", "inc": "uint32 or uint64",
                 "dec": "uint32 or uint64"}


def _atomics():
    for name, what in _ATOMIC.items():
        types = _ATOMIC_TYPES.get(name, "int32, uint32, int64 or uint64")
        yield f"atomic.{name}", f"""{name}(ary, idx, val)

{what}, at ary[idx], so that no other thread comes in between.

ary: an array of {types}, in global or shared memory.
idx: an int, or a tuple with one for each axis. val: a number of ary's type.
Gives the value that was there before. Raises TypingError for other types.

Example:
    @cuda.jit
    def update(a):
        cuda.atomic.{name}(a, 0, 3)

    update[1, 32](np.ones(1, np.uint32))
"""
    yield "atomic.cas", """cas(ary, idx, old, val)

Stores val at ary[idx] if old is there, so that no other thread comes in between.

ary: an array of int32, uint32, int64 or uint64. idx: an int, or a tuple with one for each axis.
Gives the value that was there before. Raises TypingError for other types.

Example:
    @cuda.jit
    def take(lock):
        cuda.atomic.cas(lock, 0, 0, 1)

    take[1, 32](np.zeros(1, np.int32))
"""
    yield "atomic.compare_and_swap", """compare_and_swap(ary, old, val)

Stores val in ary[0] if old is there, so that no other thread comes in between.

ary: an array of int32, uint32, int64 or uint64, of one axis.
Gives the value that was there before. Raises TypingError for other types.

Example:
    @cuda.jit
    def take(lock):
        cuda.atomic.compare_and_swap(lock, 0, 1)

    take[1, 32](np.zeros(1, np.int32))
"""


_WARP = {
    "shfl_sync": ("mask, value, src_lane", "The value that lane src_lane has", "0xFFFFFFFF, a[i], 0"),
    "shfl_up_sync": ("mask, value, delta", "The value of the lane delta below this one", "0xFFFFFFFF, a[i], 1"),
    "shfl_down_sync": ("mask, value, delta", "The value of the lane delta above this one", "0xFFFFFFFF, a[i], 1"),
    "shfl_xor_sync": ("mask, value, lane_mask", "The value of the lane whose number is this one's ^ lane_mask",
                      "0xFFFFFFFF, a[i], 1"),
    "all_sync": ("mask, predicate", "True where the predicate holds in all lanes of mask", "0xFFFFFFFF, a[i] > 3"),
    "any_sync": ("mask, predicate", "True where the predicate holds in some lane of mask", "0xFFFFFFFF, a[i] > 3"),
    "eq_sync": ("mask, predicate", "True where the predicate is the same in all lanes of mask",
                "0xFFFFFFFF, a[i] > 3"),
    "ballot_sync": ("mask, predicate", "A bit for each lane of mask in which the predicate holds, as a uint32",
                    "0xFFFFFFFF, a[i] > 3"),
    "match_any_sync": ("mask, value", "The lanes of mask that have the same value, one bit each, as a uint32",
                       "0xFFFFFFFF, a[i]"),
}


def _warp_functions():
    for name, (parameters, what, arguments) in _WARP.items():
        yield name, f"""{name}({parameters})

{what}.

mask: an integer, one bit for each lane that takes part; those all have to call.
Values are int32, int64, float32 or float64; predicates are bools or integers.
Raises TypingError for other types.

Example:
    @cuda.jit
    def exchange(a):
        i = cuda.laneid
        a[i] = cuda.{name}({arguments})

    exchange[1, 32](np.arange(32))
"""
    yield "match_all_sync", """match_all_sync(mask, value)

Whether all lanes of mask have the same value.

mask: an integer, one bit for each lane that takes part; those all have to call.
value: int32, int64, float32 or float64.
Gives (lanes, bool): mask and True where they have, else 0 and False. Raises TypingError for
other types.

Example:
    @cuda.jit
    def agree(a):
        lanes, same = cuda.match_all_sync(0xFFFFFFFF, a[0])
        a[0] = lanes

    agree[1, 32](np.zeros(1, np.int64))
"""
    yield "vote_sync_intrinsic", """vote_sync_intrinsic(mask, mode, predicate)

A vote of the lanes of mask.

mode: an integer; 0 all, 1 any, 2 and 3 the same. predicate: a bool or an integer.
Gives (ballot as an int32, whether it holds). Raises TypingError for other types.

Example:
    @cuda.jit
    def vote(a):
        ballot, holds = cuda.vote_sync_intrinsic(0xFFFFFFFF, 0, a[cuda.laneid] > 3)
        a[0] = ballot

    vote[1, 32](np.arange(32))
"""


_FENCES = {"threadfence": "of the device", "threadfence_block": "of the block",
           "threadfence_system": "of the device, of other devices and of the host"}


def _fences():
    for name, whom in _FENCES.items():
        yield name, f"""{name}()

Orders memory: threads {whom} see what this thread wrote before it ahead of what it writes
after it. It waits for no thread.

Example:
    @cuda.jit
    def publish(a, ready):
        a[0] = 42
        cuda.{name}()
        ready[0] = 1

    publish[1, 1](np.zeros(1), np.zeros(1))
"""


_CACHE = {"ldca": "cached at all levels", "ldcg": "cached in L2 only", "ldcs": "likely to be read once",
          "ldlu": "read for the last time", "ldcv": "not cached, read again each time",
          "stwb": "written back from all levels", "stcg": "cached in L2 only", "stcs": "likely to be written once",
          "stwt": "written through to memory"}


def _cache_hints():
    for name, how in _CACHE.items():
        loads = name.startswith("ld")
        call = f"a[0] = cuda.{name}(a, 1)" if loads else f"cuda.{name}(a, 0, 3.0)"
        yield name, f"""{name}(array, i{"" if loads else ", value"})

{"Loads" if loads else "Stores"} an element: {how}.

array: an array of integers or floats in global memory. i: an int, or a tuple with one for each axis.
{"Gives the element." if loads else "value: a number of the array's type."} Raises TypingError for other types.

Example:
    @cuda.jit
    def touch(a):
        {call}

    touch[1, 1](np.ones(2))
"""


_FP16 = {2: ("hadd hsub hmul hdiv heq hne hgt hge hlt hle hmax hmin", "a, b"),
         1: ("hneg habs hsin hcos hlog hlog2 hlog10 hexp hexp2 hexp10 hfloor hceil hrint htrunc "
             "hsqrt hrsqrt hrcp", "a"), 3: ("hfma", "a, b, c")}


def _half_functions(summaries):
    for names, parameters in _FP16.values():
        arguments = ", ".join("a[1]" for _ in parameters.split(","))
        for name in names.split():
            result = "a bool" if name in ("heq", "hne", "hgt", "hge", "hlt", "hle") else "a float16"
            yield f"fp16.{name}", f"""{name}({parameters})

{summaries(name)}

{parameters}: float16. Gives {result}. Raises TypingError for other types.

Example:
    @cuda.jit
    def compute(a):
        a[0] = cuda.fp16.{name}({arguments})

    compute[1, 1](np.ones(2, np.float16))
"""


def _entries(namespace):
    for entry in _TEXT.split("\n=== ")[1:]:
        name, _, text = entry.partition("\n")
        yield name, text
    yield from _atomics()
    yield from _warp_functions()
    yield from _fences()
    yield from _cache_hints()
    half = namespace["fp16"]
    yield from _half_functions(lambda name: getattr(half, name).__doc__)


def describe(namespace):
    """Gives every name in the namespace of numba.cuda its docstring."""
    for path, text in _entries(namespace):
        root, _, member = path.partition(".")
        owner = namespace[root]
        target = getattr(owner, member) if member else owner
        target.__doc__ = text.rstrip("\n")
