// SPDX-License-Identifier: MIT
// np.einsum: reads the subscripts while compiling, and describes each operand as a view
// over the axes of the result and those that are summed over.
#include <string.h>

#include "compiler/typing/infer/infer.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/arrays/arrays.h"

// Axes that an ellipsis stands for are labelled by digits, the last one by 9.
enum { MAX_LABELS = 32, MAX_OPERANDS = 8, MAX_DOTS = 10 };

struct einsum {
    char labels[MAX_LABELS + 1]; // of the result, then those summed over
    size_t kept, count;
    const char *operands[MAX_OPERANDS]; // their labels, lengths below
    size_t lengths[MAX_OPERANDS];
    size_t operand_count;
    size_t dots; // axes of the longest ellipsis
};

static bool wrong(struct rule *r, const char *help)
{
    return rule_fail(r, ERROR_TYPING, "einsum() subscripts: %s", help);
}

// Copies the subscripts without blanks, and splits them at commas and the arrow.
static const char *split(struct rule *r, const char *text, struct einsum *sum)
{
    char *copy = arena_strdup(&r->in->function->arena, text), *to = copy;
    for (const char *from = text; *from; from++)
        if (*from != ' ')
            *to++ = *from;
    *to = '\0';
    char *arrow = strstr(copy, "->");
    char *end = arrow ? arrow : copy + strlen(copy);
    for (char *start = copy; start <= end && sum->operand_count < MAX_OPERANDS;) {
        size_t len = strcspn(start, ",-");
        sum->operands[sum->operand_count] = start;
        sum->lengths[sum->operand_count++] = len;
        start += len + 1;
    }
    return arrow ? arrow + 2 : NULL;
}

static size_t occurrences(const struct einsum *sum, char label)
{
    size_t count = 0;
    for (size_t i = 0; i < sum->operand_count; i++)
        for (size_t k = 0; k < sum->lengths[i]; k++)
            count += sum->operands[i][k] == label;
    return count;
}

