// SPDX-License-Identifier: MIT
// Kernels: PTX into the driver, argument blocks into kernel parameters, launches.
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "compiler/ir/ir.h"
#include "runtime/cuda/cubin_cache.h"
#include "runtime/cuda/cuda_device.h"

enum {
    LOG_BYTES = 8192,
    DEFAULT_SHARED_BYTES = 48 * 1024, // that a block may have without asking for more
    MAX_PARAMS = 1024,                // 4 KiB of 4-byte parameters
};

// Belongs to the context of `generation`: in a later one the module is no more, and the
// kernel is loaded anew (the compiled code stays).
struct device_kernel {
    uint64_t generation; // of the context that holds the module
    struct cuda_module *module;
    struct cuda_function *function;
    struct cuda_function *joined; // the entry that runs several blocks in one, or NULL
    int joined_threads;           // that a block of it may have
    const struct compiled *compiled;
    const char *name;           // the compiled's
    uint64_t error_address;     // of its struct abi_gpu_error; 0: it raises nothing
    uint64_t control_address;   // of its struct abi_gpu_control; 0: it polls nothing
    uint64_t observed_address;  // of its COUNTED_VARIABLE; 0: nobody observes it
    VEC(size_t) offsets;        // of each kernel parameter in the argument block
    atomic_size_t shared_bytes; // of dynamic shared memory that the driver knows of
};

static void add_offset(void *context, size_t offset, size_t size_bytes)
{
    struct device_kernel *kernel = context;
    (void)size_bytes;
    vec_push(&kernel->offsets, offset);
}

// A kernel's parameters are the leaves of the function's, in order.
static bool find_offsets(struct device_kernel *kernel, const struct ir_function *function,
        struct error *err)
{
    size_t count = function->param_count;
    size_t *starts = memory_alloc((count + 1) * sizeof *starts);
    abi_block_layout(function->params, count, starts);
    for (size_t i = 0; i < count; i++)
        abi_leaves(function->params[i], starts[i], add_offset, kernel);
    free(starts);
    return kernel->offsets.len <= MAX_PARAMS ||
           error_set(err, ERROR_TYPE, SPAN_NONE,
                   "kernel '%s' takes %zu values; a kernel can take %d", kernel->name,
                   kernel->offsets.len, MAX_PARAMS);
}

// How many parameters the PTX says that its entry takes; SIZE_MAX without such an entry.
static size_t count_ptx_params(const char *ptx, const char *name)
{
    static const char entry[] = ".entry ", param[] = ".param ";
    size_t count = 0, len = strlen(name);
    const char *at = ptx;
    do {
        at = strstr(at, entry);
        if (!at)
            return SIZE_MAX;
        at += sizeof entry - 1;
    } while (strncmp(at, name, len) != 0 || !strchr("( \n", at[len]));
    const char *end = strpbrk(at, "){");
    for (at = strstr(at, param); at && at < end; at = strstr(at + 1, param))
        count++;
    return count;
}

// The driver reads as many parameters as the PTX names: fewer given would be read from
// beyond.
static bool check_params(
        const struct device_kernel *kernel, const char *ptx, struct error *err)
{
    size_t count = count_ptx_params(ptx, kernel->name);
    return count == kernel->offsets.len ||
           error_set(err, ERROR_LOWERING, SPAN_NONE,
                   "kernel '%s' takes %zu parameters where %zu are passed", kernel->name,
                   count, kernel->offsets.len);
}

static bool has_debug_info(const char *ptx)
{
    return strstr(ptx, ".section\t.debug_info") != NULL;
}

// How the driver is to assemble a kernel.
struct jit_options {
    int names[4];
    void *values[4];
    unsigned count;
};

static void add_option(
        struct jit_options *options, enum cuda_jit_option name, void *value)
{
    assert(options->count < sizeof options->names / sizeof *options->names);
    options->names[options->count] = name;
    options->values[options->count++] = value;
}

// Code that nothing has optimised stays so. Driver 580 makes wrong code of some of it
// from level 2 on (where threads of a warp return from a function early, the others'
// results land anywhere), and its linker faults, at address 0, on some.
static void add_level(struct jit_options *options, const struct compiled *compiled)
{
    if (compiled->is_unoptimised)
        add_option(options, CUDA_JIT_OPTIMIZATION_LEVEL, NULL);
}

