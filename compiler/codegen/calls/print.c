// SPDX-License-Identifier: MIT
// print(): on the CPU a call for each value, on a GPU one vprintf for every 32 of them,
// as it takes no more; what follows comes in a line of its own only if other threads
// print meanwhile.
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/calls/print.h"
#include "compiler/codegen/values/cast.h"
#include "compiler/codegen/values/print_value.h"

void print_by_calls(struct body *body, const struct ir_instr *instr)
{
    bool is_told = instr->immediate; // the last operands are what separates and ends
    size_t count = instr->operand_count - (is_told ? 2 : 0);
    for (size_t i = 0; i < count; i++) {
        if (i && is_told)
            print_string(body, operand(body, instr, count), false);
        else if (i)
            print_text(body, " ");
        print_value(body, instr->operands[i]->type, operand(body, instr, i), false,
                instr->span);
    }
    if (is_told)
        print_string(body, operand(body, instr, count + 1), false);
    else
        print_text(body, "\n");
    struct codegen *gen = body->gen;
    codegen_call_external(gen, "gridcell_print_end", gen->void_type, NULL, 0);
}

struct device_print {
    struct str format;
    VEC(value) args; // 8 bytes each
};

enum { MOST_VPRINTF_ARGS = 32 };

// Prints what has come together so far.
static void device_flush(struct body *body, struct device_print *print)
{
    struct codegen *gen = body->gen;
    size_t count = print->args.len;
    value buffer =
            value_alloca(body, LLVMArrayType2(gen->i64, count ? count : 1), "print");
    LLVMSetAlignment(buffer, 8);
    for (size_t i = 0; i < count; i++)
        LLVMBuildStore(
                gen->builder, print->args.items[i], value_offset(gen, buffer, 8 * i));
    LLVMTypeRef types[2] = {gen->ptr, gen->ptr};
    value function = codegen_external(gen, "vprintf", gen->i32, types, 2);
    value args[2] = {
            codegen_text(gen, str_text(&print->format), print->format.len), buffer};
    codegen_call(gen, function, args, 2, "");
    str_clear(&print->format);
    print->args.len = 0;
}

static void make_room(struct body *body, struct device_print *print, size_t count)
{
    if (print->args.len + count > MOST_VPRINTF_ARGS)
        device_flush(body, print);
}

static void device_item(struct body *body, struct device_print *print,
        const struct type *type, const value *leaves, struct span span);

static void device_complex(struct body *body, struct device_print *print,
        const struct type *type, const value *leaves)
{
    value wide[2];
    cast_value(body, type, type_complex128, leaves, wide, SPAN_NONE);
    make_room(body, print, 2);
    str_append(&print->format, "(%f%+fj)");
    vec_push(&print->args, wide[0]);
    vec_push(&print->args, wide[1]);
}

static void device_tuple(struct body *body, struct device_print *print,
        const struct type *type, const value *leaves, struct span span)
{
    str_append(&print->format, "(");
    for (size_t i = 0; i < type->tuple.len; i++) {
        if (i)
            str_append(&print->format, ", ");
        device_item(body, print, type->tuple.items[i], leaves, span);
        leaves += type_leaf_count(body->gen, type->tuple.items[i]);
    }
    str_append(&print->format, type->tuple.len == 1 ? ",)" : ")");
}

static void device_item(struct body *body, struct device_print *print,
        const struct type *type, const value *leaves, struct span span)
{
    struct codegen *gen = body->gen;
    struct span nowhere = SPAN_NONE;
    value wide;
    make_room(body, print, 1);
    if (type->kind == TYPE_BOOL) {
        wide = value_select(gen, leaves[0], codegen_text(gen, "True", 4),
                codegen_text(gen, "False", 5));
        str_append(&print->format, "%s");
    } else if (type->kind == TYPE_INT) {
        cast_value(body, type, type->is_signed ? type_int64 : type_uint64, leaves, &wide,
                nowhere);
        str_append(&print->format, type->is_signed ? "%lld" : "%llu");
    } else if (type->kind == TYPE_FLOAT) {
        cast_value(body, type, type_float64, leaves, &wide, nowhere);
        str_append(&print->format, "%f");
    } else if (type->kind == TYPE_COMPLEX) {
        device_complex(body, print, type, leaves);
        return;
    } else if (type->kind == TYPE_STRING) {
        wide = leaves[STRING_DATA];
        str_append(&print->format, "%s");
    } else if (print_is_parts(gen, type)) {
        for (size_t i = 1; i < type->tuple.len; i++) {
            const struct type *item = type->tuple.items[i];
            if (item->kind == TYPE_LITERAL) {
                make_room(body, print, 1);
                str_append(
                        &print->format, print_printf_format(body, item->function,
                                                type->tuple.items[++i], leaves, &wide));
                vec_push(&print->args, wide);
            } else {
                device_item(body, print, item, leaves, span);
            }
            leaves += type_leaf_count(gen, type->tuple.items[i]);
        }
        return;
    } else if (type->kind == TYPE_TUPLE) {
        device_tuple(body, print, type, leaves, span);
        return;
    } else if (type->kind == TYPE_DIM3) {
        const struct type *axes[3] = {type_int32, type_int32, type_int32};
        device_tuple(body, print, type_tuple(axes, 3), leaves, span);
        return;
    } else {
        codegen_fail(gen, ERROR_UNSUPPORTED, span,
                "printing unimplemented for values of type %s", type->name);
        return;
    }
    vec_push(&print->args, wide);
}

void print_by_vprintf(struct body *body, const struct ir_instr *instr)
{
    struct device_print print = {0};
    for (size_t i = 0; i < instr->operand_count; i++) {
        if (i)
            str_append(&print.format, " ");
        device_item(body, &print, instr->operands[i]->type, operand(body, instr, i),
                instr->span);
    }
    str_append(&print.format, "\n");
    device_flush(body, &print);
    str_finish(&print.format);
    vec_finish(&print.args);
}
