# SPDX-License-Identifier: MIT
"""numba.cuda.cudadrv.drvapi: the types of the CUDA driver's interface for ctypes, and its numbers."""
from ctypes import CFUNCTYPE, Structure, c_byte, c_int, c_size_t, c_uint, c_void_p

from .enums import *  # noqa: F403  (CU_DEVICE_ATTRIBUTE_* and their kin)

cu_device = c_int
cu_device_attribute = c_int
cu_context = c_void_p
cu_module = c_void_p
cu_jit_option = c_int
cu_jit_input_type = c_int
cu_function = c_void_p
cu_device_ptr = c_size_t
cu_stream = c_void_p
cu_event = c_void_p
cu_link_state = c_void_p
cu_function_attribute = c_int
cu_occupancy_b2d_size = CFUNCTYPE(c_size_t, c_int)
cu_stream_callback_pyobj = CFUNCTYPE(None, c_void_p, c_int, c_void_p)

CU_STREAM_LEGACY, CU_STREAM_PER_THREAD = 1, 2
CU_IPC_HANDLE_SIZE = 64
CU_UUID_SIZE = 16


class cu_ipc_mem_handle(Structure):
    _fields_ = [("reserved", c_byte * CU_IPC_HANDLE_SIZE)]


class cu_uuid(Structure):
    _fields_ = [("bytes", c_byte * CU_UUID_SIZE)]


cu_stream_flags = cu_event_flags = c_uint
