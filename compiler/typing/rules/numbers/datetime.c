// SPDX-License-Identifier: MIT
// What NumPy's dates and spans of time can do: arithmetic, comparisons, NaT.

#include <assert.h>
#include <string.h>

#include "compiler/types/datetime.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/numbers/numbers.h"

static bool is_time(const struct type *type)
{
    return type->kind == TYPE_TIME;
}

static bool is_delta(const struct type *type)
{
    return is_time(type) && type->time.is_delta;
}

static bool is_factor(const struct type *type)
{
    return type->kind == TYPE_INT || type->kind == TYPE_FLOAT;
}

// An integer stands for a span in the other operand's unit.
static const struct type *as_time(const struct type *type)
{
    return type_is_integer(type) ? type_time(TIME_GENERIC, 1, true) : type;
}

bool rule_has_time(const struct rule *r)
{
    for (size_t i = 0; i < r->arg_count; i++)
        if (r->args[i] && is_time(rule_arg_type(r, i)))
            return true;
    return false;
}

// --- Emitting

// The count that a date or span is, in the unit of `type`.
static struct ir_instr *count_in(
        struct rule *r, struct ir_instr *value, const struct type *type)
{
    return rule_cast(r, rule_cast(r, value, type), type_int64);
}

// The argument as a value of `given`, which is that of an integer as well, in `type`.
static struct ir_instr *count_of(
        struct rule *r, size_t i, const struct type *given, const struct type *type)
{
    struct ir_instr *value = r->args[i];
    if (type_is_integer(rule_arg_type(r, i)))
        value = rule_cast(r, value, type_int64);
    return count_in(r, rule_cast(r, value, given), type);
}

static struct ir_instr *is_count(struct rule *r, struct ir_instr *count, int64_t number)
{
    return rule_compare_op(r, COMPARE_EQ, count, rule_int(r, type_int64, number));
}

static struct ir_instr *either(struct rule *r, struct ir_instr *a, struct ir_instr *b)
{
    return rule_binary_op(r, BINARY_OR, type_bool, a, b);
}

static struct ir_instr *choose(struct rule *r, struct ir_instr *condition,
        struct ir_instr *a, struct ir_instr *b)
{
    struct ir_instr *operands[] = {condition, a, rule_cast(r, b, a->type)};
    return rule_primitive(r, PRIMITIVE_SELECT, a->type, operands, 3);
}

// `count` as a value of r->type, but NaT where the condition holds.
static struct ir_instr *nat_if(
        struct rule *r, struct ir_instr *condition, struct ir_instr *count)
{
    struct ir_instr *guarded =
            choose(r, condition, rule_int(r, type_int64, TIME_NAT), count);
    return rule_cast(r, guarded, r->type);
}

// What NaT is computed with is not looked at, where overflow is: 0 stands for it there.
static struct ir_instr *number_or_nat(
        struct rule *r, struct ir_instr *is_nat, struct ir_instr *count)
{
    return r->in->source->options.overflow_check
                   ? choose(r, is_nat, rule_int(r, type_int64, 0), count)
                   : count;
}

// Of two counts; NaT where the condition holds.
static struct ir_instr *compute(struct rule *r, enum ir_binary op,
        struct ir_instr *is_nat, struct ir_instr *a, struct ir_instr *b)
{
    struct ir_instr *result = rule_binary_op(
            r, op, type_int64, number_or_nat(r, is_nat, a), number_or_nat(r, is_nat, b));
    return nat_if(r, is_nat, result);
}

static struct ir_instr *negate(struct rule *r, struct ir_instr *count)
{
    struct ir_instr *zero = rule_int(r, type_int64, 0);
    return compute(r, BINARY_SUB, is_count(r, count, TIME_NAT), zero, count);
}

static struct ir_instr *real_constant(struct rule *r, double real)
{
    return rule_constant_of(
            r, type_float64, (struct constant){.type = type_float64, .real = real});
}

