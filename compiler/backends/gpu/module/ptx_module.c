// SPDX-License-Identifier: MIT
// Prepares a copy of a module for either route to PTX, and checks the PTX that came out.
#include "compiler/backends/gpu/module/ptx_module.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include <llvm-c/Analysis.h>

#include "base/memory.h"
#include "base/vec.h"

struct ptx_options ptx_options_default(void)
{
    return (struct ptx_options){.optimization = 3};
}

struct ptx_options ptx_options_fastmath(void)
{
    return (struct ptx_options){.optimization = 3,
            .flush_denormals = true,
            .approximate_divide = true,
            .approximate_sqrt = true};
}

// An annotation is a list: the function, then names with values. Any name may be
// "kernel".
// Modules of others come with annotations, ours with the calling convention.
static bool is_annotated_kernel(LLVMValueRef node, LLVMValueRef function)
{
    unsigned count = LLVMGetMDNodeNumOperands(node);
    if (count < 2)
        return false;
    LLVMValueRef *operands = memory_alloc(count * sizeof *operands);
    LLVMGetMDNodeOperands(node, operands);
    bool found = false;
    for (unsigned i = 1; operands[0] == function && i < count && !found; i += 2) {
        unsigned len = 0;
        const char *text = operands[i] ? LLVMGetMDString(operands[i], &len) : NULL;
        found = text && len == 6 && memcmp(text, "kernel", 6) == 0;
    }
    free(operands);
    return found;
}

// A declaration is no kernel, whatever is said of it: it has no code to launch.
bool ptx_is_kernel(LLVMModuleRef module, LLVMValueRef function)
{
    assert(LLVMIsAFunction(function));
    if (LLVMIsDeclaration(function))
        return false;
    if (LLVMGetFunctionCallConv(function) == PTX_KERNEL_CALL_CONVENTION)
        return true;
    unsigned count = LLVMGetNamedMetadataNumOperands(module, "nvvm.annotations");
    if (!count)
        return false;
    LLVMValueRef *nodes = memory_alloc(count * sizeof *nodes);
    LLVMGetNamedMetadataOperands(module, "nvvm.annotations", nodes);
    bool found = false;
    for (unsigned i = 0; i < count && !found; i++)
        found = is_annotated_kernel(nodes[i], function);
    free(nodes);
    return found;
}

void ptx_symbol(struct str *out, const char *name, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)name[i];
        str_append_char(out, isalnum(c) || c == '_' || c == '$' ? (char)c : '_');
    }
}

// Names that LLVM knows stay: intrinsics have dots, and never come to PTX.
static void make_symbol_valid(LLVMValueRef global)
{
    size_t len;
    const char *name = LLVMGetValueName2(global, &len);
    if (len >= 5 && memcmp(name, "llvm.", 5) == 0)
        return;
    struct str valid = {0};
    ptx_symbol(&valid, name, len);
    if (valid.len != len || memcmp(valid.text, name, len) != 0)
        LLVMSetValueName2(global, str_text(&valid), valid.len);
    str_finish(&valid);
}

static void make_symbols_valid(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        make_symbol_valid(f);
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        make_symbol_valid(g);
}

static bool has_kernel(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (ptx_is_kernel(module, f))
            return true;
    }
    return false;
}

// A module without a kernel is a library of device functions: they stay visible.
// Internal functions are inlined or dropped, as nobody outside can call them.
static void internalize(LLVMModuleRef module)
{
    if (!has_kernel(module))
        return;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f) && !ptx_is_kernel(module, f))
            LLVMSetLinkage(f, LLVMInternalLinkage);
    }
}

// Verified first: the rewriting below takes a sound module for granted, and libnvvm ends
// the process on some that are not.
LLVMModuleRef ptx_module_prepare(
        LLVMModuleRef module, const char *data_layout, struct error *err)
{
    char *message = NULL;
    bool is_broken = LLVMVerifyModule(module, LLVMReturnStatusAction, &message);
    if (is_broken)
        error_set(err, ERROR_INTERNAL, SPAN_NONE, "invalid LLVM module: %s", message);
    LLVMDisposeMessage(message);
    if (is_broken)
        return NULL;
    LLVMModuleRef copy = LLVMCloneModule(module);
    LLVMSetTarget(copy, PTX_TRIPLE);
    LLVMSetDataLayout(copy, data_layout);
    make_symbols_valid(copy);
    internalize(copy);
    ptx_legalize(copy);
    return copy;
}

