// SPDX-License-Identifier: MIT
// A fused function is one of numbers, whose name says what it does:
// "fused:numpy.add(numpy.multiply(0,#i2),1)", the numbers being positions of
// arguments. What follows # is a literal of the program, which takes no argument's place:
// an integer, or the bits of a float.
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/frontend/ufunc_names.h"
#include "compiler/typing/infer/infer.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/arrays/arrays.h"

enum { MAX_NAME = 600, UNKNOWN_INDEX = 1 << 20 };

void fused_append(struct str *out, const char *function, size_t count,
        const struct fused_place *places)
{
    if (!str_starts_with(function, FUSED_PREFIX)) {
        str_printf(out, "%s(", function);
        for (size_t i = 0; i < count; i++)
            str_printf(out, i ? ",%s" : "%s", places[i].text);
        str_append(out, ")");
        return;
    }
    const char *text = function + strlen(FUSED_PREFIX);
    for (char before = '('; *text; before = text[-1]) {
        bool is_position =
                (before == '(' || before == ',') && isdigit((unsigned char)*text);
        if (!is_position) {
            str_append_bytes(out, text++, 1);
            continue;
        }
        char *end;
        str_append(out, places[strtoul(text, &end, 10)].text);
        text = end;
    }
}

bool fused_takes_literals(const char *function)
{
    return str_starts_with(function, "numpy.") && !strstr(function, "power");
}

// Writes the literal that the operand is; false if it is none, or none of the usual
// types.
bool fused_literal(const struct ir_instr *operand, struct fused_place *place)
{
    const struct constant *constant = &operand->constant;
    size_t size = sizeof place->text;
    if (operand->op != IR_CONST || rule_value_type(operand->type) != constant->type)
        return false;
    if (constant->type == type_int64)
        snprintf(place->text, size, "#i%lld", (long long)constant->integer);
    else if (constant->type == type_float64)
        snprintf(
                place->text, size, "#f%" PRIx64, (uint64_t)constant->integer); // its bits
    else
        return false;
    return true;
}

static struct constant read_literal(const char **text)
{
    char kind = (*text)[1], *end;
    uint64_t bits = kind == 'i' ? (uint64_t)strtoll(*text + 2, &end, 10)
                                : strtoull(*text + 2, &end, 16);
    *text = end;
    // of a float's bits, too: they lie where its number does
    struct constant constant = {.type = kind == 'i' ? type_int64 : type_float64};
    constant.integer = (int64_t)bits;
    return constant;
}

// A value that stands for one of the type while nothing is emitted.
static struct ir_instr *placeholder(struct rule *r, const struct type *type)
{
    struct ir_instr *value = arena_new(&r->in->function->arena, struct ir_instr);
    *value = (struct ir_instr){.op = IR_ARG, .type = type, .index = UNKNOWN_INDEX};
    return value;
}

static bool apply(struct rule *r, const char *name)
{
    if (str_starts_with(name, UFUNC_PREFIX)) {
        struct source *source = ufunc_find(name);
        return source ? rule_call_source(r, source, r->args, r->arg_count, 0)
                      : rule_fail(r, ERROR_TYPING, "this ufunc does not exist any more");
    }
    const struct builtin *builtin = rule_find_builtin(r, name);
    if (!builtin)
        return rule_fail(r, ERROR_TYPING, "Unknown function '%s'", name);
    const char *dot = strrchr(name, '.');
    r->name = dot ? dot + 1 : name;
    r->data = builtin->data;
    return builtin->library ? rule_library(r, builtin->library) : builtin->rule(r);
}

// The value of the expression that *text starts with; NULL while its type is unknown, or
// with an error.
static struct ir_instr *evaluate(struct rule *r, const char **text)
{
    if (isdigit((unsigned char)**text)) {
        char *end;
        unsigned long position = strtoul(*text, &end, 10);
        *text = end;
        return position < r->arg_count ? r->args[position] : NULL;
    }
    if (**text == '#') {
        struct constant literal = read_literal(text);
        return r->is_emitting ? rule_constant_of(r, literal.type, literal)
                              : placeholder(r, literal.type);
    }
    char name[MAX_NAME];
    size_t len = strcspn(*text, "(");
    snprintf(name, sizeof name, "%.*s", (int)len, *text);
    *text += len;
    struct ir_instr *args[FUSED_OPERANDS] = {NULL};
    size_t count = 0;
    while (**text != ')') {
        ++*text;
        if (!(args[count++] = evaluate(r, text)))
            return NULL;
    }
    ++*text;
    struct rule inner = {.in = r->in,
            .instr = r->instr,
            .args = args,
            .arg_count = count,
            .is_emitting = r->is_emitting};
    if (!apply(&inner, name) || !inner.type)
        return NULL;
    return r->is_emitting ? inner.value : placeholder(r, inner.type);
}

bool rule_fused(struct rule *r, const char *name)
{
    const char *text = name + strlen(FUSED_PREFIX);
    r->args = r->instr->operands + 1;
    r->arg_count = r->instr->operand_count - 1;
    struct ir_instr *value = evaluate(r, &text);
    if (!value)
        return r->in->err->kind == ERROR_NONE;
    r->type = value->type;
    r->value = r->is_emitting ? value : NULL;
    return true;
}
