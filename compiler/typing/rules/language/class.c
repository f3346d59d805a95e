// SPDX-License-Identifier: MIT
// Calling a type: casts such as int32(x), float(x), np.float64(x), complex(a, b).

#include <assert.h>
#include <string.h>

#include "compiler/types/datetime.h"
#include "compiler/types/object_class.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/arrays/arrays.h"
#include "compiler/typing/rules/containers/container.h"
#include "compiler/typing/rules/containers/objects.h"
#include "compiler/typing/rules/language/language.h"
#include "compiler/typing/rules/numbers/numbers.h"
#include "compiler/typing/rules/text/text.h"

// Python's own int, float and complex keep a width that numba's types of that name would
// not.
static const struct type *class_result(
        const struct rule *r, const struct type *type, const struct type *arg)
{
    const struct ir_instr *callee = r->instr->operands[0];
    const char *origin = callee->op == IR_CONST ? callee->origin : NULL;
    if (!origin || !arg)
        return type;
    if (!strcmp(origin, "int") && arg->kind == TYPE_INT)
        return arg;
    if (!strcmp(origin, "float") && arg->kind == TYPE_FLOAT)
        return arg;
    if (!strcmp(origin, "complex") && type_is_number(arg)) {
        bool is_single = arg == type_float32 || arg == type_complex64;
        if (r->arg_count == 2)
            is_single = arg == type_float32 && rule_arg_type(r, 1) == type_float32;
        return is_single ? type_complex64 : type_complex128;
    }
    return type;
}

static bool make_complex(struct rule *r, const struct type *type)
{
    for (size_t i = 0; i < 2; i++)
        if (!type_is_number(rule_arg_type(r, i)) ||
                rule_arg_type(r, i)->kind == TYPE_COMPLEX)
            return rule_no_match(r, "complex() takes real numbers.");
    if (!r->is_emitting)
        return true;
    struct ir_instr *parts[] = {rule_cast(r, r->args[0], r->type->element),
            rule_cast(r, r->args[1], r->type->element)};
    r->value = rule_primitive(r, PRIMITIVE_COMPLEX, r->type, parts, 2);
    return true;
}

static bool make_zero(struct rule *r, const struct type *type)
{
    if (r->is_emitting)
        r->value = rule_zero(r, r->type);
    return true;
}

