// SPDX-License-Identifier: MIT
// Instructions that touch memory: each first casts its address to a typed pointer.
#include "compiler/backends/gpu/llvm7/writer_internal.h"

#include <assert.h>
#include <stdio.h>

static void print_scope(struct llvm7_writer *writer, LLVMValueRef instruction)
{
    if (LLVMIsAtomicSingleThread(instruction))
        llvm7_print(writer, " syncscope(\"singlethread\")");
}

static const char *ordering_name(LLVMAtomicOrdering ordering)
{
    switch (ordering) {
    case LLVMAtomicOrderingUnordered:
        return "unordered";
    case LLVMAtomicOrderingMonotonic:
        return "monotonic";
    case LLVMAtomicOrderingAcquire:
        return "acquire";
    case LLVMAtomicOrderingRelease:
        return "release";
    case LLVMAtomicOrderingAcquireRelease:
        return "acq_rel";
    default:
        return "seq_cst";
    }
}

void llvm7_alloca(struct llvm7_writer *writer, LLVMValueRef instruction)
{
    assert(LLVMIsAAllocaInst(instruction));
    LLVMTypeRef allocated = LLVMGetAllocatedType(instruction);
    LLVMValueRef count = LLVMGetOperand(instruction, 0);
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(instruction)) != 0)
        llvm7_fail(writer, "stack memory outside the generic address space");
    unsigned temp = llvm7_temp(writer);
    llvm7_print(writer, "alloca ");
    llvm7_type(writer, allocated);
    if (!LLVMIsAConstantInt(count) || LLVMConstIntGetZExtValue(count) != 1) {
        llvm7_print(writer, ", ");
        llvm7_typed_value(writer, count);
    }
    llvm7_print(writer, ", align %u\n", LLVMGetAlignment(instruction));
    llvm7_result(writer, instruction);
    llvm7_print(writer, "bitcast ");
    llvm7_pointer_type(writer, allocated, LLVMTypeOf(instruction));
    llvm7_print(writer, " %%t.%u to i8*\n", temp);
}

// "atomic volatile ", in the order of the language.
static void print_access_kind(struct llvm7_writer *writer, LLVMValueRef access)
{
    bool is_atomic = LLVMGetOrdering(access) != LLVMAtomicOrderingNotAtomic;
    llvm7_print(writer, "%s%s", is_atomic ? "atomic " : "",
            LLVMGetVolatile(access) ? "volatile " : "");
}

static void print_access_end(struct llvm7_writer *writer, LLVMValueRef access)
{
    if (LLVMGetOrdering(access) != LLVMAtomicOrderingNotAtomic) {
        print_scope(writer, access);
        llvm7_print(writer, " %s", ordering_name(LLVMGetOrdering(access)));
    }
    llvm7_print(writer, ", align %u", LLVMGetAlignment(access));
}

void llvm7_load(struct llvm7_writer *writer, LLVMValueRef load)
{
    static const char invariant[] = "invariant.load";
    assert(LLVMIsALoadInst(load));
    LLVMTypeRef type = LLVMTypeOf(load);
    LLVMValueRef address = LLVMGetOperand(load, 0);
    unsigned temp = llvm7_cast_pointer(writer, address, type);
    llvm7_result(writer, load);
    llvm7_print(writer, "load ");
    print_access_kind(writer, load);
    llvm7_type(writer, type);
    llvm7_print(writer, ", ");
    llvm7_pointer_type(writer, type, LLVMTypeOf(address));
    llvm7_print(writer, " %%t.%u", temp);
    print_access_end(writer, load);
    unsigned kind = LLVMGetMDKindIDInContext(
            LLVMGetModuleContext(writer->module), invariant, sizeof invariant - 1);
    // node 1 is the empty one that llvm7_metadata prints
    llvm7_print(writer, LLVMGetMetadata(load, kind) ? ", !invariant.load !1\n" : "\n");
}

