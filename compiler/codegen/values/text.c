// SPDX-License-Identifier: MIT
// Strings on the CPU (device_text.c: elsewhere): { memory, data, length } over UCS-4
// characters. Constants lie in the module; what else there is comes from calls of
// compiler/text.
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/exit.h"
#include "compiler/codegen/values/device_text.h"
#include "compiler/codegen/values/print_value.h"
#include "compiler/codegen/values/text.h"

#include "compiler/support/text/text.h"
#include "compiler/support/text/calls.h"

#include <assert.h>

void text_constant(struct body *body, const struct constant *constant, value *leaves)
{
    struct codegen *gen = body->gen;
    const char *utf8 = constant->string.text;
    size_t size = constant->string.len;
    leaves[STRING_MEMORY] = LLVMConstNull(gen->ptr);
    if (gen->target->kind != TARGET_HOST) { // what device printing takes
        leaves[STRING_DATA] = codegen_text(gen, utf8, size);
        leaves[STRING_LENGTH] = value_i64(gen, (int64_t)size);
        return;
    }
    if (size == SIZE_MAX) {
        leaves[STRING_DATA] = LLVMConstNull(gen->ptr);
        leaves[STRING_LENGTH] = value_i64(gen, -1);
        return;
    }
    bool is_bytes = constant->type == type_bytes;
    int64_t len = is_bytes ? (int64_t)size : text_utf8_length(utf8, size);
    uint32_t *characters = arena_array(&gen->arena, uint32_t, (size_t)len + 1);
    for (size_t i = 0; is_bytes && i < size; i++)
        characters[i] = (unsigned char)utf8[i];
    if (!is_bytes)
        text_decode_utf8(utf8, size, characters);
    value data = codegen_text(gen, (const char *)characters, (size_t)len * 4);
    LLVMSetAlignment(data, 4);
    gen->has_texts = true;
    leaves[STRING_DATA] = data;
    leaves[STRING_LENGTH] = value_i64(gen, len);
}

// How an operand is passed: scalars as they are, all else by address.
static value argument(struct body *body, const struct type *type, const value *leaves)
{
    struct codegen *gen = body->gen;
    if (type->kind == TYPE_BOOL)
        return LLVMBuildZExt(gen->builder, leaves[0], gen->i32, "");
    if (type->kind == TYPE_INT || type->kind == TYPE_FLOAT || type->kind == TYPE_LIST)
        return leaves[0];
    value slot = value_alloca(body, LLVMArrayType2(gen->i8, abi_size(type)), "text");
    LLVMSetAlignment(slot, 8);
    value_store(gen, type, slot, 0, leaves);
    return slot;
}

// Calls the function; when it fails, goes on to where its error is raised: each class has
// a site, so that handlers can tell them apart.
static void call_text(struct body *body, const char *symbol, const struct ir_instr *instr,
        const value *args, unsigned count)
{
    struct codegen *gen = body->gen;
    LLVMTypeRef *types = arena_array(&gen->arena, LLVMTypeRef, count + 1);
    for (unsigned i = 0; i < count; i++)
        types[i] = LLVMTypeOf(args[i]);
    value function = codegen_external(gen, symbol, gen->i32, types, count);
    value status = codegen_call(gen, function, args, count, "");
    value failed =
            LLVMBuildICmp(gen->builder, LLVMIntNE, status, value_i32(gen, TEXT_OK), "");
    static const char *const classes[] = {ABI_RAISED_CLASSES};
    int site = 0;
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        int added = codegen_raise_site(
                body, ERROR_RUNTIME, classes[i], NULL, NULL, instr->span);
        vec_last(&gen->raise_sites).is_dynamic = true;
        site = site ? site : added;
    }
    value is_raised =
            LLVMBuildICmp(gen->builder, LLVMIntSGT, status, value_i32(gen, TEXT_OK), "");
    value of_class = LLVMBuildAdd(gen->builder, status, value_i32(gen, site - 1), "");
    control_fail_if(body, failed, value_select(gen, is_raised, of_class, status));
}

static value result_memory(struct body *body, const struct type *type)
{
    size_t size = abi_size(type);
    value slot = value_alloca(body, LLVMArrayType2(body->gen->i8, size), "result");
    LLVMSetAlignment(slot, 8);
    return slot;
}

