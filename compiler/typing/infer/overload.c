// SPDX-License-Identifier: MIT
// Calls and attributes that the program implements by argument types. A question that was
// not asked before ends the session; it is answered without the lock, for Python runs
// meanwhile, and the session starts again.
//
// Replies are kept for ever: a question is its text (the key), which names the types by
// their addresses, as types live for ever too. When a program adds an overload the
// version in all keys changes, so that old replies are asked for no more. The sources in
// replies are the runtime's, and live as long as what they overload.
//
// A question is owned by who made it until it is asked; then by the session (asked), and
// by overload_answer, which frees it.

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/str.h"
#include "compiler/support/host_hooks.h"
#include "compiler/types/object_class.h"
#include "compiler/types/told.h"
#include "compiler/typing/infer/infer.h"
#include "compiler/typing/infer/overload.h"
#include "compiler/typing/infer/rule.h"

static struct map replies; // key -> struct overload_reply; guarded by inference's lock
// Read with the lock of inference or without: a session that sees the old version asks
// what it would have asked a moment before.
static atomic_int version;

void compiler_overloads_changed(void)
{
    atomic_fetch_add(&version, 1);
    told_forget();
}

// --- Questions

// Displays of lists and dicts as they are known: their items, those of a dict's keys
// before their values; of displays of several types (tuples here) their values alone.
static bool has_items(const struct constant *constant)
{
    return constant->type &&
           (constant->type->kind == TYPE_LIST || constant->type->kind == TYPE_DICT ||
                   constant->type->kind == TYPE_TUPLE);
}

static void add_constant_key(struct str *key, const struct constant *constant)
{
    if (!constant->type)
        return;
    if (has_items(constant)) {
        str_printf(key, "=%p[", (const void *)constant->type);
        for (size_t i = 0; i < constant->tuple.len; i++) {
            add_constant_key(key, &constant->tuple.items[i]);
            str_append(key, ",");
        }
        str_append(key, "]");
    } else if (constant->type == type_string)
        str_printf(key, "='%s'", constant->string.text);
    else
        str_printf(key, "=%lld", (long long)constant->integer);
}

static char *make_key(const struct overload_question *question)
{
    struct str key = {0};
    unsigned long long serial =
            question->overloaded ? (unsigned long long)question->overloaded->serial : 0;
    str_printf(&key, "%d %d %d %d %d %llu %s", atomic_load(&version), (int)question->kind,
            question->is_parallel, question->is_device, question->prefers_literals,
            serial, question->name ? question->name : "");
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

static void forget_items(const struct constant *constant)
{
    if (!has_items(constant))
        return;
    for (size_t i = 0; i < constant->tuple.len; i++)
        forget_items(&constant->tuple.items[i]);
    free((void *)constant->tuple.items);
}

static struct constant known(const struct ir_instr *value);

// Of lists and dicts with one type of items, all have to be literals.
static struct constant known_display(const struct ir_instr *display)
{
    const struct type *type = display->type;
    bool is_mixed = type->kind == TYPE_TUPLE;
    size_t step = is_mixed && display->op == IR_BUILD_DICT ? 2 : 1;
    size_t count = display->operand_count / step;
    struct constant *items = memory_zalloc((count + 1) * sizeof *items);
    struct constant out = {.type = type, .tuple = {.items = items, .len = count}};
    bool is_known = true;
    for (size_t i = 0; i < count; i++) {
        items[i] = known(display->operands[i * step + step - 1]);
        is_known = is_known && is_literal(&items[i]);
    }
    if (is_mixed || (is_known && count))
        return out;
    forget_items(&out);
    return (struct constant){0};
}

// What is known of a value when code is compiled, which question_destroy() frees: a
// literal, or a display; no type: nothing.
static struct constant known(const struct ir_instr *value)
{
    const struct constant *constant = rule_constant(value);
    const struct type *type = value->type;
    if (is_literal(constant))
        return *constant;
    bool is_display = (value->op == IR_BUILD_LIST || value->op == IR_BUILD_DICT) &&
                      !value->call.is_starred && type;
    if (is_display && (type->kind == TYPE_TUPLE || type->kind == TYPE_DICT ||
                              (type->kind == TYPE_LIST && !type->cell.is_typed)))
        return known_display(value);
    return (struct constant){0};
}

struct overload_question *overload_question_create(enum overload_kind kind,
        struct ir_instr *const *args, size_t count, const struct ir_instr *call)
{
    struct overload_question *question = memory_zalloc(sizeof *question);
    question->kind = kind;
    question->count = count;
    question->types = memory_zalloc((count + 1) * sizeof *question->types);
    struct constant *constants = memory_zalloc((count + 1) * sizeof *constants);
    for (size_t i = 0; i < count; i++) {
        question->types[i] = args[i]->type;
        constants[i] = known(args[i]);
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
    for (size_t i = 0; question->constants && i < question->count; i++)
        forget_items(&question->constants[i]);
    free(question->types);
    free((void *)question->constants);
    free(question->keywords);
    free(question->key);
    free(question);
}

static const struct overload_reply *look_up(struct overload_question *question)
{
    free(question->key);
    question->key = make_key(question);
    return map_get(&replies, question->key);
}

// Whether the code of the reply asks for literals, some of which the call has: another
// implementation may take them.
static bool wants_literals(
        const struct overload_reply *reply, const struct overload_question *question)
{
    const struct source *source = reply->source;
    if (!source || !(source->literal_params & ~source->hoped_literals) ||
            question->prefers_literals)
        return false;
    for (size_t i = 0; i < question->count; i++)
        if (question->constants[i].type)
            return true;
    return false;
}

static bool has_displays(const struct overload_question *question)
{
    for (size_t i = 0; i < question->count; i++)
        if (has_items(&question->constants[i]))
            return true;
    return false;
}

const struct overload_reply *overload_ask(
        struct rule *r, struct overload_question *question)
{
    question->is_device = r->in->target != TARGET_HOST;
    const struct overload_reply *reply = look_up(question);
    if (reply && wants_literals(reply, question)) {
        question->prefers_literals = true;
        reply = look_up(question);
    }
    if (reply && reply->source && question->prefers_literals && has_displays(question))
        reply->source->knows_displays = true;
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

static struct source *of_arrays; // guarded by inference's lock

void compiler_overload_arrays(struct source *overloaded)
{
    infer_lock_enter();
    of_arrays = overloaded;
    infer_lock_leave();
}

// Called without the lock. Two sessions may ask the same at once: the first reply stays,
// as others may point to it already.
bool overload_answer(struct overload_question *question, struct error *err)
{
    struct overload_reply *reply = memory_zalloc(sizeof *reply);
    bool is_answered = !host_hooks.choose_overload ||
                       host_hooks.choose_overload(question, reply, err);
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

bool overload_has_operators(void)
{
    return operators.len || of_arrays;
}

struct source *overload_of_operator(const char *name)
{
    return map_get(&operators, name);
}

struct source *overload_of_arrays(struct ir_instr *const *args, size_t count)
{
    for (size_t i = 0; of_arrays && i < count; i++)
        if (type_has_own_array(args[i]->type))
            return of_arrays;
    return NULL;
}

bool overload_has_answers(void)
{
    return host_hooks.choose_overload != NULL;
}

const struct overload_reply *overload_known(struct overload_question *question)
{
    const struct overload_reply *reply = look_up(question);
    question_destroy(question);
    return reply;
}