static struct ir_instr *divide_reals(
        struct rule *r, struct ir_instr *a, struct ir_instr *b)
{
    struct ir_instr *operands[] = {
            rule_cast(r, a, type_float64), rule_cast(r, b, type_float64)};
    return rule_primitive(r, PRIMITIVE_DIVIDE, type_float64, operands, 2);
}

// The whole part of a real number as a span; NaT where it has none.
static struct ir_instr *span_of_real(
        struct rule *r, struct ir_instr *is_nat, struct ir_instr *real)
{
    struct ir_instr *is_finite =
            rule_primitive(r, PRIMITIVE_MATH_ISFINITE, type_bool, &real, 1);
    struct ir_instr *safe = choose(r, is_finite, real, real_constant(r, 0));
    struct ir_instr *count = choose(r, is_finite, rule_cast(r, safe, type_int64),
            rule_int(r, type_int64, TIME_NAT));
    return nat_if(r, is_nat, count);
}

// --- Sums

static const struct type *sum_type(
        enum ir_binary op, const struct type *a, const struct type *b)
{
    bool is_sum = op == BINARY_ADD;
    if (!is_time(a) || !is_time(b))
        return NULL;
    if (is_delta(a) == is_delta(b)) {
        const struct type *both = is_sum && !is_delta(a) ? NULL : time_unify(a, b);
        return both ? time_as(both, true) : NULL;
    }
    if (is_delta(a) && !is_sum)
        return NULL;
    const struct type *date = is_delta(a) ? b : a, *span = is_delta(a) ? a : b;
    if (span->time.unit <= TIME_MONTH && date->time.unit > TIME_MONTH &&
            date->time.unit != TIME_GENERIC)
        return NULL; // months are not of one length
    return time_unify(date, time_as(span, false));
}

static void emit_sum(
        struct rule *r, enum ir_binary op, const struct type *a, const struct type *b)
{
    struct ir_instr *left = count_of(r, 0, a, time_as(r->type, is_delta(a)));
    struct ir_instr *right = count_of(r, 1, b, time_as(r->type, is_delta(b)));
    struct ir_instr *is_nat =
            either(r, is_count(r, left, TIME_NAT), is_count(r, right, TIME_NAT));
    r->value = compute(r, op, is_nat, left, right);
}

// --- Products

static void emit_product(struct rule *r)
{
    size_t at = is_time(rule_arg_type(r, 0)) ? 0 : 1;
    const struct type *factor = rule_arg_type(r, 1 - at);
    struct ir_instr *span = count_in(r, r->args[at], r->type);
    struct ir_instr *is_nat = is_count(r, span, TIME_NAT);
    if (factor->kind == TYPE_FLOAT) {
        r->value = span_of_real(r, is_nat,
                rule_binary_op(r, BINARY_MUL, type_float64, span, r->args[1 - at]));
        return;
    }
    struct ir_instr *by = rule_cast(r, r->args[1 - at], type_int64);
    r->value = compute(r, BINARY_MUL, is_nat, span, by);
}

// A span over an integer, rounded towards zero, also for '//'.
static void emit_share(struct rule *r)
{
    struct ir_instr *span = count_in(r, r->args[0], r->type);
    struct ir_instr *by = rule_cast(r, r->args[1], type_int64);
    struct ir_instr *zero = rule_int(r, type_int64, 0);
    struct ir_instr *is_zero = is_count(r, by, 0);
    struct ir_instr *is_bad = either(r, is_zero, is_count(r, span, TIME_NAT));
    struct ir_instr *dividend = choose(r, is_bad, zero, span);
    struct ir_instr *divisor = choose(r, is_zero, rule_int(r, type_int64, 1), by);
    struct ir_instr *quotient =
            rule_binary_op(r, BINARY_FLOORDIV, type_int64, dividend, divisor);
    struct ir_instr *product =
            rule_binary_op(r, BINARY_MUL, type_int64, quotient, divisor);
    struct ir_instr *has_rest = rule_compare_op(r, COMPARE_NE, product, dividend);
    struct ir_instr *is_below = rule_binary_op(r, BINARY_XOR, type_bool,
            rule_compare_op(r, COMPARE_LT, dividend, zero),
            rule_compare_op(r, COMPARE_LT, divisor, zero));
    struct ir_instr *up = rule_binary_op(r, BINARY_AND, type_bool, has_rest, is_below);
    quotient = rule_binary_op(
            r, BINARY_ADD, type_int64, quotient, rule_cast(r, up, type_int64));
    r->value = nat_if(r, is_bad, quotient);
}

