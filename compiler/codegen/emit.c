// SPDX-License-Identifier: MIT
// The dispatch on operations: which room emits an instruction.
#include "compiler/codegen/arrays/array.h"
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/exception.h"
#include "compiler/codegen/body/exit.h"
#include "compiler/codegen/calls/call.h"
#include "compiler/codegen/calls/generator.h"
#include "compiler/codegen/calls/objmode.h"
#include "compiler/codegen/cuda/cuda.h"
#include "compiler/codegen/emit.h"
#include "compiler/codegen/loops/iter.h"
#include "compiler/codegen/loops/parallel_for.h"
#include "compiler/codegen/values/arith.h"
#include "compiler/codegen/values/array.h"
#include "compiler/codegen/values/callable.h"
#include "compiler/codegen/values/cast.h"
#include "compiler/codegen/values/compare.h"
#include "compiler/codegen/values/constant.h"
#include "compiler/codegen/values/math.h"
#include "compiler/codegen/values/number.h"
#include "compiler/codegen/values/row.h"
#include "compiler/codegen/values/text.h"

#include <string.h>

void emit_phi(struct body *body, const struct ir_instr *instr, value *out)
{
    const struct leaf_list *list = type_leaves(body->gen, instr->type);
    for (size_t i = 0; i < list->len; i++)
        out[i] = LLVMBuildPhi(
                body->gen->builder, type_llvm(body->gen, list->items[i].type), "");
}

static void emit_arg(struct body *body, const struct ir_instr *instr, value *out)
{
    size_t at = 0;
    for (int i = 0; i < instr->index; i++)
        at += type_leaf_count(body->gen, body->ir->params[i]);
    size_t count = type_leaf_count(body->gen, instr->type);
    memcpy(out, body->args + at, count * sizeof *out);
    if (instr->type->kind != TYPE_ARRAY || !instr->type->array.ndim)
        return;
    // the stride of the dense axis is a constant, which is what vectorisation needs to
    // know
    int ndim = instr->type->array.ndim;
    value item = value_i64(body->gen, (int64_t)array_item_bytes(instr->type));
    if (instr->type->array.layout == LAYOUT_C)
        out[ARRAY_STRIDE(instr->type, ndim - 1)] = item;
    else if (instr->type->array.layout == LAYOUT_F)
        out[ARRAY_STRIDE(instr->type, 0)] = item;
}

static void emit_tuple(struct body *body, const struct ir_instr *instr, value *out)
{
    for (size_t i = 0; i < instr->operand_count; i++) {
        size_t count = type_leaf_count(body->gen, instr->operands[i]->type);
        memcpy(out, operand(body, instr, i), count * sizeof *out);
        out += count;
    }
}

static void emit_tuple_get(struct body *body, const struct ir_instr *instr, value *out)
{
    const struct type *tuple = instr->operands[0]->type;
    value *from = operand(body, instr, 0);
    if (tuple->kind == TYPE_TUPLE || tuple->kind == TYPE_CLOSURE ||
            tuple->kind == TYPE_CHOICE)
        for (int i = 0; i < instr->index; i++)
            from += type_leaf_count(body->gen, tuple->tuple.items[i]);
    else // dim3, slice, range, complex: all leaves are alike
        from += instr->index;
    memcpy(out, from, type_leaf_count(body->gen, instr->type) * sizeof *out);
}

static void emit_select(struct body *body, const struct ir_instr *instr, value *out)
{
    size_t count = type_leaf_count(body->gen, instr->type);
    value condition = operand(body, instr, 0)[0];
    for (size_t i = 0; i < count; i++)
        out[i] = value_select(body->gen, condition, operand(body, instr, 1)[i],
                operand(body, instr, 2)[i]);
}

// Negative ones count from the end.
static void emit_tuple_index(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    value index = operand(body, instr, 0)[0], len = value_i64(gen, instr->immediate);
    value is_negative =
            LLVMBuildICmp(gen->builder, LLVMIntSLT, index, value_i64(gen, 0), "");
    out[0] = value_select(
            gen, is_negative, LLVMBuildAdd(gen->builder, index, len, ""), index);
    if (gen->target->kind == TARGET_GPU)
        return;
    value is_outside = LLVMBuildICmp(gen->builder, LLVMIntUGE, out[0], len, "");
    control_raise_if(
            body, is_outside, ERROR_INDEX, "tuple index out of range", instr->span);
}

