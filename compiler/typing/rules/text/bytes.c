// SPDX-License-Identifier: MIT
// bytes, and arrays whose items are texts of fixed length ('U5', 'S5').
#include <assert.h>
#include <string.h>

#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/text/text.h"

bool rule_bytes_getitem(struct rule *r)
{
    assert(rule_arg_type(r, 0) == type_bytes);
    const struct type *index = rule_arg_type(r, 1);
    bool is_slice = index->kind == TYPE_SLICE;
    if (!is_slice && !type_is_integer(index))
        return rule_no_match(r, "Bytes are indexed by an integer or a slice.");
    if (!rule_text_on_host(r))
        return false;
    r->type = is_slice ? type_bytes : type_int64;
    if (!r->is_emitting)
        return true;
    struct ir_instr *operands[] = {rule_cast(r, r->args[0], type_bytes),
            is_slice ? r->args[1] : rule_cast(r, r->args[1], type_int64)};
    r->value = is_slice ? rule_text_call(r, TEXT_SLICE, type_bytes, operands, 2)
                        : rule_primitive(r, PRIMITIVE_TEXT_ITEM, type_int64, operands, 2);
    return true;
}

// bytes + bytes, bytes * n, n * bytes
bool rule_bytes_binary(struct rule *r, enum ir_binary op)
{
    const struct type *a = rule_arg_type(r, 0), *b = rule_arg_type(r, 1);
    bool is_sum = op == BINARY_ADD && a == b;
    bool is_times = op == BINARY_MUL && b == type_bytes && type_is_integer(a);
    if (!is_sum && !is_times &&
            !(op == BINARY_MUL && a == type_bytes && type_is_integer(b)))
        return rule_no_match(r, "Bytes are joined with + and repeated with *.");
    if (!rule_text_on_host(r))
        return false;
    r->type = type_bytes;
    if (r->is_emitting) {
        struct ir_instr *operands[] = {rule_cast(r, r->args[is_times], type_bytes),
                rule_cast(r, r->args[!is_times], is_sum ? type_bytes : type_int64)};
        r->value = rule_text_call(
                r, is_sum ? TEXT_CONCAT : TEXT_REPEAT, type_bytes, operands, 2);
    }
    return true;
}

// bytes.decode() and str.encode(), in UTF-8
bool rule_text_coding(struct rule *r, const struct type *from)
{
    const struct constant *name = r->arg_count ? rule_constant(r->args[0]) : NULL;
    bool is_utf8 = !r->arg_count || (name && name->type == type_string &&
                                            (!strcmp(name->string.text, "utf-8") ||
                                                    !strcmp(name->string.text, "utf8")));
    if (r->arg_count > 1 || !is_utf8)
        return rule_no_match(r, "The encoding is UTF-8.");
    if (!rule_text_on_host(r))
        return false;
    r->type = from == type_bytes ? type_string : type_bytes;
    if (r->is_emitting) {
        struct ir_instr *text = rule_cast(r, r->receiver, from);
        r->value = rule_text_call(
                r, from == type_bytes ? TEXT_DECODE : TEXT_ENCODE, r->type, &text, 1);
    }
    return true;
}

// --- Methods, which are str's in calls.def

// Those whose answer is of the classes of characters.
bool rule_bytes_minds_class(const char *method)
{
    static const char *const names[] = {"capitalize", "isalnum", "isalpha", "isdigit",
            "islower", "isspace", "istitle", "isupper", "lower", "lstrip", "rsplit",
            "rstrip", "split", "strip", "swapcase", "title", "upper"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(method, names[i]))
            return true;
    return false;
}

bool rule_bytes_has_method(const char *name)
{
    static const char *const others[] = {"center", "count", "decode", "endswith",
            "expandtabs", "find", "hex", "index", "isascii", "join", "ljust", "partition",
            "removeprefix", "removesuffix", "replace", "rfind", "rindex", "rjust",
            "rpartition", "startswith", "zfill"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strcmp(name, others[i]))
            return true;
    return rule_bytes_minds_class(name);
}

bool rule_bytes_hex(struct rule *r)
{
    if (r->arg_count)
        return rule_no_match(r, "hex() takes no separator.");
    r->type = type_string;
    if (r->is_emitting) {
        struct ir_instr *bytes = rule_cast(r, r->receiver, type_bytes);
        r->value = rule_text_call(r, TEXT_HEX, type_string, &bytes, 1);
    }
    return true;
}

// number in bytes, bytes in bytes
bool rule_bytes_contains(struct rule *r)
{
    assert(rule_arg_type(r, 1) == type_bytes);
    const struct type *part = rule_arg_type(r, 0);
    bool is_negated = r->instr->compare == COMPARE_NOT_IN;
    if (part != type_bytes && !type_is_integer(part))
        return rule_no_match(r, "Bytes contain integers and bytes.");
    if (!rule_text_on_host(r))
        return false;
    r->type = type_bool;
    if (!r->is_emitting)
        return true;
    struct ir_instr *operands[] = {
            rule_cast(r, r->args[0], part == type_bytes ? part : type_int64),
            rule_cast(r, r->args[1], type_bytes)};
    if (part != type_bytes)
        operands[0] = rule_text_call(r, TEXT_BYTE, type_bytes, operands, 1);
    r->value = rule_text_call(r, TEXT_CONTAINS, type_bool, operands, 2);
    if (is_negated)
        r->value = rule_not_op(r, r->value);
    return true;
}

// bytes_of(row): the bytes that a row of uint8 holds
bool rule_library_bytes(struct rule *r)
{
    const struct type *row = rule_arg_type(r, 0);
    if (row->kind != TYPE_ARRAY || row->element != type_uint8 || row->array.ndim != 1 ||
            row->array.layout != LAYOUT_C)
        return rule_no_match(r, "It takes a contiguous row of uint8.");
    return rule_text_of(r, TEXT_FROM_ITEMS, type_bytes, row);
}

// --- Items of fixed length

static void emit_shape_of(struct rule *r, const struct type *cells, struct ir_instr **out)
{
    int width = cells->element == type_bytes ? 1 : 4;
    out[0] = rule_int(r, type_int64, cells->bits / (8 * width));
    out[1] = rule_int(r, type_int64, width);
}

// On a device only what is of the item's own kind: a constant that is not ASCII has no
// other way to say so.
bool rule_text_fits(
        const struct rule *r, const struct type *cells, const struct type *value)
{
    const struct type *text = rule_value_type(value);
    return text == cells->element ||
           (r->in->target == TARGET_HOST && text->kind == TYPE_STRING);
}

struct ir_instr *rule_cells_load(
        struct rule *r, struct ir_instr *item, const struct type *cells)
{
    assert(cells->kind == TYPE_CELLS);
    struct ir_instr *operands[3] = {item};
    emit_shape_of(r, cells, operands + 1);
    return rule_text_call(r, TEXT_FROM_CELLS, cells->element, operands, 3);
}

void rule_cells_store(struct rule *r, struct ir_instr *item, const struct type *cells,
        struct ir_instr *value)
{
    assert(cells->kind == TYPE_CELLS && rule_text_fits(r, cells, value->type));
    struct ir_instr *operands[5] = {item};
    emit_shape_of(r, cells, operands + 1);
    operands[3] = rule_cast(r, value, rule_value_type(value->type));
    operands[4] = rule_int(r, type_int64, operands[3]->type != cells->element);
    rule_text_call(r, TEXT_TO_CELLS, type_int64, operands, 5);
}
