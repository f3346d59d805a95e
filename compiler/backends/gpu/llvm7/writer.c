// SPDX-License-Identifier: MIT
// The module's frame in LLVM 7 text: names, global variables, functions.
#include "compiler/backends/gpu/llvm7/writer.h"

#include <stdio.h>
#include <string.h>

#include "compiler/backends/gpu/llvm7/writer_internal.h"
#include "compiler/backends/gpu/module/ptx_module.h"

static void rename_value(LLVMValueRef value, char prefix, unsigned number)
{
    char name[16];
    int len = snprintf(name, sizeof name, "%c%u", prefix, number);
    LLVMSetValueName2(value, name, (size_t)len);
}

// Names every value, so that printing needs no table of numbers: a0 an argument, b0 a
// block, v0 a result. Counts the loops that will split each block.
static void name_values(struct llvm7_writer *writer, LLVMValueRef function)
{
    unsigned blocks = 0, values = 0;
    for (unsigned i = 0, n = LLVMCountParams(function); i < n; i++)
        rename_value(LLVMGetParam(function, i), 'a', i);
    LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
    for (; block; block = LLVMGetNextBasicBlock(block)) {
        size_t splits = 0;
        rename_value(LLVMBasicBlockAsValue(block), 'b', blocks++);
        LLVMValueRef i = LLVMGetFirstInstruction(block);
        for (; i; i = LLVMGetNextInstruction(i)) {
            if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind)
                rename_value(i, 'v', values++);
            splits += llvm7_needs_loop(i);
        }
        if (splits)
            map_set_bytes(&writer->split_counts, &block, sizeof block, (void *)splits);
    }
}

// llvm.used: the kernels, which a link that optimises keeps.
static void print_used(struct llvm7_writer *writer, LLVMValueRef list)
{
    unsigned count = (unsigned)LLVMGetArrayLength2(LLVMTypeOf(list));
    llvm7_print(writer, "@llvm.used = appending global [%u x i8*] [", count);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef function = LLVMGetAggregateElement(list, i);
        llvm7_print(writer, i ? ", i8* bitcast (" : "i8* bitcast (");
        llvm7_signature(writer, function);
        llvm7_print(writer, " ");
        llvm7_global_name(writer, function);
        llvm7_print(writer, " to i8*)");
    }
    llvm7_print(writer, "], section \"llvm.metadata\"\n");
}

static void print_global(struct llvm7_writer *writer, LLVMValueRef global)
{
    LLVMValueRef initializer = LLVMGetInitializer(global);
    size_t len;
    const char *name = LLVMGetValueName2(global, &len);
    if (!strcmp(name, "llvm.used") && initializer)
        print_used(writer, initializer);
    if (str_starts_with(name, "llvm."))
        return; // libnvvm keeps what kernels use
    if (LLVMIsThreadLocal(global))
        llvm7_fail(writer, "thread-local variable '%s'", name);
    llvm7_global_name(writer, global);
    llvm7_print(
            writer, " = %s", initializer ? llvm7_linkage(writer, global) : "external ");
    if (LLVMGetUnnamedAddress(global) == LLVMGlobalUnnamedAddr)
        llvm7_print(writer, "unnamed_addr ");
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(global));
    if (space)
        llvm7_print(writer, "addrspace(%u) ", space);
    if (LLVMIsExternallyInitialized(global))
        llvm7_print(writer, "externally_initialized ");
    llvm7_print(writer, LLVMIsGlobalConstant(global) ? "constant " : "global ");
    llvm7_type(writer, LLVMGlobalGetValueType(global));
    if (initializer) {
        llvm7_print(writer, " ");
        llvm7_constant(writer, initializer);
    }
    if (LLVMGetAlignment(global))
        llvm7_print(writer, ", align %u", LLVMGetAlignment(global));
    llvm7_print(writer, "\n");
}

static void print_parameter(struct llvm7_writer *writer, LLVMValueRef function,
        unsigned index, LLVMTypeRef typed)
{
    LLVMValueRef parameter = LLVMGetParam(function, index);
    bool is_definition = !LLVMIsDeclaration(function);
    LLVMTypeRef byval = llvm7_byval_type(function, index);
    if (byval || typed)
        llvm7_pointer_type(writer, byval ? byval : typed, LLVMTypeOf(parameter));
    else
        llvm7_type(writer, LLVMTypeOf(parameter));
    llvm7_print(writer, byval ? " byval" : "");
    llvm7_parameter_attributes(writer, function, index);
    if (is_definition && byval)
        llvm7_print(writer, " %%byval.%u", index);
    else if (is_definition) {
        llvm7_print(writer, " ");
        llvm7_local_name(writer, parameter);
    }
}