void llvm7_store(struct llvm7_writer *writer, LLVMValueRef store)
{
    assert(LLVMIsAStoreInst(store));
    LLVMValueRef value = LLVMGetOperand(store, 0), address = LLVMGetOperand(store, 1);
    unsigned temp = llvm7_cast_pointer(writer, address, LLVMTypeOf(value));
    llvm7_print(writer, "  store ");
    print_access_kind(writer, store);
    llvm7_typed_value(writer, value);
    llvm7_print(writer, ", ");
    llvm7_pointer_type(writer, LLVMTypeOf(value), LLVMTypeOf(address));
    llvm7_print(writer, " %%t.%u", temp);
    print_access_end(writer, store);
    llvm7_print(writer, "\n");
}

// Base and result are i8* outside: the base is cast before, the result after.
void llvm7_gep(struct llvm7_writer *writer, LLVMValueRef gep)
{
    LLVMTypeRef source = LLVMGetGEPSourceElementType(gep);
    LLVMValueRef base = LLVMGetOperand(gep, 0);
    unsigned typed_base = llvm7_cast_pointer(writer, base, source);
    unsigned typed_result = llvm7_temp(writer);
    llvm7_print(writer, "getelementptr %s", LLVMIsInBounds(gep) ? "inbounds " : "");
    llvm7_type(writer, source);
    llvm7_print(writer, ", ");
    llvm7_pointer_type(writer, source, LLVMTypeOf(base));
    llvm7_print(writer, " %%t.%u", typed_base);
    llvm7_further_operands(writer, gep);
    llvm7_print(writer, "\n");
    llvm7_result(writer, gep);
    llvm7_print(writer, "bitcast ");
    llvm7_pointer_type(writer, llvm7_gep_result(gep), LLVMTypeOf(gep));
    llvm7_print(writer, " %%t.%u to ", typed_result);
    llvm7_type(writer, LLVMTypeOf(gep));
    llvm7_print(writer, "\n");
}

static const char *float_suffix(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMFloatTypeKind:
        return "f32";
    case LLVMDoubleTypeKind:
        return "f64";
    default:
        return NULL;
    }
}

// Calls `result @llvm.nvvm.atomic.load.NAME.pNTYPE(pointer, value)`; `value_temp` or
// `value`.
static void print_nvvm_atomic(
        struct llvm7_writer *writer, LLVMValueRef rmw, const char *name, int value_temp)
{
    LLVMValueRef address = LLVMGetOperand(rmw, 0), value = LLVMGetOperand(rmw, 1);
    LLVMTypeRef type = LLVMTypeOf(rmw);
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(address));
    bool is_int = LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
    const char *language = is_int                         ? "i32"
                           : float_suffix(type)[1] == '3' ? "float"
                                                          : "double";
    char symbol[80], declaration[200], in_space[32] = "";
    if (space)
        snprintf(in_space, sizeof in_space, " addrspace(%u)", space);
    snprintf(symbol, sizeof symbol, "llvm.nvvm.atomic.load.%s.p%u%s", name, space,
            is_int ? "i32" : float_suffix(type));
    snprintf(declaration, sizeof declaration, "declare %s @%s(%s%s*, %s)", language,
            symbol, language, in_space, language);
    llvm7_declare(writer, symbol, declaration);
    unsigned pointer = llvm7_cast_pointer(writer, address, type);
    llvm7_result(writer, rmw);
    llvm7_print(writer, "call %s @%s(%s%s* %%t.%u, %s ", language, symbol, language,
            in_space, pointer, language);
    if (value_temp >= 0)
        llvm7_print(writer, "%%t.%d", value_temp);
    else
        llvm7_value(writer, value);
    llvm7_print(writer, ")\n");
}

