// SPDX-License-Identifier: MIT
// Lowers exceptions. Within a try every block ends before a variable changes or control
// goes on: by a GUARD, whose second target is where an exception of that block goes. So
// the handler sees each variable as it was when the block began.
#include "compiler/ir/lower/lower.h"

#include <inttypes.h>
#include <string.h>

#include "compiler/types/raise_site.h"
#include "compiler/types/source.h"

// Whether the exception handler must know that this block can fail.
// A guard where nothing can fail would cost: each ends a block, and LLVM cannot move code
// across the edge to the handler. Reads of attributes and items count as failing, as
// typing has not said yet what they are.
static bool can_raise(const struct lowering *lw)
{
    ir_each_instr(instr, lw->block)
    {
        switch (instr->op) {
        case IR_CONST:
        case IR_ARG:
        case IR_PHI:
        case IR_PAIR_FIRST:
        case IR_PAIR_SECOND:
        case IR_BUILD_TUPLE:
        case IR_MAKE_CLOSURE:
        case IR_CAUGHT:
        case IR_MATCH:
        case IR_CATCH:
        case IR_CHAIN:
            continue;
        case IR_ITERNEXT: // of a range: `immediate` says so
            if (instr->immediate)
                continue;
            return true;
        default:
            return true;
        }
    }
    return false;
}

void lower_guard(struct lowering *lw)
{
    if (!lw->guard || !lw->block || !can_raise(lw))
        return;
    struct span span = lw->block->last->span;
    struct ir_block *next = lower_new_block(lw, span);
    struct ir_instr *guard = lower_emit(lw, IR_GUARD, 0, span);
    guard->targets[0] = next;
    guard->targets[1] = lw->guard->handler;
    lower_edge(lw->block, next);
    lower_edge(lw->block, lw->guard->handler);
    lower_continue_in(lw, next);
}

// --- Leaving a try by return, break or continue

// Each `finally` is lowered for each way out, and so are those within it, twice at least:
// a nest of 12 took a minute to compile, and one of 20 all memory.
enum { MAX_FINALLY_DEPTH = 8 };

static bool lower_finally(struct lowering *lw, const struct ast_list *finally)
{
    if (lw->finally_depth == MAX_FINALLY_DEPTH)
        return error_set(lw->err, ERROR_UNSUPPORTED, finally->items[0]->span,
                "'finally' within 'finally' is supported in a compiled function up to a "
                "depth of %d: put the inner ones into a function of their own.",
                MAX_FINALLY_DEPTH);
    lw->finally_depth++;
    bool is_done = lower_body(lw, finally);
    lw->finally_depth--;
    return is_done;
}

// As CPython does it, `finally` is lowered once more for each way out. While it runs, its
// own try is over (an exception in it goes to the outer handler), so that the chain of
// guards is cut back step by step, and restored at the end for what follows in the text.
// The way out goes on in a block of its own, which the inner handlers have nothing to do
// with: what fails in a `finally`, and what it assigns, is behind its try.
bool lower_leave_tries(struct lowering *lw, bool is_return, struct span span)
{
    struct guard *inner = lw->guard;
    struct ir_instr *caught = lw->caught, *context = lw->context;
    bool is_done = true;
    lower_guard(lw);
    while (is_done && lw->block && lw->guard &&
            (is_return || lw->guard->loop == lw->loop)) {
        const struct ast_list *finally = lw->guard->finally;
        lw->caught = lw->guard->caught; // what was handled within is over
        lw->context = lw->guard->context;
        lw->guard = lw->guard->outer;
        is_done = !finally || lower_finally(lw, finally);
        lower_guard(lw);
    }
    if (is_done && lw->block && lw->guard != inner) {
        struct ir_block *next = lower_new_block(lw, span);
        lower_jump(lw, next, span);
        lower_continue_in(lw, next);
    }
    lw->guard = inner;
    lw->caught = caught;
    lw->context = context;
    return is_done;
}

