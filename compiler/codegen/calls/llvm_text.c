// SPDX-License-Identifier: MIT
// Functions that a program's own generators wrote as LLVM's text
// (numba/core/written/text.py): linked into the module, once each, for LLVM to inline.
// They take the leaves of their arguments one by one, and give those of their result: one
// as it is, several as a struct.
#include "compiler/codegen/calls/llvm_text.h"

#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>
#include <string.h>

#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/ownership.h"
#include "compiler/codegen/values/row.h"

enum { MAX_LEAVES = 128 };

static value fail(struct codegen *gen, const struct ir_instr *instr, const char *reason)
{
    codegen_fail(gen, ERROR_UNSUPPORTED, instr->span,
            "the program's own code '%s' is not for this machine: %s",
            instr->operands[0]->constant.string.text, reason);
    return NULL;
}

// Whether a function is an intrinsic of LLVM for one kind of machine: for GPUs, and this
// is none, or for processors, of which this one need not have it; or works on counted
// memory, which devices have none of.
static bool is_elsewhere(struct codegen *gen, const char *name)
{
    if (strncmp(name, "NRT_", 4) == 0)
        return gen->target->kind != TARGET_HOST;
    static const char *const machines[] = {"aarch64", "amdgcn", "arm", "bpf", "dx",
            "hexagon", "loongarch", "mips", "nvvm", "ppc", "r600", "riscv", "s390", "spv",
            "ve", "wasm", "x86", "xcore"};
    if (strncmp(name, "llvm.", 5) != 0)
        return false;
    size_t len = strcspn(name + 5, ".");
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        if (strlen(machines[i]) == len && strncmp(name + 5, machines[i], len) == 0)
            return gen->target->kind != TARGET_GPU || strcmp(machines[i], "nvvm") != 0;
    return false;
}

static bool has_assembly(value function)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
            block = LLVMGetNextBasicBlock(block))
        for (value instr = LLVMGetFirstInstruction(block); instr;
                instr = LLVMGetNextInstruction(instr))
            if (LLVMIsACallInst(instr) && LLVMIsAInlineAsm(LLVMGetCalledValue(instr)))
                return true;
    return false;
}

// Such as what the threads of a block share.
static bool is_memory_of_gpu(value variable)
{
    return LLVMGetPointerAddressSpace(LLVMTypeOf(variable)) != 0 &&
           !LLVMIsGlobalConstant(variable);
}

// What in the module is not for this machine, or NULL. Assembly is for GPUs alone: the
// LLVM that is loaded reads none for processors.
static const char *find_elsewhere(struct codegen *gen, LLVMModuleRef module)
{
    for (value function = LLVMGetFirstFunction(module); function;
            function = LLVMGetNextFunction(function)) {
        if (is_elsewhere(gen, LLVMGetValueName(function)))
            return LLVMGetValueName(function);
        if (gen->target->kind != TARGET_GPU && has_assembly(function))
            return "assembly";
    }
    for (value variable = LLVMGetFirstGlobal(module); variable;
            variable = LLVMGetNextGlobal(variable))
        if (gen->target->kind != TARGET_GPU && is_memory_of_gpu(variable))
            return LLVMGetValueName(variable);
    return NULL;
}

// On devices there is no memory to count.
static void define_counting(struct codegen *gen, LLVMModuleRef module)
{
    static const char *const names[] = {
            "gridcell_memory_retain", "gridcell_memory_release"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        value function = LLVMGetNamedFunction(module, names[i]);
        if (!function || !LLVMIsDeclaration(function))
            continue;
        LLVMBuilderRef builder = LLVMCreateBuilderInContext(gen->context);
        LLVMPositionBuilderAtEnd(
                builder, LLVMAppendBasicBlockInContext(gen->context, function, ""));
        LLVMBuildRetVoid(builder);
        LLVMDisposeBuilder(builder);
        LLVMSetLinkage(function, LLVMInternalLinkage);
    }
}

// Whether a value may tell an address: as a pointer, or as a number of its size.
static bool has_address(struct codegen *gen, const struct type *type)
{
    const struct leaf_list *leaves = type_leaves(gen, type);
    for (size_t i = 0; i < leaves->len; i++) {
        LLVMTypeRef leaf = type_llvm(gen, leaves->items[i].type);
        if (leaf == gen->ptr || leaf == gen->i64)
            return true;
    }
    return false;
}

// Memory in the frame of code that gives its address lies in the frame of what the code
// is put into: its life begins, and has no end that LLVM would bring along.
static void keep_frame(struct codegen *gen, value function)
{
    unsigned id = LLVMLookupIntrinsicID("llvm.lifetime.start", 19);
    value begin = LLVMGetIntrinsicDeclaration(gen->module, id, &gen->ptr, 1);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(gen->context);
    LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
    for (; block; block = LLVMGetNextBasicBlock(block))
        for (value instr = LLVMGetFirstInstruction(block); instr;
                instr = LLVMGetNextInstruction(instr)) {
            if (!LLVMIsAAllocaInst(instr))
                continue;
            value args[] = {LLVMConstInt(gen->i64, UINT64_MAX, true), instr};
            LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(instr));
            LLVMBuildCall2(builder, LLVMGlobalGetValueType(begin), begin, args, 2, "");
        }
    LLVMDisposeBuilder(builder);
}