static bool is_label(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool has_dots(const char *labels, size_t len)
{
    return memchr(labels, '.', len) != NULL;
}

// The labels with digits for an ellipsis that stands for so many axes.
static bool expand(
        struct rule *r, const char **labels, size_t *len, size_t axes, const char *end)
{
    char *out = arena_array(&r->in->function->arena, char, *len + MAX_DOTS + 1);
    size_t count = 0, ellipses = 0;
    for (const char *c = *labels; c < end; c++) {
        bool is_ellipsis = end - c >= 3 && !strncmp(c, "...", 3);
        if (!is_label(*c) && (!is_ellipsis || ellipses++))
            return wrong(r, "each axis is a letter; one ellipsis may stand for others");
        for (size_t i = 0; is_ellipsis && i < axes; i++)
            out[count++] = (char)('0' + (MAX_DOTS - axes + i));
        if (is_ellipsis)
            c += 2;
        else
            out[count++] = *c;
    }
    out[count] = '\0';
    *labels = out;
    *len = count;
    return true;
}

static bool add_label(struct rule *r, struct einsum *sum, char label)
{
    if (sum->count == MAX_LABELS)
        return wrong(r, "too many different letters");
    sum->labels[sum->count++] = label;
    return true;
}

// The result's labels: those given, or in order of the alphabet those that occur once.
static bool find_result(struct rule *r, struct einsum *sum, const char *result)
{
    for (const char *c = result; c && *c; c++) {
        if (strchr(sum->labels, *c) || !occurrences(sum, *c))
            return wrong(
                    r, "a letter of the result occurs once there, and in an operand");
        if (!add_label(r, sum, *c))
            return false;
    }
    for (int c = '0'; !result && c <= 'z'; c++) {
        size_t count = occurrences(sum, (char)c);
        bool is_kept = is_digit((char)c) ? count > 0 : is_label((char)c) && count == 1;
        if (is_kept && !add_label(r, sum, (char)c))
            return false;
    }
    sum->kept = sum->count;
    for (size_t i = 0; i < sum->operand_count; i++)
        for (size_t k = 0; k < sum->lengths[i]; k++)
            if (!strchr(sum->labels, sum->operands[i][k]) &&
                    !add_label(r, sum, sum->operands[i][k]))
                return false;
    return true;
}

static bool read_operand(struct rule *r, struct einsum *sum, size_t i, size_t ndim)
{
    const char *labels = sum->operands[i];
    size_t len = sum->lengths[i];
    bool is_short = has_dots(labels, len);
    size_t letters = is_short && len >= 3 ? len - 3 : len;
    if (is_short ? ndim < letters || ndim - letters > MAX_DOTS : ndim != letters)
        return wrong(r, "an operand has another number of dimensions than letters");
    if (ndim - letters > sum->dots)
        sum->dots = ndim - letters;
    return expand(r, &sum->operands[i], &sum->lengths[i], ndim - letters, labels + len);
}

static bool read_subscripts(struct rule *r, struct einsum *sum)
{
    const struct constant *text = rule_constant(r->args[0]);
    if (!text || text->type != type_string)
        return rule_no_match(r, "The subscripts must be a literal string.");
    const char *result = split(r, text->string.text, sum);
    if (sum->operand_count != r->arg_count - 1)
        return wrong(r, "there are more or fewer operands than subscripts");
    for (size_t i = 0; i < sum->operand_count; i++) {
        const struct type *type = rule_arg_type(r, i + 1);
        if (type->kind != TYPE_ARRAY || !type_is_number(type->element))
            return rule_no_match(r, "The operands are arrays of numbers.");
        if (!read_operand(r, sum, i, (size_t)type->array.ndim))
            return false;
    }
    size_t len = result ? strlen(result) : 0;
    if (result && sum->dots && !has_dots(result, len))
        return wrong(r, "the result needs an ellipsis, too");
    if (result && !expand(r, &result, &len, sum->dots, result + len))
        return false;
    return find_result(r, sum, result);
}

static const struct type *integers(size_t len)
{
    const struct type *items[MAX_LABELS];
    for (size_t i = 0; i < len; i++)
        items[i] = type_int64;
    return type_tuple(items, len);
}

static const struct type *view_type(struct rule *r, const struct einsum *sum, size_t i)
{
    const struct type *array = rule_arg_type(r, i + 1);
    return type_array_in(array->element, (int)sum->count, LAYOUT_A,
            array->array.is_readonly, array->array.is_aligned,
            array->array.address_space);
}

static struct ir_instr *attribute(struct rule *r, enum ir_primitive primitive, size_t i)
{
    const struct type *type = rule_arg_type(r, i + 1);
    struct ir_instr *array = rule_cast(r, r->args[i + 1], type);
    return rule_primitive(r, primitive, integers((size_t)type->array.ndim), &array, 1);
}

static struct ir_instr *longer(
        struct rule *r, struct ir_instr *length, struct ir_instr *here)
{
    struct ir_instr *is_one =
            rule_compare_op(r, COMPARE_EQ, length, rule_int(r, type_int64, 1));
    struct ir_instr *operands[] = {is_one, here, length};
    return rule_primitive(r, PRIMITIVE_SELECT, type_int64, operands, 3);
}

// The length of a label's axis: where it first occurs with another than 1. The others are
// checked by broadcasting the operands to it.
static struct ir_instr *label_length(struct rule *r, const struct einsum *sum, char label)
{
    struct ir_instr *length = rule_int(r, type_int64, 1);
    for (size_t i = 0; i < sum->operand_count; i++)
        for (size_t k = 0; k < sum->lengths[i]; k++)
            if (sum->operands[i][k] == label)
                length = longer(r, length,
                        rule_tuple_get(r, attribute(r, PRIMITIVE_ARRAY_SHAPE, i), k));
    return length;
}

// Axes of one operand that have one label are its diagonal: they have one length, though
// that of another operand may be 1.
static bool check_diagonals(struct rule *r, const struct einsum *sum)
{
    struct source *source = infer_library(r->in, "einsum.check_diagonal");
    struct signature signature = {.params = integers(3)->tuple.items, .param_count = 3};
    struct ir_function *check = source ? rule_library_callee(r, source, signature) : NULL;
    if (!check)
        return false;
    for (size_t i = 0; i < sum->operand_count && r->is_emitting; i++)
        for (size_t k = 0; k < sum->lengths[i]; k++) {
            const char *first = strchr(sum->operands[i], sum->operands[i][k]);
            if (first == &sum->operands[i][k])
                continue;
            struct ir_instr *shape = attribute(r, PRIMITIVE_ARRAY_SHAPE, i);
            struct ir_instr *args[] = {rule_int(r, type_int64, (int64_t)i),
                    rule_tuple_get(r, shape, (size_t)(first - sum->operands[i])),
                    rule_tuple_get(r, shape, k)};
            rule_emit(r, IR_CALL_DIRECT, check->returns, args, 3)->callee = check;
        }
    return true;
}

// The view of operand i over all labels: a repeated label walks the diagonal.
static struct ir_instr *emit_view(struct rule *r, const struct einsum *sum, size_t i,
        struct ir_instr *const *lengths)
{
    const struct type *type = rule_arg_type(r, i + 1);
    struct ir_instr *strides[MAX_LABELS], *own[MAX_LABELS];
    // lengths that differ are an error: a broadcast to the labels' lengths finds it
    for (size_t k = 0; k < sum->lengths[i]; k++)
        own[k] = lengths[strchr(sum->labels, sum->operands[i][k]) - sum->labels];
    struct ir_instr *operands[4] = {
            rule_cast(r, r->args[i + 1], type), rule_tuple(r, own, sum->lengths[i])};
    const struct type *stretched = type_array_in(type->element, type->array.ndim,
            LAYOUT_A, true, type->array.is_aligned, type->array.address_space);
    struct ir_instr *checked =
            rule_primitive(r, PRIMITIVE_ARRAY_BROADCAST, stretched, operands, 2);
    struct ir_instr *steps = rule_primitive(
            r, PRIMITIVE_ARRAY_STRIDES, integers((size_t)type->array.ndim), &checked, 1);
    for (size_t label = 0; label < sum->count; label++) {
        strides[label] = rule_int(r, type_int64, 0);
        for (size_t k = 0; k < sum->lengths[i]; k++)
            if (sum->operands[i][k] == sum->labels[label])
                strides[label] = rule_binary_op(r, BINARY_ADD, type_int64, strides[label],
                        rule_tuple_get(r, steps, k));
    }
    operands[1] = rule_int(r, type_int64, 0);
    operands[2] = rule_tuple(r, lengths, sum->count);
    operands[3] = rule_tuple(r, strides, sum->count);
    return rule_primitive(r, PRIMITIVE_ARRAY_STRIDED, view_type(r, sum, i), operands, 4);
}

bool rule_np_einsum(struct rule *r)
{
    struct einsum sum = {0};
    if (!read_subscripts(r, &sum))
        return false;
    const struct type *views[MAX_OPERANDS];
    for (size_t i = 0; i < sum.operand_count; i++)
        views[i] = view_type(r, &sum, i);
    const struct type *params[] = {type_tuple(views, sum.operand_count),
            integers(sum.kept), integers(sum.count - sum.kept)};
    struct source *source = infer_library(r->in, "einsum.einsum");
    if (!source)
        return false;
    struct signature signature = {.params = params, .param_count = 3};
    struct ir_function *callee = rule_library_callee(r, source, signature);
    if (!callee)
        return false;
    r->type = callee->returns;
    if (!check_diagonals(r, &sum))
        return false;
    if (!r->is_emitting)
        return true;
    struct ir_instr *lengths[MAX_LABELS], *operands[MAX_OPERANDS];
    for (size_t i = 0; i < sum.count; i++)
        lengths[i] = label_length(r, &sum, sum.labels[i]);
    for (size_t i = 0; i < sum.operand_count; i++)
        operands[i] = emit_view(r, &sum, i, lengths);
    struct ir_instr *args[] = {rule_tuple(r, operands, sum.operand_count),
            rule_tuple(r, lengths, sum.kept),
            rule_tuple(r, lengths + sum.kept, sum.count - sum.kept)};
    r->value = rule_emit(r, IR_CALL_DIRECT, callee->returns, args, 3);
    r->value->callee = callee;
    return true;
}