// --- Raising

// Ends the block with an instruction that goes to the handler, if there is one here.
// What follows in the text is not reached: lw->block is NULL until a new block is begun.
static struct ir_instr *emit_leave(
        struct lowering *lw, enum ir_op op, size_t operand_count, struct span span)
{
    struct ir_instr *instr = lower_emit(lw, op, operand_count, span);
    instr->raise.handler = lw->guard ? lw->guard->handler : NULL;
    if (instr->raise.handler)
        lower_edge(lw->block, instr->raise.handler);
    lw->block = NULL;
    return instr;
}

static void emit_reraise(struct lowering *lw, struct ir_instr *caught, struct span span)
{
    struct ir_block *block = lw->block;
    emit_leave(lw, IR_RERAISE, 1, span);
    block->last->operands[0] = caught;
}

static bool print_argument(const struct ast_node *node, bool is_only, struct str *out)
{
    const struct constant *constant = &node->constant.value;
    if (node->kind != AST_CONSTANT || !constant->type)
        return false;
    if (constant->type == type_string)
        str_printf(out, is_only ? "%s" : "'%s'", constant->string.text);
    else if (constant->type->kind == TYPE_INT)
        str_printf(out, "%" PRId64, constant->integer);
    else if (constant->type->kind == TYPE_FLOAT)
        str_printf(out, "%.17g", constant->real);
    else if (constant->type == type_bool)
        str_append(out, constant->integer ? "True" : "False");
    else if (constant->type == type_none)
        str_append(out, "None");
    else
        return false;
    return true;
}

// The text of an exception's arguments when all are literals, for targets that can carry
// no others; NULL when there are none.
// GPUs report an exception as a number; the host then looks its message up in the table.
static const char *literal_message(
        struct lowering *lw, struct ast_node *const *args, size_t count)
{
    struct str text = {0};
    bool is_constant = count > 0;
    for (size_t i = 0; is_constant && i < count; i++) {
        if (count > 1)
            str_append(&text, i ? ", " : "(");
        is_constant = print_argument(args[i], count == 1, &text);
    }
    if (count > 1)
        str_append(&text, ")");
    const char *message =
            is_constant ? arena_strdup(&lw->function->arena, str_text(&text)) : NULL;
    str_finish(&text);
    return message;
}

static bool is_text(const struct ast_node *node)
{
    return node->kind == AST_CONSTANT && node->constant.value.type == type_string;
}

// What is raised next knows the exception `caught`, as `enum exception_chain` says; NULL:
// it shows none.
static void emit_chain(
        struct lowering *lw, struct ir_instr *caught, int as, struct span span)
{
    struct ir_instr *chain = lower_emit(lw, IR_CHAIN, caught ? 1 : 0, span);
    chain->immediate = as;
    if (caught)
        chain->operands[0] = caught;
}

// The exception that is being handled when another one is raised. The library's own
// handlers are none of the program.
static void emit_context(struct lowering *lw, struct span span)
{
    if (!lw->context || lw->source->options.is_library)
        return;
    lw->context->immediate = CAUGHT_IS_HELD;
    emit_chain(lw, lw->context, CHAIN_CONTEXT, span);
}

static bool lower_cause(
        struct lowering *lw, const struct ast_node *cause, struct ir_instr **caught);

