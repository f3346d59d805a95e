// SPDX-License-Identifier: MIT
// Parameters whose values `literally` asks for: the function is compiled for each of them
// anew, and the parameter is a constant in it. So is one that is left out, of its
// default.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/typing/infer/infer.h"
#include "compiler/typing/infer/rule.h"

enum { MAX_LITERAL_PARAMS = 64 };

static void settle_tuple(
        struct arena *arena, const struct type *type, struct constant *constant)
{
    assert(type->kind == TYPE_LITERAL && type->element->kind == TYPE_TUPLE);
    size_t len = type->element->tuple.len;
    struct constant *items = arena_array(arena, struct constant, len + 1);
    char *text = (char *)type->function;
    for (size_t i = 0; i < len; i++) {
        items[i].type = type->element->tuple.items[i];
        items[i].integer = strtoll(text, &text, 10);
        text += *text == ',';
    }
    constant->tuple.items = items;
    constant->tuple.len = len;
}

bool literal_ask(struct infer *in, const struct ir_instr *value, const char *name,
        struct span span)
{
    if (value->op != IR_ARG || value->index >= MAX_LITERAL_PARAMS ||
            in->source->options.is_library)
        return error_set(in->err, ERROR_TYPING, span,
                "Cannot request literal type.\n\n%s needs a value that is known when the "
                "code is compiled: a literal, a global, or an argument of the function, "
                "for each of whose values it is compiled anew.",
                name);
    in->source->literal_params |= 1ULL << value->index;
    in->source->hoped_literals &= ~(1ULL << value->index);
    in->session->wants_literals = true;
    return error_set(in->err, ERROR_TYPING, span, "%s needs a literal", name);
}

bool literal_ask_parts(struct infer *in, const struct ir_instr *value, const char *name,
        struct span span)
{
    int64_t known;
    if (in->session->stack.items[0] == in || rule_constant_int(value, &known))
        return false;
    if (value->op == IR_BINARY || value->op == IR_INPLACE)
        return literal_ask_parts(in, value->operands[0], name, span) ||
               literal_ask_parts(in, value->operands[1], name, span);
    if (value->op == IR_GETITEM && value->operands[0]->type->kind == TYPE_TUPLE)
        return literal_ask_parts(in, value->operands[0], name, span);
    if (value->op != IR_ARG || value->type->kind == TYPE_LITERAL)
        return false;
    error_clear(in->err);
    literal_ask(in, value, name, span);
    return in->session->wants_literals;
}

bool rule_settle_dtype(struct rule *r, const struct ir_instr *value)
{
    if (value->type != type_string || rule_constant(value) ||
            r->in->target != TARGET_HOST || r->in->source->options.is_library)
        return true;
    return literal_ask(r->in, value,
            arena_printf(&r->in->function->arena,
                    "`dtype` of %s(), on which the type of the result depends,", r->name),
            r->instr->span);
}

bool literal_hope(struct infer *in, const struct ir_instr *value, const char *name,
        struct span span)
{
    const struct type *type = value->type;
    bool is_plain = value->op == IR_ARG && value->index < MAX_LITERAL_PARAMS &&
                    (type == type_string || type == type_bool || type == type_int64);
    if (!is_plain || in->session->stack.items[0] == in ||
            in->source->literal_params >> value->index & 1)
        return false;
    error_clear(in->err);
    literal_ask(in, value, name, span);
    if (in->session->wants_literals)
        in->source->hoped_literals |= 1ULL << value->index;
    return in->session->wants_literals;
}

bool literal_has_all(
        const struct source *source, const struct type *const *params, struct error *err)
{
    for (size_t i = 0; i < source->param_count && i < MAX_LITERAL_PARAMS; i++)
        if ((source->literal_params & ~source->hoped_literals) >> i & 1 &&
                params[i]->kind != TYPE_LITERAL)
            return error_set(err, ERROR_TYPING, SPAN_NONE,
                    "Cannot request literal type.\n\nThe argument '%s' of %s is compiled "
                    "for its value (literally): it must be an int, a bool or a str, not "
                    "%s.",
                    source->params[i].name, source->name, params[i]->name);
    return true;
}

void literal_settle(struct ir_function *function)
{
    ir_each_instr(instr, function->blocks.items[0])
    {
        if (instr->op != IR_ARG)
            continue;
        const struct type *type = function->params[instr->index];
        if (type->kind == TYPE_OMITTED) {
            instr->constant = function->source->params[instr->index].default_value;
            instr->op = IR_CONST;
            continue;
        }
        if (type->kind != TYPE_LITERAL || !type->element)
            continue;
        instr->op = IR_CONST;
        instr->constant = (struct constant){.type = type->element};
        if (type->element == type_string) {
            instr->constant.string.text = type->function;
            instr->constant.string.len = strlen(type->function);
        } else if (type->element->kind == TYPE_TUPLE) {
            settle_tuple(&function->arena, type, &instr->constant);
        } else if (type->element == type_bool) {
            instr->constant.integer = type->function[0] == 'T';
        } else {
            instr->constant.integer = strtoll(type->function, NULL, 10);
        }
    }
}
