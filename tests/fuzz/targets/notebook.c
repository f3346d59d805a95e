// SPDX-License-Identifier: MIT
// A notebook's file as `gridcell run` reads it.
#include "tests/fuzz/targets/target.h"

#include "kernel/tool/notebook.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = target_file(data, size);
    struct notebook notebook;
    struct error err = {0};
    if (notebook_read(&notebook, path, &err)) {
        size_t i;
        const json_t *cell;
        json_array_foreach(notebook.cells, i, cell)
        {
            size_t len = 0;
            char *source = notebook_cell_source(cell, &len);
            REQUIRE(source && source[len] == '\0');
            free(source);
            notebook_is_code(cell);
            notebook_may_raise(cell);
        }
        notebook_finish(&notebook);
    } else {
        REQUIRE(strstr(err.message, path));
    }
    unlink(path);
    return 0;
}