// Two spans: how often one goes into the other, or what is left over.
static void emit_ratio(struct rule *r, enum ir_binary op, const struct type *both)
{
    struct ir_instr *a = count_in(r, r->args[0], both);
    struct ir_instr *b = count_in(r, r->args[1], both);
    struct ir_instr *is_nat =
            either(r, is_count(r, a, TIME_NAT), is_count(r, b, TIME_NAT));
    if (op == BINARY_TRUEDIV) {
        r->value = choose(
                r, is_nat, real_constant(r, __builtin_nan("")), divide_reals(r, a, b));
        return;
    }
    struct ir_instr *zero = rule_int(r, type_int64, 0);
    struct ir_instr *is_bad = either(r, is_nat, is_count(r, b, 0));
    struct ir_instr *dividend = choose(r, is_bad, zero, a);
    struct ir_instr *divisor = choose(r, is_bad, rule_int(r, type_int64, 1), b);
    struct ir_instr *result = rule_binary_op(r, op, type_int64, dividend, divisor);
    r->value = op == BINARY_MOD ? nat_if(r, is_bad, result)
                                : choose(r, is_bad, zero, result);
}

static const struct type *product_type(
        enum ir_binary op, const struct type *a, const struct type *b)
{
    bool is_division = op == BINARY_TRUEDIV || op == BINARY_FLOORDIV;
    if (op == BINARY_MUL && is_delta(b) && is_factor(a))
        return b;
    if (!is_delta(a))
        return NULL;
    if (is_factor(b))
        return op == BINARY_MUL || is_division ? a : NULL;
    const struct type *both = is_delta(b) ? time_unify(a, b) : NULL;
    if (!both || (!is_division && op != BINARY_MOD))
        return NULL;
    return op == BINARY_TRUEDIV ? type_float64 : op == BINARY_MOD ? both : type_int64;
}

bool rule_time_binary(struct rule *r, enum ir_binary op)
{
    assert(rule_has_time(r));
    const struct type *a = rule_arg_type(r, 0), *b = rule_arg_type(r, 1);
    bool is_sum = op == BINARY_ADD || op == BINARY_SUB;
    if (is_sum) {
        a = as_time(a);
        b = as_time(b);
    }
    r->type = is_sum ? sum_type(op, a, b) : product_type(op, a, b);
    if (!r->type)
        return rule_no_match(r,
                "Dates and spans of time add up where their units go together; spans "
                "are multiplied and divided by numbers, and divided by spans.");
    if (!r->is_emitting)
        return true;
    if (is_sum)
        emit_sum(r, op, a, b);
    else if (op == BINARY_MUL)
        emit_product(r);
    else if (is_delta(b))
        emit_ratio(r, op, time_unify(a, b));
    else if (b->kind == TYPE_FLOAT)
        r->value = span_of_real(r, is_count(r, count_in(r, r->args[0], a), TIME_NAT),
                divide_reals(r, count_in(r, r->args[0], a), r->args[1]));
    else
        emit_share(r);
    return true;
}

// --- One operand

static bool needs_span(struct rule *r)
{
    return rule_no_match(r, "It takes a timedelta64, or a number.");
}

bool rule_time_unary(struct rule *r, enum ir_unary op)
{
    const struct type *type = rule_arg_type(r, 0);
    if (!is_delta(type) || (op != UNARY_NEGATIVE && op != UNARY_POSITIVE))
        return needs_span(r);
    r->type = type;
    if (!r->is_emitting)
        return true;
    struct ir_instr *count = count_in(r, r->args[0], type);
    r->value = op == UNARY_NEGATIVE ? negate(r, count) : rule_cast(r, count, type);
    return true;
}

