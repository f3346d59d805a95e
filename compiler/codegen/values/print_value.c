// SPDX-License-Identifier: MIT
// The text of a value, as print() and str() have it: written piece by piece by calls of
// the runtime.
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/counted_loop.h"
#include "compiler/codegen/body/exception.h"
#include "compiler/codegen/body/ownership.h"
#include "compiler/codegen/values/cast.h"
#include "compiler/codegen/values/compare.h"
#include "compiler/codegen/values/constant.h"
#include "compiler/codegen/values/print_value.h"
#include "compiler/codegen/values/row.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void call_printer(
        struct body *body, const char *name, const value *args, unsigned count)
{
    codegen_call_external(body->gen, name, body->gen->void_type, args, count);
}

void print_text(struct body *body, const char *text)
{
    size_t len = strlen(text);
    value args[2] = {
            codegen_text(body->gen, text, len), value_i64(body->gen, (int64_t)len)};
    call_printer(body, "gridcell_print_text", args, 2);
}

void print_string(struct body *body, const value *leaves, bool is_nested)
{
    if (body->gen->target->kind == TARGET_HOST) {
        call_printer(body, is_nested ? "gridcell_print_repr" : "gridcell_print_string",
                leaves + STRING_DATA, 2);
        return;
    }
    if (is_nested)
        print_text(body, "'");
    call_printer(body, "gridcell_print_text", leaves + STRING_DATA, 2);
    if (is_nested)
        print_text(body, "'");
}

// What printf takes for ">8.3f" or "5d", and the number as it takes it.
const char *print_printf_format(struct body *body, const char *spec,
        const struct type *type, const value *leaves, value *wide)
{
    struct span nowhere = SPAN_NONE;
    const struct type *to = type->kind == TYPE_FLOAT ? type_float64
                            : type->is_signed        ? type_int64
                                                     : type_uint64;
    cast_value(body, type, to, leaves, wide, nowhere);
    spec += *spec == '>';
    size_t len = strlen(spec);
    char letter = spec[len - 1] == 'd' && !type->is_signed ? 'u' : spec[len - 1];
    return arena_printf(&body->gen->arena, "%%%.*s%s%c", (int)len - 1, spec,
            type->kind == TYPE_FLOAT ? "" : "ll", letter);
}

static void print_formatted(
        struct body *body, const char *spec, const struct type *type, const value *leaves)
{
    value args[2];
    const char *format = print_printf_format(body, spec, type, leaves, &args[1]);
    args[0] = codegen_text(body->gen, format, strlen(format) + 1);
    call_printer(body,
            type->kind == TYPE_FLOAT ? "gridcell_print_formatted_float"
                                     : "gridcell_print_formatted_int",
            args, 2);
}

// An f-string on a device: its parts behind an Ellipsis.
bool print_is_parts(const struct codegen *gen, const struct type *type)
{
    return gen->target->kind != TARGET_HOST && type->kind == TYPE_TUPLE &&
           type->tuple.len && type->tuple.items[0]->kind == TYPE_ELLIPSIS;
}

static void print_parts(
        struct body *body, const struct type *type, const value *leaves, struct span span)
{
    for (size_t i = 1; i < type->tuple.len; i++) {
        const struct type *item = type->tuple.items[i];
        if (item->kind == TYPE_LITERAL) // the specification for the next one
            print_formatted(body, item->function, type->tuple.items[++i], leaves);
        else
            print_value(body, item, leaves, false, span);
        leaves += type_leaf_count(body->gen, type->tuple.items[i]);
    }
}

// The value inside, or None.
static void print_optional(struct body *body, const struct type *type,
        const value *leaves, bool is_nested, struct span span)
{
    LLVMBuilderRef builder = body->gen->builder;
    LLVMBasicBlockRef some = body_block(body, "some"), none = body_block(body, "none"),
                      end = body_block(body, "end");
    LLVMBuildCondBr(
            builder, leaves[type_leaf_count(body->gen, type->element)], some, none);
    LLVMPositionBuilderAtEnd(builder, some);
    print_value(body, type->element, leaves, is_nested, span);
    LLVMBuildBr(builder, end);
    LLVMPositionBuilderAtEnd(builder, none);
    print_text(body, "None");
    LLVMBuildBr(builder, end);
    LLVMPositionBuilderAtEnd(builder, end);
}

