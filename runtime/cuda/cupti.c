// SPDX-License-Identifier: MIT
// CUPTI's activity records. CUPTI asks for buffers and hands them back filled, on a
// thread of its own; a record begins with its kind, and what we read of it lies where it
// has been since CUDA 11 (later versions add behind).
#include "runtime/cuda/cupti.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/activity.h"
#include "base/vec.h"
#include "runtime/cuda/cuda_device.h"
#include "runtime/cuda/toolkit.h"

enum {
    BUFFER_BYTES = 1 << 18,
    BUFFER_ALIGNMENT = 8,
    MOST_KEPT = 1 << 16,
    FLUSH_FORCED = 1, // CUPTI_ACTIVITY_FLAG_FLUSH_FORCED
    USUAL_DEFAULT_STREAM = 7,
};

// CUpti_ActivityKind
enum {
    KIND_COPY = 1,
    KIND_SET = 2,
    KIND_KERNEL = 10, // CONCURRENT_KERNEL: streams stay side by side
    KIND_WAIT = 38,
};

_Static_assert(sizeof(void *) == 8, "records are those of 64-bit machines");

// The beginnings of CUpti_ActivityKernel4 to 9, Memcpy4 to 6, Memset2 to 4 and
// Synchronization.
struct kernel_record {
    uint32_t kind, config, caches[2];
    uint64_t start, end, completed;
    uint32_t device, context, stream;
    int32_t grid[3], block[3], static_shared, dynamic_shared;
    uint32_t local, local_total, correlation;
    int64_t grid_id;
    const char *name;
};

struct copy_record {
    uint32_t kind;
    uint8_t direction, from, to, flags;
    uint64_t bytes, start, end;
    uint32_t device, context, stream;
};

struct set_record {
    uint32_t kind, value;
    uint64_t bytes, start, end;
    uint32_t device, context, stream;
};

struct wait_record {
    uint32_t kind, type;
    uint64_t start, end;
    uint32_t correlation, context, stream;
};

#define CUPTI_FUNCTIONS(X)                                                               \
    X(cuptiActivityRegisterCallbacks,                                                    \
            (void (*ask)(uint8_t * *buffer, size_t * size, size_t * most_records),       \
                    void (*take)(struct cuda_context * context, uint32_t stream,         \
                            uint8_t * buffer, size_t size, size_t used)))                \
    X(cuptiActivityEnable, (int kind))                                                   \
    X(cuptiActivityDisable, (int kind))                                                  \
    X(cuptiActivityFlushAll, (uint32_t flags))                                           \
    X(cuptiActivityGetNextRecord, (uint8_t * buffer, size_t used, void **record))        \
    X(cuptiActivityGetNumDroppedRecords,                                                 \
            (struct cuda_context * context, uint32_t stream, size_t * dropped))          \
    X(cuptiGetTimestamp, (uint64_t * nanoseconds))                                       \
    X(cuptiGetStreamIdEx, (struct cuda_context * context, struct cuda_stream * stream,   \
                                  uint8_t is_per_thread, uint32_t * number))             \
    X(cuptiGetResultString, (int result, const char **text))

// Written once, by load.
static struct {
    bool is_loaded;
    struct error error;
    CUPTI_FUNCTIONS(TOOLKIT_POINTER)
} library;
static pthread_once_t load_once = PTHREAD_ONCE_INIT;