static void print_float_add(struct llvm7_writer *writer, LLVMValueRef rmw)
{
    int negated = -1;
    const char *suffix = float_suffix(LLVMTypeOf(rmw));
    if (!suffix) {
        llvm7_fail(writer, "atomic addition of this type");
        return;
    }
    if (LLVMGetAtomicRMWBinOp(rmw) == LLVMAtomicRMWBinOpFSub) {
        negated = (int)llvm7_temp(writer);
        llvm7_print(writer, "fsub ");
        llvm7_type(writer, LLVMTypeOf(rmw));
        llvm7_print(writer, " -0.0, ");
        llvm7_value(writer, LLVMGetOperand(rmw, 1));
        llvm7_print(writer, "\n");
    }
    char name[16];
    snprintf(name, sizeof name, "add.%s", suffix);
    print_nvvm_atomic(writer, rmw, name, negated);
}

static void print_wrap(struct llvm7_writer *writer, LLVMValueRef rmw, const char *name)
{
    if (LLVMGetIntTypeWidth(LLVMTypeOf(rmw)) == 32)
        print_nvvm_atomic(writer, rmw, name, -1);
    else
        llvm7_fail(writer, "wrapping atomic of this width");
}

// LLVM 7 exchanges integers only.
static void print_float_exchange(
        struct llvm7_writer *writer, LLVMValueRef rmw, unsigned width)
{
    LLVMTypeRef integer =
            LLVMIntTypeInContext(LLVMGetModuleContext(writer->module), width);
    LLVMValueRef address = LLVMGetOperand(rmw, 0);
    unsigned pointer = llvm7_cast_pointer(writer, address, integer);
    unsigned bits = llvm7_temp(writer);
    llvm7_print(writer, "bitcast ");
    llvm7_typed_value(writer, LLVMGetOperand(rmw, 1));
    llvm7_print(writer, " to i%u\n", width);
    unsigned old = llvm7_temp(writer);
    llvm7_print(writer, "atomicrmw xchg ");
    llvm7_pointer_type(writer, integer, LLVMTypeOf(address));
    llvm7_print(writer, " %%t.%u, i%u %%t.%u", pointer, width, bits);
    print_scope(writer, rmw);
    llvm7_print(writer, " %s\n", ordering_name(LLVMGetOrdering(rmw)));
    llvm7_result(writer, rmw);
    llvm7_print(writer, "bitcast i%u %%t.%u to ", width, old);
    llvm7_type(writer, LLVMTypeOf(rmw));
    llvm7_print(writer, "\n");
}

bool llvm7_needs_loop(LLVMValueRef instruction)
{
    if (LLVMGetInstructionOpcode(instruction) != LLVMAtomicRMW)
        return false;
    LLVMAtomicRMWBinOp operation = LLVMGetAtomicRMWBinOp(instruction);
    return operation == LLVMAtomicRMWBinOpNand || operation == LLVMAtomicRMWBinOpFMax ||
           operation == LLVMAtomicRMWBinOpFMin;
}

static unsigned bit_width(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type);
    case LLVMFloatTypeKind:
        return 32;
    case LLVMDoubleTypeKind:
        return 64;
    default:
        return 0;
    }
}

// Prints what the loop stores, computed from the old value's bits in %t.old; returns its
// bits.
static unsigned print_loop_update(
        struct llvm7_writer *writer, LLVMValueRef rmw, unsigned old)
{
    LLVMTypeRef type = LLVMTypeOf(rmw);
    LLVMValueRef value = LLVMGetOperand(rmw, 1);
    unsigned width = bit_width(type);
    if (LLVMGetAtomicRMWBinOp(rmw) == LLVMAtomicRMWBinOpNand) {
        unsigned both = llvm7_temp(writer);
        llvm7_print(writer, "and i%u %%t.%u, ", width, old);
        llvm7_value(writer, value);
        llvm7_print(writer, "\n");
        unsigned result = llvm7_temp(writer);
        llvm7_print(writer, "xor i%u %%t.%u, -1\n", width, both);
        return result;
    }
    const char *language = width == 32 ? "float" : "double";
    bool is_max = LLVMGetAtomicRMWBinOp(rmw) == LLVMAtomicRMWBinOpFMax;
    char symbol[32], declaration[100];
    snprintf(symbol, sizeof symbol, "__nv_f%s%s", is_max ? "max" : "min",
            width == 32 ? "f" : "");
    snprintf(declaration, sizeof declaration, "declare %s @%s(%s, %s)", language, symbol,
            language, language);
    llvm7_declare(writer, symbol, declaration);
    unsigned number = llvm7_temp(writer);
    llvm7_print(writer, "bitcast i%u %%t.%u to %s\n", width, old, language);
    unsigned chosen = llvm7_temp(writer);
    llvm7_print(writer, "call %s @%s(%s %%t.%u, ", language, symbol, language, number);
    llvm7_typed_value(writer, value);
    llvm7_print(writer, ")\n");
    unsigned result = llvm7_temp(writer);
    llvm7_print(writer, "bitcast %s %%t.%u to i%u\n", language, chosen, width);
    return result;
}