// Whether the class is named as Python's own is: it takes no arrays.
static bool is_pythons(const struct ir_instr *class)
{
    static const char *const names[] = {"int", "float", "complex", "bool"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (class->op == IR_CONST && class->origin && !strcmp(class->origin, names[i]))
            return true;
    return false;
}

// np.float64(array), or of a list: a new array.
static bool convert_array(struct rule *r, const struct type *type)
{
    if (type->kind != TYPE_TUPLE && !rule_array_of_list(r, 0, false))
        return r->in->err->kind == ERROR_NONE;
    struct ir_instr *args[] = {r->args[0], r->instr->operands[0]};
    r->args = args;
    r->arg_count = 2;
    r->type = NULL;
    return rule_library(r, "shapes.array");
}

// int(object), float(object), complex(object), bool(object): by the class's method.
static bool convert_instance(struct rule *r, const struct type *instance)
{
    static const char *const wanted[][2] = {{"__int__", "__index__"},
            {"__float__", "__index__"}, {"__complex__", "__float__"}};
    const struct type *result = r->type;
    if (result == type_bool)
        return rule_instance_truth(r);
    const char *const *names = wanted[result->kind == TYPE_COMPLEX ? 2
                                      : result->kind == TYPE_FLOAT ? 1
                                                                   : 0];
    const char *name = object_method_find(instance, names[0]) ? names[0] : names[1];
    if (!object_method_find(instance, name) && result->kind == TYPE_COMPLEX)
        name = "__index__";
    if (!object_method_find(instance, name))
        name = names[0];
    if (!rule_instance_operation(r, name) || !r->type)
        return false;
    if (!type_is_number(r->type) || type_conversion(r->type, result) == CONVERT_NEVER)
        return rule_fail(r, ERROR_TYPING, "%s() gives %s, which is no %s", name,
                r->type->name, result->name);
    if (result->kind != TYPE_INT && r->type->kind != result->kind) {
        r->type = result;
        if (r->is_emitting)
            r->value = rule_cast(r, r->value, result);
    }
    return true;
}

// --- What the class is

static bool is_instance_class(const struct rule *r, const struct type *class)
{
    return class->kind == TYPE_INSTANCE;
}

static bool is_text_class(const struct rule *r, const struct type *class)
{
    return class == type_string;
}

static bool make_text(struct rule *r, const struct type *class)
{
    return rule_text_class(r);
}

static bool is_enum_class(const struct rule *r, const struct type *class)
{
    return class->kind == TYPE_ENUM;
}

static bool make_member(struct rule *r, const struct type *class)
{
    return rule_enum_class(r);
}

static bool is_named_class(const struct rule *r, const struct type *class)
{
    return class->kind == TYPE_TUPLE && class->tuple.class_object;
}

static bool make_named(struct rule *r, const struct type *class)
{
    return rule_named_class(r);
}

static bool is_time_class(const struct rule *r, const struct type *class)
{
    return class->kind == TYPE_TIME && !r->instr->call.keyword_count;
}

static bool is_bfloat_class(const struct rule *r, const struct type *class)
{
    return class->kind == TYPE_BFLOAT;
}

static bool make_bfloat(struct rule *r, const struct type *class)
{
    return rule_bfloat_class(r);
}

static bool is_number_class(const struct rule *r, const struct type *class)
{
    return type_is_number(class) && !r->instr->call.keyword_count;
}

// --- What a class of numbers is given; `type` is the first argument's

static bool is_empty(const struct rule *r, const struct type *type)
{
    return r->arg_count == 0;
}

static bool is_text(const struct rule *r, const struct type *type)
{
    return type == type_string && r->type != type_bool;
}

static bool read_number(struct rule *r, const struct type *type)
{
    return rule_text_to_number(r);
}

static bool are_parts(const struct rule *r, const struct type *type)
{
    return r->arg_count == 2 && r->type->kind == TYPE_COMPLEX;
}

static bool is_object(const struct rule *r, const struct type *type)
{
    return type->kind == TYPE_INSTANCE && r->arg_count == 1 &&
           is_pythons(r->instr->operands[0]);
}

// Whether the class may be NumPy's: that of a value, type(x), is Python's for truths.
static bool may_be_numpys(const struct rule *r)
{
    const struct ir_instr *class = r->instr->operands[0];
    return r->type == type_bool ? class->origin && !is_pythons(class)
                                : !is_pythons(class);
}

// What NumPy's classes make an array of.
static bool is_array(const struct rule *r, const struct type *type)
{
    return r->arg_count == 1 && may_be_numpys(r) && r->in->target == TARGET_HOST &&
           (type->kind == TYPE_ARRAY || type->kind == TYPE_LIST ||
                   type->kind == TYPE_TUPLE);
}

static bool is_container(const struct rule *r, const struct type *type)
{
    return r->type == type_bool && !is_array(r, type) &&
           (type_is_container(type) || type->kind == TYPE_DICT_VIEW ||
                   rule_is_flag(type));
}

static bool container_truth(struct rule *r, const struct type *type)
{
    return rule_truth(r);
}

static bool is_literal(const struct rule *r, const struct type *type)
{
    bool truth;
    return type->kind == TYPE_LITERAL && infer_known_truth(r->args[0], &truth);
}

static bool literal_truth(struct rule *r, const struct type *type)
{
    bool truth = false;
    infer_known_truth(r->args[0], &truth);
    return rule_do_constant(r, (struct constant){.type = type_bool, .integer = truth});
}

static bool is_tuple(const struct rule *r, const struct type *type)
{
    return r->type == type_bool && type->kind == TYPE_TUPLE && !is_array(r, type);
}

static bool tuple_truth(struct rule *r, const struct type *type)
{
    return rule_do_constant(
            r, (struct constant){.type = type_bool, .integer = type->tuple.len != 0});
}

// Python's bool(array); NumPy's bool_ converts the items.
static bool is_array_truth(const struct rule *r, const struct type *type)
{
    return r->type == type_bool && r->arg_count == 1 && rule_is_array_with_truth(type) &&
           (is_pythons(r->instr->operands[0]) || r->in->target != TARGET_HOST);
}

static bool array_truth(struct rule *r, const struct type *type)
{
    r->type = NULL;
    return rule_library(r, "shapes.truth");
}

// bool("...") and bool(b"...")
static bool is_text_truth(const struct rule *r, const struct type *type)
{
    return r->type == type_bool && type->kind == TYPE_STRING && r->arg_count == 1;
}

static bool is_bytes(const struct rule *r, const struct type *type)
{
    return type == type_bytes;
}

static bool refuse_bytes(struct rule *r, const struct type *type)
{
    return rule_no_match(r, "Bytes are no number: read their text, x.decode().");
}

static bool cast_argument(struct rule *r, const struct type *type)
{
    if (r->is_emitting)
        r->value = rule_cast(r, r->args[0], r->type);
    return true;
}

// Spans are counts, and so are dates for NumPy's classes; for Python's those in steps
// that its datetime is too rough for.
static bool is_time(const struct rule *r, const struct type *type)
{
    bool is_span = type->kind == TYPE_TIME && type->time.is_delta;
    bool is_count = is_span || (type->kind == TYPE_TIME &&
                                       (type->time.unit > TIME_MICROSECOND ||
                                               !is_pythons(r->instr->operands[0])));
    return r->arg_count == 1 &&
           ((r->type == type_int64 && is_count) ||
                   (r->type == type_bool && type->kind == TYPE_TIME));
}

static bool is_bytes_class(const struct rule *r, const struct type *class)
{
    return class == type_bytes && r->arg_count == 1 && rule_arg_type(r, 0) == type_bytes;
}

// Of bytes, which never change: the same.
static bool make_bytes(struct rule *r, const struct type *class)
{
    r->type = type_bytes;
    if (r->is_emitting)
        r->value = rule_cast(r, r->args[0], type_bytes);
    return true;
}

static bool cast_present(struct rule *r, const struct type *type)
{
    if (r->is_emitting)
        r->value = rule_cast(r, rule_cast(r, r->args[0], type), r->type);
    return true;
}

static bool is_number(const struct rule *r, const struct type *type)
{
    return r->arg_count == 1 && type_is_number(type) &&
           (type_conversion(type, r->type) != CONVERT_NEVER || r->type == type_bool);
}

struct class_row {
    bool (*is_for)(const struct rule *r, const struct type *type);
    bool (*make)(struct rule *r, const struct type *type);
};

// The first row that is for the argument of a class of numbers makes r->type of it. Only
// the first is asked when there is no argument, so that all others can look at its type.
static const struct class_row by_argument[] = {
        {is_empty, make_zero},
        // Texts are read, but for bool("..."), which a row below has.
        {is_text, read_number},
        {are_parts, make_complex},
        // Python's own int, float, complex and bool ask an object's methods; NumPy's and
        // numba's types do not, and refuse it below.
        {is_object, convert_instance},
        // Truths, each of another kind of value; a literal tells its own.
        {is_container, container_truth},
        {is_literal, literal_truth},
        {is_tuple, tuple_truth},
        {is_array_truth, array_truth},
        {is_text_truth, cast_argument},
        {is_bytes, refuse_bytes},
        // Arrays and lists, of which only bool(), above, makes one value.
        {is_array, convert_array},
        // Dates and spans are no numbers for the last row, but counts for int64().
        {is_time, cast_present},
        {is_number, cast_argument},
};

static bool make_number(struct rule *r, const struct type *class)
{
    rule_bfloat_widen(r);
    const struct type *type = r->arg_count ? rule_arg_type(r, 0) : NULL;
    r->type = class_result(r, class, type);
    for (size_t i = 0; i < sizeof by_argument / sizeof *by_argument; i++)
        if (by_argument[i].is_for(r, type))
            return by_argument[i].make(r, type);
    return rule_no_match(r,
            "The argument must be one number; a complex number has no real "
            "value: use .real.");
}

// An array without dimensions is its item, for NumPy's classes and for Python's.
static bool is_of_item(const struct rule *r, const struct type *class)
{
    const struct type *type = r->arg_count == 1 ? rule_arg_type(r, 0) : NULL;
    return type && type->kind == TYPE_ARRAY && type->array.ndim == 0 &&
           (is_time_class(r, class) || is_number_class(r, class) ||
                   class == type->element);
}

static bool make_of_item(struct rule *r, const struct type *class)
{
    struct ir_instr *args[] = {r->args[0], r->instr->operands[0]};
    const struct type *item = rule_arg_type(r, 0)->element;
    bool is_same = class_result(r, class, item) == item;
    r->args = args;
    r->arg_count = is_same ? 1 : 2;
    return rule_library(r, is_same ? "shapes.only_item" : "casting.item_as");
}

// The first row that is for the class makes the value. But for arrays without dimensions
// no class is for two rows: numbers, the most frequent, come last because only they have
// more rows to choose among.
static const struct class_row by_class[] = {
        {is_instance_class, rule_instance_new},
        {is_of_item, make_of_item},
        {is_text_class, make_text},
        {is_bytes_class, make_bytes},
        {is_enum_class, make_member},
        {is_named_class, make_named},
        {is_time_class, rule_time_class},
        {is_bfloat_class, make_bfloat},
        {is_number_class, make_number},
};

bool rule_class(struct rule *r)
{
    const struct type *class = r->instr->operands[0]->type->element;
    assert(r->instr->operands[0]->type->kind == TYPE_CLASS);
    r->name = class->name;
    r->args = r->instr->operands + 1;
    r->arg_count = r->instr->operand_count - 1;
    for (size_t i = 0; i < sizeof by_class / sizeof *by_class; i++)
        if (by_class[i].is_for(r, class))
            return by_class[i].make(r, class);
    rule_bfloat_widen(r);
    return rule_no_match(
            r, "Only number types can be called, with positional arguments.");
}