static void emit_primitive(struct body *body, const struct ir_instr *instr, value *out)
{
    enum ir_primitive primitive = instr->primitive;
    if (primitive <= PRIMITIVE_MATH_ISFINITE)
        math_primitive(body, instr, out);
    else if (primitive == PRIMITIVE_THREAD_NUMBER || primitive == PRIMITIVE_THREAD_COUNT)
        out[0] = parallel_question(body, primitive == PRIMITIVE_THREAD_NUMBER);
    else if (primitive == PRIMITIVE_SELECT)
        emit_select(body, instr, out);
    else if (primitive == PRIMITIVE_BITS)
        out[0] = operand(body, instr, 0)[0];
    else if (primitive < PRIMITIVE_SELECT)
        number_primitive(body, instr, out);
    else if (primitive <= PRIMITIVE_RANDOM_SEED_NP)
        random_primitive(body, instr, out);
    else if (primitive <= PRIMITIVE_ZIP)
        range_primitive(body, instr, out);
    else if (primitive == PRIMITIVE_SLICE)
        slice_primitive(body, instr, out);
    else if (primitive == PRIMITIVE_EXTERNAL)
        call_external(body, instr, out);
    else if (primitive == PRIMITIVE_CALL_VALUE)
        callable_call(body, instr, out);
    else if (primitive >= PRIMITIVE_POINTER_ARRAY && primitive <= PRIMITIVE_ARRAY_POINTER)
        pointer_primitive(body, instr, out);
    else if (primitive == PRIMITIVE_FOREIGN)
        foreign_call(body, instr, out);
    else if (primitive <= PRIMITIVE_ARRAY_IMAG)
        array_primitive(body, instr, out);
    else if (primitive >= PRIMITIVE_LIST_NEW && primitive <= PRIMITIVE_CELL_IS)
        row_primitive(body, instr, out);
    else if (primitive == PRIMITIVE_PRINT)
        body->gen->target->print(body, instr);
    else if (primitive <= PRIMITIVE_TEXT_LEN)
        text_primitive(body, instr, out);
    else if (primitive == PRIMITIVE_TUPLE_INDEX)
        emit_tuple_index(body, instr, out);
    else if (primitive <= PRIMITIVE_CUDA_LIBDEVICE)
        cuda_primitive(body, instr, out);
    else if (ir_intrinsic(primitive))
        intrinsic_primitive(body, instr, out);
    else
        atomic_primitive(body, instr, out);
}

void emit_value(struct body *body, const struct ir_instr *instr, value *out)
{
    switch (instr->op) {
    case IR_CONST:
        value_constant(body, &instr->constant, out);
        break;
    case IR_ARG:
        emit_arg(body, instr, out);
        break;
    case IR_PHI:
        emit_phi(body, instr, out);
        break;
    case IR_UNARY:
        arith_unary(body, instr, operand(body, instr, 0), out);
        break;
    case IR_BINARY:
        arith_binary(body, instr, out);
        break;
    case IR_COMPARE:
        out[0] = compare_instr(body, instr);
        break;
    case IR_BUILD_TUPLE:
    case IR_MAKE_CLOSURE:
        emit_tuple(body, instr, out);
        break;
    case IR_TUPLE_GET:
        emit_tuple_get(body, instr, out);
        break;
    case IR_GETITER:
        iter_open(body, instr);
        break;
    case IR_ITERNEXT:
        iter_next(body, instr);
        break;
    case IR_PAIR_FIRST:
        iter_item(body, instr, out);
        break;
    case IR_PAIR_SECOND:
        out[0] = operand(body, instr, 0)[0];
        break;
    case IR_CAST:
        cast_value(body, instr->operands[0]->type, instr->type, operand(body, instr, 0),
                out, instr->span);
        break;
    case IR_PRIMITIVE:
        emit_primitive(body, instr, out);
        break;
    case IR_CAUGHT:
        exception_caught(body, out);
        break;
    case IR_MATCH:
        out[0] = exception_matches(body, instr);
        break;
    case IR_PARALLEL_FOR:
        parallel_for(body, instr, out);
        break;
    case IR_OBJMODE:
        objmode_call(body, instr, out);
        break;
    case IR_YIELD:
        generator_yield(body, instr);
        break;
    case IR_CATCH:
        exception_catch_end(body, instr);
        break;
    case IR_CALL_DIRECT:
        call_direct(body, instr, out);
        break;
    default:
        codegen_fail(body->gen, ERROR_LOWERING, instr->span,
                "an instruction of the Python level reached code generation");
    }
}
