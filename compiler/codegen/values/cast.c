// SPDX-License-Identifier: MIT
// Conversions between types: numbers, optionals, tuples by item, array layouts.
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/exit.h"
#include "compiler/codegen/values/bfloat.h"
#include "compiler/codegen/values/callable.h"
#include "compiler/codegen/values/cast.h"
#include "compiler/codegen/values/datetime.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

// By the source's sign, as C and NumPy do: int32(-1) is uint64's largest number.
static value integer_to_integer(
        struct body *body, const struct type *from, const struct type *to, value in)
{
    LLVMBuilderRef builder = body->gen->builder;
    LLVMTypeRef type = type_llvm(body->gen, to);
    if (to->kind == TYPE_BOOL)
        return LLVMBuildICmp(builder, LLVMIntNE, in, LLVMConstNull(LLVMTypeOf(in)), "");
    if (to->bits == from->bits)
        return in;
    if (to->bits < from->bits)
        return LLVMBuildTrunc(builder, in, type, "");
    if (from->kind == TYPE_INT && from->is_signed)
        return LLVMBuildSExt(builder, in, type, "");
    return LLVMBuildZExt(builder, in, type, "");
}

static value integer_to_float(
        struct body *body, const struct type *from, const struct type *to, value in)
{
    LLVMBuilderRef builder = body->gen->builder;
    LLVMTypeRef type = type_llvm(body->gen, to);
    if (from->kind == TYPE_INT && from->is_signed)
        return LLVMBuildSIToFP(builder, in, type, "");
    return LLVMBuildUIToFP(builder, in, type, "");
}

// A number that does not fit is some number of the type, the same wherever it is used:
// what LLVM makes of it, poison, would take code with it whose loops it counts.
static value some_integer(struct codegen *gen, value in, LLVMTypeRef type)
{
    return LLVMBuildFreeze(gen->builder, LLVMBuildFPToSI(gen->builder, in, type, ""), "");
}

// As int32 or int64. libnvvm writes ".ftz" into the instruction for float16 under
// fastmath, where ptxas refuses it: it is spelled out.
static value float_to_signed(
        struct codegen *gen, const struct type *from, value in, LLVMTypeRef type)
{
    if (gen->target->kind != TARGET_GPU || from->bits != 16)
        return some_integer(gen, in, type);
    value bits = LLVMBuildBitCast(gen->builder, in, gen->i16, "");
    return type == gen->i64 ? gpu_assembly(gen, "cvt.rzi.s64.f16 $0, $1;", "=l,h", type,
                                      &bits, 1, false)
                            : gpu_assembly(gen, "cvt.rzi.s32.f16 $0, $1;", "=r,h", type,
                                      &bits, 1, false);
}

// Truncates towards zero and wraps to the target's width, as C does on common processors.
static value float_to_integer(
        struct body *body, const struct type *from, const struct type *to, value in)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef builder = gen->builder;
    LLVMTypeRef type = type_llvm(gen, to);
    if (to->kind == TYPE_BOOL)
        return LLVMBuildFCmp(builder, LLVMRealUNE, in, LLVMConstNull(LLVMTypeOf(in)), "");
    if (to->bits < 32)
        return LLVMBuildTrunc(
                builder, float_to_signed(gen, from, in, gen->i32), type, "");
    if (to->is_signed)
        return float_to_signed(gen, from, in, type);
    if (to->bits == 32)
        return LLVMBuildTrunc(
                builder, float_to_signed(gen, from, in, gen->i64), type, "");
    if (from->bits == 16)
        return float_to_signed(gen, from, in, type);
    // uint64: values from 2**63 on are brought into the signed range and back
    value middle = value_float(gen, from, 9223372036854775808.0);
    value is_high = LLVMBuildFCmp(builder, LLVMRealOGE, in, middle, "");
    value shifted = LLVMBuildFSub(builder, in, middle, "");
    value reduced = some_integer(gen, value_select(gen, is_high, shifted, in), type);
    value top = LLVMConstInt(type, 1ull << 63, 0);
    return value_select(gen, is_high, LLVMBuildXor(builder, reduced, top, ""), reduced);
}

