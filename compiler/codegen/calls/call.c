// SPDX-License-Identifier: MIT
// Calls between compiled functions: arguments by their leaves, the result through memory,
// the status checked only where the callee can fail.
#include "compiler/codegen/analysis/flow.h"
#include "compiler/codegen/analysis/reach.h"
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/declare.h"
#include "compiler/codegen/body/exit.h"
#include "compiler/codegen/calls/call.h"
#include "compiler/codegen/body/observe.h"
#include "compiler/codegen/body/rejoin.h"
#include "compiler/codegen/values/array.h"

#include <assert.h>
#include <string.h>

#include "base/machine.h"
#include "compiler/types/source.h"

// The address that the thread's stack has come to.
static value stack_pointer(struct codegen *gen)
{
    LLVMMetadataRef name = LLVMMDStringInContext2(
            gen->context, MACHINE_STACK_REGISTER, sizeof MACHINE_STACK_REGISTER - 1);
    LLVMMetadataRef node = LLVMMDNodeInContext2(gen->context, &name, 1);
    value wrapped = LLVMMetadataAsValue(gen->context, node);
    return codegen_intrinsic(
            gen, "llvm.read_register", &gen->i64, 1, &wrapped, 1, "stack");
}

// The place at a distance from the thread's base.
static value in_thread(struct codegen *gen, value offset)
{
#if defined(__aarch64__)
    value base =
            codegen_intrinsic(gen, "llvm.thread.pointer", NULL, 0, NULL, 0, "thread");
    return LLVMBuildGEP2(gen->builder, gen->i8, base, &offset, 1, "");
#else
    enum { SEGMENT_FS = 257 }; // LLVM's number of the address space
    return LLVMBuildIntToPtr(
            gen->builder, offset, LLVMPointerTypeInContext(gen->context, SEGMENT_FS), "");
#endif
}

// LLVM would make a loop of a call that comes last, which never fills the stack and so
// never ends.
static void keep_frames(struct body *body)
{
    static const char name[] = "disable-tail-calls", yes[] = "true";
    LLVMAddAttributeAtIndex(body->function, LLVMAttributeFunctionIndex,
            LLVMCreateStringAttribute(
                    body->gen->context, name, sizeof name - 1, yes, sizeof yes - 1));
}

// One load and one compare: the limit is a thread-local variable of the support library,
// whose offset from the thread's base is the same in all threads (support/stack.c).
static void check_stack(struct body *body, const struct ir_instr *call)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    value offset = LLVMGetNamedGlobal(gen->module, "gridcell_stack_limit_offset");
    if (!offset)
        offset = LLVMAddGlobal(gen->module, gen->i8, "gridcell_stack_limit_offset");
    value place = in_thread(gen, LLVMBuildPtrToInt(b, offset, gen->i64, ""));
    value limit = LLVMBuildLoad2(b, gen->i64, place, "stack.limit");
    value is_full = LLVMBuildICmp(b, LLVMIntULT, stack_pointer(gen), limit, "");
    const char *message = arena_printf(&gen->arena,
            "maximum recursion depth exceeded in the compiled function '%s'",
            call->callee->name);
    int site = codegen_raise_site(
            body, ERROR_RUNTIME, "RecursionError", NULL, message, call->span);
    control_fail_if(body, is_full, value_i32(gen, site));
    keep_frames(body);
}

void call_enter_block(struct body *body, const struct ir_block *block)
{
    const int *position = body->flow->position;
    bool is_checked = block->predecessors.len > 0;
    ir_each_instr(instr, block) // an exception may come from before a check
            is_checked = is_checked && instr->op != IR_CATCH;
    vec_each (from, &block->predecessors) {
        int at = position[(*from)->id];
        if (at >= 0 && at < position[block->id])
            is_checked = is_checked && body->checked[(*from)->id];
    }
    body->checked[block->id] = is_checked;
}