static struct ir_instr *emit_abs(struct rule *r, struct ir_instr *count)
{
    struct ir_instr *zero = rule_int(r, type_int64, 0);
    struct ir_instr *is_below = rule_compare_op(r, COMPARE_LT, count, zero);
    struct ir_instr *below = choose(r, is_below, count, zero); // or it may not fit
    return choose(r, is_below, rule_cast(r, negate(r, below), type_int64), count);
}

// -1, 0 or 1 of the unit; of NaT, the least of numbers, -1 as in NumPy
static struct ir_instr *emit_sign(struct rule *r, struct ir_instr *count)
{
    struct ir_instr *zero = rule_int(r, type_int64, 0);
    struct ir_instr *above = rule_compare_op(r, COMPARE_GT, count, zero);
    struct ir_instr *below = rule_compare_op(r, COMPARE_LT, count, zero);
    return rule_binary_op(r, BINARY_SUB, type_int64, rule_cast(r, above, type_int64),
            rule_cast(r, below, type_int64));
}

// From a span to a span in the same unit: `emit` computes the count.
static bool map_span(
        struct rule *r, struct ir_instr *(*emit)(struct rule *r, struct ir_instr *count))
{
    const struct type *type = rule_arg_type(r, 0);
    if (!is_delta(type))
        return needs_span(r);
    r->type = type;
    if (r->is_emitting)
        r->value = rule_cast(r, emit(r, count_in(r, r->args[0], type)), type);
    return true;
}

bool rule_time_abs(struct rule *r)
{
    return map_span(r, emit_abs);
}

bool rule_time_sign(struct rule *r)
{
    return map_span(r, emit_sign);
}

bool rule_time_predicate(struct rule *r, enum ir_primitive predicate)
{
    const struct type *type = rule_arg_type(r, 0);
    if (predicate == PRIMITIVE_MATH_ISINF)
        return rule_do_constant(r, (struct constant){.type = type_bool, .integer = 0});
    r->type = type_bool;
    if (r->is_emitting) {
        struct ir_instr *value = rule_cast(r, r->args[0], type);
        r->value = rule_compare_op(r,
                predicate == PRIMITIVE_MATH_ISFINITE ? COMPARE_EQ : COMPARE_NE, value,
                value);
    }
    return true;
}

bool rule_np_isnat(struct rule *r)
{
    return is_time(rule_arg_type(r, 0))
                   ? rule_time_predicate(r, PRIMITIVE_MATH_ISNAN)
                   : rule_no_match(r, "It takes a datetime64 or a timedelta64.");
}

// --- Two operands

static struct ir_instr *in_common(
        struct rule *r, size_t i, const struct type *given, const struct type *both)
{
    return rule_cast(r, count_of(r, i, given, both), both);
}

bool rule_time_compare(struct rule *r, enum ir_compare op)
{
    assert(rule_has_time(r));
    const struct type *a = as_time(rule_arg_type(r, 0)),
                      *b = as_time(rule_arg_type(r, 1));
    const struct type *both = is_time(a) && is_time(b) ? type_unify(a, b) : NULL;
    if (!both)
        return rule_no_match(r,
                "Dates compare with dates, spans of time with spans whose units go "
                "together.");
    r->type = type_bool;
    if (r->is_emitting)
        r->value = rule_compare_op(
                r, op, in_common(r, 0, a, both), in_common(r, 1, b, both));
    return true;
}

bool rule_time_extreme(struct rule *r, bool is_least)
{
    const struct type *a = as_time(rule_arg_type(r, 0)),
                      *b = as_time(rule_arg_type(r, 1));
    r->type = is_time(a) && is_time(b) ? type_unify(a, b) : NULL;
    if (!r->type)
        return rule_no_match(r, "It takes two dates, or two spans of time.");
    if (!r->is_emitting)
        return true;
    struct ir_instr *left = in_common(r, 0, a, r->type);
    struct ir_instr *right = in_common(r, 1, b, r->type);
    struct ir_instr *is_nat = rule_compare_op(r, COMPARE_NE, left, left);
    struct ir_instr *is_left =
            rule_compare_op(r, is_least ? COMPARE_LT : COMPARE_GT, left, right);
    r->value = choose(r, either(r, is_nat, is_left), left, right);
    return true;
}

