// SPDX-License-Identifier: MIT
// Comparisons: ==, <, is, in and their kin.
#include "compiler/typing/rules/containers/container.h"
#include "compiler/types/datetime.h"
#include "compiler/types/object_class.h"
#include "compiler/typing/rules/text/text.h"

static const char *const compare_names[] = {
        "eq", "ne", "lt", "le", "gt", "ge", "is_", "is_not", "contains", "contains"};
static const char *const compare_ufuncs[] = {"numpy.equal", "numpy.not_equal",
        "numpy.less", "numpy.less_equal", "numpy.greater", "numpy.greater_equal"};

const char *compare_operator_name(const struct ir_instr *instr)
{
    return compare_names[instr->compare];
}

static bool is_instance(const struct rule *r, size_t i)
{
    return rule_arg_type(r, i)->kind == TYPE_INSTANCE;
}

static bool compare_constant(struct rule *r, bool truth)
{
    return rule_do_constant(r, (struct constant){.type = type_bool, .integer = truth});
}

static bool compare_common(struct rule *r, const struct type *type)
{
    return rule_compare_as(r, r->instr->compare, type);
}

static bool compare_identity(struct rule *r)
{
    const struct type *a = r->args[0]->type, *b = r->args[1]->type;
    if (a == type_none || b == type_none)
        return compare_common(r, a == type_none ? b : a); // an optional
    if (a->kind == TYPE_BOOL && b->kind == TYPE_BOOL)
        return compare_common(r, type_bool);
    // values of numbers, strings and tuples have no identity of their own
    enum ir_compare op = r->instr->compare == COMPARE_IS ? COMPARE_EQ : COMPARE_NE;
    const struct type *common = a == b ? a : NULL;
    bool is_value = common && (type_is_number(common) || common == type_string);
    if (is_value)
        return rule_compare_as(r, op, common);
    if (a->kind == TYPE_ARRAY && b->kind == TYPE_ARRAY && a->element == b->element &&
            a->array.ndim == b->array.ndim)
        return rule_library(r, "shapes.is_same") && (op == COMPARE_EQ || rule_negate(r));
    bool can_be_none = a->kind == TYPE_OPTIONAL || b->kind == TYPE_OPTIONAL;
    if (!can_be_none && rule_value_type(a) != rule_value_type(b))
        return compare_constant(r, r->instr->compare == COMPARE_IS_NOT);
    return rule_no_match(r, "'is' compares with None, or two values of one type: "
                            "numbers, strings, objects; use == for others.");
}

static bool compare_membership(struct rule *r)
{
    const struct type *item = rule_arg_type(r, 0), *container = r->args[1]->type;
    if (rule_value_type(container) == type_string)
        return rule_text_contains(r);
    if (rule_value_type(container) == type_bytes)
        return rule_bytes_contains(r);
    const struct type *keys = rule_mixed_dict_keys(container);
    struct ir_instr *in_keys[] = {r->args[0], NULL};
    if (keys) {
        in_keys[1] = r->is_emitting ? rule_mixed_dict_emit_keys(r, container)
                                    : rule_stand_in(r, keys);
        r->args = in_keys;
        container = keys;
    }
    if (container->kind == TYPE_ARRAY) {
        struct ir_instr *swapped[] = {r->args[1], r->args[0]};
        r->args = swapped;
        return rule_library(r, "views.contains") &&
               (r->instr->compare == COMPARE_IN || rule_negate(r));
    }
    if (container->kind == TYPE_RANGE && type_is_number(item)) {
        struct ir_instr *swapped[] = {r->args[1], r->args[0]};
        r->args = swapped;
        return rule_library(r, "iteration.range_contains") &&
               (r->instr->compare == COMPARE_IN || rule_negate(r));
    }
    if (container->kind != TYPE_TUPLE)
        return rule_no_match(r, "'in' looks in arrays, tuples, strings and containers.");
    r->type = type_bool;
    if (!r->is_emitting)
        return true;
    struct ir_instr *found = NULL;
    for (size_t i = 0; i < container->tuple.len; i++) {
        const struct type *common = type_unify(item, container->tuple.items[i]);
        if (!common) // never equal
            continue;
        struct ir_instr *value = rule_tuple_get(r, r->args[1], i);
        struct ir_instr *equal = rule_compare_op(r, COMPARE_EQ,
                rule_cast(r, r->args[0], common), rule_cast(r, value, common));
        found = found ? rule_binary_op(r, BINARY_OR, type_bool, found, equal) : equal;
    }
    if (!found)
        found = rule_int(r, type_bool, 0);
    r->value = r->instr->compare == COMPARE_IN ? found : rule_not_op(r, found);
    return true;
}

