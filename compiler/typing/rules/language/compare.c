// SPDX-License-Identifier: MIT
// Comparisons: ==, <, is, in and their kin.
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

static const char *const compare_names[] = {
        "eq", "ne", "lt", "le", "gt", "ge", "is_", "is_not", "contains", "contains"};
static const char *const compare_ufuncs[] = {"numpy.equal", "numpy.not_equal",
        "numpy.less", "numpy.less_equal", "numpy.greater", "numpy.greater_equal"};

const char *compare_operator_name(const struct ir_instr *instr)
{
    return compare_names[instr->compare];
}

static bool compare_constant(struct rule *r, bool truth)
{
    return rule_do_constant(r, (struct constant){.type = type_bool, .integer = truth});
}

static bool compare_common(struct rule *r, const struct type *type)
{
    return rule_compare_as(r, r->instr->compare, type);
}

// One comparison, as the rows below see it.
struct comparison {
    enum ir_compare op;
    bool is_equality, is_identity, is_membership; // == !=, is, in; and their negations
    const struct type *left, *right;              // as they are
    const struct type *a, *b;                     // without the optional around them
    bool truth;                                   // of the first row: what is known
};

// The tuple of what a value of an extension type is made of.
static struct ir_instr *members_of(
        struct rule *r, struct ir_instr *value, const struct type *type)
{
    size_t len = type->tuple.len;
    if (!r->is_emitting)
        return rule_stand_in(r, type_tuple(type->tuple.items, len));
    struct ir_instr **items =
            arena_array(&r->in->function->arena, struct ir_instr *, len + 1);
    for (size_t i = 0; i < len; i++)
        items[i] = rule_tuple_get(r, value, i);
    return rule_tuple(r, items, len);
}

// Such values are the same where all that they are made of is.
static bool compare_parts(struct rule *r, const struct type *type, bool is_same)
{
    struct ir_instr *members[2];
    if (type->kind == TYPE_EXTENSION) {
        for (size_t k = 0; k < 2; k++)
            members[k] = members_of(r, r->args[k], type);
        r->args = members;
    }
    return rule_library(r, "operators.tuple_is") && (is_same || rule_negate(r));
}

static bool compare_ranges(struct rule *r, enum ir_compare op, const struct type *type)
{
    return rule_library(r, type->kind == TYPE_RANGE ? "iteration.ranges_equal"
                                                    : "iteration.slices_equal") &&
           (op == COMPARE_EQ || rule_negate(r));
}

static bool compare_identity(struct rule *r, const struct comparison *c)
{
    const struct type *a = r->args[0]->type, *b = r->args[1]->type;
    if (a == type_none || b == type_none)
        return compare_common(r, a == type_none ? b : a); // an optional
    if (a->kind == TYPE_BOOL && b->kind == TYPE_BOOL)
        return compare_common(r, type_bool);
    // values of numbers, strings, tuples and their like have no identity of their own
    enum ir_compare op = r->instr->compare == COMPARE_IS ? COMPARE_EQ : COMPARE_NE;
    const struct type *common = a == b ? a : NULL;
    bool is_value =
            common && (type_is_number(common) || common->kind == TYPE_STRING ||
                              common->kind == TYPE_TIME || common->kind == TYPE_POINTER);
    if (is_value)
        return rule_compare_as(r, op, common);
    if (common && (common->kind == TYPE_ELLIPSIS || type_is_known_function(common)))
        return compare_constant(r, op == COMPARE_EQ);
    if (common && (common->kind == TYPE_RANGE || common->kind == TYPE_SLICE))
        return compare_ranges(r, op, common);
    if (common && (common->kind == TYPE_TUPLE ||
                          (common->kind == TYPE_EXTENSION && common->tuple.names)))
        return compare_parts(r, common, op == COMPARE_EQ);
    if (a->kind == TYPE_ARRAY && b->kind == TYPE_ARRAY && a->element == b->element &&
            a->array.ndim == b->array.ndim)
        return rule_library(r, "strides.is_same") && (op == COMPARE_EQ || rule_negate(r));
    bool can_be_none = a->kind == TYPE_OPTIONAL || b->kind == TYPE_OPTIONAL;
    if (!can_be_none && rule_value_type(a) != rule_value_type(b))
        return compare_constant(r, r->instr->compare == COMPARE_IS_NOT);
    return rule_no_match(r, "'is' compares with None, or two values of one type: "
                            "numbers, strings, tuples, objects; use == for others.");
}

