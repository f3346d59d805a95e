// SPDX-License-Identifier: MIT
// Copies through pinned chunks, host memory and memory of other processes, against a
// stand-in for libcuda, which NUMBA_CUDA_DRIVER names.
#include "tests/unit/test.h"

#include "runtime/cuda/cuda_driver.h"
#include "runtime/device/device.h"
#include "tests/unit/fake_device.h"

static void fill(uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        words[i] = (uint32_t)(i * 2654435761u);
}

// Up and down again at odd addresses; every byte must arrive, and none beside them.
static bool is_copied_whole(size_t size_bytes, struct device_stream *stream)
{
    struct device *device = open_device();
    struct error err = {0};
    device_address address = 0;
    size_t words = size_bytes / 4 + 8;
    uint32_t *source = malloc(words * 4);
    char *back = calloc(1, words * 4 + 8);
    fill(source, words);
    bool is_done =
            device->operations->memory_alloc(device, size_bytes + 8, &address, &err) &&
            device->operations->copy_to_device(
                    device, address + 3, (char *)source + 1, size_bytes, stream, &err) &&
            device->operations->copy_to_host(
                    device, back + 5, address + 3, size_bytes, stream, &err) &&
            device->operations->memory_free(device, address, &err) &&
            memcmp(back + 5, (char *)source + 1, size_bytes) == 0 && !back[4] &&
            !back[5 + size_bytes];
    free(source);
    free(back);
    return is_done;
}

DEVICE_TEST(large_pageable_copies_go_through_pinned_chunks)
{
    struct device_stream *stream = NULL;
    size_t mebibyte = 1 << 20;
    CHECK(operations->stream_create(device, &stream, err));
    int before = fake()->seen->copies;
    CHECK(is_copied_whole(4 * mebibyte - 1, NULL));
    CHECK_INT(fake()->seen->copies, before + 2);
    CHECK(is_copied_whole(4 * mebibyte, NULL));
    CHECK_INT(fake()->seen->copies, before + 2 + 8);
    CHECK(is_copied_whole(50 * mebibyte + 1, stream));
    CHECK_INT(fake()->seen->copies, before + 10 + 102);
    CHECK(is_copied_whole(33 * mebibyte - 7, NULL));
    operations->stream_destroy(device, stream);
}

DEVICE_TEST(pinned_memory_is_copied_at_once)
{
    device_address address = 0;
    size_t size = 4 << 20;
    CHECK(is_copied_whole(size, NULL)); // has the buffers made
    REQUIRE(fake()->seen->pinned);
    CHECK(operations->memory_alloc(device, size, &address, err));
    int before = fake()->seen->copies;
    CHECK(operations->copy_to_device(
            device, address, fake()->seen->pinned, size, NULL, err));
    CHECK_INT(fake()->seen->copies, before + 1);
    CHECK(operations->memory_free(device, address, err));
}

DEVICE_TEST(failed_chunk_fails_the_copy)
{
    device_address address = 0;
    size_t size = 20 << 20;
    char *memory = calloc(1, size);
    CHECK(operations->memory_alloc(device, size, &address, err));
    fake()->fail("cuMemcpyHtoDAsync", 700);
    CHECK(!operations->copy_to_device(device, address, memory, size, NULL, err));
    CHECK_INT(err->code, DEVICE_ERROR_ILLEGAL_ADDRESS);
    CHECK_CONTAINS(err->message, "cuMemcpyHtoDAsync");
    error_clear(err); // the context is lost, and the memory with it
    REQUIRE(operations->memory_alloc(device, size, &address, err));
    fake()->fail("cuEventSynchronize", 700);
    CHECK(!operations->copy_to_host(device, memory, address, size, NULL, err));
    CHECK_CONTAINS(err->message, "CUDA_ERROR_ILLEGAL_ADDRESS");
    CHECK(is_copied_whole(size, NULL));
    free(memory);
}

DEVICE_TEST(host_memory_is_registered_and_let_go)
{
    int before = fake()->seen->registered;
    struct host_memory mapped = {.kind = HOST_MAPPED, .size_bytes = 5000};
    REQUIRE(operations->host_alloc(device, &mapped, err));
    CHECK(mapped.host && mapped.address == (device_address)(uintptr_t)mapped.host);
    CHECK_INT(fake()->seen->registered, before + 1);
    operations->host_free(device, &mapped, true);
    CHECK_INT(fake()->seen->registered, before);
    char given[100];
    struct host_memory registered = {
            .kind = HOST_REGISTERED, .host = given, .size_bytes = sizeof given};
    REQUIRE(operations->host_alloc(device, &registered, err));
    operations->host_free(device, &registered, true);
    CHECK_INT(fake()->seen->registered, before);
    int live = fake()->seen->live;
    struct host_memory managed = {.kind = HOST_MANAGED, .size_bytes = 10};
    REQUIRE(operations->host_alloc(device, &managed, err));
    operations->host_free(device, &managed, true);
    struct host_memory combined = {
            .kind = HOST_PINNED, .is_write_combined = true, .size_bytes = 10};
    REQUIRE(operations->host_alloc(device, &combined, err));
    operations->host_free(device, &combined, true);
    CHECK_INT(fake()->seen->live, live);
    // the context has ended: what is ours goes, the driver hears nothing
    struct host_memory pinned = {.kind = HOST_PINNED, .size_bytes = 10};
    REQUIRE(operations->host_alloc(device, &pinned, err));
    operations->host_free(device, &pinned, false);
    CHECK_INT(fake()->seen->registered, before + 1);
    fake()->fail("cuMemHostGetDevicePointer", 1);
    CHECK(!operations->host_alloc(device, &pinned, err));
    CHECK(!pinned.host);
    CHECK_INT(fake()->seen->registered, before + 1);
}

DEVICE_TEST(memory_of_other_processes)
{
    device_address shared = 0, opened = 0, start = 0;
    size_t size = 0;
    unsigned char handle[IPC_HANDLE_BYTES];
    int live = fake()->seen->live;
    REQUIRE(operations->memory_alloc_shared(device, 64, &shared, err));
    CHECK(operations->memory_range(device, shared, &start, &size, err));
    CHECK(start == shared && size == 64);
    CHECK(operations->ipc_export(device, shared, handle, err));
    CHECK(operations->ipc_open(device, handle, &opened, err));
    CHECK(opened == shared);
    CHECK(operations->ipc_close(device, opened, err));
    CHECK(operations->memory_free_shared(device, shared, err));
    CHECK_INT(fake()->seen->live, live);
    fake()->fail("cuIpcOpenMemHandle", 201);
    CHECK(!operations->ipc_open(device, handle, &opened, err));
    CHECK_INT(err->code, DEVICE_ERROR_INVALID_CONTEXT);
}

DEVICE_TEST(a_full_pool_is_trimmed_before_it_is_given_up)
{
    device_address address = 0;
    int trims = fake()->seen->trims;
    fake()->fail("cuMemAllocAsync", 2);
    CHECK(operations->memory_alloc(device, 8, &address, err));
    CHECK_INT(fake()->seen->trims, trims + 1);
    CHECK(operations->memory_free(device, address, err));
    CHECK(operations->memory_trim(device, 0, err));
    CHECK_INT(fake()->seen->trims, trims + 2);
}
