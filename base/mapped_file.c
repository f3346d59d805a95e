// SPDX-License-Identifier: MIT
// _dl_find_object is made for unwinders, and takes no lock; dladdr does. It is looked up,
// so that the same file of code runs with a C library that does not have it.
#include "base/mapped_file.h"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

// As <dlfcn.h> of glibc 2.35 has it, on every machine.
struct found_object {
    unsigned long long flags;
    void *map_start, *map_end;
    struct link_map *link_map;
    void *eh_frame;
    unsigned long long reserved[8];
};

static int (*find_object)(void *address, struct found_object *found);

// Before main(), or when the library is loaded: dlsym is nothing for handlers.
__attribute__((constructor)) static void look_up(void)
{
    *(void **)&find_object = dlsym(RTLD_DEFAULT, "_dl_find_object");
}

static bool span_of(const struct dl_phdr_info *info, struct mapped_file *out)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), first = UINTPTR_MAX, last = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + part->p_vaddr;
        if (part->p_type != PT_LOAD)
            continue;
        first = start < first ? start : first;
        last = start + part->p_memsz > last ? start + part->p_memsz : last;
    }
    *out = (struct mapped_file){first & ~(page - 1), last, info->dlpi_name};
    return first < last;
}

struct walk {
    uintptr_t address;
    struct mapped_file *out;
};

static int visit(struct dl_phdr_info *info, size_t size, void *data)
{
    struct walk *walk = data;
    struct mapped_file file;
    bool is_it = span_of(info, &file) && walk->address >= file.start &&
                 walk->address < file.end;
    if (is_it)
        *walk->out = file;
    return is_it;
}

bool mapped_file_find_by_walk(const void *address, struct mapped_file *out)
{
    struct walk walk = {(uintptr_t)address, out};
    return dl_iterate_phdr(visit, &walk) != 0;
}

bool mapped_file_find(const void *address, struct mapped_file *out)
{
    if (!find_object)
        return mapped_file_find_by_walk(address, out);
    struct found_object found;
    if (find_object((void *)address, &found))
        return false;
    *out = (struct mapped_file){(uintptr_t)found.map_start, (uintptr_t)found.map_end,
            found.link_map ? found.link_map->l_name : ""};
    return true;
}
