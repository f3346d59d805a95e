# SPDX-License-Identifier: MIT
"""Docstrings of streams, events and devices; see documentation.py."""

TEXT = '''
=== stream
stream()

A new stream: work given to it is done in order, beside that of other streams.

Gives a Stream, which launches, copies and events take; it has synchronize(), query(),
auto_synchronize(), add_callback(function, arg) and async_done(), which can be awaited.
Raises CudaAPIError when the driver refuses.

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

A stream that another library made. It stays that library's, which has to keep it.

ptr: its address, an int. Gives a Stream. Raises TypeError when ptr is no int.

Example:
    s = cuda.external_stream(int(cuda.stream()))
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

devnum: its number; None for the current one. Gives a Context, with get_memory_info(),
synchronize(), reset(), trim_memory(keep_bytes), memory_manager, can_access_peer(device) and
enable_peer_access(device). Raises CudaSupportError where CUDA cannot be used, IndexError for a
number that no device has.

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

Ends the contexts of all devices: their work is waited for, and device arrays, streams and events
made before cannot be used any more. Kernels can: the next use of a device opens it anew. On
another thread than the main one, only that thread's choice of a device is forgotten.

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
=== is_fp8_supported
is_fp8_supported()

Whether the current device computes with floats of 8 bits. Gives a bool.

Example:
    supported = cuda.is_fp8_supported()
=== defer_cleanup
defer_cleanup()

A with-block in which no memory of the device is freed; what is given up in it is freed at its end.

Example:
    with cuda.defer_cleanup():
        a = cuda.device_array(3)
        del a
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
'''