// The driver's assembler and linker make a cubin of the PTX, loaded and kept for later.
// False when anything refuses: then the PTX itself is tried, and reports why.
// By way of the linker, as cuModuleLoadData does not give the cubin out. It takes long,
// which the file spares the next process.
static bool link_module(struct cuda_module **module, const struct compiled *compiled,
        const struct cubin_key *key)
{
    struct cuda_link *link = NULL;
    void *cubin = NULL;
    size_t size = 0;
    struct jit_options options = {0};
    if (has_debug_info(key->ptx))
        add_option(&options, CUDA_JIT_DEBUG_INFO, (void *)(uintptr_t)1);
    add_level(&options, compiled);
    if (cuda_driver.cuLinkCreate(options.count, options.names, options.values, &link))
        return false;
    bool is_done = !cuda_driver.cuLinkAddData(link, CUDA_LINK_PTX, (void *)key->ptx,
                           strlen(key->ptx) + 1, "kernel", 0, NULL, NULL) &&
                   !cuda_driver.cuLinkComplete(link, &cubin, &size) &&
                   !cuda_driver.cuModuleLoadDataEx(module, cubin, 0, NULL, NULL);
    if (is_done)
        cubin_cache_put(key, cubin, size);
    cuda_driver.cuLinkDestroy(link);
    return is_done;
}

static bool load_kept(struct cuda_module **module, const struct cubin_key *key)
{
    size_t size = 0;
    void *cubin = cubin_cache_get(key, &size);
    bool is_done = cubin && !cuda_driver.cuModuleLoadDataEx(module, cubin, 0, NULL, NULL);
    free(cubin);
    return is_done;
}

// What the driver's assembler says becomes part of the error.
static bool load_ptx(
        struct cuda_module **module, const struct compiled *compiled, struct error *err)
{
    char *log = memory_zalloc(LOG_BYTES);
    struct jit_options options = {0};
    add_option(&options, CUDA_JIT_ERROR_LOG, log);
    add_option(&options, CUDA_JIT_ERROR_LOG_BYTES, (void *)(uintptr_t)LOG_BYTES);
    add_level(&options, compiled);
    bool is_done = CUDA_CALL(err, cuModuleLoadDataEx(module, compiled->ptx, options.count,
                                          options.names, options.values));
    if (!is_done && log[0])
        error_note(err, "\n%s", log);
    free(log);
    return is_done;
}

static bool load_module(struct device *device, const struct compiled *compiled,
        struct cuda_module **module, struct error *err)
{
    if (compiled->link_count)
        return cuda_link_load(device, compiled, module, err);
    struct cubin_key key = {.ptx = compiled->ptx,
            .compute_major = device->compute_major,
            .compute_minor = device->compute_minor};
    return CUDA_CALL(err, cuDriverGetVersion(&key.driver_version)) &&
           (load_kept(module, &key) || link_module(module, compiled, &key) ||
                   load_ptx(module, compiled, err));
}

// A module of a context that has ended went with it: its handle must not be used.
static void unload(struct device_kernel *kernel)
{
    if (kernel->module)
        cuda_driver.cuModuleUnload(kernel->module);
    vec_finish(&kernel->offsets);
    free(kernel);
}

static bool find_functions(struct device_kernel *kernel, struct error *err)
{
    const char *joined = kernel->compiled->joined_entry;
    return CUDA_CALL(err, cuModuleGetFunction(
                                  &kernel->function, kernel->module, kernel->name)) &&
           (!joined || (CUDA_CALL(err, cuModuleGetFunction(&kernel->joined,
                                               kernel->module, joined)) &&
                               CUDA_CALL(err, cuFuncGetAttribute(&kernel->joined_threads,
                                                      KERNEL_MAX_THREADS_PER_BLOCK,
                                                      kernel->joined))));
}

// Where a variable of the kernel's is; 0: it has none of that name. Tools that watch the
// driver count a symbol that is not there as an error: nobody asks for one that the code
// does not name.
static uint64_t find_variable(const struct device_kernel *kernel, const char *name)
{
    uint64_t address = 0;
    size_t size_bytes;
    const char *ptx = kernel->compiled->ptx;
    if ((ptx && !strstr(ptx, name)) ||
            cuda_driver.cuModuleGetGlobal(&address, &size_bytes, kernel->module, name))
        return 0;
    return address;
}

