// SPDX-License-Identifier: MIT
// Python's built-in functions.

#include <string.h>

#include "compiler/support/text/text.h"
#include "compiler/types/datetime.h"
#include "compiler/types/object_class.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/arrays/arrays.h"
#include "compiler/typing/rules/containers/container.h"
#include "compiler/typing/rules/cuda/cuda.h"
#include "compiler/typing/rules/language/language.h"
#include "compiler/typing/rules/numbers/numbers.h"
#include "compiler/typing/rules/text/text.h"

// --- abs, min, max, round, divmod, pow

bool rule_abs(struct rule *r)
{
    if (rule_arg_type(r, 0)->kind == TYPE_ARRAY)
        return rule_elementwise(r, "numpy.absolute");
    const struct type *type = rule_arg_type(r, 0);
    if (type->kind == TYPE_TIME)
        return rule_time_abs(r);
    if (type->kind == TYPE_INSTANCE)
        return rule_instance_operation(r, "__abs__");
    return rule_number_abs(r);
}

// The arguments to choose from: those of the call, or the items of a single tuple.
static size_t choice_count(const struct rule *r)
{
    const struct type *first = rule_arg_type(r, 0);
    return r->arg_count == 1 && first->kind == TYPE_TUPLE ? first->tuple.len
                                                          : r->arg_count;
}

static const struct type *choice_type(const struct rule *r, size_t i)
{
    const struct type *first = rule_arg_type(r, 0);
    return r->arg_count == 1 && first->kind == TYPE_TUPLE ? first->tuple.items[i]
                                                          : rule_arg_type(r, i);
}

static struct ir_instr *choice_value(struct rule *r, size_t i)
{
    bool is_tuple = r->arg_count == 1 && rule_arg_type(r, 0)->kind == TYPE_TUPLE;
    return is_tuple ? rule_tuple_get(r, r->args[0], i) : r->args[i];
}

// The least or greatest of some strings, or dates, as values of the type of all.
static bool choose_by_order(struct rule *r, size_t count, const struct type *type)
{
    r->type = type;
    if (!r->is_emitting)
        return true;
    r->value = rule_cast(r, choice_value(r, 0), type);
    for (size_t i = 1; i < count; i++) {
        struct ir_instr *next = rule_cast(r, choice_value(r, i), type);
        struct ir_instr *is_better = rule_compare_op(
                r, r->data == PRIMITIVE_MIN ? COMPARE_LT : COMPARE_GT, next, r->value);
        struct ir_instr *operands[] = {is_better, next, r->value};
        r->value = rule_primitive(r, PRIMITIVE_SELECT, type, operands, 3);
    }
    return true;
}

static bool are_texts(const struct rule *r, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (choice_type(r, i) != type_string)
            return false;
    return count > 0;
}

// The type that holds all of some dates or spans of time; NULL when they are others.
static const struct type *common_time(const struct rule *r, size_t count)
{
    const struct type *common = count ? choice_type(r, 0) : NULL;
    for (size_t i = 0; common && i < count; i++)
        common = choice_type(r, i)->kind == TYPE_TIME
                         ? type_unify(common, choice_type(r, i))
                         : NULL;
    return common;
}

// min(iterable[, key][, default]), min(a, b, key=...)
static bool choose_from(struct rule *r)
{
    const struct ir_instr *call = r->instr;
    size_t keywords = call->call.keyword_count;
    size_t count = call->operand_count - 1 - keywords;
    struct ir_instr *args[3] = {NULL};
    for (size_t i = 0; i < keywords; i++) {
        bool is_key = !strcmp(call->call.keywords[i], "key");
        if (!is_key && strcmp(call->call.keywords[i], "default"))
            return rule_fail(r, ERROR_TYPING,
                    "%s() got an unexpected keyword argument '%s'", r->name,
                    call->call.keywords[i]);
        args[is_key ? 1 : 2] = call->operands[1 + count + i];
    }
    struct ir_instr tuple = {.op = IR_BUILD_TUPLE, .id = INT32_MAX};
    args[0] = call->operands[1];
    if (count > 1) {
        const struct type **types = memory_alloc(count * sizeof *types);
        for (size_t i = 0; i < count; i++)
            types[i] = call->operands[1 + i]->type;
        tuple.type = type_tuple(types, count);
        free(types);
        args[0] = r->is_emitting ? rule_tuple(r, call->operands + 1, count) : &tuple;
    }
    bool is_least = r->data == PRIMITIVE_MIN;
    r->args = args;
    r->arg_count = args[2] ? 3 : args[1] ? 2 : 1;
    return rule_library(r, is_least ? "list.least" : "list.greatest");
}

