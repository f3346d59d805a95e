// SPDX-License-Identifier: MIT
// One file for each text in the folder `ptx` of gridcell's caches.
#include "compiler/backends/gpu/ptx_cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <llvm-c/BitWriter.h>

#include "base/build_id.h"
#include "base/file_store.h"
#include "compiler/backends/gpu/nvvm/search.h"

enum { LIMIT_BYTES = 1 << 28, NAME_BYTES = 16 };

static struct str libraries; // that the process can have loaded its libnvvm from
static pthread_once_t libraries_once = PTHREAD_ONCE_INIT;

static bool add_library(const char *path, void *data)
{
    struct stat status;
    (void)data;
    if (!stat(path, &status))
        str_printf(&libraries, "%s %lld %lld.%09ld\n", path, (long long)status.st_size,
                (long long)status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
    return false; // on to the next
}

static void find_libraries(void)
{
    nvvm_search_library(add_library, NULL);
}

static void add_options(struct str *text, int cc, const struct ptx_options *options)
{
    str_printf(text,
            "sm_%d O%d ptx %d registers %d bounds %d %d %d flags %d%d%d%d%d%d%d\n", cc,
            options->optimization, options->max_ptx_version, options->max_registers,
            options->max_threads, options->min_blocks, options->max_cluster,
            options->flush_denormals, options->approximate_divide,
            options->approximate_sqrt, options->separate_multiply_add,
            options->has_foreign_code, options->suits_llvm, options->as_ltoir);
}

bool ptx_cache_key(struct ptx_key *key, LLVMModuleRef module, int cc,
        const struct ptx_options *options)
{
    struct str folder = {0};
    pthread_once(&libraries_once, find_libraries);
    bool is_wanted = libraries.len && file_store_home(&folder);
    str_finish(&folder);
    if (!is_wanted)
        return false;
    struct str text = {0};
    str_append(&text, str_text(&libraries));
    build_id_append(&text);
    add_options(&text, cc, options);
    LLVMMemoryBufferRef content = LLVMWriteBitcodeToMemoryBuffer(module);
    struct sha256 sha;
    sha256_init(&sha);
    sha256_add(&sha, text.text, text.len);
    sha256_add(&sha, LLVMGetBufferStart(content), LLVMGetBufferSize(content));
    sha256_finish(&sha, key->digest);
    LLVMDisposeMemoryBuffer(content);
    str_finish(&text);
    return true;
}

// Where the key's text lies.
struct place {
    struct str folder, name;
    struct file_store store;
};

static bool place_open(struct place *place, const struct ptx_key *key)
{
    *place = (struct place){0};
    if (!file_store_home(&place->folder))
        return false;
    str_append(&place->folder, "/ptx");
    for (size_t i = 0; i < NAME_BYTES; i++)
        str_printf(&place->name, "%02x", key->digest[i]);
    place->store = (struct file_store){place->folder.text, ".ptx"};
    return true;
}

static void place_close(struct place *place)
{
    str_finish(&place->folder);
    str_finish(&place->name);
}

bool ptx_cache_get(const struct ptx_key *key, struct str *ptx)
{
    struct place place;
    char *text = NULL;
    size_t len = 0;
    if (place_open(&place, key))
        text = file_store_read(
                &place.store, place.name.text, key->digest, sizeof key->digest, &len);
    place_close(&place);
    if (text)
        str_append_bytes(ptx, text, len);
    bool is_found = text != NULL;
    free(text);
    return is_found;
}

void ptx_cache_put(const struct ptx_key *key, const struct str *ptx)
{
    struct place place;
    struct error ignored = {0};
    if (place_open(&place, key) &&
            file_store_write(&place.store, place.name.text, key->digest,
                    sizeof key->digest, ptx->text, ptx->len, &ignored))
        file_store_trim(&place.store, LIMIT_BYTES);
    place_close(&place);
}