// Adds one line to !nvvm.annotations, which libnvvm reads, and LLVM before 21.
static void annotate(
        LLVMModuleRef module, LLVMValueRef kernel, const char *name, int value)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef i32 = LLVMInt32TypeInContext(context);
    LLVMMetadataRef operands[] = {LLVMValueAsMetadata(kernel),
            LLVMMDStringInContext2(context, name, strlen(name)),
            LLVMValueAsMetadata(LLVMConstInt(i32, (unsigned)value, false))};
    LLVMMetadataRef node = LLVMMDNodeInContext2(context, operands, 3);
    LLVMAddNamedMetadataOperand(
            module, "nvvm.annotations", LLVMMetadataAsValue(context, node));
}

// As LLVM has it from 21 on; there is an attribute for each annotation.
static void add_attribute(
        LLVMModuleRef module, LLVMValueRef kernel, const char *name, int value)
{
    char number[16];
    snprintf(number, sizeof number, "%d", value);
    LLVMAttributeRef attribute = LLVMCreateStringAttribute(LLVMGetModuleContext(module),
            name, (unsigned)strlen(name), number, (unsigned)strlen(number));
    LLVMAddAttributeAtIndex(
            kernel, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute);
}

void ptx_limit_kernels(LLVMModuleRef module, const struct ptx_options *options)
{
    const struct {
        const char *name, *attribute;
        int value;
    } limits[] = {{"maxnreg", "nvvm.maxnreg", options->max_registers},
            {"maxntidx", "nvvm.maxntid", options->max_threads},
            {"minctasm", "nvvm.minctasm", options->min_blocks},
            {"maxclusterrank", "nvvm.maxclusterrank", options->max_cluster}};
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
            if (limits[i].value <= 0 || !ptx_is_kernel(module, f))
                continue;
            annotate(module, f, limits[i].name, limits[i].value);
            add_attribute(module, f, limits[i].attribute, limits[i].value);
        }
    }
}

// What the driver supplies when it loads a module.
static bool is_driver_function(const char *name, size_t len)
{
    static const char *const names[] = {"vprintf", "malloc", "free", "__assertfail"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strlen(names[i]) == len && memcmp(names[i], name, len) == 0)
            return true;
    }
    return false;
}

// The name in ".extern .func (.param .b32 r) name": the last word before the parameters.
static const char *extern_name(const char *declaration, size_t *len)
{
    const char *p = declaration + strspn(declaration, " \t\n");
    if (*p == '(') {
        p += strcspn(p, ")");
        p += *p == ')';
        p += strspn(p, " \t\n");
    }
    *len = strcspn(p, " \t\n(;");
    return p;
}

// In the text, as the names that count are those that are left after inlining.
bool ptx_check_externals(const char *ptx, struct error *err)
{
    static const char marker[] = ".extern .func";
    for (const char *p = strstr(ptx, marker); p; p = strstr(p, marker)) {
        p += sizeof marker - 1;
        size_t len;
        const char *name = extern_name(p, &len);
        if (!is_driver_function(name, len))
            return error_set(err, ERROR_LOWERING, SPAN_NONE,
                    "undefined function in device code: '%.*s'", (int)len, name);
    }
    return true;
}

void ptx_describe(struct str *out, LLVMValueRef instruction)
{
    char *text = LLVMPrintValueToString(instruction);
    const char *start = text + strspn(text, " ");
    LLVMBasicBlockRef block = LLVMIsAInstruction(instruction)
                                      ? LLVMGetInstructionParent(instruction)
                                      : NULL;
    if (block) {
        size_t len;
        const char *name = LLVMGetValueName2(LLVMGetBasicBlockParent(block), &len);
        str_printf(out, "in '%.*s', ", (int)len, name);
    }
    str_printf(out, "'%.*s'", (int)strcspn(start, "\n"), start);
    LLVMDisposeMessage(text);
}

void ptx_keep_kernels(LLVMModuleRef module)
{
    VEC(LLVMValueRef) kernels = {0};
    LLVMValueRef f = LLVMGetFirstFunction(module);
    for (; f; f = LLVMGetNextFunction(f))
        if (ptx_is_kernel(module, f))
            vec_push(&kernels, f);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(LLVMGetModuleContext(module), 0);
    if (kernels.len && !LLVMGetNamedGlobal(module, "llvm.used")) {
        LLVMTypeRef array = LLVMArrayType2(pointer, kernels.len);
        LLVMValueRef used = LLVMAddGlobal(module, array, "llvm.used");
        LLVMSetLinkage(used, LLVMAppendingLinkage);
        LLVMSetSection(used, "llvm.metadata");
        LLVMSetInitializer(used, LLVMConstArray2(pointer, kernels.items, kernels.len));
    }
    vec_finish(&kernels);
}

int ptx_version(const char *ptx)
{
    static const char directive[] = ".version ";
    const char *line = strstr(ptx, directive);
    if (!line)
        return 0;
    char *end;
    long major = strtol(line + sizeof directive - 1, &end, 10);
    long minor = *end == '.' ? strtol(end + 1, NULL, 10) : 0;
    return (int)(major * 10 + minor);
}
