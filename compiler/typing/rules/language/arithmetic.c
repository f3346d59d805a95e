// SPDX-License-Identifier: MIT
// Arithmetic operators on values of any type: which room computes them.
#include <assert.h>

#include "compiler/types/datetime.h"
#include "compiler/types/object_class.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/arrays/arrays.h"
#include "compiler/typing/rules/containers/container.h"
#include "compiler/typing/rules/containers/objects.h"
#include "compiler/typing/rules/language/language.h"
#include "compiler/typing/rules/numbers/numbers.h"
#include "compiler/typing/rules/text/text.h"

static const char *const binary_ufuncs[] = {"numpy.add", "numpy.subtract",
        "numpy.multiply", "numpy.divide", "numpy.floor_divide", "numpy.remainder",
        "numpy.power", "numpy.left_shift", "numpy.right_shift", "numpy.bitwise_and",
        "numpy.bitwise_or", "numpy.bitwise_xor"};

static const char *const unary_ufuncs[] = {
        "numpy.negative", "numpy.positive", "numpy.invert"};

static bool has_array(const struct type *a, const struct type *b)
{
    return a->kind == TYPE_ARRAY || b->kind == TYPE_ARRAY;
}

static bool update_on_device(struct rule *r, enum ir_binary op, const struct type *array)
{
    r->out = r->args[0];
    bool done = rule_elementwise(r, binary_ufuncs[op]);
    if (done && r->type)
        r->type = array;
    return done;
}

// a += b: the array itself is changed
static bool update_array(struct rule *r, enum ir_binary op, const struct type *array)
{
    assert(r->instr->op == IR_INPLACE && array->kind == TYPE_ARRAY);
    if (array->array.is_readonly)
        return rule_fail(
                r, ERROR_TYPING, "Cannot modify readonly array of type: %s", array->name);
    if (r->in->target != TARGET_HOST)
        return update_on_device(r, op, array);
    if (!rule_elementwise(r, binary_ufuncs[op]) || !r->type)
        return r->in->err->kind == ERROR_NONE;
    if (r->type->kind != TYPE_ARRAY || r->type->array.ndim > array->array.ndim ||
            !arith_can_hold(array->element, r->type->element))
        return rule_no_match(r, "The result does not fit into the array.");
    r->type = array;
    if (!r->is_emitting)
        return true;
    struct ir_instr *operands[] = {rule_cast(r, r->args[0], array), r->value};
    if (r->value) // a new array: else it is done
        rule_primitive(r, PRIMITIVE_ARRAY_COPY_INTO, type_none, operands, 2);
    r->value = operands[0];
    return true;
}

// a @= b: the product is put into the array
static bool put_product(struct rule *r, const struct type *array)
{
    assert(r->instr->op == IR_INPLACE && array->kind == TYPE_ARRAY);
    if (array->array.is_readonly)
        return rule_fail(
                r, ERROR_TYPING, "Cannot modify readonly array of type: %s", array->name);
    if (r->type && r->type->kind != TYPE_ARRAY)
        return rule_no_match(r,
                "'@=' changes the array, which the product of two rows, a "
                "number, cannot: a = a @ b makes a number of it.");
    r->out = r->args[0];
    return rule_put_out(r);
}

bool rule_note_strided(struct rule *r, const char *what)
{
    const struct type *a = rule_arg_type(r, 0), *b = rule_arg_type(r, 1);
    bool is_fast = a->kind == TYPE_ARRAY && b->kind == TYPE_ARRAY &&
                   (a->element->kind == TYPE_FLOAT || a->element->kind == TYPE_COMPLEX);
    if (!r->is_emitting || r->in->target != TARGET_HOST || !is_fast ||
            r->in->source->options.is_library ||
            (a->array.layout != LAYOUT_A && b->array.layout != LAYOUT_A))
        return true;
    struct arena *arena = &r->in->function->arena;
    struct ir_slow_note **end = &r->in->function->slow_notes;
    while (*end)
        end = &(*end)->next;
    *end = arena_new(arena, struct ir_slow_note);
    **end = (struct ir_slow_note){r->instr->span.line,
            arena_printf(arena, "%s is faster on contiguous arrays, called on (%s, %s)",
                    what, a->name, b->name),
            NULL};
    return true;
}