// Raises class(*args) from `cause`, or NULL. A single literal text needs no arguments at
// run time.
static bool raise_from(struct lowering *lw, const struct constant *class,
        struct ast_node *const *args, size_t count, const struct ast_node *cause,
        struct span span)
{
    struct ir_instr **values =
            arena_array(&lw->function->arena, struct ir_instr *, count + 1);
    // the library has its messages put together where an exception is made of them
    bool is_format = lw->source->options.is_library && count > 1 && is_text(args[0]);
    const char *message = is_format ? args[0]->constant.value.string.text
                                    : literal_message(lw, args, count);
    if (is_format) {
        args++;
        count--;
    } else if (count == 1 && is_text(args[0])) {
        count = 0;
    }
    for (size_t i = 0; i < count; i++)
        if (!(values[i] = lower_expr(lw, args[i])))
            return false;
    struct ir_instr *caught = NULL;
    if (cause && !lower_cause(lw, cause, &caught))
        return false;
    struct ir_block *block = lw->block;
    if (!block)
        return true;
    if (!caught || caught != lw->context) // else it is that, too
        emit_context(lw, span);
    emit_leave(lw, IR_RAISE, 0, span);
    struct ir_instr *raise = block->last;
    raise->operands = values;
    raise->operand_count = count;
    raise->raise.class = class;
    raise->raise.message = message;
    raise->raise.is_format = is_format;
    return true;
}

bool lower_raise_call(struct lowering *lw, const struct constant *class,
        struct ast_node *const *args, size_t count, struct span span)
{
    return raise_from(lw, class, args, count, NULL, span);
}

static struct ast_node *text_node(struct lowering *lw, const char *text)
{
    struct ast_node *node = arena_new(&lw->function->arena, struct ast_node);
    node->kind = AST_CONSTANT;
    node->constant.value.type = type_string;
    node->constant.value.string.text = text;
    node->constant.value.string.len = strlen(text);
    return node;
}

bool lower_raise_text(
        struct lowering *lw, const char *class, const char *text, struct span span)
{
    struct constant *of_class = arena_new(&lw->function->arena, struct constant);
    of_class->type = type_exception;
    of_class->exception.name = class;
    struct ast_node *message = text_node(lw, text);
    return lower_raise_call(lw, of_class, &message, 1, span);
}

// raise without an exception, or of one that was caught.
static bool lower_raise_again(struct lowering *lw, const struct ast_node *node)
{
    const struct ast_node *named = node->raise.exception;
    struct ir_instr *caught = named ? lower_expr(lw, named) : lw->caught;
    if (!caught)
        return named ? false
                     : error_set(lw->err, ERROR_UNSUPPORTED, node->span,
                               "'raise' without an exception is not supported in a "
                               "compiled function outside of 'except'.");
    if (!lw->block)
        return true;
    struct ir_instr *cause = NULL;
    if (node->raise.cause && !lower_cause(lw, node->raise.cause, &cause))
        return false;
    if (!lw->block)
        return true;
    if (!named)
        caught->immediate = CAUGHT_IS_HELD;
    emit_reraise(lw, caught, node->span);
    return true;
}

// Raises a class or a call of one.
static bool lower_raise_class(struct lowering *lw, const struct ast_node *class,
        const struct ast_node *cause, struct span span)
{
    struct ast_list args = {0};
    if (class->kind == AST_CALL) {
        if (class->call.keyword_count)
            return error_set(lw->err, ERROR_UNSUPPORTED, class->span,
                    "keyword arguments of an exception are not supported in a compiled "
                    "function.");
        args = class->call.args;
        class = class->call.function;
    }
    if (class->kind == AST_CONSTANT && !class->constant.value.type)
        // typing reports it, if the code is reachable
        return lower_expr(lw, class) && lower_return_none(lw, span);
    if (class->kind != AST_CONSTANT || class->constant.value.type != type_exception)
        return error_set(lw->err, ERROR_UNSUPPORTED, span,
                "what a compiled function raises must be an exception class or a call of "
                "one.");
    return raise_from(lw, &class->constant.value, args.items, args.len, cause, span);
}

bool lower_raise(struct lowering *lw, const struct ast_node *node)
{
    const struct ast_node *class = node->raise.exception;
    if (!class || class->kind == AST_LOCAL)
        return lower_raise_again(lw, node);
    return lower_raise_class(lw, class, node->raise.cause, node->span);
}

