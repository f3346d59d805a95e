// SPDX-License-Identifier: MIT
// Calls and attributes that the program implements by argument types. A question that was
// not asked before ends the session; it is answered without the lock, for Python runs
// meanwhile, and the session starts again.
#include "compiler/typing/infer/overload.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/str.h"
#include "compiler/typing/infer/infer.h"
#include "compiler/types/object_class.h"

static struct map replies; // key -> struct overload_reply; guarded by inference's lock
static atomic_int version;
static bool (*choose)(const struct overload_question *question,
        struct overload_reply *reply, struct error *err);

void compiler_set_overloads(bool (*chooser)(const struct overload_question *question,
        struct overload_reply *reply, struct error *err))
{
    choose = chooser;
}

void compiler_overloads_changed(void)
{
    atomic_fetch_add(&version, 1);
}

// --- Questions

static void add_constant_key(struct str *key, const struct constant *constant)
{
    if (!constant->type)
        return;
    if (constant->type == type_string)
        str_printf(key, "='%s'", constant->string.text);
    else
        str_printf(key, "=%lld", (long long)constant->integer);
}

static char *make_key(const struct overload_question *question)
{
    struct str key = {0};
    unsigned long long serial =
            question->overloaded ? (unsigned long long)question->overloaded->serial : 0;
    str_printf(&key, "%d %d %d %d %llu %s", atomic_load(&version), (int)question->kind,
            question->is_parallel, question->is_device, serial,
            question->name ? question->name : "");
    for (size_t i = 0; i < question->count; i++) {
        str_printf(&key, " %p", (const void *)question->types[i]);
        add_constant_key(&key, &question->constants[i]);
    }
    for (size_t i = 0; i < question->keyword_count; i++)
        str_printf(&key, " %s", question->keywords[i]);
    char *text = memory_strdup(str_text(&key));
    str_finish(&key);
    return text;
}

static bool is_literal(const struct constant *constant)
{
    const struct type *type = constant ? constant->type : NULL;
    return type && (type->kind == TYPE_INT || type == type_bool || type == type_string);
}

static struct overload_question *make_question(enum overload_kind kind,
        struct ir_instr *const *args, size_t count, const struct ir_instr *call)
{
    struct overload_question *question = memory_zalloc(sizeof *question);
    question->kind = kind;
    question->count = count;
    question->types = memory_zalloc((count + 1) * sizeof *question->types);
    struct constant *constants = memory_zalloc((count + 1) * sizeof *constants);
    for (size_t i = 0; i < count; i++) {
        question->types[i] = args[i]->type;
        const struct constant *constant = rule_constant(args[i]);
        if (is_literal(constant))
            constants[i] = *constant;
    }
    question->constants = constants;
    question->keyword_count = call ? call->call.keyword_count : 0;
    question->keywords =
            memory_zalloc((question->keyword_count + 1) * sizeof *question->keywords);
    for (size_t i = 0; i < question->keyword_count; i++)
        question->keywords[i] = call->call.keywords[i];
    return question;
}

static void question_destroy(struct overload_question *question)
{
    free(question->types);
    free((void *)question->constants);
    free(question->keywords);
    free(question->key);
    free(question);
}

// The reply to a question, which is taken over; NULL, with the session ended, while there
// is none.
static const struct overload_reply *ask(
        struct rule *r, struct overload_question *question)
{
    question->is_device = r->in->target != TARGET_HOST;
    question->key = make_key(question);
    const struct overload_reply *reply = map_get(&replies, question->key);
    if (reply) {
        question_destroy(question);
        return reply;
    }
    if (!r->in->session->asked)
        r->in->session->asked = question;
    else
        question_destroy(question);
    rule_fail(r, ERROR_LOWERING, "an overload is not known yet");
    return NULL;
}

// --- Operators

static struct map operators; // name -> struct source *; guarded by inference's lock

void compiler_overload_operator(const char *name, struct source *overloaded)
{
    infer_lock_enter();
    map_set(&operators, name, overloaded);
    infer_lock_leave();
}

bool rule_overloaded_operator(
        struct rule *r, const char *name, struct ir_instr **args, bool *is_done)
{
    struct source *overloaded = map_get(&operators, name);
    if (!overloaded)
        return true;
    struct overload_question *question =
            make_question(OVERLOAD_CALL, args, r->arg_count, NULL);
    question->overloaded = overloaded;
    question->is_parallel = r->in->source->options.parallel;
    const struct overload_reply *reply = ask(r, question);
    if (!reply)
        return false;
    if (!reply->source)
        return true;
    r->name = overloaded->name;
    *is_done = rule_call_source(r, reply->source, args, r->arg_count, 0);
    return *is_done;
}

bool overload_answer(struct overload_question *question, struct error *err)
{
    struct overload_reply *reply = memory_zalloc(sizeof *reply);
    bool is_answered = !choose || choose(question, reply, err);
    if (is_answered) {
        infer_lock_enter();
        if (map_get(&replies, question->key))
            free(reply);
        else
            map_set(&replies, question->key, reply);
        infer_lock_leave();
    } else {
        free(reply);
    }
    question_destroy(question);
    return is_answered;
}

// --- Rules

bool rule_overloaded(struct rule *r, struct source *overloaded)
{
    struct ir_instr **args = r->instr->operands + 1;
    size_t count = r->instr->operand_count - 1;
    struct overload_question *question =
            make_question(OVERLOAD_CALL, args, count, r->instr);
    question->overloaded = overloaded;
    question->is_parallel = r->in->source->options.parallel;
    r->name = overloaded->name;
    r->args = args;
    r->arg_count = count;
    const struct overload_reply *reply = ask(r, question);
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
    struct overload_question *question = make_question(kind, NULL, 0, NULL);
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
            choose ? ask(r, attribute_question(OVERLOAD_ATTRIBUTE, r, type)) : NULL;
    if (choose && !reply)
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
    question->key = make_key(question);
    const struct overload_reply *reply = map_get(&replies, question->key);
    question_destroy(question);
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
            make_question(OVERLOAD_METHOD, args, count, r->instr);
    question->name = r->name;
    const struct overload_reply *reply = ask(r, question);
    if (!reply)
        return false;
    if (!reply->source)
        return rule_no_match(r, "No overload of the method takes these arguments.");
    return rule_call_source(r, reply->source, args, count, r->instr->call.keyword_count);
}
