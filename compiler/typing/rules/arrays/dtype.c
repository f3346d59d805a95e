// SPDX-License-Identifier: MIT
// Types that code speaks of: np.dtype("f4") and its attributes, and arrays of a type, as
// float64[:, ::1]; np.s_.

#include <string.h>

#include "compiler/types/abi.h"
#include "compiler/types/kinds.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/arrays/arrays.h"

bool rule_np_dtype(struct rule *r)
{
    const struct type *type = rule_dtype(r->args[0]);
    if (!type)
        return rule_no_match(r, "dtype() takes a type such as np.float32, or its name as "
                                "a literal, such as 'float32' or 'f4'.");
    return rule_do_constant(
            r, (struct constant){.type = type_class(type), .instance = type});
}

static bool is_none(const struct ir_instr *value)
{
    return value->type == type_none;
}

// `:` or `::1`
static bool is_full_slice(const struct ir_instr *part, bool *is_contiguous)
{
    int64_t step = 0;
    *is_contiguous = false;
    if (part->op != IR_BUILD_SLICE || part->operand_count < 2 ||
            !is_none(part->operands[0]) || !is_none(part->operands[1]))
        return false;
    if (part->operand_count < 3 || is_none(part->operands[2]))
        return true;
    *is_contiguous = rule_constant_int(part->operands[2], &step) && step == 1;
    return *is_contiguous;
}

bool rule_class_item(struct rule *r)
{
    if (r->is_emitting) // its index is taken apart by now
        return rule_do_constant(r, (struct constant){.type = r->instr->type,
                                           .instance = r->instr->type->element});
    struct ir_instr *index = r->args[1];
    bool is_tuple = index->op == IR_BUILD_TUPLE, is_first = false, is_last = false;
    size_t ndim = is_tuple ? index->operand_count : 1;
    bool is_good = ndim > 0;
    for (size_t i = 0; is_good && i < ndim; i++) {
        bool is_contiguous;
        is_good = is_full_slice(is_tuple ? index->operands[i] : index, &is_contiguous);
        is_first = is_first || (i == 0 && is_contiguous);
        is_last = is_contiguous;
    }
    if (!is_good)
        return rule_no_match(r, "A type indexed by ':' for each dimension is that of an "
                                "array: float64[:], float64[:, ::1].");
    enum array_layout layout = is_last ? LAYOUT_C : is_first ? LAYOUT_F : LAYOUT_A;
    const struct type *type =
            type_array(r->args[0]->type->element, (int)ndim, layout, false);
    return rule_do_constant(
            r, (struct constant){.type = type_class(type), .instance = type});
}

// --- Attributes of dtypes

static bool give_text(struct rule *r, const char *text)
{
    return rule_do_constant(r, (struct constant){.type = type_string,
                                       .string = {.text = text, .len = strlen(text)}});
}

// dtype.kind
static char kind_letter(const struct type *type)
{
    char letter = type_traits_of(type)->dtype;
    if (letter == 'i' && !type->is_signed)
        return 'u';
    if (letter == 'm' && !type->time.is_delta)
        return 'M';
    if (letter == 'S' && type->element != type_bytes)
        return 'U';
    return letter ? letter : 'V';
}

// dtype.char: of numbers, one for each width of what they consist of; else the kind's.
static char char_code(const struct type *type)
{
    static const struct {
        char letter, codes[5]; // of 8, 16, 32, 64 bits
    } widths[] = {
            {'b', "????"}, {'i', "bhil"}, {'u', "BHIL"}, {'f', " efd"}, {'c', "  FD"}};
    char letter = kind_letter(type);
    int bits = type->kind == TYPE_COMPLEX ? type->element->bits : type->bits;
    int width = bits <= 8 ? 0 : bits == 16 ? 1 : bits == 32 ? 2 : 3;
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        if (widths[i].letter == letter)
            return widths[i].codes[width];
    return letter;
}

static const char *short_name(struct rule *r, const struct type *type)
{
    size_t size = abi_size(type);
    bool is_byte = size == 1 || type->kind == TYPE_CELLS;
    if (type->kind == TYPE_CELLS && type->element != type_bytes)
        return arena_printf(&r->in->function->arena, "<U%zu", size / 4);
    return arena_printf(&r->in->function->arena, "%c%c%zu", is_byte ? '|' : '<',
            kind_letter(type), size);
}

static bool field_names(struct rule *r, const struct type *type)
{
    size_t len = type->record.len;
    struct arena *arena = &r->in->function->arena;
    const struct type **types = arena_array(arena, const struct type *, len + 1);
    struct ir_instr **items = arena_array(arena, struct ir_instr *, len + 1);
    for (size_t i = 0; i < len; i++) {
        const char *name = type->record.fields[i].name;
        types[i] = type_string;
        if (r->is_emitting)
            items[i] = rule_constant_of(r, type_string,
                    (struct constant){.type = type_string,
                            .string = {.text = name, .len = strlen(name)}});
    }
    r->type = type_tuple(types, len);
    if (r->is_emitting)
        r->value = rule_tuple(r, items, len);
    return true;
}

bool rule_has_dtype_attribute(const struct type *type, const char *name)
{
    static const char names[] = "name kind char str itemsize type names";
    size_t len = strlen(name);
    if (type->kind != TYPE_CLASS || !type->element)
        return false;
    const struct type *item = type->element;
    bool is_dtype =
            type_is_item(item) || item->kind == TYPE_CELLS || item->kind == TYPE_RECORD;
    for (const char *word = names; is_dtype && *word; word += strcspn(word, " ")) {
        word += *word == ' ';
        if (!strncmp(word, name, len) && strcspn(word, " ") == len)
            return strcmp(name, "names") != 0 || item->kind == TYPE_RECORD;
    }
    return false;
}

bool rule_dtype_attribute(struct rule *r, const struct type *class)
{
    const struct type *type = class->element;
    char letter[2] = {*r->name == 'k' ? kind_letter(type) : char_code(type), 0};
    if (!strcmp(r->name, "type")) { // a.dtype.type
        r->type = class;
        r->value = r->is_emitting ? rule_value(r, r->args[0]) : NULL;
        return true;
    }
    if (!strcmp(r->name, "names"))
        return field_names(r, type);
    if (!strcmp(r->name, "itemsize"))
        return rule_do_constant(r, (struct constant){.type = type_int64,
                                           .integer = (int64_t)abi_size(type)});
    if (!strcmp(r->name, "str"))
        return give_text(r, short_name(r, type));
    if (!strcmp(r->name, "name"))
        return give_text(r, type->name);
    return give_text(r, arena_printf(&r->in->function->arena, "%s", letter));
}

// --- np.s_ and np.index_exp

// What stands between their brackets, a value; data: whether in a tuple in any case.
bool rule_index_expression(struct rule *r, bool is_tuple)
{
    struct ir_instr *index = r->args[1];
    r->type = rule_arg_type(r, 1);
    if (is_tuple && r->type->kind != TYPE_TUPLE) {
        const struct type *item = r->type;
        r->type = type_tuple(&item, 1);
        r->value = r->is_emitting ? rule_tuple(r, &index, 1) : NULL;
        return true;
    }
    r->value = r->is_emitting ? rule_cast(r, index, r->type) : NULL;
    return true;
}