// An array as NumPy prints it, by the runtime.
static void print_array(
        struct body *body, const struct type *type, const value *leaves, bool is_nested)
{
    struct codegen *gen = body->gen;
    value slot = value_alloca(body, LLVMArrayType2(gen->i8, abi_size(type)), "array");
    LLVMSetAlignment(slot, 8);
    value_store(gen, type, slot, 0, leaves);
    value args[4] = {codegen_address(gen, type->element), slot,
            value_i32(gen, type->array.ndim), value_i32(gen, is_nested)};
    call_printer(body, "gridcell_print_array", args, 4);
}

// What str() or repr() says of a member; without a class of Python, as Python's Enum
// does.
static const char *member_text(
        struct codegen *gen, const struct type *type, size_t i, bool is_nested)
{
    const struct type_member *member = &type->enumeration.members[i];
    const char *text = is_nested ? member->told : member->shown;
    const char *class_name = strchr(type->name, '(') + 1;
    return text ? text
                : arena_printf(&gen->arena, is_nested ? "<%.*s.%s>" : "%.*s.%s",
                          (int)strlen(class_name) - 1, class_name, member->name);
}

// Whether members are shown as their numbers: those of an IntEnum.
static bool shows_numbers(struct codegen *gen, const struct type *type)
{
    bool are_numbers = type->enumeration.is_int;
    for (size_t i = 0; i < type->enumeration.len && are_numbers; i++) {
        char *end;
        strtoll(member_text(gen, type, i, false), &end, 10);
        are_numbers = !*end;
    }
    return are_numbers;
}

// What no single member is: several of a Flag, of which the class knows the text.
static void print_no_member(struct body *body, const struct type *type,
        const value *leaves, bool is_nested, struct span span)
{
    struct codegen *gen = body->gen;
    if (!type->enumeration.is_flag || gen->target->kind != TARGET_HOST) {
        print_value(body, type->element, leaves, is_nested, span);
        return;
    }
    value args[3] = {codegen_address(gen, type), NULL, value_i32(gen, is_nested)};
    cast_value(body, type->element, type_int64, leaves, &args[1], span);
    call_printer(body, "gridcell_print_member", args, 3);
}

// A member of an enum: "Color.RED", as an item "<Color.RED: 1>", or what its class makes
// of it.
static void print_member(struct body *body, const struct type *type, const value *leaves,
        bool is_nested, struct span span)
{
    struct codegen *gen = body->gen;
    if (!is_nested && shows_numbers(gen, type)) {
        print_value(body, type->element, leaves, false, span);
        return;
    }
    value data = LLVMConstNull(gen->ptr), len = value_i64(gen, 0);
    for (size_t i = 0; i < type->enumeration.len; i++) {
        struct constant constant = type_member_value(type, i);
        value *expected = value_row(gen, type_leaf_count(gen, type->element));
        value_constant(body, &constant, expected);
        value is_this =
                compare_values(body, COMPARE_EQ, type->element, leaves, expected, span);
        const char *text = member_text(gen, type, i, is_nested);
        data = value_select(gen, is_this, codegen_text(gen, text, strlen(text)), data);
        len = value_select(gen, is_this, value_i64(gen, (int64_t)strlen(text)), len);
    }
    LLVMBasicBlockRef known = body_block(body, "member"), end = body_block(body, "end"),
                      other = body_block(body, "number");
    LLVMBuildCondBr(gen->builder, LLVMBuildIsNull(gen->builder, data, ""), other, known);
    LLVMPositionBuilderAtEnd(gen->builder, other);
    print_no_member(body, type, leaves, is_nested, span);
    LLVMBuildBr(gen->builder, end);
    LLVMPositionBuilderAtEnd(gen->builder, known);
    value args[2] = {data, len};
    call_printer(body, "gridcell_print_text", args, 2);
    LLVMBuildBr(gen->builder, end);
    LLVMPositionBuilderAtEnd(gen->builder, end);
}

// range(start, stop), and its step where it is not 1.
static void print_range(
        struct body *body, const struct type *type, const value *leaves, struct span span)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef builder = gen->builder;
    LLVMBasicBlockRef step = body_block(body, "step"), end = body_block(body, "end");
    print_text(body, "range(");
    print_value(body, type->element, &leaves[0], false, span);
    print_text(body, ", ");
    print_value(body, type->element, &leaves[1], false, span);
    value one = LLVMConstInt(LLVMTypeOf(leaves[2]), 1, 0);
    LLVMBuildCondBr(
            builder, LLVMBuildICmp(builder, LLVMIntEQ, leaves[2], one, ""), end, step);
    LLVMPositionBuilderAtEnd(builder, step);
    print_text(body, ", ");
    print_value(body, type->element, &leaves[2], false, span);
    LLVMBuildBr(builder, end);
    LLVMPositionBuilderAtEnd(builder, end);
    print_text(body, ")");
}