// The body uses the i8 pointer; the parameter itself must point to what is passed.
static void cast_byval_parameters(struct llvm7_writer *writer, LLVMValueRef function)
{
    for (unsigned i = 0, n = LLVMCountParams(function); i < n; i++) {
        LLVMTypeRef byval = llvm7_byval_type(function, i);
        LLVMValueRef parameter = LLVMGetParam(function, i);
        if (!byval)
            continue;
        llvm7_result(writer, parameter);
        llvm7_print(writer, "bitcast ");
        llvm7_pointer_type(writer, byval, LLVMTypeOf(parameter));
        llvm7_print(writer, " %%byval.%u to ", i);
        llvm7_type(writer, LLVMTypeOf(parameter));
        llvm7_print(writer, "\n");
    }
}

static void print_body(struct llvm7_writer *writer, LLVMValueRef function)
{
    LLVMBasicBlockRef first = LLVMGetFirstBasicBlock(function);
    llvm7_print(writer, " {\n");
    writer->temps = 0;
    for (LLVMBasicBlockRef block = first; block; block = LLVMGetNextBasicBlock(block)) {
        size_t len;
        writer->block = block;
        writer->splits = 0;
        llvm7_print(
                writer, "%s:\n", LLVMGetValueName2(LLVMBasicBlockAsValue(block), &len));
        if (block == first)
            cast_byval_parameters(writer, function);
        LLVMValueRef i = LLVMGetFirstInstruction(block);
        for (; i; i = LLVMGetNextInstruction(i)) {
            size_t start = writer->out->len;
            llvm7_instruction(writer, i);
            llvm7_debug_lines(writer, i, start);
        }
    }
    llvm7_print(writer, "}\n");
}

static void print_function(struct llvm7_writer *writer, LLVMValueRef function)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    LLVMTypeRef result = LLVMGetReturnType(type);
    size_t len;
    const char *name = LLVMGetValueName2(function, &len);
    bool is_definition = !LLVMIsDeclaration(function);
    if (!is_definition && (llvm7_is_dropped(name) || llvm7_is_rewritten(name)))
        return;
    LLVMTypeRef typed = llvm7_intrinsic_pointee(name, result);
    llvm7_print(writer, "\n%s %s", is_definition ? "define" : "declare",
            is_definition ? llvm7_linkage(writer, function) : "");
    llvm7_type(writer, result);
    llvm7_print(writer, " ");
    llvm7_global_name(writer, function);
    llvm7_print(writer, "(");
    unsigned count = LLVMCountParams(function);
    for (unsigned i = 0; i < count; i++) {
        llvm7_print(writer, i ? ", " : "");
        print_parameter(writer, function, i, i == 0 ? typed : NULL);
    }
    if (LLVMIsFunctionVarArg(type))
        llvm7_print(writer, count ? ", ..." : "...");
    llvm7_print(writer, ")");
    llvm7_function_attributes(writer, function);
    if (is_definition)
        llvm7_debug_function(writer, function);
    if (is_definition)
        print_body(writer, function);
    else
        llvm7_print(writer, "\n");
}

static void check_aliases(struct llvm7_writer *writer)
{
    size_t len;
    LLVMValueRef alias = LLVMGetFirstGlobalAlias(writer->module);
    if (!alias)
        alias = LLVMGetFirstGlobalIFunc(writer->module);
    if (alias)
        llvm7_fail(writer, "alias '%s'", LLVMGetValueName2(alias, &len));
}

// What the module declares must not be declared again.
static void note_declared(struct llvm7_writer *writer, LLVMValueRef function)
{
    struct str name = {0}, *out = writer->out;
    writer->out = &name;
    llvm7_global_name(writer, function);
    writer->out = out;
    bool is_printed = !llvm7_is_dropped(str_text(&name) + 1) &&
                      !llvm7_is_rewritten(str_text(&name) + 1);
    if (is_printed)
        map_set(&writer->declared, str_text(&name) + 1, writer);
    str_finish(&name);
}

static void print_module(struct llvm7_writer *writer)
{
    LLVMModuleRef module = writer->module;
    llvm7_print(writer, "target datalayout = \"%s\"\ntarget triple = \"%s\"\n\n",
            NVVM_DATA_LAYOUT, PTX_TRIPLE);
    check_aliases(writer);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        note_declared(writer, f);
        name_values(writer, f);
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        print_global(writer, g);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        print_function(writer, f);
    llvm7_print(writer, "\n%s", str_text(&writer->declarations));
    llvm7_metadata(writer);
}

bool llvm7_write(LLVMModuleRef module, struct str *out, struct error *err)
{
    struct error failure = {0};
    struct str text = {0};
    struct llvm7_writer writer = {
            .module = LLVMCloneModule(module), .out = &text, .err = &failure};
    ptx_legalize(writer.module);
    ptx_legalize_for_nvvm(writer.module);
    print_module(&writer);
    if (!failure.kind)
        str_append_bytes(out, str_text(&text), text.len);
    else
        error_set(err, failure.kind, failure.span, "%s", failure.message);
    LLVMDisposeModule(writer.module);
    str_finish(&text);
    str_finish(&writer.declarations);
    str_finish(&writer.debug);
    map_finish(&writer.scopes);
    map_finish(&writer.split_counts);
    map_finish(&writer.declared);
    return !failure.kind;
}
