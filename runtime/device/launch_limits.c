// SPDX-License-Identifier: MIT
// Why a device refuses a launch, in numbers, and what it would take instead.
#include "runtime/device/device.h"

struct refusal {
    struct device *device;
    struct device_kernel *kernel;
    const struct compiled *compiled;
    const struct launch_config *config;
    struct error *err;
};

static int device_limit(const struct refusal *refusal, int attribute)
{
    struct error ignored = {0};
    int value = 0;
    struct device *device = refusal->device;
    return device->operations->attribute(device, attribute, &value, &ignored) ? value : 0;
}

static int kernel_limit(const struct refusal *refusal, enum kernel_attribute attribute)
{
    struct error ignored = {0};
    int value = 0;
    struct device *device = refusal->device;
    return device->operations->kernel_attribute(
                   device, refusal->kernel, attribute, &value, &ignored)
                   ? value
                   : 0;
}

// What to launch in place of blocks with too many threads, of which `most` are possible.
static void suggest_block(const struct refusal *refusal, int most)
{
    const int32_t *block = refusal->config->block_dim, *grid = refusal->config->grid_dim;
    bool is_line = block[1] == 1 && block[2] == 1 && grid[1] == 1 && grid[2] == 1;
    int fitting = most / 32 * 32;
    int64_t blocks = ((int64_t)block[0] * grid[0] + fitting - 1) / fitting;
    if (!is_line)
        error_note(refusal->err, " Make the block smaller, for instance (%d, %d).",
                fitting >= 1024 ? 32 : 16, 16);
    else if (grid[0] > 1 && grid[0] <= fitting)
        error_note(refusal->err,
                " The grid comes first: kernel[%d, %d]? Or try kernel[%lld, %d].",
                block[0], grid[0], (long long)blocks, fitting);
    else
        error_note(refusal->err, " Try kernel[%lld, %d].", (long long)blocks, fitting);
}

static void suggest_extent(const struct refusal *refusal, bool is_block, int axis)
{
    if (is_block && axis < 2)
        suggest_block(refusal, device_limit(refusal, DEVICE_MAX_THREADS_PER_BLOCK));
    else if (axis > 0)
        error_note(refusal->err, " The longest axis goes first: x has room for %d.",
                device_limit(refusal,
                        is_block ? DEVICE_MAX_BLOCK_DIM_X : DEVICE_MAX_GRID_DIM_X));
}

static bool explain_extents(const struct refusal *refusal, const char *what,
        const int32_t *extents, int first_attribute)
{
    bool is_block = extents == refusal->config->block_dim;
    for (int axis = 0; axis < 3; axis++) {
        int limit = device_limit(refusal, first_attribute + axis);
        if (extents[axis] < 1) {
            error_note(refusal->err,
                    "\nThe %s's extent %c is not positive, or too large: from 1 to %d is "
                    "possible on this device.%s",
                    what, "xyz"[axis], limit,
                    extents[axis] ? ""
                                  : " Where there is nothing to do, launch nothing: "
                                    "kernel.forall(0)(...) does so.");
            return true;
        }
        if (limit && extents[axis] > limit) {
            error_note(refusal->err,
                    "\nThe %s's extent %c is %d; at most %d is possible on this device.",
                    what, "xyz"[axis], extents[axis], limit);
            suggest_extent(refusal, is_block, axis);
            return true;
        }
    }
    return false;
}

// Threads of a block: more than the device has, or than the kernel's registers allow.
static bool explain_threads(const struct refusal *refusal)
{
    const int32_t *block = refusal->config->block_dim;
    int64_t threads = (int64_t)block[0] * block[1] * block[2];
    int device_most = device_limit(refusal, DEVICE_MAX_THREADS_PER_BLOCK),
        kernel_most = kernel_limit(refusal, KERNEL_MAX_THREADS_PER_BLOCK);
    int most = kernel_most && kernel_most < device_most ? kernel_most : device_most;
    if (!most || threads <= most)
        return false;
    error_note(refusal->err,
            "\nA block has %lld threads (%d x %d x %d); at most %d are "
            "possible",
            (long long)threads, block[0], block[1], block[2], most);
    if (most < device_most)
        error_note(refusal->err, " for this kernel, which takes %d registers a thread",
                kernel_limit(refusal, KERNEL_REGISTERS));
    error_note(refusal->err, ".");
    suggest_block(refusal, most);
    return true;
}