bool lower_assert(struct lowering *lw, const struct ast_node *node)
{
    struct ast_node *text = node->check.message;
    struct ir_block *fails = lower_new_block(lw, node->span);
    struct ir_block *holds = lower_new_block(lw, node->span);
    if (!lower_condition(lw, node->check.test, holds, fails))
        return false;
    lower_continue_in(lw, fails);
    if (lw->block) {
        struct constant *class = arena_new(&lw->function->arena, struct constant);
        class->type = type_exception;
        class->exception.name = "AssertionError";
        if (!lower_raise_call(lw, class, &text, text ? 1 : 0, node->span))
            return false;
    }
    lower_continue_in(lw, holds);
    return true;
}

// --- Handling

static struct ir_instr *emit_caught(
        struct lowering *lw, enum ir_op op, struct ir_instr *caught, struct span span)
{
    struct ir_instr *instr = lower_emit(lw, op, caught ? 1 : 0, span);
    if (caught)
        instr->operands[0] = caught;
    return instr;
}

// The part of a handler that runs when its classes match.
static bool lower_handler_body(
        struct lowering *lw, const struct ast_node *handler, struct ir_instr *caught)
{
    int local = handler->handler.local;
    struct ir_instr *outer = lw->caught, *context = lw->context;
    emit_caught(lw, IR_CATCH, caught, handler->span);
    if (local >= 0) {
        ssa_write(lw, local, caught, handler->span);
        caught->immediate = CAUGHT_IS_HELD;
    }
    lw->caught = lw->context = caught;
    bool is_done = lower_body(lw, &handler->handler.body);
    lw->caught = outer;
    lw->context = context;
    if (lw->block && local >= 0) {
        lower_guard(lw);
        ssa_forget(lw, local);
    }
    return is_done;
}

static bool lower_handler(struct lowering *lw, const struct ast_node *handler,
        struct ir_instr *caught, struct ir_block *end)
{
    struct ir_block *next = NULL;
    if (!handler->handler.catches_all) {
        struct ir_block *then = lower_new_block(lw, handler->span);
        next = lower_new_block(lw, handler->span);
        struct ir_instr *match = emit_caught(lw, IR_MATCH, caught, handler->span);
        size_t count = handler->handler.classes.len;
        struct constant *classes =
                arena_array(&lw->function->arena, struct constant, count + 1);
        for (size_t i = 0; i < count; i++)
            classes[i] = handler->handler.classes.items[i]->constant.value;
        match->match.classes = classes;
        match->match.count = count;
        lower_branch(lw, match, then, next, handler->span);
        lower_continue_in(lw, then);
    }
    if (!lower_handler_body(lw, handler, caught))
        return false;
    if (lw->block)
        lower_jump(lw, end, handler->span);
    if (next)
        lower_continue_in(lw, next);
    return true;
}

// Begins a block under a new guard.
static void open_guard(struct lowering *lw, struct guard *guard, struct span span)
{
    struct ir_block *start = lower_new_block(lw, span);
    lower_jump(lw, start, span);
    lower_continue_in(lw, start);
    guard->handler = lower_new_block(lw, span);
    guard->loop = lw->loop;
    guard->caught = lw->caught;
    guard->context = lw->context;
    guard->outer = lw->guard;
    lw->guard = guard;
}

// Ends it, and begins a block that its handler has nothing to do with.
static void close_guard(struct lowering *lw, struct guard *guard, struct span span)
{
    lower_guard(lw);
    lw->guard = guard->outer;
    if (!lw->block)
        return;
    struct ir_block *next = lower_new_block(lw, span);
    lower_jump(lw, next, span);
    lower_continue_in(lw, next);
}

