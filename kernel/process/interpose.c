// SPDX-License-Identifier: MIT
// Each library has a table of the addresses that it calls others by, with the names that
// the dynamic linker filled it in by. Entries of our names are filled in anew.
//
// Stores of whole pointers: other threads may call through an entry meanwhile, and reach
// the one function or the other. Pages that were made read-only after the linker was done
// (RELRO) are writable for the moment.
#include "kernel/process/interpose.h"

#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/machine.h"

static struct {
    const struct stand_in *table;
    size_t count;
    unsigned long long loaded_count; // libraries that had been loaded the last time
} state;

// What a library's dynamic section says of it.
struct imports {
    uintptr_t base;
    const ElfW(Sym) * symbols;
    const char *names;
    const ElfW(Rela) * tables[2];
    size_t sizes[2]; // bytes
    uintptr_t read_only, read_only_end;
};

static const ElfW(Phdr) * find_header(const struct dl_phdr_info *library, uint32_t type)
{
    for (int i = 0; i < library->dlpi_phnum; i++) {
        if (library->dlpi_phdr[i].p_type == type)
            return &library->dlpi_phdr[i];
    }
    return NULL;
}

// glibc writes addresses into the section where it can, else they count from the base.
static uintptr_t place_of(const struct imports *imports, uintptr_t value)
{
    return value && value < imports->base ? imports->base + value : value;
}

static void read_dynamic(struct imports *imports, const ElfW(Dyn) * entry)
{
    uintptr_t values[DT_JMPREL + 1] = {0};
    for (; entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag > 0 && entry->d_tag <= DT_JMPREL)
            values[entry->d_tag] = entry->d_un.d_val;
    }
    imports->symbols = (const ElfW(Sym) *)place_of(imports, values[DT_SYMTAB]);
    imports->names = (const char *)place_of(imports, values[DT_STRTAB]);
    imports->tables[0] = (const ElfW(Rela) *)place_of(imports, values[DT_JMPREL]);
    imports->sizes[0] = values[DT_PLTRELSZ];
    imports->tables[1] = (const ElfW(Rela) *)place_of(imports, values[DT_RELA]);
    imports->sizes[1] = values[DT_RELASZ];
}

static bool read_imports(struct imports *imports, const struct dl_phdr_info *library)
{
    const ElfW(Phdr) *dynamic = find_header(library, PT_DYNAMIC);
    const ElfW(Phdr) *relro = find_header(library, PT_GNU_RELRO);
    *imports = (struct imports){.base = library->dlpi_addr};
    if (!dynamic)
        return false;
    if (relro) {
        imports->read_only = imports->base + relro->p_vaddr;
        imports->read_only_end = imports->read_only + relro->p_memsz;
    }
    read_dynamic(imports, (const ElfW(Dyn) *)(imports->base + dynamic->p_vaddr));
    return imports->symbols && imports->names;
}

static void store(const struct imports *imports, uintptr_t *slot, uintptr_t value)
{
    uintptr_t at = (uintptr_t)slot, page = (uintptr_t)getpagesize();
    uintptr_t start = at / page * page;
    size_t size = at + sizeof *slot - start;
    bool is_read_only = at >= imports->read_only && at < imports->read_only_end;
    if (*slot == value)
        return;
    if (is_read_only && mprotect((void *)start, size, PROT_READ | PROT_WRITE))
        return;
    __atomic_store_n(slot, value, __ATOMIC_RELEASE);
    if (is_read_only)
        mprotect((void *)start, size, PROT_READ);
}

static const struct stand_in *stand_in_for(const char *name)
{
    for (size_t i = 0; i < state.count; i++) {
        if (!strcmp(state.table[i].name, name))
            return &state.table[i];
    }
    return NULL;
}

static void replace_in(const struct imports *imports, const ElfW(Rela) * entry)
{
    unsigned long type = ELF64_R_TYPE(entry->r_info);
    if (type != MACHINE_IMPORT_CALL && type != MACHINE_IMPORT_ADDRESS &&
            type != MACHINE_IMPORT_SUM)
        return;
    const ElfW(Sym) *symbol = &imports->symbols[ELF64_R_SYM(entry->r_info)];
    const struct stand_in *found =
            symbol->st_shndx == SHN_UNDEF ? stand_in_for(imports->names + symbol->st_name)
                                          : NULL;
    if (found)
        store(imports, (uintptr_t *)(imports->base + entry->r_offset),
                (uintptr_t)found->function +
                        (type == MACHINE_IMPORT_SUM ? (uintptr_t)entry->r_addend : 0));
}

static bool holds(const struct dl_phdr_info *library, uintptr_t address)
{
    for (int i = 0; i < library->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &library->dlpi_phdr[i];
        uintptr_t start = library->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD && address >= start &&
                address - start < part->p_memsz)
            return true;
    }
    return false;
}

static bool is_exempt(const struct dl_phdr_info *library)
{
    return holds(library, (uintptr_t)interpose) ||
           holds(library, (uintptr_t)getpagesize) ||
           strstr(library->dlpi_name, "linux-vdso") ||
           strstr(library->dlpi_name, "/ld-linux");
}

static int visit(struct dl_phdr_info *library, size_t size, void *before)
{
    struct imports imports;
    if (library->dlpi_adds == *(unsigned long long *)before)
        return 1; // nothing is new
    state.loaded_count = library->dlpi_adds;
    if (is_exempt(library) || !read_imports(&imports, library))
        return 0;
    for (int i = 0; i < 2; i++) {
        size_t count =
                imports.tables[i] ? imports.sizes[i] / sizeof *imports.tables[i] : 0;
        for (size_t at = 0; at < count; at++)
            replace_in(&imports, &imports.tables[i][at]);
    }
    return 0;
}

void interpose_again(void)
{
    unsigned long long before = state.loaded_count;
    if (state.count)
        dl_iterate_phdr(visit, &before);
}

void interpose(const struct stand_in *table, size_t count)
{
    state.table = table;
    state.count = count;
    state.loaded_count = 0;
    interpose_again();
}