// An operation that has no atomic instruction: compare and exchange until nothing came
// between.
static void print_loop(struct llvm7_writer *writer, LLVMValueRef rmw)
{
    LLVMTypeRef type = LLVMTypeOf(rmw);
    unsigned width = bit_width(type);
    if (width != 32 && width != 64) {
        llvm7_fail(writer, "atomic of this width");
        return;
    }
    LLVMTypeRef integer =
            LLVMIntTypeInContext(LLVMGetModuleContext(writer->module), width);
    LLVMTypeRef pointer = LLVMTypeOf(LLVMGetOperand(rmw, 0));
    size_t len;
    const char *block = LLVMGetValueName2(LLVMBasicBlockAsValue(writer->block), &len);
    unsigned split = writer->splits++;
    char before[32] = "";
    if (split)
        snprintf(before, sizeof before, ".done%u", split - 1);
    unsigned address = llvm7_cast_pointer(writer, LLVMGetOperand(rmw, 0), integer);
    unsigned first = llvm7_temp(writer);
    llvm7_print(writer, "load volatile i%u, ", width);
    llvm7_pointer_type(writer, integer, pointer);
    llvm7_print(writer, " %%t.%u, align %u\n", address, width / 8);
    llvm7_print(
            writer, "  br label %%%s.loop%u\n%s.loop%u:\n", block, split, block, split);
    unsigned old = llvm7_temp(writer), seen = writer->temps++;
    llvm7_print(writer, "phi i%u [ %%t.%u, %%%s%s ], [ %%t.%u, %%%s.loop%u ]\n", width,
            first, block, before, seen, block, split);
    unsigned updated = print_loop_update(writer, rmw, old);
    unsigned pair = llvm7_temp(writer);
    llvm7_print(writer, "cmpxchg ");
    llvm7_pointer_type(writer, integer, pointer);
    llvm7_print(writer, " %%t.%u, i%u %%t.%u, i%u %%t.%u", address, width, old, width,
            updated);
    print_scope(writer, rmw);
    llvm7_print(writer, " %s monotonic\n", ordering_name(LLVMGetOrdering(rmw)));
    llvm7_print(
            writer, "  %%t.%u = extractvalue { i%u, i1 } %%t.%u, 0\n", seen, width, pair);
    unsigned done = llvm7_temp(writer);
    llvm7_print(writer, "extractvalue { i%u, i1 } %%t.%u, 1\n", width, pair);
    llvm7_print(writer,
            "  br i1 %%t.%u, label %%%s.done%u, label %%%s.loop%u\n%s.done%u:\n", done,
            block, split, block, split, block, split);
    llvm7_result(writer, rmw);
    llvm7_print(writer, "bitcast i%u %%t.%u to ", width, seen);
    llvm7_type(writer, type);
    llvm7_print(writer, "\n");
}

