// SPDX-License-Identifier: MIT
// Calls, methods, attributes and operators that the program overloads: each asks which
// source the program has for these types, and calls it.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/types/object_class.h"
#include "compiler/typing/infer/overload.h"
#include "compiler/typing/infer/rule.h"

static bool is_found(const struct overload_reply *reply)
{
    return reply->source || reply->literals;
}

// Calls what the reply names for these arguments. Those that the program wants as
// literals (ForceLiteralArg) are asked of the function that the call stands in.
static bool call_reply(struct rule *r, const struct overload_reply *reply,
        struct ir_instr **args, size_t count, size_t keyword_count)
{
    assert(is_found(reply) && !reply->is_method);
    if (!reply->literals)
        return rule_call_source(r, reply->source, args, count, keyword_count);
    for (size_t i = 0; i < count && i < 64; i++)
        if (reply->literals >> i & 1 && !rule_constant(args[i]))
            return literal_ask(r->in, args[i], r->name, r->instr->span);
    return rule_no_match(r, "Its overload asks for literals that it has already.");
}

// The arguments, but arrays of the program's own that may be None as their values: to ask
// about, or to call with, which fails where one is None.
static struct ir_instr **held_arrays(
        struct rule *r, struct ir_instr **args, size_t count, bool is_call)
{
    struct ir_instr **held =
            arena_array(&r->in->function->arena, struct ir_instr *, count + 1);
    for (size_t i = 0; i < count; i++) {
        const struct type *type = rule_value_type(args[i]->type);
        held[i] = type == args[i]->type || !type_has_own_array(type) ? args[i]
                  : is_call && r->is_emitting ? rule_cast(r, args[i], type)
                                              : rule_stand_in(r, type);
    }
    return held;
}

// An operator by what answers for it, or for all where own arrays are among the
// arguments.
static bool ask_operator(struct rule *r, struct source *overloaded, bool is_of_all,
        const char *name, struct ir_instr **args, bool *is_done)
{
    size_t count = r->arg_count;
    struct ir_instr **asked = is_of_all ? held_arrays(r, args, count, false) : args;
    struct overload_question *question =
            overload_question_create(OVERLOAD_CALL, asked, count, NULL);
    question->overloaded = overloaded;
    question->name = name;
    question->is_parallel = r->in->source->options.parallel;
    const struct overload_reply *reply = overload_ask(r, question);
    if (!reply)
        return false;
    if (!is_found(reply))
        return true;
    r->name = is_of_all ? name : overloaded->name;
    if (is_of_all)
        args = held_arrays(r, args, count, true);
    *is_done = call_reply(r, reply, args, count, 0);
    return *is_done;
}

// What the program has for the operator itself comes first.
bool rule_overloaded_operator(
        struct rule *r, const char *name, struct ir_instr **args, bool *is_done)
{
    struct source *known = overload_of_operator(name);
    struct source *of_all = overload_of_arrays(args, r->arg_count);
    if (known && !ask_operator(r, known, false, name, args, is_done))
        return false;
    return *is_done || !of_all || ask_operator(r, of_all, true, name, args, is_done);
}

// No overload takes the arguments: one may take the value of one of them.
static bool refuse_call(
        struct rule *r, struct ir_instr **args, size_t count, const char *hint)
{
    for (size_t i = 0; i < count; i++)
        if (literal_hope(r->in, args[i], r->name, r->instr->span))
            return false;
    return rule_no_match(r, hint);
}

// "sum" of "numpy.sum"
static const char *last_part(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot ? dot + 1 : name;
}

// A call by what the program has for its arguments: *is_done, where it has something.
// `name`: of the function, where `overloaded` answers for all.
static bool call_overloaded(
        struct rule *r, struct source *overloaded, const char *name, bool *is_done)
{
    struct ir_instr **args = r->instr->operands + 1;
    size_t count = r->instr->operand_count - 1;
    struct ir_instr **asked = name ? held_arrays(r, args, count, false) : args;
    struct overload_question *question =
            overload_question_create(OVERLOAD_CALL, asked, count, r->instr);
    question->overloaded = overloaded;
    question->name = name;
    question->is_parallel = r->in->source->options.parallel;
    r->name = last_part(name ? name : overloaded->name);
    r->args = args;
    r->arg_count = count;
    const struct overload_reply *reply = overload_ask(r, question);
    if (!reply)
        return false;
    if (reply->source && r->is_emitting && reply->source->options.parallel)
        rule_note_parallel(r, "call", r->name);
    *is_done = is_found(reply);
    if (*is_done && name)
        args = held_arrays(r, args, count, true);
    return !*is_done || call_reply(r, reply, args, count, r->instr->call.keyword_count);
}

// Numbers are made of numbers as ever: a program's overload is for other arguments.
bool rule_overloaded_class(struct rule *r, bool *is_done)
{
    struct source *overloaded = overload_of_operator(r->instr->operands[0]->type->name);
    bool is_own = !overloaded || r->in->source->options.is_library;
    for (size_t i = 1; !is_own && i < r->instr->operand_count; i++)
        if (!type_is_number(r->instr->operands[i]->type))
            return call_overloaded(r, overloaded, NULL, is_done);
    return true;
}