static struct {
    pthread_mutex_t lock;
    VEC(struct gpu_activity) found; // guarded by lock
    size_t lost;                    // likewise
    // set while no record comes
    uint64_t base_ns; // CUPTI's time at `base`
    double base;
    uint32_t default_stream;
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

static const int kinds[] = {KIND_KERNEL, KIND_COPY, KIND_SET, KIND_WAIT};
enum { KINDS = sizeof kinds / sizeof *kinds };

// --- Records

static double seconds_of(uint64_t nanoseconds)
{
    return kept.base + (double)(int64_t)(nanoseconds - kept.base_ns) * 1e-9;
}

static void keep(struct gpu_activity activity, const char *what, uint64_t start,
        uint64_t end, uint32_t stream)
{
    if (!start || end < start) // CUPTI does not know
        return;
    activity.begin = seconds_of(start);
    activity.end = seconds_of(end);
    activity.stream = stream == kept.default_stream ? 0 : stream;
    snprintf(activity.what, sizeof activity.what, "%s", what ? what : "");
    pthread_mutex_lock(&kept.lock);
    bool is_full = kept.found.len >= MOST_KEPT;
    kept.lost += is_full;
    if (!is_full)
        vec_push(&kept.found, activity);
    pthread_mutex_unlock(&kept.lock);
}

// CUpti_ActivityMemoryKind
static const char *memory_name(uint8_t kind)
{
    return kind == 1 ? "pageable" : kind == 2 ? "pinned" : NULL;
}

static void keep_copy(const struct copy_record *record)
{
    static const char *const names[] = {"a copy", "host to device", "device to host",
            "host to array", "array to host", "array to array", "array to device",
            "device to array", "device to device", "host to host", "device to device"};
    size_t count = sizeof names / sizeof *names;
    const char *from = memory_name(record->from);
    keep((struct gpu_activity){.kind = GPU_ACTIVITY_COPY,
                 .bytes = record->bytes,
                 .memory = from ? from : memory_name(record->to)},
            names[record->direction < count ? record->direction : 0], record->start,
            record->end, record->stream);
}

static void keep_wait(const struct wait_record *record)
{
    static const char *const names[] = {
            "wait", "event", "event, of a stream", "stream", "context"};
    size_t count = sizeof names / sizeof *names;
    keep((struct gpu_activity){.kind = GPU_ACTIVITY_WAIT},
            names[record->type < count ? record->type : 0], record->start, record->end,
            kept.default_stream);
}

static void keep_record(const void *any)
{
    const struct kernel_record *kernel = any;
    const struct set_record *set = any;
    switch (kernel->kind) {
    case KIND_KERNEL:
        keep((struct gpu_activity){.kind = GPU_ACTIVITY_KERNEL}, kernel->name,
                kernel->start, kernel->end, kernel->stream);
        break;
    case KIND_COPY:
        keep_copy(any);
        break;
    case KIND_SET:
        keep((struct gpu_activity){.kind = GPU_ACTIVITY_SET, .bytes = set->bytes},
                "memset", set->start, set->end, set->stream);
        break;
    case KIND_WAIT:
        keep_wait(any);
        break;
    default:
        break;
    }
}

// --- What CUPTI asks

static void give_buffer(uint8_t **buffer, size_t *size, size_t *most_records)
{
    *buffer = aligned_alloc(BUFFER_ALIGNMENT, BUFFER_BYTES);
    *size = *buffer ? BUFFER_BYTES : 0;
    *most_records = 0; // as many as fit
}

static void take_buffer(struct cuda_context *context, uint32_t stream, uint8_t *buffer,
        size_t size, size_t used)
{
    void *record = NULL;
    size_t dropped = 0;
    (void)size;
    while (used && !library.cuptiActivityGetNextRecord(buffer, used, &record))
        keep_record(record);
    if (!library.cuptiActivityGetNumDroppedRecords(context, stream, &dropped)) {
        pthread_mutex_lock(&kept.lock);
        kept.lost += dropped;
        pthread_mutex_unlock(&kept.lock);
    }
    free(buffer);
}

// --- Beginning and end

static bool fail(const char *what, int result, struct error *err)
{
    const char *text = NULL;
    library.cuptiGetResultString(result, &text);
    return error_set(err, ERROR_DEVICE_SUPPORT, SPAN_NONE, "CUPTI could not %s: %s", what,
            text ? text : "it gives no reason");
}

static const struct toolkit_function functions[] = {CUPTI_FUNCTIONS(TOOLKIT_FUNCTION)};
static const struct toolkit_library wanted = {.stem = "cupti",
        .use = "to record what the GPU does",
        .too_old = "records of what the GPU does need CUPTI of CUDA 11 or newer",
        .functions = functions,
        .count = sizeof functions / sizeof *functions};

static void load(void)
{
    library.is_loaded = toolkit_load(&wanted, &library.error);
    if (!library.is_loaded)
        return;
    int result = library.cuptiActivityRegisterCallbacks(give_buffer, take_buffer);
    if (result)
        library.is_loaded = fail("be told where records go", result, &library.error);
}

static bool is_available(struct error *err)
{
    pthread_once(&load_once, load);
    return library.is_loaded ||
           error_set(err, library.error.kind, SPAN_NONE, "%s", library.error.message);
}

static void disable(size_t count)
{
    for (size_t i = 0; i < count; i++)
        library.cuptiActivityDisable(kinds[i]);
}

static void forget(void)
{
    pthread_mutex_lock(&kept.lock);
    vec_finish(&kept.found);
    kept.lost = 0;
    pthread_mutex_unlock(&kept.lock);
}

static bool set_clock(struct error *err)
{
    double before = activity_clock();
    int result = library.cuptiGetTimestamp(&kept.base_ns);
    kept.base = (before + activity_clock()) / 2;
    return !result || fail("tell the time", result, err);
}

bool cupti_begin(struct device *device, struct error *err)
{
    if (!is_available(err) || !cuda_enter(device, err) || !set_clock(err))
        return false;
    library.cuptiActivityFlushAll(0); // what others have left behind
    forget();
    if (library.cuptiGetStreamIdEx(
                cuda_device_of(device)->context, NULL, 0, &kept.default_stream))
        kept.default_stream = USUAL_DEFAULT_STREAM;
    for (size_t i = 0; i < KINDS; i++) {
        int result = library.cuptiActivityEnable(kinds[i]);
        if (result) {
            disable(i);
            return fail("record what the GPU does", result, err);
        }
    }
    return true;
}

struct gpu_activity *cupti_end(size_t *count, size_t *lost)
{
    if (library.is_loaded) { // where it is not, nothing has begun
        library.cuptiActivityFlushAll(FLUSH_FORCED);
        disable(KINDS);
    }
    struct gpu_activity *found;
    pthread_mutex_lock(&kept.lock);
    *lost = kept.lost;
    *count = kept.found.len;
    vec_take(&kept.found, found);
    pthread_mutex_unlock(&kept.lock);
    return found;
}
