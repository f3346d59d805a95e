// SPDX-License-Identifier: MIT
// The build's identity: a note that linkers write, a hash of the whole file.
#include "base/build_id.h"

#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <string.h>

struct search {
    uintptr_t address; // somewhere in the file that is looked for
    struct str *out;
};

static bool holds(const struct dl_phdr_info *file, uintptr_t address)
{
    for (int i = 0; i < file->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &file->dlpi_phdr[i];
        uintptr_t start = file->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD && address >= start &&
                address < start + part->p_memsz)
            return true;
    }
    return false;
}

static bool append_id(struct str *out, const char *notes, size_t size_bytes)
{
    for (size_t at = 0; at + sizeof(ElfW(Nhdr)) <= size_bytes;) {
        ElfW(Nhdr) note;
        memcpy(&note, notes + at, sizeof note);
        size_t name = at + sizeof note, body = name + ((note.n_namesz + 3) & ~3u);
        if (body + note.n_descsz > size_bytes)
            return false;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
                !memcmp(notes + name, "GNU", 4)) {
            for (size_t i = 0; i < note.n_descsz; i++)
                str_printf(out, "%02x", (unsigned char)notes[body + i]);
            return true;
        }
        at = body + ((note.n_descsz + 3) & ~3u);
    }
    return false;
}

static int look_at(struct dl_phdr_info *file, size_t size_bytes, void *context)
{
    struct search *search = context;
    if (!holds(file, search->address))
        return 0;
    for (int i = 0; i < file->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &file->dlpi_phdr[i];
        if (part->p_type == PT_NOTE &&
                append_id(search->out, (const char *)(file->dlpi_addr + part->p_vaddr),
                        part->p_memsz))
            return 1;
    }
    return 0;
}

void build_id_append(struct str *out)
{
    struct search search = {(uintptr_t)build_id_append, out};
    if (!dl_iterate_phdr(look_at, &search))
        str_append(out, "unknown");
}
