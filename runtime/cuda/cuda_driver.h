// SPDX-License-Identifier: MIT
// NVIDIA's driver library, loaded at its first use; our own declarations of what we call.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

// The driver's handles.
struct cuda_context;
struct cuda_stream;
struct cuda_event;
struct cuda_module;
struct cuda_function;
struct cuda_pool;
struct cuda_link;

// How another process opens memory.
struct cuda_ipc_handle {
    unsigned char bytes[64];
};

// Results that we tell apart.
enum cuda_result {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_NOT_INITIALIZED = 3,
    CUDA_ERROR_NO_DEVICE = 100,
    CUDA_ERROR_INVALID_CONTEXT = 201,
    CUDA_ERROR_ECC_UNCORRECTABLE = 214,
    CUDA_ERROR_NOT_READY = 600,
    CUDA_ERROR_ILLEGAL_ADDRESS = 700,
    CUDA_ERROR_LAUNCH_TIMEOUT = 702,
    CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED = 704,
    CUDA_ERROR_CONTEXT_IS_DESTROYED = 709,
    CUDA_ERROR_ASSERT = 710,
    CUDA_ERROR_HARDWARE_STACK_ERROR = 714,
    CUDA_ERROR_ILLEGAL_INSTRUCTION = 715,
    CUDA_ERROR_MISALIGNED_ADDRESS = 716,
    CUDA_ERROR_INVALID_ADDRESS_SPACE = 717,
    CUDA_ERROR_INVALID_PC = 718,
    CUDA_ERROR_LAUNCH_FAILED = 719,
};

enum cuda_device_attribute {
    CUDA_DEVICE_CONCURRENT_MANAGED_ACCESS = 89,
    CUDA_DEVICE_MEMORY_POOLS_SUPPORTED = 115,
};

enum cuda_pool_attribute {
    CUDA_POOL_RELEASE_THRESHOLD = 4,
    CUDA_POOL_RESERVED_BYTES = 5,
    CUDA_POOL_USED_BYTES = 7,
};

// CUmemAccessDesc
enum { CUDA_PLACE_DEVICE = 1, CUDA_ACCESS_READ_WRITE = 3 };
struct cuda_pool_access {
    struct {
        int kind, number;
    } place;
    int rights;
};

enum cuda_function_attribute {
    CUDA_FUNCTION_MAX_DYNAMIC_SHARED_BYTES = 8,
    CUDA_FUNCTION_SHARED_CARVEOUT = 9,
};

enum cuda_event_flag {
    CUDA_EVENT_DISABLE_TIMING = 2,
};

enum cuda_pointer_attribute {
    CUDA_POINTER_MEMORY_TYPE = 2,
};

enum cuda_host_alloc_flag {
    CUDA_HOST_ALLOC_PORTABLE = 1,
    CUDA_HOST_ALLOC_MAPPED = 2,
    CUDA_HOST_ALLOC_WRITE_COMBINED = 4,
};

enum cuda_host_register_flag {
    CUDA_HOST_REGISTER_PORTABLE = 1,
    CUDA_HOST_REGISTER_MAPPED = 2,
};

enum cuda_attach_flag {
    CUDA_ATTACH_GLOBAL = 1,
    CUDA_ATTACH_HOST = 2,
};

enum cuda_ipc_flag {
    CUDA_IPC_LAZY_PEER_ACCESS = 1,
};

enum cuda_link_input {
    CUDA_LINK_CUBIN = 0,
    CUDA_LINK_PTX = 1,
    CUDA_LINK_FATBIN = 2,
    CUDA_LINK_OBJECT = 3,
    CUDA_LINK_ARCHIVE = 4,
};

enum cuda_jit_option {
    CUDA_JIT_INFO_LOG = 3,
    CUDA_JIT_INFO_LOG_BYTES = 4,
    CUDA_JIT_ERROR_LOG = 5,
    CUDA_JIT_ERROR_LOG_BYTES = 6,
    CUDA_JIT_OPTIMIZATION_LEVEL = 7,
    CUDA_JIT_DEBUG_INFO = 11,
};

struct cuda_driver {
#define CUDA_FUNCTION(name, symbol, params) int(*name) params;
#include "runtime/cuda/cuda_driver.def"
#undef CUDA_FUNCTION
};

// Filled in by cuda_driver_load, constant afterwards.
extern struct cuda_driver cuda_driver;

// Loads libcuda and initialises it, once. False with ERROR_DEVICE_SUPPORT when there is
// none or it lacks an entry point, with ERROR_DEVICE when it does not initialise. Any
// thread.
bool cuda_driver_load(struct error *err);
// Fails in a process that was forked after the driver had been loaded: it cannot use it.
bool cuda_driver_is_usable(struct error *err);
// Whether there is a library to load at all; the same as cuda_driver_load otherwise.
bool cuda_driver_exists(void);

// The newest PTX (90 for 9.0) that a driver of cuDriverGetVersion's `version` takes.
int cuda_driver_ptx_version(int version);

// Records a driver call that failed, in numba's words: `call` is its text, up to the "("
// its name.
bool cuda_check(int result, const char *call, struct error *err);

// if (!CUDA_CALL(err, cuMemAlloc(&address, size))) ...
#define CUDA_CALL(err, call) cuda_check(cuda_driver.call, #call, (err))
