// SPDX-License-Identifier: MIT
// Calls, methods, attributes and operators that the program overloads: each asks which
// source the program has for these types, and calls it.
#include <stdlib.h>
#include <string.h>

#include "compiler/types/object_class.h"
#include "compiler/typing/infer/overload.h"
#include "compiler/typing/infer/rule.h"

bool rule_overloaded_operator(
        struct rule *r, const char *name, struct ir_instr **args, bool *is_done)
{
    struct source *overloaded = overload_of_operator(name);
    if (!overloaded)
        return true;
    struct overload_question *question =
            overload_question_create(OVERLOAD_CALL, args, r->arg_count, NULL);
    question->overloaded = overloaded;
    question->is_parallel = r->in->source->options.parallel;
    const struct overload_reply *reply = overload_ask(r, question);
    if (!reply)
        return false;
    if (!reply->source)
        return true;
    r->name = overloaded->name;
    *is_done = rule_call_source(r, reply->source, args, r->arg_count, 0);
    return *is_done;
}

bool rule_overloaded(struct rule *r, struct source *overloaded)
{
    struct ir_instr **args = r->instr->operands + 1;
    size_t count = r->instr->operand_count - 1;
    struct overload_question *question =
            overload_question_create(OVERLOAD_CALL, args, count, r->instr);
    question->overloaded = overloaded;
    question->is_parallel = r->in->source->options.parallel;
    r->name = overloaded->name;
    r->args = args;
    r->arg_count = count;
    const struct overload_reply *reply = overload_ask(r, question);
    if (!reply)
        return false;
    if (reply->source && r->is_emitting && reply->source->options.parallel)
        rule_note_parallel(r, "stencil", overloaded->name);
    if (reply->source)
        return rule_call_source(
                r, reply->source, args, count, r->instr->call.keyword_count);
    if (overloaded->builtin)
        return rule_call_builtin(r, overloaded->builtin);
    return rule_no_match(r, "No overload of it takes arguments of these types.");
}

static struct overload_question *attribute_question(
        enum overload_kind kind, struct rule *r, const struct type *type)
{
    struct overload_question *question = overload_question_create(kind, NULL, 0, NULL);
    question->count = 1;
    question->types[0] = type;
    free((void *)question->constants);
    question->constants = memory_zalloc(sizeof *question->constants);
    question->name = r->name;
    return question;
}

bool rule_overloaded_attribute(struct rule *r, const struct type *type)
{
    const struct overload_reply *reply =
            overload_has_answers()
                    ? overload_ask(r, attribute_question(OVERLOAD_ATTRIBUTE, r, type))
                    : NULL;
    if (overload_has_answers() && !reply)
        return false;
    if (reply && reply->is_method) {
        r->type = type_method(type);
        return true;
    }
    if (reply && reply->source)
        return rule_call_source(r, reply->source, r->args, 1, 0);
    return rule_fail(
            r, ERROR_TYPING, "Unknown attribute '%s' of type %s", r->name, type->name);
}

bool rule_has_overloaded_method(const struct rule *r, const struct type *type)
{
    struct rule copy = *r;
    struct overload_question *question =
            attribute_question(OVERLOAD_ATTRIBUTE, &copy, type);
    const struct overload_reply *reply = overload_known(question);
    return reply && reply->is_method;
}

bool rule_overloaded_method(struct rule *r, const struct type *type)
{
    size_t count = r->instr->operand_count;
    struct ir_instr **args =
            arena_array(&r->in->function->arena, struct ir_instr *, count + 1);
    args[0] = r->receiver;
    memcpy(args + 1, r->instr->operands + 1, (count - 1) * sizeof *args);
    struct overload_question *question =
            overload_question_create(OVERLOAD_METHOD, args, count, r->instr);
    question->name = r->name;
    const struct overload_reply *reply = overload_ask(r, question);
    if (!reply)
        return false;
    if (!reply->source)
        return rule_no_match(r, "No overload of the method takes these arguments.");
    return rule_call_source(r, reply->source, args, count, r->instr->call.keyword_count);
}
