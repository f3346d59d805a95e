// SPDX-License-Identifier: MIT
// Counted memory under the names of numba's runtime, for code that programs write with
// llvmlite's builder, and for their libraries of C, which are handed the table that
// NRT_get_api() gives (nrt_external.h).
//
// A MemInfo is a struct abi_memory, so that whoever counts references need not know who
// made it. What is made here has a destructor of the program's behind that.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/support/nrt_external.h"
#include "compiler/support/support.h"

typedef void destructor(void *data, size_t size, void *info);

struct MemInfo {
    struct abi_memory memory;
    destructor *destroy; // or NULL
    void *info;
    const NRT_ExternalAllocator *allocator; // NULL: the C library's
    void *own; // an area of a length that changes, which is freed with it; or NULL
};

enum {
    LINE = 64,   // what data begins with where nobody asks for less
    SHOWN = 256, // bytes at most that the safe variants fill
    UNWRITTEN = 0xCB,
    GONE = 0xDE,
};

// --- Blocks

static void *allocate_from(size_t size, const NRT_ExternalAllocator *allocator)
{
    void *block =
            allocator ? allocator->malloc(size, allocator->opaque_data) : malloc(size);
    if (block)
        support_count(SUPPORT_ALLOCATED);
    return block;
}

static void free_to(void *block, const NRT_ExternalAllocator *allocator)
{
    support_count(SUPPORT_FREED);
    if (allocator)
        allocator->free(block, allocator->opaque_data);
    else
        free(block);
}

static void *allocate(size_t size)
{
    return allocate_from(size, NULL);
}

static void *allocate_external(size_t size, const NRT_ExternalAllocator *allocator)
{
    return allocate_from(size, allocator);
}

static void *reallocate(void *block, size_t size)
{
    return realloc(block, size);
}

static void free_block(void *block)
{
    free_to(block, NULL);
}

// --- What is made here

static void release(struct abi_memory *memory)
{
    struct MemInfo *self = (struct MemInfo *)memory;
    if (self->destroy)
        self->destroy(memory->data, (size_t)memory->size_bytes, self->info);
    if (self->own)
        free_to(self->own, NULL);
    support_count(SUPPORT_RELEASED);
    free_to(self, self->allocator);
}

static struct MemInfo *begin(struct MemInfo *self, void *data, size_t size,
        destructor *destroy, void *info, const NRT_ExternalAllocator *allocator)
{
    *self = (struct MemInfo){
            .memory = {.count = 1,
                    .release = release,
                    .data = data,
                    .size_bytes = (int64_t)size},
            .destroy = destroy,
            .info = info,
            .allocator = allocator,
    };
    support_count(SUPPORT_MADE);
    return self;
}

// The data begins at a multiple of `align`, behind the struct.
static struct MemInfo *make(size_t size, size_t align, destructor *destroy, void *info,
        const NRT_ExternalAllocator *allocator)
{
    size_t head = sizeof(struct MemInfo) + (align ? align : 1) - 1;
    struct MemInfo *self =
            size <= SIZE_MAX / 2 ? allocate_from(head + size, allocator) : NULL;
    if (!self)
        return NULL;
    uintptr_t data = (uintptr_t)(self + 1);
    if (align)
        data = (data + align - 1) / align * align;
    return begin(self, (void *)data, size, destroy, info, allocator);
}

static void fill(void *data, size_t size, int byte)
{
    memset(data, byte, size < SHOWN ? size : SHOWN);
}

static void destroy_safely(void *data, size_t size, void *info)
{
    destructor *own = (destructor *)info;
    if (own)
        own(data, size, NULL);
    fill(data, size, GONE);
}

static struct MemInfo *make_safely(size_t size, size_t align, destructor *own,
        const NRT_ExternalAllocator *allocator)
{
    struct MemInfo *self = make(size, align, destroy_safely, (void *)own, allocator);
    if (self)
        fill(self->memory.data, size, UNWRITTEN);
    return self;
}

// --- By their names

static struct MemInfo *alloc(size_t size)
{
    return make(size, LINE, NULL, NULL, NULL);
}

static struct MemInfo *alloc_external(size_t size, const NRT_ExternalAllocator *allocator)
{
    return make(size, LINE, NULL, NULL, allocator);
}

static struct MemInfo *alloc_safe(size_t size)
{
    return make_safely(size, LINE, NULL, NULL);
}

static struct MemInfo *alloc_dtor(size_t size, destructor *own)
{
    return make(size, LINE, own, NULL, NULL);
}

static struct MemInfo *alloc_dtor_safe(size_t size, destructor *own)
{
    return make_safely(size, LINE, own, NULL);
}

static struct MemInfo *alloc_aligned(size_t size, unsigned align)
{
    return make(size, align, NULL, NULL, NULL);
}

static struct MemInfo *alloc_safe_aligned(size_t size, unsigned align)
{
    return make_safely(size, align, NULL, NULL);
}

static struct MemInfo *alloc_safe_aligned_external(
        size_t size, unsigned align, const NRT_ExternalAllocator *allocator)
{
    return make_safely(size, align, NULL, allocator);
}

// Memory of others, for which `own` is called.
static struct MemInfo *new_over(void *data, size_t size, destructor *own, void *info)
{
    struct MemInfo *self = allocate(sizeof *self);
    return self ? begin(self, data, size, own, info, NULL) : NULL;
}

static void destroy_managed(void *data, size_t size, void *info)
{
    ((void (*)(void *))info)(data);
}

static struct MemInfo *manage_memory(void *data, void (*own)(void *data))
{
    return new_over(data, 0, own ? destroy_managed : NULL, (void *)own);
}

