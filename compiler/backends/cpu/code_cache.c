// SPDX-License-Identifier: MIT
// Code on disk. The key of a portable module is a hash of its content before it is
// optimised, and of what else code depends on; the value is its ELF object. Where the
// object shares names with the process, they begin with a tag: its digits are exchanged
// for a number of this process, so that each loaded object has names of its own, and the
// addresses that the module refers to are defined under these names.
#include "compiler/backends/cpu/code_cache.h"

#include <assert.h>
#include <ctype.h>
#include <elf.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/BitWriter.h>

#include "base/file_store.h"
#include "base/memory.h"
#include "base/sha256.h"
#include "compiler/backends/backend.h"
#include "compiler/backends/cpu/jit.h"

enum { NAME_DIGEST_BYTES = 16, TRIM_EVERY = 8, DEFAULT_LIMIT_MIB = 1024 };

static const char SUFFIX[] = ".gco";

// --- the key

// The key must hold all that the object depends on: a stale object would run, and give
// wrong results without a word. The content is LLVM's bitcode, which has no addresses of
// this process: codegen_address has made numbers of them.
static void make_key(LLVMModuleRef module, int opt_level, unsigned char *digest)
{
    struct str machine = {0};
    struct sha256 sha;
    jit_describe(&machine);
    str_printf(&machine, "O%d\n", opt_level);
    LLVMMemoryBufferRef content = LLVMWriteBitcodeToMemoryBuffer(module);
    sha256_init(&sha);
    sha256_add(&sha, machine.text, machine.len);
    sha256_add(&sha, LLVMGetBufferStart(content), LLVMGetBufferSize(content));
    sha256_finish(&sha, digest);
    LLVMDisposeMemoryBuffer(content);
    str_finish(&machine);
}

// The label is for those who look into the folder; half of the hash tells files apart,
// and the file holds the whole.
static void file_name(
        struct str *name, const struct code_cache *cache, const unsigned char *digest)
{
    for (const char *c = cache->label; *c && name->len < 80; c++)
        str_append_char(name, isalnum((unsigned char)*c) || strchr("._-", *c) ? *c : '-');
    str_append_char(name, '-');
    for (int i = 0; i < NAME_DIGEST_BYTES; i++)
        str_printf(name, "%02x", digest[i]);
}

// --- files

static void note_file(struct compiled *compiled, const struct file_store *store,
        const char *name, enum cache_outcome outcome)
{
    struct str path = {0};
    compiled->cache_outcome = outcome;
    if (!store->folder)
        return;
    str_printf(&path, "%s/%s%s", store->folder, name, store->suffix);
    compiled->cache_file = str_take(&path);
}

// The bytes are the caller's, to be changed and freed.
static char *read_object(struct compiled *compiled, const struct code_cache *cache,
        const char *name, const unsigned char *digest, size_t *size_bytes)
{
    for (size_t i = 0; i < cache->folder_count; i++) {
        struct file_store store = {cache->folders[i], SUFFIX};
        char *object = file_store_read(&store, name, digest, SHA256_BYTES, size_bytes);
        if (object) {
            note_file(compiled, &store, name, CACHE_HIT);
            return object;
        }
    }
    return NULL;
}

static uint64_t limit_bytes(void)
{
    const char *chosen = getenv("GRIDCELL_CACHE_LIMIT");
    char *end = NULL;
    unsigned long long mib = chosen ? strtoull(chosen, &end, 10) : 0;
    if (!chosen || end == chosen || *end || mib > UINT32_MAX)
        mib = DEFAULT_LIMIT_MIB;
    return (uint64_t)mib << 20;
}

// Failing to write is no failure of the compilation: the code is there and will run.
static void write_object(struct compiled *compiled, const struct code_cache *cache,
        const char *name, const unsigned char *digest, LLVMMemoryBufferRef object)
{
    static atomic_uint writes;
    struct error first = {0};
    compiled->cache_outcome = CACHE_MISS;
    for (size_t i = 0; i < cache->folder_count; i++) {
        struct file_store store = {cache->folders[i], SUFFIX};
        if (!file_store_write(&store, name, digest, SHA256_BYTES,
                    LLVMGetBufferStart(object), LLVMGetBufferSize(object), &first))
            continue;
        note_file(compiled, &store, name, CACHE_MISS);
        if (atomic_fetch_add(&writes, 1) % TRIM_EVERY == 0)
            file_store_trim(&store, limit_bytes());
        return;
    }
    compiled->cache_failure = memory_strdup(first.message);
}