// The text was read and verified when it was made (refused_text.c), so that what fails
// here does so for the target's sake.
static value link_text(struct codegen *gen, const struct ir_instr *instr)
{
    const char *name = instr->operands[0]->constant.string.text;
    const char *text = instr->operands[1]->constant.string.text;
    LLVMMemoryBufferRef buffer =
            LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), name);
    LLVMModuleRef module = NULL;
    char *message = NULL;
    if (LLVMParseIRInContext(gen->context, buffer, &module, &message)) {
        fail(gen, instr, message);
        LLVMDisposeMessage(message);
        return NULL;
    }
    const char *elsewhere = find_elsewhere(gen, module);
    if (elsewhere) {
        fail(gen, instr, elsewhere);
        LLVMDisposeModule(module);
        return NULL;
    }
    if (gen->target->kind != TARGET_HOST)
        define_counting(gen, module);
    LLVMSetTarget(module, LLVMGetTarget(gen->module));
    LLVMSetDataLayout(module, LLVMGetDataLayoutStr(gen->module));
    if (LLVMLinkModules2(gen->module, module)) // consumes the module
        return fail(gen, instr, "it does not link");
    value function = LLVMGetNamedFunction(gen->module, name);
    if (!function)
        return fail(gen, instr, "it is not in the text");
    LLVMSetLinkage(function, LLVMInternalLinkage);
    if (has_address(gen, instr->type))
        keep_frame(gen, function);
    return function;
}

static LLVMTypeRef returned(struct codegen *gen, const struct leaf_list *leaves)
{
    LLVMTypeRef types[MAX_LEAVES];
    for (size_t i = 0; i < leaves->len; i++)
        types[i] = type_llvm(gen, leaves->items[i].type);
    if (leaves->len == 0)
        return gen->void_type;
    return leaves->len == 1 ? types[0]
                            : LLVMStructTypeInContext(
                                      gen->context, types, (unsigned)leaves->len, 0);
}

// Whether an argument may become part of the result, and so has to be counted: code that
// takes a reference on an array finds memory to count.
static bool is_kept(struct body *body, const struct ir_instr *instr, size_t i)
{
    return body->gen->target->kind == TARGET_HOST && type_is_counted(instr->type) &&
           row_has_array(instr->operands[i]->type);
}

// The leaves of an argument.
static const value *given(struct body *body, const struct ir_instr *instr, size_t i)
{
    const value *leaves = operand(body, instr, i);
    if (!is_kept(body, instr, i))
        return leaves;
    const struct type *type = instr->operands[i]->type;
    size_t len = type_leaf_count(body->gen, type);
    value *kept = value_row(body->gen, len);
    memcpy(kept, leaves, len * sizeof *kept);
    row_keep(body, type, kept);
    return kept;
}

void llvm_text_call(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    value args[MAX_LEAVES];
    LLVMTypeRef types[MAX_LEAVES];
    unsigned count = 0;
    const struct leaf_list *results = type_leaves(gen, instr->type);
    const value *kept[MAX_LEAVES];
    for (size_t i = 2; i < instr->operand_count; i++) {
        const value *leaves = kept[i - 2] = given(body, instr, i);
        size_t len = type_leaf_count(gen, instr->operands[i]->type);
        for (size_t j = 0; j < len && count < MAX_LEAVES; j++, count++) {
            args[count] = leaves[j];
            types[count] = LLVMTypeOf(leaves[j]);
        }
    }
    const char *name = instr->operands[0]->constant.string.text;
    value function = LLVMGetNamedFunction(gen->module, name);
    if (!function)
        function = link_text(gen, instr);
    if (!function)
        return;
    bool fits = results->len <= MAX_LEAVES && count < MAX_LEAVES &&
                LLVMGlobalGetValueType(function) ==
                        LLVMFunctionType(returned(gen, results), types, count, false);
    if (!fits) {
        fail(gen, instr, "its parameters are not those of its signature");
        return;
    }
    value result = codegen_call(gen, function, args, count, "");
    for (size_t i = 2; i < instr->operand_count; i++)
        if (is_kept(body, instr, i))
            ownership_release(body, instr->operands[i]->type, kept[i - 2]);
    for (size_t i = 0; i < results->len; i++)
        out[i] = results->len == 1
                         ? result
                         : LLVMBuildExtractValue(gen->builder, result, (unsigned)i, "");
}

// What an iterator of the program's own changes: LLVM keeps it in registers once the code
// is inlined.
void stack_copy(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    const struct type *type = instr->operands[0]->type;
    size_t size = abi_size(type);
    out[0] = value_alloca(body, LLVMArrayType2(gen->i8, size ? size : 1), "state");
    LLVMSetAlignment(out[0], (unsigned)abi_alignment(type));
    gen->has_private_memory = true;
    value_store(gen, type, out[0], 0, operand(body, instr, 0));
}
