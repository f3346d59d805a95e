// SPDX-License-Identifier: MIT
// Foreign code on its way to the linker: CUDA C is compiled, the rest goes as it is.
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "compiler/backends/gpu/nvvm/search.h"
#include "runtime/cuda/toolkit.h"

struct opening {
    const struct toolkit_library *library;
    struct error broken; // the first that could not be opened
    bool is_too_old;     // one that could
};

static bool find_functions(const struct toolkit_library *library, void *handle)
{
    for (size_t i = 0; i < library->count; i++) {
        void *function = dlsym(handle, library->functions[i].name);
        if (!function)
            return false;
        memcpy(library->functions[i].place, &function, sizeof function);
    }
    return true;
}

static bool open_library(const char *path, void *data)
{
    struct opening *opening = data;
    void *handle = nvvm_search_open(path, &opening->broken);
    if (!handle || find_functions(opening->library, handle))
        return handle != NULL;
    opening->is_too_old = true; // a newer one may lie beside an old toolkit
    dlclose(handle);
    return false;
}

bool toolkit_load(const struct toolkit_library *library, struct error *err)
{
    struct opening opening = {.library = library};
    if (nvvm_search_toolkit(library->stem, open_library, &opening))
        return true;
    if (opening.is_too_old)
        return error_set(err, ERROR_DEVICE_SUPPORT, SPAN_NONE, "%s", library->too_old);
    if (opening.broken.kind)
        return error_set(err, ERROR_DEVICE_SUPPORT, SPAN_NONE,
                "lib%s.so, which is needed %s, cannot be loaded: %s", library->stem,
                library->use, opening.broken.message);
    return error_set(err, ERROR_DEVICE_SUPPORT, SPAN_NONE,
            "lib%s.so, which is needed %s, was not found. It is part of NVIDIA's CUDA "
            "toolkit, and of pip install gridcell[cuda]",
            library->stem, library->use);
}

void toolkit_signals_keep(struct toolkit_signals *signals)
{
    memset(signals, 0, sizeof *signals);
    for (int number = 1; number < 32; number++)
        sigaction(number, NULL, &signals->actions[number]);
}

void toolkit_signals_restore(const struct toolkit_signals *signals)
{
    for (int number = 1; number < 32; number++)
        if (number != SIGKILL && number != SIGSTOP)
            sigaction(number, &signals->actions[number], NULL);
}

bool foreign_needs_nvjitlink(const struct foreign_code *const *codes, size_t count,
        const struct link_target *target)
{
    bool is_needed = target->optimises;
    for (size_t i = 0; i < count; i++)
        is_needed |= codes[i]->kind == FOREIGN_LTOIR;
    return is_needed;
}

bool foreign_inputs_make(struct foreign_inputs *inputs, const struct foreign_code *first,
        const struct foreign_code *const *codes, size_t count,
        const struct link_target *target, struct error *err)
{
    *inputs = (struct foreign_inputs){
            .items = memory_zalloc((count + 1) * sizeof *inputs->items),
            .made = memory_zalloc((count + 1) * sizeof *inputs->made),
            .count = count + 1,
            .has_ltoir = first->kind == FOREIGN_LTOIR,
    };
    inputs->items[0] = *first;
    for (size_t i = 0; i < count; i++) {
        struct foreign_code *item = &inputs->items[i + 1];
        struct str *made = &inputs->made[i + 1];
        *item = *codes[i];
        if (item->kind == FOREIGN_CUDA_C) {
            if (!nvrtc_compile(codes[i], target, &item->kind, made, err))
                return false;
            item->data = str_text(made);
            item->len = made->len;
        }
        inputs->has_ltoir |= item->kind == FOREIGN_LTOIR;
    }
    return true;
}

void foreign_inputs_finish(struct foreign_inputs *inputs)
{
    for (size_t i = 0; inputs->made && i < inputs->count; i++)
        str_finish(&inputs->made[i]);
    free(inputs->made);
    free(inputs->items);
    *inputs = (struct foreign_inputs){0};
}

bool foreign_link(const struct foreign_code *first,
        const struct foreign_code *const *codes, size_t count,
        const struct link_target *target, bool as_ptx, struct str *out, struct error *err)
{
    struct foreign_inputs inputs;
    bool is_done = foreign_inputs_make(&inputs, first, codes, count, target, err) &&
                   nvjitlink_link(inputs.items, inputs.count, target, as_ptx, out, err);
    foreign_inputs_finish(&inputs);
    return is_done;
}