// Before the first call of an activation by which the function can come to call itself:
// leaves it before the thread's stack is full, or when an interrupt asks for it. So
// activations that call nothing, half of all in most recursions, do without. A
// generator is looked at in each call: it may have been resumed from further down.
static void check_recursion(struct body *body, const struct ir_instr *call)
{
    const struct target *target = body->gen->target;
    bool has_frame = body->mode == RETURN_STATUS || body->generator;
    if (!target->stack_limit_offset || !target->stack_limit_offset() || !has_frame ||
            body->checked[call->block->id] || !call_leads_to(call->callee, body->ir))
        return;
    body->checked[call->block->id] = !body->generator;
    check_stack(body, call);
    if (body->gen->is_interruptible)
        control_poll(body);
}

// In the order of function_type (body/declare.c).
static value *flatten_args(struct body *body, const struct ir_instr *instr, size_t *count)
{
    *count = 0;
    for (size_t i = 0; i < instr->operand_count; i++)
        *count += type_leaf_count(body->gen, instr->operands[i]->type);
    value *args = value_row(body->gen, *count);
    size_t at = 0;
    for (size_t i = 0; i < instr->operand_count; i++) {
        size_t len = type_leaf_count(body->gen, instr->operands[i]->type);
        memcpy(args + at, operand(body, instr, i), len * sizeof *args);
        at += len;
    }
    return args;
}

static value result_slot(struct body *body, const struct type *type)
{
    struct codegen *gen = body->gen;
    size_t size = type_leaf_count(gen, type) ? abi_size(type) : 0;
    if (!size)
        return LLVMConstNull(gen->ptr);
    value slot = value_alloca(body, LLVMArrayType2(gen->i8, size), "result");
    LLVMSetAlignment(slot, (unsigned)abi_alignment(type));
    return slot;
}

// A callee that waits at a barrier becomes part of the kernel's own body: only there can
// a thread be suspended.
// Its raise sites, slots and blocks are made anew for each call.
static void emit_inline(
        struct body *body, const struct ir_instr *instr, value *args, value result)
{
    struct codegen *gen = body->gen;
    for (struct body *outer = body; outer; outer = outer->outer)
        if (outer->ir == instr->callee) {
            codegen_fail(gen, ERROR_UNSUPPORTED, instr->span,
                    "recursion through a function that calls syncthreads()");
            return;
        }
    struct body inner = {.gen = gen,
            .ir = instr->callee,
            .outer = body,
            .function = body->function,
            .allocas = body->allocas,
            .args = args,
            .result = result,
            .mode = RETURN_JUMP,
            .exit = body_block(body, "return")};
    memcpy(inner.hidden, body->hidden, sizeof inner.hidden);
    inner.status_slot = value_alloca(body, gen->i32, "status");
    bool rejoins = gen->target->kind == TARGET_GPU;
    value lanes = rejoins ? rejoin_begin_call(body, instr->callee) : NULL;
    gen->emitter->body(&inner);
    LLVMPositionBuilderAtEnd(gen->builder, inner.exit);
    rejoin_end_call(body, lanes);
    value status = LLVMBuildLoad2(gen->builder, gen->i32, inner.status_slot, "");
    if (call_can_fail(instr->callee))
        control_check_call(body, status, instr->span);
}

static void emit_call(struct body *body, const struct ir_instr *instr, const value *args,
        size_t count, value result)
{
    struct codegen *gen = body->gen;
    assert(instr->op == IR_CALL_DIRECT);
    struct callee *callee = codegen_declare(gen, instr->callee, instr->callee->symbol);
    size_t hidden = gen->target->hidden_count;
    value *all = value_row(gen, 1 + hidden + count);
    assert(1 + hidden + count == LLVMCountParams(callee->function));
    all[0] = result;
    memcpy(all + 1, body->hidden, hidden * sizeof *all);
    memcpy(all + 1 + hidden, args, count * sizeof *all);
    value status = LLVMBuildCall2(gen->builder, callee->type, callee->function, all,
            (unsigned)(1 + hidden + count), "");
    if (callee->can_fail)
        control_check_call(body, status, instr->span);
}