// `raise X from CAUSE`: a cause that is no caught exception is raised and caught, so that
// it is one.
static bool lower_cause(
        struct lowering *lw, const struct ast_node *cause, struct ir_instr **caught)
{
    if (!lw->block)
        return true;
    if (cause->kind == AST_CONSTANT && cause->constant.value.type == type_none) {
        emit_chain(lw, NULL, CHAIN_CAUSE, cause->span);
        return true;
    }
    struct ir_instr *context = lw->context;
    if (cause->kind == AST_LOCAL) {
        *caught = lower_expr(lw, cause);
    } else {
        struct guard guard = {0};
        open_guard(lw, &guard, cause->span);
        lw->context = NULL; // it is made, as Python sees it, and not raised
        bool is_done = lower_raise_class(lw, cause, NULL, cause->span);
        lw->context = context;
        close_guard(lw, &guard, cause->span);
        if (!is_done)
            return false;
        lower_continue_in(lw, guard.handler);
        if (!lw->block)
            return true;
        *caught = emit_caught(lw, IR_CAUGHT, NULL, cause->span);
        (*caught)->immediate = CAUGHT_IS_HELD;
        emit_caught(lw, IR_CATCH, *caught, cause->span);
    }
    if (*caught && lw->block)
        emit_chain(lw, *caught, CHAIN_CAUSE | (*caught == context ? CHAIN_CONTEXT : 0),
                cause->span);
    return *caught;
}

// The clauses are asked one after the other. Without one that matches, the exception goes
// on as it came.
static bool lower_handlers(
        struct lowering *lw, const struct ast_node *node, struct ir_block *end)
{
    if (!lw->block)
        return true;
    struct ir_instr *caught = emit_caught(lw, IR_CAUGHT, NULL, node->span);
    for (size_t i = 0; lw->block && i < node->attempt.handlers.len; i++)
        if (!lower_handler(lw, node->attempt.handlers.items[i], caught, end))
            return false;
    if (lw->block)
        emit_reraise(lw, caught, node->span);
    return true;
}

static bool lower_except(struct lowering *lw, const struct ast_node *node)
{
    struct guard guard = {0};
    if (!node->attempt.handlers.len)
        return lower_body(lw, &node->attempt.body);
    open_guard(lw, &guard, node->span);
    bool is_done = lower_body(lw, &node->attempt.body);
    close_guard(lw, &guard, node->span);
    if (!is_done || !lower_body(lw, &node->attempt.orelse))
        return false;
    struct ir_block *end = lower_new_block(lw, node->span);
    if (lw->block)
        lower_jump(lw, end, node->span);
    lower_continue_in(lw, guard.handler);
    if (!lower_handlers(lw, node, end))
        return false;
    lower_continue_in(lw, end);
    return true;
}

// `try ... except ... finally` is two: the handlers within, and around them a guard whose
// handler runs `finally` and raises again. Without an exception `finally` comes behind.
bool lower_try(struct lowering *lw, const struct ast_node *node)
{
    const struct ast_list *finally = &node->attempt.finally;
    struct guard guard = {.finally = finally};
    if (!finally->len)
        return lower_except(lw, node);
    open_guard(lw, &guard, node->span);
    bool is_done = lower_except(lw, node);
    close_guard(lw, &guard, node->span);
    if (!is_done || !lower_finally(lw, finally))
        return false;
    struct ir_block *end = lower_new_block(lw, node->span);
    if (lw->block)
        lower_jump(lw, end, node->span);
    lower_continue_in(lw, guard.handler);
    if (lw->block) {
        struct ir_instr *caught = emit_caught(lw, IR_CAUGHT, NULL, node->span);
        caught->immediate = CAUGHT_IS_HELD;
        emit_caught(lw, IR_CATCH, caught, node->span); // it may end here; else it is held
        struct ir_instr *context = lw->context;
        lw->context = caught;
        bool is_lowered = lower_finally(lw, finally);
        lw->context = context;
        if (!is_lowered)
            return false;
        if (lw->block)
            emit_reraise(lw, caught, node->span);
    }
    lower_continue_in(lw, end);
    return true;
}
