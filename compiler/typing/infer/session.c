// SPDX-License-Identifier: MIT
// Types functions: those that call each other are solved together, functions of the
// library are fetched when they are first needed.
//
// A session is one run for one function that the caller wants. Its stack holds the
// functions whose types are being found, callers below callees. Functions that call each
// other end up in one group: a function depends on the lowest one of the stack that it
// has reached (`lowest`), and a group is settled when its first function depends on
// nothing below itself. Only then are its functions resolved, all of them or none.
//
// Everything here but infer_source runs under infer_lock. The lock is never held while
// Python runs: a session that needs something of Python (a function of the library, an
// overload) ends with an error, leaves nothing behind, and is started again with what
// Python gave. So a session may be run several times, and must have no effect but on the
// sources' lists of typed functions.
//
// Who owns what: the source owns its typed functions (source->typed); the session owns
// the inference states in its stack, and with an error also the functions that they are
// still about, which it takes off the lists again.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/guard.h"
#include "base/map.h"
#include "compiler/support/host_hooks.h"
#include "compiler/types/told.h"
#include "compiler/typing/infer/infer.h"
#include "compiler/typing/infer/stages.h"

static void infer_destroy(struct infer *in)
{
    if (!in)
        return;
    free(in->reached);
    free(in->values);
    free(in);
}

static struct typed_function *typed_entry(
        struct source *source, const struct ir_function *function)
{
    vec_each (entry, &source->typed)
        if (entry->function == function)
            return entry;
    return NULL;
}

// Resolves the functions of a settled group, which ends the stack.
// All are checked before one is resolved: the error of any takes back all, and a function
// that was rewritten could not be typed in another session. Whether one of the group
// waits at a barrier all of it does, as each may call each.
static bool finish_group(struct infer_session *session, size_t first)
{
    struct infer *lowest = session->stack.items[first];
    if (told_is_wanting()) // types were found without it
        return error_set(
                lowest->err, ERROR_LOWERING, SPAN_NONE, "a conversion is not known yet");
    for (size_t i = first; i < session->stack.len; i++)
        if (!session->stages->check_typed(session->stack.items[i]))
            return false;
    for (size_t i = first; i < session->stack.len; i++) {
        struct infer *in = session->stack.items[i];
        session->stages->annotate(in->function);
        if (!session->stages->resolve(in) || !session->stages->check_own_arrays(in) ||
                !session->stages->verify(in->function, in->err))
            return false;
    }
    bool has_barrier = false;
    for (size_t i = first; i < session->stack.len; i++) {
        struct ir_function *function = session->stack.items[i]->function;
        session->stages->note(function);
        has_barrier = has_barrier || function->has_barrier;
    }
    while (session->stack.len > first) {
        struct infer *in = vec_pop(&session->stack);
        assert(in->function->is_resolved && !in->is_active);
        in->function->has_barrier = has_barrier;
        typed_entry(in->source, in->function)->is_complete = true;
        session->stages->complete(in->function);
        infer_destroy(in);
    }
    return true;
}

// Types what was put on the stack last. While it depends on a function below itself it
// stays on the stack, and the group is finished by that one.
static bool solve(struct infer *in)
{
    size_t depth = in->depth;
    if (!in->session->stages->find_types(in))
        return false;
    return in->lowest < depth || finish_group(in->session, depth);
}

static bool has_params(const struct typed_function *entry,
        const struct type *const *params, size_t count)
{
    return entry->function->param_count == count &&
           !memcmp(entry->asked, params, count * sizeof *params);
}

// The entry for the types that were asked for: those of the parameters may have changed
// since, as containers that came empty got their items' types.
static struct typed_function *find_typed(struct source *source,
        const struct type *const *params, size_t count, const struct type *declared,
        enum target_kind target)
{
    vec_each (entry, &source->typed)
        if (entry->target == target && entry->declared == declared &&
                has_params(entry, params, count))
            return entry;
    return NULL;
}

static struct ir_function *create_function(const struct infer_session *session,
        struct source *source, const struct type *const *params, size_t count)
{
    struct ir_function *function = ir_function_create(source->name);
    struct arena *arena = &function->arena;
    function->source = source;
    function->rules = session->stages->rules;
    function->qualname =
            arena_strdup(arena, source->qualname ? source->qualname : source->name);
    function->param_count = count;
    function->params = arena_copy(arena, params, count * sizeof *params);
    function->param_names = arena_array(arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++)
        function->param_names[i] = source->params[i].name;
    return function;
}

static struct infer *start(struct infer_session *session, struct source *source,
        struct ir_function *function, const struct type *declared,
        enum target_kind target, struct error *err)
{
    struct infer *in = memory_zalloc(sizeof *in);
    in->session = session;
    in->source = source;
    in->function = function;
    in->target = target;
    in->declared = function->returns = declared;
    in->err = err;
    in->depth = session->stack.len;
    in->reached = memory_zalloc(function->blocks.len);
    in->reached[0] = true;
    vec_push(&session->stack, in);
    return in;
}