static bool is_choice_from(const struct rule *r)
{
    if (r->instr->call.keyword_count)
        return true;
    for (size_t i = 0; i < choice_count(r); i++)
        if (rule_is_of_program(choice_type(r, i)))
            return true;
    const struct type *type = r->arg_count == 1 ? rule_arg_type(r, 0) : type_none;
    return type->kind != TYPE_TUPLE && type != type_string && type_iterated(type);
}

bool rule_min_max(struct rule *r)
{
    if (is_choice_from(r))
        return choose_from(r);
    size_t count = choice_count(r);
    if (are_texts(r, count))
        return count == 1 && rule_arg_type(r, 0) == type_string
                       ? rule_text_extreme(r, r->data == PRIMITIVE_MIN)
                       : choose_by_order(r, count, type_string);
    const struct type *time = common_time(r, count);
    if (time)
        return choose_by_order(r, count, time);
    for (size_t i = 0; i < count; i++) {
        const struct type *type = choice_type(r, i);
        if (!type_is_number(type) || type->kind == TYPE_COMPLEX)
            return rule_no_match(
                    r, "It takes two or more real numbers, or a tuple of them.");
        r->type = r->type ? type_unify(r->type, type) : type;
    }
    if (!count || (r->arg_count == 1 && rule_arg_type(r, 0)->kind != TYPE_TUPLE))
        return rule_no_match(r, "It takes two or more real numbers, or a tuple of them.");
    if (!r->is_emitting)
        return true;
    r->value = rule_cast(r, choice_value(r, 0), r->type);
    for (size_t i = 1; i < count; i++) {
        struct ir_instr *operands[] = {
                r->value, rule_cast(r, choice_value(r, i), r->type)};
        r->value = rule_primitive(r, (enum ir_primitive)r->data, r->type, operands, 2);
    }
    return true;
}

// x rounded to n digits by scaling, where there is no function that looks at the decimal
// digits: not always what Python gives. In kernels as numba does it, in float64, which
// holds what a float32 becomes by it.
static struct ir_instr *emit_round_digits(struct rule *r, const struct type *type)
{
    struct ir_instr *x = rule_cast(r, r->args[0], type);
    struct ir_instr *digits = rule_cast(r, r->args[1], type_int64);
    struct ir_instr *distance = rule_primitive(r, PRIMITIVE_ABS, type_int64, &digits, 1);
    struct ir_instr *power = rule_emit(r, IR_BINARY, type,
            (struct ir_instr *[]){rule_int(r, type, 10), distance}, 2);
    power->binary = BINARY_POW;
    struct ir_instr *is_left =
            rule_compare_op(r, COMPARE_LT, digits, rule_int(r, type_int64, 0));
    struct ir_instr *one = rule_int(r, type, 1);
    struct ir_instr *up = rule_primitive(
            r, PRIMITIVE_SELECT, type, (struct ir_instr *[]){is_left, one, power}, 3);
    struct ir_instr *down = rule_primitive(
            r, PRIMITIVE_SELECT, type, (struct ir_instr *[]){is_left, power, one}, 3);
    struct ir_instr *scaled = rule_binary_op(r, BINARY_MUL, type, x, up);
    // a constant divisor of 1 cannot be zero, nor can a power of ten: no check is wanted
    scaled = rule_primitive(
            r, PRIMITIVE_DIVIDE, type, (struct ir_instr *[]){scaled, down}, 2);
    struct ir_instr *rounded = rule_primitive(r, PRIMITIVE_MATH_RINT, type, &scaled, 1);
    rounded = rule_binary_op(r, BINARY_MUL, type, rounded, down);
    rounded = rule_primitive(
            r, PRIMITIVE_DIVIDE, type, (struct ir_instr *[]){rounded, up}, 2);
    struct ir_instr *is_finite =
            rule_primitive(r, PRIMITIVE_MATH_ISFINITE, type_bool, &rounded, 1);
    return rule_primitive(
            r, PRIMITIVE_SELECT, type, (struct ir_instr *[]){is_finite, rounded, x}, 3);
}

