// SPDX-License-Identifier: MIT
// Texts on devices, which are where they were written: constants of the module, str in
// UTF-8. Nothing here calls a function, for a GPU has none.
#include <assert.h>

#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/counted_loop.h"
#include "compiler/codegen/values/device_text.h"

// --- Reading

// Byte `index` of the text as an int32; 0 behind its end.
static value byte_at(struct body *body, const value *text, value index)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    value is_in = LLVMBuildICmp(b, LLVMIntULT, index, text[STRING_LENGTH], "");
    // where there is nothing a zero is read instead: an empty text may have no byte
    value zero = value_alloca(body, gen->i8, "none");
    LLVMBuildStore(b, LLVMConstNull(gen->i8), zero);
    value address = LLVMBuildGEP2(b, gen->i8, text[STRING_DATA], &index, 1, "");
    value byte = LLVMBuildLoad2(b, gen->i8, value_select(gen, is_in, address, zero), "");
    return LLVMBuildZExt(b, byte, gen->i32, "");
}

static value is_at_least(struct codegen *gen, value byte, int limit)
{
    return LLVMBuildICmp(gen->builder, LLVMIntUGE, byte, value_i32(gen, limit), "");
}

// The character in UTF-8 at `place`, and how many bytes it takes.
static value character_at(
        struct body *body, const value *text, value place, value *length)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    static const int first[] = {0xC0, 0xE0, 0xF0}, mask[] = {0x1F, 0x0F, 0x07};
    value head = byte_at(body, text, place), code = head;
    value so_far[4] = {head};
    *length = value_i64(gen, 1);
    value tail[3];
    for (int i = 0; i < 3; i++) {
        value at = LLVMBuildAdd(b, place, value_i64(gen, i + 1), "");
        tail[i] = LLVMBuildAnd(b, byte_at(body, text, at), value_i32(gen, 0x3F), "");
    }
    for (int i = 0; i < 3; i++) {
        value all = LLVMBuildAnd(b, head, value_i32(gen, mask[i]), "");
        for (int j = 0; j <= i; j++) {
            all = LLVMBuildShl(b, all, value_i32(gen, 6), "");
            all = LLVMBuildOr(b, all, tail[j], "");
        }
        so_far[i + 1] = all;
        value is_longer = is_at_least(gen, head, first[i]);
        code = value_select(gen, is_longer, so_far[i + 1], code);
        *length = value_select(gen, is_longer, value_i64(gen, i + 2), *length);
    }
    return code;
}

// --- Items of fixed length

void device_cells_store(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    assert(instr->operand_count == 5 && instr->operands[0]->type->kind == TYPE_ARRAY);
    const struct type *item = instr->operands[0]->type;
    const value *text = operand(body, instr, 3);
    bool is_wide = item->element->element == type_string;
    LLVMTypeRef cell = is_wide ? gen->i32 : gen->i8;
    value data = operand(body, instr, 0)[ARRAY_DATA];
    value place = value_alloca(body, gen->i64, "place");
    LLVMBuildStore(b, value_i64(gen, 0), place);
    struct counted_loop loop;
    value index = control_loop_open(body, operand(body, instr, 1)[0], &loop);
    value at = LLVMBuildLoad2(b, gen->i64, place, ""), length = value_i64(gen, 1);
    value code = instr->operands[3]->type == type_string
                         ? character_at(body, text, at, &length)
                         : byte_at(body, text, at);
    LLVMBuildStore(b, LLVMBuildAdd(b, at, length, ""), place);
    value target = LLVMBuildGEP2(b, cell, data, &index, 1, "");
    value store =
            LLVMBuildStore(b, is_wide ? code : LLVMBuildTrunc(b, code, cell, ""), target);
    LLVMSetAlignment(store, is_wide && item->array.is_aligned ? 4 : 1);
    control_loop_close(body, &loop);
    loop_keep_scalar(gen, loop.back_edge);
    out[0] = value_i64(gen, 0);
}

// --- Comparison

// By bytes, whose order in UTF-8 is that of the characters: -1, 0 or 1 as an int32.
value device_text_order(struct body *body, const value *a, const value *b)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef builder = gen->builder;
    value slot = value_alloca(body, gen->i32, "order");
    value is_shorter =
            LLVMBuildICmp(builder, LLVMIntSLT, a[STRING_LENGTH], b[STRING_LENGTH], "");
    value is_longer =
            LLVMBuildICmp(builder, LLVMIntSGT, a[STRING_LENGTH], b[STRING_LENGTH], "");
    value order = value_select(gen, is_longer, value_i32(gen, 1), value_i32(gen, 0));
    order = value_select(gen, is_shorter, value_i32(gen, -1), order);
    LLVMBuildStore(builder, order, slot);
    value common = value_select(gen, is_shorter, a[STRING_LENGTH], b[STRING_LENGTH]);
    // from the end on, so that the first byte that differs has the last word
    struct counted_loop loop;
    value index = control_loop_open(body, common, &loop);
    value last = LLVMBuildSub(builder, common, value_i64(gen, 1), "");
    value at = LLVMBuildSub(builder, last, index, "");
    value x = byte_at(body, a, at), y = byte_at(body, b, at);
    value known = LLVMBuildLoad2(builder, gen->i32, slot, "");
    value is_less = LLVMBuildICmp(builder, LLVMIntULT, x, y, "");
    value is_more = LLVMBuildICmp(builder, LLVMIntUGT, x, y, "");
    known = value_select(gen, is_more, value_i32(gen, 1), known);
    LLVMBuildStore(builder, value_select(gen, is_less, value_i32(gen, -1), known), slot);
    control_loop_close(body, &loop);
    loop_keep_scalar(gen, loop.back_edge);
    return LLVMBuildLoad2(builder, gen->i32, slot, "");
}
