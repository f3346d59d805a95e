// SPDX-License-Identifier: MIT
// Large blocks of memory: asked for in huge pages, and a few that were freed last are
// kept, as the system takes longer to map a block than most loops take to fill it. Of
// blocks of some pages each thread keeps a few of its own: the C library, asked for one
// that begins with a line, cuts it out of a longer one and joins the rests again.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "compiler/support/refusal.h"
#include "compiler/support/support.h"

enum {
    KEPT = 6,
    LEAST_KEPT = 1 << 17, // what the system may take back at once
    MOST_KEPT = 1 << 24,
    LEAST_HUGE = 1 << 22,
    PAGE = 4096,
    LINE = 64, // of the cache; arrays of some length begin with one
    LEAST_ALIGNED = SUPPORT_LEAST_ALIGNED,
    OWN_KEPT = 4, // of LEAST_ALIGNED bytes to LEAST_KEPT, by each thread
    LISTED = 16,
    LEAST_LISTED = 1 << 18,
};

// The first word of a kept block says how long it is.
static _Atomic(size_t *) kept[KEPT];

// A kept block of `size` bytes and at most `more`; the first word says how many.
static size_t *take_kept(size_t size, size_t more)
{
    for (size_t i = 0; i < KEPT; i++) {
        size_t *block = atomic_exchange(&kept[i], NULL);
        if (block && *block >= size && *block - size <= more)
            return block;
        size_t *empty = NULL;
        if (block && !atomic_compare_exchange_strong(&kept[i], &empty, block))
            free(block);
    }
    return NULL;
}

// --- The larger blocks that are in use

// An entry is of a block, free (NULL), or being written (its own address). Who asks has a
// block that is in use, so that none of another time overlaps it.
static struct listed {
    _Atomic(void *) start;
    _Atomic size_t size;
} listed[LISTED];

static void list_block(void *block, size_t size)
{
    for (size_t i = 0; i < LISTED; i++) {
        void *none = NULL;
        if (atomic_load(&listed[i].start) ||
                !atomic_compare_exchange_strong(&listed[i].start, &none, &listed[i]))
            continue;
        atomic_store(&listed[i].size, size);
        atomic_store(&listed[i].start, block);
        return;
    }
}

static void unlist_block(void *block)
{
    for (size_t i = 0; i < LISTED; i++)
        if (atomic_load(&listed[i].start) == block)
            atomic_store(&listed[i].start, NULL);
}

bool support_block_holds(const void *start, size_t bytes)
{
    uintptr_t from = (uintptr_t)start;
    for (size_t i = 0; i < LISTED; i++) {
        uintptr_t block = (uintptr_t)atomic_load(&listed[i].start);
        size_t size = atomic_load(&listed[i].size);
        if (block && block == (uintptr_t)atomic_load(&listed[i].start) && from >= block &&
                bytes <= size && from - block <= size - bytes)
            return true;
    }
    return false;
}

// --- Blocks that a thread keeps

static _Thread_local struct {
    void *block; // NULL: none
    size_t size;
} own_kept[OWN_KEPT];
static _Thread_local unsigned own_next; // the place whose block makes room
static pthread_key_t own_key;
static bool has_own_key;

static void free_own(void *unused)
{
    for (size_t i = 0; i < OWN_KEPT; i++) {
        free(own_kept[i].block);
        own_kept[i].block = NULL;
    }
    own_next = 0;
}

static void make_own_key(void)
{
    has_own_key = pthread_key_create(&own_key, free_own) == 0;
}

// Without what frees them at the thread's end none are kept.
static void keep_own(void *block, size_t size)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (!own_next) {
        pthread_once(&once, make_own_key);
        if (!has_own_key || pthread_setspecific(own_key, own_kept) != 0) {
            free(block);
            return;
        }
    }
    size_t at = own_next++ % OWN_KEPT;
    free(own_kept[at].block);
    own_kept[at].block = block;
    own_kept[at].size = size;
}

static void *take_own(size_t size)
{
    for (size_t i = 0; i < OWN_KEPT; i++) {
        void *block = own_kept[i].block;
        if (!block || own_kept[i].size < size || own_kept[i].size - size > size / 4)
            continue;
        own_kept[i].block = NULL;
        own_next = OWN_KEPT + (unsigned)i; // it comes back to its place
        return block;
    }
    return NULL;
}

// --- Blocks

static void *new_block(size_t size)
{
    void *own = size >= LEAST_ALIGNED && size < LEAST_KEPT ? take_own(size) : NULL;
    bool is_aligned = size >= LEAST_ALIGNED && size <= SIZE_MAX - LINE;
    return own          ? own
           : is_aligned ? aligned_alloc(LINE, (size + LINE - 1) / LINE * LINE)
                        : malloc(size);
}

static void *in_huge_pages(void *block, size_t size)
{
    if (block && size >= LEAST_HUGE) {
        uintptr_t start = ((uintptr_t)block + PAGE - 1) / PAGE * PAGE;
        madvise((void *)start, ((uintptr_t)block + size - start) / PAGE * PAGE,
                MADV_HUGEPAGE);
    }
    return block;
}

static void *create(size_t size)
{
    if (size < LEAST_KEPT)
        return new_block(size);
    void *block = size <= MOST_KEPT ? take_kept(size, size / 4) : NULL;
    return block ? block : in_huge_pages(new_block(size), size);
}

static void *counted(void *block, size_t size)
{
    if (!block)
        return refusal_note(size);
    if (size >= LEAST_LISTED)
        list_block(block, size);
    support_count(SUPPORT_ALLOCATED);
    return block;
}

void *support_block_create(size_t size)
{
    return counted(create(size), size);
}

static void *create_zeroed(size_t size)
{
    if (size >= LEAST_ALIGNED && size < LEAST_KEPT) {
        void *aligned = new_block(size);
        return aligned ? memset(aligned, 0, size) : NULL;
    }
    bool may_be_kept = size >= LEAST_KEPT && size <= MOST_KEPT;
    void *block = may_be_kept ? take_kept(size, size / 4) : NULL;
    return block ? memset(block, 0, size) : in_huge_pages(calloc(1, size), size);
}

void *support_block_create_zeroed(size_t size)
{
    return counted(create_zeroed(size), size);
}

static void destroy(void *block, size_t size)
{
    if (block && size >= LEAST_ALIGNED && size < LEAST_KEPT &&
            (uintptr_t)block % LINE == 0) {
        keep_own(block, size);
        return;
    }
    if (!block || size < LEAST_KEPT || size > MOST_KEPT) {
        free(block);
        return;
    }
    *(size_t *)block = size;
    for (size_t i = 0; i < KEPT && block; i++) {
        size_t *empty = NULL;
        if (atomic_compare_exchange_strong(&kept[i], &empty, (size_t *)block))
            block = NULL;
    }
    if (block) // the oldest makes room
        free(atomic_exchange(&kept[0], (size_t *)block));
}

void *support_block_grow(void *block, size_t size, size_t *wanted)
{
    if (size >= LEAST_LISTED)
        unlist_block(block);
    size_t *larger = *wanted >= LEAST_KEPT && *wanted <= MOST_KEPT
                             ? take_kept(*wanted, 7 * *wanted)
                             : NULL;
    if (!larger)
        return refusal_realloc(block, *wanted);
    *wanted = *larger;
    if (size)
        memcpy(larger, block, size);
    destroy(block, size);
    return larger;
}

void support_block_destroy(void *block, size_t size)
{
    if (block && size >= LEAST_LISTED)
        unlist_block(block);
    if (block)
        support_count(SUPPORT_FREED);
    destroy(block, size);
}
