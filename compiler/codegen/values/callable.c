// SPDX-License-Identifier: MIT
// Functions as values: the call by an address, how a known function becomes a value, and
// the choice among several. Pointers, which functions of C deal in.
#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/exit.h"
#include "compiler/codegen/values/array.h"
#include "compiler/codegen/values/c_abi.h"
#include "compiler/codegen/values/callable.h"
#include "compiler/types/functions.h"

enum { MAX_ARGUMENTS = 255 };

static size_t flatten(struct body *body, const struct ir_instr *instr, value *args)
{
    size_t at = 0;
    for (size_t i = 1; i < instr->operand_count; i++) {
        size_t len = type_leaf_count(body->gen, instr->operands[i]->type);
        if (at + len > MAX_ARGUMENTS) {
            codegen_fail(body->gen, ERROR_UNSUPPORTED, instr->span,
                    "a function that is a value is called with too many arguments");
            return 0;
        }
        memcpy(args + at, operand(body, instr, i), len * sizeof *args);
        at += len;
    }
    return at;
}

// Calls a function of C by its address.
static void call_foreign(
        struct body *body, const struct ir_instr *instr, value address, value *out)
{
    struct codegen *gen = body->gen;
    const struct type *function = instr->operands[0]->type;
    assert(instr->operand_count == function->tuple.len + 1);
    value args[MAX_ARGUMENTS + 1];
    LLVMTypeRef types[MAX_ARGUMENTS + 1];
    unsigned count = 0;
    for (size_t i = 0; i < function->tuple.len && count < MAX_ARGUMENTS; i++) {
        const struct type *param = function->tuple.items[i];
        c_abi_pass(gen, param, operand(body, instr, i + 1), args + count);
        count += c_abi_types(gen, param, types + count);
    }
    LLVMTypeRef result = c_abi_result(gen, function->element);
    LLVMTypeRef type = LLVMFunctionType(result, types, count, false);
    value returned = LLVMBuildCall2(gen->builder, type, address, args, count, "");
    c_abi_describe(gen, returned, function);
    codegen_attribute(gen, returned, LLVMAttributeFunctionIndex, "nounwind", 0);
    if (result != gen->void_type)
        c_abi_take_result(gen, function->element, returned, out);
}

// A status is about the module of the code that returns it: what a failure means is
// kept as an exception.
static value translate_status(struct body *body, value callable, value status)
{
    struct codegen *gen = body->gen;
    LLVMBasicBlockRef start = LLVMGetInsertBlock(gen->builder);
    LLVMBasicBlockRef failed = body_block(body, "call.failed"),
                      done = body_block(body, "call.done");
    value is_ok =
            LLVMBuildICmp(gen->builder, LLVMIntEQ, status, value_i32(gen, STATUS_OK), "");
    LLVMBuildCondBr(gen->builder, is_ok, done, failed);
    LLVMPositionBuilderAtEnd(gen->builder, failed);
    value args[] = {callable, status};
    LLVMTypeRef types[] = {gen->ptr, gen->i32};
    value kept = codegen_call(gen,
            codegen_external(gen, "gridcell_callable_failed", gen->i32, types, 2), args,
            2, "");
    LLVMBuildBr(gen->builder, done);
    LLVMPositionBuilderAtEnd(gen->builder, done);
    return value_phi(
            gen, "status", (value[]){status, kept}, (LLVMBasicBlockRef[]){start, failed});
}

static value result_place(struct body *body, const struct type *type)
{
    struct codegen *gen = body->gen;
    if (!type_leaf_count(gen, type))
        return LLVMConstNull(gen->ptr);
    value slot = value_alloca(body, LLVMArrayType2(gen->i8, abi_size(type)), "result");
    LLVMSetAlignment(slot, (unsigned)abi_alignment(type));
    return slot;
}

static value member(struct body *body, value callable, size_t offset, const char *name)
{
    struct codegen *gen = body->gen;
    return LLVMBuildLoad2(
            gen->builder, gen->ptr, value_offset(gen, callable, offset), name);
}

static void call_compiled(
        struct body *body, const struct ir_instr *instr, value code, value *out)
{
    struct codegen *gen = body->gen;
    value args[MAX_ARGUMENTS + 1], callable = operand(body, instr, 0)[0];
    LLVMTypeRef types[MAX_ARGUMENTS + 1];
    unsigned count = (unsigned)flatten(body, instr, args + 1) + 1;
    args[0] = result_place(body, instr->type);
    for (unsigned i = 0; i < count; i++)
        types[i] = LLVMTypeOf(args[i]);
    value status = LLVMBuildCall2(gen->builder,
            LLVMFunctionType(gen->i32, types, count, false), code, args, count, "");
    control_check_call(body, translate_status(body, callable, status), instr->span);
    value_load(gen, instr->type, args[0], 0, "", out);
}

enum { MAX_C_LEAVES = 2 }; // of a complex number

// Calls a value of a type that functions of C have, too: which it is, its code says.
static void call_either(
        struct body *body, const struct ir_instr *instr, value code, value *out)
{
    struct codegen *gen = body->gen;
    value theirs[MAX_C_LEAVES], ours[MAX_C_LEAVES];
    LLVMBasicBlockRef foreign = body_block(body, "call.foreign"),
                      compiled = body_block(body, "call.compiled"),
                      joined = body_block(body, "call.joined"), ends[2];
    LLVMBuildCondBr(
            gen->builder, LLVMBuildIsNull(gen->builder, code, ""), foreign, compiled);
    LLVMPositionBuilderAtEnd(gen->builder, foreign);
    value address = member(body, operand(body, instr, 0)[0],
            offsetof(struct abi_callable, address), "address");
    call_foreign(body, instr, address, theirs);
    ends[0] = LLVMGetInsertBlock(gen->builder);
    LLVMBuildBr(gen->builder, joined);
    LLVMPositionBuilderAtEnd(gen->builder, compiled);
    call_compiled(body, instr, code, ours);
    ends[1] = LLVMGetInsertBlock(gen->builder);
    LLVMBuildBr(gen->builder, joined);
    LLVMPositionBuilderAtEnd(gen->builder, joined);
    for (size_t i = 0; i < type_leaf_count(gen, instr->type); i++)
        out[i] = value_phi(gen, "result", (value[]){theirs[i], ours[i]}, ends);
}

