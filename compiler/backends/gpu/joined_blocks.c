// SPDX-License-Identifier: MIT
// A kernel whose threads each handle one item spends much of its time on the start of
// blocks, and has few loads under way at once. Here it gets a second entry, one block of
// which does the work of JOINED_BLOCKS of the grid's: where all of them have a full share
// of items, the instructions of the four stand side by side, so that four times as many
// loads are under way. Blocks of a grid may run in any order, so any interleaving of
// theirs is as good as another.
//
// The kernels of this kind compute indices, test them against bounds, and in one basic
// block load, compute a little and store: no barriers, shared memory, atomics, loops or
// calls. Where there is more to compute than to wait for, threads with four times as many
// registers would only get into each other's way; and where each moves many bytes, or
// loads from where other loads say, the caches hold too little of what four times as many
// threads are about.
#include "compiler/backends/gpu/joined_blocks.h"

#include <string.h>

#include <llvm-c/Target.h>

#include "base/map.h"
#include "compiler/backends/compiled.h"
#include "compiler/codegen/base/module.h"

enum {
    CALLING_CONVENTION_PTX_KERNEL = 71,
    MOST_INSTRUCTIONS = 48,
    MOST_BYTES = 24,  // loaded and stored by a thread
    ADDRESS_STEPS = 8 // from an address back to what it is computed from
};

// The three parts of such a kernel: what every thread does, and what those within bounds
// do besides.
struct parts {
    LLVMBasicBlockRef entry, body; // body NULL: all of it is the entry
    value guard;                   // NULL: every thread is within bounds
    bool is_inverted;              // the guard is true of threads out of bounds
};

struct join {
    LLVMContextRef context;
    LLVMBuilderRef builder;
    value kernel, joined;
    struct parts parts;
    value blocks;                // of the whole grid
    value number[JOINED_BLOCKS]; // of each block among them
};

// --- which kernels -------------------------------------------------------------------

static const char *callee_name(value call)
{
    size_t len;
    value callee = LLVMGetCalledValue(call);
    return LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &len) : "";
}

static const char SPECIAL_REGISTER[] = "llvm.nvvm.read.ptx.sreg.";

static bool is_cheap_call(value call)
{
    static const char *const prefixes[] = {"llvm.fma.", "llvm.fabs.", "llvm.abs.",
            "llvm.smax.", "llvm.smin.", "llvm.umax.", "llvm.umin.", "llvm.copysign.",
            "llvm.nvvm.read.ptx.sreg.tid.", "llvm.nvvm.read.ptx.sreg.ntid.",
            "llvm.nvvm.read.ptx.sreg.ctaid.", "llvm.nvvm.read.ptx.sreg.nctaid."};
    const char *name = callee_name(call);
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (str_starts_with(name, prefixes[i]))
            return true;
    return false;
}

static bool is_movable(value instruction, bool may_use_memory)
{
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMLoad:
    case LLVMStore:
        return may_use_memory && !LLVMGetVolatile(instruction) &&
               LLVMGetOrdering(instruction) == LLVMAtomicOrderingNotAtomic;
    case LLVMCall:
        return is_cheap_call(instruction);
    case LLVMAdd:
    case LLVMFAdd:
    case LLVMSub:
    case LLVMFSub:
    case LLVMMul:
    case LLVMFMul:
    case LLVMFDiv:
    case LLVMFNeg:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMGetElementPtr:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMFPToUI:
    case LLVMFPToSI:
    case LLVMUIToFP:
    case LLVMSIToFP:
    case LLVMFPTrunc:
    case LLVMFPExt:
    case LLVMBitCast:
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMSelect:
    case LLVMFreeze:
        return true;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        return may_use_memory; // not for threads out of bounds
    default:
        return false;
    }
}

static bool is_fit(LLVMBasicBlockRef block, bool may_use_memory, size_t *count)
{
    value last = LLVMGetBasicBlockTerminator(block);
    for (value at = LLVMGetFirstInstruction(block); at != last;
            at = LLVMGetNextInstruction(at), ++*count)
        if (!is_movable(at, may_use_memory))
            return false;
    return *count <= MOST_INSTRUCTIONS;
}

static bool comes_from_load(value number, int steps)
{
    if (LLVMIsALoadInst(number) || !steps)
        return true;
    int count = LLVMIsAInstruction(number) ? LLVMGetNumOperands(number) : 0;
    for (unsigned i = 0; i < (unsigned)count; i++)
        if (comes_from_load(LLVMGetOperand(number, i), steps - 1))
            return true;
    return false;
}

// Whether a thread moves few bytes, between places that it knows from the start.
static bool moves_little(LLVMModuleRef module, LLVMBasicBlockRef block)
{
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
    unsigned long long bytes = 0;
    for (value at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
        bool is_store = LLVMIsAStoreInst(at);
        if (!is_store && !LLVMIsALoadInst(at))
            continue;
        value moved = is_store ? LLVMGetOperand(at, 0) : at;
        bytes += LLVMStoreSizeOfType(layout, LLVMTypeOf(moved));
        if (comes_from_load(LLVMGetOperand(at, is_store), ADDRESS_STEPS))
            return false;
    }
    return bytes <= MOST_BYTES;
}