bool cuda_kernel_load(struct device *device, const struct compiled *compiled,
        struct device_kernel **kernel, struct error *err)
{
    struct device_kernel *loaded = memory_zalloc(sizeof *loaded);
    loaded->compiled = compiled;
    loaded->name = compiled->ptx_entry;
    bool is_done = cuda_enter(device, err) &&
                   find_offsets(loaded, compiled->function, err) &&
                   check_params(loaded, compiled->ptx, err) &&
                   load_module(device, compiled, &loaded->module, err) &&
                   find_functions(loaded, err);
    if (!is_done) {
        unload(loaded);
        return cuda_blame(device, false, err);
    }
    loaded->error_address = find_variable(loaded, ABI_GPU_ERROR);
    loaded->control_address = find_variable(loaded, ABI_GPU_CONTROL);
    if (compiled->observed_part_count)
        loaded->observed_address = find_variable(loaded, COUNTED_VARIABLE);
    if (loaded->control_address)
        cuda_stop_add(device, loaded->control_address);
    if (compiled->recurses)
        cuda_stack_enlarge(device);
    loaded->generation = atomic_load(&device->generation);
    *kernel = loaded;
    return true;
}

uint64_t cuda_kernel_module(const struct device_kernel *kernel)
{
    return (uint64_t)(uintptr_t)kernel->module;
}

void cuda_kernel_unload(struct device *device, struct device_kernel *kernel)
{
    struct error ignored = {0};
    if (!kernel)
        return;
    cuda_launched(device, NULL, NULL); // its address may be another's next
    if (kernel->generation != atomic_load(&device->generation) ||
            !cuda_enter(device, &ignored))
        kernel->module = NULL; // it went with its context
    else if (kernel->control_address)
        cuda_stop_remove(device, kernel->control_address);
    unload(kernel);
}

bool cuda_kernel_attribute(struct device *device, struct device_kernel *kernel,
        enum kernel_attribute attribute, int *value, struct error *err)
{
    return cuda_enter(device, err) &&
           CUDA_CALL(err, cuFuncGetAttribute(value, (int)attribute, kernel->function));
}

bool cuda_kernel_prefer_shared(struct device *device, struct device_kernel *kernel,
        int percent, struct error *err)
{
    return cuda_enter(device, err) &&
           CUDA_CALL(err, cuFuncSetAttribute(kernel->function,
                                  CUDA_FUNCTION_SHARED_CARVEOUT, percent)) &&
           (!kernel->joined ||
                   CUDA_CALL(err, cuFuncSetAttribute(kernel->joined,
                                          CUDA_FUNCTION_SHARED_CARVEOUT, percent)));
}

bool cuda_kernel_blocks_at_once(struct device *device, struct device_kernel *kernel,
        int threads, size_t dynamic_shared_bytes, int *blocks, struct error *err)
{
    return cuda_enter(device, err) &&
           CUDA_CALL(err, cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks,
                                  kernel->function, threads, dynamic_shared_bytes));
}

// More shared memory than every device has must be asked for by name.
static bool allow_shared_memory(
        struct device_kernel *kernel, size_t size_bytes, struct error *err)
{
    if (size_bytes <= DEFAULT_SHARED_BYTES ||
            size_bytes <= atomic_load(&kernel->shared_bytes))
        return true;
    if (size_bytes > INT32_MAX) {
        error_set(err, ERROR_DEVICE, SPAN_NONE,
                "Call to cuLaunchKernel results in CUDA_ERROR_INVALID_VALUE");
        err->code = DEVICE_ERROR_INVALID_VALUE;
        return false;
    }
    if (!CUDA_CALL(err, cuFuncSetAttribute(kernel->function,
                                CUDA_FUNCTION_MAX_DYNAMIC_SHARED_BYTES, (int)size_bytes)))
        return false;
    atomic_store(&kernel->shared_bytes, size_bytes);
    return true;
}

static bool runs_joined(
        const struct device_kernel *kernel, const struct launch_config *config)
{
    const int32_t *grid = config->grid_dim, *block = config->block_dim;
    return kernel->joined && grid[0] >= JOINED_LEAST && grid[1] == 1 && grid[2] == 1 &&
           (int64_t)block[0] * block[1] * block[2] <= kernel->joined_threads;
}