bool rule_round(struct rule *r)
{
    const struct type *type = rule_arg_type(r, 0);
    bool has_digits = rule_has_arg(r, 1) && r->args[1]->type != type_none;
    if (!type_is_number(type) || type->kind == TYPE_COMPLEX)
        return rule_no_match(r, "round() takes a real number.");
    if (has_digits && !type_is_integer(rule_arg_type(r, 1)))
        return rule_no_match(r, "The number of digits must be an integer.");
    if (has_digits && type->kind == TYPE_FLOAT) {
        r->type = type;
        if (r->is_emitting && type == type_float64 && r->in->target == TARGET_HOST) {
            struct ir_instr *operands[] = {
                    rule_cast(r, r->args[0], type), rule_cast(r, r->args[1], type_int64)};
            r->value = rule_text_call(r, TEXT_ROUND_DIGITS, type, operands, 2);
        } else if (r->is_emitting) {
            bool is_host = r->in->target == TARGET_HOST;
            r->value = rule_cast(
                    r, emit_round_digits(r, is_host ? type : type_float64), type);
        }
        return true;
    }
    if (has_digits)
        return rule_library(
                r, type == type_uint64 ? "numbers.round_natural" : "numbers.round_whole");
    r->type = type == type_uint64 ? type_uint64 : type_int64;
    if (!r->is_emitting)
        return true;
    struct ir_instr *value = r->args[0];
    if (type->kind == TYPE_FLOAT) {
        value = rule_cast(r, value, type);
        value = rule_primitive(r, PRIMITIVE_MATH_RINT, type, &value, 1);
    }
    r->value = rule_cast(r, value, r->type);
    return true;
}

static bool is_natural(const struct type *type)
{
    return type->kind == TYPE_INT && !type->is_signed;
}

static const struct type *divmod_type(const struct type *a, const struct type *b)
{
    if (!type_is_integer(a) || !type_is_integer(b))
        return arith_result(BINARY_FLOORDIV, a, b);
    if ((is_natural(a) && (is_natural(b) || b->kind == TYPE_BOOL)) ||
            (is_natural(b) && a->kind == TYPE_BOOL))
        return type_uint64;
    return a == type_uint64 || b == type_uint64 ? type_float64 : type_int64;
}

bool rule_divmod(struct rule *r)
{
    if (rule_has_time(r))
        return rule_library(r, "operators.divmod_of_times");
    if (rule_arg_type(r, 0)->kind == TYPE_ARRAY ||
            rule_arg_type(r, 1)->kind == TYPE_ARRAY)
        return rule_library(r, "ufuncs.both_of_division");
    const struct type *type = divmod_type(rule_arg_type(r, 0), rule_arg_type(r, 1));
    if (!type)
        return rule_no_match(r, "divmod() takes two real numbers.");
    r->type = type_tuple((const struct type *[]){type, type}, 2);
    if (r->is_emitting) {
        struct ir_instr *rest =
                rule_binary_op(r, BINARY_MOD, type, r->args[0], r->args[1]);
        struct ir_instr *whole =
                rule_binary_op(r, BINARY_FLOORDIV, type, r->args[0], r->args[1]);
        rest->immediate = DIVISION_OF_DIVMOD;
        r->value = rule_tuple(r, (struct ir_instr *[]){whole, rest}, 2);
    }
    return true;
}

bool rule_operator(struct rule *r)
{
    for (size_t i = 0; i < 2; i++)
        if (type_is_container(rule_arg_type(r, i)) ||
                rule_arg_type(r, i)->kind == TYPE_DICT_VIEW ||
                rule_arg_type(r, i)->kind == TYPE_INSTANCE)
            return rule_library(
                    r, arena_printf(&r->in->function->arena, "operators.%s", r->name));
    return rule_arith(r, (enum ir_binary)r->data);
}

bool rule_pow(struct rule *r)
{
    bool has_modulus = rule_has_arg(r, 2) && r->args[2]->type != type_none;
    r->arg_count = has_modulus ? 3 : 2;
    if (!has_modulus)
        return rule_operator(r);
    for (size_t i = 0; i < 3; i++)
        if (!type_is_integer(rule_arg_type(r, i)))
            return rule_no_match(r, "pow() with a modulus takes three integers.");
    return rule_library(r, "numbers.pow_modulo");
}

