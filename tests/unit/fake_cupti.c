// SPDX-License-Identifier: MIT
// A stand-in for libcupti: each flush hands over one record of each kind that is enabled,
// laid out as CUPTI's documentation has them.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Declared here: only the library's user looks them up, by name.
#define EXPORTED(type, name, ...)                                                        \
    __attribute__((visibility("default"))) type name(__VA_ARGS__);                       \
    type name(__VA_ARGS__)

enum { RECORD_BYTES = 176, DEFAULT_STREAM = 7, MULTIPLE_SUBSCRIBERS = 39, NO_MORE = 12 };

static void (*ask)(uint8_t **buffer, size_t *size, size_t *most_records);
static void (*take)(
        void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t used);
static uint64_t enabled; // a bit for each kind
static int refused_kind;

EXPORTED(uint64_t, fake_cupti_enabled, void)
{
    return enabled;
}

EXPORTED(void, fake_cupti_refuse, int kind)
{
    refused_kind = kind;
}

EXPORTED(int, cuptiActivityRegisterCallbacks, void *asked, void *taken)
{
    memcpy(&ask, &asked, sizeof ask);
    memcpy(&take, &taken, sizeof take);
    return 0;
}

EXPORTED(int, cuptiActivityEnable, int kind)
{
    if (kind == refused_kind)
        return MULTIPLE_SUBSCRIBERS;
    enabled |= 1ull << kind;
    return 0;
}

EXPORTED(int, cuptiActivityDisable, int kind)
{
    enabled &= ~(1ull << kind);
    return 0;
}

EXPORTED(int, cuptiGetTimestamp, uint64_t *nanoseconds)
{
    *nanoseconds = 1000000000;
    return 0;
}

EXPORTED(int, cuptiGetStreamIdEx, void *context, void *stream, uint8_t is_per_thread,
        uint32_t *number)
{
    (void)context, (void)stream, (void)is_per_thread;
    *number = DEFAULT_STREAM;
    return 0;
}

EXPORTED(int, cuptiGetResultString, int result, const char **text)
{
    *text = result == MULTIPLE_SUBSCRIBERS ? "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS" : "?";
    return 0;
}

EXPORTED(int, cuptiActivityGetNumDroppedRecords, void *context, uint32_t stream,
        size_t *dropped)
{
    (void)context, (void)stream;
    *dropped = 3;
    return 0;
}

static void put32(uint8_t *record, size_t offset, uint32_t word)
{
    memcpy(record + offset, &word, sizeof word);
}

static void put64(uint8_t *record, size_t offset, uint64_t word)
{
    memcpy(record + offset, &word, sizeof word);
}

// Of each kind: where its start is (the end is behind), and its stream.
static void put_times(uint8_t *record, int kind, size_t start, size_t stream)
{
    put64(record, start, 1000000000 + 1000000u * (unsigned)kind);
    put64(record, start + 8, 1000000000 + 1000000u * (unsigned)kind + 500000);
    put32(record, stream, kind == 10 ? 13 : DEFAULT_STREAM);
}

static void put_record(uint8_t *record, int kind)
{
    static const char name[] = "a_kernel";
    memset(record, 0, RECORD_BYTES);
    put32(record, 0, (uint32_t)kind);
    switch (kind) {
    case 1: // host to device, from pageable memory to the device's
        put32(record, 4, 1 | 1 << 8 | 3 << 16);
        put64(record, 8, 4096);
        put_times(record, kind, 16, 40);
        break;
    case 2:
        put64(record, 8, 64);
        put_times(record, kind, 16, 40);
        break;
    case 10:
        put_times(record, kind, 16, 48);
        put64(record, 104, (uint64_t)(uintptr_t)name);
        break;
    case 38: // of a stream
        put32(record, 4, 3);
        put_times(record, kind, 8, 32);
        break;
    default:
        break;
    }
}

EXPORTED(int, cuptiActivityFlushAll, uint32_t flags)
{
    uint8_t *buffer;
    size_t size, most, used = 0;
    (void)flags;
    if (!enabled)
        return 0;
    ask(&buffer, &size, &most);
    for (int kind = 0; kind < 64; kind++) {
        if (!(enabled & 1ull << kind))
            continue;
        put_record(buffer + used, kind);
        used += RECORD_BYTES;
    }
    take(NULL, 0, buffer, size, used);
    return 0;
}

EXPORTED(int, cuptiActivityGetNextRecord, uint8_t *buffer, size_t used, void **record)
{
    uint8_t *next = *record ? (uint8_t *)*record + RECORD_BYTES : buffer;
    if (next >= buffer + used)
        return NO_MORE;
    *record = next;
    return 0;
}
