// SPDX-License-Identifier: MIT
// Kernels that are linked with foreign code: by the driver's linker, which fits the
// driver, or by nvJitLink where code is optimised once more when it is linked.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "runtime/cuda/cubin_cache.h"
#include "runtime/cuda/cuda_device.h"
#include "runtime/cuda/toolkit.h"

enum { LOG_BYTES = 8192 };

// How the driver takes each kind of code; the others are PTX by then.
static const enum cuda_link_input input_kinds[] = {[FOREIGN_PTX] = CUDA_LINK_PTX,
        [FOREIGN_CUBIN] = CUDA_LINK_CUBIN,
        [FOREIGN_FATBIN] = CUDA_LINK_FATBIN,
        [FOREIGN_OBJECT] = CUDA_LINK_OBJECT,
        [FOREIGN_ARCHIVE] = CUDA_LINK_ARCHIVE,
        [FOREIGN_LTOIR] = CUDA_LINK_PTX,
        [FOREIGN_CUDA_C] = CUDA_LINK_PTX};

static bool add_code(
        struct cuda_link *link, const struct foreign_code *code, struct error *err)
{
    size_t len = code->len + (code->kind == FOREIGN_PTX); // with the NUL behind it
    return CUDA_CALL(err, cuLinkAddData(link, (int)input_kinds[code->kind],
                                  (void *)code->data, len, code->name, 0, NULL, NULL));
}

// The driver's words about what does not fit become part of the error.
static bool link_by_driver(
        const struct foreign_inputs *inputs, struct str *out, struct error *err)
{
    char *log = memory_zalloc(LOG_BYTES);
    int options[] = {CUDA_JIT_ERROR_LOG, CUDA_JIT_ERROR_LOG_BYTES};
    void *values[] = {log, (void *)(uintptr_t)LOG_BYTES}, *cubin = NULL;
    struct cuda_link *link = NULL;
    size_t size = 0;
    bool is_done = CUDA_CALL(err, cuLinkCreate(2, options, values, &link));
    for (size_t i = 0; is_done && i < inputs->count; i++)
        is_done = add_code(link, &inputs->items[i], err);
    is_done = is_done && CUDA_CALL(err, cuLinkComplete(link, &cubin, &size));
    if (is_done)
        str_append_bytes(out, cubin, size);
    else if (log[0])
        error_note(err, "\n%s", log);
    if (link)
        cuda_driver.cuLinkDestroy(link);
    free(log);
    return is_done;
}

static bool link_all(const struct compiled *compiled, const struct link_target *target,
        struct str *cubin, struct error *err)
{
    const struct foreign_code first = {
            .kind = compiled->ltoir ? FOREIGN_LTOIR : FOREIGN_PTX,
            .name = compiled->ptx_entry,
            .data = compiled->ltoir ? compiled->ltoir : compiled->ptx,
            .len = compiled->ltoir ? compiled->ltoir_len : strlen(compiled->ptx),
    };
    if (foreign_needs_nvjitlink(compiled->links, compiled->link_count, target))
        return foreign_link(
                &first, compiled->links, compiled->link_count, target, false, cubin, err);
    struct foreign_inputs inputs;
    bool is_done = foreign_inputs_make(&inputs, &first, compiled->links,
                           compiled->link_count, target, err) &&
                   link_by_driver(&inputs, cubin, err);
    foreign_inputs_finish(&inputs);
    return is_done;
}

// What the result depends on: the kernel's PTX, and each code.
static void key_text(const struct compiled *compiled, struct str *text)
{
    str_append(text, compiled->ptx);
    str_append(text, compiled->ltoir ? "\n// lto" : "\n//");
    for (size_t i = 0; i < compiled->link_count; i++) {
        const struct foreign_code *code = compiled->links[i];
        str_printf(text, " %d:%zu:%016" PRIx64, (int)code->kind, code->len,
                map_hash(code->data, code->len));
    }
}

bool cuda_link_load(struct device *device, const struct compiled *compiled,
        struct cuda_module **module, struct error *err)
{
    const struct link_target target = {
            .cc = device->compute_major * 10 + device->compute_minor,
            .max_ptx_version = device->max_ptx_version,
            .optimises = compiled->ltoir != NULL,
    };
    struct str text = {0}, cubin = {0};
    key_text(compiled, &text);
    struct cubin_key key = {.ptx = str_text(&text),
            .compute_major = device->compute_major,
            .compute_minor = device->compute_minor};
    size_t size = 0;
    bool is_done = CUDA_CALL(err, cuDriverGetVersion(&key.driver_version));
    void *kept = is_done ? cubin_cache_get(&key, &size) : NULL;
    if (is_done && !kept && link_all(compiled, &target, &cubin, err))
        cubin_cache_put(&key, cubin.text, cubin.len);
    const void *image = kept ? kept : cubin.len ? cubin.text : NULL;
    is_done = image && CUDA_CALL(err, cuModuleLoadDataEx(module, image, 0, NULL, NULL));
    free(kept);
    str_finish(&cubin);
    str_finish(&text);
    return is_done;
}