// --- Making them

bool rule_time_casts(const struct type *from, const struct type *to)
{
    if (is_time(from) && is_time(to))
        return time_converts_roughly(from, to);
    return (is_time(from) && type_is_number(to)) ||
           (is_time(to) && (is_factor(from) || from->kind == TYPE_BOOL));
}

// np.timedelta64[...](x): of an integer, or what converts exactly
bool rule_time_class(struct rule *r, const struct type *type)
{
    r->type = type;
    if (r->arg_count == 0) {
        r->value = r->is_emitting ? rule_zero(r, type) : NULL;
        return true;
    }
    const struct type *given = rule_arg_type(r, 0);
    bool converts = type_is_integer(given) ||
                    (is_time(given) && time_converts_roughly(given, type) &&
                            !(is_delta(given) && time_crosses_calendar(given, type)));
    if (r->arg_count != 1 || !converts)
        return rule_no_match(r, "It takes an integer, or a value of another unit.");
    if (r->is_emitting) {
        struct ir_instr *value = r->args[0];
        value = is_time(given) ? rule_cast(r, value, given)
                               : rule_cast(r, value, type_int64);
        r->value = rule_cast(r, value, type);
    }
    return true;
}

// The type in the unit that a call names; GENERIC where it names none.
static const struct type *unit_argument(struct rule *r)
{
    const struct constant *name = rule_has_arg(r, 1) ? rule_constant(r->args[1]) : NULL;
    enum time_unit unit = rule_has_arg(r, 1) ? TIME_NO_UNIT : TIME_GENERIC;
    int multiple = 1;
    if (name && name->type == type_string)
        unit = time_step_named(name->string.text, strlen(name->string.text), &multiple);
    if (unit != TIME_NO_UNIT)
        return type_time((int)unit, multiple, r->data);
    rule_no_match(r, "The unit is one of NumPy's, as a literal: 'D', 's', '15m'.");
    return NULL;
}

// np.datetime64("2020-01-31"), np.datetime64("NaT", "D")
static bool time_of_text(struct rule *r, const char *text, const struct type *wanted)
{
    enum time_unit unit;
    int64_t count;
    bool has_unit = wanted->time.unit != TIME_GENERIC;
    bool is_known = time_parse(text, strlen(text), &unit, &count) &&
                    (!r->data || count == TIME_NAT);
    if (is_known && has_unit)
        is_known = time_count_in(unit, count, wanted, &count);
    if (!is_known)
        return rule_no_match(r, r->data ? "The only text that it takes is 'NaT'."
                                        : "It takes a date as NumPy writes it.");
    const struct type *type = has_unit ? wanted : type_time((int)unit, 1, r->data);
    return rule_do_constant(r, (struct constant){.type = type, .integer = count});
}

// np.datetime64(x[, unit]) (data 0) and np.timedelta64(x[, unit]) (data 1)
bool rule_np_time(struct rule *r)
{
    const struct type *type = unit_argument(r);
    if (!type)
        return false;
    const struct constant *constant = rule_constant(r->args[0]);
    const struct type *given = rule_arg_type(r, 0);
    if (constant && constant->type == type_string)
        return time_of_text(r, constant->string.text, type);
    bool is_generic = type->time.unit == TIME_GENERIC;
    bool is_wrong_kind = is_time(given) && is_delta(given) != r->data;
    bool has_no_unit = !r->data && is_generic && !is_time(given);
    if (is_wrong_kind || has_no_unit)
        return rule_no_match(r, has_no_unit ? "A date made of a number needs a unit."
                                            : "Dates and spans do not convert.");
    r->arg_count = 1;
    return rule_time_class(r, is_time(given) && is_generic ? given : type);
}