static value load_pointer(struct body *body, value row, size_t offset)
{
    struct codegen *gen = body->gen;
    return LLVMBuildLoad2(gen->builder, gen->ptr, value_offset(gen, row, offset), "");
}

// The row that holds the items of a list, or the entries of a set or dict.
static value entries_of(
        struct body *body, const struct type *type, value row, const struct type **entry)
{
    *entry = type->element;
    if (type->kind == TYPE_LIST)
        return row;
    const struct type_field *field = type_cell_field(type, "_entries");
    *entry = field->type->element;
    value fields = load_pointer(body, row, offsetof(struct abi_row, memory.data));
    return load_pointer(body, fields, field->offset_bytes);
}

// One item: of sets and dicts (hash, key[, value]), removed where the hash is -1.
static void print_entry(struct body *body, const struct type *type,
        const struct type *entry, const value *leaves, value printed, struct span span)
{
    struct codegen *gen = body->gen;
    LLVMBasicBlockRef end = NULL;
    if (type->kind != TYPE_LIST) {
        LLVMBasicBlockRef there = body_block(body, "there");
        end = body_block(body, "next.entry");
        value is_removed =
                LLVMBuildICmp(gen->builder, LLVMIntEQ, leaves[0], value_i64(gen, -1), "");
        LLVMBuildCondBr(gen->builder, is_removed, end, there);
        LLVMPositionBuilderAtEnd(gen->builder, there);
    }
    call_printer(body, "gridcell_print_separator", &printed, 1);
    if (type->kind == TYPE_LIST) {
        print_value(body, entry, leaves, true, span);
        return;
    }
    bool is_view = type->kind == TYPE_DICT_VIEW;
    bool is_pair = is_view && type->bits == DICT_ITEMS;
    const struct type *const *parts = entry->tuple.items;
    print_text(body, is_pair ? "(" : "");
    if (!is_view || type->bits != DICT_VALUES)
        print_value(body, parts[1], leaves + 1, true, span);
    print_text(body, is_pair ? ", " : type->kind == TYPE_DICT ? ": " : "");
    if (type->kind == TYPE_DICT || (is_view && type->bits != DICT_KEYS))
        print_value(
                body, parts[2], leaves + 1 + type_leaf_count(gen, parts[1]), true, span);
    print_text(body, is_pair ? ")" : "");
    LLVMBuildBr(gen->builder, end);
    LLVMPositionBuilderAtEnd(gen->builder, end);
}

// What stands around the items.
static const char *const *container_brackets(const struct type *type)
{
    static const char *const of_list[] = {"[", "]"}, *const others[] = {"{", "}"};
    static const char *const of_views[][2] = {[DICT_KEYS] = {"dict_keys([", "])"},
            [DICT_VALUES] = {"dict_values([", "])"},
            [DICT_ITEMS] = {"dict_items([", "])"}};
    return type->kind == TYPE_LIST        ? of_list
           : type->kind == TYPE_DICT_VIEW ? of_views[type->bits]
                                          : others;
}

static void print_container(
        struct body *body, const struct type *type, const value *leaves, struct span span)
{
    struct codegen *gen = body->gen;
    const struct type *entry;
    value row = entries_of(
            body, type->kind == TYPE_DICT_VIEW ? type->element : type, leaves[0], &entry);
    value printed = value_alloca(body, gen->i64, "printed");
    LLVMBuildStore(gen->builder, value_i64(gen, 0), printed);
    print_text(body, container_brackets(type)[0]);
    struct counted_loop loop;
    value index = control_loop_open(body, row_length(body, row), &loop);
    value *item = value_row(gen, type_leaf_count(gen, entry));
    row_load(body, entry, row, index, item);
    print_entry(body, type, entry, item, printed, span);
    ownership_release(body, entry, item);
    control_loop_close(body, &loop);
    if (type->kind == TYPE_SET)
        call_printer(body, "gridcell_print_set_end", &printed, 1);
    else
        print_text(body, container_brackets(type)[1]);
}

static void print_tuple(
        struct body *body, const struct type *type, const value *leaves, struct span span)
{
    const char *const *names = type->kind == TYPE_TUPLE ? type->tuple.names : NULL;
    if (names)
        print_text(body,
                arena_strndup(&body->gen->arena, type->name, strcspn(type->name, "(")));
    print_text(body, "(");
    for (size_t i = 0; i < type->tuple.len; i++) {
        if (i)
            print_text(body, ", ");
        if (names) {
            print_text(body, names[i]);
            print_text(body, "=");
        }
        print_value(body, type->tuple.items[i], leaves, true, span);
        leaves += type_leaf_count(body->gen, type->tuple.items[i]);
    }
    print_text(body, type->tuple.len == 1 && !names ? ",)" : ")");
}