static bool only_returns(LLVMBasicBlockRef block)
{
    return LLVMIsAReturnInst(LLVMGetFirstInstruction(block)) != NULL;
}

static bool leads_to(LLVMBasicBlockRef block, LLVMBasicBlockRef next)
{
    value last = LLVMGetBasicBlockTerminator(block);
    return LLVMIsAReturnInst(last) ||
           (LLVMGetNumSuccessors(last) == 1 && LLVMGetSuccessor(last, 0) == next);
}

static bool has_stores(LLVMBasicBlockRef block)
{
    for (value at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
        if (LLVMIsAStoreInst(at))
            return true;
    return false;
}

static bool find_parts(value kernel, struct parts *parts)
{
    size_t count = 0;
    *parts = (struct parts){.entry = LLVMGetEntryBasicBlock(kernel)};
    value last = LLVMGetBasicBlockTerminator(parts->entry);
    if (LLVMIsAReturnInst(last)) {
        parts->body = NULL;
        return has_stores(parts->entry) && is_fit(parts->entry, true, &count);
    }
    if (LLVMGetInstructionOpcode(last) != LLVMBr || LLVMGetNumSuccessors(last) != 2)
        return false;
    LLVMBasicBlockRef inside = LLVMGetSuccessor(last, 0),
                      outside = LLVMGetSuccessor(last, 1);
    parts->is_inverted = only_returns(inside);
    parts->body = parts->is_inverted ? outside : inside;
    parts->guard = LLVMGetCondition(last);
    LLVMBasicBlockRef end = parts->is_inverted ? inside : outside;
    return only_returns(end) && leads_to(parts->body, end) && has_stores(parts->body) &&
           is_fit(parts->entry, false, &count) && is_fit(parts->body, true, &count);
}

// --- the joined kernel ---------------------------------------------------------------

// What stands for a value of the kernel in a copy of it.
static value copy_of(const struct map *copies, value original)
{
    value copy = map_get_bytes(copies, &original, sizeof original);
    return copy ? copy : original;
}

static void set_copy(struct map *copies, value original, value copy)
{
    map_set_bytes(copies, &original, sizeof original, copy);
}

static value copy_instruction(
        struct join *join, const struct map *copies, value original, int which)
{
    const char *name = LLVMIsACallInst(original) ? callee_name(original) : "";
    if (str_starts_with(name, SPECIAL_REGISTER)) {
        name += sizeof SPECIAL_REGISTER - 1;
        if (!strcmp(name, "ctaid.x"))
            return join->number[which];
        if (!strcmp(name, "nctaid.x"))
            return join->blocks;
    }
    value copy = LLVMInstructionClone(original);
    int count = LLVMGetNumOperands(copy);
    for (unsigned i = 0; i < (unsigned)count; i++)
        LLVMSetOperand(copy, i, copy_of(copies, LLVMGetOperand(copy, i)));
    LLVMInsertIntoBuilder(join->builder, copy);
    return copy;
}

// Copies a block's instructions for the blocks [first, end) of the grid, side by side.
static void copy_block(struct join *join, LLVMBasicBlockRef block, struct map *copies,
        int first, int end)
{
    value last = LLVMGetBasicBlockTerminator(block);
    for (value at = LLVMGetFirstInstruction(block); at != last;
            at = LLVMGetNextInstruction(at))
        for (int k = first; k < end; k++)
            set_copy(&copies[k], at, copy_instruction(join, &copies[k], at, k));
}

static value guard_of(struct join *join, const struct map *copies)
{
    value guard = copy_of(copies, join->parts.guard);
    return join->parts.is_inverted ? LLVMBuildNot(join->builder, guard, "") : guard;
}

static LLVMBasicBlockRef add_block(struct join *join, const char *name)
{
    return LLVMAppendBasicBlockInContext(join->context, join->joined, name);
}

static value exists(struct join *join, int which)
{
    return LLVMBuildICmp(
            join->builder, LLVMIntULT, join->number[which], join->blocks, "exists");
}

// One block of the grid after the other, each if it exists, its threads within bounds.
static void emit_one_by_one(struct join *join, struct map *copies, LLVMBasicBlockRef end)
{
    for (int k = 0; k < JOINED_BLOCKS; k++) {
        LLVMBasicBlockRef does = add_block(join, "does"), next = add_block(join, "next");
        value is_due = exists(join, k);
        if (join->parts.guard)
            is_due = LLVMBuildAnd(
                    join->builder, is_due, guard_of(join, &copies[k]), "is_due");
        LLVMBuildCondBr(join->builder, is_due, does, next);
        LLVMPositionBuilderAtEnd(join->builder, does);
        copy_block(join, join->parts.body, copies, k, k + 1);
        LLVMBuildBr(join->builder, next);
        LLVMPositionBuilderAtEnd(join->builder, next);
    }
    LLVMBuildBr(join->builder, end);
}

static void emit_entry(struct join *join, struct map *copies)
{
    LLVMBuilderRef b = join->builder;
    LLVMTypeRef i32 = LLVMInt32TypeInContext(join->context);
    value sreg = LLVMGetNamedFunction(
            LLVMGetGlobalParent(join->kernel), "llvm.nvvm.read.ptx.sreg.ctaid.x");
    value block = LLVMBuildCall2(b, LLVMGlobalGetValueType(sreg), sreg, NULL, 0, "");
    value first = LLVMBuildMul(b, block, LLVMConstInt(i32, JOINED_BLOCKS, false), "");
    for (int k = 0; k < JOINED_BLOCKS; k++)
        join->number[k] =
                LLVMBuildAdd(b, first, LLVMConstInt(i32, (unsigned)k, false), "");
    if (join->parts.guard)
        copy_block(join, join->parts.entry, copies, 0, JOINED_BLOCKS);
}

static void emit(struct join *join)
{
    LLVMBuilderRef b = join->builder;
    struct map copies[JOINED_BLOCKS] = {{0}};
    unsigned params = LLVMCountParams(join->kernel);
    join->blocks = LLVMGetParam(join->joined, params);
    for (unsigned i = 0; i < params; i++)
        for (int k = 0; k < JOINED_BLOCKS; k++)
            set_copy(&copies[k], LLVMGetParam(join->kernel, i),
                    LLVMGetParam(join->joined, i));
    LLVMPositionBuilderAtEnd(b, add_block(join, "entry"));
    emit_entry(join, copies);
    LLVMBasicBlockRef together = add_block(join, "together"),
                      apart = add_block(join, "apart"), end = add_block(join, "end");
    value all = exists(join, JOINED_BLOCKS - 1);
    for (int k = 0; join->parts.guard && k < JOINED_BLOCKS; k++)
        all = LLVMBuildAnd(b, all, guard_of(join, &copies[k]), "all");
    LLVMBuildCondBr(b, all, together, apart);
    LLVMPositionBuilderAtEnd(b, together);
    copy_block(join, join->parts.body, copies, 0, JOINED_BLOCKS);
    LLVMBuildBr(b, end);
    LLVMPositionBuilderAtEnd(b, apart);
    emit_one_by_one(join, copies, end);
    LLVMPositionBuilderAtEnd(b, end);
    LLVMBuildRetVoid(b);
    for (int k = 0; k < JOINED_BLOCKS; k++)
        map_finish(&copies[k]);
}

static void copy_attributes(value from, value to, unsigned index)
{
    LLVMAttributeRef list[16];
    unsigned count = LLVMGetAttributeCountAtIndex(from, index);
    if (count > sizeof list / sizeof *list)
        return;
    LLVMGetAttributesAtIndex(from, index, list);
    for (unsigned i = 0; i < count; i++)
        LLVMAddAttributeAtIndex(to, index, list[i]);
}

static value declare(LLVMModuleRef module, value kernel, const char *name)
{
    LLVMTypeRef types[256];
    LLVMContextRef context = LLVMGetModuleContext(module);
    unsigned count = LLVMCountParams(kernel);
    if (count >= sizeof types / sizeof *types)
        return NULL;
    LLVMGetParamTypes(LLVMGlobalGetValueType(kernel), types);
    types[count] = LLVMInt32TypeInContext(context);
    value joined = LLVMAddFunction(module, name,
            LLVMFunctionType(LLVMVoidTypeInContext(context), types, count + 1, false));
    LLVMSetFunctionCallConv(joined, CALLING_CONVENTION_PTX_KERNEL);
    copy_attributes(kernel, joined, LLVMAttributeFunctionIndex);
    for (unsigned i = 1; i <= count; i++)
        copy_attributes(kernel, joined, i);
    return joined;
}

bool gpu_join_blocks(LLVMModuleRef module, value kernel, const char *name)
{
    struct join join = {.context = LLVMGetModuleContext(module), .kernel = kernel};
    bool reads_number = LLVMGetNamedFunction(module, "llvm.nvvm.read.ptx.sreg.ctaid.x");
    if (!reads_number || !find_parts(kernel, &join.parts))
        return false;
    if (!join.parts.body)
        join.parts.body = join.parts.entry;
    if (!moves_little(module, join.parts.body))
        return false;
    if (!name)
        return true;
    join.joined = declare(module, kernel, name);
    if (!join.joined)
        return false;
    join.builder = LLVMCreateBuilderInContext(join.context);
    emit(&join);
    LLVMDisposeBuilder(join.builder);
    return true;
}
