// SPDX-License-Identifier: MIT
// The functions of counted memory that compiled code hands to libraries of C: what
// NRT_get_api() of numba.core.unsafe.nrt gives the address of. Names and order are those
// of the header of the same name in numba, so that the same source compiles with either.
#pragma once

#include <stddef.h>
#include <stdlib.h>

typedef struct MemInfo NRT_MemInfo;

typedef void NRT_managed_dtor(void *data);

typedef void *(*NRT_external_malloc_func)(size_t size, void *opaque_data);
typedef void *(*NRT_external_realloc_func)(void *ptr, size_t new_size, void *opaque_data);
typedef void (*NRT_external_free_func)(void *ptr, void *opaque_data);

struct ExternalMemAllocator {
    NRT_external_malloc_func malloc;
    NRT_external_realloc_func realloc;
    NRT_external_free_func free;
    void *opaque_data;
};
typedef struct ExternalMemAllocator NRT_ExternalAllocator;

typedef struct {
    // New memory of so many bytes, with one reference; NULL if there is none.
    NRT_MemInfo *(*allocate)(size_t nbytes);
    // The same by an allocator of the caller's, which has to outlive the memory.
    NRT_MemInfo *(*allocate_external)(size_t nbytes, NRT_ExternalAllocator *allocator);
    // Memory of the caller's, for which `dtor` is called with the last reference.
    NRT_MemInfo *(*manage_memory)(void *data, NRT_managed_dtor dtor);
    // One reference more, and one less.
    void (*acquire)(NRT_MemInfo *mi);
    void (*release)(NRT_MemInfo *mi);
    // Where its bytes are.
    void *(*get_data)(NRT_MemInfo *mi);
} NRT_api_functions;