static value float_to_float(
        struct body *body, const struct type *from, const struct type *to, value in)
{
    LLVMBuilderRef builder = body->gen->builder;
    LLVMTypeRef type = type_llvm(body->gen, to);
    if (from->bits == to->bits)
        return in;
    return from->bits < to->bits ? LLVMBuildFPExt(builder, in, type, "")
                                 : LLVMBuildFPTrunc(builder, in, type, "");
}

static value scalar_cast(
        struct body *body, const struct type *from, const struct type *to, value in)
{
    if (from->kind == TYPE_FLOAT)
        return to->kind == TYPE_FLOAT ? float_to_float(body, from, to, in)
                                      : float_to_integer(body, from, to, in);
    return to->kind == TYPE_FLOAT ? integer_to_float(body, from, to, in)
                                  : integer_to_integer(body, from, to, in);
}

static void to_complex(struct body *body, const struct type *from, const struct type *to,
        const value *in, value *out)
{
    if (from->kind == TYPE_COMPLEX) {
        for (int i = 0; i < 2; i++)
            out[i] = float_to_float(body, from->element, to->element, in[i]);
        return;
    }
    out[0] = scalar_cast(body, from, to->element, in[0]);
    out[1] = value_zero(body->gen, to->element);
}

static void from_complex(struct body *body, const struct type *from,
        const struct type *to, const value *in, value *out)
{
    LLVMBuilderRef builder = body->gen->builder;
    if (to->kind != TYPE_BOOL) {
        out[0] = scalar_cast(body, from->element, to, in[0]);
        return;
    }
    out[0] = LLVMBuildOr(builder, scalar_cast(body, from->element, to, in[0]),
            scalar_cast(body, from->element, to, in[1]), "");
}

// None has zeros in place of the value: who reads it anyway, reads something.
static void to_optional(struct body *body, const struct type *from, const struct type *to,
        const value *in, value *out, struct span span)
{
    struct codegen *gen = body->gen;
    const struct leaf_list *list = type_leaves(gen, to->element);
    if (from->kind == TYPE_NONE) {
        for (size_t i = 0; i < list->len; i++)
            out[i] = value_zero(gen, list->items[i].type);
        out[list->len] = value_bool(gen, false);
    } else if (from->kind == TYPE_OPTIONAL) {
        cast_value(body, from->element, to->element, in, out, span);
        out[list->len] = in[type_leaf_count(gen, from->element)];
    } else {
        cast_value(body, from, to->element, in, out, span);
        out[list->len] = value_bool(gen, true);
    }
}

static void from_optional(struct body *body, const struct type *from,
        const struct type *to, const value *in, value *out, struct span span)
{
    struct codegen *gen = body->gen;
    size_t flag = type_leaf_count(gen, from->element);
    if (to->kind == TYPE_BOOL &&
            from->element->kind != TYPE_BOOL) { // truth: None is false
        cast_value(body, from->element, to, in, out, span);
        out[0] = LLVMBuildAnd(gen->builder, out[0], in[flag], "");
        return;
    }
    char message[160];
    snprintf(message, sizeof message, "expected %s, got None", from->element->name);
    value is_none = LLVMBuildNot(gen->builder, in[flag], "");
    control_raise_if(body, is_none, ERROR_TYPE, arena_strdup(&gen->arena, message), span);
    cast_value(body, from->element, to, in, out, span);
}

static void cast_tuple(struct body *body, const struct type *from, const struct type *to,
        const value *in, value *out, struct span span)
{
    assert(from->tuple.len == to->tuple.len);
    for (size_t i = 0; i < from->tuple.len; i++) {
        cast_value(body, from->tuple.items[i], to->tuple.items[i], in, out, span);
        in += type_leaf_count(body->gen, from->tuple.items[i]);
        out += type_leaf_count(body->gen, to->tuple.items[i]);
    }
}