// Lowers the function for new argument types, and types it. *out is still incomplete when
// it depends on a function further down the stack.
static bool infer_new(struct infer_session *session, struct source *source,
        const struct type *const *params, size_t count, const struct type *declared,
        enum target_kind target, struct error *err, struct infer **out)
{
    if (source->literal_params && !literal_has_all(source, params, err))
        return false;
    if (!source->ast)
        return error_set(err, ERROR_TYPING, SPAN_NONE,
                "the function '%s' has no source text", source->name);
    struct ir_function *function = create_function(session, source, params, count);
    if (!session->stages->lower(source, function, err) ||
            !session->stages->verify(function, err)) {
        ir_function_destroy(function);
        return false;
    }
    if (!source->options.is_library)
        session->stages->settle_literals(function);
    vec_push(&source->typed, (struct typed_function){.function = function,
                                     .target = target,
                                     .declared = declared,
                                     .asked = arena_copy(&function->arena, params,
                                             count * sizeof *params)});
    *out = start(session, source, function, declared, target, err);
    return solve(*out);
}

static struct infer *find_in_stack(
        struct infer_session *session, const struct ir_function *function)
{
    for (size_t i = session->stack.len; i-- > 0;)
        if (session->stack.items[i]->function == function)
            return session->stack.items[i];
    return NULL;
}

// The types of the function depend on the one at this depth: they form one group.
static void depend_on(struct infer *in, size_t depth)
{
    if (depth < in->lowest)
        in->lowest = depth;
}

enum { MAX_DEPTH = 200 };

// Types a function that is new for these parameters, unless calls are nested without end.
static struct ir_function *infer_new_callee(struct infer *in, struct source *callee,
        struct signature signature, struct span span)
{
    size_t depth = in->session->stack.len;
    struct infer *state;
    if (depth > MAX_DEPTH) {
        error_set(in->err, ERROR_TYPING, span,
                "Calls are nested too deeply, or a recursive function is called with "
                "ever new "
                "types");
        return NULL;
    }
    if (!infer_new(in->session, callee, signature.params, signature.param_count,
                signature.returns, in->target, in->err, &state))
        return NULL;
    if (in->session->stack.len > depth) { // incomplete: what it waits for is below
        depend_on(in, state->lowest);
        return state->function;
    }
    return find_typed(callee, signature.params, signature.param_count, signature.returns,
            in->target)
            ->function;
}

struct ir_function *infer_callee(struct infer *in, struct source *callee,
        struct signature signature, struct span span)
{
    struct typed_function *typed = find_typed(callee, signature.params,
            signature.param_count, signature.returns, in->target);
    if (!typed)
        return infer_new_callee(in, callee, signature, span);
    struct ir_function *function = typed->function;
    if (typed->is_complete)
        return function;
    // Incomplete functions are those of this session's stack: the lock keeps other
    // sessions out, and abandon() leaves none behind.
    struct infer *state = find_in_stack(in->session, function);
    assert(state);
    size_t lowest = state->depth;
    if (!state->is_active && state->depth > in->depth) { // waits for us: another round
        if (!in->session->stages->find_types(state))
            return NULL;
        lowest = state->lowest;
    }
    depend_on(in, lowest);
    return function;
}

// Takes back what an error left unfinished. After success the stack is empty already.
// Complete functions stay, also those that were typed on the way.
static void abandon(struct infer_session *session)
{
    while (session->stack.len) {
        struct infer *in = vec_pop(&session->stack);
        struct typed_function *entry = typed_entry(in->source, in->function);
        assert(entry && !entry->is_complete);
        *entry = vec_last(&in->source->typed);
        in->source->typed.len--;
        ir_function_destroy(in->function);
        infer_destroy(in);
    }
}

static pthread_mutex_t infer_lock =
        PTHREAD_MUTEX_INITIALIZER; // guards typed lists, the library and overloads
// By name, for ever: functions of the library are loaded once in a process.
static struct map library; // guarded by infer_lock

void infer_lock_enter(void)
{
    guard_lock(&infer_lock);
}

void infer_lock_leave(void)
{
    guard_unlock(&infer_lock);
}

struct source *infer_library(struct infer *in, const char *name)
{
    struct source *source = map_get(&library, name);
    if (!source) {
        snprintf(in->session->wanted_name, sizeof in->session->wanted_name, "%s", name);
        in->session->wanted = in->session->wanted_name;
        error_set(in->err, ERROR_LOWERING, SPAN_NONE,
                "the library function %s is missing", name);
    }
    return source;
}