static bool explain_shared_memory(const struct refusal *refusal)
{
    size_t fixed = refusal->compiled->static_shared_bytes,
           dynamic = refusal->config->dynamic_shared_bytes;
    int most = device_limit(refusal, DEVICE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    if (!most)
        most = device_limit(refusal, DEVICE_MAX_SHARED_MEMORY_PER_BLOCK);
    size_t most_fixed = (size_t)device_limit(refusal, DEVICE_MAX_SHARED_MEMORY_PER_BLOCK);
    if (most_fixed && fixed > most_fixed) {
        error_note(refusal->err,
                "\nThe kernel's shared arrays take %zu bytes; at most %zu are possible. "
                "More than that is dynamic: cuda.shared.array(0, dtype), with the bytes "
                "in "
                "the launch, kernel[grid, block, 0, bytes].",
                fixed, most_fixed);
        return true;
    }
    if (!most || fixed + dynamic <= (size_t)most)
        return false;
    error_note(refusal->err,
            "\nA block takes %zu bytes of shared memory (%zu in the kernel, %zu of the "
            "launch); at most %d are possible on this device.",
            fixed + dynamic, fixed, dynamic, most);
    error_note(refusal->err, " The launch may ask for %zu: kernel[grid, block, 0, %zu].",
            (size_t)most - fixed, (size_t)most - fixed);
    return true;
}

static bool explain_grid_at_once(const struct refusal *refusal)
{
    const int32_t *grid = refusal->config->grid_dim, *block = refusal->config->block_dim;
    struct error ignored = {0};
    struct device *device = refusal->device;
    int blocks = 0, processors = device_limit(refusal, DEVICE_MULTIPROCESSOR_COUNT);
    if (refusal->err->code != DEVICE_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE ||
            !device->operations->kernel_blocks_at_once(device, refusal->kernel,
                    block[0] * block[1] * block[2], refusal->config->dynamic_shared_bytes,
                    &blocks, &ignored))
        return false;
    error_note(refusal->err,
            "\nThe kernel waits for its whole grid, so that all %lld blocks must run at "
            "once; at most %lld can, with %d threads each.",
            (long long)grid[0] * grid[1] * grid[2], (long long)blocks * processors,
            block[0] * block[1] * block[2]);
    if (blocks)
        error_note(refusal->err,
                " Launch no more, and let each thread take several items: for i in "
                "range(cuda.grid(1), n, cuda.gridsize(1)).");
    return true;
}

void launch_explain(struct device *device, struct device_kernel *kernel,
        const struct compiled *compiled, const struct launch_config *config,
        struct error *err)
{
    const struct refusal refusal = {device, kernel, compiled, config, err};
    if (err->kind != ERROR_DEVICE ||
            (err->code != DEVICE_ERROR_INVALID_VALUE &&
                    err->code != DEVICE_ERROR_LAUNCH_OUT_OF_RESOURCES &&
                    err->code != DEVICE_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE))
        return;
    bool is_explained =
            explain_extents(&refusal, "grid", config->grid_dim, DEVICE_MAX_GRID_DIM_X) ||
            explain_extents(
                    &refusal, "block", config->block_dim, DEVICE_MAX_BLOCK_DIM_X) ||
            explain_threads(&refusal) || explain_shared_memory(&refusal) ||
            explain_grid_at_once(&refusal);
    (void)is_explained; // whatever else it may be, the driver's own words stand
}