// Whether code generation compares such values: it knows nothing of what others hold, nor
// how those of types that programs add compare.
static bool is_plain(const struct type *type, bool has_order)
{
    switch (type->kind) {
    case TYPE_BOOL:
    case TYPE_INT:
    case TYPE_FLOAT:
    case TYPE_TIME:
    case TYPE_STRING:
        return true;
    case TYPE_ENUM:
        return !has_order || type->enumeration.is_int;
    case TYPE_OPTIONAL:
        return !has_order && is_plain(type->element, false);
    case TYPE_TUPLE:
        for (size_t i = 0; i < type->tuple.len; i++)
            if (!is_plain(type->tuple.items[i], has_order))
                return false;
        return true;
    default:
        return !has_order && type->kind != TYPE_ARRAY && type->kind != TYPE_BFLOAT &&
               type->kind != TYPE_RANGE && type->kind != TYPE_SLICE &&
               type->kind != TYPE_DICT_VIEW && type->kind != TYPE_EXTENSION &&
               !type_is_object(type);
    }
}

// By what compares their items, one after another.
static bool compare_by_items(struct rule *r, enum ir_compare op)
{
    const char *name = compare_names[op == COMPARE_NE ? COMPARE_EQ : op];
    struct arena *arena = &r->in->function->arena;
    return rule_library(r, arena_printf(arena, "operators.tuple_%s", name)) &&
           (op != COMPARE_NE || rule_negate(r));
}