// Members of one enum compare by their values; nothing else is equal to them.
static bool compare_members(struct rule *r, enum ir_compare op)
{
    const struct type *a = r->args[0]->type, *b = r->args[1]->type;
    bool is_equality = op <= COMPARE_NE || op == COMPARE_IS || op == COMPARE_IS_NOT;
    if (!is_equality)
        return rule_no_match(r, "Members of an Enum have no order.");
    if (a == b)
        return rule_compare_as(r,
                op == COMPARE_IS       ? COMPARE_EQ
                : op == COMPARE_IS_NOT ? COMPARE_NE
                                       : op,
                a);
    return compare_constant(r, op == COMPARE_NE || op == COMPARE_IS_NOT);
}

static bool is_plain_member(const struct type *type)
{
    return type->kind == TYPE_ENUM && !type->enumeration.is_int;
}

// Whether it is left to compare_members.
static bool concerns_members(const struct rule *r, enum ir_compare op)
{
    const struct type *a = r->args[0]->type, *b = r->args[1]->type;
    bool is_identity = op == COMPARE_IS || op == COMPARE_IS_NOT;
    if (op == COMPARE_IN || op == COMPARE_NOT_IN || a->kind == TYPE_OPTIONAL ||
            b->kind == TYPE_OPTIONAL)
        return false;
    return is_plain_member(a) || is_plain_member(b) ||
           (is_identity && (a->kind == TYPE_ENUM || b->kind == TYPE_ENUM));
}

// Tuples of different lengths: their common part decides, else the shorter is less.
static bool compare_lengths(
        struct rule *r, enum ir_compare op, const struct type *a, const struct type *b)
{
    size_t len = a->tuple.len < b->tuple.len ? a->tuple.len : b->tuple.len;
    const struct type *left = type_tuple(a->tuple.items, len),
                      *right = type_tuple(b->tuple.items, len);
    const struct type *common =
            a->tuple.len != b->tuple.len ? type_unify(left, right) : NULL;
    if (!common)
        return rule_no_match(r, "The items of the tuples have no order.");
    r->type = type_bool;
    if (!r->is_emitting)
        return true;
    struct ir_instr *parts[2];
    for (size_t k = 0; k < 2; k++) {
        struct ir_instr **items =
                arena_array(&r->in->function->arena, struct ir_instr *, len + 1);
        for (size_t i = 0; i < len; i++)
            items[i] = rule_tuple_get(r, r->args[k], i);
        parts[k] = rule_cast(r, rule_tuple(r, items, len), common);
    }
    bool is_shorter_true =
            (op == COMPARE_LT || op == COMPARE_LE) == (a->tuple.len < b->tuple.len);
    enum ir_compare strict =
            op == COMPARE_LT || op == COMPARE_LE ? COMPARE_LT : COMPARE_GT;
    enum ir_compare loose = strict == COMPARE_LT ? COMPARE_LE : COMPARE_GE;
    r->value = rule_compare_op(r, is_shorter_true ? loose : strict, parts[0], parts[1]);
    return true;
}

static bool compares_container(const struct rule *r)
{
    enum ir_compare op = r->instr->compare;
    const struct type *a = r->args[0]->type, *b = r->args[1]->type;
    if (op == COMPARE_IN || op == COMPARE_NOT_IN)
        return type_is_container(rule_value_type(b));
    return a != type_none && b != type_none &&
           (type_is_container(rule_value_type(a)) ||
                   type_is_container(rule_value_type(b)));
}

static bool compares_instance(const struct rule *r)
{
    enum ir_compare op = r->instr->compare;
    if (op == COMPARE_IN || op == COMPARE_NOT_IN)
        return is_instance(r, 1);
    return r->args[0]->type != type_none && r->args[1]->type != type_none &&
           (is_instance(r, 0) || is_instance(r, 1));
}

