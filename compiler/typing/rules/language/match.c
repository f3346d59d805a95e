// SPDX-License-Identifier: MIT
// What a match statement asks about the type of its subject; types alone answer it.
#include <string.h>

#include "compiler/typing/builtins.h"
#include "compiler/typing/rules/containers/objects.h"

// Types of one family can be equal; those of two never are.
static int family_of(const struct type *type)
{
    switch (type->kind) {
    case TYPE_BOOL:
    case TYPE_INT:
    case TYPE_FLOAT:
    case TYPE_COMPLEX:
        return TYPE_INT;
    default:
        return type->kind;
    }
}

static bool is_comparable(const struct type *subject, const struct type *value)
{
    subject = rule_value_type(subject);
    value = rule_value_type(value);
    if (subject->kind == TYPE_INSTANCE || value->kind == TYPE_INSTANCE)
        return true;
    if (subject->kind == TYPE_ARRAY || value->kind == TYPE_ARRAY)
        return type_is_number(subject) || type_is_number(value);
    return family_of(subject) == family_of(value);
}

static bool is_mapping(const struct type *subject, const struct type *key)
{
    return subject->kind == TYPE_DICT &&
           (!key || !subject->element || is_comparable(subject->element, key));
}

static bool is_sequence(const struct type *type)
{
    return type->kind == TYPE_TUPLE || type->kind == TYPE_LIST ||
           type->kind == TYPE_RANGE;
}

// Of an optional value nothing is known but what its own type tells.
static bool answer(enum match_question question, struct ir_instr *const *args,
        size_t count, int64_t *out)
{
    for (size_t i = 0; i < count; i++)
        if (!args[i]->type)
            return false;
    const struct type *subject = args[0]->type;
    const struct type *value = count > 1 ? args[1]->type : NULL;
    *out = question == MATCH_COMPARABLE ? is_comparable(subject, value)
           : question == MATCH_MAPPING  ? is_mapping(subject, value)
                                        : is_sequence(subject);
    return true;
}

bool rule_known_match(const struct ir_instr *call, int64_t *out)
{
    const struct type *callee = call->operands[0]->type;
    if (!callee || callee->kind != TYPE_FUNCTION || !callee->function ||
            strncmp(callee->function, "gridcell.match_", 15) != 0)
        return false;
    return answer((enum match_question)builtin_find(callee->function)->data,
            call->operands + 1, call->operand_count - 1, out);
}

bool rule_match(struct rule *r)
{
    int64_t truth = 0;
    if (!answer((enum match_question)r->data, r->args, r->arg_count, &truth))
        return true;
    return rule_do_constant(r, (struct constant){.type = type_bool, .integer = truth});
}