// One run of a session, as guarded work.
struct attempt {
    struct infer_session *session;
    struct source *source;
    const struct signature *signature;
    enum target_kind target;
    struct error *err;
    struct ir_function *function;
};

static struct ir_function *infer_once(struct infer_session *session,
        struct source *source, const struct signature *signature, enum target_kind target,
        struct error *err)
{
    struct infer *in;
    struct typed_function *typed = find_typed(source, signature->params,
            signature->param_count, signature->returns, target);
    if (!typed && infer_new(session, source, signature->params, signature->param_count,
                          signature->returns, target, err, &in))
        typed = find_typed(source, signature->params, signature->param_count,
                signature->returns, target);
    abandon(session);
    return err->kind ? NULL : typed ? typed->function : NULL;
}

static void run_attempt(void *data)
{
    struct attempt *attempt = data;
    attempt->function = infer_once(attempt->session, attempt->source, attempt->signature,
            attempt->target, attempt->err);
}

// What a session that was given up had begun is taken off the lists, and left: it may be
// what is broken.
static void leave(const struct infer_session *session)
{
    for (size_t i = 0; i < session->stack.len; i++) {
        struct source *source = session->stack.items[i]->source;
        size_t kept = 0;
        vec_each (entry, &source->typed)
            if (entry->is_complete)
                source->typed.items[kept++] = *entry;
        source->typed.len = kept;
    }
}

// Under the lock, which no part of the work takes or lets go.
static struct ir_function *infer_guarded(struct attempt *attempt)
{
    guard_lock(&infer_lock);
    bool is_done = guard_run(run_attempt, attempt);
    if (!is_done) {
        leave(attempt->session);
        attempt->session->wants_literals = false;
        attempt->session->asked = NULL;
        attempt->session->wanted = NULL;
    }
    guard_unlock(&infer_lock);
    if (!is_done)
        attempt->session->stages->given_up(attempt->err);
    return is_done ? attempt->function : NULL;
}

// Loads a library function without holding the lock: Python runs meanwhile.
static bool load_wanted(const char *name, struct error *err)
{
    struct source *source =
            host_hooks.load_library ? host_hooks.load_library(name, err) : NULL;
    if (!source)
        return false;
    guard_lock(&infer_lock);
    map_set(&library, name, source);
    guard_unlock(&infer_lock);
    return true;
}

struct source *infer_find_library(const char *name, struct error *err)
{
    for (;;) {
        guard_lock(&infer_lock);
        struct source *source = map_get(&library, name);
        guard_unlock(&infer_lock);
        if (source || !load_wanted(name, err))
            return source;
    }
}

// Has the program tell of a conversion, likewise; false: there is none to tell of, or it
// failed, with err set.
static bool tell_wanted(struct error *err)
{
    const struct type *pair[2];
    struct told told = {.conversion = CONVERT_NEVER};
    if (!told_wants(pair))
        return false;
    error_clear(err);
    if (host_hooks.tell_conversion &&
            !host_hooks.tell_conversion(pair[0], pair[1], &told, err))
        return false;
    told_set(pair[0], pair[1], &told);
    return true;
}

struct ir_function *infer_source(const struct infer_stages *stages, struct source *source,
        const struct signature *signature, enum target_kind target, struct error *err)
{
    if (signature->param_count != source->param_count) {
        error_set(err, ERROR_TYPE, SPAN_NONE,
                "not enough arguments: expected %zu, got %zu", source->param_count,
                signature->param_count);
        return NULL;
    }
    assert(stages->lower && stages->verify && stages->annotate && stages->resolve);
    assert(stages->check_own_arrays && stages->rules && stages->rules->apply);
    // Each turn of the loop gets one thing of Python, which the next one has.
    for (;;) {
        struct infer_session session = {.stages = stages};
        struct error failure = {0};
        const struct type *earlier[2];
        told_wants(earlier); // what others asked for in vain
        struct attempt attempt = {&session, source, signature, target, &failure, NULL};
        struct ir_function *function = infer_guarded(&attempt);
        vec_finish(&session.stack);
        if (function)
            return function;
        if (session.wants_literals) {
            error_clear(&failure);
            if (literal_has_all(source, signature->params, &failure))
                continue;
        } else if (session.asked) {
            error_clear(&failure);
            bool is_answered = overload_answer(session.asked, &failure);
            if (is_answered)
                continue;
        } else if (session.wanted) {
            error_clear(&failure);
            if (load_wanted(session.wanted, &failure))
                continue;
        } else if (tell_wanted(&failure)) {
            continue;
        }
        error_set(err, failure.kind ? failure.kind : ERROR_LOWERING, failure.span, "%s",
                failure.message);
        err->code = failure.code;
        return NULL;
    }
}