// Records are equal where their fields are.
static bool compare_records(
        struct rule *r, enum ir_compare op, const struct type *a, const struct type *b)
{
    if (op != COMPARE_EQ && op != COMPARE_NE)
        return rule_no_match(r, "Records have no order.");
    if (a->array.ndim || b->array.ndim)
        return rule_compare_texts(r, op);
    const struct type *left = rule_record_tuple_type(a),
                      *right = rule_record_tuple_type(b);
    const struct type *common = left && right ? type_unify(left, right) : NULL;
    if (!common)
        return rule_no_match(
                r, "Records compare whose fields do, none of them an array.");
    r->type = type_bool;
    if (r->is_emitting) {
        struct ir_instr *x = rule_record_tuple(r, rule_cast(r, r->args[0], a));
        struct ir_instr *y = rule_record_tuple(r, rule_cast(r, r->args[1], b));
        r->value =
                rule_compare_op(r, op, rule_cast(r, x, common), rule_cast(r, y, common));
    }
    return true;
}

static bool is_plain_value(const struct type *type)
{
    return type_is_number(type) || type->kind == TYPE_STRING || type->kind == TYPE_TIME ||
           type->kind == TYPE_TUPLE;
}

bool rule_compare(struct rule *r)
{
    enum ir_compare op = r->instr->compare;
    bool truth;
    r->name = compare_names[op];
    if (infer_known_truth(r->instr, &truth))
        return compare_constant(r, truth);
    if (concerns_members(r, op))
        return compare_members(r, op);
    if (compares_instance(r))
        return rule_instance_compare(r);
    if (compares_container(r))
        return rule_container_compare(r);
    if (op == COMPARE_IS || op == COMPARE_IS_NOT)
        return compare_identity(r);
    if (op == COMPARE_IN || op == COMPARE_NOT_IN)
        return compare_membership(r);
    const struct type *a = rule_arg_type(r, 0), *b = rule_arg_type(r, 1);
    if (op <= COMPARE_NE && ((a->kind == TYPE_ARRAY && b == type_none) ||
                                    (a == type_none && b->kind == TYPE_ARRAY)))
        return compare_constant(r, op == COMPARE_NE);
    if (rule_is_text_array(a) || rule_is_text_array(b))
        return rule_compare_texts(r, op);
    if (rule_is_record_array(a) && rule_is_record_array(b))
        return compare_records(r, op, a, b);
    if (a->kind == TYPE_ARRAY || b->kind == TYPE_ARRAY)
        return rule_elementwise(r, compare_ufuncs[op]);
    if (type_is_number(a) && type_is_number(b))
        return rule_compare_numbers(r, op, a, b);
    if (rule_has_bfloat(r) && type_is_item(a) && type_is_item(b))
        return rule_bfloat_compare(r, op);
    if (a->kind == TYPE_STRING && a == b)
        return compare_common(r, a);
    if (rule_has_time(r) && (a->kind == TYPE_TIME || type_is_integer(a)) &&
            (b->kind == TYPE_TIME || type_is_integer(b)))
        return rule_time_compare(r, op);
    bool is_equality = op == COMPARE_EQ || op == COMPARE_NE;
    if (r->args[0]->type->kind == TYPE_OPTIONAL && b == type_none)
        return is_equality ? compare_common(r, r->args[0]->type)
                           : rule_no_match(r, "None has no order.");
    if (is_equality && (a == type_none || b == type_none))
        return compare_constant(r, (a == b) == (op == COMPARE_EQ));
    if (is_equality && (a->kind == TYPE_RANGE || a->kind == TYPE_SLICE) &&
            a->kind == b->kind)
        return rule_library(r, a->kind == TYPE_RANGE ? "iteration.ranges_equal"
                                                     : "iteration.slices_equal") &&
               (op == COMPARE_EQ || rule_negate(r));
    if (a->kind == TYPE_TUPLE && b->kind == TYPE_TUPLE) {
        if (a->tuple.len != b->tuple.len && is_equality)
            return compare_constant(r, op == COMPARE_NE);
        const struct type *common = type_unify(a, b);
        if (common)
            return compare_common(r, common);
        if (is_equality)
            return compare_constant(r, op == COMPARE_NE);
        return compare_lengths(r, op, a, b);
    }
    if (is_equality && is_plain_value(a) && is_plain_value(b)) // never equal
        return compare_constant(r, op == COMPARE_NE);
    return rule_no_match(r,
            "Numbers compare with numbers, tuples with tuples, strings with "
            "strings.");
}