// --- range, len, enumerate, zip

static const struct type *range_element(const struct rule *r)
{
    bool is_narrow = true, is_natural_range = false, has_negative = false;
    for (size_t i = 0; i < r->arg_count; i++) {
        const struct type *type = rule_arg_type(r, i);
        int64_t value;
        if (type->kind == TYPE_FLOAT) // without what follows the point
            type = type_int64;
        if (!type_is_integer(type))
            return NULL;
        bool is_literal = rule_constant_int(r->args[i], &value);
        is_narrow = is_narrow && type->is_signed && type->bits <= 32;
        is_natural_range = is_natural_range || type == type_uint64;
        has_negative = has_negative || (type->is_signed && !(is_literal && value >= 0));
    }
    if (is_natural_range && !has_negative)
        return type_uint64;
    return is_narrow ? type_int32 : type_int64;
}

bool rule_range(struct rule *r)
{
    const struct type *element = range_element(r);
    if (!element)
        return rule_no_match(r, "range() takes one to three integers.");
    r->type = type_range(element);
    if (!r->is_emitting)
        return true;
    struct ir_instr *operands[] = {r->arg_count > 1 ? rule_cast(r, r->args[0], element)
                                                    : rule_int(r, element, 0),
            rule_cast(r, r->args[r->arg_count > 1], element),
            r->arg_count > 2 ? rule_cast(r, r->args[2], element)
                             : rule_int(r, element, 1)};
    r->value = rule_primitive(r, PRIMITIVE_RANGE, r->type, operands, 3);
    return true;
}

bool rule_len(struct rule *r)
{
    const struct type *type = rule_arg_type(r, 0);
    const struct constant *constant = rule_constant(r->args[0]);
    bool is_enum = type->kind == TYPE_CLASS && type->element->kind == TYPE_ENUM;
    const struct type *tuple = is_enum ? rule_members_type(type) : type;
    if (tuple->kind == TYPE_TUPLE)
        return rule_do_constant(r, (struct constant){.type = type_int64,
                                           .integer = (int64_t)tuple->tuple.len});
    if (type == type_string && constant)
        return rule_do_constant(
                r, (struct constant){.type = type_int64,
                           .integer = text_utf8_length(
                                   constant->string.text, constant->string.len)});
    if (type->kind == TYPE_STRING)
        return rule_do_primitive(r, PRIMITIVE_TEXT_LEN, type_int64, type);
    if (rule_is_record_array(type) && type->array.ndim == 0)
        return rule_do_constant(
                r, (struct constant){.type = type_int64,
                           .integer = (int64_t)type->element->record.len});
    if (type_is_container(type))
        return rule_container_length(r);
    if (type->kind == TYPE_DICT_VIEW)
        return rule_dict_view_length(r);
    if (type->kind == TYPE_INSTANCE)
        return rule_instance_operation(r, "__len__");
    enum ir_primitive primitive =
            type->kind == TYPE_RANGE ? PRIMITIVE_RANGE_LEN : PRIMITIVE_ARRAY_LEN;
    if (type->kind != TYPE_RANGE && (type->kind != TYPE_ARRAY || type->array.ndim == 0))
        return rule_no_match(r, "len() takes an array, a string, a tuple or a range.");
    return rule_do_primitive(r, primitive, type_int64, type);
}

// Whether what enumerate() or zip() makes is a value of its parts, which each loop goes
// over from the start; else it is a generator. Devices have none.
static bool is_inlined(const struct rule *r)
{
    if (r->in->target != TARGET_HOST)
        return true;
    return rule_is_asked_once(r, true) &&
           (r->is_emitting || !rule_has_entries(r) || rule_begins_at_once(r->instr));
}

