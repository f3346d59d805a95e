// SPDX-License-Identifier: MIT
// What a debug adapter sends, in two pieces.
#include "tests/fuzz/targets/target.h"

#include "kernel/debugger/dap.h"

static bool take_all(struct dap *dap)
{
    struct error err = {0};
    json_t *message;
    while ((message = dap_next(dap, &err)))
        json_decref(message);
    return err.kind == ERROR_NONE;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dap dap = {.fd = -1};
    size_t half = size ? data[0] % (size + 1) : 0;
    str_append_bytes(&dap.input, data, half);
    if (take_all(&dap)) {
        str_append_bytes(&dap.input, data + half, size - half);
        take_all(&dap);
    }
    dap_close(&dap);
    return 0;
}