void callable_call(struct body *body, const struct ir_instr *instr, value *out)
{
    const struct type *function = instr->operands[0]->type;
    value callable = operand(body, instr, 0)[0];
    assert(function->kind == TYPE_FOREIGN || function->kind == TYPE_CALLABLE);
    if (function->kind == TYPE_FOREIGN) {
        call_foreign(body, instr, callable, out);
        return;
    }
    value code = member(body, callable, offsetof(struct abi_callable, code), "code");
    if (function_may_be_of_c(function))
        call_either(body, instr, code, out);
    else
        call_compiled(body, instr, code, out);
}

// --- Values of known functions

// The value of a function is made when it is first needed, and kept by the module.
// Two threads may make it at the same time; the second store wins, and the first value
// stays alive for those that have read it: the runtime keeps all that it made.
static value make_callable(
        struct body *body, const struct type *function, const struct type *type)
{
    struct codegen *gen = body->gen;
    value slot = LLVMAddGlobal(gen->module, gen->ptr, "callable");
    LLVMSetInitializer(slot, LLVMConstNull(gen->ptr));
    LLVMSetLinkage(slot, LLVMInternalLinkage);
    value known = LLVMBuildLoad2(gen->builder, gen->ptr, slot, "");
    LLVMBasicBlockRef start = LLVMGetInsertBlock(gen->builder);
    LLVMBasicBlockRef make = body_block(body, "callable.make"),
                      done = body_block(body, "callable.done");
    LLVMBuildCondBr(gen->builder, LLVMBuildIsNull(gen->builder, known, ""), make, done);
    LLVMPositionBuilderAtEnd(gen->builder, make);
    value args[] = {codegen_address(gen, function->source), codegen_address(gen, type)};
    LLVMTypeRef types[] = {gen->ptr, gen->ptr};
    value made = codegen_call(gen,
            codegen_external(gen, "gridcell_callable_make", gen->ptr, types, 2), args, 2,
            "");
    control_fail_if(
            body, LLVMBuildIsNull(gen->builder, made, ""), value_i32(gen, STATUS_PYTHON));
    LLVMBuildStore(gen->builder, made, slot);
    LLVMBasicBlockRef end = LLVMGetInsertBlock(gen->builder);
    LLVMBuildBr(gen->builder, done);
    LLVMPositionBuilderAtEnd(gen->builder, done);
    return value_phi(
            gen, "callable", (value[]){known, made}, (LLVMBasicBlockRef[]){start, end});
}

// What function number `i` of a choice is as a value of the type `to`.
static value one_of(struct body *body, const struct type *function, const struct type *to)
{
    return to->kind == TYPE_CALLABLE
                   ? make_callable(body, function, to)
                   : value_i64(body->gen, function_position(to, function));
}

static value cast_choice(struct body *body, const struct type *from,
        const struct type *to, const value *in)
{
    struct codegen *gen = body->gen;
    const struct type *functions = from->tuple.items[0];
    assert(from->kind == TYPE_CHOICE && functions->kind == TYPE_TUPLE);
    value index = in[type_leaf_count(gen, functions)];
    value len = value_i64(gen, (int64_t)functions->tuple.len);
    value is_negative =
            LLVMBuildICmp(gen->builder, LLVMIntSLT, index, value_i64(gen, 0), "");
    index = value_select(
            gen, is_negative, LLVMBuildAdd(gen->builder, index, len, ""), index);
    value chosen = one_of(body, functions->tuple.items[0], to);
    for (size_t i = 1; i < functions->tuple.len; i++) {
        value next = one_of(body, functions->tuple.items[i], to);
        value is_this = LLVMBuildICmp(
                gen->builder, LLVMIntEQ, index, value_i64(gen, (int64_t)i), "");
        chosen = value_select(gen, is_this, next, chosen);
    }
    return chosen;
}

bool callable_cast(struct body *body, const struct type *from, const struct type *to,
        const value *in, value *out, struct span span)
{
    bool is_value = to->kind == TYPE_CALLABLE || to->kind == TYPE_CHOICE;
    if (!is_value || from == to || function_conversion(from, to) == CONVERT_NEVER)
        return false;
    out[0] = from->kind == TYPE_CHOICE ? cast_choice(body, from, to, in)
                                       : one_of(body, from, to);
    return true;
}

// --- Pointers

void pointer_address(struct body *body, const struct ir_instr *instr, value *out)
{
    out[0] = LLVMBuildPtrToInt(
            body->gen->builder, operand(body, instr, 0)[0], body->gen->i64, "");
}

// Code for devices has no use for the parent: no array goes back to Python from there.
void pointer_array(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    array_describe(
            body, instr->type, operand(body, instr, 0)[0], operand(body, instr, 1), out);
    if (gen->target->kind == TARGET_HOST)
        out[ARRAY_PARENT] = LLVMConstIntToPtr(
                value_i64(gen, (int64_t)(intptr_t)ABI_NOBODY), gen->ptr);
}

void pointer_of_array(struct body *body, const struct ir_instr *instr, value *out)
{
    out[0] = operand(body, instr, 0)[ARRAY_DATA];
}