// The number, or its opposite where `sign` is -1 rather than 0.
static value with_sign(LLVMBuilderRef b, value number, value sign)
{
    return LLVMBuildSub(b, LLVMBuildXor(b, number, sign, ""), sign, "");
}

enum { HASH_BITS = 61 };

// The number modulo the prime 2 ** 61 - 1, with its sign.
static value residue(struct codegen *gen, value number, bool is_signed)
{
    LLVMBuilderRef b = gen->builder;
    value prime = value_i64(gen, ((int64_t)1 << HASH_BITS) - 1);
    value sign = is_signed ? LLVMBuildAShr(b, number, value_i64(gen, 63), "")
                           : value_i64(gen, 0);
    value size = with_sign(b, number, sign);
    value low = LLVMBuildAnd(b, size, prime, "");
    value high = LLVMBuildLShr(b, size, value_i64(gen, HASH_BITS), "");
    value sum = LLVMBuildAdd(b, low, high, "");
    value is_over = LLVMBuildICmp(b, LLVMIntUGE, sum, prime, "");
    value over = LLVMBuildAnd(b, LLVMBuildSExt(b, is_over, gen->i64, ""), prime, "");
    return with_sign(b, LLVMBuildSub(b, sum, over, ""), sign);
}

// Python's hash of an int64 or uint64: its residue, but not -1. Few numbers are so large
// that they are not their own residue.
static value hash_of_integer(struct body *body, value number, bool is_signed)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    LLVMBasicBlockRef large = body_block(body, "large"), next = body_block(body, "hash");
    int64_t most = ((int64_t)1 << HASH_BITS) - 2;
    value from_least =
            is_signed ? LLVMBuildAdd(b, number, value_i64(gen, most), "") : number;
    value is_large = LLVMBuildICmp(
            b, LLVMIntUGT, from_least, value_i64(gen, is_signed ? 2 * most : most), "");
    LLVMBasicBlockRef start = LLVMGetInsertBlock(b);
    control_branch_unlikely(body, is_large, large, next);
    LLVMPositionBuilderAtEnd(b, large);
    value reduced = residue(gen, number, is_signed);
    LLVMBuildBr(b, next);
    LLVMPositionBuilderAtEnd(b, next);
    value hash = LLVMBuildPhi(b, gen->i64, "");
    LLVMAddIncoming(
            hash, (value[]){number, reduced}, (LLVMBasicBlockRef[]){start, large}, 2);
    value is_error = LLVMBuildICmp(b, LLVMIntEQ, hash, value_i64(gen, -1), "");
    return LLVMBuildAdd(b, hash, LLVMBuildSExt(b, is_error, gen->i64, ""), "");
}

void text_call(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    if (instr->immediate == TEXT_HASH_INT || instr->immediate == TEXT_HASH_UINT) {
        bool is_signed = instr->immediate == TEXT_HASH_INT;
        out[0] = hash_of_integer(body, operand(body, instr, 0)[0], is_signed);
        return;
    }
    if (gen->target->kind != TARGET_HOST && instr->immediate == TEXT_TO_CELLS) {
        device_cells_store(body, instr, out);
        return;
    }
    assert(text_call_symbol(instr->immediate));
    value *args = value_row(gen, 2 * instr->operand_count + 1);
    unsigned count = 0;
    args[count++] = result_memory(body, instr->type);
    for (size_t i = 0; i < instr->operand_count; i++) {
        const struct type *type = instr->operands[i]->type;
        const value *leaves = operand(body, instr, i);
        if (type->kind == TYPE_COMPLEX) {
            args[count++] = leaves[0];
            args[count++] = leaves[1];
        } else {
            args[count++] = argument(body, type, leaves);
        }
    }
    call_text(body, text_call_symbol(instr->immediate), instr, args, count);
    value_load(gen, instr->type, args[0], 0, "", out);
}

// One character: a view of the string's memory.
void text_at(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef builder = gen->builder;
    const value *text = operand(body, instr, 0);
    assert(instr->operand_count == 2 && instr->operands[0]->type->kind == TYPE_STRING);
    value index = operand(body, instr, 1)[0];
    value is_negative = LLVMBuildICmp(builder, LLVMIntSLT, index, value_i64(gen, 0), "");
    index = value_select(gen, is_negative,
            LLVMBuildAdd(builder, index, text[STRING_LENGTH], ""), index);
    value is_outside = LLVMBuildICmp(builder, LLVMIntUGE, index, text[STRING_LENGTH], "");
    const char *message = instr->operands[0]->type == type_bytes
                                  ? "index out of range"
                                  : "string index out of range";
    control_raise_if(body, is_outside, ERROR_INDEX, message, instr->span);
    if (instr->type->kind == TYPE_STRING)
        text_item(body, text, index, out);
    else
        out[0] = text_byte(body, text, index);
}