// An area of its own, so that the struct stays where it is while that grows.
static struct MemInfo *new_varsize_dtor(size_t size, destructor *own)
{
    void *data = allocate(size);
    struct MemInfo *self = data ? new_over(data, size, own, NULL) : NULL;
    if (self)
        self->own = data;
    else if (data)
        free_block(data);
    return self;
}

static struct MemInfo *new_varsize(size_t size)
{
    return new_varsize_dtor(size, NULL);
}

static void *set_area(struct MemInfo *self, void *data, size_t size)
{
    if (!data)
        return NULL;
    self->own = self->memory.data = data;
    self->memory.size_bytes = (int64_t)size;
    return data;
}

// The old area is the caller's to free.
static void *varsize_alloc(struct MemInfo *self, size_t size)
{
    return set_area(self, allocate(size), size);
}

static void *varsize_realloc(struct MemInfo *self, size_t size)
{
    return set_area(self, realloc(self->memory.data, size), size);
}

static void varsize_free(struct MemInfo *self, void *block)
{
    free_block(block);
    if (block == self->memory.data)
        self->own = self->memory.data = NULL;
}

static void call_release(struct abi_memory *memory)
{
    memory->release(memory);
}

static void *data_of(struct abi_memory *memory)
{
    return memory->data;
}

static size_t size_of(struct abi_memory *memory)
{
    return (size_t)memory->size_bytes;
}

static size_t count_of(struct abi_memory *memory)
{
    return memory ? (size_t)__atomic_load_n(&memory->count, __ATOMIC_RELAXED) : SIZE_MAX;
}

static const void *allocator_of(struct abi_memory *memory)
{
    return memory->release == release ? ((struct MemInfo *)memory)->allocator : NULL;
}

// --- The table for libraries of C

static NRT_MemInfo *api_allocate_external(size_t size, NRT_ExternalAllocator *allocator)
{
    return alloc_external(size, allocator);
}

static void api_acquire(NRT_MemInfo *self)
{
    gridcell_memory_retain(&self->memory);
}

static void api_release(NRT_MemInfo *self)
{
    gridcell_memory_release(&self->memory);
}

static void *api_get_data(NRT_MemInfo *self)
{
    return self->memory.data;
}

static const NRT_api_functions api = {alloc, api_allocate_external, manage_memory,
        api_acquire, api_release, api_get_data};

static const void *get_api(void)
{
    return &api;
}

// --- An allocator to try others with

static void *sample_malloc(size_t size, void *opaque)
{
    return malloc(size);
}

static void *sample_realloc(void *block, size_t size, void *opaque)
{
    return realloc(block, size);
}

static void sample_free(void *block, void *opaque)
{
    free(block);
}

static const NRT_ExternalAllocator *sample_allocator(void)
{
    static const NRT_ExternalAllocator sample = {
            sample_malloc, sample_realloc, sample_free, NULL};
    return &sample;
}

const struct support_symbol meminfo_symbols[] = {
        SUPPORT_SYMBOL("NRT_Allocate", allocate),
        SUPPORT_SYMBOL("NRT_Allocate_External", allocate_external),
        SUPPORT_SYMBOL("NRT_Reallocate", reallocate),
        SUPPORT_SYMBOL("NRT_Free", free_block),
        SUPPORT_SYMBOL("NRT_MemInfo_new", new_over),
        SUPPORT_SYMBOL("NRT_MemInfo_alloc", alloc),
        SUPPORT_SYMBOL("NRT_MemInfo_alloc_external", alloc_external),
        SUPPORT_SYMBOL("NRT_MemInfo_alloc_safe", alloc_safe),
        SUPPORT_SYMBOL("NRT_MemInfo_alloc_dtor", alloc_dtor),
        SUPPORT_SYMBOL("NRT_MemInfo_alloc_dtor_safe", alloc_dtor_safe),
        SUPPORT_SYMBOL("NRT_MemInfo_alloc_aligned", alloc_aligned),
        SUPPORT_SYMBOL("NRT_MemInfo_alloc_safe_aligned", alloc_safe_aligned),
        SUPPORT_SYMBOL(
                "NRT_MemInfo_alloc_safe_aligned_external", alloc_safe_aligned_external),
        SUPPORT_SYMBOL("NRT_MemInfo_new_varsize", new_varsize),
        SUPPORT_SYMBOL("NRT_MemInfo_new_varsize_dtor", new_varsize_dtor),
        SUPPORT_SYMBOL("NRT_MemInfo_varsize_alloc", varsize_alloc),
        SUPPORT_SYMBOL("NRT_MemInfo_varsize_realloc", varsize_realloc),
        SUPPORT_SYMBOL("NRT_MemInfo_varsize_free", varsize_free),
        SUPPORT_SYMBOL("NRT_MemInfo_call_dtor", call_release),
        SUPPORT_SYMBOL("NRT_MemInfo_acquire", gridcell_memory_retain),
        SUPPORT_SYMBOL("NRT_MemInfo_release", gridcell_memory_release),
        SUPPORT_SYMBOL("NRT_MemInfo_refcount", count_of),
        SUPPORT_SYMBOL("NRT_MemInfo_data", data_of),
        SUPPORT_SYMBOL("NRT_MemInfo_data_fast", data_of),
        SUPPORT_SYMBOL("NRT_MemInfo_size", size_of),
        SUPPORT_SYMBOL("NRT_MemInfo_external_allocator", allocator_of),
        SUPPORT_SYMBOL("NRT_incref", gridcell_memory_retain),
        SUPPORT_SYMBOL("NRT_decref", gridcell_memory_release),
        SUPPORT_SYMBOL("NRT_get_api", get_api),
        SUPPORT_SYMBOL("_nrt_get_sample_external_allocator", sample_allocator),
        {0},
};