static void print_number(struct body *body, const struct type *type, const value *leaves)
{
    // what a real device prints: C's %f
    bool is_fixed = body->gen->target->kind == TARGET_EMULATOR;
    struct span nowhere = SPAN_NONE;
    value wide[2];
    switch (type->kind) {
    case TYPE_BOOL:
        wide[0] = LLVMBuildZExt(body->gen->builder, leaves[0], body->gen->i32, "");
        call_printer(body, "gridcell_print_bool", wide, 1);
        break;
    case TYPE_INT:
        cast_value(body, type, type->is_signed ? type_int64 : type_uint64, leaves, wide,
                nowhere);
        call_printer(body, type->is_signed ? "gridcell_print_int" : "gridcell_print_uint",
                wide, 1);
        break;
    case TYPE_FLOAT:
        if (type->bits < 64 && !is_fixed) {
            cast_value(body, type, type_float32, leaves, wide, nowhere);
            call_printer(body,
                    type->bits == 16 ? "gridcell_print_float16"
                                     : "gridcell_print_float32",
                    wide, 1);
            break;
        }
        cast_value(body, type, type_float64, leaves, wide, nowhere);
        call_printer(body, is_fixed ? "gridcell_print_fixed" : "gridcell_print_float64",
                wide, 1);
        break;
    default:
        cast_value(body, type, type_complex128, leaves, wide, nowhere);
        call_printer(body,
                is_fixed           ? "gridcell_print_fixed_complex"
                : type->bits == 64 ? "gridcell_print_complex64"
                                   : "gridcell_print_complex",
                wide, 2);
        break;
    }
}

static void print_time(
        struct body *body, const struct type *type, const value *leaves, bool is_nested)
{
    struct codegen *gen = body->gen;
    int flags = (type->time.is_delta ? 1 : 0) | (is_nested ? 2 : 0) |
                type->time.multiple << 2;
    const value args[] = {leaves[0],
            LLVMConstInt(gen->i32, (unsigned long long)type->time.unit, 0),
            LLVMConstInt(gen->i32, (unsigned long long)flags, 0)};
    call_printer(body, "gridcell_print_time", args, 3);
}

void print_value(struct body *body, const struct type *type, const value *leaves,
        bool is_nested, struct span span)
{
    if (type_is_number(type)) {
        print_number(body, type, leaves);
    } else if (type->kind == TYPE_TIME && body->gen->target->kind == TARGET_HOST) {
        print_time(body, type, leaves, is_nested);
    } else if (type->kind == TYPE_STRING) {
        if (type == type_bytes)
            call_printer(body, "gridcell_print_bytes", leaves + STRING_DATA, 2);
        else
            print_string(body, leaves, is_nested);
    } else if (print_is_parts(body->gen, type)) {
        print_parts(body, type, leaves, span);
    } else if (type->kind == TYPE_ARRAY && body->gen->target->kind == TARGET_HOST) {
        print_array(body, type, leaves, is_nested);
    } else if (type_is_container(type) || type->kind == TYPE_DICT_VIEW) {
        print_container(body, type, leaves, span);
    } else if (type->kind == TYPE_ENUM) {
        print_member(body, type, leaves, is_nested, span);
    } else if (type->kind == TYPE_OPTIONAL) {
        print_optional(body, type, leaves, is_nested, span);
    } else if (type->kind == TYPE_CAUGHT && body->gen->target->kind == TARGET_HOST) {
        exception_print(body, leaves, is_nested);
    } else if (type->kind == TYPE_NONE) {
        print_text(body, "None");
    } else if (type->kind == TYPE_ELLIPSIS) {
        print_text(body, "Ellipsis");
    } else if (type->kind == TYPE_RANGE) {
        print_range(body, type, leaves, span);
    } else if (type->kind == TYPE_TUPLE) {
        print_tuple(body, type, leaves, span);
    } else if (type->kind == TYPE_DIM3) {
        const struct type *axes[3] = {type_int32, type_int32, type_int32};
        print_tuple(body, type_tuple(axes, 3), leaves, span);
    } else {
        codegen_fail(body->gen, ERROR_UNSUPPORTED, span,
                "printing unimplemented for values of "
                "type %s",
                type->name);
    }
}