bool rule_enumerate(struct rule *r)
{
    const struct type *type;
    struct ir_instr *iterable;
    bool is_made_now = is_inlined(r);
    if (!is_made_now && !rule_start_entries(r))
        return r->in->err->kind == ERROR_NONE;
    if (!rule_container_iterable(r, r->args[0], &type, &iterable))
        return false;
    if (!type_iterated(type))
        return rule_no_match(r, "enumerate() takes something that can be looped over.");
    if (rule_has_arg(r, 1) && !type_is_integer(rule_arg_type(r, 1)))
        return rule_no_match(r, "The start of enumerate() must be an integer.");
    if (!is_made_now)
        return rule_library(r, "functional.enumerate_in_turn");
    r->type = type_enumerate(type);
    if (r->is_emitting) {
        struct ir_instr *operands[] = {
                iterable, rule_has_arg(r, 1) ? rule_cast(r, r->args[1], type_int64)
                                             : rule_int(r, type_int64, 0)};
        r->value = rule_primitive(r, PRIMITIVE_ENUMERATE, r->type, operands, 2);
    }
    return true;
}

// The keyword `strict`, which is a literal.
static bool read_strict(struct rule *r, bool *is_strict)
{
    const struct ir_instr *call = r->instr;
    *is_strict = false;
    r->arg_count = call->operand_count - 1 - call->call.keyword_count;
    for (size_t i = 0; i < call->call.keyword_count; i++) {
        const struct constant *value = rule_constant(r->args[r->arg_count + i]);
        if (strcmp(call->call.keywords[i], "strict") != 0)
            return rule_fail(r, ERROR_TYPING,
                    "zip() got an unexpected keyword argument '%s'",
                    call->call.keywords[i]);
        if (!value || value->type != type_bool)
            return rule_no_match(r, "strict must be the literal True or False.");
        *is_strict = value->integer != 0;
    }
    return true;
}

// What can be looped over and has no length.
static bool has_no_length(const struct type *type)
{
    return type_generator_count(type) || type->kind == TYPE_ENUMERATE ||
           type->kind == TYPE_ZIP || type->kind == TYPE_INDICES ||
           type->kind == TYPE_VIEWS || type->kind == TYPE_FLAT;
}

// Fails where the lengths differ, before the first items; of things that have none, where
// one ends.
static bool check_lengths(struct rule *r)
{
    struct rule inner = *r;
    return rule_library(&inner, "iteration.zip_strict");
}

bool rule_zip(struct rule *r)
{
    bool is_strict;
    if (!read_strict(r, &is_strict))
        return false;
    bool is_made_now = !r->arg_count || is_inlined(r);
    if (!is_made_now && !rule_start_entries(r))
        return r->in->err->kind == ERROR_NONE;
    size_t generator_count = 0, unknown_count = 0;
    for (size_t i = 0; i < r->arg_count; i++) {
        generator_count += type_generator_count(r->args[i]->type);
        unknown_count += has_no_length(r->args[i]->type);
    }
    is_strict = is_strict && r->arg_count > 1;
    if (is_strict && unknown_count)
        return rule_library(r, "functional.zip_strictly_in_turn");
    if (is_strict && !check_lengths(r))
        return false;
    if (generator_count > 1 || !is_made_now)
        return rule_library(r, "functional.zip_in_turn");
    const struct type **types = memory_alloc((r->arg_count + 1) * sizeof *types);
    struct ir_instr **iterables =
            arena_array(&r->in->function->arena, struct ir_instr *, r->arg_count + 1);
    bool is_iterable = true;
    for (size_t i = 0; i < r->arg_count; i++) {
        if (!rule_container_iterable(r, r->args[i], &types[i], &iterables[i])) {
            free(types);
            return false;
        }
        is_iterable = is_iterable && type_iterated(types[i]);
    }
    r->type = is_iterable ? type_zip(types, r->arg_count) : NULL;
    free(types);
    if (!is_iterable)
        return rule_no_match(r, "zip() takes things that can be looped over.");
    if (r->is_emitting)
        r->value = rule_primitive(r, PRIMITIVE_ZIP, r->type, iterables, r->arg_count);
    return true;
}

// --- print

static bool is_printed(const struct rule *r, const struct type *type)
{
    if (type->kind == TYPE_TUPLE && type->tuple.len && r->in->target != TARGET_HOST &&
            type->tuple.items[0] == type_ellipsis) { // an f-string
        for (size_t i = 1; i < type->tuple.len; i++)
            if (type->tuple.items[i]->kind != TYPE_LITERAL &&
                    !is_printed(r, type->tuple.items[i]))
                return false;
        return true;
    }
    return rule_is_printable(type) || type->kind == TYPE_ARRAY ||
           rule_is_coordinates(r, type);
}