// `params` has room for one more.
static bool send_joined(struct device_kernel *kernel, const struct launch_config *config,
        void **params, struct error *err)
{
    const int32_t *grid = config->grid_dim, *block = config->block_dim;
    int32_t blocks = grid[0];
    params[kernel->offsets.len] = &blocks;
    return CUDA_CALL(err,
            cuLaunchKernel(kernel->joined, (unsigned)(blocks - 1) / JOINED_BLOCKS + 1, 1,
                    1, (unsigned)block[0], (unsigned)block[1], (unsigned)block[2],
                    (unsigned)config->dynamic_shared_bytes,
                    cuda_stream_of(config->stream), params, NULL));
}

static bool send(struct device_kernel *kernel, const struct launch_config *config,
        void **params, struct error *err)
{
    const int32_t *grid = config->grid_dim, *block = config->block_dim;
    unsigned shared_bytes = (unsigned)config->dynamic_shared_bytes;
    struct cuda_stream *stream = cuda_stream_of(config->stream);
    if (runs_joined(kernel, config))
        return send_joined(kernel, config, params, err);
    if (kernel->compiled->is_cooperative)
        return CUDA_CALL(
                err, cuLaunchCooperativeKernel(kernel->function, (unsigned)grid[0],
                             (unsigned)grid[1], (unsigned)grid[2], (unsigned)block[0],
                             (unsigned)block[1], (unsigned)block[2], shared_bytes, stream,
                             params));
    return CUDA_CALL(
            err, cuLaunchKernel(kernel->function, (unsigned)grid[0], (unsigned)grid[1],
                         (unsigned)grid[2], (unsigned)block[0], (unsigned)block[1],
                         (unsigned)block[2], shared_bytes, stream, params, NULL));
}

// Waits for the kernel; fails with the exception of a thread that raised one.
static bool check_raised(struct device_kernel *kernel, const struct launch_config *config,
        struct error *err)
{
    struct abi_gpu_error raised = {0};
    if (!CUDA_CALL(err, cuStreamSynchronize(cuda_stream_of(config->stream))) ||
            !CUDA_CALL(err, cuMemcpyDtoH(&raised, kernel->error_address, sizeof raised)))
        return false;
    if (raised.status == STATUS_OK)
        return true;
    return CUDA_CALL(
                   err, cuMemsetD8Async(kernel->error_address, 0, sizeof raised, NULL)) &&
           device_raise(
                   kernel->compiled, raised.status, raised.thread, raised.block, 0, err);
}

static bool launch(struct device *device, struct device_kernel *kernel,
        const struct launch_config *config, const void *args, struct error *err)
{
    void *params[MAX_PARAMS + 1];
    for (size_t i = 0; i < kernel->offsets.len; i++)
        params[i] = (char *)args + kernel->offsets.items[i];
    bool is_done = cuda_enter(device, err) &&
                   allow_shared_memory(kernel, config->dynamic_shared_bytes, err) &&
                   send(kernel, config, params, err);
    if (!is_done)
        return cuda_blame(device, false, err);
    cuda_launched(device, kernel, kernel->compiled);
    if (!kernel->error_address)
        atomic_fetch_add_explicit(&device->unwaited, 1, memory_order_relaxed);
    if (kernel->error_address ? check_raised(kernel, config, err)
                              : cuda_queue_launched(device, config->stream, err))
        return true;
    return err->kind == ERROR_DEVICE ? cuda_blame(device, false, err) : false;
}

bool cuda_launch(struct device *device, struct device_kernel *kernel,
        const struct launch_config *config, const void *args, struct error *err)
{
    if (!kernel->observed_address || !config->observation)
        return launch(device, kernel, config, args, err);
    struct cuda_counted *counted =
            cuda_enter(device, err) ? cuda_observation_begin(kernel->compiled, config,
                                              kernel->observed_address, err)
                                    : NULL;
    if (!counted)
        return cuda_blame(device, false, err);
    bool is_launched = launch(device, kernel, config, args, err);
    bool is_counted = cuda_observation_end(counted, is_launched, config, err);
    return is_launched && (is_counted || cuda_blame(device, false, err));
}
