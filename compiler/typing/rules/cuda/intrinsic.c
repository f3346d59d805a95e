// SPDX-License-Identifier: MIT
// Regular intrinsics: their rows in compiler/types/intrinsics.def say what they take and
// give, so one rule serves them all.

#include <assert.h>
#include <string.h>

#include "compiler/types/intrinsics.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/cuda/cuda.h"

// What a code of a signature accepts, for the reader of an error.
static const char *accepted(char code)
{
    switch (code) {
    case 'W':
    case 'N':
        return "an integer";
    case 'R':
        return "an integer or a float";
    case 'B':
        return "a bool or a number";
    case 'F':
    case 'D':
        return "a real number";
    default:
        return "an integer or a bool";
    }
}

static bool accepts(char code, const struct type *given)
{
    if (code == 'W' || code == 'N')
        return given->kind == TYPE_INT;
    if (code == 'R' || code == 'F' || code == 'D')
        return type_is_integer(given) || given->kind == TYPE_FLOAT;
    if (code == 'B')
        return type_is_number(given) && given->kind != TYPE_COMPLEX;
    return type_is_integer(given);
}

static bool refuse(struct rule *r, const struct intrinsic *row, size_t i, char code)
{
    const char *name = row->params;
    for (size_t skipped = 0; skipped < i; skipped++)
        name += strcspn(name, " ") + 1;
    struct str help = {0};
    str_printf(&help, "'%.*s' must be %s, not %s.", (int)strcspn(name, " "), name,
            accepted(code), rule_arg_type(r, i)->name);
    rule_no_match(r, str_text(&help));
    str_finish(&help);
    return false;
}

// data: the row's primitive
bool rule_intrinsic(struct rule *r)
{
    enum ir_primitive primitive = (enum ir_primitive)r->data;
    const struct intrinsic *row = ir_intrinsic(primitive);
    assert(row && r->arg_count == intrinsic_operand_count(row)); // the table's counts
    if (row->effect != INTRINSIC_PURE && !rule_is_device(r))
        return false;
    const char *codes = row->signature + INTRINSIC_FIRST_OPERAND;
    const struct type *first = r->arg_count ? rule_arg_type(r, 0) : NULL;
    for (size_t i = 0; i < r->arg_count; i++)
        if (!accepts(codes[i], rule_arg_type(r, i)))
            return refuse(r, row, i, codes[i]);
    r->type = intrinsic_type(row->signature[0], first);
    if (!r->is_emitting)
        return true;
    struct ir_instr *operands[INTRINSIC_MOST_OPERANDS];
    for (size_t i = 0; i < r->arg_count; i++)
        operands[i] = rule_cast(r, r->args[i], intrinsic_type(codes[i], first));
    r->value = rule_primitive(r, primitive, r->type, operands, r->arg_count);
    return true;
}