bool rule_arith(struct rule *r, enum ir_binary op)
{
    const struct type *a = rule_arg_type(r, 0), *b = rule_arg_type(r, 1);
    bool is_update = a->kind == TYPE_ARRAY && r->instr->op == IR_INPLACE;
    if (op == BINARY_ADD && a->kind == TYPE_TUPLE && b->kind == TYPE_TUPLE)
        return rule_tuple_add(r);
    if (op == BINARY_MUL && (a->kind == TYPE_TUPLE || b->kind == TYPE_TUPLE))
        return rule_tuple_repeat(r);
    if (a == type_string && op == BINARY_MOD)
        return rule_text_percent(r);
    if (a == type_string || b == type_string)
        return rule_text_binary(r, op);
    if (a == type_bytes || b == type_bytes)
        return rule_bytes_binary(r, op);
    if (is_update && op != BINARY_MATMUL)
        return update_array(r, op, a);
    if (has_array(a, b) && op != BINARY_MATMUL)
        return rule_elementwise(r, binary_ufuncs[op]);
    if (has_array(a, b))
        return rule_note_strided(r, "'@'") && rule_library(r, "products.matmul") &&
               (!is_update || put_product(r, a));
    if (rule_has_time(r))
        return rule_time_binary(r, op);
    if (rule_has_bfloat(r))
        return rule_bfloat_binary(r, op);
    return rule_number_binary(r, op);
}

static bool is_instance(const struct rule *r, size_t i)
{
    return rule_arg_type(r, i)->kind == TYPE_INSTANCE;
}

static bool is_view(const struct rule *r, size_t i)
{
    return rule_arg_type(r, i)->kind == TYPE_DICT_VIEW;
}

bool rule_binary(struct rule *r)
{
    enum ir_binary op = r->instr->binary;
    r->name = arith_operator_name(r->instr);
    if (is_instance(r, 0) || is_instance(r, 1))
        return rule_instance_binary(r, op, r->instr->op == IR_INPLACE);
    if (rule_is_flag(rule_arg_type(r, 0)))
        return rule_flag_binary(r, op);
    bool extends = r->instr->op == IR_INPLACE && op == BINARY_ADD &&
                   rule_arg_type(r, 0)->kind == TYPE_LIST;
    if (!extends && (is_view(r, 0) || is_view(r, 1)))
        return rule_dict_view_binary(r, op);
    if (rule_arg_type(r, 0) != type_string &&
            (type_is_container(rule_arg_type(r, 0)) ||
                    type_is_container(rule_arg_type(r, 1))))
        return rule_container_binary(r, op, r->instr->op == IR_INPLACE);
    return rule_arith(r, op);
}

bool rule_unary(struct rule *r)
{
    enum ir_unary op = r->instr->unary;
    r->name = arith_operator_name(r->instr);
    if (op == UNARY_NOT)
        return rule_not(r);
    if (is_instance(r, 0))
        return rule_instance_operation(r, op == UNARY_NEGATIVE   ? "__neg__"
                                          : op == UNARY_POSITIVE ? "__pos__"
                                                                 : "__invert__");
    const struct type *type = rule_arg_type(r, 0);
    if (rule_is_flag(type))
        return rule_flag_unary(r, op);
    if (type->kind == TYPE_ARRAY)
        return rule_elementwise(r, unary_ufuncs[op]);
    if (type->kind == TYPE_TIME)
        return rule_time_unary(r, op);
    if (type->kind == TYPE_BFLOAT)
        return rule_bfloat_unary(r);
    return rule_number_unary(r);
}
