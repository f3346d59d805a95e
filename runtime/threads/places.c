// SPDX-License-Identifier: MIT
// Where code lies: by the ranges of the C library's allocator, and by file.
#include "runtime/threads/places.h"

#include <assert.h>
#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/mapped_file.h"

enum { MOST_KEPT = 16 };

// The code of the C library's allocator, whose functions lie side by side. Its inner ones
// have no names: they lie within the margins. Set by places_find().
static struct {
    uintptr_t start, end;
    const char *const *complaint; // of the C library when it aborts; NULL: unknown
} allocator;

// The file of sin(), if it is not this one.
static uintptr_t mathematics;

// Files, by where they start; written in order, and never taken back, so that handlers
// read them at any time.
static uintptr_t kept[MOST_KEPT];
static atomic_size_t kept_count;

// Where the file starts that the place lies in; 0: in none.
static uintptr_t file_of(uintptr_t place)
{
    struct mapped_file file;
    return place && mapped_file_find((void *)place, &file) ? file.start : 0;
}

static bool is_kept_file(uintptr_t file)
{
    size_t count = atomic_load(&kept_count);
    bool is_one = false;
    for (size_t i = 0; i < count; i++)
        is_one = is_one || kept[i] == file;
    return is_one;
}

void places_keep(const void *address)
{
    uintptr_t file = file_of((uintptr_t)address);
    if (!file || is_kept_file(file))
        return;
    size_t count = atomic_load(&kept_count);
    assert(count < MOST_KEPT);
    kept[count] = file;
    atomic_store(&kept_count, count + 1);
}

// By the C library's own names: a program may have given `malloc` another address.
static uintptr_t find_allocator(void)
{
    enum { BEFORE = 20 << 10, BEHIND = 4 << 10 };
    static const char *const names[] = {"__libc_malloc", "__libc_free", "__libc_calloc",
            "__libc_realloc", "__libc_memalign", "mallopt", "malloc_info"};
    void *library = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
    uintptr_t first = UINTPTR_MAX, last = 0;
    for (size_t i = 0; library && i < sizeof names / sizeof *names; i++) {
        uintptr_t place = (uintptr_t)dlsym(library, names[i]);
        first = place && place < first ? place : first;
        last = place > last ? place : last;
    }
    allocator.start = first - BEFORE;
    allocator.end = last + BEHIND;
    allocator.complaint = dlvsym(RTLD_DEFAULT, "__abort_msg", "GLIBC_PRIVATE");
    return file_of(first);
}

// The loader binds names on the way, and a program may bring an allocator of its own.
void places_find(void)
{
    uintptr_t library = find_allocator();
    void *allocate = dlsym(RTLD_DEFAULT, "malloc");
    places_keep(dlsym(RTLD_DEFAULT, "__tls_get_addr"));
    if (file_of((uintptr_t)allocate) != library)
        places_keep(allocate);
    uintptr_t sines = file_of((uintptr_t)dlsym(RTLD_DEFAULT, "sin"));
    mathematics = sines != file_of((uintptr_t)places_find) ? sines : 0;
}

bool places_is_compiled(uintptr_t place)
{
    return place && !file_of(place);
}

bool places_is_mathematics(uintptr_t place)
{
    return mathematics && file_of(place) == mathematics;
}

bool places_is_allocator(uintptr_t place)
{
    return place >= allocator.start && place < allocator.end;
}

bool places_is_kept(uintptr_t place)
{
    return places_is_allocator(place) || is_kept_file(file_of(place));
}

bool places_is_heap_broken(void)
{
    return allocator.complaint && *allocator.complaint;
}