void text_item(struct body *body, const value *text, value index, value *out)
{
    struct codegen *gen = body->gen;
    out[STRING_MEMORY] = text[STRING_MEMORY];
    out[STRING_DATA] = LLVMBuildInBoundsGEP2(
            gen->builder, gen->i32, text[STRING_DATA], &index, 1, "");
    out[STRING_LENGTH] = value_i64(gen, 1);
}

value text_byte(struct body *body, const value *text, value index)
{
    struct codegen *gen = body->gen;
    value address = LLVMBuildInBoundsGEP2(
            gen->builder, gen->i32, text[STRING_DATA], &index, 1, "");
    value byte = LLVMBuildLoad2(gen->builder, gen->i32, address, "");
    return LLVMBuildZExt(gen->builder, byte, gen->i64, "");
}

// The text that print() would write of the operands, without what is between them.
// In the thread's line buffer, which print() uses, too: both are done before anything
// else of the thread can write there.
void text_build(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    for (size_t i = 0; i < instr->operand_count; i++)
        print_value(body, instr->operands[i]->type, operand(body, instr, i),
                instr->immediate, instr->span);
    if (codegen_failed(gen))
        return;
    value result = result_memory(body, instr->type);
    call_text(body, "gridcell_print_take", instr, &result, 1);
    value_load(gen, instr->type, result, 0, "", out);
}

void text_len(struct body *body, const struct ir_instr *instr, value *out)
{
    out[0] = operand(body, instr, 0)[STRING_LENGTH];
}

// Equality without a branch: where the lengths differ nothing is compared, and where one
// of them is known the comparison of the characters becomes a few instructions.
static value text_equality(struct body *body, const value *a, const value *b)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef builder = gen->builder;
    value same_length =
            LLVMBuildICmp(builder, LLVMIntEQ, a[STRING_LENGTH], b[STRING_LENGTH], "");
    value len =
            LLVMIsAConstantInt(a[STRING_LENGTH]) ? a[STRING_LENGTH] : b[STRING_LENGTH];
    value left = a[STRING_DATA];
    if (LLVMIsAConstantInt(len))
        left = value_select(gen, same_length, left, b[STRING_DATA]);
    else
        len = value_select(gen, same_length, len, value_i64(gen, 0));
    value size = LLVMBuildMul(builder, len, value_i64(gen, 4), "");
    LLVMTypeRef types[3] = {gen->ptr, gen->ptr, gen->i64};
    value function = codegen_external(gen, "memcmp", gen->i32, types, 3);
    value args[3] = {left, b[STRING_DATA], size};
    value order = codegen_call(gen, function, args, 3, "");
    value same = LLVMBuildICmp(builder, LLVMIntEQ, order, value_i32(gen, 0), "");
    return LLVMBuildAnd(builder, same_length, same, "");
}

// -1, 0 or 1 as an int32.
static value text_order(struct body *body, const value *a, const value *b)
{
    struct codegen *gen = body->gen;
    LLVMTypeRef types[2] = {gen->ptr, gen->ptr};
    value function =
            codegen_external(gen, text_call_symbol(TEXT_COMPARE), gen->i32, types, 2);
    value args[2] = {argument(body, type_string, a), argument(body, type_string, b)};
    return codegen_call(gen, function, args, 2, "");
}

value text_compare_values(
        struct body *body, enum ir_compare compare, const value *a, const value *b)
{
    struct codegen *gen = body->gen;
    bool is_host = gen->target->kind == TARGET_HOST;
    if (is_host && (compare == COMPARE_EQ || compare == COMPARE_NE)) {
        value equal = text_equality(body, a, b);
        return compare == COMPARE_EQ ? equal : LLVMBuildNot(gen->builder, equal, "");
    }
    value order = is_host ? text_order(body, a, b) : device_text_order(body, a, b);
    return LLVMBuildICmp(
            gen->builder, value_predicate(compare, true), order, value_i32(gen, 0), "");
}