static bool recurses(const struct ir_function *function)
{
    vec_each (block, &function->blocks)
        ir_each_instr(
                instr, *block) if (instr->op == IR_CALL_DIRECT &&
                                   call_leads_to(instr->callee, function)) return true;
    return false;
}

// Whether the callee becomes part of the caller's body.
static bool is_emitted_amid(const struct body *body, const struct ir_function *callee)
{
    if (body->gen->target->kind == TARGET_EMULATOR)
        return call_has_barrier(callee);
    return body->observed && !callee->is_generator && !recurses(callee);
}

// Results go through memory of the caller: LLVM turns that into registers once it
// inlines, and a struct of all leaves would be returned through memory as well.
void call_direct(struct body *body, const struct ir_instr *instr, value *out)
{
    size_t count;
    check_recursion(body, instr);
    value *args = flatten_args(body, instr, &count);
    const struct type *returns = instr->callee->returns;
    value result = result_slot(body, returns);
    observe_call(body, instr);
    if (is_emitted_amid(body, instr->callee))
        emit_inline(body, instr, args, result);
    else
        emit_call(body, instr, args, count, result);
    if (codegen_failed(body->gen))
        return;
    value_load(body->gen, returns, result, 0, "", out);
}

// What a C function gets for an operand: numbers as they are, the address of an array's
// first item or its memory, the address of a copy of a tuple.
static value external_argument(struct body *body, const struct type *type,
        const value *leaves, bool passes_memory)
{
    struct codegen *gen = body->gen;
    if (type->kind == TYPE_ARRAY)
        return leaves[passes_memory ? ARRAY_MEMORY : ARRAY_DATA];
    if (type->kind != TYPE_TUPLE && type->kind != TYPE_COMPLEX)
        return type->kind == TYPE_BOOL
                       ? LLVMBuildZExt(gen->builder, leaves[0], gen->i64, "")
                       : leaves[0];
    size_t size = abi_size(type);
    value slot = value_alloca(body, LLVMArrayType2(gen->i8, size ? size : 1), "items");
    LLVMSetAlignment(slot, 8);
    gen->has_private_memory = true;
    value_store(gen, type, slot, 0, leaves);
    return slot;
}

// What one call passes as a pointer may be an address as a number in another, as bit
// generators are.
static void as_declared(struct codegen *gen, value function, value *args, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(function, i));
        if (type == gen->ptr && LLVMTypeOf(args[i]) == gen->i64)
            args[i] = LLVMBuildIntToPtr(gen->builder, args[i], type, "");
        else if (type == gen->i64 && LLVMTypeOf(args[i]) == gen->ptr)
            args[i] = LLVMBuildPtrToInt(gen->builder, args[i], type, "");
    }
}

void call_external(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    assert(instr->operands[0]->op == IR_CONST);
    const char *name = instr->operands[0]->constant.string.text;
    value args[32];
    LLVMTypeRef types[32];
    unsigned count = 0;
    assert(instr->operand_count <= sizeof args / sizeof *args);
    for (size_t i = 1; i < instr->operand_count; i++, count++) {
        args[count] = external_argument(body, instr->operands[i]->type,
                operand(body, instr, i), instr->immediate & EXTERNAL_MEMORY);
        types[count] = LLVMTypeOf(args[count]);
    }
    bool has_result = instr->type != type_none;
    bool is_status = instr->immediate & EXTERNAL_STATUS;
    LLVMTypeRef result = has_result  ? type_llvm(gen, instr->type)
                         : is_status ? gen->i64
                                     : gen->void_type;
    value function = codegen_external(gen, name, result, types, count);
    as_declared(gen, function, args, count);
    value returned = codegen_call(gen, function, args, count, "");
    if (has_result)
        out[0] = returned;
    if (!is_status)
        return;
    value status = LLVMBuildTrunc(gen->builder, returned, gen->i32, "");
    control_fail_if(body,
            LLVMBuildICmp(gen->builder, LLVMIntNE, status, value_i32(gen, 0), ""),
            status);
}
