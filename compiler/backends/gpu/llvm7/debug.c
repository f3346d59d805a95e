// SPDX-License-Identifier: MIT
// Lines of the user's source: subprograms and locations as LLVM 7 writes them. Their
// nodes are numbered from FIRST_NODE, far above the others.
#include <stdint.h>
#include <string.h>

#include <llvm-c/DebugInfo.h>

#include "compiler/backends/gpu/llvm7/writer_internal.h"

enum {
    FIRST_NODE = 100000,
    UNIT_NODE = FIRST_NODE,
    FLAG_NODE,
    UNIT_FILE_NODE,
    NEXT_NODE
};

static unsigned new_node(struct llvm7_writer *writer)
{
    if (!writer->debug_nodes)
        writer->debug_nodes = NEXT_NODE;
    return writer->debug_nodes++;
}

static void quote(struct str *out, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c < ' ' || c == '"' || c == '\\' || c > '~')
            str_printf(out, "\\%02X", c);
        else
            str_append_char(out, (char)c);
    }
}

static void print_file(struct llvm7_writer *writer, unsigned node, LLVMMetadataRef scope)
{
    unsigned len = 0;
    LLVMMetadataRef file = LLVMDIScopeGetFile(scope);
    const char *name = file ? LLVMDIFileGetFilename(file, &len) : "";
    str_printf(&writer->debug, "!%u = !DIFile(filename: \"", node);
    quote(&writer->debug, name, len);
    str_append(&writer->debug, "\", directory: \"\")\n");
}

// The node of a function's scope, printed when it is first asked for.
static unsigned scope_node(
        struct llvm7_writer *writer, LLVMMetadataRef scope, LLVMValueRef function)
{
    uintptr_t known = (uintptr_t)map_get_bytes(&writer->scopes, &scope, sizeof scope);
    if (known)
        return (unsigned)known;
    unsigned file = new_node(writer), type = new_node(writer), node = new_node(writer);
    unsigned line = LLVMDISubprogramGetLine(scope);
    size_t len;
    const char *name = LLVMGetValueName2(function, &len);
    if (file == NEXT_NODE)
        print_file(writer, UNIT_FILE_NODE, scope);
    print_file(writer, file, scope);
    str_printf(&writer->debug, "!%u = !DISubroutineType(types: !1)\n", type);
    str_printf(&writer->debug, "!%u = distinct !DISubprogram(name: \"", node);
    quote(&writer->debug, name, len);
    str_append(&writer->debug, "\", linkageName: \"");
    quote(&writer->debug, name, len);
    str_printf(&writer->debug,
            "\", scope: !%u, file: !%u, line: %u, type: !%u, isLocal: false, "
            "isDefinition: true, scopeLine: %u, isOptimized: true, unit: !%u)\n",
            file, file, line, type, line, UNIT_NODE);
    map_set_bytes(&writer->scopes, &scope, sizeof scope, (void *)(uintptr_t)node);
    return node;
}

void llvm7_debug_function(struct llvm7_writer *writer, LLVMValueRef function)
{
    LLVMMetadataRef scope = LLVMGetSubprogram(function);
    if (scope)
        llvm7_print(writer, " !dbg !%u", scope_node(writer, scope, function));
}

// The node of an instruction's location; 0: it has none.
static unsigned location_node(struct llvm7_writer *writer, LLVMValueRef instruction)
{
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(instruction);
    LLVMValueRef function =
            LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
    LLVMMetadataRef scope = LLVMGetSubprogram(function);
    if (!location || !scope || LLVMDILocationGetInlinedAt(location))
        return 0;
    unsigned parent = scope_node(writer, scope, function), node = new_node(writer);
    str_printf(&writer->debug, "!%u = !DILocation(line: %u, column: %u, scope: !%u)\n",
            node, LLVMDILocationGetLine(location), LLVMDILocationGetColumn(location),
            parent);
    return node;
}

// Adds the location to the lines that were printed for the instruction, from `start` on.
void llvm7_debug_lines(
        struct llvm7_writer *writer, LLVMValueRef instruction, size_t start)
{
    struct str lines = {0}, *out = writer->out;
    unsigned node = out->len > start ? location_node(writer, instruction) : 0;
    if (!node || strstr(str_text(out) + start, " switch "))
        return;
    const char *line = str_text(out) + start;
    for (const char *end = strchr(line, '\n'); end; end = strchr(line, '\n')) {
        str_append_bytes(&lines, line, (size_t)(end - line));
        bool is_instruction = str_starts_with(line, "  ") && end[-1] != ':';
        if (is_instruction)
            str_printf(&lines, ", !dbg !%u", node);
        str_append_char(&lines, '\n');
        line = end + 1;
    }
    out->len = start;
    str_append(out, str_text(&lines));
    str_finish(&lines);
}

void llvm7_debug_metadata(struct llvm7_writer *writer)
{
    if (!writer->debug_nodes)
        return;
    llvm7_print(writer, "%s", str_text(&writer->debug));
    llvm7_print(writer,
            "!%u = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !%u, "
            "producer: \"gridcell\", isOptimized: true, runtimeVersion: 0, "
            "emissionKind: DebugDirectivesOnly, enums: !1)\n"
            "!%u = !{i32 2, !\"Debug Info Version\", i32 3}\n"
            "!llvm.dbg.cu = !{!%u}\n!llvm.module.flags = !{!%u}\n",
            UNIT_NODE, UNIT_FILE_NODE, FLAG_NODE, UNIT_NODE, FLAG_NODE);
}