// --- loading

// The store vouches that the bytes are as a process of this user has written them, not
// that they are an object: every offset is checked.
// Gives the names that begin with the tag the number `serial`.
static bool rename_symbols(char *object, size_t size_bytes, uint64_t serial)
{
    char digits[17];
    const size_t tag_len = strlen(PORTABLE_TAG);
    Elf64_Ehdr elf;
    snprintf(digits, sizeof digits, "%016" PRIx64, serial);
    if (size_bytes < sizeof elf)
        return false;
    memcpy(&elf, object, sizeof elf);
    if (memcmp(elf.e_ident, ELFMAG, SELFMAG) || elf.e_shoff > size_bytes ||
            elf.e_shnum > (size_bytes - elf.e_shoff) / sizeof(Elf64_Shdr))
        return false;
    for (size_t i = 0; i < elf.e_shnum; i++) {
        Elf64_Shdr section;
        memcpy(&section, object + elf.e_shoff + i * sizeof section, sizeof section);
        if (section.sh_type != SHT_STRTAB)
            continue;
        if (section.sh_offset > size_bytes ||
                section.sh_size > size_bytes - section.sh_offset)
            return false;
        char *at = object + section.sh_offset, *end = at + section.sh_size;
        while ((at = memmem(at, (size_t)(end - at), PORTABLE_TAG, tag_len))) {
            memcpy(at + tag_len - 16, digits, 16); // as long as before: nothing moves
            at += tag_len;
        }
    }
    return true;
}

// The addresses that the module refers to by number, under names with this object's
// serial number.
static bool define_outside(
        const struct compiled_private *private, uint64_t serial, struct error *err)
{
    for (size_t i = 0; i < private->outside_count; i++) {
        char name[64];
        snprintf(name, sizeof name, "gridcell.%016" PRIx64 ".%zu", serial, i);
        if (!jit_define(name, private->outside[i], err))
            return false;
    }
    return true;
}

static const char *own_name(struct arena *arena, const char *tagged, uint64_t serial)
{
    return arena_printf(
            arena, "gridcell.%016" PRIx64 "%s", serial, tagged + strlen(PORTABLE_TAG));
}

bool code_cache_load(struct compilation *c)
{
    assert(c->is_portable && c->cached.bytes && !c->object);
    static atomic_uint_least64_t loaded;
    struct compiled_private *private = c->compiled->private;
    uint64_t serial = atomic_fetch_add(&loaded, 1) + 1;
    if (!rename_symbols(c->cached.bytes, c->cached.size_bytes, serial))
        return error_set(c->err, ERROR_LOWERING, SPAN_NONE, "the object file is damaged");
    private->entry_symbol = own_name(&private->arena, private->entry_symbol, serial);
    private->code_symbol = own_name(&private->arena, private->code_symbol, serial);
    if (!define_outside(private, serial, c->err))
        return false;
    c->object = LLVMCreateMemoryBufferWithMemoryRangeCopy(
            c->cached.bytes, c->cached.size_bytes, private->entry_symbol);
    return jit_load(c);
}

bool code_cache_find(struct compilation *c)
{
    const struct code_cache *cache = c->options->cache;
    if (!cache)
        return true;
    struct str name = {0};
    assert(c->module && c->is_portable);
    make_key(c->module, c->opt_level, c->cached.digest);
    file_name(&name, cache, c->cached.digest);
    c->cached.name = str_take(&name);
    c->cached.bytes = read_object(
            c->compiled, cache, c->cached.name, c->cached.digest, &c->cached.size_bytes);
    return true;
}

bool code_cache_keep(struct compilation *c)
{
    if (!c->cached.name)
        return true;
    write_object(
            c->compiled, c->options->cache, c->cached.name, c->cached.digest, c->object);
    c->cached.size_bytes = LLVMGetBufferSize(c->object);
    c->cached.bytes = memory_alloc(c->cached.size_bytes);
    memcpy(c->cached.bytes, LLVMGetBufferStart(c->object), c->cached.size_bytes);
    LLVMDisposeMemoryBuffer(c->object);
    c->object = NULL;
    return true;
}
