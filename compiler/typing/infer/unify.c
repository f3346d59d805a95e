// SPDX-License-Identifier: MIT
// What the paths of a function give as one, and what is said of values that cannot have
// one type, and of the lines they are from.
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "compiler/typing/infer/infer.h"
#include "compiler/typing/infer/rule.h"

// A value as it comes to where paths meet.
struct origin {
    const struct ir_instr *value;
    int line; // of the assignment; 0: unknown
};

// A walk over what comes to a phi, through other phis.
struct origins {
    struct infer *in;
    const struct type *against; // the first value that cannot be of one type with this
    bool *is_seen;              // phis, by id
};

static int line_of(const struct ir_instr *value, int line)
{
    return line ? line : value->span.line;
}

static bool is_taken(struct infer *in, const struct ir_instr *phi, size_t i)
{
    return infer_edge_is_taken(in, phi->block->predecessors.items[i], phi->block);
}

static bool find_in_phi(
        const struct origins *search, const struct ir_instr *phi, struct origin *out);

static bool find_origin(const struct origins *search, const struct ir_instr *value,
        int line, struct origin *out)
{
    if (value->op == IR_PHI && !line)
        return find_in_phi(search, value, out);
    if (!value->type || type_unify(value->type, search->against))
        return false;
    *out = (struct origin){value, line_of(value, line)};
    return true;
}

static bool find_in_phi(
        const struct origins *search, const struct ir_instr *phi, struct origin *out)
{
    if (search->is_seen[phi->id])
        return false;
    search->is_seen[phi->id] = true;
    const struct ir_assigned *assigned = phi->assigned;
    for (size_t i = 0; assigned && i < assigned->len; i++)
        if (find_origin(search, assigned->values[i], assigned->lines[i], out))
            return true;
    for (size_t i = 0; i < phi->operand_count; i++)
        if (is_taken(search->in, phi, i) && find_origin(search, phi->operands[i],
                                                    phi->lines ? phi->lines[i] : 0, out))
            return true;
    return false;
}

// Of the values that come to `phi` (`line`: to its operand, assigned there) the first
// that has no type in common with `against`; or `value` itself.
static struct origin origin_of(struct infer *in, const struct ir_instr *value, int line,
        const struct type *against)
{
    struct origin found = {value, line};
    bool *is_seen = memory_zalloc((size_t)in->function->next_id + 1);
    const struct origins search = {in, against, is_seen};
    find_origin(&search, value, line, &found);
    free(is_seen);
    return found;
}

static void describe_lines(int one, int other, char *out, size_t size)
{
    if (one && one == other)
        snprintf(out, size, " Both values are from line %d.", one);
    else if (one && other)
        snprintf(out, size, " The values are from the lines %d and %d.", one, other);
}

// The operand that has a type, as a literal shows more of it than the type.
static const struct ir_instr *operand_of_type(
        const struct ir_instr *phi, const struct type *type)
{
    for (size_t i = 0; i < phi->operand_count; i++)
        if (phi->operands[i]->type == type)
            return phi->operands[i];
    return NULL;
}

bool infer_refuse_to_unify(struct infer *in, const struct ir_instr *phi,
        const struct type *type, const struct ir_instr *other, int other_line)
{
    const struct ir_instr *one = operand_of_type(phi, type);
    struct origin first = origin_of(in, phi, 0, other->type),
                  second = origin_of(in, other, other_line, type);
    char where[64] = "";
    if (first.value != phi)
        describe_lines(
                first.line, line_of(second.value, second.line), where, sizeof where);
    struct str first_text = {0}, second_text = {0};
    if (one)
        rule_describe(one, &first_text);
    else
        str_append(&first_text, type->name);
    rule_describe(other, &second_text);
    error_set(in->err, ERROR_TYPING, phi->span,
            "Cannot unify %s and %s for %s, defined at %s (%d)\n\n%s must have one type "
            "wherever paths of the program meet.%s",
            str_text(&first_text), str_text(&second_text), infer_name_of(in, phi),
            phi->span.file ? phi->span.file : "?", phi->span.line,
            phi->variable ? "A variable" : "An expression", where);
    str_finish(&first_text);
    str_finish(&second_text);
    return false;
}

static bool refuse_to_return(struct infer *in, const struct ir_instr *instr,
        const struct type *returns, const struct type *type)
{
    char where[64] = "";
    for (size_t i = 0; i < in->function->blocks.len && !*where; i++) {
        const struct ir_instr *last = in->function->blocks.items[i]->last;
        if (!last || last->op != IR_RETURN || last == instr)
            continue;
        const struct type *returned = last->operands[0]->type;
        if (returned && !type_unify(returned, type))
            snprintf(where, sizeof where, " Line %d returns %.40s.", last->span.line,
                    returned->name);
    }
    if (in->source->options.is_library) // its lines are no lines of the program
        return error_set(in->err, ERROR_TYPING, instr->span,
                "Can't unify return type from the following types: %s, %s\n\nThe type "
                "of the result would depend on values that are known when it runs.",
                returns->name, type->name);
    return error_set(in->err, ERROR_TYPING, instr->span,
            "Can't unify return type from the following types: %s, %s\n\nAll return "
            "statements must give values of one type.%s",
            returns->name, type->name, where);
}

// --- What a function returns, or yields

// What the round found out of what the function gives: of a recursion the first of it at
// once, the rest when the round has seen all paths.
void infer_note_given(struct infer *in)
{
    struct ir_function *function = in->function;
    const struct type *given = in->given;
    if (given && function->is_generator) {
        function->yields = given;
        given = type_generator(
                in->source, function->params, function->param_count, given);
    }
    if (!given || given == function->returns)
        return;
    in->changed = true;
    function->returns = given;
}

// Adds to what the paths seen in this round give, which is what their types have in
// common. They may have nothing in common yet, as where a list's items are still found
// out; false where they never will.
static bool join(struct infer *in, const struct type *type)
{
    const struct type *unified = in->given ? type_unify(in->given, type) : type;
    in->has_conflict = in->has_conflict || !unified;
    if (!unified)
        return !in->is_final;
    in->given = unified;
    if (!in->function->returns)
        infer_note_given(in);
    return true;
}

// The values of all yields have one type.
bool infer_yield(struct infer *in, const struct ir_instr *instr)
{
    if (in->target != TARGET_HOST)
        return error_set(in->err, ERROR_UNSUPPORTED, instr->span,
                "'yield' is not supported in CUDA code.");
    const struct type *type = instr->operands[0]->type;
    return join(in, type) || error_set(in->err, ERROR_TYPING, instr->span,
                                     "Can't unify yield type from the following types: "
                                     "%s, %s\n\nAll yields "
                                     "of a function must give values of one type.",
                                     in->given->name, type->name);
}

// A declared type is not changed by what is returned; one that is found out is what all
// returns have in common. Of a recursion it is not known before some path returns without
// one.
bool infer_return(struct infer *in, const struct ir_instr *instr)
{
    if (in->function->is_generator)
        return true;
    const struct type *type = instr->operands[0]->type;
    if (!in->declared)
        return type_is_incomplete(type) || join(in, type) ||
               refuse_to_return(in, instr, in->given, type);
    return type_conversion(type, in->declared) != CONVERT_NEVER ||
           error_set(in->err, ERROR_TYPING, instr->span,
                   "No conversion from %s to %s for the return value, which the "
                   "signature declares as %s",
                   type->name, in->declared->name, in->declared->name);
}
