// SPDX-License-Identifier: MIT
// One file for each cubin in the folder `cubin` of gridcell's caches.
#include "runtime/cuda/cubin_cache.h"

#include <inttypes.h>

#include "base/file_store.h"
#include "base/map.h"
#include "base/str.h"

enum { LIMIT_BYTES = 1 << 30 };

// Where a cubin is kept, if anywhere: the whole text that it was made of is its key.
struct place {
    struct str key, folder, name;
    struct file_store store;
};

static bool place_open(struct place *place, const struct cubin_key *key)
{
    *place = (struct place){0};
    str_printf(&place->key, "sm %d.%d driver %d\n", key->compute_major,
            key->compute_minor, key->driver_version);
    str_append(&place->key, key->ptx);
    str_printf(&place->name, "%016" PRIx64, map_hash(place->key.text, place->key.len));
    if (!file_store_home(&place->folder))
        return false;
    str_append(&place->folder, "/cubin");
    place->store = (struct file_store){place->folder.text, ".cubin"};
    return true;
}

static void place_close(struct place *place)
{
    str_finish(&place->key);
    str_finish(&place->folder);
    str_finish(&place->name);
}

void *cubin_cache_get(const struct cubin_key *key, size_t *size_bytes)
{
    struct place place;
    void *cubin = NULL;
    if (place_open(&place, key))
        cubin = file_store_read(
                &place.store, place.name.text, place.key.text, place.key.len, size_bytes);
    place_close(&place);
    return cubin;
}

void cubin_cache_put(const struct cubin_key *key, const void *cubin, size_t size_bytes)
{
    struct place place;
    struct error ignored = {0};
    if (place_open(&place, key) &&
            file_store_write(&place.store, place.name.text, place.key.text, place.key.len,
                    cubin, size_bytes, &ignored))
        file_store_trim(&place.store, LIMIT_BYTES);
    place_close(&place);
}