static bool cast_numbers(struct body *body, const struct type *from,
        const struct type *to, const value *in, value *out)
{
    if (!type_is_number(from) || !type_is_number(to))
        return false;
    if (to->kind == TYPE_COMPLEX)
        to_complex(body, from, to, in, out);
    else if (from->kind == TYPE_COMPLEX)
        from_complex(body, from, to, in, out);
    else
        out[0] = scalar_cast(body, from, to, in[0]);
    return true;
}

// bfloat16 by way of float32
static bool cast_bfloat(struct body *body, const struct type *from, const struct type *to,
        const value *in, value *out, struct span span)
{
    if (from == to || from->kind == TYPE_OPTIONAL || to->kind == TYPE_OPTIONAL)
        return false;
    if (from->kind == TYPE_BFLOAT) {
        value wide = bfloat_widen(body, in[0]);
        cast_value(body, type_float32, to, &wide, out, span);
        return true;
    }
    if (to->kind != TYPE_BFLOAT)
        return false;
    if (from->kind == TYPE_INT && from->bits == 64) {
        value whole = bfloat_sticky(body, from, in[0]);
        whole = scalar_cast(body, from, type_float64, whole);
        out[0] = bfloat_narrow(body, whole);
    } else if (from->kind == TYPE_INT && from->bits == 32) {
        out[0] = bfloat_narrow(body, scalar_cast(body, from, type_float64, in[0]));
    } else if (from == type_float64) {
        out[0] = bfloat_narrow(body, in[0]);
    } else {
        value wide;
        cast_value(body, from, type_float32, in, &wide, span);
        out[0] = bfloat_narrow(body, wide);
    }
    return true;
}

// `in` and `out` may be the same row only where no leaf is read after it was written:
// callers give different rows. Typing only asks for casts of type_conversion's list.
void cast_value(struct body *body, const struct type *from, const struct type *to,
        const value *in, value *out, struct span span)
{
    size_t count = type_leaf_count(body->gen, to);
    if (cast_bfloat(body, from, to, in, out, span))
        return;
    if (from->kind == TYPE_TIME && to->kind == TYPE_TIME && from != to) {
        out[0] = datetime_convert(body, from, to, in[0]);
        return;
    }
    if ((from->kind == TYPE_ENUM || from->kind == TYPE_TIME) && from != to &&
            to->kind != TYPE_OPTIONAL)
        from = from->element;
    if ((to->kind == TYPE_ENUM || to->kind == TYPE_TIME) && from != to)
        to = to->element;
    bool is_view = from->kind == TYPE_DICT_VIEW || to->kind == TYPE_DICT_VIEW;
    bool is_same_shape = from == to || from->kind == TYPE_ARRAY || is_view ||
                         from->kind == TYPE_POINTER || to->kind == TYPE_POINTER;
    if (to->kind == TYPE_OPTIONAL && from != to)
        to_optional(body, from, to, in, out, span);
    else if (from->kind == TYPE_OPTIONAL && from != to)
        from_optional(body, from, to, in, out, span);
    else if (cast_numbers(body, from, to, in, out))
        return;
    else if (from->kind == TYPE_STRING && to->kind == TYPE_BOOL)
        out[0] = LLVMBuildICmp(body->gen->builder, LLVMIntNE, in[STRING_LENGTH],
                value_i64(body->gen, 0), "");
    else if (from->kind == TYPE_TUPLE && to->kind == TYPE_TUPLE &&
             from->tuple.len == to->tuple.len)
        cast_tuple(body, from, to, in, out, span);
    else if (from->kind == TYPE_RANGE && to->kind == TYPE_RANGE)
        for (size_t i = 0; i < count; i++)
            out[i] = integer_to_integer(body, from->element, to->element, in[i]);
    else if (callable_cast(body, from, to, in, out, span))
        return;
    else if (from->kind == TYPE_INT && to->kind == TYPE_POINTER)
        out[0] = LLVMBuildIntToPtr(body->gen->builder, in[0], body->gen->ptr, "");
    else if (is_same_shape && type_leaf_count(body->gen, from) == count)
        memcpy(out, in, count * sizeof *out);
    else if (count)
        codegen_fail(body->gen, ERROR_INTERNAL, span, "cannot convert %s to %s",
                from->name, to->name);
}