static bool compare_membership(struct rule *r, const struct comparison *c)
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
    if (rule_is_flag(rule_value_type(container)))
        return rule_flag_contains(r);
    if (container->kind != TYPE_TUPLE)
        return rule_no_match(r, "'in' looks in arrays, tuples, strings and containers.");
    if (!is_plain(container, false) || !is_plain(item, false)) {
        struct ir_instr *swapped[] = {r->args[1], r->args[0]};
        r->args = swapped;
        return rule_library(r, "operators.tuple_contains") &&
               (r->instr->compare == COMPARE_IN || rule_negate(r));
    }
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
static bool compare_members(struct rule *r, const struct comparison *c)
{
    enum ir_compare op = c->op;
    const struct type *a = c->left, *b = c->right;
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

// Records are equal where their fields are.
static bool compare_records(struct rule *r, const struct comparison *c)
{
    enum ir_compare op = c->op;
    const struct type *a = c->a, *b = c->b;
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

// --- What the operands are, and what compares them

static bool is_known(const struct rule *r, struct comparison *c)
{
    return infer_known_truth(r->instr, &c->truth);
}

static bool compare_known(struct rule *r, const struct comparison *c)
{
    return compare_constant(r, c->truth);
}

static bool has_members(const struct rule *r, struct comparison *c)
{
    if (c->is_membership || c->left->kind == TYPE_OPTIONAL ||
            c->right->kind == TYPE_OPTIONAL)
        return false;
    return is_plain_member(c->left) || is_plain_member(c->right) ||
           (c->is_identity &&
                   (c->left->kind == TYPE_ENUM || c->right->kind == TYPE_ENUM));
}

// Whether such a value decides the comparison: the one that is looked in, or one of two
// of which none is None.
static bool decides(const struct comparison *c, bool is_left_so, bool is_right_so)
{
    if (c->is_membership)
        return is_right_so;
    return c->left != type_none && c->right != type_none && (is_left_so || is_right_so);
}

static bool has_object(const struct rule *r, struct comparison *c)
{
    return decides(c, c->a->kind == TYPE_INSTANCE, c->b->kind == TYPE_INSTANCE);
}

static bool compare_objects(struct rule *r, const struct comparison *c)
{
    return rule_instance_compare(r);
}

static bool has_container(const struct rule *r, struct comparison *c)
{
    return decides(c, type_is_container(c->a), type_is_container(c->b));
}

static bool compare_containers(struct rule *r, const struct comparison *c)
{
    return rule_container_compare(r);
}

static bool has_view(const struct rule *r, struct comparison *c)
{
    return decides(c, c->a->kind == TYPE_DICT_VIEW, c->b->kind == TYPE_DICT_VIEW);
}

static bool compare_views(struct rule *r, const struct comparison *c)
{
    return rule_dict_view_compare(r);
}

static bool is_identity(const struct rule *r, struct comparison *c)
{
    return c->is_identity;
}

static bool is_membership(const struct rule *r, struct comparison *c)
{
    return c->is_membership;
}

static bool has_array(const struct rule *r, struct comparison *c)
{
    return c->a->kind == TYPE_ARRAY || c->b->kind == TYPE_ARRAY;
}

static bool is_array_and_none(const struct rule *r, struct comparison *c)
{
    return c->is_equality && has_array(r, c) && (c->a == type_none || c->b == type_none);
}

static bool are_unequal(struct rule *r, const struct comparison *c)
{
    return compare_constant(r, c->op == COMPARE_NE);
}

static bool has_text_array(const struct rule *r, struct comparison *c)
{
    return rule_is_text_array(c->a) || rule_is_text_array(c->b);
}

static bool compare_text_arrays(struct rule *r, const struct comparison *c)
{
    return rule_compare_texts(r, c->op);
}

static bool are_records(const struct rule *r, struct comparison *c)
{
    return rule_is_record_array(c->a) && rule_is_record_array(c->b);
}

static bool compare_items(struct rule *r, const struct comparison *c)
{
    return rule_elementwise(r, compare_ufuncs[c->op]);
}

static bool are_numbers(const struct rule *r, struct comparison *c)
{
    return type_is_number(c->a) && type_is_number(c->b);
}

static bool compare_numbers(struct rule *r, const struct comparison *c)
{
    return rule_compare_numbers(r, c->op, c->a, c->b);
}

static bool have_bfloat(const struct rule *r, struct comparison *c)
{
    return rule_has_bfloat(r) && type_is_item(c->a) && type_is_item(c->b);
}

static bool compare_bfloats(struct rule *r, const struct comparison *c)
{
    return rule_bfloat_compare(r, c->op);
}

// A literal argument of a library function is a string, too.
static const struct type *string_type(const struct type *type)
{
    return type->kind == TYPE_LITERAL && type->element == type_string ? type_string
                                                                      : type;
}

static bool are_strings(const struct rule *r, struct comparison *c)
{
    const struct type *type = string_type(c->a);
    return type->kind == TYPE_STRING && type == string_type(c->b);
}

static bool compare_strings(struct rule *r, const struct comparison *c)
{
    return compare_common(r, string_type(c->a));
}

static bool is_time_or_count(const struct type *type)
{
    return type->kind == TYPE_TIME || type_is_integer(type);
}

static bool are_times(const struct rule *r, struct comparison *c)
{
    return rule_has_time(r) && is_time_or_count(c->a) && is_time_or_count(c->b);
}

static bool compare_times(struct rule *r, const struct comparison *c)
{
    return rule_time_compare(r, c->op);
}

static bool is_optional_and_none(const struct rule *r, struct comparison *c)
{
    return c->left->kind == TYPE_OPTIONAL && c->b == type_none;
}

static bool compare_optional(struct rule *r, const struct comparison *c)
{
    return c->is_equality ? compare_common(r, c->left)
                          : rule_no_match(r, "None has no order.");
}

// One of two plain values of one family can be None, which equals None alone.
static bool may_be_none(const struct rule *r, struct comparison *c)
{
    bool is_optional = c->left->kind == TYPE_OPTIONAL || c->right->kind == TYPE_OPTIONAL;
    bool is_alike = c->a->kind == c->b->kind && c->a->is_signed == c->b->is_signed;
    bool is_value =
            type_is_number(c->a) || c->a == type_string || c->a->kind == TYPE_TIME;
    return c->is_equality && is_optional && is_alike && is_value &&
           type_unify(c->left, c->right);
}

static bool compare_if_any(struct rule *r, const struct comparison *c)
{
    return compare_common(r, type_unify(c->left, c->right));
}

static bool equals_none(const struct rule *r, struct comparison *c)
{
    return c->is_equality && (c->a == type_none || c->b == type_none);
}

static bool compare_none(struct rule *r, const struct comparison *c)
{
    return compare_constant(r, (c->a == c->b) == (c->op == COMPARE_EQ));
}

static bool equals_range(const struct rule *r, struct comparison *c)
{
    return c->is_equality && c->a->kind == c->b->kind &&
           (c->a->kind == TYPE_RANGE || c->a->kind == TYPE_SLICE);
}

static bool compare_equal_ranges(struct rule *r, const struct comparison *c)
{
    return compare_ranges(r, c->op, c->a);
}

static bool are_tuples(const struct rule *r, struct comparison *c)
{
    return c->a->kind == TYPE_TUPLE && c->b->kind == TYPE_TUPLE;
}

static bool compare_tuples(struct rule *r, const struct comparison *c)
{
    if (c->a->tuple.len != c->b->tuple.len && c->is_equality)
        return are_unequal(r, c);
    if (!is_plain(c->a, !c->is_equality) || !is_plain(c->b, !c->is_equality))
        return compare_by_items(r, c->op);
    const struct type *common = type_unify(c->a, c->b);
    if (common)
        return compare_common(r, common);
    return c->is_equality ? are_unequal(r, c) : compare_lengths(r, c->op, c->a, c->b);
}

static bool is_plain_value(const struct type *type)
{
    return type_is_number(type) || type->kind == TYPE_STRING || type->kind == TYPE_TIME ||
           type->kind == TYPE_TUPLE || type->kind == TYPE_RANGE ||
           type->kind == TYPE_SLICE;
}

static bool equal_others(const struct rule *r, struct comparison *c)
{
    return c->is_equality && is_plain_value(c->a) && is_plain_value(c->b);
}

// The first row that is for the operands compares them.
static const struct {
    const char *values; // for the error: what compares with its like; NULL: not told
    bool (*is_for)(const struct rule *r, struct comparison *c);
    bool (*apply)(struct rule *r, const struct comparison *c);
} rows[] = {
        // What types and literals tell comes before all: code behind it is not compiled.
        {NULL, is_known, compare_known},
        // These mind `is` and `in` in ways of their own, and so come before the rows for
        // those. Members come before objects and containers: they equal nothing else. An
        // object asks its class's methods, also about a container beside it.
        {NULL, has_members, compare_members},
        {NULL, has_object, compare_objects},
        {NULL, has_view, compare_views}, // also with sets
        {NULL, has_container, compare_containers},
        // Below these two the operator is one of ==, !=, <, <=, > and >=.
        {NULL, is_identity, compare_identity},
        {NULL, is_membership, compare_membership},
        // Arrays, before scalars: an array beside a number compares item by item. None
        // equals no array as a whole; items that are texts or records have no ufuncs.
        {NULL, is_array_and_none, are_unequal},
        {NULL, has_text_array, compare_text_arrays},
        {NULL, are_records, compare_records},
        {NULL, has_array, compare_items},
        {NULL, may_be_none, compare_if_any},
        // Scalars of one family. Numbers come before bfloat16, which takes them along;
        // dates take integers along, so that they come behind numbers, too.
        {"numbers", are_numbers, compare_numbers},
        {NULL, have_bfloat, compare_bfloats},
        {"strings", are_strings, compare_strings},
        {"dates and spans of time", are_times, compare_times},
        // None: an optional is asked whether it is None before a type is told to be.
        {NULL, is_optional_and_none, compare_optional},
        {NULL, equals_none, compare_none},
        {"ranges and slices (for equality)", equals_range, compare_equal_ranges},
        {"tuples", are_tuples, compare_tuples},
        // Last: plain values that no row above compares are never equal.
        {NULL, equal_others, are_unequal},
};

static bool refuse(struct rule *r)
{
    struct str help = {0};
    str_append(&help, "These compare with their like: ");
    const char *separator = "";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!rows[i].values)
            continue;
        str_printf(&help, "%s%s", separator, rows[i].values);
        separator = ", ";
    }
    str_append(&help, ".");
    rule_no_match(r, str_text(&help));
    str_finish(&help);
    return false;
}

bool rule_compare(struct rule *r)
{
    enum ir_compare op = r->instr->compare;
    assert(r->arg_count == 2); // lowering splits a < b < c
    struct comparison c = {.op = op,
            .is_equality = op == COMPARE_EQ || op == COMPARE_NE,
            .is_identity = op == COMPARE_IS || op == COMPARE_IS_NOT,
            .is_membership = op == COMPARE_IN || op == COMPARE_NOT_IN,
            .left = r->args[0]->type,
            .right = r->args[1]->type,
            .a = rule_arg_type(r, 0),
            .b = rule_arg_type(r, 1)};
    r->name = compare_names[op];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].is_for(r, &c))
            return rows[i].apply(r, &c);
    return refuse(r);
}