// The string of the keyword argument `name`, or one that is left out; NULL after an
// error.
static struct ir_instr *print_keyword(struct rule *r, const char *name)
{
    const struct ir_instr *call = r->instr;
    size_t first = call->operand_count - call->call.keyword_count;
    for (size_t i = 0; i < call->call.keyword_count; i++) {
        if (strcmp(call->call.keywords[i], name))
            continue;
        struct ir_instr *value = call->operands[first + i];
        return value->type == type_string ? rule_value(r, value) : NULL;
    }
    return NULL;
}

static bool check_print_keyword(struct rule *r, const char *name, struct ir_instr *value)
{
    if (!strcmp(name, "sep") || !strcmp(name, "end")) {
        if (value->type == type_string || value->type == type_none)
            return true;
        return rule_fail(r, ERROR_TYPING, "%s must be None or a string, not %s", name,
                value->type->name);
    }
    if (!strcmp(name, "flush"))
        return true;
    return rule_fail(r, ERROR_UNSUPPORTED,
            "print() in compiled code takes sep, end and flush as keyword arguments: %s "
            "is "
            "not supported.",
            name);
}

static bool emit_print(struct rule *r, size_t count)
{
    r->type = type_none;
    if (!r->is_emitting)
        return true;
    struct ir_instr **operands =
            arena_array(&r->in->function->arena, struct ir_instr *, count + 3);
    for (size_t i = 0; i < count; i++)
        operands[i] = rule_is_coordinates(r, r->args[i]->type)
                              ? rule_coordinates(r, r->args[i]->type)
                      : r->args[i]->type == type_bfloat16
                              ? rule_cast(r, r->args[i], type_float32)
                              : r->args[i];
    struct ir_instr *separator = print_keyword(r, "sep"), *end = print_keyword(r, "end");
    bool is_plain = !separator && !end;
    if (!is_plain) {
        operands[count++] = separator ? separator : rule_text_constant(r, " ", 1);
        operands[count++] = end ? end : rule_text_constant(r, "\n", 1);
    }
    r->value = rule_primitive(r, PRIMITIVE_PRINT, type_none, operands, count);
    r->value->immediate = !is_plain;
    return true;
}

// Puts their texts in place of classes and dtypes.
static void tell_classes(struct rule *r, size_t count)
{
    struct ir_instr **args =
            arena_array(&r->in->function->arena, struct ir_instr *, count + 1);
    for (size_t i = 0; i < count; i++) {
        struct ir_instr *told = rule_class_text(r, r->args[i], false);
        args[i] = told ? told : r->args[i];
    }
    r->args = args;
}

bool rule_breakpoint(struct rule *r)
{
    if (!r->in->source->options.debug)
        return rule_fail(r, ERROR_TYPING,
                "breakpoint() stops in functions that are compiled for it: add "
                "debug=True to the decorator of %s",
                r->in->function->name);
    r->type = type_none;
    if (r->is_emitting)
        r->value = rule_primitive(r, PRIMITIVE_BREAKPOINT, type_none, NULL, 0);
    return true;
}

bool rule_print(struct rule *r)
{
    const struct ir_instr *call = r->instr;
    size_t keywords = call->call.keyword_count;
    size_t count = call->operand_count - 1 - keywords;
    r->args = r->instr->operands + 1;
    r->arg_count = count;
    if (keywords && r->in->target != TARGET_HOST)
        return rule_fail(r, ERROR_UNSUPPORTED,
                "Numba's print() function implementation does not support keyword "
                "arguments.");
    for (size_t i = 0; i < keywords; i++)
        if (!check_print_keyword(r, call->call.keywords[i], r->args[count + i]))
            return false;
    tell_classes(r, count);
    for (size_t i = 0; i < count; i++)
        if (r->in->target != TARGET_HOST &&
                rule_text_is_of_flags(r->args[i]->type, false))
            return rule_fail(r, ERROR_TYPING,
                    "the text of a Flag's value is made by its class, which CUDA code "
                    "does "
                    "not ask: print its .value");
    for (size_t i = 0; i < count; i++)
        if (!is_printed(r, r->args[i]->type))
            return rule_no_match(r, rule_text_help(r->args[i]->type));
    return emit_print(r, count);
}