bool rule_overloaded_arrays(struct rule *r, const char *name, bool *is_done)
{
    struct source *overloaded =
            overload_of_arrays(r->instr->operands + 1, r->instr->operand_count - 1);
    return !overloaded || call_overloaded(r, overloaded, name, is_done);
}

bool rule_overloaded(struct rule *r, struct source *overloaded)
{
    bool is_done = false;
    if (!call_overloaded(r, overloaded, NULL, &is_done))
        return false;
    const char *builtin = overloaded->builtin;
    if (!is_done && builtin && !rule_overloaded_arrays(r, builtin, &is_done))
        return false;
    if (is_done)
        return true;
    if (builtin)
        return rule_call_builtin(r, builtin);
    return refuse_call(r, r->args, r->arg_count,
            "No overload of it takes arguments of these types.");
}

static struct overload_question *attribute_question(
        enum overload_kind kind, struct rule *r, const struct type *type)
{
    struct overload_question *question = overload_question_create(kind, NULL, 0, NULL);
    question->count = 1;
    question->types[0] = type;
    question->is_device = r->in->target != TARGET_HOST;
    free((void *)question->constants);
    question->constants = memory_zalloc(sizeof *question->constants);
    question->name = r->name;
    return question;
}

// Whether a type has an attribute does not depend on the value; what it is does, where
// its code asks for a literal.
static const struct overload_reply *ask_attribute(struct rule *r, const struct type *type)
{
    const struct overload_reply *reply =
            overload_ask(r, attribute_question(OVERLOAD_ATTRIBUTE, r, type));
    const struct constant *constant = rule_constant(r->args[0]);
    if (!reply || !reply->source || !reply->source->literal_params || !constant)
        return reply;
    struct overload_question *question =
            overload_question_create(OVERLOAD_ATTRIBUTE, r->args, 1, NULL);
    question->name = r->name;
    question->prefers_literals = true;
    return overload_ask(r, question);
}

bool rule_overloaded_attribute(struct rule *r, const struct type *type)
{
    const struct overload_reply *reply =
            overload_has_answers() ? ask_attribute(r, type) : NULL;
    if (overload_has_answers() && !reply)
        return false;
    if (reply && reply->is_method) {
        r->type = type_method(type);
        return true;
    }
    if (reply && is_found(reply))
        return call_reply(r, reply, r->args, 1, 0);
    return rule_fail(r, ERROR_TYPING, "Unknown attribute '%s' of type %s%s", r->name,
            type->name,
            type != type_caught
                    ? ""
                    : "\n\nCompiled code knows of an exception that it caught "
                      "its text, str(e), and its class, isinstance(e, "
                      "ValueError).");
}

bool rule_overloads_have(
        struct rule *r, const struct type *type, const char *name, bool *has)
{
    r->name = name;
    const struct overload_reply *reply = ask_attribute(r, type);
    *has = reply && (reply->is_method || is_found(reply));
    return reply != NULL;
}

bool rule_has_overloaded_method(const struct rule *r, const struct type *type)
{
    struct rule copy = *r;
    struct overload_question *question =
            attribute_question(OVERLOAD_ATTRIBUTE, &copy, type);
    const struct overload_reply *reply = overload_known(question);
    return reply && reply->is_method;
}

bool rule_overloaded_setattr(struct rule *r, bool *is_set)
{
    *is_set = false;
    if (!overload_has_answers())
        return true;
    struct overload_question *question =
            overload_question_create(OVERLOAD_SETTER, r->args, 2, NULL);
    r->name = question->name = r->instr->attribute;
    const struct overload_reply *reply = overload_ask(r, question);
    *is_set = reply && is_found(reply);
    return reply && (!*is_set || call_reply(r, reply, r->args, 2, 0));
}

static const struct overload_reply *ask_method(
        struct rule *r, struct ir_instr **args, size_t count)
{
    struct overload_question *question =
            overload_question_create(OVERLOAD_METHOD, args, count, r->instr);
    question->name = r->name;
    return overload_ask(r, question);
}

bool rule_overloaded_text(struct rule *r, const char *name, bool *is_done)
{
    struct overload_question *question =
            overload_question_create(OVERLOAD_METHOD, r->args, 1, NULL);
    r->name = question->name = name;
    const struct overload_reply *reply = overload_ask(r, question);
    if (!reply)
        return false;
    *is_done = is_found(reply) && call_reply(r, reply, r->args, 1, 0);
    return *is_done || !is_found(reply);
}

// A method of what may be None is that of the value, where None has none of the name.
bool rule_overloaded_method(struct rule *r, const struct type *type)
{
    size_t count = r->instr->operand_count;
    struct ir_instr **args =
            arena_array(&r->in->function->arena, struct ir_instr *, count + 1);
    args[0] = r->receiver;
    memcpy(args + 1, r->instr->operands + 1, (count - 1) * sizeof *args);
    const struct overload_reply *reply = ask_method(r, args, count);
    const struct type *held = rule_value_type(r->receiver->type);
    if (reply && !is_found(reply) && held != r->receiver->type) {
        args[0] =
                r->is_emitting ? rule_cast(r, r->receiver, held) : rule_stand_in(r, held);
        reply = ask_method(r, args, count);
    }
    if (!reply)
        return false;
    if (!is_found(reply))
        return refuse_call(
                r, args, count, "No overload of the method takes these arguments.");
    return call_reply(r, reply, args, count, r->instr->call.keyword_count);
}
