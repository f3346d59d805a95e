// SPDX-License-Identifier: MIT
// What each part of the language is printed with; knows no other part.
#include "compiler/backends/gpu/llvm7/writer_internal.h"

#include <stdarg.h>

#include "compiler/backends/gpu/module/ptx_module.h"

void llvm7_fail(struct llvm7_writer *writer, const char *format, ...)
{
    struct str message = {0};
    va_list args;
    va_start(args, format);
    str_vprintf(&message, format, args);
    va_end(args);
    if (writer->instruction) {
        str_append(&message, " ");
        ptx_describe(&message, writer->instruction);
    }
    error_set(writer->err, ERROR_NVVM, SPAN_NONE, "not representable for libnvvm: %s",
            str_text(&message));
    str_finish(&message);
}

void llvm7_print(struct llvm7_writer *writer, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    str_vprintf(writer->out, format, args);
    va_end(args);
}

unsigned llvm7_temp(struct llvm7_writer *writer)
{
    llvm7_print(writer, "  %%t.%u = ", writer->temps);
    return writer->temps++;
}

void llvm7_declare(struct llvm7_writer *writer, const char *name, const char *text)
{
    if (map_get(&writer->declared, name))
        return;
    map_set(&writer->declared, name, writer);
    str_printf(&writer->declarations, "%s\n", text);
}