static void print_integer_rmw(
        struct llvm7_writer *writer, LLVMValueRef rmw, const char *name)
{
    LLVMValueRef address = LLVMGetOperand(rmw, 0);
    LLVMTypeRef type = LLVMTypeOf(rmw);
    unsigned width = bit_width(type);
    if (width != 32 && width != 64) {
        llvm7_fail(writer, "atomic of this width");
        return;
    }
    unsigned pointer = llvm7_cast_pointer(writer, address, type);
    llvm7_result(writer, rmw);
    llvm7_print(writer, "atomicrmw %s%s ", LLVMGetVolatile(rmw) ? "volatile " : "", name);
    llvm7_pointer_type(writer, type, LLVMTypeOf(address));
    llvm7_print(writer, " %%t.%u, ", pointer);
    llvm7_typed_value(writer, LLVMGetOperand(rmw, 1));
    print_scope(writer, rmw);
    llvm7_print(writer, " %s\n", ordering_name(LLVMGetOrdering(rmw)));
}

void llvm7_rmw(struct llvm7_writer *writer, LLVMValueRef rmw)
{
    static const char *const names[] = {[LLVMAtomicRMWBinOpXchg] = "xchg",
            [LLVMAtomicRMWBinOpAdd] = "add",
            [LLVMAtomicRMWBinOpSub] = "sub",
            [LLVMAtomicRMWBinOpAnd] = "and",
            [LLVMAtomicRMWBinOpNand] = "nand",
            [LLVMAtomicRMWBinOpOr] = "or",
            [LLVMAtomicRMWBinOpXor] = "xor",
            [LLVMAtomicRMWBinOpMax] = "max",
            [LLVMAtomicRMWBinOpMin] = "min",
            [LLVMAtomicRMWBinOpUMax] = "umax",
            [LLVMAtomicRMWBinOpUMin] = "umin"};
    LLVMAtomicRMWBinOp operation = LLVMGetAtomicRMWBinOp(rmw);
    const char *suffix = float_suffix(LLVMTypeOf(rmw));
    if (llvm7_needs_loop(rmw))
        print_loop(writer, rmw);
    else if (operation == LLVMAtomicRMWBinOpFAdd || operation == LLVMAtomicRMWBinOpFSub)
        print_float_add(writer, rmw);
    else if (operation == LLVMAtomicRMWBinOpUIncWrap)
        print_wrap(writer, rmw, "inc.32");
    else if (operation == LLVMAtomicRMWBinOpUDecWrap)
        print_wrap(writer, rmw, "dec.32");
    else if (operation == LLVMAtomicRMWBinOpXchg && suffix)
        print_float_exchange(writer, rmw, bit_width(LLVMTypeOf(rmw)));
    else if ((size_t)operation < sizeof names / sizeof *names)
        print_integer_rmw(writer, rmw, names[operation]);
    else
        llvm7_fail(writer, "atomic operation");
}

void llvm7_cmpxchg(struct llvm7_writer *writer, LLVMValueRef instruction)
{
    LLVMValueRef address = LLVMGetOperand(instruction, 0);
    LLVMValueRef expected = LLVMGetOperand(instruction, 1);
    LLVMTypeRef type = LLVMTypeOf(expected);
    unsigned width = bit_width(type);
    if (width && width != 32 && width != 64)
        llvm7_fail(writer, "atomic of this width");
    unsigned pointer = llvm7_cast_pointer(writer, address, type);
    llvm7_result(writer, instruction);
    llvm7_print(writer, "cmpxchg %s%s", LLVMGetWeak(instruction) ? "weak " : "",
            LLVMGetVolatile(instruction) ? "volatile " : "");
    llvm7_pointer_type(writer, type, LLVMTypeOf(address));
    llvm7_print(writer, " %%t.%u, ", pointer);
    llvm7_typed_value(writer, expected);
    llvm7_print(writer, ", ");
    llvm7_typed_value(writer, LLVMGetOperand(instruction, 2));
    print_scope(writer, instruction);
    llvm7_print(writer, " %s %s\n",
            ordering_name(LLVMGetCmpXchgSuccessOrdering(instruction)),
            ordering_name(LLVMGetCmpXchgFailureOrdering(instruction)));
}
